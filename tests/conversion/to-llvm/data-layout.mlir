// The data layout of the module says how wide an index is, unless an option does.
// RUN: dl-opt %s --convert-func-to-llvm | FileCheck %s --check-prefixes=CHECK,NARROW
// RUN: dl-opt %s --convert-func-to-llvm=index-bitwidth=64 | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: dl-opt %s --convert-to-llvm=dynamic=true | FileCheck %s --check-prefixes=CHECK,NARROW
// RUN: dl-opt %s --convert-to-llvm | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: dl-opt %s --finalize-memref-to-llvm | FileCheck %s --check-prefix=MEMREF

// CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<index = 16 : i64>}
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 16>} {
  // NARROW: llvm.func @extent(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i16, %{{.*}}: i16, %{{.*}}: i16) -> i16
  // WIDE:   llvm.func @extent(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64) -> i64
  // MEMREF: llvm.extractvalue %{{.*}}[3, 0] : !llvm.struct<(ptr, ptr, i16, array<1 x i16>, array<1 x i16>)>
  func.func @extent(%m: memref<?xf32>) -> index {
    %zero = arith.constant 0 : index
    %extent = memref.dim %m, %zero : memref<?xf32>
    return %extent : index
  }
}
