// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @cast_of_index_to_index(%a: index) {
  // expected-error @below {{'index.casts' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = index.casts %a : index to index
  return
}

// -----

func.func @cast_of_integer_to_integer(%a: i32) {
  // expected-error @below {{'index.castu' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = index.castu %a : i32 to i64
  return
}
