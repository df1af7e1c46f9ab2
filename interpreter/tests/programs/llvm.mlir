// The llvm dialect. Expected values follow from the LLVM language reference.

// EVAL @flags(127 : i8, 1 : i8) == -128 : i8, poison, -128 : i8, true
// EVAL @flags(-1 : i8, 1 : i8) == 0 : i8, 0 : i8, poison, false
llvm.func @flags(%a: i8, %b: i8) -> !llvm.struct<(i8, i8, i8, i1)> {
  %0 = llvm.add %a, %b : i8
  %1 = llvm.add %a, %b overflow<nsw> : i8
  %2 = llvm.add %a, %b overflow<nuw> : i8
  %3 = "llvm.intr.sadd.with.overflow"(%a, %b) : (i8, i8) -> !llvm.struct<(i8, i1)>
  %4 = llvm.extractvalue %3[1] : !llvm.struct<(i8, i1)>
  %p = llvm.mlir.poison : !llvm.struct<(i8, i8, i8, i1)>
  %5 = llvm.insertvalue %0, %p[0] : !llvm.struct<(i8, i8, i8, i1)>
  %6 = llvm.insertvalue %1, %5[1] : !llvm.struct<(i8, i8, i8, i1)>
  %7 = llvm.insertvalue %2, %6[2] : !llvm.struct<(i8, i8, i8, i1)>
  %8 = llvm.insertvalue %4, %7[3] : !llvm.struct<(i8, i8, i8, i1)>
  llvm.return %8 : !llvm.struct<(i8, i8, i8, i1)>
}

// FAIL @srem(-128 : i8, -1 : i8): overflow of a signed division
// EVAL @srem(-7 : i8, 3 : i8) == -1 : i8
llvm.func @srem(%a: i8, %b: i8) -> i8 {
  %0 = llvm.srem %a, %b : i8 // <-
  llvm.return %0 : i8
}

// EVAL @sum(5 : i32) == 15 : i32
llvm.func @sum(%n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%zero, %n : i32, i32)
^loop(%total: i32, %i: i32):
  %next = llvm.add %total, %i : i32
  %less = llvm.sub %i, %one : i32
  %more = llvm.icmp "sgt" %less, %zero : i32
  llvm.cond_br %more, ^loop(%next, %less : i32, i32), ^done
^done:
  llvm.return %next : i32
}

// The low byte comes first.
// EVAL @bytes(0x01020304 : i32) == 3 : i8
llvm.func @bytes(%x: i32) -> i8 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %p : i32, !llvm.ptr
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.load %q : !llvm.ptr -> i8
  llvm.return %0 : i8
}

// An i8, three bytes of padding, an i32: the second member of element 2 is at byte 20.
// EVAL @members(9 : i32) == 9 : i32
llvm.func @members(%x: i32) -> i32 {
  %three = llvm.mlir.constant(3 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %p = llvm.alloca %three x !llvm.struct<(i8, i32)> : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %p[%two, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i8, i32)>
  llvm.store %x, %q : i32, !llvm.ptr
  %r = llvm.getelementptr %p[20] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.load %r : !llvm.ptr -> i32
  llvm.return %0 : i32
}

// FAIL @outside(): access at position 4 of a buffer of 4 elements
llvm.func @outside() -> i8 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.load %q : !llvm.ptr -> i8 // <-
  llvm.return %0 : i8
}

// FAIL @null(): access through a null pointer
llvm.func @null() -> i8 {
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.load %p : !llvm.ptr -> i8 // <-
  llvm.return %0 : i8
}

llvm.mlir.global internal @table(dense<[3, 5, 7]> : tensor<3xi16>) : !llvm.array<3 x i16>
llvm.mlir.global internal constant @text("ab")

// EVAL @globals() == 7 : i16, 98 : i8
llvm.func @globals() -> !llvm.struct<(i16, i8)> {
  %p = llvm.mlir.addressof @table : !llvm.ptr
  %q = llvm.getelementptr %p[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<3 x i16>
  %0 = llvm.load %q : !llvm.ptr -> i16
  %t = llvm.mlir.addressof @text : !llvm.ptr
  %u = llvm.getelementptr %t[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %1 = llvm.load %u : !llvm.ptr -> i8
  %p0 = llvm.mlir.poison : !llvm.struct<(i16, i8)>
  %p1 = llvm.insertvalue %0, %p0[0] : !llvm.struct<(i16, i8)>
  %p2 = llvm.insertvalue %1, %p1[1] : !llvm.struct<(i16, i8)>
  llvm.return %p2 : !llvm.struct<(i16, i8)>
}

// EVAL @pointers_in_memory(42 : i32) == 42 : i32
llvm.func @pointers_in_memory(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %pp = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.store %p, %pp : !llvm.ptr, !llvm.ptr
  %q = llvm.load %pp : !llvm.ptr -> !llvm.ptr
  %0 = llvm.load %q : !llvm.ptr -> i32
  llvm.return %0 : i32
}

llvm.func @twice(%x: i32) -> i32 {
  %0 = llvm.add %x, %x : i32
  llvm.return %0 : i32
}

// EVAL @calls(4 : i32) == 16 : i32
llvm.func @calls(%x: i32) -> i32 {
  %0 = llvm.call @twice(%x) : (i32) -> i32
  %f = llvm.mlir.addressof @twice : !llvm.ptr
  %1 = llvm.call %f(%0) : !llvm.ptr, (i32) -> i32
  llvm.return %1 : i32
}

// fshl(0x12, 0x34, 4) is 0x23; bswap(0x0102) is 0x0201; ctlz(1 : i8) is 7.
// EVAL @intrinsics() == 35 : i8, 513 : i16, 7 : i8, 127 : i8, -64 : i8
llvm.func @intrinsics() -> !llvm.struct<(i8, i16, i8, i8, i8)> {
  %a = llvm.mlir.constant(18 : i8) : i8
  %b = llvm.mlir.constant(52 : i8) : i8
  %four = llvm.mlir.constant(4 : i8) : i8
  %w = llvm.mlir.constant(258 : i16) : i16
  %one = llvm.mlir.constant(1 : i8) : i8
  %hundred = llvm.mlir.constant(100 : i8) : i8
  %three = llvm.mlir.constant(3 : i8) : i8
  %0 = llvm.intr.fshl(%a, %b, %four) : (i8, i8, i8) -> i8
  %1 = llvm.intr.bswap(%w) : (i16) -> i16
  %2 = "llvm.intr.ctlz"(%one) <{is_zero_poison = false}> : (i8) -> i8
  %3 = llvm.intr.sadd.sat(%hundred, %hundred) : (i8, i8) -> i8
  %4 = llvm.intr.bitreverse(%three) : (i8) -> i8
  %p = llvm.mlir.poison : !llvm.struct<(i8, i16, i8, i8, i8)>
  %5 = llvm.insertvalue %0, %p[0] : !llvm.struct<(i8, i16, i8, i8, i8)>
  %6 = llvm.insertvalue %1, %5[1] : !llvm.struct<(i8, i16, i8, i8, i8)>
  %7 = llvm.insertvalue %2, %6[2] : !llvm.struct<(i8, i16, i8, i8, i8)>
  %8 = llvm.insertvalue %3, %7[3] : !llvm.struct<(i8, i16, i8, i8, i8)>
  %9 = llvm.insertvalue %4, %8[4] : !llvm.struct<(i8, i16, i8, i8, i8)>
  llvm.return %9 : !llvm.struct<(i8, i16, i8, i8, i8)>
}

// EVAL @vectors(dense<[1, 2, 3, 4]> : vector<4xi32>) == 10 : i32, dense<[4, 1]> : vector<2xi32>
llvm.func @vectors(%v: vector<4xi32>) -> !llvm.struct<(i32, vector<2xi32>)> {
  %0 = "llvm.intr.vector.reduce.add"(%v) : (vector<4xi32>) -> i32
  %1 = llvm.shufflevector %v, %v [3, 4] : vector<4xi32>
  %p = llvm.mlir.poison : !llvm.struct<(i32, vector<2xi32>)>
  %2 = llvm.insertvalue %0, %p[0] : !llvm.struct<(i32, vector<2xi32>)>
  %3 = llvm.insertvalue %1, %2[1] : !llvm.struct<(i32, vector<2xi32>)>
  llvm.return %3 : !llvm.struct<(i32, vector<2xi32>)>
}

// The results are what was there before: 5, then 8; then 8 is not 7, so that nothing is replaced.
// EVAL @atomics() == 5 : i32, 8 : i32, false
llvm.func @atomics() -> !llvm.struct<(i32, i32, i1)> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %seven = llvm.mlir.constant(7 : i32) : i32
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %five, %p : i32, !llvm.ptr
  %0 = llvm.atomicrmw add %p, %three monotonic : !llvm.ptr, i32
  %1 = llvm.cmpxchg %p, %seven, %one acq_rel monotonic : !llvm.ptr, i32
  %2 = llvm.extractvalue %1[0] : !llvm.struct<(i32, i1)>
  %3 = llvm.extractvalue %1[1] : !llvm.struct<(i32, i1)>
  %q = llvm.mlir.poison : !llvm.struct<(i32, i32, i1)>
  %4 = llvm.insertvalue %0, %q[0] : !llvm.struct<(i32, i32, i1)>
  %5 = llvm.insertvalue %2, %4[1] : !llvm.struct<(i32, i32, i1)>
  %6 = llvm.insertvalue %3, %5[2] : !llvm.struct<(i32, i32, i1)>
  llvm.return %6 : !llvm.struct<(i32, i32, i1)>
}

// Lanes that are no whole bytes follow each other bit by bit, the first one least significant.
// EVAL @bits(dense<[true, false, false, true, false, false, false, true, true, true]> : vector<10xi1>) == 0x89 : i8, 3 : i8, 905 : i10
// EVAL @bits(poison) == poison, poison, poison
llvm.func @bits(%mask: vector<10xi1>) -> !llvm.struct<(i8, i8, i10)> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x vector<10xi1> : (i32) -> !llvm.ptr
  llvm.store %mask, %p : vector<10xi1>, !llvm.ptr
  %0 = llvm.load %p : !llvm.ptr -> i8
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %1 = llvm.load %q : !llvm.ptr -> i8
  %2 = llvm.bitcast %mask : vector<10xi1> to i10
  %u = llvm.mlir.undef : !llvm.struct<(i8, i8, i10)>
  %3 = llvm.insertvalue %0, %u[0] : !llvm.struct<(i8, i8, i10)>
  %4 = llvm.insertvalue %1, %3[1] : !llvm.struct<(i8, i8, i10)>
  %5 = llvm.insertvalue %2, %4[2] : !llvm.struct<(i8, i8, i10)>
  llvm.return %5 : !llvm.struct<(i8, i8, i10)>
}

// 0xB53 is 1011 0101 0011: three lanes of four bits, two of six, four of three.
// EVAL @lanes_of_bits(0xB53 : i12) == dense<[3, 5, -5]> : vector<3xi4>, dense<[19, -19]> : vector<2xi6>, dense<[3, 2, -3, -3]> : vector<4xi3>
llvm.func @lanes_of_bits(%x: i12) -> !llvm.struct<(vector<3xi4>, vector<2xi6>, vector<4xi3>)> {
  %0 = llvm.bitcast %x : i12 to vector<3xi4>
  %1 = llvm.bitcast %0 : vector<3xi4> to vector<2xi6>
  %2 = llvm.bitcast %1 : vector<2xi6> to vector<4xi3>
  %u = llvm.mlir.undef : !llvm.struct<(vector<3xi4>, vector<2xi6>, vector<4xi3>)>
  %3 = llvm.insertvalue %0, %u[0] : !llvm.struct<(vector<3xi4>, vector<2xi6>, vector<4xi3>)>
  %4 = llvm.insertvalue %1, %3[1] : !llvm.struct<(vector<3xi4>, vector<2xi6>, vector<4xi3>)>
  %5 = llvm.insertvalue %2, %4[2] : !llvm.struct<(vector<3xi4>, vector<2xi6>, vector<4xi3>)>
  llvm.return %5 : !llvm.struct<(vector<3xi4>, vector<2xi6>, vector<4xi3>)>
}

// To the block of the address, with the operands for it.
// EVAL @jump(true, 5 : i32) == 6 : i32
// EVAL @jump(false, 5 : i32) == 10 : i32
llvm.func @jump(%c: i1, %x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.blockaddress <function = @jump, tag = <id = 1>> : !llvm.ptr
  %b = llvm.blockaddress <function = @jump, tag = <id = 2>> : !llvm.ptr
  %to = llvm.select %c, %a, %b : i1, !llvm.ptr
  llvm.indirectbr %to : !llvm.ptr, [
    ^first(%one : i32),
    ^second(%x : i32)
  ]
^first(%y: i32):
  llvm.blocktag <id = 1>
  %0 = llvm.add %x, %y : i32
  llvm.return %0 : i32
^second(%z: i32):
  llvm.blocktag <id = 2>
  %1 = llvm.add %x, %z : i32
  llvm.return %1 : i32
}

// FAIL @astray(true): a jump to a block that is not among the successors
// FAIL @astray(false): a jump to what is no block
llvm.func @astray(%c: i1) {
  %a = llvm.blockaddress <function = @jump, tag = <id = 1>> : !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  %to = llvm.select %c, %a, %null : i1, !llvm.ptr
  llvm.indirectbr %to : !llvm.ptr, [ // <-
    ^here
  ]
^here:
  llvm.blocktag <id = 1>
  llvm.return
}

llvm.mlir.global internal @pair(dense<[7, 8]> : tensor<2xi32>) : !llvm.array<2 x i32>
llvm.mlir.alias internal @later : i32 {
  %p = llvm.mlir.addressof @pair : !llvm.ptr
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.return %q : !llvm.ptr
}

// EVAL @aliased(5 : i32) == 8 : i32, 5 : i32
llvm.func @aliased(%x: i32) -> !llvm.struct<(i32, i32)> {
  %p = llvm.mlir.addressof @pair : !llvm.ptr
  %q = llvm.mlir.addressof @later : !llvm.ptr
  %0 = llvm.load %q : !llvm.ptr -> i32
  llvm.store %x, %q : i32, !llvm.ptr
  %r = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %1 = llvm.load %r : !llvm.ptr -> i32
  %u = llvm.mlir.undef : !llvm.struct<(i32, i32)>
  %2 = llvm.insertvalue %0, %u[0] : !llvm.struct<(i32, i32)>
  %3 = llvm.insertvalue %1, %2[1] : !llvm.struct<(i32, i32)>
  llvm.return %3 : !llvm.struct<(i32, i32)>
}

// EVAL @equivalent(5 : i32) == 15 : i32
llvm.func @equivalent(%x: i32) -> i32 {
  %f = llvm.dso_local_equivalent @sum : !llvm.ptr
  %0 = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  llvm.return %0 : i32
}
