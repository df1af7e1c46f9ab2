// RUN: dl-opt %s --inline --split-input-file | FileCheck %s

// Functions of `llvm` are inlined where they are called, whatever number of blocks they have.

llvm.func @larger(%a: i32, %b: i32) -> i32 {
  %is = llvm.icmp "sgt" %a, %b : i32
  llvm.cond_br %is, ^first, ^second
^first:
  llvm.return %a : i32
^second:
  llvm.return %b : i32
}

// CHECK-LABEL: llvm.func @of_three
// CHECK-SAME:    (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-NEXT:    %[[IS:.*]] = llvm.icmp "sgt" %[[A]], %[[B]] : i32
// CHECK-NEXT:    llvm.cond_br %[[IS]], ^[[FIRST:.*]], ^[[SECOND:.*]]
// CHECK:       ^[[FIRST]]:
// CHECK-NEXT:    llvm.br ^[[END:.*]](%[[A]] : i32)
// CHECK:       ^[[SECOND]]:
// CHECK-NEXT:    llvm.br ^[[END]](%[[B]] : i32)
// CHECK:       ^[[END]](%[[V:.*]]: i32):
// CHECK-NEXT:    llvm.return %[[V]] : i32
llvm.func @of_three(%a: i32, %b: i32) -> i32 {
  %v = llvm.call @larger(%a, %b) : (i32, i32) -> i32
  llvm.return %v : i32
}

// -----

// Memory on the stack is allocated once, and lives as long as the call would have taken.

llvm.func @use(i32, i8)

llvm.func @buffer(%a: i32) -> i32 {
  %two = llvm.mlir.constant(2 : i64) : i64
  %p = llvm.alloca %two x i32 : (i64) -> !llvm.ptr
  llvm.store %a, %p : i32, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.return %v : i32
}

llvm.func @grows(%size: i64) -> i8 {
  %p = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i8
  llvm.return %v : i8
}

// CHECK-LABEL: llvm.func @stack
// CHECK-SAME:    (%[[A:.*]]: i32, %[[SIZE:.*]]: i64)
// CHECK:         %[[P:.*]] = llvm.alloca %{{.*}} x i32 : (i64) -> !llvm.ptr
// CHECK-NEXT:    llvm.br ^[[LOOP:.*]]
// CHECK:       ^[[LOOP]]:
// CHECK-NEXT:    llvm.intr.lifetime.start %[[P]] : !llvm.ptr
// CHECK-NEXT:    llvm.store %[[A]], %[[P]] : i32, !llvm.ptr
// CHECK-NEXT:    %[[V:.*]] = llvm.load %[[P]] : !llvm.ptr -> i32
// CHECK-NEXT:    llvm.intr.lifetime.end %[[P]] : !llvm.ptr
// CHECK-NEXT:    %[[STACK:.*]] = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT:    llvm.alloca %[[SIZE]] x i8 : (i64) -> !llvm.ptr
// CHECK-NEXT:    %[[W:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NEXT:    llvm.intr.stackrestore %[[STACK]] : !llvm.ptr
// CHECK-NEXT:    llvm.call @use(%[[V]], %[[W]])
llvm.func @stack(%a: i32, %size: i64) {
  llvm.br ^loop
^loop:
  %v = llvm.call @buffer(%a) : (i32) -> i32
  %w = llvm.call @grows(%size) : (i64) -> i8
  llvm.call @use(%v, %w) : (i32, i8) -> ()
  llvm.br ^loop
}

// -----

// What is passed by value is copied, unless the function only reads it.

llvm.func @writes(%p: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i8)>}, %v: i32) {
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

llvm.func @reads(%p: !llvm.ptr {llvm.byval = i32}) -> i32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} {
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.return %v : i32
}

// CHECK-LABEL: llvm.func @by_value
// CHECK-SAME:    (%[[P:.*]]: !llvm.ptr)
// CHECK-DAG:     %[[SIZE:.*]] = llvm.mlir.constant(8 : i64) : i64
// CHECK-DAG:     %[[COPY:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, i8)> {alignment = 4 : i64} : (i64) -> !llvm.ptr
// CHECK:         %[[V:.*]] = llvm.load %[[P]] : !llvm.ptr -> i32
// CHECK-NEXT:    "llvm.intr.memcpy"(%[[COPY]], %[[P]], %[[SIZE]]) <{isVolatile = false}>
// CHECK-NEXT:    llvm.store %[[V]], %[[COPY]] : i32, !llvm.ptr
llvm.func @by_value(%p: !llvm.ptr) {
  %v = llvm.call @reads(%p) : (!llvm.ptr) -> i32
  llvm.call @writes(%p, %v) : (!llvm.ptr, i32) -> ()
  llvm.return
}

// -----

// Scopes that a function declares are new ones each time it is inlined; what is said of the call is said of what is inlined.

#domain = #llvm.alias_scope_domain<id = distinct[0]<>>
#a = #llvm.alias_scope<id = distinct[1]<>, domain = #domain, description = "a">
#group = #llvm.access_group<id = distinct[2]<>>

// CHECK-DAG: #[[DOMAIN:.*]] = #llvm.alias_scope_domain<id = distinct[{{.*}}]<>>
// CHECK-DAG: #[[OTHER_DOMAIN:.*]] = #llvm.alias_scope_domain<id = distinct[{{.*}}]<>>
// CHECK-DAG: #[[$SCOPE:.*]] = #llvm.alias_scope<id = distinct[{{.*}}]<>, domain = #[[DOMAIN]], description = "a">
// CHECK-DAG: #[[$OTHER:.*]] = #llvm.alias_scope<id = distinct[{{.*}}]<>, domain = #[[OTHER_DOMAIN]], description = "a">
// CHECK-DAG: #[[$GROUP:.*]] = #llvm.access_group

// CHECK-LABEL: llvm.func @scoped
// CHECK:         llvm.intr.experimental.noalias.scope.decl #[[$SCOPE]]
llvm.func @scoped(%p: !llvm.ptr, %v: i32) {
  llvm.intr.experimental.noalias.scope.decl #a
  llvm.store %v, %p {alias_scopes = [#a]} : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @calls
// CHECK:         llvm.intr.experimental.noalias.scope.decl #[[$OTHER]]
// CHECK-NEXT:    llvm.store {{.*}}access_groups = [#[[$GROUP]]
// CHECK-SAME:    alias_scopes = [#[[$OTHER]]
llvm.func @calls(%p: !llvm.ptr, %v: i32) {
  llvm.call @scoped(%p, %v) {access_groups = [#group]} : (!llvm.ptr, i32) -> ()
  llvm.return
}

// -----

// Some functions are not inlined, and some calls are not.

llvm.func @never() attributes {no_inline} {
  llvm.return
}
llvm.func @twice() attributes {passthrough = ["returns_twice"]} {
  llvm.return
}
llvm.func @any_number(...) {
  llvm.return
}
llvm.func @free() {
  llvm.return
}

// CHECK-LABEL: llvm.func @kept
// CHECK-NEXT:    llvm.call @never()
// CHECK-NEXT:    llvm.call @twice()
// CHECK-NEXT:    llvm.call @any_number()
// CHECK-NEXT:    llvm.call @free()
// CHECK-NEXT:    llvm.return
llvm.func @kept() {
  llvm.call @never() : () -> ()
  llvm.call @twice() : () -> ()
  llvm.call @any_number() vararg(!llvm.func<void (...)>) : () -> ()
  llvm.call @free() {no_inline} : () -> ()
  llvm.return
}
