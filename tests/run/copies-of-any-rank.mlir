// Copies between memrefs of unknown rank and of strides: into the middle of a frame, and with dimensions swapped. Expected values by hand.
// RUN: dl-run %s --backend=%{back-end} --entry=frame --input='[[1, 2], [3, 4]]' --input='[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]' --output=- --output=- | FileCheck %s --check-prefix=FRAME
// RUN: dl-run %s --backend=%{back-end} --entry=transpose --input='[[1, 2, 3], [4, 5, 6]]' --input='[[0, 0], [0, 0], [0, 0]]' --output=- --output=- | FileCheck %s --check-prefix=TRANSPOSE

//      FRAME: {{\[\[}}0 0 0 0]
// FRAME-NEXT: [0 1 2 0]
// FRAME-NEXT: [0 3 4 0]]
func.func @frame(%a: memref<2x2xi32>, %o: memref<3x4xi32>) {
  %window = memref.subview %o[1, 1] [2, 2] [1, 1] : memref<3x4xi32> to memref<2x2xi32, strided<[4, 1], offset: 5>>
  %from = memref.cast %a : memref<2x2xi32> to memref<*xi32>
  %to = memref.cast %window : memref<2x2xi32, strided<[4, 1], offset: 5>> to memref<*xi32>
  memref.copy %from, %to : memref<*xi32> to memref<*xi32>
  return
}

//      TRANSPOSE: {{\[\[}}1 4]
// TRANSPOSE-NEXT: [2 5]
// TRANSPOSE-NEXT: [3 6]]
func.func @transpose(%a: memref<2x3xi32>, %o: memref<3x2xi32>) {
  %columns = memref.transpose %a (i, j) -> (j, i) : memref<2x3xi32> to memref<3x2xi32, affine_map<(i, j) -> (i + j * 3)>>
  memref.copy %columns, %o : memref<3x2xi32, affine_map<(i, j) -> (i + j * 3)>> to memref<3x2xi32>
  return
}
