// RUN: %{round-trip}

// Functions, globals, calls, memory, arithmetic, control flow and types, in both directions.

// CHECK-LABEL: llvm.mlir.global internal constant @s("hello\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @s("hello\00") {addr_space = 0 : i32}
// CHECK-LABEL: llvm.mlir.global external @g() {addr_space = 0 : i32} : i32
llvm.mlir.global external @g() : i32
// CHECK-LABEL: llvm.mlir.global private hidden thread_local unnamed_addr constant @h(42 : i64) {addr_space = 0 : i32, alignment = 8 : i64} : i64
llvm.mlir.global private hidden thread_local unnamed_addr constant @h(42 : i64) {alignment = 8 : i64} : i64
// CHECK-LABEL: llvm.mlir.global linkonce_odr @i() comdat(@cd::@x) {addr_space = 0 : i32} : !llvm.array<4 x i8> {
// CHECK:       %{{.*}} = llvm.mlir.zero : !llvm.array<4 x i8>
// CHECK:       llvm.return %{{.*}} : !llvm.array<4 x i8>
llvm.mlir.global linkonce_odr @i() comdat(@cd::@x) : !llvm.array<4 x i8> {
  %0 = llvm.mlir.zero : !llvm.array<4 x i8>
  llvm.return %0 : !llvm.array<4 x i8>
}
// CHECK-LABEL: llvm.mlir.global weak @d(dense<[1, 2]> : tensor<2xi32>) {addr_space = 0 : i32} : !llvm.array<2 x i32>
llvm.mlir.global weak @d(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>
// CHECK-LABEL: llvm.comdat @cd {
// CHECK:       llvm.comdat_selector @x any
llvm.comdat @cd { llvm.comdat_selector @x any }
// CHECK-LABEL: llvm.mlir.alias external @al : i32 {
// CHECK:       %{{.*}} = llvm.mlir.addressof @g : !llvm.ptr
// CHECK:       llvm.return %{{.*}} : !llvm.ptr
llvm.mlir.alias external @al : i32 { %0 = llvm.mlir.addressof @g : !llvm.ptr
 llvm.return %0 : !llvm.ptr }
// CHECK-LABEL: llvm.func @ext(i32, ...) -> i32
llvm.func @ext(i32, ...) -> i32
// CHECK-LABEL: llvm.func internal fastcc @inter(%{{.*}}: i32 {llvm.noundef}, %{{.*}}: !llvm.ptr {llvm.noalias}) -> (i32 {llvm.zeroext}) attributes {dso_local, passthrough = ["nounwind"]} {
// CHECK:       llvm.return %{{.*}} : i32
llvm.func internal fastcc @inter(%a: i32 {llvm.noundef}, %p: !llvm.ptr {llvm.noalias}) -> (i32 {llvm.zeroext}) attributes {passthrough = ["nounwind"], dso_local} { llvm.return %a : i32 }
// CHECK-LABEL: llvm.func hidden local_unnamed_addr @hid() vscale_range(1, 4) comdat(@cd::@x)
llvm.func hidden local_unnamed_addr @hid() vscale_range(1, 4) comdat(@cd::@x)
// CHECK-LABEL: llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-LABEL: llvm.func @main(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: !llvm.ptr, %{{.*}}: i1, %{{.*}}: i64) -> i32 attributes {llvm.emit_c_interface} {
// CHECK:       %{{.*}} = llvm.mlir.constant(1 : i64) : i64
// CHECK:       %{{.*}} = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>) : vector<4xf32>
// CHECK:       %{{.*}} = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK:       %{{.*}} = llvm.mlir.poison : i32
// CHECK:       %{{.*}} = llvm.mlir.zero : !llvm.ptr
// CHECK:       %{{.*}} = llvm.mlir.addressof @s : !llvm.ptr
// CHECK:       %{{.*}} = llvm.add %{{.*}}, %{{.*}} : i32
// CHECK:       %{{.*}} = llvm.add %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
// CHECK:       %{{.*}} = llvm.fadd %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<fast>} : f32
// CHECK:       %{{.*}} = llvm.icmp "slt" %{{.*}}, %{{.*}} : i32
// CHECK:       %{{.*}} = llvm.fcmp "olt" %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<nnan>} : f32
// CHECK:       %{{.*}} = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:       %{{.*}} = llvm.getelementptr inbounds|nuw %{{.*}}[-1] {a} : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:       %{{.*}} = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK:       %{{.*}} = llvm.load volatile %{{.*}} atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK:       llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
// CHECK:       llvm.store volatile %{{.*}}, %{{.*}} {nontemporal} : f32, !llvm.ptr
// CHECK:       %{{.*}} = llvm.alloca %{{.*}} x f32 {alignment = 16 : i64} : (i64) -> !llvm.ptr
// CHECK:       %{{.*}} = llvm.alloca inalloca %{{.*}} x !llvm.struct<(i32)> : (i64) -> !llvm.ptr
// CHECK:       %{{.*}} = llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK:       %{{.*}} = llvm.insertvalue %{{.*}}, %{{.*}}[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK:       %{{.*}} = llvm.extractvalue %{{.*}}[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK:       %{{.*}} = llvm.call @inter(%{{.*}}, %{{.*}}) : (i32, !llvm.ptr) -> i32
// CHECK:       %{{.*}} = llvm.call fastcc @inter(%{{.*}}, %{{.*}}) {no_unwind} : (i32, !llvm.ptr) -> i32
// CHECK:       %{{.*}} = llvm.call @ext(%{{.*}}, %{{.*}}) vararg(!llvm.func<i32 (i32, ...)>) : (i32, f32) -> i32
// CHECK:       %{{.*}} = llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr, (i32) -> i32
// CHECK:       llvm.call @hid() : () -> ()
// CHECK:       llvm.call tail @hid() ["tag"(%{{.*}}, %{{.*}} : i32, i32), "t2"()] : () -> ()
// CHECK:       %{{.*}} = llvm.bitcast %{{.*}} : f32 to i32
// CHECK:       %{{.*}} = llvm.sext %{{.*}} : i32 to i64
// CHECK:       %{{.*}} = llvm.zext nneg %{{.*}} : i32 to i64
// CHECK:       %{{.*}} = llvm.trunc %{{.*}} overflow<nsw> : i64 to i32
// CHECK:       %{{.*}} = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, i32
// CHECK:       %{{.*}} = llvm.intr.fmuladd(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, f32, f32) -> f32
// CHECK:       %{{.*}} = "llvm.intr.vector.reduce.fadd"(%{{.*}}, %{{.*}}) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
// CHECK:       "llvm.intr.memcpy"(%{{.*}}, %{{.*}}, %{{.*}}) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK:       %{{.*}} = llvm.call_intrinsic "llvm.sin"(%{{.*}}) : (f32) -> f32
// CHECK:       llvm.call_intrinsic "llvm.any\FFbytes"() : () -> ()
// CHECK:       %{{.*}} = llvm.shufflevector %{{.*}}, %{{.*}} [0, 4, 1, 5] : vector<4xf32>
// CHECK:       %{{.*}} = llvm.extractelement %{{.*}}[%{{.*}} : i64] : vector<4xf32>
// CHECK:       %{{.*}} = llvm.insertelement %{{.*}}, %{{.*}}[%{{.*}} : i64] : vector<4xf32>
// CHECK:       %{{.*}} = llvm.atomicrmw add %{{.*}}, %{{.*}} acq_rel : !llvm.ptr, i32
// CHECK:       %{{.*}} = llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acq_rel monotonic : !llvm.ptr, i32
// CHECK:       llvm.fence syncscope("agent") seq_cst
// CHECK:       %{{.*}} = llvm.inline_asm has_side_effects "foo", "=r,r" %{{.*}} : (i32) -> i32
// CHECK:       %{{.*}} = llvm.mlir.zero : vector<4xi1>
// CHECK:       %{{.*}} = llvm.intr.masked.load %{{.*}}, %{{.*}}, %{{.*}} {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK:       %{{.*}} = llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<3>
// CHECK:       %{{.*}} = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr
// CHECK:       %{{.*}} = llvm.freeze %{{.*}} : i32
// CHECK:       %{{.*}} = llvm.fneg %{{.*}} : f32
// CHECK:       %{{.*}} = llvm.intr.umax(%{{.*}}, %{{.*}}) : (i32, i32) -> i32
// CHECK:       %{{.*}} = llvm.intr.stacksave : !llvm.ptr
// CHECK:       llvm.intr.stackrestore %{{.*}} : !llvm.ptr
// CHECK:       llvm.intr.lifetime.start %{{.*}} : !llvm.ptr
// CHECK:       llvm.intr.assume %{{.*}} ["align"(%{{.*}}, %{{.*}} : !llvm.ptr, i64)] : i1
// CHECK:       llvm.intr.assume %{{.*}} : i1
// CHECK:       llvm.cond_br %{{.*}} weights([1, 2]), ^bb1(%{{.*}} : i32), ^bb2
// CHECK:       ^bb1(%{{.*}}: i32):
// CHECK:       llvm.switch %{{.*}} : i32, ^bb2 [
// CHECK:       1: ^bb3(%{{.*}} : i32),
// CHECK:       -2: ^bb2
// CHECK:       ]
// CHECK:       ^bb2:
// CHECK:       llvm.br ^bb3(%{{.*}} : i32)
// CHECK:       ^bb3(%{{.*}}: i32):
// CHECK:       llvm.switch %{{.*}} : i32, ^bb4 [
// CHECK:       ] {branch_weights = array<i32: 5>}
// CHECK:       ^bb4:
// CHECK:       llvm.unreachable
llvm.func @main(%a: i32, %b: i32, %f: f32, %p: !llvm.ptr, %c: i1, %l: i64) -> i32 attributes {llvm.emit_c_interface} {
  %0 = llvm.mlir.constant(1 : i64) : i64
  %1 = llvm.mlir.constant(dense<1.0> : vector<4xf32>) : vector<4xf32>
  %2 = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %3 = llvm.mlir.poison : i32
  %4 = llvm.mlir.zero : !llvm.ptr
  %5 = llvm.mlir.addressof @s : !llvm.ptr
  %6 = llvm.add %a, %b : i32
  %7 = llvm.add %a, %b overflow<nsw, nuw> : i32
  %8 = llvm.fadd %f, %f {fastmathFlags = #llvm.fastmath<fast>} : f32
  %9 = llvm.icmp "slt" %a, %b : i32
  %10 = llvm.fcmp "olt" %f, %f {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %11 = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x12b = llvm.getelementptr inbounds|nuw %p[-1] {a} : (!llvm.ptr) -> !llvm.ptr, i8
  %13 = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32
  %x13v = llvm.load volatile %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> f32
  llvm.store %f, %p : f32, !llvm.ptr
  llvm.store volatile %f, %p {nontemporal} : f32, !llvm.ptr
  %14 = llvm.alloca %l x f32 {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %x14b = llvm.alloca inalloca %l x !llvm.struct<(i32)> : (i64) -> !llvm.ptr
  %15 = llvm.insertvalue %p, %2[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %16 = llvm.insertvalue %l, %15[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %17 = llvm.extractvalue %16[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %18 = llvm.call @inter(%a, %p) : (i32, !llvm.ptr) -> i32
  %19 = llvm.call fastcc @inter(%a, %p) {no_unwind} : (i32, !llvm.ptr) -> i32
  %20 = llvm.call @ext(%a, %f) vararg(!llvm.func<i32 (i32, ...)>) : (i32, f32) -> i32
  %21 = llvm.call %p(%a) : !llvm.ptr, (i32) -> i32
  llvm.call @hid() : () -> ()
  llvm.call tail @hid() ["tag"(%a, %b : i32, i32), "t2"()] : () -> ()
  %22 = llvm.bitcast %f : f32 to i32
  %23 = llvm.sext %a : i32 to i64
  %24 = llvm.zext nneg %a : i32 to i64
  %x24b = llvm.trunc %l overflow<nsw> : i64 to i32
  %25 = llvm.select %c, %a, %b : i1, i32
  %26 = llvm.intr.fmuladd(%f, %f, %f) : (f32, f32, f32) -> f32
  %27 = "llvm.intr.vector.reduce.fadd"(%f, %1) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
  "llvm.intr.memcpy"(%p, %p, %l) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %28 = llvm.call_intrinsic "llvm.sin"(%f) : (f32) -> f32
  llvm.call_intrinsic "llvm.any\FFbytes"() : () -> ()
  %29 = llvm.shufflevector %1, %1 [0, 4, 1, 5] : vector<4xf32>
  %30 = llvm.extractelement %1[%l : i64] : vector<4xf32>
  %31 = llvm.insertelement %f, %1[%l : i64] : vector<4xf32>
  %33 = llvm.atomicrmw add %p, %a acq_rel : !llvm.ptr, i32
  %34 = llvm.cmpxchg %p, %a, %b acq_rel monotonic : !llvm.ptr, i32
  llvm.fence syncscope("agent") seq_cst
  %35 = llvm.inline_asm has_side_effects "foo", "=r,r" %a : (i32) -> i32
  %mm = llvm.mlir.zero : vector<4xi1>
  %36 = llvm.intr.masked.load %p, %mm, %1 {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  %37 = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
  %38 = llvm.inttoptr %l : i64 to !llvm.ptr
  %39 = llvm.freeze %a : i32
  %40 = llvm.fneg %f : f32
  %41 = llvm.intr.umax(%a, %b) : (i32, i32) -> i32
  %42 = llvm.intr.stacksave : !llvm.ptr
  llvm.intr.stackrestore %42 : !llvm.ptr
  llvm.intr.lifetime.start %14 : !llvm.ptr
  llvm.intr.assume %c ["align"(%p, %l : !llvm.ptr, i64)] : i1
  llvm.intr.assume %c : i1
  llvm.cond_br %c weights([1, 2]), ^bb1(%a : i32), ^bb2
^bb1(%x: i32):
  llvm.switch %x : i32, ^bb2 [
    1: ^bb3(%a : i32),
    -2: ^bb2
  ]
^bb2:
  llvm.br ^bb3(%b : i32)
^bb3(%y: i32):
  llvm.switch %y : i32, ^bb4 [ ] {branch_weights = array<i32: 5>}
^bb4:
  llvm.unreachable
}
// CHECK-LABEL: llvm.func @pers(...) -> i32
llvm.func @pers(...) -> i32
// CHECK-LABEL: llvm.func @inv(%{{.*}}: !llvm.ptr, %{{.*}}: i32) -> i32 attributes {personality = @pers} {
// CHECK:       %{{.*}} = llvm.mlir.constant(1 : i32) : i32
// CHECK:       %{{.*}} = llvm.mlir.zero : !llvm.ptr
// CHECK:       %{{.*}} = llvm.invoke @inter(%{{.*}}, %{{.*}}) to ^bb1(%{{.*}} : i32) unwind ^bb2 : (i32, !llvm.ptr) -> i32
// CHECK:       ^bb1(%{{.*}}: i32):
// CHECK:       %{{.*}} = llvm.invoke %{{.*}}(%{{.*}}) to ^bb3 unwind ^bb2 vararg(!llvm.func<i32 (...)>) : !llvm.ptr, (i32 {llvm.noundef}) -> (i32 {llvm.zeroext})
// CHECK:       ^bb2:
// CHECK:       %{{.*}} = llvm.landingpad cleanup (catch %{{.*}} : !llvm.ptr) : !llvm.struct<(ptr, i32)>
// CHECK:       llvm.resume %{{.*}} : !llvm.struct<(ptr, i32)>
// CHECK:       ^bb3:
// CHECK:       %{{.*}} = llvm.call @ext(%{{.*}}, %{{.*}}) vararg(!llvm.func<i32 (i32, ...)>) : (i32 {llvm.noundef}, i32) -> (i32 {llvm.zeroext})
// CHECK:       %{{.*}} = llvm.getelementptr inbounds %{{.*}}[0, %{{.*}}, 3] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<3 x array<4 x f32>>
// CHECK:       %{{.*}} = "llvm.intr.sadd.with.overflow"(%{{.*}}, %{{.*}}) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK:       llvm.return %{{.*}} : i32
llvm.func @inv(%p: !llvm.ptr, %kk: i32) -> i32 attributes {personality = @pers} {
  %k = llvm.mlir.constant(1 : i32) : i32
  %z = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.invoke @inter(%k, %p) to ^bb1(%k : i32) unwind ^bb2 : (i32, !llvm.ptr) -> i32
^bb1(%r : i32):
  %5 = llvm.invoke %p(%k) to ^bb3 unwind ^bb2 vararg(!llvm.func<i32 (...)>) : !llvm.ptr, (i32 {llvm.noundef}) -> (i32 {llvm.zeroext})
^bb2:
  %1 = llvm.landingpad cleanup (catch %z : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.resume %1 : !llvm.struct<(ptr, i32)>
^bb3:
  %20 = llvm.call @ext(%kk, %kk) vararg(!llvm.func<i32 (i32, ...)>) : (i32 {llvm.noundef}, i32) -> (i32 {llvm.zeroext})
  %12 = llvm.getelementptr inbounds %p[0, %kk, 3] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<3 x array<4 x f32>>
  %32 = "llvm.intr.sadd.with.overflow"(%kk, %k) : (i32, i32) -> !llvm.struct<(i32, i1)>
  llvm.return %5 : i32
}
// CHECK-LABEL: llvm.func @types(!llvm.ptr<3>, !llvm.struct<(i32, f32)>, !llvm.struct<packed (i8, ptr<1>)>, !llvm.struct<"name", (array<4 x i8>, struct<()>)>, !llvm.struct<"bar", opaque>, !llvm.array<4 x vector<4xf32>>, !llvm.token, !llvm.label, !llvm.metadata, !llvm.x86_amx, !llvm.ppc_fp128, !llvm.target<"spirv.Image", f32, 1, 2>, vector<4x!llvm.ptr>, !llvm.array<2 x array<3 x ptr<2>>>)
llvm.func @types(!llvm.ptr<3>, !llvm.struct<(i32, f32)>, !llvm.struct<packed (i8, ptr<1>)>, !llvm.struct<"name", (array<4 x i8>, struct<()>)>, !llvm.struct<"bar", opaque>, !llvm.array<4 x vector<4xf32>>, !llvm.token, !llvm.label, !llvm.metadata, !llvm.x86_amx, !llvm.ppc_fp128, !llvm.target<"spirv.Image", f32, 1, 2>, vector<4x!llvm.ptr>, !llvm.array<2 x array<3 x ptr<2>>>)

// Properties and other attributes, each where it belongs.
// CHECK-LABEL: llvm.func @trap
llvm.func @trap() {
  // CHECK-NEXT: llvm.intr.ubsantrap <{failureKind = 1 : i8}> {note}
  llvm.intr.ubsantrap <{failureKind = 1 : i8}> {note}
  llvm.return
}

// CHECK-LABEL: llvm.func @nowhere
llvm.func @nowhere(%p: !llvm.ptr) {
  // CHECK-NEXT: llvm.indirectbr %{{.*}} : !llvm.ptr, []
  llvm.indirectbr %p : !llvm.ptr, []
}

// CHECK-LABEL: llvm.func @unaligned
llvm.func @unaligned(%n: i64) {
  // CHECK-NEXT: llvm.alloca %{{.*}} x i32 : (i64) -> !llvm.ptr
  %p = llvm.alloca %n x i32 {alignment = 0 : i64} : (i64) -> !llvm.ptr
  llvm.return
}

// What is taken out of a struct where it refers to itself is such a struct.
// CHECK-LABEL: llvm.func @recursive(
//  CHECK-SAME:   %[[NODE:.*]]: !llvm.struct<"node", (struct<"node">, array<2 x struct<"node">>)>) -> !llvm.struct<"node", (struct<"node">, array<2 x struct<"node">>)>
//       CHECK:   %[[NEXT:.*]] = llvm.extractvalue %[[NODE]][1, 0] : !llvm.struct<"node", (struct<"node">, array<2 x struct<"node">>)>
//       CHECK:   llvm.return %[[NEXT]] : !llvm.struct<"node", (struct<"node">, array<2 x struct<"node">>)>
llvm.func @recursive(%node: !llvm.struct<"node", (struct<"node">, array<2 x struct<"node">>)>)
    -> !llvm.struct<"node", (struct<"node">, array<2 x struct<"node">>)> {
  %0 = llvm.extractvalue %node[1, 0] : !llvm.struct<"node", (struct<"node">, array<2 x struct<"node">>)>
  llvm.return %0 : !llvm.struct<"node", (struct<"node">, array<2 x struct<"node">>)>
}

// One type is shown in full wherever it stands.
// CHECK-LABEL: llvm.func @inner_ppc_fp128(!llvm.array<2 x !llvm.ppc_fp128>, !llvm.array<3 x !llvm.ppc_fp128>)
llvm.func @inner_ppc_fp128(!llvm.array<2 x ppc_fp128>, !llvm.array<3 x !llvm.ppc_fp128>)
