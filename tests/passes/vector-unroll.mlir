// RUN: dl-opt %s --vector-unroll='native-shape=2,2 contract-shape=4,4,2' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @elementwise
//  CHECK-SAME:   (%[[A:[a-z0-9_]+]]: vector<4x2xf32>, %[[ON:[a-z0-9_]+]]: i1)
func.func @elementwise(%a: vector<4x2xf32>, %on: i1) -> vector<4x2xf32> {
  // CHECK: %[[NONE:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : vector<4x2xf32>
  // CHECK: %[[A0:[a-z0-9_]+]] = vector.extract_strided_slice %[[A]] {offsets = [0, 0], sizes = [2, 2], strides = [1, 1]}
  // CHECK: %[[B0:[a-z0-9_]+]] = math.exp %[[A0]] fastmath<nnan> : vector<2x2xf32>
  // CHECK: %[[C0:[a-z0-9_]+]] = vector.insert_strided_slice %[[B0]], %[[NONE]] {offsets = [0, 0], strides = [1, 1]}
  // CHECK: %[[A1:[a-z0-9_]+]] = vector.extract_strided_slice %[[A]] {offsets = [2, 0], sizes = [2, 2], strides = [1, 1]}
  // CHECK: %[[B1:[a-z0-9_]+]] = math.exp %[[A1]] fastmath<nnan> : vector<2x2xf32>
  // CHECK: %[[C1:[a-z0-9_]+]] = vector.insert_strided_slice %[[B1]], %[[C0]] {offsets = [2, 0], strides = [1, 1]}
  // CHECK: return %[[C1]]
  %0 = math.exp %a fastmath<nnan> : vector<4x2xf32>
  return %0 : vector<4x2xf32>
}

// -----

// One part uses what the one before made: no vector of the whole is needed between.
// CHECK-LABEL: func.func @chain
//  CHECK-SAME:   (%[[A:[a-z0-9_]+]]: vector<2x4xf32>, %[[ON:[a-z0-9_]+]]: i1)
func.func @chain(%a: vector<2x4xf32>, %on: i1) -> vector<2x4xf32> {
  // CHECK: %[[X:[a-z0-9_]+]] = arith.negf %{{[a-z0-9_]+}} : vector<2x2xf32>
  // CHECK: arith.select %[[ON]], %[[X]], {{.*}} : vector<2x2xf32>
  %0 = arith.negf %a : vector<2x4xf32>
  %1 = arith.select %on, %0, %a : vector<2x4xf32>
  return %1 : vector<2x4xf32>
}

// -----

// Shapes are aligned at the last dimension: (2, 2) is (1, 2, 2) here, and (2) there.
// CHECK-LABEL: func.func @other_ranks
func.func @other_ranks(%a: vector<2x2x2xi8>, %b: vector<4xi8>) -> (vector<2x2x2xi8>, vector<4xi8>) {
  // CHECK-COUNT-2: arith.addi {{.*}} : vector<1x2x2xi8>
  // CHECK-COUNT-2: arith.addi {{.*}} : vector<2xi8>
  %0 = arith.addi %a, %a : vector<2x2x2xi8>
  %1 = arith.addi %b, %b : vector<4xi8>
  return %0, %1 : vector<2x2x2xi8>, vector<4xi8>
}

// -----

// No multiple of the shape, of that shape, scalable, or no vectors at all.
// CHECK-LABEL: func.func @stay
func.func @stay(%a: vector<5x2xi8>, %b: vector<2x2xi8>, %c: vector<2x[4]xi8>, %d: tensor<4x4xi8>) -> (vector<5x2xi8>, vector<2x2xi8>, vector<2x[4]xi8>, tensor<4x4xi8>) {
  // CHECK-NOT: slice
  %0 = arith.addi %a, %a : vector<5x2xi8>
  %1 = arith.addi %b, %b : vector<2x2xi8>
  %2 = arith.addi %c, %c : vector<2x[4]xi8>
  %3 = arith.addi %d, %d : tensor<4x4xi8>
  // CHECK: return
  return %0, %1, %2, %3 : vector<5x2xi8>, vector<2x2xi8>, vector<2x[4]xi8>, tensor<4x4xi8>
}

// -----

// CHECK-LABEL: func.func @transpose
//  CHECK-SAME:   (%[[A:[a-z0-9_]+]]: vector<2x4xi8>)
func.func @transpose(%a: vector<2x4xi8>) -> vector<4x2xi8> {
  // CHECK: %[[L:[a-z0-9_]+]] = vector.extract_strided_slice %[[A]] {offsets = [0, 0], sizes = [2, 2]
  // CHECK: vector.transpose %[[L]], [1, 0] : vector<2x2xi8> to vector<2x2xi8>
  // CHECK: %[[R:[a-z0-9_]+]] = vector.extract_strided_slice %[[A]] {offsets = [0, 2], sizes = [2, 2]
  // CHECK: %[[T:[a-z0-9_]+]] = vector.transpose %[[R]], [1, 0] : vector<2x2xi8> to vector<2x2xi8>
  // CHECK: vector.insert_strided_slice %[[T]], %{{[a-z0-9_]+}} {offsets = [2, 0], strides = [1, 1]}
  %0 = vector.transpose %a, [1, 0] : vector<2x4xi8> to vector<4x2xi8>
  return %0 : vector<4x2xi8>
}

// -----

// A dimension of extent 1 is repeated in each part.
// CHECK-LABEL: func.func @broadcast
//  CHECK-SAME:   (%[[A:[a-z0-9_]+]]: vector<2x1xi8>, %[[S:[a-z0-9_]+]]: i8)
func.func @broadcast(%a: vector<2x1xi8>, %s: i8) -> (vector<2x4xi8>, vector<2x4xi8>) {
  // CHECK-COUNT-2: vector.broadcast %[[A]] : vector<2x1xi8> to vector<2x2xi8>
  // CHECK-COUNT-2: vector.broadcast %[[S]] : i8 to vector<2x2xi8>
  %0 = vector.broadcast %a : vector<2x1xi8> to vector<2x4xi8>
  %1 = vector.broadcast %s : i8 to vector<2x4xi8>
  return %0, %1 : vector<2x4xi8>, vector<2x4xi8>
}

// -----

// Each sum goes on from where it was in the part before.
// CHECK-LABEL: func.func @multi_reduction
//  CHECK-SAME:   (%[[A:[a-z0-9_]+]]: vector<4x4xf32>, %[[S:[a-z0-9_]+]]: vector<4xf32>)
func.func @multi_reduction(%a: vector<4x4xf32>, %s: vector<4xf32>) -> vector<4xf32> {
  // CHECK: %[[A00:[a-z0-9_]+]] = vector.extract_strided_slice %[[A]] {offsets = [0, 0]
  // CHECK: %[[S0:[a-z0-9_]+]] = vector.extract_strided_slice %[[S]] {offsets = [0], sizes = [2]
  // CHECK: %[[T0:[a-z0-9_]+]] = vector.multi_reduction <add>, %[[A00]], %[[S0]] [1] : vector<2x2xf32> to vector<2xf32>
  // CHECK: %[[A01:[a-z0-9_]+]] = vector.extract_strided_slice %[[A]] {offsets = [0, 2]
  // CHECK: %[[U0:[a-z0-9_]+]] = vector.multi_reduction <add>, %[[A01]], %[[T0]] [1]
  // CHECK: %[[S1:[a-z0-9_]+]] = vector.extract_strided_slice %[[S]] {offsets = [2], sizes = [2]
  // CHECK: %[[T1:[a-z0-9_]+]] = vector.multi_reduction <add>, %{{[a-z0-9_]+}}, %[[S1]] [1]
  // CHECK: %[[U1:[a-z0-9_]+]] = vector.multi_reduction <add>, %{{[a-z0-9_]+}}, %[[T1]] [1]
  // CHECK: %[[V:[a-z0-9_]+]] = vector.insert_strided_slice %[[U0]], %{{[a-z0-9_]+}} {offsets = [0], strides = [1]}
  // CHECK: vector.insert_strided_slice %[[U1]], %[[V]] {offsets = [2], strides = [1]}
  %0 = vector.multi_reduction <add>, %a, %s [1] : vector<4x4xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// Parts of several rows would be added up in another order than row after row: that is for integers, and for the greatest of floats.
// CHECK-LABEL: func.func @order_of_sums
func.func @order_of_sums(%a: vector<4x4xf32>, %b: vector<4x4xi32>, %s: f32, %t: i32) -> (f32, i32, f32) {
  // CHECK: vector.multi_reduction <add>, {{.*}} : vector<4x4xf32> to f32
  // CHECK-COUNT-4: vector.multi_reduction <add>, {{.*}} : vector<2x2xi32> to i32
  // CHECK-COUNT-4: vector.multi_reduction <maximumf>, {{.*}} : vector<2x2xf32> to f32
  %0 = vector.multi_reduction <add>, %a, %s [0, 1] : vector<4x4xf32> to f32
  %1 = vector.multi_reduction <add>, %b, %t [0, 1] : vector<4x4xi32> to i32
  %2 = vector.multi_reduction <maximumf>, %a, %s [0, 1] : vector<4x4xf32> to f32
  return %0, %1, %2 : f32, i32, f32
}

// -----

// CHECK-LABEL: func.func @reduction
//  CHECK-SAME:   (%[[A:[a-z0-9_]+]]: vector<4xf32>, %[[S:[a-z0-9_]+]]: f32)
func.func @reduction(%a: vector<4xf32>, %s: f32) -> (f32, f32) {
  // CHECK: %[[X:[a-z0-9_]+]] = vector.reduction <add>, {{.*}} : vector<2xf32> into f32
  // CHECK: %[[XX:[a-z0-9_]+]] = vector.reduction <add>, %{{[a-z0-9_]+}}, %[[X]] : vector<2xf32> into f32
  // CHECK: %[[Y:[a-z0-9_]+]] = vector.reduction <mul>, %{{[a-z0-9_]+}}, %[[S]] : vector<2xf32> into f32
  // CHECK: %[[YY:[a-z0-9_]+]] = vector.reduction <mul>, %{{[a-z0-9_]+}}, %[[Y]] : vector<2xf32> into f32
  // CHECK: return %[[XX]], %[[YY]]
  %0 = vector.reduction <add>, %a : vector<4xf32> into f32
  %1 = vector.reduction <mul>, %a, %s : vector<4xf32> into f32
  return %0, %1 : f32, f32
}

// -----

// Parts of four rows, four columns and two products.
// CHECK-LABEL: func.func @contract
//  CHECK-SAME:   (%[[A:[a-z0-9_]+]]: vector<4x4xf32>, %[[B:[a-z0-9_]+]]: vector<8x4xf32>, %[[C:[a-z0-9_]+]]: vector<4x8xf32>)
func.func @contract(%a: vector<4x4xf32>, %b: vector<8x4xf32>, %c: vector<4x8xf32>) -> vector<4x8xf32> {
  // CHECK: %[[A0:[a-z0-9_]+]] = vector.extract_strided_slice %[[A]] {offsets = [0, 0], sizes = [4, 2]
  // CHECK: %[[B00:[a-z0-9_]+]] = vector.extract_strided_slice %[[B]] {offsets = [0, 0], sizes = [4, 2]
  // CHECK: %[[C0:[a-z0-9_]+]] = vector.extract_strided_slice %[[C]] {offsets = [0, 0], sizes = [4, 4]
  // CHECK: %[[D0:[a-z0-9_]+]] = vector.contract {{[^%]+}} %[[A0]], %[[B00]], %[[C0]] : vector<4x2xf32>, vector<4x2xf32> into vector<4x4xf32>
  // CHECK: %[[A1:[a-z0-9_]+]] = vector.extract_strided_slice %[[A]] {offsets = [0, 2], sizes = [4, 2]
  // CHECK: %[[B01:[a-z0-9_]+]] = vector.extract_strided_slice %[[B]] {offsets = [0, 2], sizes = [4, 2]
  // CHECK: %[[E0:[a-z0-9_]+]] = vector.contract {{[^%]+}} %[[A1]], %[[B01]], %[[D0]]
  // CHECK: %[[B10:[a-z0-9_]+]] = vector.extract_strided_slice %[[B]] {offsets = [4, 0], sizes = [4, 2]
  // CHECK: %[[C1:[a-z0-9_]+]] = vector.extract_strided_slice %[[C]] {offsets = [0, 4], sizes = [4, 4]
  // CHECK: %[[D1:[a-z0-9_]+]] = vector.contract {{[^%]+}} %{{[a-z0-9_]+}}, %[[B10]], %[[C1]]
  // CHECK: %[[E1:[a-z0-9_]+]] = vector.contract {{[^%]+}} %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %[[D1]]
  // CHECK: %[[R:[a-z0-9_]+]] = vector.insert_strided_slice %[[E0]], %{{[a-z0-9_]+}} {offsets = [0, 0]
  // CHECK: vector.insert_strided_slice %[[E1]], %[[R]] {offsets = [0, 4]
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } %a, %b, %c : vector<4x4xf32>, vector<8x4xf32> into vector<4x8xf32>
  return %0 : vector<4x8xf32>
}

// -----

// What is under a mask stays.
// CHECK-LABEL: func.func @masked
func.func @masked(%a: vector<4xi8>, %on: vector<4xi1>) -> i8 {
  // CHECK: vector.mask %{{[a-z0-9_]+}} { vector.reduction <add>, {{.*}} : vector<4xi8> into i8 }
  %0 = vector.mask %on { vector.reduction <add>, %a : vector<4xi8> into i8 } : vector<4xi1> -> i8
  return %0 : i8
}

// -----

// CHECK-LABEL: func.func @step
func.func @step() -> vector<4xindex> {
  // CHECK-DAG: %[[TWO:[a-z0-9_]+]] = arith.constant dense<2> : vector<2xindex>
  // CHECK-DAG: %[[STEP:[a-z0-9_]+]] = vector.step : vector<2xindex>
  // CHECK: %[[S0:[a-z0-9_]+]] = vector.insert_strided_slice %[[STEP]], %{{[a-z0-9_]+}} {offsets = [0], strides = [1]}
  // CHECK: %[[S1:[a-z0-9_]+]] = arith.addi %[[STEP]], %[[TWO]]
  // CHECK: vector.insert_strided_slice %[[S1]], %[[S0]] {offsets = [2], strides = [1]}
  %0 = vector.step : vector<4xindex>
  return %0 : vector<4xindex>
}

// -----

// The second part is on as far as the size is above 2. A negative size is none.
// CHECK-LABEL: func.func @mask
//  CHECK-SAME:   (%[[N:[a-z0-9_]+]]: index)
func.func @mask(%n: index) -> vector<4xi1> {
  // CHECK-DAG: %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
  // CHECK-DAG: %[[C2:[a-z0-9_]+]] = arith.constant 2 : index
  // CHECK: vector.create_mask %[[N]] : vector<2xi1>
  // CHECK: %[[SIZE:[a-z0-9_]+]] = arith.maxsi %[[N]], %[[C0]]
  // CHECK: %[[REST:[a-z0-9_]+]] = arith.subi %[[SIZE]], %[[C2]]
  // CHECK: vector.create_mask %[[REST]] : vector<2xi1>
  %0 = vector.create_mask %n : vector<4xi1>
  return %0 : vector<4xi1>
}

// -----

// CHECK-LABEL: func.func @gather
//  CHECK-SAME:   (%[[M:[a-z0-9_]+]]: memref<?xf32>, %[[I:[a-z0-9_]+]]: index
func.func @gather(%m: memref<?xf32>, %i: index, %at: vector<4xindex>, %on: vector<4xi1>, %off: vector<4xf32>) -> vector<4xf32> {
  // CHECK-COUNT-2: vector.gather %[[M]][%[[I]]] {{.*}} : memref<?xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  %0 = vector.gather %m[%i] [%at], %on, %off : memref<?xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}
