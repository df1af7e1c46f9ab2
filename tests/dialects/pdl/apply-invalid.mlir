// Files with patterns that cannot be applied. Each is a part of this one.
// RUN: for i in 1 2 3 4 5; do sed -n "/^\/\/ PART $i/,/^\/\/ END/p" %s > %t.$i.mlir; done
// RUN: not dl-opt --apply-pdl=%t.1.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=NATIVE
// RUN: not dl-opt --apply-pdl=%t.2.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not dl-opt --apply-pdl=%t.3.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=USER
// RUN: not dl-opt --apply-pdl=%t.4.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not dl-opt --apply-pdl=%t.5.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not dl-opt --apply-pdl=%t.none.mlir /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING

// NATIVE: error: 'pdl.apply_native_constraint' op unsupported: a native constraint
// NAME: error: 'pdl.operation' op the operation 'arith.addj' is not registered
// USER: error: 'pdl.operation' op unsupported: an operation that the root does not depend on
// FUNCTION: error: 'pdl.rewrite' op unsupported: a rewrite that is a native function
// TEXT: error: expected
// MISSING: error: apply-pdl: cannot open input file '{{.*}}none.mlir'

// PART 1
pdl.pattern : benefit(1) {
  %0 = operation "arith.addi"
  apply_native_constraint "isGood"(%0 : !pdl.operation)
  rewrite %0 { erase %0 }
}
// END
// PART 2
pdl.pattern : benefit(1) {
  %x = operand
  %0 = operation "arith.addi"(%x, %x : !pdl.value, !pdl.value)
  rewrite %0 {
    %1 = operation "arith.addj"
    replace %0 with %1
  }
}
// END
// PART 3
pdl.pattern : benefit(1) {
  %t = type
  %0 = operation "arith.constant" -> (%t : !pdl.type)
  %x = result 0 of %0
  %1 = operation "arith.addi"(%x, %x : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  rewrite %0 { erase %1 }
}
// END
// PART 4
pdl.pattern : benefit(1) {
  %0 = operation "arith.addi"
  rewrite %0 with "doIt"
}
// END
// PART 5
pdl.pattern : benefit(1) {
// END
