// Scopes of one domain stay in one domain, so that LLVM does not take accesses for apart that are not.

// REQUIRES: llvm
// RUN: dl-translate %s --mlir-to-llvmir | FileCheck %s
// RUN: dl-run %s --backend=llvm --opt-level=3 --input=3 | FileCheck %s --check-prefix=RESULT

// CHECK: ![[FIRST:[0-9]+]] = distinct !{![[FIRST]], ![[DOMAIN:[0-9]+]]}
// CHECK: ![[DOMAIN]] = distinct !{![[DOMAIN]]}
// CHECK: ![[SECOND:[0-9]+]] = distinct !{![[SECOND]], ![[DOMAIN]]}

// RESULT: int32 []
// RESULT-NEXT: {{^}}4{{$}}

#domain = #llvm.alias_scope_domain<id = distinct[0]<>>
#first = #llvm.alias_scope<id = distinct[1]<>, domain = #domain>
#second = #llvm.alias_scope<id = distinct[2]<>, domain = #domain>

llvm.func @main(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store volatile %x, %p : i32, !llvm.ptr
  %r = llvm.call @stored_between(%p, %p) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return %r : i32
}

// The store is in neither of the scopes but the first, so that a load in both may read what it wrote.
llvm.func @stored_between(%p: !llvm.ptr, %q: !llvm.ptr) -> i32 attributes {passthrough = ["noinline"]} {
  %c = llvm.mlir.constant(7 : i32) : i32
  %a = llvm.load %p {alias_scopes = [#first, #second]} : !llvm.ptr -> i32
  llvm.store %c, %q {noalias_scopes = [#first]} : i32, !llvm.ptr
  %b = llvm.load %p {alias_scopes = [#first, #second]} : !llvm.ptr -> i32
  %s = llvm.sub %b, %a : i32
  llvm.return %s : i32
}
