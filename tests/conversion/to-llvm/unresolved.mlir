// RUN: dl-opt %s --reconcile-unrealized-casts --verify-diagnostics

func.func @unconverted(%x: f32) -> i64 {
  // expected-note @below {{its value comes from 'math.erf'}}
  %0 = math.erf %x : f32
  // expected-warning @below {{no conversion resolves the cast from 'f32' to 'i64'}}
  %1 = builtin.unrealized_conversion_cast %0 : f32 to i64
  // expected-note @below {{it is used by 'func.return'}}
  return %1 : i64
}
