module {
"d.a"() {a = dense<[1,2,3]> : tensor<3xi32>, b = dense<1> : tensor<300xi32>, c = dense<[true,false,true]> : tensor<3xi1>, d = dense<[(1,2),(3,4)]> : tensor<2xcomplex<i32>>, e = array<i32: 1,2,3,4>, f = dense<["a","b"]> : tensor<2x!foo.s>, g = sparse<[[0,0],[1,2]], [1,5]> : tensor<3x4xi32>, h = dense_resource<r1> : tensor<2xi32>, i = dense_resource<r2> : tensor<2xi32>, j = dense<[[1],[2]]> : tensor<2x1xi4>, k = dense<[]> : tensor<0xi32>, l = dense<[1.0,2.0]> : tensor<2xf16>, m = [dense_resource<r1> : tensor<2xi32>], n = dense_resource<"a b"> : tensor<i32>, o = dense<[1,2,3]> : tensor<3xindex>, z = dense_resource<nodata> : tensor<3xindex>} : () -> ()
"d.b"() {a = dense<"0x010203"> : tensor<3xi8>, b = dense<"0x05"> : tensor<3xi1>, c = dense<[[[1, -2], [3, 4]], [[5, 6], [7, -8]]]> : vector<2x2x2xi64>, d = dense<[[], []]> : tensor<2x0xi8>, e = tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17>} : () -> ()
}
{-#
  dialect_resources: {
    builtin: {
      r1: "0x040000000100000002000000",
      r2: "0x0400000001000000020000000300000004000000",
      "a b": "0x0400000001000000",
      unused: "0x0400000001000000"
    }
  },
  external_resources: {
    foo: {
      x: "0x0400000001000000", y: true, z: "str"
    },
    mlir_reproducer: { pipeline: "builtin.module()", disable_threading: true, verify_each: false }
  }
#-}
