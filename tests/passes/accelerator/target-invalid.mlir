// RUN: not dl-opt %s --convert-linalg-to-accelerator 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'builtin.module' op expected the attribute 'accelerator.target' of the module; see accelerator-attach-target

// RUN: not dl-opt %s --accelerator-attach-target 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: expected the option 'target', a file that describes the machine

// RUN: not dl-opt %s --accelerator-attach-target=target=%S/missing.toml 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot read the description '{{.*}}missing.toml'

// RUN: not dl-opt %s --accelerator-attach-target=target=%S/target-invalid.mlir 2>&1 | FileCheck %s --check-prefix=NOTOML
// NOTOML: error: {{.*}}target-invalid.mlir:1:

module {
}
