//! Extents of results in terms of operands, compared with what MLIR 22 makes of `tensor.dim` of them under
//! `--resolve-ranked-shaped-type-result-dims`.

use dl_ir::interfaces::{Index, reify_shapes};
use dl_ir::{Context, OpRef, Rewriter, ValueRef};

/// Values that the operations use: each has its name as the attribute `name`.
const VALUES: &str = r#"
%a = builtin.unrealized_conversion_cast to tensor<?x?xf32> {name = "a"}
%b = builtin.unrealized_conversion_cast to tensor<?x?xf32> {name = "b"}
%o = builtin.unrealized_conversion_cast to tensor<?x?xf32> {name = "o"}
%i = builtin.unrealized_conversion_cast to index {name = "i"}
%j = builtin.unrealized_conversion_cast to index {name = "j"}
%v = builtin.unrealized_conversion_cast to f32 {name = "v"}
"#;

/// An operation and the extents of its results.
#[rustfmt::skip]
const CASES: &[(&str, &str)] = &[
    ("tensor.empty(%i, %j) : tensor<?x3x?xf32>", "[i, 3, j]"),
    ("tensor.splat %v[%i] : tensor<4x?xf32>", "[4, i]"),
    ("tensor.extract_slice %a[0, 0] [%i, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>", "[i]"),
    ("tensor.insert_slice %v1 into %a[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<?x?xf32>", "[dim(a, 0), dim(a, 1)]"),
    ("tensor.expand_shape %a [[0, 1], [2]] output_shape [%i, 2, %j] : tensor<?x?xf32> into tensor<?x2x?xf32>", "[i, 2, j]"),
    ("tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>", "[()[s0, s1] -> (s0 * s1)(dim(a, 0), dim(a, 1))]"),
    ("tensor.pad %a low[%i, 1] high[2, 3] {\n^bb0(%x: index, %y: index):\n  tensor.yield %v : f32\n} : tensor<?x?xf32> to tensor<?x7xf32>", "[()[s0, s1] -> (s0 + s1 + 2)(dim(a, 0), i), 7]"),
    ("tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>", "[()[s0, s1] -> (s0 + s1)(dim(a, 0), dim(b, 0)), dim(a, 1)]"),
    ("linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>", "[dim(a, 0), dim(b, 1)]"),
    ("linalg.transpose ins(%a : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) permutation = [1, 0]", "[dim(a, 1), dim(a, 0)]"),
    ("linalg.conv_2d ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>", "[dim(o, 0), dim(o, 1)]"),
    ("linalg.softmax dimension(1) ins(%a : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>", "[dim(a, 0), dim(a, 1)]"),
    ("linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %p2 : tensor<?x?xf32> -> tensor<?x?x8x16xf32>", "[dim(p2, 0), dim(p2, 1), 8, 16]"),
];

fn text_of(value: ValueRef<'_>) -> String {
    let op = value.defining_op().expect("no argument");
    let list = || op.operands().iter().map(text_of).collect::<Vec<_>>().join(", ");
    match op.name() {
        "tensor.dim" => format!("dim({})", list()),
        "affine.apply" => {
            let map = op.attr("map").and_then(|map| map.as_affine_map()).expect("a map");
            let mut text = String::new();
            op.cx().affine().print_map(map, &mut text);
            format!("{text}({})", list())
        }
        "arith.constant" => value.constant().and_then(|constant| constant.as_int()).expect("an index").to_string(),
        _ => op.attr("name").and_then(|name| name.as_str()).expect("a name").to_owned(),
    }
}

#[test]
fn extents_of_results() {
    for (text, expected) in CASES {
        let mut cx = Context::new();
        cx.register(&dl_tensor::Tensor);
        cx.register(&dl_linalg::Linalg);
        cx.register(&dl_arith::Arith);
        cx.register(&dl_affine::Affine);
        let more = "%v1 = builtin.unrealized_conversion_cast to tensor<2x2xf32> {name = \"v1\"}\n\
                    %p2 = builtin.unrealized_conversion_cast to tensor<?x?x8x16xf32> {name = \"p2\"}\n";
        let source = cx.add_source("test.mlir", format!("{VALUES}{more}%r = {text}\n").as_bytes());
        let mut module = dl_ir::text::parse_source(&cx, &source).unwrap_or_else(|_| panic!("{text}")).module;
        let op = OpRef::root(&cx, &module).region(0).entry().and_then(|block| block.last_op()).expect("an operation");
        let (op, block) = (op.id(), op.block().expect("in a block").id());
        let mut rw = Rewriter::new(&cx, &mut module);
        rw.set_insertion_to_end(block);
        let extents = reify_shapes(&mut rw, op).expect(text);
        let list = extents[0].iter().map(|extent| match *extent {
            Index::Static(extent) => extent.to_string(),
            Index::Value(value) => text_of(rw.value(value)),
        });
        assert_eq!(format!("[{}]", list.collect::<Vec<_>>().join(", ")), *expected, "{text}");
    }
}
