// Functions to which patterns of arith apply: what they compute is all that matters.

func.func @and_of_extsi(%a: i8, %b: i8) -> i16 {
  %0 = arith.extsi %a : i8 to i16
  %1 = arith.extsi %b : i8 to i16
  %2 = arith.andi %0, %1 : i16
  return %2 : i16
}

func.func @and_of_extui(%a: vector<3xi1>, %b: vector<3xi1>) -> vector<3xi4> {
  %0 = arith.extui %a : vector<3xi1> to vector<3xi4>
  %1 = arith.extui %b : vector<3xi1> to vector<3xi4>
  %2 = arith.andi %0, %1 : vector<3xi4>
  return %2 : vector<3xi4>
}

func.func @or_of_extensions(%a: i8, %b: i8) -> (i16, i16) {
  %0 = arith.extsi %a : i8 to i16
  %1 = arith.extsi %b : i8 to i16
  %2 = arith.ori %0, %1 : i16
  %3 = arith.extui %a : i8 to i16
  %4 = arith.extui %b : i8 to i16
  %5 = arith.ori %3, %4 : i16
  return %2, %5 : i16, i16
}

func.func @xor_of_extensions(%a: i8, %b: i8) -> (i16, i16) {
  %0 = arith.extsi %a : i8 to i16
  %1 = arith.extsi %b : i8 to i16
  %2 = arith.xori %0, %1 : i16
  %3 = arith.extui %a : i8 to i16
  %4 = arith.extui %b : i8 to i16
  %5 = arith.xori %3, %4 : i16
  return %2, %5 : i16, i16
}

func.func @compare_extended(%a: i8, %b: i8) -> (i1, i1, i1) {
  %0 = arith.extsi %a : i8 to i16
  %1 = arith.extsi %b : i8 to i16
  %2 = arith.cmpi slt, %0, %1 : i16
  %3 = arith.cmpi ult, %0, %1 : i16
  %4 = arith.cmpi eq, %0, %1 : i16
  return %2, %3, %4 : i1, i1, i1
}

func.func @factors(%a: i8) -> (i8, i8) {
  %c3 = arith.constant 3 : i8
  %c100 = arith.constant 100 : i8
  %0 = arith.muli %a, %c3 : i8
  %1 = arith.muli %0, %c100 : i8
  %2 = arith.muli %a, %c3 overflow<nsw> : i8
  %3 = arith.muli %2, %c100 overflow<nsw> : i8
  return %1, %3 : i8, i8
}

func.func @negated_factors(%a: f32, %b: f32) -> (f32, f32) {
  %0 = arith.negf %a : f32
  %1 = arith.negf %b : f32
  %2 = arith.mulf %0, %1 : f32
  %3 = arith.divf %0, %1 : f32
  return %2, %3 : f32, f32
}

func.func @extend_twice(%a: i4) -> (i32, i32) {
  %0 = arith.extui %a : i4 to i8
  %1 = arith.extui %0 : i8 to i32
  %2 = arith.extsi %a : i4 to i8
  %3 = arith.extsi %2 : i8 to i32
  return %1, %3 : i32, i32
}

func.func @high_half(%a: i32, %b: i32) -> (i32, i32) {
  %c32 = arith.constant 32 : i64
  %0 = arith.extsi %a : i32 to i64
  %1 = arith.extsi %b : i32 to i64
  %2 = arith.muli %0, %1 : i64
  %3 = arith.shrui %2, %c32 : i64
  %4 = arith.trunci %3 : i64 to i32
  %5 = arith.extui %a : i32 to i64
  %6 = arith.extui %b : i32 to i64
  %7 = arith.muli %5, %6 : i64
  %8 = arith.shrui %7, %c32 : i64
  %9 = arith.trunci %8 : i64 to i32
  return %4, %9 : i32, i32
}

func.func @high_half_unused(%a: i16, %b: i16) -> (i16, i16) {
  %low, %high = arith.mulsi_extended %a, %b : i16
  %l, %h = arith.mului_extended %a, %b : i16
  return %low, %l : i16, i16
}

func.func @signed_times_one(%a: i8) -> (i8, i8) {
  %c1 = arith.constant 1 : i8
  %low, %high = arith.mulsi_extended %a, %c1 : i8
  return %low, %high : i8, i8
}

func.func @index_casts(%a: i8, %b: index) -> (index, index, i64, i32, index, index) {
  %0 = arith.extui %a : i8 to i16
  %1 = arith.index_castui %0 : i16 to index
  %2 = arith.extsi %a : i8 to i16
  %3 = arith.index_cast %2 : i16 to index
  %4 = arith.index_castui %b : index to i64
  %5 = arith.index_castui %4 : i64 to index
  %6 = arith.index_castui %b : index to i32
  %7 = arith.index_castui %6 : i32 to index
  return %1, %3, %4, %6, %5, %7 : index, index, i64, i32, index, index
}

func.func @select_to_not(%a: i1) -> i1 {
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.select %a, %false, %true : i1
  return %0 : i1
}

func.func @sub_of_sub(%a: i8, %b: i8) -> (i8, i8) {
  %0 = arith.subi %a, %b : i8
  %1 = arith.subi %0, %a : i8
  %2 = arith.subi %a, %0 : i8
  return %1, %2 : i8, i8
}

func.func @truncate_converted(%a: i32, %b: f32) -> (f16, f16, bf16) {
  %0 = arith.sitofp %a : i32 to f32
  %1 = arith.truncf %0 : f32 to f16
  %2 = arith.uitofp %a : i32 to f32
  %3 = arith.truncf %2 : f32 to f16
  %4 = arith.extf %b : f32 to f64
  %5 = arith.truncf %4 : f64 to bf16
  return %1, %3, %5 : f16, f16, bf16
}

func.func @truncate_extended(%a: i8) -> (i4, i8, i16, i4) {
  %0 = arith.extsi %a : i8 to i32
  %1 = arith.trunci %0 : i32 to i4
  %2 = arith.trunci %0 : i32 to i8
  %3 = arith.trunci %0 : i32 to i16
  %4 = arith.extui %a : i8 to i32
  %5 = arith.trunci %4 : i32 to i4
  return %1, %2, %3, %5 : i4, i8, i16, i4
}

func.func @truncate_shifted(%a: i32) -> i16 {
  %c16 = arith.constant 16 : i32
  %0 = arith.shrsi %a, %c16 : i32
  %1 = arith.trunci %0 : i32 to i16
  return %1 : i16
}

func.func @truncate_twice(%a: i64) -> (i8, i8) {
  %0 = arith.trunci %a : i64 to i16
  %1 = arith.trunci %0 : i16 to i8
  %2 = arith.trunci %a overflow<nsw> : i64 to i16
  %3 = arith.trunci %2 overflow<nuw> : i16 to i8
  return %1, %3 : i8, i8
}

func.func @constants() -> (f64, i16, i16, index, f32, f32, f32, f16) {
  %x = arith.constant 0.1 : f32
  %y = arith.constant 3.0 : f32
  %z = arith.constant 0.0 : f32
  %i = arith.constant -3 : i8
  %0 = arith.extf %x : f32 to f64
  %1 = arith.extsi %i : i8 to i16
  %2 = arith.extui %i : i8 to i16
  %3 = arith.index_castui %i : i8 to index
  %4 = math.acosh %y : f32
  %5 = math.atan2 %z, %z : f32
  %6 = math.powf %x, %y : f32
  %7 = arith.truncf %x : f32 to f16
  return %0, %1, %2, %3, %4, %5, %6, %7 : f64, i16, i16, index, f32, f32, f32, f16
}

func.func @select_same_condition(%c: i1, %x: i32, %y: i32, %z: i32) -> (i32, i32) {
  %0 = arith.select %c, %x, %y : i32
  %1 = arith.select %c, %0, %z : i32
  %2 = arith.select %c, %z, %0 : i32
  return %1, %2 : i32, i32
}
