// RUN: dl-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{MMAMatrixType must have exactly two dimensions}}
func.func @gpu_mma_shape() -> !gpu.mma_matrix<4xf32, "AOp">

// -----

// expected-error @below {{operand expected to be one of AOp, BOp or COp}}
func.func @gpu_mma_operand() -> !gpu.mma_matrix<4x4xf32, "DOp">

// -----

func.func @all_reduce(%a: f32) {
  // expected-error @below {{`and` reduction operation is not compatible with type 'f32'}}
  %0 = gpu.all_reduce and %a {} : (f32) -> (f32)
  return
}

// -----

func.func @all_reduce_nothing(%a: f32) {
  // expected-error @below {{expected either an op attribute or a non-empty body}}
  %0 = gpu.all_reduce %a {} : (f32) -> (f32)
  return
}

// -----

func.func @subgroup_reduce(%a: f32) {
  // expected-error @below {{'gpu.subgroup_reduce' op cluster size 3 is not a power of two}}
  %0 = gpu.subgroup_reduce add %a cluster(size = 3) : (f32) -> (f32)
  return
}

// -----

func.func @subgroup_stride(%a: f32) {
  // expected-error @below {{'gpu.subgroup_reduce' op cluster stride 0 is not a power of two}}
  %0 = gpu.subgroup_reduce add %a cluster(size = 4, stride = 0) : (f32) -> (f32)
  return
}

// -----

func.func @memcpy(%a: memref<4xf32>, %b: memref<4xi32>) {
  // expected-error @below {{'gpu.memcpy' op arguments have incompatible element type}}
  gpu.memcpy %a, %b : memref<4xf32>, memref<4xi32>
  return
}

// -----

func.func @alloc(%n: index) {
  // expected-error @below {{'gpu.alloc' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = gpu.alloc(%n) : memref<4xf32>
  return
}

// -----

gpu.module @kernels {
  // expected-error @below {{'gpu.func' op expected void return type for kernel function}}
  gpu.func @result() -> i32 kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-note @below {{return type declared here}}
  gpu.func @wrong() -> i32 {
    // expected-error @below {{'gpu.return' op expected 1 result operands}}
    gpu.return
  }
}

// -----

module {
  gpu.module @kernels {
  }
  func.func @launch(%n: index) {
    // expected-error @below {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
    gpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%a: f32) {
      gpu.return
    }
  }
  func.func @launch(%n: index) {
    // expected-error @below {{'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute}}
    gpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @launch(%n: index) {
    // expected-error @below {{'gpu.launch_func' op kernel container 'kernels' is undefined}}
    gpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

func.func @wait() {
  // expected-error @below {{custom op 'gpu.wait' needs to be named when marked 'async'}}
  gpu.wait async
  return
}

// -----

func.func @rotate(%a: f32) {
  // expected-error @below {{'gpu.rotate' op offset must be in the range [0, 16)}}
  %0, %1 = gpu.rotate %a, 20, 16 : f32
  return
}

// -----

func.func @mma(%a: !gpu.mma_matrix<16x16xf16, "COp">, %m: memref<16x16xf16>, %i: index) {
  gpu.subgroup_mma_store_matrix %a, %m[%i, %i] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
  // expected-error @below {{operands must be in the order AOp, BOp, COp}}
  gpu.subgroup_mma_compute %a, %a, %a : !gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  return
}

// -----

func.func @warp(%lane: index, %v: vector<4xi32>) {
  // expected-error @below {{'gpu.warp_execute_on_lane_0' op expected same number op arguments and block arguments.}}
  gpu.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xi32>) {
    gpu.yield
  }
  return
}

// -----

func.func @count_of_buffers(%n: index) {
  // expected-error @below {{'gpu.launch' op expected 'workgroup_attributions' to be a number of type i64, but got "two"}}
  "gpu.launch"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%b0: index, %b1: index, %b2: index, %b3: index, %b4: index, %b5: index, %b6: index, %b7: index, %b8: index, %b9: index, %b10: index, %b11: index):
    "gpu.terminator"() : () -> ()
  }) {workgroup_attributions = "two"} : (index, index, index, index, index, index) -> ()
  return
}

// -----

gpu.module @kernel_is_a_word {
  // expected-error @below {{'gpu.func' op requires 'gpu.kernel' to be a unit attribute}}
  "gpu.func"() <{function_type = () -> ()}> ({
    gpu.return
  }) {gpu.kernel = 1 : index, sym_name = "f"} : () -> ()
}

// -----

gpu.module @count_of_buffers {
  // expected-error @below {{'gpu.func' op expected 'workgroup_attributions' to be a number of type i64, but got unit}}
  "gpu.func"() <{function_type = () -> ()}> ({
    gpu.return
  }) {sym_name = "f", workgroup_attributions} : () -> ()
}

// -----

gpu.module @without_a_name {
  // expected-error @below {{'gpu.func' op requires string attribute 'sym_name'}}
  "gpu.func"() <{function_type = () -> ()}> ({
    gpu.return
  }) {workgroup_attributions = 0 : i64} : () -> ()
}

// -----

// The body names the indices.
func.func @f(%a: index) {
  // expected-error @below {{'gpu.launch' op expected a body with a block}}
  "gpu.launch"(%a, %a, %a, %a, %a, %a) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({}) : (index, index, index, index, index, index) -> ()
  return
}

// -----

gpu.module @attributes_of_no_argument {
  // expected-error @below {{'gpu.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 1, but expected 0}}
  "gpu.func"() <{arg_attrs = [{llvm.noalias}], function_type = () -> ()}> ({
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "k"} : () -> ()
}

// -----

// Attributes of any dialect are not targets.
// expected-error @below {{'gpu.module' op attribute 'targets' failed to satisfy constraint: array of GPU target attributes with at least 1 elements}}
gpu.module @no_target [#arith.fastmath<none>] {
}

// -----

// expected-error @below {{'gpu.module' op attribute 'offloadingHandler' failed to satisfy constraint: any attribute with the `OffloadingTranslationAttrTrait` trait.}}
gpu.module @no_handler <#arith.fastmath<none>> {
}

// -----

// expected-error @below {{the target attribute must implement or promise the `gpu::TargetAttrInterface`}}
gpu.binary @no_target [#gpu.object<#arith.fastmath<none>, "text">]

// -----

// expected-error @below {{invalid kind of attribute specified}}
"test.attr"() {a = #gpu.kernel_metadata<@x, (i32) -> ()>} : () -> ()

// -----

// expected-error @below {{invalid kind of attribute specified}}
"test.attr"() {a = #gpu.kernel_metadata<"x", (i32) -> (), arg_attrs = 3>} : () -> ()

// -----

// expected-error @below {{invalid kind of attribute specified}}
"test.attr"() {a = #gpu.kernel_metadata<"x", (i32) -> (), metadata = 3>} : () -> ()

// -----

// expected-error @below {{all attributes in the array must be a dictionary attribute}}
"test.attr"() {a = #gpu.kernel_metadata<"x", (i32) -> (), arg_attrs = [1]>} : () -> ()

// -----

// expected-error @below {{the kernel name can't be empty}}
"test.attr"() {a = #gpu.kernel_metadata<"", (i32) -> ()>} : () -> ()

// -----

// expected-error @below {{the object index must be positive}}
"test.attr"() {a = #gpu.select_object<-1>} : () -> ()

// -----

// expected-error @below {{the target attribute must be a GPU Target attribute}}
"test.attr"() {a = #gpu.select_object<"x">} : () -> ()
