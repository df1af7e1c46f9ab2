// RUN: dl-opt %s --split-input-file --verify-diagnostics

llvm.func @f(%a: i32, %b: i1, %q: f80, %p: !llvm.ptr) {
  // expected-error @below {{'llvm.store' op unsupported ordering 'acquire'}}
  "llvm.store"(%a, %p) <{ordering = 4 : i64, alignment = 4 : i64}> : (i32, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @f(%a: i32, %b: i1, %q: f80, %p: !llvm.ptr) {
  // expected-error @below {{'llvm.store' op unsupported ordering 'acq_rel'}}
  "llvm.store"(%a, %p) <{ordering = 6 : i64, alignment = 4 : i64}> : (i32, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @f(%a: i32, %b: i1, %q: f80, %p: !llvm.ptr) {
  // expected-error @below {{'llvm.store' op expected alignment for atomic access}}
  "llvm.store"(%a, %p) <{ordering = 2 : i64}> : (i32, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @f(%a: i32, %b: i1, %q: f80, %p: !llvm.ptr) {
  // expected-error @below {{'llvm.store' op unsupported type 'i1' for atomic access}}
  "llvm.store"(%b, %p) <{ordering = 2 : i64, alignment = 4 : i64}> : (i1, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @f(%a: i32, %b: i1, %q: f80, %p: !llvm.ptr) {
  // expected-error @below {{'llvm.store' op unsupported type 'f80' for atomic access}}
  "llvm.store"(%q, %p) <{ordering = 2 : i64, alignment = 4 : i64}> : (f80, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @f(%a: i32, %b: i1, %q: f80, %p: !llvm.ptr) {
  // expected-error @below {{'llvm.store' op expected syncscope to be null for non-atomic access}}
  "llvm.store"(%a, %p) <{ordering = 0 : i64, syncscope = "agent"}> : (i32, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @f(%a: i32, %b: i1, %q: f80, %p: !llvm.ptr) {
  // expected-error @below {{'llvm.load' op unsupported ordering 'release'}}
  %0 = "llvm.load"(%p) <{ordering = 5 : i64, alignment = 4 : i64}> : (!llvm.ptr) -> i32
  llvm.return
}

// -----

llvm.func @f(%a: i32, %b: i1, %q: f80, %p: !llvm.ptr) {
  // expected-error @below {{'llvm.load' op expected alignment for atomic access}}
  %0 = "llvm.load"(%p) <{ordering = 2 : i64}> : (!llvm.ptr) -> i32
  llvm.return
}

// -----

llvm.func @f(%a: i32, %b: i1, %q: f80, %p: !llvm.ptr) {
  // expected-error @below {{'llvm.load' op expected syncscope to be null for non-atomic access}}
  %0 = "llvm.load"(%p) <{ordering = 0 : i64, syncscope = "agent"}> : (!llvm.ptr) -> i32
  llvm.return
}

// -----

llvm.func @fence() {
  // expected-error @below {{'llvm.fence' op can be given only acquire, release, acq_rel, and seq_cst orderings}}
  llvm.fence syncscope("agent") monotonic
  llvm.return
}
