// RUN: %{round-trip}

// CHECK-LABEL: func.func @operations
//  CHECK-SAME:   (%[[V:.*]]: vector<4xf32>, %[[W:.*]]: vector<8xf32>, %[[ACC:.*]]: vector<4x8xf32>, %[[S:.*]]: f32, %[[M:.*]]: memref<?x?xf32>, %[[T:.*]]: tensor<?x?xf32>, %[[I:.*]]: index, %[[MK:.*]]: vector<4xi1>, %[[V2:.*]]: vector<4x8xf32>, %[[VI:.*]]: vector<4xi32>, %[[CL:.*]]: vector<4x2xf32>, %[[CR:.*]]: vector<2x8xf32>, %[[CC:.*]]: vector<4x8xf32>)
func.func @operations(%v: vector<4xf32>, %w: vector<8xf32>, %acc: vector<4x8xf32>, %s: f32, %m: memref<?x?xf32>, %t: tensor<?x?xf32>, %i: index, %mk: vector<4xi1>, %v2: vector<4x8xf32>, %vi: vector<4xi32>, %cl: vector<4x2xf32>, %cr: vector<2x8xf32>, %cc: vector<4x8xf32>) {
  // CHECK-NEXT: vector.outerproduct %[[V]], %[[W]] : vector<4xf32>, vector<8xf32>
  %0 = vector.outerproduct %v, %w : vector<4xf32>, vector<8xf32>
  // CHECK-NEXT: vector.outerproduct %[[V]], %[[W]], %[[ACC]] {kind = #vector.kind<add>} : vector<4xf32>, vector<8xf32>
  %1 = vector.outerproduct %v, %w, %acc : vector<4xf32>, vector<8xf32>
  // CHECK-NEXT: vector.outerproduct %[[V]], %[[W]], %[[ACC]] {kind = #vector.kind<maximumf>} : vector<4xf32>, vector<8xf32>
  %2 = vector.outerproduct %v, %w, %acc {kind = #vector.kind<maximumf>} : vector<4xf32>, vector<8xf32>
  // CHECK-NEXT: vector.outerproduct %[[V]], %[[S]], %[[V]] {foo, kind = #vector.kind<add>} : vector<4xf32>, f32
  %3 = vector.outerproduct %v, %s, %v {kind = #vector.kind<add>, foo} : vector<4xf32>, f32
  // CHECK-NEXT: vector.outerproduct %[[V]], %[[W]] : vector<4xf32>, vector<8xf32>
  %4 = vector.outerproduct %v, %w {foo} : vector<4xf32>, vector<8xf32>
  // CHECK-NEXT: vector.transfer_read %[[M]][%[[I]], %[[I]]], %[[S]] : memref<?x?xf32>, vector<4xf32>
  %5 = vector.transfer_read %m[%i, %i], %s : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: vector.transfer_read %[[M]][%[[I]], %[[I]]], %[[S]] {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
  %6 = vector.transfer_read %m[%i, %i], %s {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: vector.transfer_read %[[M]][%[[I]], %[[I]]], %[[S]], %[[MK]] {permutation_map = #map{{[0-9]*}}} : memref<?x?xf32>, vector<4xf32>
  %7 = vector.transfer_read %m[%i, %i], %s, %mk {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: vector.transfer_read %[[T]][%[[I]], %[[I]]], %[[S]] {in_bounds = [false, true], permutation_map = #map{{[0-9]*}}} : tensor<?x?xf32>, vector<4x8xf32>
  %8 = vector.transfer_read %t[%i, %i], %s {permutation_map = affine_map<(d0, d1) -> (d1, 0)>, in_bounds=[false, true]} : tensor<?x?xf32>, vector<4x8xf32>
  // CHECK-NEXT: vector.transfer_write %[[V]], %[[M]][%[[I]], %[[I]]] : vector<4xf32>, memref<?x?xf32>
  vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32>
  // CHECK-NEXT: vector.transfer_write %[[V]], %[[T]][%[[I]], %[[I]]], %[[MK]] {foo, in_bounds = [true]} : vector<4xf32>, tensor<?x?xf32>
  %9 = vector.transfer_write %v, %t[%i, %i], %mk {in_bounds = [true], foo} : vector<4xf32>, tensor<?x?xf32>
  // CHECK-NEXT: vector.print %[[V]] : vector<4xf32>
  vector.print %v : vector<4xf32>
  // CHECK-NEXT: vector.print %[[S]] : f32 punctuation <comma>
  vector.print %s : f32 punctuation <comma>
  // CHECK-NEXT: vector.print
  vector.print punctuation <newline>
  // CHECK-NEXT: vector.print punctuation <open>
  vector.print punctuation <open>
  // CHECK-NEXT: vector.print
  vector.print
  // CHECK-NEXT: vector.print str "hello"
  vector.print str "hello"
  // CHECK-NEXT: vector.contract {indexing_maps = [#map{{[0-9]*}}, #map{{[0-9]*}}, #map{{[0-9]*}}], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %[[CL]], %[[CR]], %[[CC]] : vector<4x2xf32>, vector<2x8xf32> into vector<4x8xf32>
  %10 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "reduction"]} %cl, %cr, %cc : vector<4x2xf32>, vector<2x8xf32> into vector<4x8xf32>
  // CHECK-NEXT: vector.contract {indexing_maps = [#map{{[0-9]*}}, #map{{[0-9]*}}, #map{{[0-9]*}}], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %[[CL]], %[[CR]], %[[CC]] {foo} : vector<4x2xf32>, vector<2x8xf32> into vector<4x8xf32>
  %11 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i,j,k) -> (k,j)>, affine_map<(i,j,k) -> (i,j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %cl, %cr, %cc {foo} : vector<4x2xf32>, vector<2x8xf32> into vector<4x8xf32>
  // CHECK-NEXT: vector.extract %[[V2]][0] : vector<8xf32> from vector<4x8xf32>
  %12 = vector.extract %v2[0] : vector<8xf32> from vector<4x8xf32>
  // CHECK-NEXT: vector.extract %[[V2]][0, %[[I]]] : f32 from vector<4x8xf32>
  %13 = vector.extract %v2[0, %i] : f32 from vector<4x8xf32>
  // CHECK-NEXT: vector.insert %[[S]], %[[V2]] [0, %[[I]]] : f32 into vector<4x8xf32>
  %14 = vector.insert %s, %v2[0, %i] : f32 into vector<4x8xf32>
  // CHECK-NEXT: vector.shuffle %[[V]], %[[V]] [0, 1, 5] : vector<4xf32>, vector<4xf32>
  %15 = vector.shuffle %v, %v [0, 1, 5] : vector<4xf32>, vector<4xf32>
  // CHECK-NEXT: vector.multi_reduction <add>, %[[V2]], %[[V]] [1] : vector<4x8xf32> to vector<4xf32>
  %16 = vector.multi_reduction <add>, %v2, %v [1] : vector<4x8xf32> to vector<4xf32>
  // CHECK-NEXT: vector.multi_reduction <add>, %[[V2]], %[[S]] [0, 1] : vector<4x8xf32> to f32
  %17 = vector.multi_reduction <add>, %v2, %s [0, 1] : vector<4x8xf32> to f32
  // CHECK-NEXT: vector.reduction <add>, %[[V]] : vector<4xf32> into f32
  %18 = vector.reduction <add>, %v : vector<4xf32> into f32
  // CHECK-NEXT: vector.reduction <add>, %[[V]], %[[S]] fastmath<fast> : vector<4xf32> into f32
  %19 = vector.reduction <add>, %v, %s fastmath<fast> : vector<4xf32> into f32
  // CHECK-NEXT: vector.broadcast %[[S]] : f32 to vector<4xf32>
  %20 = vector.broadcast %s : f32 to vector<4xf32>
  // CHECK-NEXT: vector.shape_cast %[[V2]] : vector<4x8xf32> to vector<32xf32>
  %21 = vector.shape_cast %v2 : vector<4x8xf32> to vector<32xf32>
  // CHECK-NEXT: vector.transpose %[[V2]], [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %22 = vector.transpose %v2, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  // CHECK-NEXT: vector.bitcast %[[V]] : vector<4xf32> to vector<4xi32>
  %23 = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  // CHECK-NEXT: vector.fma %[[V]], %[[V]], %[[V]] : vector<4xf32>
  %24 = vector.fma %v, %v, %v : vector<4xf32>
  // CHECK-NEXT: vector.load %[[M]][%[[I]], %[[I]]] : memref<?x?xf32>, vector<8xf32>
  %25 = vector.load %m[%i, %i] : memref<?x?xf32>, vector<8xf32>
  // CHECK-NEXT: vector.store %[[W]], %[[M]][%[[I]], %[[I]]] : memref<?x?xf32>, vector<8xf32>
  vector.store %w, %m[%i, %i] : memref<?x?xf32>, vector<8xf32>
  // CHECK-NEXT: vector.maskedload %[[M]][%[[I]], %[[I]]], %[[MK]], %[[V]] : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %26 = vector.maskedload %m[%i, %i], %mk, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK-NEXT: vector.maskedstore %[[M]][%[[I]], %[[I]]], %[[MK]], %[[V]] : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  vector.maskedstore %m[%i, %i], %mk, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: vector.gather %[[M]][%[[I]], %[[I]]] [%[[VI]]], %[[MK]], %[[V]] : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %27 = vector.gather %m[%i, %i] [%vi], %mk, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK-NEXT: vector.scatter %[[M]][%[[I]], %[[I]]] [%[[VI]]], %[[MK]], %[[V]] : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  vector.scatter %m[%i, %i] [%vi], %mk, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: vector.expandload %[[M]][%[[I]], %[[I]]], %[[MK]], %[[V]] : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %28 = vector.expandload %m[%i, %i], %mk, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK-NEXT: vector.compressstore %[[M]][%[[I]], %[[I]]], %[[MK]], %[[V]] : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  vector.compressstore %m[%i, %i], %mk, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: vector.constant_mask [2] : vector<4xi1>
  %29 = vector.constant_mask [2] : vector<4xi1>
  // CHECK-NEXT: vector.create_mask %[[I]] : vector<4xi1>
  %30 = vector.create_mask %i : vector<4xi1>
  // CHECK-NEXT: vector.mask %[[MK]] { vector.reduction <add>, %[[V]] : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %31 = vector.mask %mk { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  // CHECK-NEXT: vector.mask %[[MK]], %[[V]] { vector.transfer_read %[[M]][%[[I]], %[[I]]], %[[S]] : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %32 = vector.mask %mk, %v { vector.transfer_read %m[%i, %i], %s : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  // CHECK-NEXT: vector.mask %[[MK]] { vector.transfer_write %[[V]], %[[M]][%[[I]], %[[I]]] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
  vector.mask %mk { vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
  // CHECK-NEXT: vector.mask %[[MK]] { vector.yield } : vector<4xi1>
  vector.mask %mk { } : vector<4xi1>
  // CHECK-NEXT: vector.vscale
  %33 = vector.vscale
  // CHECK-NEXT: vector.step : vector<4xindex>
  %34 = vector.step : vector<4xindex>
  // CHECK-NEXT: vector.to_elements %[[V]] : vector<4xf32>
  %35:4 = vector.to_elements %v : vector<4xf32>
  // CHECK-NEXT: vector.from_elements %[[S]], %[[S]] : vector<2xf32>
  %36 = vector.from_elements %s, %s : vector<2xf32>
  // CHECK-NEXT: vector.deinterleave %[[V]] : vector<4xf32> -> vector<2xf32>
  %37, %38 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  // CHECK-NEXT: vector.interleave %[[V]], %[[V]] : vector<4xf32> -> vector<8xf32>
  %39 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  // CHECK-NEXT: vector.scan <add>, %[[V2]], %[[V]] {inclusive = false, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>
  %40:2 = vector.scan <add>, %v2, %v {inclusive = false, reduction_dim = 1} : vector<4x8xf32>, vector<4xf32>
  // CHECK-NEXT: vector.extract_strided_slice %[[V2]] {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  %41 = vector.extract_strided_slice %v2 {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  // CHECK-NEXT: vector.insert_strided_slice %[[V]], %[[V2]] {offsets = [0, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  %42 = vector.insert_strided_slice %v, %v2 {offsets = [0, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  return
}

// CHECK-LABEL: func.func @scalable_and_nested
//  CHECK-SAME:   (%[[A:.*]]: vector<{{\[}}4{{\]}}xf32>, %[[B:.*]]: vector<8xf32>, %[[MM:.*]]: memref<4x8xf32>, %[[M0:.*]]: memref<f32>, %[[S:.*]]: f32, %[[MV:.*]]: memref<?x?xvector<4x3xf32>>, %[[I:.*]]: index, %[[VF:.*]]: vector<4x3xf32>)
func.func @scalable_and_nested(%a: vector<[4]xf32>, %b: vector<8xf32>, %mm: memref<4x8xf32>, %m0: memref<f32>, %s: f32, %mv: memref<?x?xvector<4x3xf32>>, %i: index, %vf: vector<4x3xf32>) {
  // CHECK-NEXT: vector.scalable.extract %[[A]][4] : vector<4xf32> from vector<{{\[}}4{{\]}}xf32>
  %0 = vector.scalable.extract %a[4] : vector<4xf32> from vector<[4]xf32>
  // CHECK-NEXT: vector.scalable.insert %[[B]], %[[A]][0] : vector<8xf32> into vector<{{\[}}4{{\]}}xf32>
  %1 = vector.scalable.insert %b, %a[0] : vector<8xf32> into vector<[4]xf32>
  // CHECK-NEXT: vector.type_cast %[[MM]] : memref<4x8xf32> to memref<vector<4x8xf32>>
  %2 = vector.type_cast %mm : memref<4x8xf32> to memref<vector<4x8xf32>>
  // CHECK-NEXT: vector.transfer_read %[[M0]][], %[[S]] : memref<f32>, vector<f32>
  %3 = vector.transfer_read %m0[], %s : memref<f32>, vector<f32>
  // CHECK-NEXT: vector.transfer_read %[[MV]][%[[I]], %[[I]]], %[[VF]] : memref<?x?xvector<4x3xf32>>, vector<1x1x4x3xf32>
  %4 = vector.transfer_read %mv[%i, %i], %vf : memref<?x?xvector<4x3xf32>>, vector<1x1x4x3xf32>
  return
}

// A third type is read, and not asked for.
// CHECK-LABEL: func.func @contract_with_type_of_accumulator
func.func @contract_with_type_of_accumulator(%a: vector<4xf32>, %b: vector<4xf32>, %c: f32) -> f32 {
  // CHECK: vector.contract {{.*}} : vector<4xf32>, vector<4xf32> into f32
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4xf32>, vector<4xf32>, f32 into f32
  return %0 : f32
}
