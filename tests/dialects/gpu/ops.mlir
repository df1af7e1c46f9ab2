// RUN: dl-opt %s --allow-unregistered-dialect | dl-opt --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --allow-unregistered-dialect --mlir-print-op-generic | dl-opt --allow-unregistered-dialect | FileCheck %s

// Every operation, type and attribute of `gpu` in its pretty form, in both directions.

// CHECK:       module attributes {gpu.container_module} {
// CHECK:       gpu.module @kernels {
// CHECK:       gpu.func @kernel(%{{.*}}: f32, %{{.*}}: memref<?xf32, 1> {test.a}) workgroup(%{{.*}} : memref<32xf32, 3>, %{{.*}} : memref<1xi8, #gpu.address_space<workgroup>> {test.b}) private(%{{.*}} : memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
// CHECK:       %{{.*}} = gpu.block_id  x
// CHECK:       %{{.*}} = gpu.block_dim  y
// CHECK:       %{{.*}} = gpu.thread_id  z upper_bound 32
// CHECK:       %{{.*}} = gpu.grid_dim  x
// CHECK:       %{{.*}} = gpu.cluster_id  x
// CHECK:       %{{.*}} = gpu.cluster_dim  y
// CHECK:       %{{.*}} = gpu.cluster_dim_blocks  z
// CHECK:       %{{.*}} = gpu.cluster_block_id  x
// CHECK:       %{{.*}} = gpu.global_id  x
// CHECK:       %{{.*}} = gpu.lane_id upper_bound 64
// CHECK:       %{{.*}} = gpu.subgroup_id : index
// CHECK:       %{{.*}} = gpu.num_subgroups : index
// CHECK:       %{{.*}} = gpu.subgroup_size upper_bound 64 : index
// CHECK:       gpu.barrier
// CHECK:       gpu.printf "%{{.*}} %{{.*}}", %{{.*}}, %{{.*}} : f32, index
// CHECK:       gpu.return
// CHECK:       gpu.func @function(%{{.*}}: f32) -> (f32, f32) {
// CHECK:       gpu.return %{{.*}}, %{{.*}} : f32, f32
// CHECK:       gpu.func @no_arguments() workgroup(%{{.*}} : memref<32xf32, 3>) kernel {
// CHECK:       gpu.return
// CHECK:       func.func @launches(%{{.*}}: index, %{{.*}}: f32, %{{.*}}: memref<?xf32, 1>, %{{.*}}: i32, %{{.*}}: i64) {
// CHECK:       gpu.launch_func  @kernels::@kernel blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}})  args(%{{.*}} : f32, %{{.*}} : memref<?xf32, 1>)
// CHECK:       %{{.*}} = gpu.launch_func async @kernels::@no_arguments clusters in (%{{.*}}, %{{.*}}, %{{.*}}) blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) : i64 dynamic_shared_memory_size %{{.*}}
// CHECK:       %{{.*}} = gpu.launch_func async [%{{.*}}] @kernels::@kernel blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}})  dynamic_shared_memory_size %{{.*}} args(%{{.*}} : f32, %{{.*}} : memref<?xf32, 1>) {test.a}
// CHECK:       gpu.launch blocks(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) threads(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) {
// CHECK:       "test.use"(%{{.*}}, %{{.*}}) : (index, index) -> ()
// CHECK:       gpu.terminator
// CHECK:       %{{.*}} = gpu.launch async [%{{.*}}, %{{.*}}] clusters(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) blocks(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) threads(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) dynamic_shared_memory_size %{{.*}} module(@made) function(@kernel) workgroup(%{{.*}} : memref<4xf32, 3>) private(%{{.*}} : memref<4xf32, 5>) {
// CHECK:       "test.use"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (index, index, memref<4xf32, 3>, memref<4xf32, 5>) -> ()
// CHECK:       gpu.terminator
// CHECK:       } {test.a}
// CHECK:       return
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%a: f32, %m: memref<?xf32, 1> {test.a}) workgroup(%w: memref<32xf32, 3>, %v: memref<1xi8, #gpu.address_space<workgroup>> {test.b}) private(%p: memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %0 = gpu.block_id x
      %1 = gpu.block_dim y
      %2 = gpu.thread_id z upper_bound 32
      %3 = gpu.grid_dim x
      %4 = gpu.cluster_id x
      %5 = gpu.cluster_dim y
      %6 = gpu.cluster_dim_blocks z
      %7 = gpu.cluster_block_id x
      %8 = gpu.global_id x
      %9 = gpu.lane_id upper_bound 64
      %10 = gpu.subgroup_id : index
      %11 = gpu.num_subgroups : index
      %12 = gpu.subgroup_size upper_bound 64 : index
      gpu.barrier
      gpu.printf "%f %d" , %a, %0 : f32, index
      gpu.return
    }
    gpu.func @function(%a: f32) -> (f32, f32) {
      gpu.return %a, %a : f32, f32
    }
    gpu.func @no_arguments() workgroup(%w: memref<32xf32, 3>) kernel {
      gpu.return
    }
  }
  func.func @launches(%i: index, %f: f32, %m: memref<?xf32, 1>, %n: i32, %l: i64) {
    gpu.launch_func @kernels::@kernel blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%f : f32, %m : memref<?xf32, 1>)
    %0 = gpu.launch_func async @kernels::@no_arguments clusters in (%l, %l, %l) blocks in (%l, %l, %l) threads in (%l, %l, %l) : i64 dynamic_shared_memory_size %n
    %1 = gpu.launch_func async [%0] @kernels::@kernel blocks in (%i, %i, %i) threads in (%i, %i, %i) dynamic_shared_memory_size %n args(%f : f32, %m : memref<?xf32, 1>) {test.a}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %i, %gy = %i, %gz = %i) threads(%tx, %ty, %tz) in (%sx = %i, %sy = %i, %sz = %i) {
      "test.use"(%bx, %sz) : (index, index) -> ()
      gpu.terminator
    }
    %2 = gpu.launch async [%0, %1] clusters(%cx, %cy, %cz) in (%kx = %i, %ky = %i, %kz = %i) blocks(%bx, %by, %bz) in (%gx = %i, %gy = %i, %gz = %i) threads(%tx, %ty, %tz) in (%sx = %i, %sy = %i, %sz = %i) dynamic_shared_memory_size %n module(@made) function(@kernel) workgroup(%w: memref<4xf32, 3>) private(%p: memref<4xf32, 5>) {
      "test.use"(%cx, %kz, %w, %p) : (index, index, memref<4xf32, 3>, memref<4xf32, 5>) -> ()
      gpu.terminator
    } {test.a}
    return
  }
}

// CHECK-LABEL: gpu.module @targets<#gpu.select_object<0 : i64>> [#nvvm.target] attributes {test.a} {
gpu.module @targets <#gpu.select_object<0 : i64>> [#nvvm.target] attributes {test.a} {
}

// CHECK-LABEL: gpu.binary @binary  [#gpu.object<#nvvm.target, "code">, #gpu.object<#nvvm.target, properties = {level = 3 : i32}, kernels = <[#gpu.kernel_metadata<"kernel", () -> ()>]>, bin = "code">]
gpu.binary @binary [#gpu.object<#nvvm.target, "code">, #gpu.object<#nvvm.target, properties = {level = 3 : i32}, kernels = <[#gpu.kernel_metadata<"kernel", () -> ()>]>, bin = "code">]
// CHECK-LABEL: gpu.binary @selected <#gpu.select_object<1 : i64>> [#gpu.object<#nvvm.target, "code">]
gpu.binary @selected <#gpu.select_object<1 : i64>> [#gpu.object<#nvvm.target, "code">]

// CHECK-LABEL: func.func @memory(%{{.*}}: index, %{{.*}}: memref<*xf32>, %{{.*}}: f32) {
// CHECK:       %{{.*}} = gpu.wait async
// CHECK:       gpu.wait [%{{.*}}]
// CHECK:       %{{.*}}, %{{.*}} = gpu.alloc async [%{{.*}}] (%{{.*}}, %{{.*}}) : memref<13x?x?xf32>
// CHECK:       %{{.*}} = gpu.alloc  host_shared () : memref<4xf32, 1>
// CHECK:       %{{.*}} = gpu.alloc  ()[%{{.*}}] : memref<2x4xf32, #map>
// CHECK:       %{{.*}} = gpu.memcpy async [%{{.*}}] %{{.*}}, %{{.*}} : memref<4xf32, 1>, memref<4xf32, 1>
// CHECK:       gpu.memset  %{{.*}}, %{{.*}} : memref<4xf32, 1>, f32
// CHECK:       gpu.dealloc  %{{.*}} : memref<4xf32, 1>
// CHECK:       %{{.*}} = gpu.dealloc async %{{.*}} {test.a} : memref<2x4xf32, #map>
// CHECK:       gpu.host_register %{{.*}} : memref<*xf32>
// CHECK:       gpu.host_unregister %{{.*}} : memref<*xf32>
// CHECK:       %{{.*}} = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK:       return
func.func @memory(%i: index, %u: memref<*xf32>, %x: f32) {
  %0 = gpu.wait async
  gpu.wait [%0]
  %1, %t = gpu.alloc async [%0] (%i, %i) : memref<13x?x?xf32>
  %2 = gpu.alloc host_shared () : memref<4xf32, 1>
  %3 = gpu.alloc () [%i] : memref<2x4xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>
  %4 = gpu.memcpy async [%t] %2, %2 : memref<4xf32, 1>, memref<4xf32, 1>
  gpu.memset %2, %x : memref<4xf32, 1>, f32
  gpu.dealloc %2 : memref<4xf32, 1>
  %5 = gpu.dealloc async %3 {test.a} : memref<2x4xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>
  gpu.host_register %u : memref<*xf32>
  gpu.host_unregister %u : memref<*xf32>
  %6 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  return
}

// CHECK-LABEL: func.func @exchange(%{{.*}}: f32, %{{.*}}: vector<4xi32>, %{{.*}}: i32) {
// CHECK:       %{{.*}} = gpu.all_reduce  add %{{.*}} uniform {
// CHECK:       } : (f32) -> f32
// CHECK:       %{{.*}} = gpu.all_reduce  %{{.*}} {
// CHECK:       ^bb0(%{{.*}}: f32, %{{.*}}: f32):
// CHECK:       %{{.*}} = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:       gpu.yield %{{.*}} : f32
// CHECK:       } : (f32) -> f32
// CHECK:       %{{.*}} = gpu.subgroup_reduce  xor %{{.*}} cluster(size = 4, stride = 2) : (vector<4xi32>) -> vector<4xi32>
// CHECK:       %{{.*}} = gpu.subgroup_reduce  maxnumf %{{.*}} uniform {test.a} : (f32) -> f32
// CHECK:       %shuffleResult, %valid = gpu.shuffle  down %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK:       %{{.*}}, %{{.*}} = gpu.rotate %{{.*}}, 3, 16 : vector<4xi32>
// CHECK:       %{{.*}} = gpu.subgroup_broadcast %{{.*}},  first_active_lane : f32
// CHECK:       %{{.*}} = gpu.subgroup_broadcast %{{.*}},  specific_lane %{{.*}} : f32
// CHECK:       return
func.func @exchange(%x: f32, %v: vector<4xi32>, %n: i32) {
  %0 = gpu.all_reduce add %x uniform {
  } : (f32) -> f32
  %1 = gpu.all_reduce %x {
  ^bb0(%a: f32, %b: f32):
    %7 = arith.addf %a, %b : f32
    gpu.yield %7 : f32
  } : (f32) -> f32
  %2 = gpu.subgroup_reduce xor %v cluster(size = 4, stride = 2) : (vector<4xi32>) -> vector<4xi32>
  %3 = gpu.subgroup_reduce maxnumf %x uniform {test.a} : (f32) -> f32
  %4, %5 = gpu.shuffle down %x, %n, %n : f32
  %6, %8 = gpu.rotate %v, 3, 16 : vector<4xi32>
  %9 = gpu.subgroup_broadcast %x, first_active_lane : f32
  %10 = gpu.subgroup_broadcast %x, specific_lane %n : f32
  return
}

// CHECK-LABEL: func.func @warps(%{{.*}}: index, %{{.*}}: vector<4xf32>) {
// CHECK:       %{{.*}} = gpu.warp_execute_on_lane_0(%{{.*}})[32] args(%{{.*}} : vector<4xf32>) -> (vector<1xf32>) {
// CHECK:       ^bb0(%{{.*}}: vector<128xf32>):
// CHECK:       %{{.*}} = "test.make"(%{{.*}}) : (vector<128xf32>) -> vector<32xf32>
// CHECK:       gpu.yield %{{.*}} : vector<32xf32>
// CHECK:       gpu.warp_execute_on_lane_0(%{{.*}})[64] {
// CHECK:       } {test.a}
// CHECK:       return
func.func @warps(%lane: index, %v: vector<4xf32>) {
  %0 = gpu.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xf32>) -> (vector<1xf32>) {
  ^bb0(%w: vector<128xf32>):
    %1 = "test.make"(%w) : (vector<128xf32>) -> vector<32xf32>
    gpu.yield %1 : vector<32xf32>
  }
  gpu.warp_execute_on_lane_0(%lane)[64] {
  } {test.a}
  return
}

// CHECK-LABEL: func.func @matrices(%{{.*}}: memref<32x32xf16, 3>, %{{.*}}: index, %{{.*}}: f32) {
// CHECK:       %{{.*}} = gpu.subgroup_mma_load_matrix %{{.*}}[%{{.*}}, %{{.*}}] {leadDimension = 32 : index, transpose} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
// CHECK:       %{{.*}} = gpu.subgroup_mma_load_matrix %{{.*}}[%{{.*}}, %{{.*}}] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
// CHECK:       %{{.*}} = gpu.subgroup_mma_constant_matrix %{{.*}} : !gpu.mma_matrix<16x16xf32, "COp">
// CHECK:       %{{.*}} = gpu.subgroup_mma_compute %{{.*}}, %{{.*}}, %{{.*}} {a_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK:       %{{.*}} = gpu.subgroup_mma_elementwise  addf %{{.*}}, %{{.*}} : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK:       %{{.*}} = gpu.subgroup_mma_extract_thread_local %{{.*}}[%{{.*}}] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
// CHECK:       %{{.*}} = gpu.subgroup_mma_insert_thread_local %{{.*}}, %{{.*}}[%{{.*}}] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK:       %{{.*}} = memref.alloc() : memref<32x32xf32, 3>
// CHECK:       gpu.subgroup_mma_store_matrix %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32, 3>
// CHECK:       return
func.func @matrices(%m: memref<32x32xf16, 3>, %i: index, %x: f32) {
  %a = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index, transpose} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %b = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %c = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf32, "COp">
  %d = gpu.subgroup_mma_compute %a, %b, %c {a_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %e = gpu.subgroup_mma_elementwise addf %c, %d : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  %f = gpu.subgroup_mma_extract_thread_local %e[%i] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
  %g = gpu.subgroup_mma_insert_thread_local %f, %e[%i] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %h = memref.alloc() : memref<32x32xf32, 3>
  gpu.subgroup_mma_store_matrix %g, %h[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32, 3>
  return
}

// CHECK-LABEL: func.func @sparse(%{{.*}}: index, %{{.*}}: memref<?xindex>, %{{.*}}: memref<?xf64>) {
// CHECK:       %{{.*}} = gpu.wait async
// CHECK:       %{{.*}}, %{{.*}} = gpu.create_coo async [%{{.*}}] %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<?xindex>, memref<?xindex>, memref<?xf64>
// CHECK:       %{{.*}}, %{{.*}} = gpu.create_csr async [%{{.*}}] %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<?xindex>, memref<?xindex>, memref<?xf64>
// CHECK:       %{{.*}}, %{{.*}} = gpu.create_dn_tensor async [%{{.*}}] %{{.*}}, %{{.*}} : index into memref<?xf64>
// CHECK:       %{{.*}}, %{{.*}} = gpu.spmv_buffer_size async [%{{.*}}] %{{.*}}, %{{.*}}, %{{.*}} into f64
// CHECK:       %{{.*}} = gpu.spmv async [%{{.*}}] %{{.*}}{ TRANSPOSE}, %{{.*}}, %{{.*}}, %{{.*}} : memref<?xf64> into f64
// CHECK:       %{{.*}}:2, %{{.*}} = gpu.spmm_buffer_size async [%{{.*}}] %{{.*}}, %{{.*}}{ TRANSPOSE}, %{{.*}} : index, index into f32
// CHECK:       %{{.*}} = gpu.spmm async [%{{.*}}] %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<?xf64> into f64
// CHECK:       %{{.*}}, %{{.*}} = gpu.spgemm_create_descr async [%{{.*}}]
// CHECK:       %{{.*}}, %{{.*}} = gpu.spgemm_work_estimation_or_compute async [%{{.*}}]{ COMPUTE} %{{.*}}, %{{.*}}{ TRANSPOSE}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32 into memref<?xf64>
// CHECK:       %{{.*}} = gpu.spgemm_copy async [%{{.*}}] %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK:       %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = gpu.spmat_get_size async [%{{.*}}] %{{.*}}
// CHECK:       %{{.*}} = gpu.spgemm_destroy_descr async [%{{.*}}] %{{.*}}
// CHECK:       %{{.*}} = gpu.destroy_sp_mat async [%{{.*}}] %{{.*}}
// CHECK:       %{{.*}} = gpu.destroy_dn_tensor async [%{{.*}}] %{{.*}}
// CHECK:       gpu.wait [%{{.*}}]
// CHECK:       return
func.func @sparse(%n: index, %p: memref<?xindex>, %v: memref<?xf64>) {
  %t = gpu.wait async
  %a, %t1 = gpu.create_coo async [%t] %n, %n, %n, %p, %p, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %b, %t2 = gpu.create_csr async [%t1] %n, %n, %n, %p, %p, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %x, %t3 = gpu.create_dn_tensor async [%t2] %v, %n : index into memref<?xf64>
  %size, %t4 = gpu.spmv_buffer_size async [%t3] %a, %x, %x into f64
  %t5 = gpu.spmv async [%t4] %a {TRANSPOSE}, %x, %x, %v : memref<?xf64> into f64
  %sizes:2, %t6 = gpu.spmm_buffer_size async [%t5] %a, %x {TRANSPOSE}, %x : index, index into f32
  %t7 = gpu.spmm async [%t6] %a, %x, %x, %v : memref<?xf64> into f64
  %d, %t8 = gpu.spgemm_create_descr async [%t7]
  %s, %t9 = gpu.spgemm_work_estimation_or_compute async [%t8] {COMPUTE} %a, %b {TRANSPOSE}, %a, %d, %n, %v : f32 into memref<?xf64>
  %t10 = gpu.spgemm_copy async [%t9] %a, %b, %a, %d : f32
  %rows, %cols, %nnz, %t11 = gpu.spmat_get_size async [%t10] %a
  %t12 = gpu.spgemm_destroy_descr async [%t11] %d
  %t13 = gpu.destroy_sp_mat async [%t12] %a
  %t14 = gpu.destroy_dn_tensor async [%t13] %x
  gpu.wait [%t14]
  return
}

// CHECK-LABEL: func.func @attributes() attributes {test.maps = [#gpu.block<x>, #gpu.thread<linear_dim_3>, #gpu.warp<y>, #gpu.warpgroup<z>, #gpu.lane<x>, #gpu.mask<3>, #gpu.memory_space<private>, #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0 + 1)>]} {
// CHECK:       return
func.func @attributes() attributes {
  test.maps = [#gpu.block<x>, #gpu.thread<linear_dim_3>, #gpu.warp<y>, #gpu.warpgroup<z>, #gpu.lane<x>, #gpu.mask<3>, #gpu.memory_space<private>, #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0 + 1)>]
} {
  return
}
