// RUN: dl-opt %s --convert-complex-to-llvm | FileCheck %s
// RUN: dl-opt %s --convert-complex-to-llvm=complex-range=improved | FileCheck %s --check-prefix=IMPROVED
// RUN: not dl-opt %s --convert-complex-to-llvm=complex-range=exact 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: Cannot find option named 'exact'!

// (a + bi)(c + di) = (ac - bd) + (ad + bc)i
// CHECK-LABEL: func.func @multiply
// CHECK: %[[A:.*]] = llvm.extractvalue %[[X:.*]][0]
// CHECK: %[[B:.*]] = llvm.extractvalue %[[X]][1]
// CHECK: %[[C:.*]] = llvm.extractvalue %[[Y:.*]][0]
// CHECK: %[[D:.*]] = llvm.extractvalue %[[Y]][1]
// CHECK-DAG: %[[AC:.*]] = llvm.fmul %[[C]], %[[A]] {fastmathFlags = #llvm.fastmath<nnan>} : f32
// CHECK-DAG: %[[BD:.*]] = llvm.fmul %[[D]], %[[B]] {fastmathFlags = #llvm.fastmath<nnan>} : f32
// CHECK: llvm.fsub %[[AC]], %[[BD]]
// CHECK-DAG: %[[BC:.*]] = llvm.fmul %[[B]], %[[C]]
// CHECK-DAG: %[[AD:.*]] = llvm.fmul %[[A]], %[[D]]
// CHECK: llvm.fadd %[[BC]], %[[AD]]
func.func @multiply(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %0 = complex.mul %x, %y fastmath<nnan> : complex<f32>
  return %0 : complex<f32>
}

// CHECK-LABEL: func.func @divide
// CHECK-NOT: llvm.select
// CHECK-COUNT-2: llvm.fdiv
// IMPROVED-LABEL: func.func @divide
// IMPROVED-COUNT-6: llvm.fdiv
// IMPROVED: llvm.fcmp "uno"
func.func @divide(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %0 = complex.div %x, %y : complex<f64>
  return %0 : complex<f64>
}

// CHECK-LABEL: func.func @make
// CHECK: %[[POISON:.*]] = llvm.mlir.poison : !llvm.struct<(f32, f32)>
// CHECK: %[[RE:.*]] = llvm.insertvalue %{{.*}}, %[[POISON]][0]
// CHECK: llvm.insertvalue %{{.*}}, %[[RE]][1]
func.func @make(%x: f32, %y: f32) -> complex<f32> {
  %0 = complex.create %x, %y : complex<f32>
  return %0 : complex<f32>
}
