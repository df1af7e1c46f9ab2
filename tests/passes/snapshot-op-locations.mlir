// RUN: dl-opt %s --snapshot-op-locations='filename=%t' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s -DFILE=%t
// RUN: cat %t | FileCheck %s --check-prefix=TEXT
// RUN: dl-opt %s --snapshot-op-locations='filename=%t tag=after' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=TAG -DFILE=%t
// RUN: dl-opt %s --snapshot-op-locations='filename=%t print-debuginfo' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=SHIFTED -DFILE=%t
// RUN: not dl-opt %s --snapshot-op-locations 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not dl-opt %s --snapshot-op-locations='filename=%t.none/there' 2>&1 | FileCheck %s --check-prefix=NOWHERE

// Lines count from 1, columns from 0, as mlir-opt does it here.
//      CHECK: func.func @f
// CHECK-NEXT:   arith.addi {{.*}} loc("[[FILE]]":3:4)
// CHECK-NEXT:   return {{.*}} loc("[[FILE]]":4:4)
// CHECK-NEXT: } loc("[[FILE]]":2:2)
// CHECK-NEXT: } loc("[[FILE]]":1:0)

//      TEXT: module {
// TEXT-NEXT:   func.func @f(%arg0: i32) -> i32 {
// TEXT-NEXT:     %0 = arith.addi %arg0, %arg0 : i32
// TEXT-NEXT:     return %0 : i32

//      TAG: arith.addi {{.*}} loc(fused["sum", "after"("[[FILE]]":3:4)])

// Definitions of locations stand in front.
// SHIFTED: arith.addi {{.*}} loc("[[FILE]]":4:4)
// SHIFTED: return {{.*}} loc("[[FILE]]":5:4)
// SHIFTED: } loc("[[FILE]]":3:2)

//    NONE: error: 'builtin.module' op unsupported: a snapshot of locations without a filename
// NOWHERE: error: 'builtin.module' op cannot write '{{.*}}.none/there':
func.func @f(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32 loc("sum")
  return %0 : i32
}
