// RUN: dl-opt %s | dl-opt | FileCheck %s

// A string is of any bytes, also where a pretty form says it without its type.
module attributes {transform.with_named_sequence} {
  // CHECK: transform.named_sequence @bytes
  transform.named_sequence @bytes(%func: !transform.any_op) {
    transform.apply_conversion_patterns to %func {
      // CHECK: transform.apply_conversion_patterns.gpu.gpu_to_rocdl chipset = "a\AA\00"
      transform.apply_conversion_patterns.gpu.gpu_to_rocdl chipset = "a\AA\00"
    } {legal_dialects = ["rocdl"]} : !transform.any_op
    transform.yield
  }
}
