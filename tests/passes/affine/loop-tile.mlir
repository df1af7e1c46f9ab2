// RUN: dl-opt %s --affine-loop-tile=tile-size=8 --split-input-file | FileCheck %s
// RUN: dl-opt %s --affine-loop-tile='tile-size=8 separate' --split-input-file | FileCheck %s --check-prefix=SEPARATE

// CHECK-LABEL: func.func @fill
func.func @fill(%m: memref<64x60xindex>) {
  // CHECK:      affine.for %[[I:arg[0-9]+]] = 0 to 64 step 8 {
  // CHECK-NEXT:   affine.for %[[J:arg[0-9]+]] = 0 to 60 step 8 {
  // CHECK-NEXT:     affine.for %[[II:arg[0-9]+]] = #{{map[0-9]*}}(%[[I]]) to #{{map[0-9]*}}(%[[I]]) {
  // CHECK-NEXT:       affine.for %[[JJ:arg[0-9]+]] = #{{map[0-9]*}}(%[[J]]) to min #{{map[0-9]*}}(%[[J]]) {
  // CHECK-NEXT:         affine.store %[[II]], %{{.*}}[%[[II]], %[[JJ]]]
  // SEPARATE: affine.if
  // SEPARATE: } else {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 60 {
      affine.store %i, %m[%i, %j] : memref<64x60xindex>
    }
  }
  return
}

// -----

// Each element comes of the one above to the right: distance (1, -1).
// CHECK-LABEL: func.func @against_the_tiles
func.func @against_the_tiles(%m: memref<66x66xf32>) {
  // CHECK-NOT: step 8
  // CHECK:     affine.store
  affine.for %i = 1 to 65 {
    affine.for %j = 0 to 64 {
      %x = affine.load %m[%i - 1, %j + 1] : memref<66x66xf32>
      affine.store %x, %m[%i, %j] : memref<66x66xf32>
    }
  }
  return
}

// -----

// Distance (1, 1).
// CHECK-LABEL: func.func @with_the_tiles
func.func @with_the_tiles(%m: memref<66x66xf32>) {
  // CHECK-COUNT-2: step 8
  affine.for %i = 1 to 65 {
    affine.for %j = 1 to 65 {
      %x = affine.load %m[%i - 1, %j - 1] : memref<66x66xf32>
      affine.store %x, %m[%i, %j] : memref<66x66xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @triangle
func.func @triangle(%m: memref<64x64xindex>) {
  // CHECK-NOT: step 8
  // CHECK:     affine.store
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.store %i, %m[%i, %j] : memref<64x64xindex>
    }
  }
  return
}

// -----

// An operation that nobody defines stands for what has no effect, unless it is given a buffer.
// CHECK-LABEL: func.func @not_registered
func.func @not_registered(%m: memref<64xf32>) {
  // CHECK-COUNT-2: step 8
  // CHECK:         "test.use"
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  // CHECK-NOT: step 8
  // CHECK:     "test.use"
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      "test.use"(%i, %j, %m) : (index, index, memref<64xf32>) -> ()
    }
  }
  return
}

// -----

// Tiles of one loop change no order.
// CHECK-LABEL: func.func @one_loop
func.func private @call(index)
func.func @one_loop() {
  // CHECK: affine.for %[[I:.*]] = 0 to 64 step 8 {
  // CHECK:   affine.for %[[J:.*]] = #{{.*}}(%[[I]])
  // CHECK:     func.call @call(%[[J]])
  affine.for %i = 0 to 64 {
    func.call @call(%i) : (index) -> ()
  }
  return
}
