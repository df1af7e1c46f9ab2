// RUN: dl-opt %s --convert-vector-to-amx --split-input-file | FileCheck %s

#left = affine_map<(i, j, k, g) -> (i, k, g)>
#right = affine_map<(i, j, k, g) -> (k, j, g)>
#sum = affine_map<(i, j, k, g) -> (i, j)>
#groups = {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}

module attributes {dl.target = #dl.target<cpu = "sapphirerapids", arch = "x86_64", vector_bits = 512, vector_registers = 32, l1d = 49152, l1d_ways = 12, l2 = 2097152, l2_ways = 16, l3 = 110100480, l3_ways = 15, cores = 1, features = "amx-bf16,amx-int8,amx-tile,avx512f">} {
  // The sum stays in a register: 9 rows of 16 numbers. One configuration for both loops.
  // CHECK-LABEL: func @carried
  //  CHECK-SAME: (%[[A:.*]]: memref<90x64xi8>, %[[B:.*]]: memref<32x64xi8>
  //       CHECK:   llvm.call @dl_request_matrix_registers() : () -> ()
  //   CHECK-DAG:   %[[MEMORY:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4x16x16xi32>
  //   CHECK-DAG:   arith.constant dense<[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 9, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : vector<64xi8>
  //       CHECK:   llvm.call_intrinsic "llvm.x86.ldtilecfg"
  //  CHECK-NEXT:   scf.for
  //       CHECK:     llvm.call_intrinsic "llvm.x86.tilezero"(%[[SUM:.*]]) : (i8) -> ()
  //       CHECK:     scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
  //       CHECK:       llvm.call_intrinsic "llvm.x86.tileloadd64"(%{{.*}}, %{{.*}}, %{{.*}}) : (i8, !llvm.ptr, i64) -> ()
  //       CHECK:       llvm.call_intrinsic "llvm.x86.tileloadd64"
  //       CHECK:       llvm.call_intrinsic "llvm.x86.tdpbsud"(%{{.*}}, %{{.*}}, %{{.*}}) : (i8, i8, i8) -> ()
  //   CHECK-NOT:       scf.yield %
  //       CHECK:     llvm.call_intrinsic "llvm.x86.tilestored64"
  //       CHECK:     vector.load %[[MEMORY]][{{.*}}] : memref<4x16x16xi32>, vector<16xi32>
  //       CHECK:   }
  //  CHECK-NEXT:   llvm.call_intrinsic "llvm.x86.tilerelease"() : () -> ()
  func.func @carried(%a: memref<90x64xi8>, %b: memref<32x64xi8>, %c: memref<16xi32>) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %c32 = arith.constant 32 : index
    %c90 = arith.constant 90 : index
    %pad = arith.constant 0 : i8
    %zeros = arith.constant dense<0> : vector<9x16xi32>
    scf.for %row = %c0 to %c90 step %c9 {
      %sums = scf.for %k = %c0 to %c32 step %c8 iter_args(%s = %zeros) -> (vector<9x16xi32>) {
        %x = vector.transfer_read %a[%row, %k], %pad {in_bounds = [true, true]} : memref<90x64xi8>, vector<9x32xi8>
        %y = vector.transfer_read %b[%k, %c0], %pad {in_bounds = [true, true]} : memref<32x64xi8>, vector<8x64xi8>
        %xg = vector.shape_cast %x : vector<9x32xi8> to vector<9x8x4xi8>
        %yg = vector.shape_cast %y : vector<8x64xi8> to vector<8x16x4xi8>
        %xw = arith.extsi %xg : vector<9x8x4xi8> to vector<9x8x4xi32>
        %yw = arith.extui %yg : vector<8x16x4xi8> to vector<8x16x4xi32>
        %n = vector.contract #groups %xw, %yw, %s : vector<9x8x4xi32>, vector<8x16x4xi32> into vector<9x16xi32>
        scf.yield %n : vector<9x16xi32>
      }
      %last = vector.extract %sums[8] : vector<16xi32> from vector<9x16xi32>
      vector.store %last, %c[%c0] : memref<16xi32>, vector<16xi32>
    }
    return
  }

  // One product, of bf16. What is read is loaded where it is read: the buffer may be another one afterwards.
  // CHECK-LABEL: func @alone
  //       CHECK:   llvm.call_intrinsic "llvm.x86.ldtilecfg"
  //       CHECK:   llvm.call_intrinsic "llvm.x86.tileloadd64"
  //       CHECK:   llvm.call_intrinsic "llvm.x86.tileloadd64"
  //       CHECK:   vector.store %{{.*}} : memref<16x32xbf16>
  //       CHECK:   llvm.call_intrinsic "llvm.x86.tilezero"
  //       CHECK:   llvm.call_intrinsic "llvm.x86.tdpbf16ps"
  //       CHECK:   llvm.call_intrinsic "llvm.x86.tilestored64"
  //       CHECK:   llvm.call_intrinsic "llvm.x86.tilerelease"
  func.func @alone(%a: memref<16x32xbf16>, %b: memref<16x32xbf16>, %z: vector<32xbf16>) -> vector<16xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : bf16
    %zeros = arith.constant dense<0.0> : vector<16x16xf32>
    %x = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xbf16>, vector<16x32xbf16>
    %y = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xbf16>, vector<16x32xbf16>
    vector.store %z, %a[%c0, %c0] : memref<16x32xbf16>, vector<32xbf16>
    %xg = vector.shape_cast %x : vector<16x32xbf16> to vector<16x16x2xbf16>
    %yg = vector.shape_cast %y : vector<16x32xbf16> to vector<16x16x2xbf16>
    %xw = arith.extf %xg : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %yw = arith.extf %yg : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %n = vector.contract #groups %xw, %yw, %zeros : vector<16x16x2xf32>, vector<16x16x2xf32> into vector<16x16xf32>
    %first = vector.extract %n[0] : vector<16xf32> from vector<16x16xf32>
    return %first : vector<16xf32>
  }

  // Too many rows; a sum that is used as a whole; one that begins at something else: as they are.
  // CHECK-LABEL: func @other_contractions
  //   CHECK-NOT:   llvm.call
  //       CHECK:   vector.contract
  //       CHECK:   vector.contract
  //       CHECK:   vector.contract
  //   CHECK-NOT:   llvm.call
  //       CHECK:   return
  func.func @other_contractions(%a: memref<17x64xi8>, %s: vector<16x16xi32>) -> (vector<16xi32>, vector<16x16xi32>, vector<16xi32>) {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0 : i8
    %zeros = arith.constant dense<0> : vector<16x16xi32>
    %more = arith.constant dense<0> : vector<17x16xi32>
    %x = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<17x64xi8>, vector<17x64xi8>
    %y = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<17x64xi8>, vector<16x64xi8>
    %xg = vector.shape_cast %x : vector<17x64xi8> to vector<17x16x4xi8>
    %yg = vector.shape_cast %y : vector<16x64xi8> to vector<16x16x4xi8>
    %xw = arith.extsi %xg : vector<17x16x4xi8> to vector<17x16x4xi32>
    %yw = arith.extsi %yg : vector<16x16x4xi8> to vector<16x16x4xi32>
    %0 = vector.contract #groups %xw, %yw, %more : vector<17x16x4xi32>, vector<16x16x4xi32> into vector<17x16xi32>
    %1 = vector.contract #groups %yw, %yw, %zeros : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
    %2 = vector.contract #groups %yw, %yw, %s : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
    %row = vector.extract %0[0] : vector<16xi32> from vector<17x16xi32>
    %other = vector.extract %2[0] : vector<16xi32> from vector<16x16xi32>
    return %row, %1, %other : vector<16xi32>, vector<16x16xi32>, vector<16xi32>
  }

  // Once in a program.
  //       CHECK: llvm.func internal @dl_request_matrix_registers()
  //       CHECK:   llvm.call @syscall
  //   CHECK-NOT: llvm.func internal @dl_request_matrix_registers()
}

// -----

// A CPU without matrix registers.
module attributes {dl.target = #dl.target<cpu = "skylake-avx512", arch = "x86_64", vector_bits = 512, vector_registers = 32, l1d = 32768, l1d_ways = 8, l2 = 1048576, l2_ways = 16, l3 = 34603008, l3_ways = 11, cores = 1, features = "avx512f">} {
  // CHECK-LABEL: func @elsewhere
  //       CHECK:   vector.contract
  func.func @elsewhere(%a: memref<16x64xi8>) -> vector<16xi32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0 : i8
    %zeros = arith.constant dense<0> : vector<16x16xi32>
    %x = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xi8>, vector<16x64xi8>
    %g = vector.shape_cast %x : vector<16x64xi8> to vector<16x16x4xi8>
    %w = arith.extsi %g : vector<16x16x4xi8> to vector<16x16x4xi32>
    %n = vector.contract {indexing_maps = [affine_map<(i, j, k, g) -> (i, k, g)>, affine_map<(i, j, k, g) -> (k, j, g)>, affine_map<(i, j, k, g) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>} %w, %w, %zeros : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
    %row = vector.extract %n[0] : vector<16xi32> from vector<16x16xi32>
    return %row : vector<16xi32>
  }
}
