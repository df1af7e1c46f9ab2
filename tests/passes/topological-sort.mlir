// RUN: dl-opt %s --topological-sort --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: test.graph_region
// CHECK-NEXT: %[[C:.*]] = "test.c"
// CHECK-NEXT: %[[B:.*]] = "test.b"(%[[C]])
// CHECK-NEXT: "test.a"(%[[B]], %[[C]])
"test.graph_region"() ({
  "test.a"(%b, %c) : (i32, i32) -> ()
  %b = "test.b"(%c) : (i32) -> i32
  %c = "test.c"() : () -> i32
}) : () -> ()

// What is used inside of regions counts.
// CHECK-LABEL: test.graph_region
// CHECK-NEXT: %[[B:.*]] = "test.b"
// CHECK-NEXT: "test.a"() ({
// CHECK-NEXT: "test.use"(%[[B]])
"test.graph_region"() ({
  "test.a"() ({
    "test.use"(%b) : (i32) -> ()
  }) : () -> ()
  %b = "test.b"() : () -> i32
}) : () -> ()

// A cycle is cut at its first operation, after all that is in none.
// CHECK-LABEL: test.graph_region
// CHECK-NEXT: "test.first"
// CHECK-NEXT: "test.last"
// CHECK-NEXT: %[[A:[0-9]+]] = "test.a"(%[[B:[0-9]+]])
// CHECK-NEXT: %[[B]] = "test.b"(%[[A]])
"test.graph_region"() ({
  "test.first"() : () -> ()
  %a = "test.a"(%b) : (i32) -> i32
  %b = "test.b"(%a) : (i32) -> i32
  "test.last"() : () -> ()
}) : () -> ()

// Where definitions must dominate, nothing is moved.
// CHECK-LABEL: func.func @ordered
// CHECK-NEXT: "test.a"
// CHECK-NEXT: "test.b"
func.func @ordered() {
  "test.a"() : () -> ()
  "test.b"() : () -> ()
  return
}
