// Functions to which patterns of affine, cf, func, index and scf apply.

#set = affine_set<(d0) : (d0 - 2 >= 0)>

func.func @affine_empty_else(%i: index, %m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  affine.if #set(%i) {
    memref.store %x, %m[%c0] : memref<4xf32>
  } else {
  }
  return
}

func.func @branch_pass_through(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  "test.a"(%x) : (i32) -> ()
  cf.br ^d(%x : i32)
^b:
  "test.b"(%y) : (i32) -> ()
  cf.br ^d(%y : i32)
^d(%z: i32):
  cf.br ^e(%z : i32)
^e(%w: i32):
  return %w : i32
}

func.func @same_condition(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b(%y : i32)
^a(%p: i32):
  "test.a"(%p) : (i32) -> ()
  cf.cond_br %c, ^b(%p : i32), ^d(%p : i32)
^b(%q: i32):
  "test.b"(%q) : (i32) -> ()
  cf.br ^d(%q : i32)
^d(%r: i32):
  return %r : i32
}

func.func private @twice(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}

func.func @call_of_constant(%x: i32) -> i32 {
  %f = func.constant @twice : (i32) -> i32
  %0 = func.call_indirect %f(%x) : (i32) -> i32
  return %0 : i32
}

func.func @index_constants(%x: index) -> (index, index, index, index, index, index, index, index) {
  %a = index.constant 12
  %b = index.constant 10
  %and0 = index.and %x, %a
  %and = index.and %and0, %b
  %or0 = index.or %x, %a
  %or = index.or %or0, %b
  %xor0 = index.xor %x, %a
  %xor = index.xor %xor0, %b
  %maxs0 = index.maxs %x, %a
  %maxs = index.maxs %maxs0, %b
  %maxu0 = index.maxu %x, %a
  %maxu = index.maxu %maxu0, %b
  %mins0 = index.mins %x, %a
  %mins = index.mins %mins0, %b
  %minu0 = index.minu %x, %a
  %minu = index.minu %minu0, %b
  %mul0 = index.mul %x, %a
  %mul = index.mul %mul0, %b
  return %and, %or, %xor, %maxs, %maxu, %mins, %minu, %mul
    : index, index, index, index, index, index, index, index
}

func.func @empty_forall(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (0) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %slice = tensor.extract_slice %o[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %slice into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

func.func @while_condition(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %r:2 = scf.while (%i = %c0) : (i32) -> (i1, i32) {
    %go = arith.cmpi ult, %i, %c5 : i32
    scf.condition(%go) %go, %i : i1, i32
  } do {
  ^bb0(%held: i1, %i: i32):
    %e = arith.extui %held : i1 to i32
    %next = arith.addi %i, %e : i32
    "test.at"(%held, %next) : (i1, i32) -> ()
    scf.yield %next : i32
  }
  return %r#1 : i32
}

// llvm/llvm-project issue 219456: one result of the scf.if goes to two operands of the condition.
func.func @while_condition_twice(%n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c20 = arith.constant 20 : index
  %r:3 = scf.while (%state = %c0) : (index) -> (index, index, index) {
    %go = arith.cmpi slt, %state, %c1 : index
    %value = scf.if %go -> index {
      %next = arith.addi %state, %c2 : index
      scf.yield %next : index
    } else {
      scf.yield %c20 : index
    }
    scf.condition(%go) %value, %value, %state : index, index, index
  } do {
  ^bb0(%first: index, %second: index, %old: index):
    "test.at"(%first, %second, %old) : (index, index, index) -> ()
    scf.yield %second : index
  }
  return %r#0, %r#1, %r#2 : index, index, index
}

func.func @case_with_arguments(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %r = "scf.index_switch"(%c0) <{cases = array<i64>}> ({
  ^bb0(%a: i32):
    scf.yield %a : i32
  }) : (index) -> i32
  return %r : i32
}

func.func @affine_operands(%n: index, %m: memref<16xf32>) -> (index, index, index, index) {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%n)
  %1 = affine.max affine_map<(d0) -> (d0 * 2, 3)>(%0)
  %2 = affine.min affine_map<(d0) -> (d0 * 2, 3)>(%0)
  affine.prefetch %m[%0], read, locality<3>, data : memref<16xf32>
  %3 = affine.max affine_map<(d0, d1) -> (d1, d0 + 5, 7, d0)>(%n, %1)
  %4 = affine.min affine_map<(d0, d1) -> (d1, d0 + 5, 7, d0)>(%n, %1)
  return %1, %2, %3, %4 : index, index, index, index
}

func.func @switch_of_default(%x: i32, %y: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^a(%y : i32)
  ]
^a(%z: i32):
  return %z : i32
}

func.func @switch_pass_through(%x: i32, %y: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^a(%y : i32),
    1: ^b(%x : i32),
    2: ^c
  ]
^a(%z: i32):
  cf.br ^d(%z : i32)
^b(%w: i32):
  cf.br ^d(%w : i32)
^c:
  "test.c"() : () -> ()
  cf.br ^d(%x : i32)
^d(%r: i32):
  return %r : i32
}
