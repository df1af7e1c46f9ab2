// Products of bytes and of bf16 are those of one product after the other, with the sums where rows, columns and the depth are left over. All sums are
// whole numbers that f32 holds.

// RUN: dl-run %s --backend=%{back-end} | FileCheck %s
// RUN: dl-run %s --backend=%{back-end} --threads=2 | FileCheck %s
// RUN: dl-run %s --target-features=-amx-tile | FileCheck %s

// Numbers of sums that differ.
//      CHECK: int32 []
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: int32 []
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: int32 []
// CHECK-NEXT: {{^}}0{{$}}

#both = affine_map<(i, j) -> (i, j)>
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (k, j)>
#sum = affine_map<(i, j, k) -> (i, j)>

func.func @main() -> (i32, i32, i32) {
  %0 = call @signed() : () -> i32
  %1 = call @mixed() : () -> i32
  %2 = call @fractions() : () -> i32
  return %0, %1, %2 : i32, i32, i32
}

func.func private @signed() -> i32 {
  %a_empty = tensor.empty() : tensor<19x128xi8>
  %a = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]} outs(%a_empty : tensor<19x128xi8>) {
  ^bb0(%unused: i8):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.constant 7 : index
    %q = arith.constant 5 : index
    %modulus = arith.constant 251 : index
    %least = arith.constant 120 : i32
    %of_i = arith.muli %i, %p : index
    %of_j = arith.muli %j, %q : index
    %of_both = arith.muli %i, %j : index
    %part = arith.addi %of_i, %of_j : index
    %all = arith.addi %part, %of_both : index
    %rest = arith.remui %all, %modulus : index
    %positive = arith.index_cast %rest : index to i32
    %number = arith.subi %positive, %least : i32
    %element = arith.trunci %number : i32 to i8
    linalg.yield %element : i8
  } -> tensor<19x128xi8>
  %b_empty = tensor.empty() : tensor<128x24xi8>
  %b = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]} outs(%b_empty : tensor<128x24xi8>) {
  ^bb0(%unused: i8):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.constant 3 : index
    %q = arith.constant 11 : index
    %modulus = arith.constant 241 : index
    %least = arith.constant 110 : i32
    %of_i = arith.muli %i, %p : index
    %of_j = arith.muli %j, %q : index
    %of_both = arith.muli %i, %j : index
    %part = arith.addi %of_i, %of_j : index
    %all = arith.addi %part, %of_both : index
    %rest = arith.remui %all, %modulus : index
    %positive = arith.index_cast %rest : index to i32
    %number = arith.subi %positive, %least : i32
    %element = arith.trunci %number : i32 to i8
    linalg.yield %element : i8
  } -> tensor<128x24xi8>
  %zero = arith.constant 0 : i32
  %c_empty = tensor.empty() : tensor<19x24xi32>
  %c = linalg.fill ins(%zero : i32) outs(%c_empty : tensor<19x24xi32>) -> tensor<19x24xi32>
  %product = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<19x128xi8>, tensor<128x24xi8>) outs(%c : tensor<19x24xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %pq = arith.muli %p, %q : i32
    %next = arith.addi %s, %pq : i32
    linalg.yield %next : i32
  } -> tensor<19x24xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 19 : index
  %columns = arith.constant 24 : index
  %depth = arith.constant 128 : index
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %wrong = scf.for %i = %c0 to %rows step %c1 iter_args(%of_rows = %none) -> (i32) {
    %of_row = scf.for %j = %c0 to %columns step %c1 iter_args(%count = %of_rows) -> (i32) {
      %expected = scf.for %k = %c0 to %depth step %c1 iter_args(%s = %zero) -> (i32) {
        %x = tensor.extract %a[%i, %k] : tensor<19x128xi8>
        %y = tensor.extract %b[%k, %j] : tensor<128x24xi8>
        %p = arith.extsi %x : i8 to i32
        %q = arith.extsi %y : i8 to i32
        %pq = arith.muli %p, %q : i32
        %next = arith.addi %s, %pq : i32
        scf.yield %next : i32
      }
      %found = tensor.extract %product[%i, %j] : tensor<19x24xi32>
      %differs = arith.cmpi ne, %found, %expected : i32
      %more = arith.addi %count, %one : i32
      %next = arith.select %differs, %more, %count : i32
      scf.yield %next : i32
    }
    scf.yield %of_row : i32
  }
  return %wrong : i32
}

func.func private @mixed() -> i32 {
  %a_empty = tensor.empty() : tensor<33x32xi8>
  %a = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]} outs(%a_empty : tensor<33x32xi8>) {
  ^bb0(%unused: i8):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.constant 7 : index
    %q = arith.constant 5 : index
    %modulus = arith.constant 251 : index
    %least = arith.constant 120 : i32
    %of_i = arith.muli %i, %p : index
    %of_j = arith.muli %j, %q : index
    %of_both = arith.muli %i, %j : index
    %part = arith.addi %of_i, %of_j : index
    %all = arith.addi %part, %of_both : index
    %rest = arith.remui %all, %modulus : index
    %positive = arith.index_cast %rest : index to i32
    %number = arith.subi %positive, %least : i32
    %element = arith.trunci %number : i32 to i8
    linalg.yield %element : i8
  } -> tensor<33x32xi8>
  %b_empty = tensor.empty() : tensor<32x17xi8>
  %b = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]} outs(%b_empty : tensor<32x17xi8>) {
  ^bb0(%unused: i8):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.constant 3 : index
    %q = arith.constant 11 : index
    %modulus = arith.constant 241 : index
    %least = arith.constant 110 : i32
    %of_i = arith.muli %i, %p : index
    %of_j = arith.muli %j, %q : index
    %of_both = arith.muli %i, %j : index
    %part = arith.addi %of_i, %of_j : index
    %all = arith.addi %part, %of_both : index
    %rest = arith.remui %all, %modulus : index
    %positive = arith.index_cast %rest : index to i32
    %number = arith.subi %positive, %least : i32
    %element = arith.trunci %number : i32 to i8
    linalg.yield %element : i8
  } -> tensor<32x17xi8>
  %zero = arith.constant 0 : i32
  %c_empty = tensor.empty() : tensor<33x17xi32>
  %c = linalg.fill ins(%zero : i32) outs(%c_empty : tensor<33x17xi32>) -> tensor<33x17xi32>
  %product = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<33x32xi8>, tensor<32x17xi8>) outs(%c : tensor<33x17xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %pq = arith.muli %p, %q : i32
    %next = arith.addi %s, %pq : i32
    linalg.yield %next : i32
  } -> tensor<33x17xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 33 : index
  %columns = arith.constant 17 : index
  %depth = arith.constant 32 : index
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %wrong = scf.for %i = %c0 to %rows step %c1 iter_args(%of_rows = %none) -> (i32) {
    %of_row = scf.for %j = %c0 to %columns step %c1 iter_args(%count = %of_rows) -> (i32) {
      %expected = scf.for %k = %c0 to %depth step %c1 iter_args(%s = %zero) -> (i32) {
        %x = tensor.extract %a[%i, %k] : tensor<33x32xi8>
        %y = tensor.extract %b[%k, %j] : tensor<32x17xi8>
        %p = arith.extui %x : i8 to i32
        %q = arith.extsi %y : i8 to i32
        %pq = arith.muli %p, %q : i32
        %next = arith.addi %s, %pq : i32
        scf.yield %next : i32
      }
      %found = tensor.extract %product[%i, %j] : tensor<33x17xi32>
      %differs = arith.cmpi ne, %found, %expected : i32
      %more = arith.addi %count, %one : i32
      %next = arith.select %differs, %more, %count : i32
      scf.yield %next : i32
    }
    scf.yield %of_row : i32
  }
  return %wrong : i32
}

func.func private @fractions() -> i32 {
  %a_empty = tensor.empty() : tensor<18x48xbf16>
  %a = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]} outs(%a_empty : tensor<18x48xbf16>) {
  ^bb0(%unused: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.constant 7 : index
    %q = arith.constant 5 : index
    %modulus = arith.constant 15 : index
    %least = arith.constant 7 : i32
    %of_i = arith.muli %i, %p : index
    %of_j = arith.muli %j, %q : index
    %of_both = arith.muli %i, %j : index
    %part = arith.addi %of_i, %of_j : index
    %all = arith.addi %part, %of_both : index
    %rest = arith.remui %all, %modulus : index
    %positive = arith.index_cast %rest : index to i32
    %number = arith.subi %positive, %least : i32
    %element = arith.sitofp %number : i32 to bf16
    linalg.yield %element : bf16
  } -> tensor<18x48xbf16>
  %b_empty = tensor.empty() : tensor<48x20xbf16>
  %b = linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]} outs(%b_empty : tensor<48x20xbf16>) {
  ^bb0(%unused: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.constant 3 : index
    %q = arith.constant 11 : index
    %modulus = arith.constant 13 : index
    %least = arith.constant 6 : i32
    %of_i = arith.muli %i, %p : index
    %of_j = arith.muli %j, %q : index
    %of_both = arith.muli %i, %j : index
    %part = arith.addi %of_i, %of_j : index
    %all = arith.addi %part, %of_both : index
    %rest = arith.remui %all, %modulus : index
    %positive = arith.index_cast %rest : index to i32
    %number = arith.subi %positive, %least : i32
    %element = arith.sitofp %number : i32 to bf16
    linalg.yield %element : bf16
  } -> tensor<48x20xbf16>
  %zero = arith.constant 0.0 : f32
  %c_empty = tensor.empty() : tensor<18x20xf32>
  %c = linalg.fill ins(%zero : f32) outs(%c_empty : tensor<18x20xf32>) -> tensor<18x20xf32>
  %product = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<18x48xbf16>, tensor<48x20xbf16>) outs(%c : tensor<18x20xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %pq = arith.mulf %p, %q : f32
    %next = arith.addf %s, %pq : f32
    linalg.yield %next : f32
  } -> tensor<18x20xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 18 : index
  %columns = arith.constant 20 : index
  %depth = arith.constant 48 : index
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %wrong = scf.for %i = %c0 to %rows step %c1 iter_args(%of_rows = %none) -> (i32) {
    %of_row = scf.for %j = %c0 to %columns step %c1 iter_args(%count = %of_rows) -> (i32) {
      %expected = scf.for %k = %c0 to %depth step %c1 iter_args(%s = %zero) -> (f32) {
        %x = tensor.extract %a[%i, %k] : tensor<18x48xbf16>
        %y = tensor.extract %b[%k, %j] : tensor<48x20xbf16>
        %p = arith.extf %x : bf16 to f32
        %q = arith.extf %y : bf16 to f32
        %pq = arith.mulf %p, %q : f32
        %next = arith.addf %s, %pq : f32
        scf.yield %next : f32
      }
      %found = tensor.extract %product[%i, %j] : tensor<18x20xf32>
      %differs = arith.cmpf une, %found, %expected : f32
      %more = arith.addi %count, %one : i32
      %next = arith.select %differs, %more, %count : i32
      scf.yield %next : i32
    }
    scf.yield %of_row : i32
  }
  return %wrong : i32
}
