// RUN: not dl-opt %s 2>&1 | FileCheck %s

// A message about a place in a function that was inlined also shows from where it was called.
func.func @inlined() {
  // CHECK: inner.py:7:3: error: 'arith.constant' op failed to verify that all of {value, result} have same type
  // CHECK-NEXT: middle.py:1:0: note: called from
  // CHECK-NEXT: outer.py:2:5: note: called from
  %x = "arith.constant"() {value = 100} : () -> i1
    loc(fused["pass", callsite("inner"("inner.py":7:3) at callsite("middle.py":1:0 at "outer.py":2:5))])
  return
}
