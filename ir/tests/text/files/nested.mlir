module {
"d.a"() ({
  "d.b"() {x = affine_map<(d0) -> (d0 + 1)>, t = memref<4xf32, affine_map<(d0) -> (d0 + 2)>>} : () -> () loc("b":1:2)
  "d.z"() {x = affine_map<(d0) -> (d0 + 1)>, y = loc(fused["a", "b"])} : () -> () loc(callsite("x" at "y":3:4))
  "d.c"() : () -> () loc(fused<{a = affine_map<(d0) -> (d0 + 6)>}>["u", unknown, "v"("b":1:2)])
}, {}) {y = affine_map<(d0) -> (d0 + 3)>, s = affine_set<(d0) : (d0 >= 0)>} : () -> () loc("named"("f.mlir":10:20))
"d.d"() {d = distinct[7]<[affine_map<(d0) -> (d0 + 1)>]>, e = distinct[3]<"x">, f = distinct[9]<>} : () -> () loc("f":1:2 to 3:4)
"d.e"() : () -> () loc("f":1:2 to 1:4)
} loc("m")
