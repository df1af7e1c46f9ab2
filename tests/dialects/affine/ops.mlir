// RUN: dl-opt %s | dl-opt --mlir-print-local-scope | FileCheck %s
// RUN: dl-opt %s --mlir-print-op-generic | dl-opt --mlir-print-local-scope | FileCheck %s

// The pretty form of every operation of `affine`, in both directions.

// CHECK-LABEL: func.func @for(%{{.*}}: index, %{{.*}}: index, %{{.*}}: f32) {
// CHECK:       affine.for %{{.*}} = 0 to 10 {
// CHECK:       affine.for %{{.*}} = 0 to %{{.*}} step 2 {
// CHECK:       } {test.a}
// CHECK:       affine.for %{{.*}} = max affine_map<(d0, d1)[s0] -> (d0 + s0, d1 * 2)>(%{{.*}}, %{{.*}})[%{{.*}}] to min affine_map<(d0)[s0] -> (d0, s0)>(%{{.*}})[%{{.*}}] {
// CHECK:       affine.for %{{.*}} = affine_map<(d0) -> (d0)>(%{{.*}}) to affine_map<(d0) -> (d0 + 10)>(%{{.*}}) {
// CHECK:       %{{.*}}:2 = affine.for %{{.*}} = 0 to 10 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, index) {
// CHECK:       affine.yield %{{.*}}, %{{.*}} : f32, index
func.func @for(%n: index, %t: index, %f: f32) {
  affine.for %i = 0 to 10 {
  }
  affine.for %i = 0 to %n step 2 {
  } {test.a}
  affine.for %i = max affine_map<(d0, d1)[s0] -> (d0 + s0, d1 * 2)>(%n, %t)[%n] to min affine_map<(d0)[s0] -> (d0, s0)>(%t)[%n] {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 10)>(%i) {
    }
  }
  %r:2 = affine.for %i = 0 to 10 iter_args(%a = %f, %b = %n) -> (f32, index) {
    affine.yield %a, %b : f32, index
  }
  return
}

// CHECK-LABEL: func.func @if(%{{.*}}: index, %{{.*}}: f32) -> f32 {
// CHECK:       affine.if affine_set<(d0)[s0] : (d0 - 10 >= 0, -d0 + s0 >= 0)>(%{{.*}})[%{{.*}}] {
// CHECK:       } {test.a}
// CHECK:       affine.if affine_set<() : (0 == 0)>() {
// CHECK:       } else {
// CHECK:       %{{.*}} = affine.if affine_set<(d0) : (d0 >= 0)>(%{{.*}}) -> f32 {
// CHECK:       affine.yield %{{.*}} : f32
// CHECK:       } else {
// CHECK:       affine.yield %{{.*}} : f32
// CHECK:       return %{{.*}} : f32
func.func @if(%n: index, %f: f32) -> f32 {
  affine.if affine_set<(d0)[s0] : (d0 - 10 >= 0, s0 - d0 >= 0)>(%n)[%n] {
  } {test.a}
  affine.if affine_set<() : (0 == 0)>() {
  } else {
  }
  %q = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> f32 {
    affine.yield %f : f32
  } else {
    affine.yield %f : f32
  }
  return %q : f32
}

// CHECK-LABEL: func.func @accesses(%{{.*}}: memref<10x20xf32>, %{{.*}}: memref<?xf32>, %{{.*}}: index) {
// CHECK:       affine.for %{{.*}} = 0 to 10 {
// CHECK:       %{{.*}} = affine.load %{{.*}}[%{{.*}} + 3, %{{.*}}] : memref<10x20xf32>
// CHECK:       affine.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}} * 2 + symbol(%{{.*}})] {test.a} : memref<10x20xf32>
// CHECK:       %{{.*}} = affine.load %{{.*}}[symbol(%{{.*}}) + 1] : memref<?xf32>
// CHECK:       %{{.*}} = affine.vector_load %{{.*}}[%{{.*}}, %{{.*}} mod 4] : memref<10x20xf32>, vector<8xf32>
// CHECK:       affine.vector_store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}} floordiv 3] : memref<10x20xf32>, vector<8xf32>
// CHECK:       affine.prefetch %{{.*}}[%{{.*}}, %{{.*}} + 5], read, locality<3>, data : memref<10x20xf32>
// CHECK:       affine.prefetch %{{.*}}[%{{.*}}, %{{.*}}], write, locality<1>, instr {test.a} : memref<10x20xf32>
func.func @accesses(%m: memref<10x20xf32>, %m1: memref<?xf32>, %n: index) {
  affine.for %i = 0 to 10 {
    %0 = affine.load %m[%i + 3, %i] : memref<10x20xf32>
    affine.store %0, %m[%i, %i * 2 + symbol(%n)] {test.a} : memref<10x20xf32>
    %1 = affine.load %m1[symbol(%n) + 1] : memref<?xf32>
    %v = affine.vector_load %m[%i, %i mod 4] : memref<10x20xf32>, vector<8xf32>
    affine.vector_store %v, %m[%i, %i floordiv 3] : memref<10x20xf32>, vector<8xf32>
    affine.prefetch %m[%i, %i + 5], read, locality<3>, data : memref<10x20xf32>
    affine.prefetch %m[%i, %i], write, locality<1>, instr {test.a} : memref<10x20xf32>
  }
  return
}

// CHECK-LABEL: func.func @maps(%{{.*}}: index, %{{.*}}: index) {
// CHECK:       %{{.*}} = affine.apply affine_map<(d0, d1)[s0] -> (d0 + d1 + s0)>(%{{.*}}, %{{.*}})[%{{.*}}]
// CHECK:       %{{.*}} = affine.max affine_map<(d0)[s0] -> (d0, s0, 4)>(%{{.*}})[%{{.*}}]
// CHECK:       %{{.*}} = affine.min affine_map<(d0)[s0] -> (d0, s0, 4)>(%{{.*}})[%{{.*}}] {test.a}
func.func @maps(%n: index, %t: index) {
  %0 = affine.apply affine_map<(d0, d1)[s0] -> (d0 + d1 + s0)>(%n, %t)[%n]
  %1 = affine.max affine_map<(d0)[s0] -> (d0, s0, 4)>(%n)[%t]
  %2 = affine.min affine_map<(d0)[s0] -> (d0, s0, 4)>(%n)[%t] {test.a}
  return
}

// CHECK-LABEL: func.func @parallel(%{{.*}}: index, %{{.*}}: index, %{{.*}}: f32) {
// CHECK:       affine.parallel (%{{.*}}, %{{.*}}) = (0, %{{.*}}) to (10, %{{.*}}) step (2, 3) {
// CHECK:       } {test.a}
// CHECK:       %{{.*}}:2 = affine.parallel (%{{.*}}, %{{.*}}) = (max(0, %{{.*}}), 0) to (min(%{{.*}}, 10, %{{.*}} + 1), 10) reduce ("addf", "maximumf") -> (f32, f32) {
// CHECK:       affine.yield %{{.*}}, %{{.*}} : f32, f32
func.func @parallel(%n: index, %t: index, %f: f32) {
  affine.parallel (%i, %j) = (0, %t) to (10, %n) step (2, 3) {
  } {test.a}
  %p:2 = affine.parallel (%i, %j) = (max(0, %n), 0) to (min(%n, 10, %t + 1), 10) reduce ("addf", "maximumf") -> (f32, f32) {
    affine.yield %f, %f : f32, f32
  }
  return
}

// CHECK-LABEL: func.func @linear_index(%{{.*}}: index, %{{.*}}: index) {
// CHECK:       %{{.*}}:3 = affine.delinearize_index %{{.*}} into (%{{.*}}, 4, 5) {test.a} : index, index, index
// CHECK:       %{{.*}} = affine.linearize_index [%{{.*}}, %{{.*}}] by (4, %{{.*}}) : index
// CHECK:       %{{.*}} = affine.linearize_index disjoint [%{{.*}}, %{{.*}}, %{{.*}}] by (4, 5) : index
func.func @linear_index(%n: index, %t: index) {
  %d:3 = affine.delinearize_index %n into (%t, 4, 5) {test.a} : index, index, index
  %l = affine.linearize_index [%n, %t] by (4, %n) : index
  %l2 = affine.linearize_index disjoint [%n, %t, %n] by (4, 5) : index
  return
}

// Whatever is defined around a scope is a symbol in it: the induction variable of a loop, too.
// CHECK-LABEL: func.func @scope_in_a_loop
// CHECK:       test.affine_scope {
// CHECK-NEXT:    affine.load %{{.*}}[symbol(%{{.*}}) + 1] : memref<8xf32>
// CHECK-NEXT:    affine.load %{{.*}}[%{{.*}} - symbol(%{{.*}})] : memref<8xf32>
func.func @scope_in_a_loop(%m: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 4 {
    %half = arith.divsi %n, %i : index
    test.affine_scope {
      %0 = affine.load %m[symbol(%i) + 1] : memref<8xf32>
      %1 = affine.load %m[%n - symbol(%half)] : memref<8xf32>
      "test.terminator"() : () -> ()
    }
  }
  return
}
