// Other intrinsics of the llvm dialect. Expected values follow from the LLVM language reference, IEEE 754 and exact arithmetic.

// EVAL @active(3 : i8, 5 : i8) == dense<[true, true, false, false]> : vector<4xi1>
// EVAL @active(-2 : i8, -1 : i8) == dense<[true, false, false, false]> : vector<4xi1>
// EVAL @active(0 : i8, 0 : i8) == dense<false> : vector<4xi1>
// EVAL @active(poison, 1 : i8) == poison
llvm.func @active(%base: i8, %n: i8) -> vector<4xi1> {
  %0 = llvm.intr.get.active.lane.mask %base, %n : i8, i8 to vector<4xi1>
  llvm.return %0 : vector<4xi1>
}

// EVAL @parts() == dense<[3, 4]> : vector<2xi8>, dense<[1, 2, 8, 9, 5]> : vector<5xi8>, dense<[8, 1, 9, 2]> : vector<4xi8>, dense<[1, 3]> : vector<2xi8>, dense<[2, 4]> : vector<2xi8>
llvm.func @parts() -> !llvm.struct<(vector<2xi8>, vector<5xi8>, vector<4xi8>, vector<2xi8>, vector<2xi8>)> {
  %v = llvm.mlir.constant(dense<[1, 2, 3, 4, 5]> : vector<5xi8>) : vector<5xi8>
  %w = llvm.mlir.constant(dense<[8, 9]> : vector<2xi8>) : vector<2xi8>
  %0 = llvm.intr.vector.extract %v[2] : vector<2xi8> from vector<5xi8>
  %1 = llvm.intr.vector.insert %w, %v[2] : vector<2xi8> into vector<5xi8>
  %low = llvm.intr.vector.extract %v[0] : vector<2xi8> from vector<5xi8>
  %2 = "llvm.intr.vector.interleave2"(%w, %low) : (vector<2xi8>, vector<2xi8>) -> vector<4xi8>
  %four = llvm.intr.vector.extract %v[0] : vector<4xi8> from vector<5xi8>
  %3 = "llvm.intr.vector.deinterleave2"(%four) : (vector<4xi8>) -> !llvm.struct<(vector<2xi8>, vector<2xi8>)>
  %even = llvm.extractvalue %3[0] : !llvm.struct<(vector<2xi8>, vector<2xi8>)>
  %odd = llvm.extractvalue %3[1] : !llvm.struct<(vector<2xi8>, vector<2xi8>)>
  %u = llvm.mlir.undef : !llvm.struct<(vector<2xi8>, vector<5xi8>, vector<4xi8>, vector<2xi8>, vector<2xi8>)>
  %r0 = llvm.insertvalue %0, %u[0] : !llvm.struct<(vector<2xi8>, vector<5xi8>, vector<4xi8>, vector<2xi8>, vector<2xi8>)>
  %r1 = llvm.insertvalue %1, %r0[1] : !llvm.struct<(vector<2xi8>, vector<5xi8>, vector<4xi8>, vector<2xi8>, vector<2xi8>)>
  %r2 = llvm.insertvalue %2, %r1[2] : !llvm.struct<(vector<2xi8>, vector<5xi8>, vector<4xi8>, vector<2xi8>, vector<2xi8>)>
  %r3 = llvm.insertvalue %even, %r2[3] : !llvm.struct<(vector<2xi8>, vector<5xi8>, vector<4xi8>, vector<2xi8>, vector<2xi8>)>
  %r4 = llvm.insertvalue %odd, %r3[4] : !llvm.struct<(vector<2xi8>, vector<5xi8>, vector<4xi8>, vector<2xi8>, vector<2xi8>)>
  llvm.return %r4 : !llvm.struct<(vector<2xi8>, vector<5xi8>, vector<4xi8>, vector<2xi8>, vector<2xi8>)>
}

// A part that does not lie in its vector is poison.
// EVAL @outside() == poison, poison
llvm.func @outside() -> !llvm.struct<(vector<2xi8>, vector<2xi8>)> {
  %v = llvm.mlir.constant(dense<[1, 2]> : vector<2xi8>) : vector<2xi8>
  %0 = llvm.intr.vector.extract %v[2] : vector<2xi8> from vector<2xi8>
  %1 = llvm.intr.vector.insert %v, %v[2] : vector<2xi8> into vector<2xi8>
  %u = llvm.mlir.undef : !llvm.struct<(vector<2xi8>, vector<2xi8>)>
  %r0 = llvm.insertvalue %0, %u[0] : !llvm.struct<(vector<2xi8>, vector<2xi8>)>
  %r1 = llvm.insertvalue %1, %r0[1] : !llvm.struct<(vector<2xi8>, vector<2xi8>)>
  llvm.return %r1 : !llvm.struct<(vector<2xi8>, vector<2xi8>)>
}

// Columns follow each other: [1 3 5; 2 4 6] times [7 10; 8 11; 9 12] is [76 103; 100 136].
// EVAL @multiply() == dense<[76, 100, 103, 136]> : vector<4xi32>, dense<[1, 3, 5, 2, 4, 6]> : vector<6xi32>
llvm.func @multiply() -> !llvm.struct<(vector<4xi32>, vector<6xi32>)> {
  %a = llvm.mlir.constant(dense<[1, 2, 3, 4, 5, 6]> : vector<6xi32>) : vector<6xi32>
  %b = llvm.mlir.constant(dense<[7, 8, 9, 10, 11, 12]> : vector<6xi32>) : vector<6xi32>
  %0 = llvm.intr.matrix.multiply %a, %b {lhs_columns = 3 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<6xi32>, vector<6xi32>) -> vector<4xi32>
  %1 = llvm.intr.matrix.transpose %a {columns = 3 : i32, rows = 2 : i32} : vector<6xi32> into vector<6xi32>
  %u = llvm.mlir.undef : !llvm.struct<(vector<4xi32>, vector<6xi32>)>
  %r0 = llvm.insertvalue %0, %u[0] : !llvm.struct<(vector<4xi32>, vector<6xi32>)>
  %r1 = llvm.insertvalue %1, %r0[1] : !llvm.struct<(vector<4xi32>, vector<6xi32>)>
  llvm.return %r1 : !llvm.struct<(vector<4xi32>, vector<6xi32>)>
}

// EVAL @multiply_floats(dense<[1.0, 2.0, 0.5, 4.0]> : vector<4xf32>) == dense<[2.0, 10.0, 2.5, 17.0]> : vector<4xf32>
// EVAL @multiply_floats(poison) == poison
llvm.func @multiply_floats(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = llvm.intr.matrix.multiply %a, %a {lhs_columns = 2 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  llvm.return %0 : vector<4xf32>
}

// FAIL @misfit(dense<[1, 2, 3]> : vector<3xi8>): has a matrix of 2x2 in a vector of 3 lanes
llvm.func @misfit(%a: vector<3xi8>) -> vector<3xi8> {
  %0 = llvm.intr.matrix.transpose %a {columns = 2 : i32, rows = 2 : i32} : vector<3xi8> into vector<3xi8> // <-
  llvm.return %0 : vector<3xi8>
}

// The smallest positive f32 is two to the power of -149.
// EVAL @scale(0.75 : f32, 3 : i32) == 6.0 : f32
// EVAL @scale(1.0 : f32, -149 : i32) == 0x00000001 : f32
// EVAL @scale(-1.0 : f32, -150 : i32) == 0x80000000 : f32
// EVAL @scale(1.5 : f32, -150 : i32) == 0x00000001 : f32
// EVAL @scale(1.0 : f32, 128 : i32) == 0x7F800000 : f32
// EVAL @scale(-0.0 : f32, 2147483647 : i32) == -0.0 : f32
// EVAL @scale(0x7FC00000 : f32, -2147483648 : i32) == 0x7FC00000 : f32
// EVAL @scale(1.0 : f32, poison) == poison
llvm.func @scale(%x: f32, %power: i32) -> f32 {
  %0 = llvm.intr.ldexp(%x, %power) : (f32, i32) -> f32
  llvm.return %0 : f32
}

// EVAL @split(6.0 : f32) == 0.75 : f32, 3 : i32
// EVAL @split(-0.1875 : f32) == -0.75 : f32, -2 : i32
// EVAL @split(0x00000001 : f32) == 0.5 : f32, -148 : i32
// EVAL @split(-0.0 : f32) == -0.0 : f32, 0 : i32
// EVAL @split(0xFF800000 : f32) == 0xFF800000 : f32, poison
// EVAL @split(0x7FC00000 : f32) == 0x7FC00000 : f32, poison
// EVAL @split(poison) == poison, poison
llvm.func @split(%x: f32) -> !llvm.struct<(f32, i32)> {
  %0 = llvm.intr.frexp(%x) : (f32) -> !llvm.struct<(f32, i32)>
  llvm.return %0 : !llvm.struct<(f32, i32)>
}

// EVAL @split_lanes(dense<[6.0, -1.0]> : vector<2xf64>) == dense<[0.75, -0.5]> : vector<2xf64>, dense<[3, 1]> : vector<2xi16>
llvm.func @split_lanes(%x: vector<2xf64>) -> !llvm.struct<(vector<2xf64>, vector<2xi16>)> {
  %0 = llvm.intr.frexp(%x) : (vector<2xf64>) -> !llvm.struct<(vector<2xf64>, vector<2xi16>)>
  llvm.return %0 : !llvm.struct<(vector<2xf64>, vector<2xi16>)>
}

// EVAL @both(0.0 : f64) == 0.0 : f64, 1.0 : f64
// NEAR 1e-14 @both(1.0 : f64) == 0.8414709848078965 : f64, 0.5403023058681398 : f64
llvm.func @both(%x: f64) -> !llvm.struct<(f64, f64)> {
  %0 = llvm.intr.sincos(%x) : (f64) -> !llvm.struct<(f64, f64)>
  llvm.return %0 : !llvm.struct<(f64, f64)>
}

// Halves to even, and away from zero. What does not fit may be any number.
// EVAL @nearest(2.5 : f32) == 2 : i8, 2 : i64, 3 : i8, 3 : i64
// EVAL @nearest(-3.5 : f32) == -4 : i8, -4 : i64, -4 : i8, -4 : i64
// EVAL @nearest(127.5 : f32) == poison, 128 : i64, poison, 128 : i64
// EVAL @nearest(127.25 : f32) == 127 : i8, 127 : i64, 127 : i8, 127 : i64
// EVAL @nearest(-128.5 : f32) == -128 : i8, -128 : i64, poison, -129 : i64
// EVAL @nearest(0.49999997 : f32) == 0 : i8, 0 : i64, 0 : i8, 0 : i64
// EVAL @nearest(0x7F800000 : f32) == poison, poison, poison, poison
// EVAL @nearest(0x7FC00000 : f32) == poison, poison, poison, poison
llvm.func @nearest(%x: f32) -> !llvm.struct<(i8, i64, i8, i64)> {
  %0 = llvm.intr.lrint(%x) : (f32) -> i8
  %1 = llvm.intr.llrint(%x) : (f32) -> i64
  %2 = llvm.intr.lround(%x) : (f32) -> i8
  %3 = llvm.intr.llround(%x) : (f32) -> i64
  %u = llvm.mlir.undef : !llvm.struct<(i8, i64, i8, i64)>
  %r0 = llvm.insertvalue %0, %u[0] : !llvm.struct<(i8, i64, i8, i64)>
  %r1 = llvm.insertvalue %1, %r0[1] : !llvm.struct<(i8, i64, i8, i64)>
  %r2 = llvm.insertvalue %2, %r1[2] : !llvm.struct<(i8, i64, i8, i64)>
  %r3 = llvm.insertvalue %3, %r2[3] : !llvm.struct<(i8, i64, i8, i64)>
  llvm.return %r3 : !llvm.struct<(i8, i64, i8, i64)>
}

// One test for each class; each number is of one.
// EVAL @class(0x7FA00000 : f32) == true, false, false, false, false, false, false, false, false, false
// EVAL @class(0x7FC00000 : f32) == false, true, false, false, false, false, false, false, false, false
// EVAL @class(0xFF800000 : f32) == false, false, true, false, false, false, false, false, false, false
// EVAL @class(-1.5 : f32) == false, false, false, true, false, false, false, false, false, false
// EVAL @class(0x80000001 : f32) == false, false, false, false, true, false, false, false, false, false
// EVAL @class(-0.0 : f32) == false, false, false, false, false, true, false, false, false, false
// EVAL @class(0.0 : f32) == false, false, false, false, false, false, true, false, false, false
// EVAL @class(0x007FFFFF : f32) == false, false, false, false, false, false, false, true, false, false
// EVAL @class(1.5 : f32) == false, false, false, false, false, false, false, false, true, false
// EVAL @class(0x7F800000 : f32) == false, false, false, false, false, false, false, false, false, true
llvm.func @class(%x: f32) -> !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)> {
  %r0 = llvm.mlir.undef : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c0 = "llvm.intr.is.fpclass"(%x) <{bit = 1 : i32}> : (f32) -> i1
  %r1 = llvm.insertvalue %c0, %r0[0] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c1 = "llvm.intr.is.fpclass"(%x) <{bit = 2 : i32}> : (f32) -> i1
  %r2 = llvm.insertvalue %c1, %r1[1] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c2 = "llvm.intr.is.fpclass"(%x) <{bit = 4 : i32}> : (f32) -> i1
  %r3 = llvm.insertvalue %c2, %r2[2] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c3 = "llvm.intr.is.fpclass"(%x) <{bit = 8 : i32}> : (f32) -> i1
  %r4 = llvm.insertvalue %c3, %r3[3] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c4 = "llvm.intr.is.fpclass"(%x) <{bit = 16 : i32}> : (f32) -> i1
  %r5 = llvm.insertvalue %c4, %r4[4] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c5 = "llvm.intr.is.fpclass"(%x) <{bit = 32 : i32}> : (f32) -> i1
  %r6 = llvm.insertvalue %c5, %r5[5] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c6 = "llvm.intr.is.fpclass"(%x) <{bit = 64 : i32}> : (f32) -> i1
  %r7 = llvm.insertvalue %c6, %r6[6] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c7 = "llvm.intr.is.fpclass"(%x) <{bit = 128 : i32}> : (f32) -> i1
  %r8 = llvm.insertvalue %c7, %r7[7] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c8 = "llvm.intr.is.fpclass"(%x) <{bit = 256 : i32}> : (f32) -> i1
  %r9 = llvm.insertvalue %c8, %r8[8] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  %c9 = "llvm.intr.is.fpclass"(%x) <{bit = 512 : i32}> : (f32) -> i1
  %r10 = llvm.insertvalue %c9, %r9[9] : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
  llvm.return %r10 : !llvm.struct<(i1, i1, i1, i1, i1, i1, i1, i1, i1, i1)>
}

// Any NaN or infinity, and nothing.
// EVAL @classes(dense<[0x7E00, 0xFC00, 0x3C00]> : vector<3xf16>) == dense<[true, true, false]> : vector<3xi1>, dense<false> : vector<3xi1>
llvm.func @classes(%x: vector<3xf16>) -> !llvm.struct<(vector<3xi1>, vector<3xi1>)> {
  %0 = "llvm.intr.is.fpclass"(%x) <{bit = 519 : i32}> : (vector<3xf16>) -> vector<3xi1>
  %1 = "llvm.intr.is.fpclass"(%x) <{bit = 0 : i32}> : (vector<3xf16>) -> vector<3xi1>
  %u = llvm.mlir.undef : !llvm.struct<(vector<3xi1>, vector<3xi1>)>
  %r0 = llvm.insertvalue %0, %u[0] : !llvm.struct<(vector<3xi1>, vector<3xi1>)>
  %r1 = llvm.insertvalue %1, %r0[1] : !llvm.struct<(vector<3xi1>, vector<3xi1>)>
  llvm.return %r1 : !llvm.struct<(vector<3xi1>, vector<3xi1>)>
}

// What was put on the stack since it was saved is gone; what was there before is not.
// EVAL @stack(false) == 7 : i32
// FAIL @stack(true): use of a stack buffer outside of its scope
llvm.func @stack(%inner: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %seven = llvm.mlir.constant(7 : i32) : i32
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %mark = llvm.intr.stacksave : !llvm.ptr
  %q = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %seven, %p : i32, !llvm.ptr
  llvm.store %seven, %q : i32, !llvm.ptr
  llvm.intr.stackrestore %mark : !llvm.ptr
  %r = llvm.select %inner, %q, %p : i1, !llvm.ptr
  %0 = llvm.load %r : !llvm.ptr -> i32 // <-
  llvm.return %0 : i32
}

// FAIL @not_saved(): a stack is restored that was not saved
llvm.func @not_saved() {
  %p = llvm.mlir.zero : !llvm.ptr
  llvm.intr.stackrestore %p : !llvm.ptr // <-
  llvm.return
}

// EVAL @told(5 : i32) == 5 : i32, false
llvm.func @told(%x: i32) -> !llvm.struct<(i32, i1)> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %p : i32, !llvm.ptr
  %token = llvm.intr.invariant.start 4, %p : !llvm.ptr
  %0 = llvm.load %p : !llvm.ptr -> i32
  llvm.intr.invariant.end %token, 4, %p : !llvm.ptr
  %1 = "llvm.intr.is.constant"(%x) : (i32) -> i1
  %u = llvm.mlir.undef : !llvm.struct<(i32, i1)>
  %r0 = llvm.insertvalue %0, %u[0] : !llvm.struct<(i32, i1)>
  %r1 = llvm.insertvalue %1, %r0[1] : !llvm.struct<(i32, i1)>
  llvm.return %r1 : !llvm.struct<(i32, i1)>
}

// In the modes towardzero, tonearest, upward, downward, tonearestaway and dynamic, which is tonearest where nothing changes it. Expected values by exact
// arithmetic on all numbers of the format.
// EVAL @truncate(0x3F801000 : f32) == 0x3C00 : f16, 0x3C00 : f16, 0x3C01 : f16, 0x3C00 : f16, 0x3C01 : f16, 0x3C00 : f16
// EVAL @truncate(0x3F803000 : f32) == 0x3C01 : f16, 0x3C02 : f16, 0x3C02 : f16, 0x3C01 : f16, 0x3C02 : f16, 0x3C02 : f16
// EVAL @truncate(0x3F802001 : f32) == 0x3C01 : f16, 0x3C01 : f16, 0x3C02 : f16, 0x3C01 : f16, 0x3C01 : f16, 0x3C01 : f16
// EVAL @truncate(0xBF801000 : f32) == 0xBC00 : f16, 0xBC00 : f16, 0xBC00 : f16, 0xBC01 : f16, 0xBC01 : f16, 0xBC00 : f16
// EVAL @truncate(0xBF801001 : f32) == 0xBC00 : f16, 0xBC01 : f16, 0xBC00 : f16, 0xBC01 : f16, 0xBC01 : f16, 0xBC01 : f16
// EVAL @truncate(0x477FEFFF : f32) == 0x7BFF : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7BFF : f16, 0x7BFF : f16
// EVAL @truncate(0x477FF000 : f32) == 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16
// EVAL @truncate(0xC77FF001 : f32) == 0xFBFF : f16, 0xFC00 : f16, 0xFBFF : f16, 0xFC00 : f16, 0xFC00 : f16, 0xFC00 : f16
// EVAL @truncate(0x33000000 : f32) == 0x0000 : f16, 0x0000 : f16, 0x0001 : f16, 0x0000 : f16, 0x0001 : f16, 0x0000 : f16
// EVAL @truncate(0xB3000000 : f32) == 0x8000 : f16, 0x8000 : f16, 0x8000 : f16, 0x8001 : f16, 0x8001 : f16, 0x8000 : f16
// EVAL @truncate(0x33000001 : f32) == 0x0000 : f16, 0x0001 : f16, 0x0001 : f16, 0x0000 : f16, 0x0001 : f16, 0x0001 : f16
// EVAL @truncate(0x00000001 : f32) == 0x0000 : f16, 0x0000 : f16, 0x0001 : f16, 0x0000 : f16, 0x0000 : f16, 0x0000 : f16
// EVAL @truncate(0x80000001 : f32) == 0x8000 : f16, 0x8000 : f16, 0x8000 : f16, 0x8001 : f16, 0x8000 : f16, 0x8000 : f16
// EVAL @truncate(0x3FC00000 : f32) == 0x3E00 : f16, 0x3E00 : f16, 0x3E00 : f16, 0x3E00 : f16, 0x3E00 : f16, 0x3E00 : f16
// EVAL @truncate(0x80000000 : f32) == 0x8000 : f16, 0x8000 : f16, 0x8000 : f16, 0x8000 : f16, 0x8000 : f16, 0x8000 : f16
// EVAL @truncate(0xFF800000 : f32) == 0xFC00 : f16, 0xFC00 : f16, 0xFC00 : f16, 0xFC00 : f16, 0xFC00 : f16, 0xFC00 : f16
// EVAL @truncate(0x7FC00000 : f32) == 0x7E00 : f16, 0x7E00 : f16, 0x7E00 : f16, 0x7E00 : f16, 0x7E00 : f16, 0x7E00 : f16
llvm.func @truncate(%x: f32) -> !llvm.struct<(f16, f16, f16, f16, f16, f16)> {
  %r0 = llvm.mlir.undef : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c0 = llvm.intr.experimental.constrained.fptrunc %x towardzero ignore : f32 to f16
  %r1 = llvm.insertvalue %c0, %r0[0] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c1 = llvm.intr.experimental.constrained.fptrunc %x tonearest ignore : f32 to f16
  %r2 = llvm.insertvalue %c1, %r1[1] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c2 = llvm.intr.experimental.constrained.fptrunc %x upward ignore : f32 to f16
  %r3 = llvm.insertvalue %c2, %r2[2] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c3 = llvm.intr.experimental.constrained.fptrunc %x downward ignore : f32 to f16
  %r4 = llvm.insertvalue %c3, %r3[3] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c4 = llvm.intr.experimental.constrained.fptrunc %x tonearestaway ignore : f32 to f16
  %r5 = llvm.insertvalue %c4, %r4[4] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c5 = llvm.intr.experimental.constrained.fptrunc %x dynamic ignore : f32 to f16
  %r6 = llvm.insertvalue %c5, %r5[5] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  llvm.return %r6 : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
}

// EVAL @from_signed(16777217 : i32) == 0x4B800000 : f32, 0x4B800000 : f32, 0x4B800001 : f32, 0x4B800000 : f32, 0x4B800001 : f32, 0x4B800000 : f32
// EVAL @from_signed(-16777217 : i32) == 0xCB800000 : f32, 0xCB800000 : f32, 0xCB800000 : f32, 0xCB800001 : f32, 0xCB800001 : f32, 0xCB800000 : f32
// EVAL @from_signed(16777219 : i32) == 0x4B800001 : f32, 0x4B800002 : f32, 0x4B800002 : f32, 0x4B800001 : f32, 0x4B800002 : f32, 0x4B800002 : f32
// EVAL @from_signed(50331651 : i32) == 0x4C400000 : f32, 0x4C400001 : f32, 0x4C400001 : f32, 0x4C400000 : f32, 0x4C400001 : f32, 0x4C400001 : f32
// EVAL @from_signed(33554433 : i32) == 0x4C000000 : f32, 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000000 : f32, 0x4C000000 : f32, 0x4C000000 : f32
// EVAL @from_signed(33554434 : i32) == 0x4C000000 : f32, 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000000 : f32
// EVAL @from_signed(33554435 : i32) == 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000001 : f32, 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000001 : f32
// EVAL @from_signed(-1 : i32) == 0xBF800000 : f32, 0xBF800000 : f32, 0xBF800000 : f32, 0xBF800000 : f32, 0xBF800000 : f32, 0xBF800000 : f32
// EVAL @from_signed(2147483647 : i32) == 0x4EFFFFFF : f32, 0x4F000000 : f32, 0x4F000000 : f32, 0x4EFFFFFF : f32, 0x4F000000 : f32, 0x4F000000 : f32
// EVAL @from_signed(-2147483648 : i32) == 0xCF000000 : f32, 0xCF000000 : f32, 0xCF000000 : f32, 0xCF000000 : f32, 0xCF000000 : f32, 0xCF000000 : f32
// EVAL @from_signed(2049 : i32) == 0x45001000 : f32, 0x45001000 : f32, 0x45001000 : f32, 0x45001000 : f32, 0x45001000 : f32, 0x45001000 : f32
// EVAL @from_signed(65519 : i32) == 0x477FEF00 : f32, 0x477FEF00 : f32, 0x477FEF00 : f32, 0x477FEF00 : f32, 0x477FEF00 : f32, 0x477FEF00 : f32
// EVAL @from_signed(65520 : i32) == 0x477FF000 : f32, 0x477FF000 : f32, 0x477FF000 : f32, 0x477FF000 : f32, 0x477FF000 : f32, 0x477FF000 : f32
// EVAL @from_signed(-65521 : i32) == 0xC77FF100 : f32, 0xC77FF100 : f32, 0xC77FF100 : f32, 0xC77FF100 : f32, 0xC77FF100 : f32, 0xC77FF100 : f32
// EVAL @from_signed(0 : i32) == 0x00000000 : f32, 0x00000000 : f32, 0x00000000 : f32, 0x00000000 : f32, 0x00000000 : f32, 0x00000000 : f32
// EVAL @from_signed(7 : i32) == 0x40E00000 : f32, 0x40E00000 : f32, 0x40E00000 : f32, 0x40E00000 : f32, 0x40E00000 : f32, 0x40E00000 : f32
llvm.func @from_signed(%x: i32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32)> {
  %r0 = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c0 = llvm.intr.experimental.constrained.sitofp %x towardzero strict : i32 to f32
  %r1 = llvm.insertvalue %c0, %r0[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c1 = llvm.intr.experimental.constrained.sitofp %x tonearest strict : i32 to f32
  %r2 = llvm.insertvalue %c1, %r1[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c2 = llvm.intr.experimental.constrained.sitofp %x upward strict : i32 to f32
  %r3 = llvm.insertvalue %c2, %r2[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c3 = llvm.intr.experimental.constrained.sitofp %x downward strict : i32 to f32
  %r4 = llvm.insertvalue %c3, %r3[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c4 = llvm.intr.experimental.constrained.sitofp %x tonearestaway strict : i32 to f32
  %r5 = llvm.insertvalue %c4, %r4[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c5 = llvm.intr.experimental.constrained.sitofp %x dynamic strict : i32 to f32
  %r6 = llvm.insertvalue %c5, %r5[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  llvm.return %r6 : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
}

// EVAL @from_unsigned(16777217 : i32) == 0x4B800000 : f32, 0x4B800000 : f32, 0x4B800001 : f32, 0x4B800000 : f32, 0x4B800001 : f32, 0x4B800000 : f32
// EVAL @from_unsigned(-16777217 : i32) == 0x4F7EFFFF : f32, 0x4F7F0000 : f32, 0x4F7F0000 : f32, 0x4F7EFFFF : f32, 0x4F7F0000 : f32, 0x4F7F0000 : f32
// EVAL @from_unsigned(16777219 : i32) == 0x4B800001 : f32, 0x4B800002 : f32, 0x4B800002 : f32, 0x4B800001 : f32, 0x4B800002 : f32, 0x4B800002 : f32
// EVAL @from_unsigned(50331651 : i32) == 0x4C400000 : f32, 0x4C400001 : f32, 0x4C400001 : f32, 0x4C400000 : f32, 0x4C400001 : f32, 0x4C400001 : f32
// EVAL @from_unsigned(33554433 : i32) == 0x4C000000 : f32, 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000000 : f32, 0x4C000000 : f32, 0x4C000000 : f32
// EVAL @from_unsigned(33554434 : i32) == 0x4C000000 : f32, 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000000 : f32
// EVAL @from_unsigned(33554435 : i32) == 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000001 : f32, 0x4C000000 : f32, 0x4C000001 : f32, 0x4C000001 : f32
// EVAL @from_unsigned(-1 : i32) == 0x4F7FFFFF : f32, 0x4F800000 : f32, 0x4F800000 : f32, 0x4F7FFFFF : f32, 0x4F800000 : f32, 0x4F800000 : f32
// EVAL @from_unsigned(2147483647 : i32) == 0x4EFFFFFF : f32, 0x4F000000 : f32, 0x4F000000 : f32, 0x4EFFFFFF : f32, 0x4F000000 : f32, 0x4F000000 : f32
// EVAL @from_unsigned(-2147483648 : i32) == 0x4F000000 : f32, 0x4F000000 : f32, 0x4F000000 : f32, 0x4F000000 : f32, 0x4F000000 : f32, 0x4F000000 : f32
// EVAL @from_unsigned(2049 : i32) == 0x45001000 : f32, 0x45001000 : f32, 0x45001000 : f32, 0x45001000 : f32, 0x45001000 : f32, 0x45001000 : f32
// EVAL @from_unsigned(65519 : i32) == 0x477FEF00 : f32, 0x477FEF00 : f32, 0x477FEF00 : f32, 0x477FEF00 : f32, 0x477FEF00 : f32, 0x477FEF00 : f32
// EVAL @from_unsigned(65520 : i32) == 0x477FF000 : f32, 0x477FF000 : f32, 0x477FF000 : f32, 0x477FF000 : f32, 0x477FF000 : f32, 0x477FF000 : f32
// EVAL @from_unsigned(-65521 : i32) == 0x4F7FFF00 : f32, 0x4F7FFF00 : f32, 0x4F7FFF01 : f32, 0x4F7FFF00 : f32, 0x4F7FFF00 : f32, 0x4F7FFF00 : f32
// EVAL @from_unsigned(0 : i32) == 0x00000000 : f32, 0x00000000 : f32, 0x00000000 : f32, 0x00000000 : f32, 0x00000000 : f32, 0x00000000 : f32
// EVAL @from_unsigned(7 : i32) == 0x40E00000 : f32, 0x40E00000 : f32, 0x40E00000 : f32, 0x40E00000 : f32, 0x40E00000 : f32, 0x40E00000 : f32
llvm.func @from_unsigned(%x: i32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32)> {
  %r0 = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c0 = llvm.intr.experimental.constrained.uitofp %x towardzero strict : i32 to f32
  %r1 = llvm.insertvalue %c0, %r0[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c1 = llvm.intr.experimental.constrained.uitofp %x tonearest strict : i32 to f32
  %r2 = llvm.insertvalue %c1, %r1[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c2 = llvm.intr.experimental.constrained.uitofp %x upward strict : i32 to f32
  %r3 = llvm.insertvalue %c2, %r2[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c3 = llvm.intr.experimental.constrained.uitofp %x downward strict : i32 to f32
  %r4 = llvm.insertvalue %c3, %r3[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c4 = llvm.intr.experimental.constrained.uitofp %x tonearestaway strict : i32 to f32
  %r5 = llvm.insertvalue %c4, %r4[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  %c5 = llvm.intr.experimental.constrained.uitofp %x dynamic strict : i32 to f32
  %r6 = llvm.insertvalue %c5, %r5[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
  llvm.return %r6 : !llvm.struct<(f32, f32, f32, f32, f32, f32)>
}

// EVAL @from_signed_half(16777217 : i32) == 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16
// EVAL @from_signed_half(-16777217 : i32) == 0xFBFF : f16, 0xFC00 : f16, 0xFBFF : f16, 0xFC00 : f16, 0xFC00 : f16, 0xFC00 : f16
// EVAL @from_signed_half(16777219 : i32) == 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16
// EVAL @from_signed_half(50331651 : i32) == 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16
// EVAL @from_signed_half(33554433 : i32) == 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16
// EVAL @from_signed_half(33554434 : i32) == 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16
// EVAL @from_signed_half(33554435 : i32) == 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16
// EVAL @from_signed_half(-1 : i32) == 0xBC00 : f16, 0xBC00 : f16, 0xBC00 : f16, 0xBC00 : f16, 0xBC00 : f16, 0xBC00 : f16
// EVAL @from_signed_half(2147483647 : i32) == 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16
// EVAL @from_signed_half(-2147483648 : i32) == 0xFBFF : f16, 0xFC00 : f16, 0xFBFF : f16, 0xFC00 : f16, 0xFC00 : f16, 0xFC00 : f16
// EVAL @from_signed_half(2049 : i32) == 0x6800 : f16, 0x6800 : f16, 0x6801 : f16, 0x6800 : f16, 0x6801 : f16, 0x6800 : f16
// EVAL @from_signed_half(65519 : i32) == 0x7BFF : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7BFF : f16, 0x7BFF : f16
// EVAL @from_signed_half(65520 : i32) == 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7C00 : f16
// EVAL @from_signed_half(-65521 : i32) == 0xFBFF : f16, 0xFC00 : f16, 0xFBFF : f16, 0xFC00 : f16, 0xFC00 : f16, 0xFC00 : f16
// EVAL @from_signed_half(0 : i32) == 0x0000 : f16, 0x0000 : f16, 0x0000 : f16, 0x0000 : f16, 0x0000 : f16, 0x0000 : f16
// EVAL @from_signed_half(7 : i32) == 0x4700 : f16, 0x4700 : f16, 0x4700 : f16, 0x4700 : f16, 0x4700 : f16, 0x4700 : f16
llvm.func @from_signed_half(%x: i32) -> !llvm.struct<(f16, f16, f16, f16, f16, f16)> {
  %r0 = llvm.mlir.undef : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c0 = llvm.intr.experimental.constrained.sitofp %x towardzero strict : i32 to f16
  %r1 = llvm.insertvalue %c0, %r0[0] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c1 = llvm.intr.experimental.constrained.sitofp %x tonearest strict : i32 to f16
  %r2 = llvm.insertvalue %c1, %r1[1] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c2 = llvm.intr.experimental.constrained.sitofp %x upward strict : i32 to f16
  %r3 = llvm.insertvalue %c2, %r2[2] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c3 = llvm.intr.experimental.constrained.sitofp %x downward strict : i32 to f16
  %r4 = llvm.insertvalue %c3, %r3[3] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c4 = llvm.intr.experimental.constrained.sitofp %x tonearestaway strict : i32 to f16
  %r5 = llvm.insertvalue %c4, %r4[4] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  %c5 = llvm.intr.experimental.constrained.sitofp %x dynamic strict : i32 to f16
  %r6 = llvm.insertvalue %c5, %r5[5] : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
  llvm.return %r6 : !llvm.struct<(f16, f16, f16, f16, f16, f16)>
}

// EVAL @extend(0x2E66 : f16) == 0.0999755859375 : f64
llvm.func @extend(%x: f16) -> f64 {
  %0 = llvm.intr.experimental.constrained.fpext %x ignore : f16 to f64
  llvm.return %0 : f64
}

// 1 + 2^-16 + 2^-112, of which f80 has all but the last.
// EVAL @extended_upward(0x3FFF0001000000000000000000000001 : f128) == 0x3FFF8000800000000001 : f80
llvm.func @extended_upward(%x: f128) -> f80 {
  %0 = llvm.intr.experimental.constrained.fptrunc %x upward ignore : f128 to f80
  llvm.return %0 : f80
}
