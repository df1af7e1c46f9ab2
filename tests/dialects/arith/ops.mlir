// RUN: %{round-trip}

// CHECK-LABEL: func.func @constants(
//  CHECK-NEXT:   %[[C42:.*]] = arith.constant 42 : index
//  CHECK-NEXT:   %[[C_1_I32:.*]] = arith.constant -1 : i32
//  CHECK-NEXT:   %[[TRUE:.*]] = arith.constant true
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 1.500000e+00 : f16
//  CHECK-NEXT:   %[[CST_0:.*]] = arith.constant dense<[1, 2]> : vector<2xi8>
//  CHECK-NEXT:   %[[C3_I64:.*]] = arith.constant {note = "kept"} 3 : i64
//  CHECK-NEXT:   %[[CST_1:.*]] = arith.constant dense_resource<weights> : tensor<4xf32>
//  CHECK-NEXT:   return
func.func @constants() {
  %0 = arith.constant 42 : index
  %1 = arith.constant -1 : i32
  %2 = arith.constant true
  %3 = arith.constant 1.5 : f16
  %4 = arith.constant dense<[1, 2]> : vector<2xi8>
  %5 = arith.constant {note = "kept"} 3 : i64
  %6 = arith.constant dense_resource<weights> : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @integers(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: i32, %[[ARG2:[a-z0-9]+]]: vector<4xi64>, %[[ARG3:[a-z0-9]+]]: tensor<?xindex>
//  CHECK-NEXT:   %[[V0:.*]] = arith.addi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V1:.*]] = arith.subi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V2:.*]] = arith.muli %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V3:.*]] = arith.divui %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V4:.*]] = arith.divsi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V5:.*]] = arith.ceildivui %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V6:.*]] = arith.ceildivsi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V7:.*]] = arith.floordivsi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V8:.*]] = arith.remui %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V9:.*]] = arith.remsi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V10:.*]] = arith.andi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V11:.*]] = arith.ori %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V12:.*]] = arith.xori %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V13:.*]] = arith.shli %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V14:.*]] = arith.shrui %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V15:.*]] = arith.shrsi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V16:.*]] = arith.maxsi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V17:.*]] = arith.maxui %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V18:.*]] = arith.minsi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V19:.*]] = arith.minui %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V20:.*]] = arith.addi %[[ARG2]], %[[ARG2]] overflow<nsw> : vector<4xi64>
//  CHECK-NEXT:   %[[V21:.*]] = arith.muli %[[ARG2]], %[[ARG2]] overflow<nsw, nuw> : vector<4xi64>
//  CHECK-NEXT:   %[[V22:.*]] = arith.divsi %[[ARG2]], %[[ARG2]] exact : vector<4xi64>
//  CHECK-NEXT:   %[[V23:.*]] = arith.subi %[[ARG3]], %[[ARG3]] {note} : tensor<?xindex>
//  CHECK-NEXT:   return
func.func @integers(%a: i32, %b: i32, %v: vector<4xi64>, %t: tensor<?xindex>) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.subi %a, %b : i32
  %2 = arith.muli %a, %b : i32
  %3 = arith.divui %a, %b : i32
  %4 = arith.divsi %a, %b : i32
  %5 = arith.ceildivui %a, %b : i32
  %6 = arith.ceildivsi %a, %b : i32
  %7 = arith.floordivsi %a, %b : i32
  %8 = arith.remui %a, %b : i32
  %9 = arith.remsi %a, %b : i32
  %10 = arith.andi %a, %b : i32
  %11 = arith.ori %a, %b : i32
  %12 = arith.xori %a, %b : i32
  %13 = arith.shli %a, %b : i32
  %14 = arith.shrui %a, %b : i32
  %15 = arith.shrsi %a, %b : i32
  %16 = arith.maxsi %a, %b : i32
  %17 = arith.maxui %a, %b : i32
  %18 = arith.minsi %a, %b : i32
  %19 = arith.minui %a, %b : i32
  %v0 = arith.addi %v, %v overflow<nsw> : vector<4xi64>
  %v1 = arith.muli %v, %v overflow<nsw, nuw> : vector<4xi64>
  %v2 = arith.divsi %v, %v exact : vector<4xi64>
  %t0 = arith.subi %t, %t {note} : tensor<?xindex>
  return
}

// CHECK-LABEL: func.func @extended(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: vector<4xi32>
//  CHECK-NEXT:   %[[SUM:.*]], %[[OVERFLOW:.*]] = arith.addui_extended %[[ARG0]], %[[ARG0]] : i32, i1
//  CHECK-NEXT:   %[[LOW:.*]], %[[HIGH:.*]] = arith.mulsi_extended %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[LOW_0:.*]], %[[HIGH_1:.*]] = arith.mului_extended %[[ARG1]], %[[ARG1]] : vector<4xi32>
//  CHECK-NEXT:   return
func.func @extended(%a: i32, %v: vector<4xi32>) {
  %s, %o = arith.addui_extended %a, %a : i32, i1
  %l, %h = arith.mulsi_extended %a, %a : i32
  %x:2 = arith.mului_extended %v, %v : vector<4xi32>
  return
}

// CHECK-LABEL: func.func @floats(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32, %[[ARG1:[a-z0-9]+]]: vector<4xf64>
//  CHECK-NEXT:   %[[V0:.*]] = arith.addf %[[ARG0]], %[[ARG0]] : f32
//  CHECK-NEXT:   %[[V1:.*]] = arith.subf %[[ARG0]], %[[ARG0]] : f32
//  CHECK-NEXT:   %[[V2:.*]] = arith.mulf %[[ARG0]], %[[ARG0]] : f32
//  CHECK-NEXT:   %[[V3:.*]] = arith.divf %[[ARG0]], %[[ARG0]] : f32
//  CHECK-NEXT:   %[[V4:.*]] = arith.remf %[[ARG0]], %[[ARG0]] : f32
//  CHECK-NEXT:   %[[V5:.*]] = arith.maximumf %[[ARG0]], %[[ARG0]] : f32
//  CHECK-NEXT:   %[[V6:.*]] = arith.minimumf %[[ARG0]], %[[ARG0]] : f32
//  CHECK-NEXT:   %[[V7:.*]] = arith.maxnumf %[[ARG0]], %[[ARG0]] : f32
//  CHECK-NEXT:   %[[V8:.*]] = arith.minnumf %[[ARG0]], %[[ARG0]] : f32
//  CHECK-NEXT:   %[[V9:.*]] = arith.negf %[[ARG0]] fastmath<fast> : f32
//  CHECK-NEXT:   %[[V10:.*]] = arith.mulf %[[ARG1]], %[[ARG1]] fastmath<nnan,ninf> : vector<4xf64>
//  CHECK-NEXT:   return
func.func @floats(%a: f32, %v: vector<4xf64>) {
  %0 = arith.addf %a, %a : f32
  %1 = arith.subf %a, %a : f32
  %2 = arith.mulf %a, %a : f32
  %3 = arith.divf %a, %a : f32
  %4 = arith.remf %a, %a : f32
  %5 = arith.maximumf %a, %a : f32
  %6 = arith.minimumf %a, %a : f32
  %7 = arith.maxnumf %a, %a : f32
  %8 = arith.minnumf %a, %a : f32
  %n = arith.negf %a fastmath<fast> : f32
  %m = arith.mulf %v, %v fastmath<nnan,ninf> : vector<4xf64>
  return
}

// CHECK-LABEL: func.func @comparisons(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: f32, %[[ARG2:[a-z0-9]+]]: tensor<4xi32>
//  CHECK-NEXT:   %[[V0:.*]] = arith.cmpi eq, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V1:.*]] = arith.cmpi ne, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V2:.*]] = arith.cmpi slt, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V3:.*]] = arith.cmpi sle, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V4:.*]] = arith.cmpi sgt, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V5:.*]] = arith.cmpi sge, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V6:.*]] = arith.cmpi ult, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V7:.*]] = arith.cmpi ule, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V8:.*]] = arith.cmpi ugt, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V9:.*]] = arith.cmpi uge, %[[ARG0]], %[[ARG0]] : i32
//  CHECK-NEXT:   %[[V10:.*]] = arith.cmpf false, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V11:.*]] = arith.cmpf oeq, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V12:.*]] = arith.cmpf ogt, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V13:.*]] = arith.cmpf oge, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V14:.*]] = arith.cmpf olt, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V15:.*]] = arith.cmpf ole, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V16:.*]] = arith.cmpf one, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V17:.*]] = arith.cmpf ord, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V18:.*]] = arith.cmpf ueq, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V19:.*]] = arith.cmpf ugt, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V20:.*]] = arith.cmpf uge, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V21:.*]] = arith.cmpf ult, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V22:.*]] = arith.cmpf ule, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V23:.*]] = arith.cmpf une, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V24:.*]] = arith.cmpf uno, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V25:.*]] = arith.cmpf true, %[[ARG1]], %[[ARG1]] : f32
//  CHECK-NEXT:   %[[V26:.*]] = arith.cmpi eq, %[[ARG2]], %[[ARG2]] : tensor<4xi32>
//  CHECK-NEXT:   %[[V27:.*]] = arith.cmpf olt, %[[ARG1]], %[[ARG1]] fastmath<nnan> : f32
//  CHECK-NEXT:   return
func.func @comparisons(%a: i32, %f: f32, %v: tensor<4xi32>) {
  %ieq = arith.cmpi eq, %a, %a : i32
  %ine = arith.cmpi ne, %a, %a : i32
  %islt = arith.cmpi slt, %a, %a : i32
  %isle = arith.cmpi sle, %a, %a : i32
  %isgt = arith.cmpi sgt, %a, %a : i32
  %isge = arith.cmpi sge, %a, %a : i32
  %iult = arith.cmpi ult, %a, %a : i32
  %iule = arith.cmpi ule, %a, %a : i32
  %iugt = arith.cmpi ugt, %a, %a : i32
  %iuge = arith.cmpi uge, %a, %a : i32
  %ffalse = arith.cmpf false, %f, %f : f32
  %foeq = arith.cmpf oeq, %f, %f : f32
  %fogt = arith.cmpf ogt, %f, %f : f32
  %foge = arith.cmpf oge, %f, %f : f32
  %folt = arith.cmpf olt, %f, %f : f32
  %fole = arith.cmpf ole, %f, %f : f32
  %fone = arith.cmpf one, %f, %f : f32
  %ford = arith.cmpf ord, %f, %f : f32
  %fueq = arith.cmpf ueq, %f, %f : f32
  %fugt = arith.cmpf ugt, %f, %f : f32
  %fuge = arith.cmpf uge, %f, %f : f32
  %fult = arith.cmpf ult, %f, %f : f32
  %fule = arith.cmpf ule, %f, %f : f32
  %fune = arith.cmpf une, %f, %f : f32
  %funo = arith.cmpf uno, %f, %f : f32
  %ftrue = arith.cmpf true, %f, %f : f32
  %t = arith.cmpi eq, %v, %v : tensor<4xi32>
  %g = arith.cmpf olt, %f, %f fastmath<nnan> : f32
  return
}

// CHECK-LABEL: func.func @selections(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i1, %[[ARG1:[a-z0-9]+]]: vector<2xi1>, %[[ARG2:[a-z0-9]+]]: vector<2xi32>
//  CHECK-NEXT:   %[[V0:.*]] = arith.select %[[ARG0]], %[[ARG2]], %[[ARG2]] : vector<2xi32>
//  CHECK-NEXT:   %[[V1:.*]] = arith.select %[[ARG1]], %[[ARG2]], %[[ARG2]] : vector<2xi1>, vector<2xi32>
//  CHECK-NEXT:   %[[V2:.*]] = arith.select %[[ARG0]], %[[ARG0]], %[[ARG0]] {note} : i1
//  CHECK-NEXT:   return
func.func @selections(%c: i1, %d: vector<2xi1>, %a: vector<2xi32>) {
  %0 = arith.select %c, %a, %a : vector<2xi32>
  %1 = arith.select %d, %a, %a : vector<2xi1>, vector<2xi32>
  %2 = arith.select %c, %c, %c {note} : i1
  return
}

// CHECK-LABEL: func.func @casts(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: f32, %[[ARG2:[a-z0-9]+]]: index, %[[ARG3:[a-z0-9]+]]: f64, %[[ARG4:[a-z0-9]+]]: vector<2xi8>, %[[ARG5:[a-z0-9]+]]: memref<4xi32>, %[[ARG6:[a-z0-9]+]]: f8E8M0FNU
//  CHECK-NEXT:   %[[V0:.*]] = arith.extui %[[ARG0]] : i32 to i64
//  CHECK-NEXT:   %[[V1:.*]] = arith.extsi %[[ARG4]] : vector<2xi8> to vector<2xi32>
//  CHECK-NEXT:   %[[V2:.*]] = arith.trunci %[[ARG0]] : i32 to i1
//  CHECK-NEXT:   %[[V3:.*]] = arith.extf %[[ARG1]] fastmath<contract> : f32 to f64
//  CHECK-NEXT:   %[[V4:.*]] = arith.truncf %[[ARG3]] to_nearest_even fastmath<fast> : f64 to f32
//  CHECK-NEXT:   %[[V5:.*]] = arith.truncf %[[ARG3]] : f64 to bf16
//  CHECK-NEXT:   %[[V6:.*]] = arith.sitofp %[[ARG0]] : i32 to f32
//  CHECK-NEXT:   %[[V7:.*]] = arith.uitofp %[[ARG0]] : i32 to f32
//  CHECK-NEXT:   %[[V8:.*]] = arith.fptosi %[[ARG1]] : f32 to i16
//  CHECK-NEXT:   %[[V9:.*]] = arith.fptoui %[[ARG1]] : f32 to i16
//  CHECK-NEXT:   %[[V10:.*]] = arith.index_cast %[[ARG2]] : index to i64
//  CHECK-NEXT:   %[[V11:.*]] = arith.index_castui %[[ARG0]] : i32 to index
//  CHECK-NEXT:   %[[V12:.*]] = arith.index_cast %[[ARG5]] : memref<4xi32> to memref<4xindex>
//  CHECK-NEXT:   %[[V13:.*]] = arith.bitcast %[[ARG1]] : f32 to i32
//  CHECK-NEXT:   %[[V14:.*]] = arith.scaling_extf %[[ARG6]], %[[ARG6]] : f8E8M0FNU, f8E8M0FNU to f32
//  CHECK-NEXT:   return
func.func @casts(%i: i32, %f: f32, %n: index, %d: f64, %v: vector<2xi8>, %m: memref<4xi32>, %s: f8E8M0FNU) {
  %0 = arith.extui %i : i32 to i64
  %1 = arith.extsi %v : vector<2xi8> to vector<2xi32>
  %2 = arith.trunci %i : i32 to i1
  %3 = arith.extf %f fastmath<contract> : f32 to f64
  %4 = arith.truncf %d to_nearest_even fastmath<fast> : f64 to f32
  %5 = arith.truncf %d : f64 to bf16
  %6 = arith.sitofp %i : i32 to f32
  %7 = arith.uitofp %i : i32 to f32
  %8 = arith.fptosi %f : f32 to i16
  %9 = arith.fptoui %f : f32 to i16
  %10 = arith.index_cast %n : index to i64
  %11 = arith.index_castui %i : i32 to index
  %12 = arith.index_cast %m : memref<4xi32> to memref<4xindex>
  %13 = arith.bitcast %f : f32 to i32
  %14 = arith.scaling_extf %s, %s : f8E8M0FNU, f8E8M0FNU to f32
  return
}
