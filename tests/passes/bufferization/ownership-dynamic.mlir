// RUN: dl-opt %s --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --split-input-file | FileCheck %s
// RUN: dl-opt %s --ownership-based-buffer-deallocation --split-input-file | FileCheck %s --check-prefix=WITHOUT

// CHECK-LABEL: func.func private @hands_back
//  CHECK-SAME:   (%[[A:[^:]*]]: memref<4xf32>) -> (memref<4xf32>, i1)
//   CHECK-NOT:   bufferization.clone
//       CHECK:   return %[[A]], %{{.*}} : memref<4xf32>, i1
// WITHOUT-LABEL: func.func private @hands_back
//  WITHOUT-SAME:   (%{{.*}}: memref<4xf32>) -> memref<4xf32>
//       WITHOUT:   bufferization.clone
func.func private @hands_back(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}

// CHECK-LABEL: func.func @caller
//       CHECK:   %[[B:.*]] = memref.alloc
//       CHECK:   %[[R:.*]]:2 = call @hands_back(%[[B]]) : (memref<4xf32>) -> (memref<4xf32>, i1)
//       CHECK:   bufferization.dealloc ({{.*}}) if ({{.*}}, %[[R]]#1)
func.func @caller(%out: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  %r = call @hands_back(%b) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  return
}

// -----

// What others may call keeps its type.
// CHECK-LABEL: func.func @public
//  CHECK-SAME:   (%{{.*}}: memref<4xf32>) -> memref<4xf32>
//       CHECK:   bufferization.clone
func.func @public(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}

// -----

// CHECK-LABEL: func.func private @declared(memref<4xf32>) -> memref<4xf32>
func.func private @declared(memref<4xf32>) -> memref<4xf32>

// CHECK-LABEL: func.func @calls_declared
//       CHECK:   call @declared(%{{.*}}) : (memref<4xf32>) -> memref<4xf32>
func.func @calls_declared(%a: memref<4xf32>) {
  %r = call @declared(%a) : (memref<4xf32>) -> memref<4xf32>
  return
}
