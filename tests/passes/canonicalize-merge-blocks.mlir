// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(canonicalize{region-simplify=aggressive}))' --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(canonicalize{region-simplify=normal}))' --allow-unregistered-dialect | FileCheck %s --check-prefix=NORMAL

// Blocks that do the same are one.
// CHECK-LABEL: func.func @same_return
//  CHECK-SAME:   (%[[X:.*]]: i32)
//       CHECK:   "t.switch"()[^bb1, ^bb1, ^bb1]
//  CHECK-NEXT: ^bb1:
//  CHECK-NEXT:   %[[Y:.*]] = "t.work"(%[[X]])
//  CHECK-NEXT:   return %[[Y]]
//  CHECK-NEXT: }
// NORMAL-LABEL: func.func @same_return
// NORMAL: "t.switch"()[^bb1, ^bb2, ^bb3]
func.func @same_return(%x: i32) -> i32 {
  "t.switch"() [^a, ^b, ^c] : () -> ()
^a:
  %0 = "t.work"(%x) : (i32) -> i32
  return %0 : i32
^b:
  %1 = "t.work"(%x) : (i32) -> i32
  return %1 : i32
^c:
  %2 = "t.work"(%x) : (i32) -> i32
  return %2 : i32
}

// What they differ in is passed by the branches, equal values once.
// CHECK-LABEL: func.func @different_values
//  CHECK-SAME:   (%[[A:.*]]: i32, %[[B:.*]]: i32, %[[T:.*]]: i1, %[[U:.*]]: i1)
//       CHECK:   cf.br ^[[HEAD:bb[0-9]+]]
//       CHECK:   cf.cond_br %[[T]], ^[[BODY:bb[0-9]+]](%[[A]], %[[B]] : i32, i32), ^[[MIDDLE:bb[0-9]+]]
//  CHECK-NEXT: ^[[BODY]](%[[P:.*]]: i32, %[[Q:.*]]: i32):
//  CHECK-NEXT:   "t.use"(%[[P]], %[[Q]], %[[P]])
//  CHECK-NEXT:   cf.br ^[[HEAD]]
//       CHECK: ^[[MIDDLE]]:
//       CHECK:   cf.cond_br %[[U]], ^[[BODY]](%[[B]], %[[A]] : i32, i32), ^
//       CHECK:   return
func.func @different_values(%a: i32, %b: i32, %t: i1, %u: i1) {
  cf.br ^head
^head:
  "t.enter"() : () -> ()
  cf.cond_br %t, ^left, ^middle
^left:
  "t.use"(%a, %b, %a) : (i32, i32, i32) -> ()
  cf.br ^head
^middle:
  "t.more"() : () -> ()
  cf.cond_br %u, ^right, ^exit
^right:
  "t.use"(%b, %a, %b) : (i32, i32, i32) -> ()
  cf.br ^head
^exit:
  return
}

// An unknown terminator cannot be told to pass more.
// CHECK-LABEL: func.func @unknown_terminator
//       CHECK:   "t.switch"()[^bb1, ^bb2]
func.func @unknown_terminator(%a: i32, %b: i32) -> i32 {
  "t.switch"() [^left, ^right] : () -> ()
^left:
  return %a : i32
^right:
  return %b : i32
}

// Operations, attributes, types and the number of operations must be the same.
// CHECK-LABEL: func.func @different_blocks
//       CHECK:   "t.switch"()[^bb1, ^bb2, ^bb3, ^bb4]
func.func @different_blocks(%a: i32, %b: i64) {
  "t.switch"() [^one, ^two, ^three, ^four] : () -> ()
^one:
  "t.use"(%a) {n = 1} : (i32) -> ()
  return
^two:
  "t.use"(%a) {n = 2} : (i32) -> ()
  return
^three:
  "t.use"(%b) {n = 1} : (i64) -> ()
  return
^four:
  "t.use"(%a) {n = 1} : (i32) -> ()
  "t.use"(%a) {n = 1} : (i32) -> ()
  return
}

// A value that is used in another block would be defined in a different place.
// CHECK-LABEL: func.func @used_outside
//       CHECK:   %[[FIRST:.*]] = "t.make"()
//       CHECK:   %[[SECOND:.*]] = "t.make"()
//       CHECK:   "t.use"(%{{.*}}, %[[FIRST]])
func.func @used_outside(%t: i1) {
  cf.cond_br %t, ^left, ^exit
^left:
  %0 = "t.make"() : () -> i32
  cf.br ^next(%0 : i32)
^right:
  %1 = "t.make"() : () -> i32
  cf.br ^next(%1 : i32)
^next(%last: i32):
  "t.use"(%last, %0) : (i32, i32) -> ()
  cf.cond_br %t, ^right, ^exit
^exit:
  return
}

// Blocks with regions stay apart.
// CHECK-LABEL: func.func @regions
//       CHECK:   "t.switch"()[^bb1, ^bb2]
func.func @regions(%t: i1) {
  "t.switch"() [^left, ^right] : () -> ()
^left:
  scf.if %t {
    "t.use"() : () -> ()
  }
  return
^right:
  scf.if %t {
    "t.use"() : () -> ()
  }
  return
}
