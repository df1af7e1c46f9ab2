// RUN: %{round-trip}

// CHECK-LABEL: func.func @poison(
//  CHECK-NEXT:   %[[V0:.*]] = ub.poison : i32
//  CHECK-NEXT:   %[[V1:.*]] = ub.poison : vector<4xi64>
//  CHECK-NEXT:   return
func.func @poison() {
  %0 = ub.poison : i32
  %1 = ub.poison <#ub.poison> : vector<4xi64>
  return
}

// CHECK-LABEL: func.func @unreachable(
//  CHECK-NEXT:   ub.unreachable
func.func @unreachable() {
  ub.unreachable
}
