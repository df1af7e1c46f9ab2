// RUN: dl-opt %s | dl-opt | FileCheck %s
// RUN: dl-opt %s --mlir-print-op-generic | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode -o - | dl-opt | FileCheck %s

// CHECK-LABEL: @all
// CHECK-SAME: !posit.p<16>
func.func @all(%x: !posit.p<16>, %b: i16) -> (!posit.p<16>, i16, i1) {
  // CHECK: posit.constant 1.500000e+00 : !posit.p<16>
  %c = posit.constant 1.5 : !posit.p<16>
  // CHECK: posit.from_bits %{{.*}} : i16 -> !posit.p<16>
  %y = posit.from_bits %b : i16 -> !posit.p<16>
  // CHECK: posit.add %{{.*}}, %{{.*}} : !posit.p<16>
  %0 = posit.add %x, %y : !posit.p<16>
  // CHECK: posit.sub
  %1 = posit.sub %0, %c : !posit.p<16>
  // CHECK: posit.mul
  %2 = posit.mul %1, %y : !posit.p<16>
  // CHECK: posit.div
  %3 = posit.div %2, %x : !posit.p<16>
  // CHECK: posit.neg %{{.*}} : !posit.p<16>
  %4 = posit.neg %3 : !posit.p<16>
  // CHECK: posit.less %{{.*}}, %{{.*}} : !posit.p<16>
  %5 = posit.less %4, %x : !posit.p<16>
  // CHECK: posit.to_bits %{{.*}} : !posit.p<16> -> i16
  %6 = posit.to_bits %4 : !posit.p<16> -> i16
  return %4, %6, %5 : !posit.p<16>, i16, i1
}
