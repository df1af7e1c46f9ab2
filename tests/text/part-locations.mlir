// RUN: dl-opt %s --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// The module around a file is at line 0, that around a part of it where the part begins.
// CHECK: @first() loc({{.*}}part-locations.mlir":6:1)
// CHECK: loc("{{.*}}part-locations.mlir":0:0)
func.func private @first()

// -----

// CHECK: @second() loc({{.*}}part-locations.mlir":12:1)
// CHECK: loc("{{.*}}part-locations.mlir":8:9)
func.func private @second()
