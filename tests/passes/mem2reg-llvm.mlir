// RUN: dl-opt %s --pass-pipeline='builtin.module(llvm.func(mem2reg{region-simplify=false}))' --split-input-file | FileCheck %s

// Stack memory of `llvm`: values meet where branches do, and nothing is known of what was never stored.

// CHECK-LABEL: llvm.func @merged
// CHECK-SAME:    (%[[A:.*]]: i64, %[[CONDITION:.*]]: i1)
// CHECK-NEXT:    %[[UNDEF:.*]] = llvm.mlir.undef : i64
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.cond_br %[[CONDITION]], ^[[THEN:.*]], ^[[END:.*]](%[[UNDEF]] : i64)
// CHECK:       ^[[THEN]]:
// CHECK-NEXT:    llvm.br ^[[END]](%[[A]] : i64)
// CHECK:       ^[[END]](%[[MERGED:.*]]: i64):
// CHECK-NEXT:    llvm.return %[[MERGED]] : i64
llvm.func @merged(%a: i64, %condition: i1) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %p : !llvm.ptr
  llvm.cond_br %condition, ^then, ^end
^then:
  llvm.store %a, %p : i64, !llvm.ptr
  llvm.br ^end
^end:
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.intr.lifetime.end %p : !llvm.ptr
  llvm.return %v : i64
}

// -----

// The bits of a value are kept when it is loaded as another type.

// CHECK-LABEL: llvm.func @bits
// CHECK-SAME:    (%[[P:.*]]: !llvm.ptr)
// CHECK:         %[[INT:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr to i64
// CHECK:         %[[VECTOR:.*]] = llvm.bitcast %[[INT]] : i64 to vector<2xf32>
// CHECK:         llvm.return %[[VECTOR]] : vector<2xf32>
llvm.func @bits(%p: !llvm.ptr) -> vector<2xf32> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x f64 : (i32) -> !llvm.ptr
  llvm.store %p, %slot : !llvm.ptr, !llvm.ptr
  %v = llvm.load %slot : !llvm.ptr -> vector<2xf32>
  llvm.return %v : vector<2xf32>
}

// -----

// CHECK-LABEL: llvm.func @filled
// CHECK:         %[[ALL:.*]] = llvm.mlir.constant(117901063 : i32) : i32
// CHECK:         llvm.return %[[ALL]] : i32
llvm.func @filled() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %seven = llvm.mlir.constant(7 : i8) : i8
  %four = llvm.mlir.constant(4 : i64) : i64
  "llvm.intr.memset"(%slot, %seven, %four) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %v = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %v : i32
}

// -----

// CHECK-LABEL: llvm.func @copied
// CHECK-SAME:    (%[[FROM:.*]]: !llvm.ptr, %[[TO:.*]]: !llvm.ptr)
// CHECK:         %[[V:.*]] = llvm.load %[[FROM]] : !llvm.ptr -> i32
// CHECK-NEXT:    llvm.store %[[V]], %[[TO]] : i32, !llvm.ptr
// CHECK-NEXT:    llvm.return
llvm.func @copied(%from: !llvm.ptr, %to: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  "llvm.intr.memcpy.inline"(%slot, %from) <{isVolatile = false, len = 4 : i32}> : (!llvm.ptr, !llvm.ptr) -> ()
  "llvm.intr.memcpy.inline"(%to, %slot) <{isVolatile = false, len = 4 : i32}> : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

// -----

// Memory that may be seen elsewhere, that is accessed as volatile, or of which a part is loaded, stays.

// CHECK-LABEL: llvm.func @stays
// CHECK-COUNT-4: llvm.alloca
llvm.func @stays(%a: i32, %out: !llvm.ptr) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %escaping = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %escaping, %out : !llvm.ptr, !llvm.ptr
  %volatile = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store volatile %a, %volatile : i32, !llvm.ptr
  %small = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %v = llvm.load %small : !llvm.ptr -> i64
  %moved = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %address = llvm.getelementptr %moved[0] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.store %a, %address : i32, !llvm.ptr
  llvm.return %v : i64
}

// -----

// What a debugger is told of the variable follows its values.

#file = #llvm.di_file<"a.c" in "">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>
#subprogram = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "f", file = #file, subprogramFlags = Definition>
#variable = #llvm.di_local_variable<scope = #subprogram, name = "x">

// CHECK-LABEL: llvm.func @described
// CHECK-SAME:    (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK:         llvm.intr.dbg.value #{{.*}} = %[[A]] : i32
// CHECK-NEXT:    llvm.intr.dbg.value #{{.*}} = %[[B]] : i32
// CHECK-NEXT:    llvm.return %[[B]] : i32
llvm.func @described(%a: i32, %b: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.intr.dbg.declare #variable = %x : !llvm.ptr
  llvm.store %a, %x : i32, !llvm.ptr
  llvm.store %b, %x : i32, !llvm.ptr
  %v = llvm.load %x : !llvm.ptr -> i32
  llvm.return %v : i32
}
