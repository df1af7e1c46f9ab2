// What dl-opt prints is what mlir-opt reads, and prints alike.

// REQUIRES: mlir-opt
// RUN: dl-opt %S/ops.mlir | mlir-opt | FileCheck %S/ops.mlir
