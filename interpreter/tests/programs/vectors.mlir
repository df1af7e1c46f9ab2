// What vectors do with masks, with bits and with memory at many places. Expected values are from NumPy, or follow from the definitions.

// EVAL @bitcast(dense<[1, -2]> : vector<2xi16>) == dense<[1, 0, -2, -1]> : vector<4xi8>, dense<0xFFFE0001> : vector<1xi32>
func.func @bitcast(%v: vector<2xi16>) -> (vector<4xi8>, vector<1xi32>) {
  %0 = vector.bitcast %v : vector<2xi16> to vector<4xi8>
  %1 = vector.bitcast %v : vector<2xi16> to vector<1xi32>
  return %0, %1 : vector<4xi8>, vector<1xi32>
}

// EVAL @gather(&dense<[10, 11, 12, 13]> : tensor<4xi32>, dense<[3, 0, 9]> : vector<3xi32>, dense<[true, true, false]> : vector<3xi1>) == dense<[13, 10, -1]> : vector<3xi32>
func.func @gather(%m: memref<4xi32>, %at: vector<3xi32>, %mask: vector<3xi1>) -> vector<3xi32> {
  %c0 = arith.constant 0 : index
  %pass = arith.constant dense<-1> : vector<3xi32>
  %0 = vector.gather %m[%c0] [%at], %mask, %pass : memref<4xi32>, vector<3xi32>, vector<3xi1>, vector<3xi32> into vector<3xi32>
  return %0 : vector<3xi32>
}

// EVAL @scatter(&dense<0> : tensor<4xi32>) == dense<[7, 0, 0, 6]> : tensor<4xi32>
func.func @scatter(%m: memref<4xi32>) -> memref<4xi32> {
  %c0 = arith.constant 0 : index
  %at = arith.constant dense<[3, 0, 1]> : vector<3xindex>
  %mask = arith.constant dense<[true, true, false]> : vector<3xi1>
  %v = arith.constant dense<[6, 7, 8]> : vector<3xi32>
  vector.scatter %m[%c0] [%at], %mask, %v : memref<4xi32>, vector<3xindex>, vector<3xi1>, vector<3xi32>
  return %m : memref<4xi32>
}

// EVAL @expand_and_compress(&dense<[1, 2, 3, 4]> : tensor<4xi32>, &dense<0> : tensor<4xi32>) == dense<[1, -1, 2]> : vector<3xi32>, dense<[1, 2, 0, 0]> : tensor<4xi32>
func.func @expand_and_compress(%m: memref<4xi32>, %to: memref<4xi32>) -> (vector<3xi32>, memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %mask = arith.constant dense<[true, false, true]> : vector<3xi1>
  %pass = arith.constant dense<-1> : vector<3xi32>
  %0 = vector.expandload %m[%c0], %mask, %pass : memref<4xi32>, vector<3xi1>, vector<3xi32> into vector<3xi32>
  vector.compressstore %to[%c0], %mask, %0 : memref<4xi32>, vector<3xi1>, vector<3xi32>
  return %0, %to : vector<3xi32>, memref<4xi32>
}

// numpy.outer([1, 2], [3, 4, 5]) + 1
// EVAL @outer() == dense<[[4, 5, 6], [7, 9, 11]]> : vector<2x3xi32>
func.func @outer() -> vector<2x3xi32> {
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %b = arith.constant dense<[3, 4, 5]> : vector<3xi32>
  %acc = arith.constant dense<1> : vector<2x3xi32>
  %0 = vector.outerproduct %a, %b, %acc : vector<2xi32>, vector<3xi32>
  return %0 : vector<2x3xi32>
}

// numpy.cumsum([1, 2, 3]), and the same without the last element but with 10 in front
// EVAL @scan() == dense<[1, 3, 6]> : vector<3xi32>, dense<6> : vector<i32>, dense<[10, 11, 13]> : vector<3xi32>, dense<13> : vector<i32>
func.func @scan() -> (vector<3xi32>, vector<i32>, vector<3xi32>, vector<i32>) {
  %v = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %i = arith.constant dense<10> : vector<i32>
  %0:2 = vector.scan <add>, %v, %i {inclusive = true, reduction_dim = 0 : i64} : vector<3xi32>, vector<i32>
  %1:2 = vector.scan <add>, %v, %i {inclusive = false, reduction_dim = 0 : i64} : vector<3xi32>, vector<i32>
  return %0#0, %0#1, %1#0, %1#1 : vector<3xi32>, vector<i32>, vector<3xi32>, vector<i32>
}

// EVAL @masked_reduction(dense<[1, 2, 3]> : vector<3xi32>, dense<[true, false, true]> : vector<3xi1>) == 4 : i32, 14 : i32
func.func @masked_reduction(%v: vector<3xi32>, %mask: vector<3xi1>) -> (i32, i32) {
  %c10 = arith.constant 10 : i32
  %0 = vector.mask %mask { vector.reduction <add>, %v : vector<3xi32> into i32 } : vector<3xi1> -> i32
  %1 = vector.mask %mask { vector.reduction <add>, %v, %c10 : vector<3xi32> into i32 } : vector<3xi1> -> i32
  return %0, %1 : i32, i32
}

// EVAL @masked_transfer(&dense<[1, 2, 3, 4]> : tensor<4xi32>) == dense<[1, 0, 3]> : vector<3xi32>
func.func @masked_transfer(%m: memref<4xi32>) -> vector<3xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %mask = arith.constant dense<[true, false, true]> : vector<3xi1>
  %0 = vector.mask %mask { vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<4xi32>, vector<3xi32> } : vector<3xi1> -> vector<3xi32>
  return %0 : vector<3xi32>
}

// EVAL @type_cast(&dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>) == dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
func.func @type_cast(%m: memref<2x2xi32>) -> vector<2x2xi32> {
  %0 = vector.type_cast %m : memref<2x2xi32> to memref<vector<2x2xi32>>
  %1 = memref.load %0[] : memref<vector<2x2xi32>>
  return %1 : vector<2x2xi32>
}

// One unit of scalable length, unless a run is told otherwise.
// EVAL @scalable() == 1 : index, dense<[5, 5]> : vector<2xi32>
func.func @scalable() -> (index, vector<2xi32>) {
  %0 = vector.vscale
  %v = arith.constant dense<5> : vector<[4]xi32>
  %1 = vector.scalable.extract %v[2] : vector<2xi32> from vector<[4]xi32>
  return %0, %1 : index, vector<2xi32>
}
