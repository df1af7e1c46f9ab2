// RUN: dl-opt %s --split-input-file --verify-diagnostics

func.func @poison_of_another_kind() {
  // expected-error @below {{'ub.poison' op attribute 'value' failed to satisfy constraint: PoisonAttrInterface instance}}
  %0 = ub.poison <#arith.fastmath<none>> : i32
  return
}
