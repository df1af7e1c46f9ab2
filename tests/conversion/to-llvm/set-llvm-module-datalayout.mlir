// RUN: dl-opt %s --set-llvm-module-datalayout | FileCheck %s
// RUN: dl-opt %s --set-llvm-module-datalayout=data-layout=e-p:32:32:32 | FileCheck %s --check-prefix=SMALL

// CHECK: module attributes {llvm.data_layout = ""}
// SMALL: module attributes {llvm.data_layout = "e-p:32:32:32"}
module {
}
