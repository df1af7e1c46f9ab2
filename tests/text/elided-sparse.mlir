// RUN: dl-opt %s --mlir-elide-elementsattrs-if-larger=1 --allow-unregistered-dialect | FileCheck %s

// Of sparse elements those count that the text has.
// CHECK: one = sparse<0, 1> : tensor<4xi32>
// CHECK-SAME: two = dense_resource<__elided__> : tensor<4xi32>
"test.op"() {one = sparse<0, 1> : tensor<4xi32>, two = sparse<[[0], [2]], [1, 2]> : tensor<4xi32>} : () -> ()
