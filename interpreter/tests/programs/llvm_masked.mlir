// Masked accesses of the llvm dialect. Expected values follow from the LLVM language reference, a lane that takes no part touches no memory, and are
// those of the code that LLVM makes for x86-64.

// The fourth element would be out of bounds.
// EVAL @load(dense<[true, false, true, false]> : vector<4xi1>) == dense<[10, -2, 30, -4]> : vector<4xi32>
// EVAL @load(dense<[false, false, false, false]> : vector<4xi1>) == dense<[-1, -2, -3, -4]> : vector<4xi32>
// FAIL @load(dense<[false, false, false, true]> : vector<4xi1>): access at position
// FAIL @load(poison): poison decides
llvm.func @load(%mask: vector<4xi1>) -> vector<4xi32> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<3 x i32> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %values = llvm.mlir.constant(dense<[10, 20, 30]> : tensor<3xi32>) : !llvm.array<3 x i32>
  llvm.store %values, %p : !llvm.array<3 x i32>, !llvm.ptr
  %else = llvm.mlir.constant(dense<[-1, -2, -3, -4]> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.intr.masked.load %p, %mask, %else {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xi32>) -> vector<4xi32> // <-
  llvm.return %0 : vector<4xi32>
}

// EVAL @nothing_else(dense<[true, false]> : vector<2xi1>) == 10 : i8, poison
llvm.func @nothing_else(%mask: vector<2xi1>) -> !llvm.struct<(i8, i8)> {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<2 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %values = llvm.mlir.constant(dense<[10, 20]> : vector<2xi8>) : vector<2xi8>
  llvm.store %values, %p : vector<2xi8>, !llvm.ptr
  %0 = llvm.intr.masked.load %p, %mask {alignment = 1 : i32} : (!llvm.ptr, vector<2xi1>) -> vector<2xi8>
  %a = llvm.extractelement %0[%zero : i32] : vector<2xi8>
  %b = llvm.extractelement %0[%one : i32] : vector<2xi8>
  %u = llvm.mlir.undef : !llvm.struct<(i8, i8)>
  %1 = llvm.insertvalue %a, %u[0] : !llvm.struct<(i8, i8)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(i8, i8)>
  llvm.return %2 : !llvm.struct<(i8, i8)>
}

// No lane is read, so that the pointer may be null.
// EVAL @null(dense<[false, false]> : vector<2xi1>) == dense<[7, 8]> : vector<2xi8>
// FAIL @null(dense<[false, true]> : vector<2xi1>): access through a null pointer
llvm.func @null(%mask: vector<2xi1>) -> vector<2xi8> {
  %p = llvm.mlir.zero : !llvm.ptr
  %else = llvm.mlir.constant(dense<[7, 8]> : vector<2xi8>) : vector<2xi8>
  %0 = llvm.intr.masked.load %p, %mask, %else {alignment = 1 : i32} : (!llvm.ptr, vector<2xi1>, vector<2xi8>) -> vector<2xi8> // <-
  llvm.return %0 : vector<2xi8>
}

// EVAL @store(dense<[1, 2, 3, 4]> : vector<4xi16>, dense<[false, true, true, false]> : vector<4xi1>) == dense<[10, 2, 3, 40]> : vector<4xi16>
// FAIL @store(dense<[1, 2, 3, 4]> : vector<4xi16>, poison): poison decides
llvm.func @store(%value: vector<4xi16>, %mask: vector<4xi1>) -> vector<4xi16> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<4 x i16> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %before = llvm.mlir.constant(dense<[10, 20, 30, 40]> : vector<4xi16>) : vector<4xi16>
  llvm.store %before, %p : vector<4xi16>, !llvm.ptr
  llvm.intr.masked.store %value, %p, %mask {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr // <-
  %0 = llvm.load %p : !llvm.ptr -> vector<4xi16>
  llvm.return %0 : vector<4xi16>
}

// FAIL @store_outside(dense<[true, true, true]> : vector<3xi1>): access at position
// EVAL @store_outside(dense<[true, true, false]> : vector<3xi1>) == dense<[1, 2]> : vector<2xi8>
llvm.func @store_outside(%mask: vector<3xi1>) -> vector<2xi8> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<2 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %value = llvm.mlir.constant(dense<[1, 2, 3]> : vector<3xi8>) : vector<3xi8>
  llvm.intr.masked.store %value, %p, %mask {alignment = 1 : i32} : vector<3xi8>, vector<3xi1> into !llvm.ptr // <-
  %0 = llvm.load %p : !llvm.ptr -> vector<2xi8>
  llvm.return %0 : vector<2xi8>
}

// EVAL @gather(dense<[3, 0, 9]> : vector<3xi64>, dense<[true, true, false]> : vector<3xi1>) == dense<[40.0, 10.0, -1.0]> : vector<3xf32>
// FAIL @gather(dense<[3, 0, 9]> : vector<3xi64>, dense<true> : vector<3xi1>): access at position
llvm.func @gather(%at: vector<3xi64>, %mask: vector<3xi1>) -> vector<3xf32> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<4 x f32> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %values = llvm.mlir.constant(dense<[10.0, 20.0, 30.0, 40.0]> : vector<4xf32>) : vector<4xf32>
  llvm.store %values, %p : vector<4xf32>, !llvm.ptr
  %places = llvm.getelementptr %p[%at] : (!llvm.ptr, vector<3xi64>) -> vector<3x!llvm.ptr>, f32
  %else = llvm.mlir.constant(dense<-1.0> : vector<3xf32>) : vector<3xf32>
  %0 = llvm.intr.masked.gather %places, %mask, %else {alignment = 4 : i32} : (vector<3x!llvm.ptr>, vector<3xi1>, vector<3xf32>) -> vector<3xf32> // <-
  llvm.return %0 : vector<3xf32>
}

// Of two lanes at one place, the later one stays.
// EVAL @scatter(dense<[1, 3, 1, 0]> : vector<4xi32>, dense<[true, true, true, false]> : vector<4xi1>) == dense<[-1, 3, -1, 2]> : vector<4xi32>
// FAIL @scatter(dense<[1, 3, -1, 0]> : vector<4xi32>, dense<true> : vector<4xi1>): access at position
llvm.func @scatter(%at: vector<4xi32>, %mask: vector<4xi1>) -> vector<4xi32> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<4 x i32> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %before = llvm.mlir.constant(dense<-1> : vector<4xi32>) : vector<4xi32>
  llvm.store %before, %p : vector<4xi32>, !llvm.ptr
  %places = llvm.getelementptr %p[%at] : (!llvm.ptr, vector<4xi32>) -> vector<4x!llvm.ptr>, i32
  %value = llvm.mlir.constant(dense<[1, 2, 3, 4]> : vector<4xi32>) : vector<4xi32>
  llvm.intr.masked.scatter %value, %places, %mask {alignment = 4 : i32} : vector<4xi32>, vector<4xi1> into vector<4x!llvm.ptr> // <-
  %0 = llvm.load %p : !llvm.ptr -> vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// Elements next to each other go to the lanes that take part.
// EVAL @expand(dense<[false, true, false, true]> : vector<4xi1>) == dense<[-1, 10, -3, 20]> : vector<4xi8>
// EVAL @expand(dense<[true, false, true, false]> : vector<4xi1>) == dense<[10, -2, 20, -4]> : vector<4xi8>
// FAIL @expand(dense<[true, false, true, true]> : vector<4xi1>): access at position
llvm.func @expand(%mask: vector<4xi1>) -> vector<4xi8> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<2 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %values = llvm.mlir.constant(dense<[10, 20]> : vector<2xi8>) : vector<2xi8>
  llvm.store %values, %p : vector<2xi8>, !llvm.ptr
  %else = llvm.mlir.constant(dense<[-1, -2, -3, -4]> : vector<4xi8>) : vector<4xi8>
  %0 = "llvm.intr.masked.expandload"(%p, %mask, %else) : (!llvm.ptr, vector<4xi1>, vector<4xi8>) -> vector<4xi8> // <-
  llvm.return %0 : vector<4xi8>
}

// EVAL @compress(dense<[false, true, false, true]> : vector<4xi1>) == dense<[2, 4, -1]> : vector<3xi8>
// FAIL @compress(dense<true> : vector<4xi1>): access at position
llvm.func @compress(%mask: vector<4xi1>) -> vector<3xi8> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<3 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %before = llvm.mlir.constant(dense<-1> : vector<3xi8>) : vector<3xi8>
  llvm.store %before, %p : vector<3xi8>, !llvm.ptr
  %value = llvm.mlir.constant(dense<[1, 2, 3, 4]> : vector<4xi8>) : vector<4xi8>
  "llvm.intr.masked.compressstore"(%value, %p, %mask) : (vector<4xi8>, !llvm.ptr, vector<4xi1>) -> () // <-
  %0 = llvm.load %p : !llvm.ptr -> vector<3xi8>
  llvm.return %0 : vector<3xi8>
}

// A 2x2 matrix in columns of three elements.
// EVAL @columns(3 : i64) == dense<[1, 2, 4, 5]> : vector<4xi8>, dense<[2, 4, 3, 8, 10, 6]> : vector<6xi8>
// FAIL @columns(1 : i64): columns of 2 rows 1 elements apart
// FAIL @columns(5 : i64): access at position
// FAIL @columns(4611686018427387905 : i64): access at position
// FAIL @columns(-1 : i64): the address overflows
llvm.func @columns(%stride: i64) -> !llvm.struct<(vector<4xi8>, vector<6xi8>)> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<6 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %values = llvm.mlir.constant(dense<[1, 2, 3, 4, 5, 6]> : vector<6xi8>) : vector<6xi8>
  llvm.store %values, %p : vector<6xi8>, !llvm.ptr
  %0 = llvm.intr.matrix.column.major.load %p, <stride = %stride> {columns = 2 : i32, isVolatile = false, rows = 2 : i32} : vector<4xi8> from !llvm.ptr stride i64 // <-
  %twice = llvm.add %0, %0 : vector<4xi8>
  llvm.intr.matrix.column.major.store %twice, %p, <stride = %stride> {columns = 2 : i32, isVolatile = false, rows = 2 : i32} : vector<4xi8> to !llvm.ptr stride i64
  %1 = llvm.load %p : !llvm.ptr -> vector<6xi8>
  %u = llvm.mlir.undef : !llvm.struct<(vector<4xi8>, vector<6xi8>)>
  %2 = llvm.insertvalue %0, %u[0] : !llvm.struct<(vector<4xi8>, vector<6xi8>)>
  %3 = llvm.insertvalue %1, %2[1] : !llvm.struct<(vector<4xi8>, vector<6xi8>)>
  llvm.return %3 : !llvm.struct<(vector<4xi8>, vector<6xi8>)>
}
