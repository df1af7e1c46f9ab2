// RUN: dl-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --allow-unregistered-dialect | dl-opt --allow-unregistered-dialect | FileCheck %s

// Inside of an operation in generic form, names without a dialect mean what they mean around it.
// CHECK: "foo.scope"() ({
// CHECK-NEXT: module @inner {
"foo.scope"() ({
  module @inner {
  }
}) : () -> ()
