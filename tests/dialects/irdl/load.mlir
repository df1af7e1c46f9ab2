// RUN: dl-opt %s --irdl-file=%S/Inputs/geo.mlir | dl-opt --irdl-file=%S/Inputs/geo.mlir | FileCheck %s
// RUN: dl-opt %s --irdl-file=%S/Inputs/geo.mlir --emit-bytecode | dl-opt --irdl-file=%S/Inputs/geo.mlir | FileCheck %s
// RUN: dl-opt %s --irdl-file %S/Inputs/geo.mlir --show-dialects | FileCheck %s --check-prefix=DIALECTS

// DIALECTS: func,geo,gpu

// CHECK-LABEL: func.func @points(
//  CHECK-SAME:   %[[P:[a-z0-9]+]]: !geo.point<i32>, %[[O:[a-z0-9]+]]: !geo.origin
func.func @points(%p: !geo.point<i32>, %o: !geo.origin, %i: index) {
  // CHECK: "geo.x"(%[[P]]) : (!geo.point<i32>) -> i32
  %x = "geo.x"(%p) : (!geo.point<i32>) -> i32
  // CHECK: "geo.hull"() : () -> !geo.point<i32>
  %a = "geo.hull"() : () -> !geo.point<i32>
  %b = "geo.hull"(%p, %p, %p) : (!geo.point<i32>, !geo.point<i32>, !geo.point<i32>) -> !geo.point<i32>
  // CHECK: "geo.path"(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}) {operandSegmentSizes = array<i32: 2, 1, 1>}
  "geo.path"(%p, %a, %i, %p) {operandSegmentSizes = array<i32: 2, 1, 1>}
    : (!geo.point<i32>, !geo.point<i32>, index, !geo.point<i32>) -> ()
  // CHECK: "geo.measure"(%[[P]]) {unit = #geo.unit<"m">} : (!geo.point<i32>) -> ()
  "geo.measure"(%p) {unit = #geo.unit<"m">} : (!geo.point<i32>) -> ()
  // CHECK: "geo.each"(%[[P]]) ({
  "geo.each"(%p) ({
  ^body(%c: i32):
    llvm.unreachable
  }, {
  }) : (!geo.point<i32>) -> ()
  return
}
