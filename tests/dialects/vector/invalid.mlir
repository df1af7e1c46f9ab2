// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @extract_1(%v: vector<4xf32>) {
  // expected-error @below {{'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)}}
  %0 = vector.extract %v[4] : f32 from vector<4xf32>
  return
}

// -----

func.func @extract_2(%v: vector<4xf32>) {
  // expected-error @below {{'vector.extract' op expected position attribute of rank no greater than vector rank}}
  %0 = vector.extract %v[0, 1] : f32 from vector<4xf32>
  return
}

// -----

func.func @extract_3(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.extract' op inferred type(s) 'vector<8xf32>' are incompatible with return type(s) of operation 'f32'}}
  %0 = vector.extract %v[0] : f32 from vector<4x8xf32>
  return
}

// -----

func.func @extract_4(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)}}
  %0 = vector.extract %v[-2] : vector<8xf32> from vector<4x8xf32>
  return
}

// -----

func.func @insert_1(%v: vector<4x8xf32>, %s: f32) {
  // expected-error @below {{'vector.insert' op expected position attribute rank to match the dest vector rank}}
  %0 = vector.insert %s, %v[0] : f32 into vector<4x8xf32>
  return
}

// -----

func.func @insert_2(%v: vector<4x8xf32>, %s: f32) {
  // expected-error @below {{'vector.insert' op expected position attribute #2 to be a non-negative integer smaller than the corresponding dest vector dimension}}
  %0 = vector.insert %s, %v[0, 8] : f32 into vector<4x8xf32>
  return
}

// -----

func.func @insert_3(%v: vector<4x8xf32>, %s: vector<8xf32>) {
  // expected-error @below {{'vector.insert' op expected position attribute of rank no greater than dest vector rank}}
  %0 = vector.insert %s, %v[0, 0, 0] : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @broadcast_1(%v: vector<4xf32>) {
  // expected-error @below {{'vector.broadcast' op dimension mismatch (4 vs. 8)}}
  %0 = vector.broadcast %v : vector<4xf32> to vector<4x8xf32>
  return
}

// -----

func.func @broadcast_2(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.broadcast' op source rank higher than destination rank}}
  %0 = vector.broadcast %v : vector<4x8xf32> to vector<8xf32>
  return
}

// -----

func.func @broadcast_3(%v: memref<4xf32>) {
  // expected-error @below {{'vector.broadcast' op source type is not a vector}}
  %0 = vector.broadcast %v : memref<4xf32> to vector<8xf32>
  return
}

// -----

func.func @shuffle_1(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.shuffle' op mask index #2 out of range}}
  %0 = vector.shuffle %v, %v [0, 8] : vector<4x8xf32>, vector<4x8xf32>
  return
}

// -----

func.func @shuffle_2(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.shuffle' op invalid mask length}}
  %0 = vector.shuffle %v, %v [] : vector<4x8xf32>, vector<4x8xf32>
  return
}

// -----

func.func @shuffle_3(%v: vector<4x8xf32>, %w: vector<4x7xf32>) {
  // expected-error @below {{'vector.shuffle' op dimension mismatch}}
  %0 = vector.shuffle %v, %w [0] : vector<4x8xf32>, vector<4x7xf32>
  return
}

// -----

func.func @shuffle_4(%v: vector<4x8xf32>, %w: vector<4xf32>) {
  // expected-error @below {{'vector.shuffle' op rank mismatch}}
  %0 = vector.shuffle %v, %w [0] : vector<4x8xf32>, vector<4xf32>
  return
}

// -----

func.func @multi_reduction_1(%v: vector<4x8xf32>, %w: vector<4xf32>) {
  // expected-error @below {{'vector.multi_reduction' op destination type 'vector<4xf32>' is incompatible with source type 'vector<4x8xf32>'}}
  %0 = vector.multi_reduction <add>, %v, %w [0] : vector<4x8xf32> to vector<4xf32>
  return
}

// -----

func.func @multi_reduction_kind(%v: vector<2x4xf32>, %w: vector<2xf32>) {
  // expected-error @below {{'vector.multi_reduction' op unsupported reduction type 'f32' for kind 'xor'}}
  %0 = vector.multi_reduction <xor>, %v, %w [1] : vector<2x4xf32> to vector<2xf32>
  return
}

// -----

func.func @reduction_1(%v: vector<4x8xf32>, %w: vector<4xf32>) {
  // expected-error @below {{'vector.reduction' op unsupported reduction rank: 2}}
  %0 = vector.reduction <add>, %v : vector<4x8xf32> into f32
  return
}

// -----

func.func @reduction_2(%v: vector<4xf32>) {
  // expected-error @below {{'vector.reduction' op unsupported reduction type ''f32'' for kind 'and'}}
  %0 = vector.reduction <and>, %v : vector<4xf32> into f32
  return
}

// -----

func.func @shape_cast_1(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.shape_cast' op has different number of elements at source (32) and result (28)}}
  %0 = vector.shape_cast %v : vector<4x8xf32> to vector<4x7xf32>
  return
}

// -----

func.func @shape_cast_2(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.shape_cast' op has different source and result element types}}
  %0 = vector.shape_cast %v : vector<4x8xf32> to vector<32xi32>
  return
}

// -----

func.func @transpose_1(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.transpose' op transposition length mismatch: 1}}
  %0 = vector.transpose %v, [0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @transpose_2(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.transpose' op duplicate position index: 0}}
  %0 = vector.transpose %v, [0, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @transpose_3(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.transpose' op transposition index out of range: 2}}
  %0 = vector.transpose %v, [0, 2] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @transpose_4(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.transpose' op dimension size mismatch at: 1}}
  %0 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @transpose_5(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.transpose' op vector result rank mismatch: 1}}
  %0 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<32xf32>
  return
}

// -----

func.func @bitcast_1(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.bitcast' op dimension size mismatch at: 0}}
  %0 = vector.bitcast %v : vector<4x8xf32> to vector<5x8xi32>
  return
}

// -----

func.func @bitcast_2(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal}}
  %0 = vector.bitcast %v : vector<4x8xf32> to vector<4x7xi32>
  return
}

// -----

func.func @outerproduct_1(%v: vector<4xf32>, %w: vector<8xf32>, %a: vector<4x8xf32>) {
  // expected-error @below {{'vector.outerproduct' op unsupported outerproduct type}}
  %0 = vector.outerproduct %v, %w, %a {kind = #vector.kind<and>} : vector<4xf32>, vector<8xf32>
  return
}

// -----

func.func @outerproduct_2(%v: vector<4x2xf32>, %w: vector<8xf32>, %a: vector<4x8xf32>) {
  // expected-error @below {{'vector.outerproduct' op expected 1-d vector for operand #1}}
  %0 = vector.outerproduct %v, %w, %a : vector<4x2xf32>, vector<8xf32>
  return
}

// -----

func.func @outerproduct_3(%v: vector<4xf32>) {
  // expected-error @below {{expected at least 2 operands}}
  %0 = vector.outerproduct %v : vector<4xf32>, vector<8xf32>
  return
}

// -----

func.func @load_1(%m: memref<?x?xf32>, %i: index) {
  // expected-error @below {{'vector.load' op requires 2 indices}}
  %0 = vector.load %m[%i] : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @load_2(%m: memref<?x?xf32>, %i: index) {
  // expected-error @below {{'vector.load' op base and result element types should match}}
  %0 = vector.load %m[%i, %i] : memref<?x?xf32>, vector<4xi32>
  return
}

// -----

func.func @store_1(%m: memref<?x?xf32>, %i: index, %v: vector<4xi32>) {
  // expected-error @below {{'vector.store' op base and valueToStore element type should match}}
  vector.store %v, %m[%i, %i] : memref<?x?xf32>, vector<4xi32>
  return
}

// -----

func.func @store_2(%m: memref<?x?xf32>, %i: index, %v: vector<4xf32>) {
  // expected-error @below {{'vector.store' op requires 2 indices}}
  vector.store %v, %m[%i] : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @store_3(%m: memref<?x?xf32, strided<[?, 2]>>, %i: index, %v: vector<4xf32>) {
  // expected-error @below {{'vector.store' op most minor memref dim must have unit stride}}
  vector.store %v, %m[%i, %i] : memref<?x?xf32, strided<[?, 2]>>, vector<4xf32>
  return
}

// -----

func.func @constant_mask_1() {
  // expected-error @below {{'vector.constant_mask' op array attr of size out of bounds of vector result dimension size}}
  %0 = vector.constant_mask [5] : vector<4xi1>
  return
}

// -----

func.func @constant_mask_2() {
  // expected-error @below {{'vector.constant_mask' op must specify array attr of size equal vector result rank}}
  %0 = vector.constant_mask [1, 2] : vector<4xi1>
  return
}

// -----

func.func @constant_mask_3() {
  // expected-error @below {{'vector.constant_mask' op expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim}}
  %0 = vector.constant_mask [0, 2] : vector<4x4xi1>
  return
}

// -----

func.func @create_mask_1(%i: index) {
  // expected-error @below {{'vector.create_mask' op must specify an operand for each result vector dimension}}
  %0 = vector.create_mask %i, %i : vector<4xi1>
  return
}

// -----

func.func @extract_strided_slice_1(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.extract_strided_slice' op expected offsets, sizes and strides attributes of same size}}
  %0 = vector.extract_strided_slice %v {offsets = [0, 2, 1], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  return
}

// -----

func.func @extract_strided_slice_2(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)}}
  %0 = vector.extract_strided_slice %v {offsets = [2], sizes = [3], strides = [1]} : vector<4x8xf32> to vector<3x8xf32>
  return
}

// -----

func.func @extract_strided_slice_3(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.extract_strided_slice' op expected strides to be confined to [1, 2)}}
  %0 = vector.extract_strided_slice %v {offsets = [2], sizes = [2], strides = [2]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @extract_strided_slice_4(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.extract_strided_slice' op expected result type to be 'vector<2x8xf32>'}}
  %0 = vector.extract_strided_slice %v {offsets = [2], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<1x8xf32>
  return
}

// -----

func.func @insert_strided_slice_1(%v: vector<4x8xf32>, %w: vector<4xf32>) {
  // expected-error @below {{'vector.insert_strided_slice' op expected offsets of same size as destination vector rank}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  return
}

// -----

func.func @insert_strided_slice_2(%v: vector<4x8xf32>, %w: vector<4xf32>) {
  // expected-error @below {{'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 1 to be confined to [1, 9)}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0, 6], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  return
}

// -----

func.func @contract_without_contraction(%v: vector<4xf32>, %w: vector<8xf32>, %acc: vector<4x8xf32>) {
  // expected-error @below {{'vector.contract' op expected at least one contracting dimension pair}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} %v, %w, %acc : vector<4xf32>, vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @contract_rank(%v: vector<4xf32>, %w: vector<2x8xf32>, %acc: vector<4x8xf32>) {
  // expected-error @below {{'vector.contract' op expected indexing map 0 to have 1 number of outputs}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} %v, %w, %acc : vector<4xf32>, vector<2x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @contract_extent(%v: vector<4x3xf32>, %w: vector<2x8xf32>, %acc: vector<4x8xf32>) {
  // expected-error @below {{'vector.contract' op invalid contracting dimension map}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} %v, %w, %acc : vector<4x3xf32>, vector<2x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @contract_result(%v: vector<4x2xf32>, %w: vector<2x8xf32>, %acc: vector<4x7xf32>) {
  // expected-error @below {{'vector.contract' op invalid accumulator/result vector shape, expected: 'vector<4x8xf32>'}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} %v, %w, %acc : vector<4x2xf32>, vector<2x8xf32> into vector<4x7xf32>
  return
}

// -----

func.func @contract_iterators(%v: vector<4x2xf32>, %w: vector<2x8xf32>, %acc: vector<4x8xf32>) {
  // expected-error @below {{unexpected iterator_type (window)}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "window"]} %v, %w, %acc : vector<4x2xf32>, vector<2x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @read_indices(%m: memref<?x?xf32>, %i: index, %s: f32) {
  // expected-error @below {{'vector.transfer_read' op requires 2 indices}}
  %0 = vector.transfer_read %m[%i], %s : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @read_rank(%m: memref<?xf32>, %i: index, %s: f32) {
  // expected-error @below {{expected a custom permutation_map when rank(source) != rank(destination)}}
  %0 = vector.transfer_read %m[%i], %s : memref<?xf32>, vector<4x4xf32>
  return
}

// -----

func.func @read_map_used_twice(%m: memref<?x?xf32>, %i: index, %s: f32) {
  // expected-error @below {{'vector.transfer_read' op requires a permutation_map that is a permutation (found one dim used more than once)}}
  %0 = vector.transfer_read %m[%i, %i], %s {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<?x?xf32>, vector<4x4xf32>
  return
}

// -----

func.func @read_map_not_projected(%m: memref<?x?xf32>, %i: index, %s: f32) {
  // expected-error @below {{'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %0 = vector.transfer_read %m[%i, %i], %s {permutation_map = affine_map<(d0, d1) -> (d0 + d1)>} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @read_map_inputs(%m: memref<?x?xf32>, %i: index, %s: f32) {
  // expected-error @below {{'vector.transfer_read' op requires a permutation_map with input dims of the same rank as the source type}}
  %0 = vector.transfer_read %m[%i, %i], %s {permutation_map = affine_map<(d0) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @read_bounds(%m: memref<?x?xf32>, %i: index, %s: f32) {
  // expected-error @below {{'vector.transfer_read' op expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0, d1) -> (d1)> vs inBounds of size: 2}}
  %0 = vector.transfer_read %m[%i, %i], %s {in_bounds = [true, false]} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @write_broadcast(%m: memref<?x?xf32>, %i: index, %v: vector<4xf32>) {
  // expected-error @below {{'vector.transfer_write' op should not have broadcast dimensions}}
  vector.transfer_write %v, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (0)>} : vector<4xf32>, memref<?x?xf32>
  return
}

// -----

func.func @mask_of_two(%m: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.mask' op expects only one operation to mask}}
  "vector.mask"(%m) ({
    %0 = vector.reduction <add>, %v : vector<4xf32> into f32
    %1 = vector.reduction <mul>, %v : vector<4xf32> into f32
    vector.yield
  }) : (vector<4xi1>) -> ()
  return
}

// -----

// Its pretty form would be rejected.
func.func @mask_of_nothing(%m: vector<4xi1>) {
  // expected-error @below {{'vector.mask' op expects result when passthru argument is provided}}
  "vector.mask"(%m, %m) ({
    vector.yield
  }) : (vector<4xi1>, vector<4xi1>) -> ()
  return
}

// -----

func.func @scan_dimension(%v: vector<2x3xi32>, %i: vector<3xi32>) {
  // expected-error @below {{'vector.scan' op reduction dimension 5 has to be less than 2}}
  %0:2 = vector.scan <add>, %v, %i {inclusive = true, reduction_dim = 5} : vector<2x3xi32>, vector<3xi32>
  return
}

// -----

func.func @scan_rank(%v: vector<2x3xi32>, %i: vector<1x3xi32>) {
  // expected-error @below {{'vector.scan' op initial value rank 2 has to be equal to 1}}
  %0:2 = vector.scan <add>, %v, %i {inclusive = true, reduction_dim = 0} : vector<2x3xi32>, vector<1x3xi32>
  return
}

// -----

func.func @scan_shape(%v: vector<2x3xi32>, %i: vector<5xi32>) {
  // expected-error @below {{'vector.scan' op incompatible input/initial value shapes}}
  %0:2 = vector.scan <add>, %v, %i {inclusive = true, reduction_dim = 0} : vector<2x3xi32>, vector<5xi32>
  return
}

// -----

func.func @scan_kind(%v: vector<2x3xf32>, %i: vector<3xf32>) {
  // expected-error @below {{'vector.scan' op unsupported reduction type 'f32' for kind 'xor'}}
  %0:2 = vector.scan <xor>, %v, %i {inclusive = true, reduction_dim = 0} : vector<2x3xf32>, vector<3xf32>
  return
}

// -----

func.func @mask_of_two(%t: tensor<?xf32>, %i: index, %v: vector<16xf32>, %m: vector<16xi1>) {
  // expected-error @below {{'vector.mask' op expects only one operation to mask}}
  vector.mask %m {
    vector.transfer_write %v, %t[%i] : vector<16xf32>, tensor<?xf32>
    vector.transfer_write %v, %t[%i] : vector<16xf32>, tensor<?xf32>
  } : vector<16xi1>
  return
}

// -----

func.func @mask_of_other(%m: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.mask' op expects a MaskableOpInterface within the mask region}}
  %0 = vector.mask %m { arith.negf %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}

// -----

func.func @mask_type(%v: vector<8xi32>, %m: vector<16xi1>) {
  // expected-error @below {{'vector.mask' op expects a 'vector<8xi1>' mask for the maskable operation}}
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<8xi32> into i32 } : vector<16xi1> -> i32
  return
}

// -----

func.func @mask_of_other(%v: vector<4xf32>, %m: vector<4xi1>) {
  // expected-error @below {{'vector.mask' op expects a MaskableOpInterface within the mask region}}
  %0 = vector.mask %m { arith.addf %v, %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}

// -----

func.func @mask_without_result(%m: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.mask' op expects number of results to match mask region yielded values}}
  vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1>
  return
}

// -----

func.func @mask_yields_other(%t: tensor<?xf32>, %i: index, %m: vector<16xi1>, %v: vector<16xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{expects all the results from the MaskableOpInterface to match all the values returned by the terminator}}
  %0 = vector.mask %m {
    %1 = vector.transfer_read %t[%i], %zero : tensor<?xf32>, vector<16xf32>
    vector.yield %v : vector<16xf32>
  } : vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @shuffle_length(%v: vector<4x8xf32>) {
  // expected-error @below {{'vector.shuffle' op mask length mismatch}}
  %0 = "vector.shuffle"(%v, %v) <{mask = array<i64: 0>}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<2x8xf32>
  return
}

// -----

func.func @mask_of_nothing(%m: vector<16xi1>) {
  vector.mask %m { vector.yield } : vector<16xi1>
  return
}

// -----

func.func @load_of_higher_rank(%m: memref<?xi8>, %i: index) {
  // expected-error @below {{'vector.load' op destination memref has lower rank than the result vector}}
  %0 = vector.load %m[%i] : memref<?xi8>, vector<2x2xi8>
  return
}

// -----

func.func @store_of_higher_rank(%m: memref<?xi8>, %i: index, %v: vector<2x2xi8>) {
  // expected-error @below {{'vector.store' op source memref has lower rank than the vector to store}}
  vector.store %v, %m[%i] : memref<?xi8>, vector<2x2xi8>
  return
}

// -----

// A single element needs no neighbours.
func.func @load_of_one(%m: memref<8x4xf32, strided<[?, ?], offset: ?>>, %i: index) {
  %0 = vector.load %m[%i, %i] : memref<8x4xf32, strided<[?, ?], offset: ?>>, vector<1xf32>
  // expected-error @below {{'vector.load' op most minor memref dim must have unit stride}}
  %1 = vector.load %m[%i, %i] : memref<8x4xf32, strided<[?, ?], offset: ?>>, vector<2xf32>
  return
}

// -----

func.func @insert_scalable(%a: vector<1x[2]xi32>, %b: vector<4x[4]xi32>) {
  // expected-error @below {{expected size at idx=1 to match the corresponding base size from the input vector (2 vs 4)}}
  %0 = vector.insert_strided_slice %a, %b {offsets = [3, 0], strides = [1, 1]} : vector<1x[2]xi32> into vector<4x[4]xi32>
  return
}

// -----

func.func @insert_fixed_into_scalable(%b: vector<4x[4]xi32>, %c: vector<1x4xi32>) {
  // expected-error @below {{mismatching scalable flags (at source vector idx=1)}}
  %1 = vector.insert_strided_slice %c, %b {offsets = [3, 0], strides = [1, 1]} : vector<1x4xi32> into vector<4x[4]xi32>
  return
}

// -----

func.func @contract_signed(%a: vector<2x4xsi8>, %b: vector<4x2xsi8>, %c: vector<2x2xsi32>) {
  // expected-error @below {{'vector.contract' op only supports signless integer types}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<2x4xsi8>, vector<4x2xsi8> into vector<2x2xsi32>
  return
}

// -----

func.func @masked_load_element(%m: memref<?xf64>, %mask: vector<8xi1>, %pass: vector<8xf32>, %i: index) {
  // expected-error @below {{'vector.maskedload' op base and result element type should match}}
  %0 = vector.maskedload %m[%i], %mask, %pass : memref<?xf64>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @masked_load_shape(%m: memref<?xf32>, %mask: vector<4xi1>, %pass: vector<8xf32>, %i: index) {
  // expected-error @below {{'vector.maskedload' op expected result shape to match mask shape}}
  %0 = vector.maskedload %m[%i], %mask, %pass : memref<?xf32>, vector<4xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @masked_store_indices(%m: memref<?x?xf32>, %mask: vector<8xi1>, %v: vector<8xf32>, %i: index) {
  // expected-error @below {{'vector.maskedstore' op requires 2 indices}}
  vector.maskedstore %m[%i], %mask, %v : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @expand_load_pass_thru(%m: memref<?xf32>, %mask: vector<8xi1>, %pass: vector<4xf32>, %i: index) {
  // expected-error @below {{'vector.expandload' op expected pass_thru of same type as result type}}
  %0 = vector.expandload %m[%i], %mask, %pass : memref<?xf32>, vector<8xi1>, vector<4xf32> into vector<8xf32>
  return
}

// -----

func.func @compress_store_mask(%m: memref<?xf32>, %mask: vector<4xi1>, %v: vector<8xf32>, %i: index) {
  // expected-error @below {{'vector.compressstore' op expected valueToStore dim to match mask dim}}
  vector.compressstore %m[%i], %mask, %v : memref<?xf32>, vector<4xi1>, vector<8xf32>
  return
}

// -----

func.func @gather_indices(%m: memref<?xf32>, %at: vector<4xindex>, %mask: vector<8xi1>, %pass: vector<8xf32>, %i: index) {
  // expected-error @below {{'vector.gather' op expected result dim to match indices dim}}
  %0 = vector.gather %m[%i] [%at], %mask, %pass
    : memref<?xf32>, vector<4xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @scatter_mask(%m: memref<?xf32>, %at: vector<8xindex>, %mask: vector<4xi1>, %v: vector<8xf32>, %i: index) {
  // expected-error @below {{'vector.scatter' op expected valueToStore dim to match mask dim}}
  vector.scatter %m[%i] [%at], %mask, %v : memref<?xf32>, vector<8xindex>, vector<4xi1>, vector<8xf32>
  return
}

// -----

func.func @many_elements(%v: vector<2147483647xf32>) {
  // expected-error @below {{unsupported: more than 65535 results}}
  %0 = vector.to_elements %v : vector<2147483647xf32>
  return
}

// -----

func.func @broadcast_to_scalar(%x: f32) {
  // expected-error @below {{custom op 'vector.broadcast' invalid kind of type specified: expected builtin.vector, but found 'f32'}}
  %0 = vector.broadcast %x : f32 to f32
  return
}

// -----

func.func @broadcast_scalable_unit(%v: vector<[1]xf32>) {
  // expected-error @below {{'vector.broadcast' op dimension mismatch ([1] vs. [4])}}
  %0 = vector.broadcast %v : vector<[1]xf32> to vector<[4]xf32>
  return
}

// -----

func.func @extract_0d(%v: vector<f32>) {
  // expected-error @below {{'vector.extract' op expected a scalar instead of a 0-d vector as the result type}}
  %0 = vector.extract %v[] : vector<f32> from vector<f32>
  return
}

// -----

func.func @insert_0d(%x: vector<f32>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.insert' op expected a scalar instead of a 0-d vector as the source operand}}
  %0 = vector.insert %x, %v[0] : vector<f32> into vector<4xf32>
  return
}

// -----

func.func @outer_product_kind(%a: vector<4xf32>, %b: vector<8xf32>) {
  // expected-error @below {{expected 'kind' attribute of type CombiningKind (e.g. 'vector.kind<add>')}}
  %0 = vector.outerproduct %a, %b {kind = "sum"} : vector<4xf32>, vector<8xf32>
  return
}

// -----

func.func @contract_one_mask(%a: vector<1x2xi32>, %b: vector<2xi32>, %c: vector<1xi32>, %m: vector<1x2xi1>) {
  // expected-error @below {{custom op 'vector.contract' expected zero or exactly 2 vector mask operands}}
  %0 = vector.contract {} %a, %b, %c, %m : vector<1x2xi32>, vector<2xi32> into vector<1xi32>
  return
}

// -----

func.func @contract_unused_dimension(%a: vector<1x2xi32>, %b: vector<2xi32>, %c: vector<1xi32>) {
  // expected-error @below {{'vector.contract' op expected all dimensions to be either a LHS or a RHS dimension}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2)>,
                     affine_map<(d0, d1, d2) -> (d1)>],
    iterator_types = ["reduction", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<1x2xi32>, vector<2xi32> into vector<1xi32>
  return
}

// -----

func.func @type_cast_layout(%m: memref<4x3xf32, strided<[8, 1]>>) {
  // expected-error @below {{'vector.type_cast' op expects operand to be a memref with identity layout}}
  %0 = vector.type_cast %m : memref<4x3xf32, strided<[8, 1]>> to memref<vector<4x3xf32>>
  return
}

// -----

func.func @type_cast_shape(%m: memref<4x3xf32>) {
  // expected-error @below {{'vector.type_cast' op expects concatenated result and operand shapes to be equal: 'memref<vector<3x4xf32>>'}}
  %0 = vector.type_cast %m : memref<4x3xf32> to memref<vector<3x4xf32>>
  return
}

// -----

func.func @type_cast_space(%m: memref<4x3xf32, 1>) {
  // expected-error @below {{'vector.type_cast' op expects result in same memory space}}
  %0 = vector.type_cast %m : memref<4x3xf32, 1> to memref<vector<4x3xf32>>
  return
}

// -----

func.func @type_cast_element(%m: memref<4x3xf32>) {
  // expected-error @below {{'vector.type_cast' op expects result and operand with same underlying scalar type: 'memref<vector<4x3xi32>>'}}
  %0 = vector.type_cast %m : memref<4x3xf32> to memref<vector<4x3xi32>>
  return
}

// -----

func.func @store_other_vector(%m: memref<8xvector<4xf32>>, %i: index, %v: vector<8xf32>) {
  // expected-error @below {{'vector.store' op base memref and valueToStore vector types should match}}
  vector.store %v, %m[%i] : memref<8xvector<4xf32>>, vector<8xf32>
  return
}

// -----

func.func @from_elements_count(%x: f32) {
  // expected-error @below {{custom op 'vector.from_elements' number of operands and types do not match: got 1 operands and 2 types}}
  %0 = vector.from_elements %x : vector<2xf32>
  return
}

// -----

// What the attributes of a pretty form must be is checked where they stand.
func.func @alignment(%m: memref<8xi32>, %i: index) {
  %0 = vector.load %m[%i]
    // expected-error @below {{'vector.load' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive and whose value is a power of two > 0}}
    { alignment = 3 } : memref<8xi32>, vector<4xi32>
  return
}

// -----

func.func @transfer_write_result(%v: vector<4xf32>, %t: tensor<8xf32>, %i: index) {
  // expected-error @below {{'vector.transfer_write' op expected result to be of type 'tensor<8xf32>', but got 'tensor<4xf32>'}}
  %0 = "vector.transfer_write"(%v, %t, %i) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, tensor<8xf32>, index) -> tensor<4xf32>
  return
}

// -----

func.func @written_tensor_is_a_result(%v: vector<4xf32>, %t: tensor<8xf32>, %i: index) {
  // expected-error @below {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  "vector.transfer_write"(%v, %t, %i) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, tensor<8xf32>, index) -> ()
  return
}
