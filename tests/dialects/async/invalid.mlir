// RUN: dl-opt %s --split-input-file --verify-diagnostics

// expected-note @below {{prior use here}}
func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{use of value '%v' expects different type than prior uses: 'f32' vs '!async.value<f32>'}}
  %t2, %r = async.execute [%t] (%v as %a: f32) -> !async.value<i32> { }
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.execute' op along control flow edge from Operation async.yield to parent: successor operand type #0 'f32' should match successor input type #0 '!async.value<i32>'}}
  // expected-note @below {{region branch point}}
  %t2, %r = async.execute [%t] (%v as %a: !async.value<f32>) -> !async.value<i32> { async.yield %a : f32 }
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.execute' op along control flow edge from Operation async.yield to parent: region branch point has 1 operands, but region successor needs 0 inputs}}
  // expected-note @below {{region branch point}}
  %t2 = async.execute [%t] (%v as %a: !async.value<f32>) { async.yield %a : f32 }
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.execute' op along control flow edge from parent to Region #0: region branch point has 1 operands, but region successor needs 0 inputs}}
  // expected-note @below {{region branch point}}
  "async.execute"(%t, %v) ({ ^bb0: async.yield}) {operandSegmentSizes=array<i32: 1,1>} : (!async.token, !async.value<f32>) -> !async.token
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.execute' op along control flow edge from parent to Region #0: successor operand type #0 '!async.value<f32>' should match successor input type #0 'i32'}}
  // expected-note @below {{region branch point}}
  "async.execute"(%t, %v) ({ ^bb0(%a: i32): async.yield}) {operandSegmentSizes=array<i32: 1,1>} : (!async.token, !async.value<f32>) -> !async.token
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.await' op awaiting on a token must have empty result}}
  %0 = "async.await"(%t): (!async.token) -> f32
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.call' op 'b' does not reference a valid async function}}
  async.call @b() : () -> !async.token
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.call' op incorrect number of operands for callee}}
  async.call @b(%t) : (!async.token) -> !async.token
  return
}
async.func @b() -> !async.token {
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.call' op operand type mismatch: expected operand type 'i32', but provided '!async.token' for operand number 0}}
  async.call @b(%t) : (!async.token) -> !async.token
  return
}
async.func @b(%a: i32) -> !async.token {
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.call' op incorrect number of results for callee}}
  async.call @b() : () -> (!async.token, !async.token)
  return
}
async.func @b() -> !async.token {
  return
}

// -----

func.func @a(%t: !async.token, %v: !async.value<f32>) {
  // expected-error @below {{'async.call' op result type mismatch at index 0}}
  // expected-note @below {{op result types: '!async.value<f32>'}}
  // expected-note @below {{function result types: '!async.token'}}
  async.call @b() : () -> (!async.value<f32>)
  return
}
async.func @b() -> !async.token {
  return
}

// -----

async.func @b() -> !async.value<i32> {
  // expected-error @below {{'async.return' op operand types do not match the types returned from the parent FuncOp}}
  return
}

// -----

// expected-error @below {{'async.func' op  results' (optional) async token type is expected to appear as the 1st return value, but got 2}}
async.func @b(%a: i32) -> (!async.token, !async.token) {
  return %a : i32
}

// -----

// expected-error @below {{'async.func' op result type must be async value type or async token type, but got '!async.group'}}
async.func @b(%a: i32) -> (!async.token, !async.group) {
  return %a : i32
}

// -----

func.func @a(%v: !async.value<f32>, %i: i32) {
  // expected-error @below {{'async.runtime.store' op failed to verify that type of 'value' matches element type of 'storage'}}
  "async.runtime.store"(%i, %v) : (i32, !async.value<f32>) -> ()
  return
}
