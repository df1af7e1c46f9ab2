// Without a shape, parts are registers of the target: of 512 bits, 16 numbers of 32 bits or 64 of 8. Contractions have no such shape.

// RUN: dl-opt %s --dl-attach-target=target-cpu=skylake-avx512 --vector-unroll | FileCheck %s
// RUN: dl-opt %s --vector-unroll | FileCheck %s --check-prefix=NO-TARGET
// RUN: dl-opt %s --vector-unroll='contract-shape=2,2,2 unroll-order=2,0,1' | FileCheck %s --check-prefix=ORDER
// RUN: not dl-opt %s --vector-unroll=native-shape=2,0 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not dl-opt %s --vector-unroll=unroll-order=2,2,1 2>&1 | FileCheck %s --check-prefix=TWICE

// EMPTY: error: {{.*}}option 'native-shape' has an extent below 1
// TWICE: error: {{.*}}option 'unroll-order' is not a permutation

// CHECK-LABEL: func.func @registers
// NO-TARGET-LABEL: func.func @registers
func.func @registers(%a: vector<2x32xf32>, %b: vector<128xi8>) -> (vector<2x32xf32>, vector<128xi8>) {
  // CHECK-COUNT-4: arith.addf {{.*}} : vector<1x16xf32>
  // CHECK-COUNT-2: arith.addi {{.*}} : vector<64xi8>
  // NO-TARGET-COUNT-16: arith.addf %{{.*}} : vector<1x4xf32>
  // NO-TARGET-COUNT-8: arith.addi %{{.*}} : vector<16xi8>
  %0 = arith.addf %a, %a : vector<2x32xf32>
  %1 = arith.addi %b, %b : vector<128xi8>
  return %0, %1 : vector<2x32xf32>, vector<128xi8>
}

// In the order of the third, the first and the second iterator both sums begin before one goes on.
// CHECK-LABEL: func.func @contract
// ORDER-LABEL: func.func @contract
func.func @contract(%a: vector<2x4xf32>, %b: vector<4x4xf32>, %c: vector<2x4xf32>) -> vector<2x4xf32> {
  // CHECK: vector.contract {{.*}} : vector<2x4xf32>, vector<4x4xf32> into vector<2x4xf32>
  // ORDER: %[[X:[a-z0-9_]+]] = vector.contract
  // ORDER: %[[Y:[a-z0-9_]+]] = vector.contract
  // ORDER: vector.contract {{[^%]+}} %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %[[X]] :
  // ORDER: vector.contract {{[^%]+}} %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %[[Y]] :
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } %a, %b, %c : vector<2x4xf32>, vector<4x4xf32> into vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
