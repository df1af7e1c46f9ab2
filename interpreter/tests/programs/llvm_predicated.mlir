// Vector-predicated operations of the llvm dialect. Expected values follow from the LLVM language reference: lanes that the mask excludes, and
// those from the length on, are poison and do nothing. Freezing makes zero of poison.

// EVAL @add(dense<[true, false, true, true]> : vector<4xi1>, 3 : i32) == 11 : i8, poison, 33 : i8, poison
// EVAL @add(dense<[true, true, true, true]> : vector<4xi1>, 0 : i32) == poison, poison, poison, poison
// EVAL @add(poison, 4 : i32) == poison, poison, poison, poison
// FAIL @add(dense<true> : vector<4xi1>, 5 : i32): a length of 5 for vectors of 4 lanes
// FAIL @add(dense<true> : vector<4xi1>, -1 : i32): a length of -1
// FAIL @add(dense<true> : vector<4xi1>, poison): use of poison
llvm.func @add(%mask: vector<4xi1>, %length: i32) -> !llvm.struct<(i8, i8, i8, i8)> {
  %a = llvm.mlir.constant(dense<[10, 20, 30, 40]> : vector<4xi8>) : vector<4xi8>
  %b = llvm.mlir.constant(dense<[1, 2, 3, 4]> : vector<4xi8>) : vector<4xi8>
  %v = "llvm.intr.vp.add"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8> // <-
  %r0 = llvm.mlir.undef : !llvm.struct<(i8, i8, i8, i8)>
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %e0 = llvm.extractelement %v[%i0 : i32] : vector<4xi8>
  %r1 = llvm.insertvalue %e0, %r0[0] : !llvm.struct<(i8, i8, i8, i8)>
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %e1 = llvm.extractelement %v[%i1 : i32] : vector<4xi8>
  %r2 = llvm.insertvalue %e1, %r1[1] : !llvm.struct<(i8, i8, i8, i8)>
  %i2 = llvm.mlir.constant(2 : i32) : i32
  %e2 = llvm.extractelement %v[%i2 : i32] : vector<4xi8>
  %r3 = llvm.insertvalue %e2, %r2[2] : !llvm.struct<(i8, i8, i8, i8)>
  %i3 = llvm.mlir.constant(3 : i32) : i32
  %e3 = llvm.extractelement %v[%i3 : i32] : vector<4xi8>
  %r4 = llvm.insertvalue %e3, %r3[3] : !llvm.struct<(i8, i8, i8, i8)>
  llvm.return %r4 : !llvm.struct<(i8, i8, i8, i8)>
}

// Each of them where the mask and the length let it, and zero elsewhere.
// EVAL @integers(dense<[7, -7, -128, 100]> : vector<4xi8>, dense<[3, 2, 5, -1]> : vector<4xi8>) == dense<[4, -9, 0, 0]> : vector<4xi8>, dense<[21, -14, 0, 0]> : vector<4xi8>, dense<[3, 0, 0, 0]> : vector<4xi8>, dense<[7, -5, 0, 0]> : vector<4xi8>, dense<[4, -5, 0, 0]> : vector<4xi8>, dense<[7, 2, 0, 0]> : vector<4xi8>, dense<[3, -7, 0, 0]> : vector<4xi8>, dense<[7, -7, 0, 0]> : vector<4xi8>, dense<[3, 2, 0, 0]> : vector<4xi8>, dense<[2, -3, 0, 0]> : vector<4xi8>, dense<[1, -1, 0, 0]> : vector<4xi8>, dense<[2, 124, 0, 0]> : vector<4xi8>, dense<[1, 1, 0, 0]> : vector<4xi8>
llvm.func @integers(%a: vector<4xi8>, %b: vector<4xi8>) -> !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)> {
  %mask = llvm.mlir.constant(dense<[true, true, false, true]> : vector<4xi1>) : vector<4xi1>
  %length = llvm.mlir.constant(3 : i32) : i32
  %r0 = llvm.mlir.undef : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v0 = "llvm.intr.vp.sub"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f0 = llvm.freeze %v0 : vector<4xi8>
  %r1 = llvm.insertvalue %f0, %r0[0] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v1 = "llvm.intr.vp.mul"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f1 = llvm.freeze %v1 : vector<4xi8>
  %r2 = llvm.insertvalue %f1, %r1[1] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v2 = "llvm.intr.vp.and"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f2 = llvm.freeze %v2 : vector<4xi8>
  %r3 = llvm.insertvalue %f2, %r2[2] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v3 = "llvm.intr.vp.or"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f3 = llvm.freeze %v3 : vector<4xi8>
  %r4 = llvm.insertvalue %f3, %r3[3] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v4 = "llvm.intr.vp.xor"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f4 = llvm.freeze %v4 : vector<4xi8>
  %r5 = llvm.insertvalue %f4, %r4[4] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v5 = "llvm.intr.vp.smax"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f5 = llvm.freeze %v5 : vector<4xi8>
  %r6 = llvm.insertvalue %f5, %r5[5] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v6 = "llvm.intr.vp.smin"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f6 = llvm.freeze %v6 : vector<4xi8>
  %r7 = llvm.insertvalue %f6, %r6[6] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v7 = "llvm.intr.vp.umax"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f7 = llvm.freeze %v7 : vector<4xi8>
  %r8 = llvm.insertvalue %f7, %r7[7] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v8 = "llvm.intr.vp.umin"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f8 = llvm.freeze %v8 : vector<4xi8>
  %r9 = llvm.insertvalue %f8, %r8[8] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v9 = "llvm.intr.vp.sdiv"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f9 = llvm.freeze %v9 : vector<4xi8>
  %r10 = llvm.insertvalue %f9, %r9[9] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v10 = "llvm.intr.vp.srem"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f10 = llvm.freeze %v10 : vector<4xi8>
  %r11 = llvm.insertvalue %f10, %r10[10] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v11 = "llvm.intr.vp.udiv"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f11 = llvm.freeze %v11 : vector<4xi8>
  %r12 = llvm.insertvalue %f11, %r11[11] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  %v12 = "llvm.intr.vp.urem"(%a, %b, %mask, %length) : (vector<4xi8>, vector<4xi8>, vector<4xi1>, i32) -> vector<4xi8>
  %f12 = llvm.freeze %v12 : vector<4xi8>
  %r13 = llvm.insertvalue %f12, %r12[12] : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
  llvm.return %r13 : !llvm.struct<(vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>)>
}

// A shift by the width is poison.
// EVAL @shifts(dense<[-6, -6, -6]> : vector<3xi8>, dense<[1, 3, 8]> : vector<3xi8>) == dense<[-12, -48, 0]> : vector<3xi8>, dense<[125, 31, 0]> : vector<3xi8>, dense<[-3, -1, 0]> : vector<3xi8>
llvm.func @shifts(%a: vector<3xi8>, %b: vector<3xi8>) -> !llvm.struct<(vector<3xi8>, vector<3xi8>, vector<3xi8>)> {
  %mask = llvm.mlir.constant(dense<true> : vector<3xi1>) : vector<3xi1>
  %length = llvm.mlir.constant(3 : i32) : i32
  %r0 = llvm.mlir.undef : !llvm.struct<(vector<3xi8>, vector<3xi8>, vector<3xi8>)>
  %v0 = "llvm.intr.vp.shl"(%a, %b, %mask, %length) : (vector<3xi8>, vector<3xi8>, vector<3xi1>, i32) -> vector<3xi8>
  %f0 = llvm.freeze %v0 : vector<3xi8>
  %r1 = llvm.insertvalue %f0, %r0[0] : !llvm.struct<(vector<3xi8>, vector<3xi8>, vector<3xi8>)>
  %v1 = "llvm.intr.vp.lshr"(%a, %b, %mask, %length) : (vector<3xi8>, vector<3xi8>, vector<3xi1>, i32) -> vector<3xi8>
  %f1 = llvm.freeze %v1 : vector<3xi8>
  %r2 = llvm.insertvalue %f1, %r1[1] : !llvm.struct<(vector<3xi8>, vector<3xi8>, vector<3xi8>)>
  %v2 = "llvm.intr.vp.ashr"(%a, %b, %mask, %length) : (vector<3xi8>, vector<3xi8>, vector<3xi1>, i32) -> vector<3xi8>
  %f2 = llvm.freeze %v2 : vector<3xi8>
  %r3 = llvm.insertvalue %f2, %r2[2] : !llvm.struct<(vector<3xi8>, vector<3xi8>, vector<3xi8>)>
  llvm.return %r3 : !llvm.struct<(vector<3xi8>, vector<3xi8>, vector<3xi8>)>
}

// Only lanes that take part divide, or may.
// EVAL @divide(dense<[2, 0]> : vector<2xi32>, dense<[true, false]> : vector<2xi1>, 2 : i32) == dense<[5, 0]> : vector<2xi32>
// EVAL @divide(dense<[2, 0]> : vector<2xi32>, dense<[true, true]> : vector<2xi1>, 1 : i32) == dense<[5, 0]> : vector<2xi32>
// EVAL @divide(dense<[2, 3]> : vector<2xi32>, poison, 2 : i32) == dense<[0, 0]> : vector<2xi32>
// FAIL @divide(dense<[2, 0]> : vector<2xi32>, dense<[true, true]> : vector<2xi1>, 2 : i32): division by zero
// FAIL @divide(dense<[2, 0]> : vector<2xi32>, poison, 2 : i32): division by zero
llvm.func @divide(%b: vector<2xi32>, %mask: vector<2xi1>, %length: i32) -> vector<2xi32> {
  %a = llvm.mlir.constant(dense<[10, 20]> : vector<2xi32>) : vector<2xi32>
  %0 = "llvm.intr.vp.sdiv"(%a, %b, %mask, %length) : (vector<2xi32>, vector<2xi32>, vector<2xi1>, i32) -> vector<2xi32> // <-
  %1 = llvm.freeze %0 : vector<2xi32>
  llvm.return %1 : vector<2xi32>
}

// EVAL @floats(dense<[1.5, -7.0, 3.0]> : vector<3xf32>, dense<[0.5, 2.0, 1.0]> : vector<3xf32>) == dense<[2.0, -5.0, 0.0]> : vector<3xf32>, dense<[1.0, -9.0, 0.0]> : vector<3xf32>, dense<[0.75, -14.0, 0.0]> : vector<3xf32>, dense<[3.0, -3.5, 0.0]> : vector<3xf32>, dense<[0.0, -1.0, 0.0]> : vector<3xf32>, dense<[-1.5, 7.0, 0.0]> : vector<3xf32>, dense<[2.25, -21.0, 0.0]> : vector<3xf32>, dense<[2.25, -21.0, 0.0]> : vector<3xf32>
llvm.func @floats(%a: vector<3xf32>, %b: vector<3xf32>) -> !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)> {
  %mask = llvm.mlir.constant(dense<[true, true, false]> : vector<3xi1>) : vector<3xi1>
  %length = llvm.mlir.constant(3 : i32) : i32
  %r0 = llvm.mlir.undef : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
  %v0 = "llvm.intr.vp.fadd"(%a, %b, %mask, %length) : (vector<3xf32>, vector<3xf32>, vector<3xi1>, i32) -> vector<3xf32>
  %f0 = llvm.freeze %v0 : vector<3xf32>
  %r1 = llvm.insertvalue %f0, %r0[0] : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
  %v1 = "llvm.intr.vp.fsub"(%a, %b, %mask, %length) : (vector<3xf32>, vector<3xf32>, vector<3xi1>, i32) -> vector<3xf32>
  %f1 = llvm.freeze %v1 : vector<3xf32>
  %r2 = llvm.insertvalue %f1, %r1[1] : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
  %v2 = "llvm.intr.vp.fmul"(%a, %b, %mask, %length) : (vector<3xf32>, vector<3xf32>, vector<3xi1>, i32) -> vector<3xf32>
  %f2 = llvm.freeze %v2 : vector<3xf32>
  %r3 = llvm.insertvalue %f2, %r2[2] : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
  %v3 = "llvm.intr.vp.fdiv"(%a, %b, %mask, %length) : (vector<3xf32>, vector<3xf32>, vector<3xi1>, i32) -> vector<3xf32>
  %f3 = llvm.freeze %v3 : vector<3xf32>
  %r4 = llvm.insertvalue %f3, %r3[3] : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
  %v4 = "llvm.intr.vp.frem"(%a, %b, %mask, %length) : (vector<3xf32>, vector<3xf32>, vector<3xi1>, i32) -> vector<3xf32>
  %f4 = llvm.freeze %v4 : vector<3xf32>
  %r5 = llvm.insertvalue %f4, %r4[4] : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
  %v5 = "llvm.intr.vp.fneg"(%a, %mask, %length) : (vector<3xf32>, vector<3xi1>, i32) -> vector<3xf32>
  %f5 = llvm.freeze %v5 : vector<3xf32>
  %r6 = llvm.insertvalue %f5, %r5[5] : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
  %v6 = "llvm.intr.vp.fma"(%a, %b, %a, %mask, %length) : (vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xi1>, i32) -> vector<3xf32>
  %f6 = llvm.freeze %v6 : vector<3xf32>
  %r7 = llvm.insertvalue %f6, %r6[6] : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
  %v7 = "llvm.intr.vp.fmuladd"(%a, %b, %a, %mask, %length) : (vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xi1>, i32) -> vector<3xf32>
  %f7 = llvm.freeze %v7 : vector<3xf32>
  %r8 = llvm.insertvalue %f7, %r7[7] : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
  llvm.return %r8 : !llvm.struct<(vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)>
}

// EVAL @sext(dense<[-3, 100]> : vector<2xi8>) == dense<[-3, 0]> : vector<2xi16>
llvm.func @sext(%a: vector<2xi8>) -> vector<2xi16> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(1 : i32) : i32
  %0 = "llvm.intr.vp.sext"(%a, %mask, %length) : (vector<2xi8>, vector<2xi1>, i32) -> vector<2xi16>
  %1 = llvm.freeze %0 : vector<2xi16>
  llvm.return %1 : vector<2xi16>
}

// EVAL @zext(dense<[-3, 100]> : vector<2xi8>) == dense<[253, 0]> : vector<2xi16>
llvm.func @zext(%a: vector<2xi8>) -> vector<2xi16> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(1 : i32) : i32
  %0 = "llvm.intr.vp.zext"(%a, %mask, %length) : (vector<2xi8>, vector<2xi1>, i32) -> vector<2xi16>
  %1 = llvm.freeze %0 : vector<2xi16>
  llvm.return %1 : vector<2xi16>
}

// EVAL @trunc(dense<[515, 100]> : vector<2xi16>) == dense<[3, 0]> : vector<2xi8>
llvm.func @trunc(%a: vector<2xi16>) -> vector<2xi8> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(1 : i32) : i32
  %0 = "llvm.intr.vp.trunc"(%a, %mask, %length) : (vector<2xi16>, vector<2xi1>, i32) -> vector<2xi8>
  %1 = llvm.freeze %0 : vector<2xi8>
  llvm.return %1 : vector<2xi8>
}

// EVAL @fpext(dense<[0.1, 1.0]> : vector<2xf32>) == dense<[0.10000000149011612, 0.0]> : vector<2xf64>
llvm.func @fpext(%a: vector<2xf32>) -> vector<2xf64> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(1 : i32) : i32
  %0 = "llvm.intr.vp.fpext"(%a, %mask, %length) : (vector<2xf32>, vector<2xi1>, i32) -> vector<2xf64>
  %1 = llvm.freeze %0 : vector<2xf64>
  llvm.return %1 : vector<2xf64>
}

// EVAL @fptrunc(dense<[0.1, 1.0]> : vector<2xf64>) == dense<[0x3DCCCCCD, 0x00000000]> : vector<2xf32>
llvm.func @fptrunc(%a: vector<2xf64>) -> vector<2xf32> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(1 : i32) : i32
  %0 = "llvm.intr.vp.fptrunc"(%a, %mask, %length) : (vector<2xf64>, vector<2xi1>, i32) -> vector<2xf32>
  %1 = llvm.freeze %0 : vector<2xf32>
  llvm.return %1 : vector<2xf32>
}

// EVAL @sitofp(dense<[-3, 1]> : vector<2xi8>) == dense<[-3.0, 0.0]> : vector<2xf32>
llvm.func @sitofp(%a: vector<2xi8>) -> vector<2xf32> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(1 : i32) : i32
  %0 = "llvm.intr.vp.sitofp"(%a, %mask, %length) : (vector<2xi8>, vector<2xi1>, i32) -> vector<2xf32>
  %1 = llvm.freeze %0 : vector<2xf32>
  llvm.return %1 : vector<2xf32>
}

// EVAL @uitofp(dense<[-3, 1]> : vector<2xi8>) == dense<[253.0, 0.0]> : vector<2xf32>
llvm.func @uitofp(%a: vector<2xi8>) -> vector<2xf32> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(1 : i32) : i32
  %0 = "llvm.intr.vp.uitofp"(%a, %mask, %length) : (vector<2xi8>, vector<2xi1>, i32) -> vector<2xf32>
  %1 = llvm.freeze %0 : vector<2xf32>
  llvm.return %1 : vector<2xf32>
}

// EVAL @fptosi(dense<[-3.75, 1.0]> : vector<2xf32>) == dense<[-3, 0]> : vector<2xi8>
llvm.func @fptosi(%a: vector<2xf32>) -> vector<2xi8> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(1 : i32) : i32
  %0 = "llvm.intr.vp.fptosi"(%a, %mask, %length) : (vector<2xf32>, vector<2xi1>, i32) -> vector<2xi8>
  %1 = llvm.freeze %0 : vector<2xi8>
  llvm.return %1 : vector<2xi8>
}

// EVAL @fptoui(dense<[200.75, 1.0]> : vector<2xf32>) == dense<[200, 0]> : vector<2xi8>
llvm.func @fptoui(%a: vector<2xf32>) -> vector<2xi8> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(1 : i32) : i32
  %0 = "llvm.intr.vp.fptoui"(%a, %mask, %length) : (vector<2xf32>, vector<2xi1>, i32) -> vector<2xi8>
  %1 = llvm.freeze %0 : vector<2xi8>
  llvm.return %1 : vector<2xi8>
}

// Beyond the length, `select` is poison and `merge` the second vector.
// EVAL @choose(dense<[true, false, true]> : vector<3xi1>, 2 : i32) == dense<[1, 5, 0]> : vector<3xi8>, dense<[1, 5, 6]> : vector<3xi8>
// EVAL @choose(dense<[true, false, true]> : vector<3xi1>, 3 : i32) == dense<[1, 5, 3]> : vector<3xi8>, dense<[1, 5, 3]> : vector<3xi8>
// EVAL @choose(poison, 2 : i32) == dense<[0, 0, 0]> : vector<3xi8>, dense<[0, 0, 6]> : vector<3xi8>
// FAIL @choose(dense<[true, false, true]> : vector<3xi1>, 4 : i32): a length of 4
llvm.func @choose(%c: vector<3xi1>, %length: i32) -> !llvm.struct<(vector<3xi8>, vector<3xi8>)> {
  %a = llvm.mlir.constant(dense<[1, 2, 3]> : vector<3xi8>) : vector<3xi8>
  %b = llvm.mlir.constant(dense<[4, 5, 6]> : vector<3xi8>) : vector<3xi8>
  %0 = "llvm.intr.vp.select"(%c, %a, %b, %length) : (vector<3xi1>, vector<3xi8>, vector<3xi8>, i32) -> vector<3xi8> // <-
  %1 = "llvm.intr.vp.merge"(%c, %a, %b, %length) : (vector<3xi1>, vector<3xi8>, vector<3xi8>, i32) -> vector<3xi8>
  %f0 = llvm.freeze %0 : vector<3xi8>
  %f1 = llvm.freeze %1 : vector<3xi8>
  %u = llvm.mlir.undef : !llvm.struct<(vector<3xi8>, vector<3xi8>)>
  %2 = llvm.insertvalue %f0, %u[0] : !llvm.struct<(vector<3xi8>, vector<3xi8>)>
  %3 = llvm.insertvalue %f1, %2[1] : !llvm.struct<(vector<3xi8>, vector<3xi8>)>
  llvm.return %3 : !llvm.struct<(vector<3xi8>, vector<3xi8>)>
}

// EVAL @reduce(6 : i8, dense<[true, true, false, true]> : vector<4xi1>, 4 : i32) == 20 : i8, -56 : i8, 4 : i8, -1 : i8, -14 : i8, 12 : i8, -3 : i8, -3 : i8, 5 : i8
// EVAL @reduce(6 : i8, dense<[true, true, false, true]> : vector<4xi1>, 2 : i32) == 8 : i8, -90 : i8, 4 : i8, -1 : i8, -2 : i8, 6 : i8, -3 : i8, -3 : i8, 5 : i8
// EVAL @reduce(6 : i8, dense<[true, true, false, true]> : vector<4xi1>, 0 : i32) == 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8
// EVAL @reduce(6 : i8, poison, 4 : i32) == poison, poison, poison, poison, poison, poison, poison, poison, poison
// EVAL @reduce(6 : i8, poison, 0 : i32) == 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8, 6 : i8
// EVAL @reduce(poison, dense<true> : vector<4xi1>, 0 : i32) == poison, poison, poison, poison, poison, poison, poison, poison, poison
// FAIL @reduce(6 : i8, dense<true> : vector<4xi1>, 5 : i32): a length of 5
llvm.func @reduce(%start: i8, %mask: vector<4xi1>, %length: i32) -> !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)> {
  %v = llvm.mlir.constant(dense<[5, -3, 100, 12]> : vector<4xi8>) : vector<4xi8>
  %r0 = llvm.mlir.undef : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  %v0 = "llvm.intr.vp.reduce.add"(%start, %v, %mask, %length) : (i8, vector<4xi8>, vector<4xi1>, i32) -> i8 // <-
  %r1 = llvm.insertvalue %v0, %r0[0] : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  %v1 = "llvm.intr.vp.reduce.mul"(%start, %v, %mask, %length) : (i8, vector<4xi8>, vector<4xi1>, i32) -> i8
  %r2 = llvm.insertvalue %v1, %r1[1] : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  %v2 = "llvm.intr.vp.reduce.and"(%start, %v, %mask, %length) : (i8, vector<4xi8>, vector<4xi1>, i32) -> i8
  %r3 = llvm.insertvalue %v2, %r2[2] : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  %v3 = "llvm.intr.vp.reduce.or"(%start, %v, %mask, %length) : (i8, vector<4xi8>, vector<4xi1>, i32) -> i8
  %r4 = llvm.insertvalue %v3, %r3[3] : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  %v4 = "llvm.intr.vp.reduce.xor"(%start, %v, %mask, %length) : (i8, vector<4xi8>, vector<4xi1>, i32) -> i8
  %r5 = llvm.insertvalue %v4, %r4[4] : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  %v5 = "llvm.intr.vp.reduce.smax"(%start, %v, %mask, %length) : (i8, vector<4xi8>, vector<4xi1>, i32) -> i8
  %r6 = llvm.insertvalue %v5, %r5[5] : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  %v6 = "llvm.intr.vp.reduce.smin"(%start, %v, %mask, %length) : (i8, vector<4xi8>, vector<4xi1>, i32) -> i8
  %r7 = llvm.insertvalue %v6, %r6[6] : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  %v7 = "llvm.intr.vp.reduce.umax"(%start, %v, %mask, %length) : (i8, vector<4xi8>, vector<4xi1>, i32) -> i8
  %r8 = llvm.insertvalue %v7, %r7[7] : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  %v8 = "llvm.intr.vp.reduce.umin"(%start, %v, %mask, %length) : (i8, vector<4xi8>, vector<4xi1>, i32) -> i8
  %r9 = llvm.insertvalue %v8, %r8[8] : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
  llvm.return %r9 : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8)>
}

// In order from the start value on: 2^24 + 1 + 1 would be more if the ones were added first.
// EVAL @reduce_floats(16777216.0 : f32, dense<[1.0, 1.0, 3.0]> : vector<3xf32>, 2 : i32) == 16777216.0 : f32, 16777216.0 : f32, 16777216.0 : f32, 1.0 : f32
// EVAL @reduce_floats(2.0 : f32, dense<[1.5, 0x7FC00000, 3.0]> : vector<3xf32>, 3 : i32) == 0x7FC00000 : f32, 0x7FC00000 : f32, 3.0 : f32, 1.5 : f32
llvm.func @reduce_floats(%start: f32, %v: vector<3xf32>, %length: i32) -> !llvm.struct<(f32, f32, f32, f32)> {
  %mask = llvm.mlir.constant(dense<true> : vector<3xi1>) : vector<3xi1>
  %r0 = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>
  %v0 = "llvm.intr.vp.reduce.fadd"(%start, %v, %mask, %length) : (f32, vector<3xf32>, vector<3xi1>, i32) -> f32
  %r1 = llvm.insertvalue %v0, %r0[0] : !llvm.struct<(f32, f32, f32, f32)>
  %v1 = "llvm.intr.vp.reduce.fmul"(%start, %v, %mask, %length) : (f32, vector<3xf32>, vector<3xi1>, i32) -> f32
  %r2 = llvm.insertvalue %v1, %r1[1] : !llvm.struct<(f32, f32, f32, f32)>
  %v2 = "llvm.intr.vp.reduce.fmax"(%start, %v, %mask, %length) : (f32, vector<3xf32>, vector<3xi1>, i32) -> f32
  %r3 = llvm.insertvalue %v2, %r2[2] : !llvm.struct<(f32, f32, f32, f32)>
  %v3 = "llvm.intr.vp.reduce.fmin"(%start, %v, %mask, %length) : (f32, vector<3xf32>, vector<3xi1>, i32) -> f32
  %r4 = llvm.insertvalue %v3, %r3[3] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %r4 : !llvm.struct<(f32, f32, f32, f32)>
}

// EVAL @memory(dense<[true, true, true, true]> : vector<4xi1>, 2 : i32) == dense<[1, 2, 0, 0]> : vector<4xi8>, dense<[2, 4, 3]> : vector<3xi8>
// EVAL @memory(dense<[false, true, true, true]> : vector<4xi1>, 3 : i32) == dense<[0, 2, 3, 0]> : vector<4xi8>, dense<[1, 4, 6]> : vector<3xi8>
// FAIL @memory(dense<[false, true, true, true]> : vector<4xi1>, 4 : i32): access at position
// FAIL @memory(dense<true> : vector<4xi1>, 9 : i32): a length of 9
// FAIL @memory(poison, 1 : i32): poison decides
llvm.func @memory(%mask: vector<4xi1>, %length: i32) -> !llvm.struct<(vector<4xi8>, vector<3xi8>)> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<3 x i8> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %values = llvm.mlir.constant(dense<[1, 2, 3]> : vector<3xi8>) : vector<3xi8>
  llvm.store %values, %p : vector<3xi8>, !llvm.ptr
  %0 = "llvm.intr.vp.load"(%p, %mask, %length) : (!llvm.ptr, vector<4xi1>, i32) -> vector<4xi8> // <-
  %f = llvm.freeze %0 : vector<4xi8>
  %twice = llvm.add %0, %0 : vector<4xi8>
  "llvm.intr.vp.store"(%twice, %p, %mask, %length) : (vector<4xi8>, !llvm.ptr, vector<4xi1>, i32) -> ()
  %1 = llvm.load %p : !llvm.ptr -> vector<3xi8>
  %u = llvm.mlir.undef : !llvm.struct<(vector<4xi8>, vector<3xi8>)>
  %2 = llvm.insertvalue %f, %u[0] : !llvm.struct<(vector<4xi8>, vector<3xi8>)>
  %3 = llvm.insertvalue %1, %2[1] : !llvm.struct<(vector<4xi8>, vector<3xi8>)>
  llvm.return %3 : !llvm.struct<(vector<4xi8>, vector<3xi8>)>
}

// The distance is in bytes: 4 is every second element, and it may be negative.
// EVAL @strided(0 : i64, 4 : i64, 3 : i32) == dense<[1, 3, 5]> : vector<3xi16>, dense<[-1, 2, -1, 4, -1]> : vector<5xi16>
// EVAL @strided(4 : i64, -2 : i64, 2 : i32) == dense<[5, 4, 0]> : vector<3xi16>, dense<[1, 2, 3, -1, -1]> : vector<5xi16>
// FAIL @strided(0 : i64, -2 : i64, 2 : i32): access at position
// FAIL @strided(0 : i64, 9223372036854775807 : i64, 3 : i32): access at position 9223372036854775807
llvm.func @strided(%first: i64, %stride: i64, %length: i32) -> !llvm.struct<(vector<3xi16>, vector<5xi16>)> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.array<5 x i16> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %values = llvm.mlir.constant(dense<[1, 2, 3, 4, 5]> : vector<5xi16>) : vector<5xi16>
  llvm.store %values, %p : vector<5xi16>, !llvm.ptr
  %mask = llvm.mlir.constant(dense<true> : vector<3xi1>) : vector<3xi1>
  %q = llvm.getelementptr %p[%first] : (!llvm.ptr, i64) -> !llvm.ptr, i16
  %0 = "llvm.intr.experimental.vp.strided.load"(%q, %stride, %mask, %length) : (!llvm.ptr, i64, vector<3xi1>, i32) -> vector<3xi16> // <-
  %f = llvm.freeze %0 : vector<3xi16>
  %new = llvm.mlir.constant(dense<-1> : vector<3xi16>) : vector<3xi16>
  "llvm.intr.experimental.vp.strided.store"(%new, %q, %stride, %mask, %length) : (vector<3xi16>, !llvm.ptr, i64, vector<3xi1>, i32) -> ()
  %1 = llvm.load %p : !llvm.ptr -> vector<5xi16>
  %u = llvm.mlir.undef : !llvm.struct<(vector<3xi16>, vector<5xi16>)>
  %2 = llvm.insertvalue %f, %u[0] : !llvm.struct<(vector<3xi16>, vector<5xi16>)>
  %3 = llvm.insertvalue %1, %2[1] : !llvm.struct<(vector<3xi16>, vector<5xi16>)>
  llvm.return %3 : !llvm.struct<(vector<3xi16>, vector<5xi16>)>
}

// The operands need not be of one type to be verified, but no intrinsic takes others.
// FAIL @widths(dense<[1, 2]> : vector<2xi8>, dense<[1, 2]> : vector<2xi7>): integers of different widths
llvm.func @widths(%a: vector<2xi8>, %b: vector<2xi7>) -> vector<2xi8> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(2 : i32) : i32
  %0 = "llvm.intr.vp.smin"(%a, %b, %mask, %length) : (vector<2xi8>, vector<2xi7>, vector<2xi1>, i32) -> vector<2xi8> // <-
  llvm.return %0 : vector<2xi8>
}

// FAIL @divided_widths(dense<[1, 2]> : vector<2xi8>, dense<[1, 2]> : vector<2xi7>): integers of different widths
llvm.func @divided_widths(%a: vector<2xi8>, %b: vector<2xi7>) -> vector<2xi8> {
  %mask = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %length = llvm.mlir.constant(2 : i32) : i32
  %0 = "llvm.intr.vp.sdiv"(%a, %b, %mask, %length) : (vector<2xi8>, vector<2xi7>, vector<2xi1>, i32) -> vector<2xi8> // <-
  llvm.return %0 : vector<2xi8>
}
