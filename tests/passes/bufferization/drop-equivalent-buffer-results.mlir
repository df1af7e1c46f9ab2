// RUN: dl-opt %s --drop-equivalent-buffer-results --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @one_of_two
//  CHECK-SAME:   (%{{.*}}: memref<4xf32>, %[[X:.*]]: f32) -> f32
//       CHECK:   return %{{.*}} : f32
func.func private @one_of_two(%a: memref<4xf32>, %x: f32) -> (memref<4xf32>, f32) {
  %y = arith.negf %x : f32
  return %a, %y : memref<4xf32>, f32
}

// CHECK-LABEL: func.func @caller
//  CHECK-SAME:   (%[[A:.*]]: memref<4xf32>, %[[X:.*]]: f32)
//  CHECK-NEXT:   %[[R:.*]] = call @one_of_two(%[[A]], %[[X]]) : (memref<4xf32>, f32) -> f32
//  CHECK-NEXT:   %[[I:.*]] = arith.constant 0
//  CHECK-NEXT:   memref.store %[[R]], %[[A]][%[[I]]]
func.func @caller(%a: memref<4xf32>, %x: f32) {
  %b, %y = call @one_of_two(%a, %x) : (memref<4xf32>, f32) -> (memref<4xf32>, f32)
  %i = arith.constant 0 : index
  memref.store %y, %b[%i] : memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func private @cast
//  CHECK-SAME:   (%{{.*}}: memref<4xf32>) {
func.func private @cast(%a: memref<4xf32>) -> memref<?xf32> {
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  return %b : memref<?xf32>
}

// CHECK-LABEL: func.func @caller_of_cast
//  CHECK-SAME:   (%[[A:[^:]*]]: memref<4xf32>
//  CHECK-NEXT:   call @cast(%[[A]]) : (memref<4xf32>) -> ()
//  CHECK-NEXT:   %[[B:.*]] = memref.cast %[[A]] : memref<4xf32> to memref<?xf32>
//  CHECK-NEXT:   memref.copy %[[B]]
func.func @caller_of_cast(%a: memref<4xf32>, %out: memref<?xf32>) {
  %b = call @cast(%a) : (memref<4xf32>) -> memref<?xf32>
  memref.copy %b, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

// Other modules may call it.
// CHECK-LABEL: func.func @public
//  CHECK-SAME:   -> memref<4xf32>
func.func @public(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}

// -----

// CHECK-LABEL: func.func private @new_buffer
//  CHECK-SAME:   -> memref<4xf32>
func.func private @new_buffer() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// -----

// CHECK-LABEL: func.func private @same_at_each_return
//  CHECK-SAME:   (%{{.*}}: i1, %{{.*}}: memref<4xf32>) {
func.func private @same_at_each_return(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^one, ^two
^one:
  return %a : memref<4xf32>
^two:
  return %a : memref<4xf32>
}

// -----

// CHECK-LABEL: func.func private @another_at_each_return
//  CHECK-SAME:   -> memref<4xf32>
func.func private @another_at_each_return(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^one, ^two
^one:
  return %a : memref<4xf32>
^two:
  return %b : memref<4xf32>
}

// -----

// What it is called by as a value takes the results that it has.
// CHECK-LABEL: func.func private @value
//  CHECK-SAME:   -> memref<4xf32>
func.func private @value(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}

// CHECK-LABEL: func.func @user_of_value
//       CHECK:   constant @value : (memref<4xf32>) -> memref<4xf32>
//       CHECK:   call @value(%{{.*}}) : (memref<4xf32>) -> memref<4xf32>
func.func @user_of_value(%a: memref<4xf32>) -> memref<4xf32> {
  %f = constant @value : (memref<4xf32>) -> memref<4xf32>
  %0 = call @value(%a) : (memref<4xf32>) -> memref<4xf32>
  %1 = call_indirect %f(%0) : (memref<4xf32>) -> memref<4xf32>
  return %1 : memref<4xf32>
}

// -----

// In a module of its own the same name is another function.
// CHECK-LABEL: func.func private @same_name
//  CHECK-SAME:   (%{{.*}}: memref<4xf32>) {
func.func private @same_name(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}

// CHECK: %[[M:.*]] = memref.alloc() : memref<4xf32>
// CHECK: func.call @same_name(%[[M]]) : (memref<4xf32>) -> ()
// CHECK: memref.dealloc %[[M]]
%m = memref.alloc() : memref<4xf32>
%r = func.call @same_name(%m) : (memref<4xf32>) -> memref<4xf32>
memref.dealloc %r : memref<4xf32>

// CHECK: module @inner
// CHECK:   func.func private @same_name(memref<4xf32>) -> memref<4xf32>
// CHECK:   call @same_name(%{{.*}}) : (memref<4xf32>) -> memref<4xf32>
module @inner {
  func.func private @same_name(memref<4xf32>) -> memref<4xf32>
  func.func @caller(%a: memref<4xf32>) -> memref<4xf32> {
    %r = call @same_name(%a) : (memref<4xf32>) -> memref<4xf32>
    return %r : memref<4xf32>
  }
}
