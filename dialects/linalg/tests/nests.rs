//! The loop nests of named operations, compared with the maps that MLIR 22 attaches to them.

use dl_ir::{Context, OpRef};
use dl_linalg::{Linalg, LinalgOp};

/// Name, attributes, operand types, number of loops, and the results of the map of each operand.
type Case = (&'static str, &'static str, &'static str, usize, &'static str);

/// As `mlir-opt --mlir-print-op-generic` prints them in `linalg.memoized_indexing_maps`.
#[rustfmt::skip]
const CASES: &[Case] = &[
    ("quantized_matmul", "", "tensor<3x3xi8>, tensor<3x4xi8>, i32, i32, tensor<3x4xi32>", 3, "(d0, d2) (d2, d1) () () (d0, d1)"),
    ("mmt4d", "", "tensor<3x3x4x4xf32>, tensor<4x3x3x4xf32>, tensor<3x4x4x3xf32>", 6, "(d0, d2, d3, d5) (d1, d2, d4, d5) (d0, d1, d3, d4)"),
    ("batch_mmt4d", "", "tensor<3x4x4x3x3xf32>, tensor<3x3x4x4x3xf32>, tensor<3x4x3x3x4xf32>", 7, "(d0, d1, d3, d4, d6) (d0, d2, d3, d5, d6) (d0, d1, d2, d4, d5)"),
    ("quantized_batch_matmul", "", "tensor<3x4x4xi8>, tensor<3x4x3xi8>, i32, i32, tensor<3x4x3xi32>", 4, "(d0, d1, d3) (d0, d3, d2) () () (d0, d1, d2)"),
    ("matvec", "", "tensor<3x4xf32>, tensor<4xf32>, tensor<3xf32>", 2, "(d0, d1) (d1) (d0)"),
    ("vecmat", "", "tensor<4xf32>, tensor<4x3xf32>, tensor<3xf32>", 2, "(d1) (d1, d0) (d0)"),
    ("batch_matvec", "", "tensor<3x4x3xf32>, tensor<3x3xf32>, tensor<3x4xf32>", 3, "(d0, d1, d2) (d0, d2) (d0, d1)"),
    ("batch_vecmat", "", "tensor<3x3xf32>, tensor<3x3x4xf32>, tensor<3x4xf32>", 3, "(d0, d2) (d0, d2, d1) (d0, d1)"),
    ("dot", "", "tensor<3xf32>, tensor<3xf32>, tensor<f32>", 1, "(d0) (d0) ()"),
    ("conv_1d", "", "tensor<6xf32>, tensor<4xf32>, tensor<3xf32>", 2, "(d0 + d1) (d1) (d0)"),
    ("conv_2d", "", "tensor<5x7xf32>, tensor<3x4xf32>, tensor<3x4xf32>", 4, "(d0 + d2, d1 + d3) (d2, d3) (d0, d1)"),
    ("conv_3d", "", "tensor<6x6x6xf32>, tensor<4x3x4xf32>, tensor<3x4x3xf32>", 6, "(d0 + d3, d1 + d4, d2 + d5) (d3, d4, d5) (d0, d1, d2)"),
    ("conv_1d_nwc_wcf", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x10x3xf32>, tensor<4x3x3xf32>, tensor<3x4x3xf32>", 5, "(d0, d1 * 2 + d3, d4) (d3, d4, d2) (d0, d1, d2)"),
    ("conv_1d_ncw_fcw", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x4x7xf32>, tensor<4x4x3xf32>, tensor<3x4x3xf32>", 5, "(d0, d3, d2 * 2 + d4) (d1, d3, d4) (d0, d1, d2)"),
    ("conv_2d_nhwc_hwcf", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x3xf32>, tensor<3x4x3x4xf32>, tensor<3x4x3x4xf32>", 7, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d6) (d4, d5, d6, d3) (d0, d1, d2, d3)"),
    ("conv_2d_nhwc_fhwc", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x3xf32>, tensor<4x3x4x3xf32>, tensor<3x4x3x4xf32>", 7, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d6) (d3, d4, d5, d6) (d0, d1, d2, d3)"),
    ("conv_2d_nhwc_hwcf_q", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x3xi8>, tensor<3x4x3x4xi8>, i32, i32, tensor<3x4x3x4xi32>", 7, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d6) (d4, d5, d6, d3) () () (d0, d1, d2, d3)"),
    ("conv_2d_nhwc_fhwc_q", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x3xi8>, tensor<4x3x4x3xi8>, i32, i32, tensor<3x4x3x4xi32>", 7, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d6) (d3, d4, d5, d6) () () (d0, d1, d2, d3)"),
    ("conv_2d_nchw_fchw_q", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x3x8x11xi8>, tensor<4x3x4x3xi8>, i32, i32, tensor<3x4x3x4xi32>", 7, "(d0, d4, d2 * 2 + d5, d3 * 2 + d6 * 2) (d1, d4, d5, d6) () () (d0, d1, d2, d3)"),
    ("conv_2d_nchw_fchw", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x3x8x11xf32>, tensor<4x3x4x3xf32>, tensor<3x4x3x4xf32>", 7, "(d0, d4, d2 * 2 + d5, d3 * 2 + d6 * 2) (d1, d4, d5, d6) (d0, d1, d2, d3)"),
    ("conv_2d_ngchw_fgchw", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x4x4x9x11xf32>, tensor<3x4x4x3x4xf32>, tensor<3x4x3x4x3xf32>", 8, "(d0, d1, d5, d3 * 2 + d6, d4 * 2 + d7 * 2) (d2, d1, d5, d6, d7) (d0, d1, d2, d3, d4)"),
    ("conv_2d_ngchw_gfchw", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x4x4x9x11xf32>, tensor<4x3x4x3x4xf32>, tensor<3x4x3x4x3xf32>", 8, "(d0, d1, d5, d3 * 2 + d6, d4 * 2 + d7 * 2) (d1, d2, d5, d6, d7) (d0, d1, d2, d3, d4)"),
    ("conv_2d_nhwgc_gfhwc", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x10x9x4x4xf32>, tensor<4x3x4x3x4xf32>, tensor<3x4x3x4x3xf32>", 8, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3, d7) (d3, d4, d5, d6, d7) (d0, d1, d2, d3, d4)"),
    ("conv_2d_nhwgc_gfhwc_q", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x10x9x4x4xi8>, tensor<4x3x4x3x4xi8>, i32, i32, tensor<3x4x3x4x3xi32>", 8, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3, d7) (d3, d4, d5, d6, d7) () () (d0, d1, d2, d3, d4)"),
    ("conv_2d_ngchw_gfchw_q", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x4x4x9x11xi8>, tensor<4x3x4x3x4xi8>, i32, i32, tensor<3x4x3x4x3xi32>", 8, "(d0, d1, d5, d3 * 2 + d6, d4 * 2 + d7 * 2) (d1, d2, d5, d6, d7) () () (d0, d1, d2, d3, d4)"),
    ("conv_3d_ndhwc_dhwcf", "{dilations = dense<[1, 2, 3]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}", "tensor<3x10x9x16x3xf32>, tensor<4x3x4x3x3xf32>, tensor<3x4x3x4x3xf32>", 9, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3 * 2 + d7 * 3, d8) (d5, d6, d7, d8, d4) (d0, d1, d2, d3, d4)"),
    ("conv_3d_ndhwc_dhwcf_q", "{dilations = dense<[1, 2, 3]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}", "tensor<3x10x9x16x3xi8>, tensor<4x3x4x3x3xi8>, i32, i32, tensor<3x4x3x4x3xi32>", 9, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3 * 2 + d7 * 3, d8) (d5, d6, d7, d8, d4) () () (d0, d1, d2, d3, d4)"),
    ("conv_3d_ncdhw_fcdhw", "{dilations = dense<[1, 2, 3]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}", "tensor<3x4x7x13x11xf32>, tensor<4x4x3x4x3xf32>, tensor<3x4x3x4x3xf32>", 9, "(d0, d5, d2 * 2 + d6, d3 * 2 + d7 * 2, d4 * 2 + d8 * 3) (d1, d5, d6, d7, d8) (d0, d1, d2, d3, d4)"),
    ("depthwise_conv_1d_nwc_wc", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x10x3xf32>, tensor<4x3xf32>, tensor<3x4x3xf32>", 4, "(d0, d1 * 2 + d3, d2) (d3, d2) (d0, d1, d2)"),
    ("depthwise_conv_1d_ncw_cw", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x3x10xf32>, tensor<3x4xf32>, tensor<3x3x4xf32>", 4, "(d0, d2, d1 * 2 + d3) (d2, d3) (d0, d2, d1)"),
    ("depthwise_conv_1d_nwc_wcm", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x9x3xf32>, tensor<3x3x4xf32>, tensor<3x4x3x4xf32>", 5, "(d0, d1 * 2 + d4, d2) (d4, d2, d3) (d0, d1, d2, d3)"),
    ("depthwise_conv_2d_nhwc_hwc", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x4xf32>, tensor<3x4x4xf32>, tensor<3x4x3x4xf32>", 6, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d3) (d4, d5, d3) (d0, d1, d2, d3)"),
    ("depthwise_conv_2d_nchw_chw", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x4x9x11xf32>, tensor<4x3x4xf32>, tensor<3x4x4x3xf32>", 6, "(d0, d3, d1 * 2 + d4, d2 * 2 + d5 * 2) (d3, d4, d5) (d0, d3, d1, d2)"),
    ("depthwise_conv_2d_nhwc_hwc_q", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x4xi8>, tensor<3x4x4xi8>, i32, i32, tensor<3x4x3x4xi32>", 6, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d3) (d4, d5, d3) () () (d0, d1, d2, d3)"),
    ("depthwise_conv_2d_nhwc_hwcm", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x10x9x4xf32>, tensor<4x3x4x3xf32>, tensor<3x4x3x4x3xf32>", 7, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3) (d5, d6, d3, d4) (d0, d1, d2, d3, d4)"),
    ("depthwise_conv_2d_nhwc_hwcm_q", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x10x9x4xi8>, tensor<4x3x4x3xi8>, i32, i32, tensor<3x4x3x4x3xi32>", 7, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3) (d5, d6, d3, d4) () () (d0, d1, d2, d3, d4)"),
    ("depthwise_conv_3d_ndhwc_dhwc", "{dilations = dense<[1, 2, 3]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}", "tensor<3x9x11x13x4xf32>, tensor<3x4x3x4xf32>, tensor<3x4x3x4x4xf32>", 8, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d3 * 2 + d6 * 3, d7) (d4, d5, d6, d7) (d0, d1, d2, d3, d7)"),
    ("depthwise_conv_3d_ncdhw_cdhw", "{dilations = dense<[1, 2, 3]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}", "tensor<3x4x9x11x13xf32>, tensor<4x3x4x3xf32>, tensor<3x4x4x3x4xf32>", 8, "(d0, d7, d1 * 2 + d4, d2 * 2 + d5 * 2, d3 * 2 + d6 * 3) (d7, d4, d5, d6) (d0, d7, d1, d2, d3)"),
    ("depthwise_conv_3d_ndhwc_dhwcm", "{dilations = dense<[1, 2, 3]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}", "tensor<3x10x9x16x3xf32>, tensor<4x3x4x3x3xf32>, tensor<3x4x3x4x3x3xf32>", 9, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3 * 2 + d7 * 3, d8) (d5, d6, d7, d8, d4) (d0, d1, d2, d3, d8, d4)"),
    ("pooling_nhwc_sum", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x4xf32>, tensor<3x4xf32>, tensor<3x4x3x4xf32>", 6, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d3) (d4, d5) (d0, d1, d2, d3)"),
    ("pooling_nchw_sum", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x4x7x13xf32>, tensor<3x4xf32>, tensor<3x4x3x4xf32>", 6, "(d0, d1, d2 * 2 + d4, d3 * 2 + d5 * 2) (d4, d5) (d0, d1, d2, d3)"),
    ("pooling_nhwc_max", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x4xf32>, tensor<3x4xf32>, tensor<3x4x3x4xf32>", 6, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d3) (d4, d5) (d0, d1, d2, d3)"),
    ("pooling_nhwc_max_unsigned", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x4xi8>, tensor<3x4xi8>, tensor<3x4x3x4xi16>", 6, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d3) (d4, d5) (d0, d1, d2, d3)"),
    ("pooling_nchw_max", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x4x7x13xf32>, tensor<3x4xf32>, tensor<3x4x3x4xf32>", 6, "(d0, d1, d2 * 2 + d4, d3 * 2 + d5 * 2) (d4, d5) (d0, d1, d2, d3)"),
    ("pooling_nhwc_min", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x4xf32>, tensor<3x4xf32>, tensor<3x4x3x4xf32>", 6, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d3) (d4, d5) (d0, d1, d2, d3)"),
    ("pooling_nhwc_min_unsigned", "{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}", "tensor<3x9x11x4xi8>, tensor<3x4xi8>, tensor<3x4x3x4xi16>", 6, "(d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d3) (d4, d5) (d0, d1, d2, d3)"),
    ("pooling_nwc_sum", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x10x3xf32>, tensor<4xf32>, tensor<3x4x3xf32>", 4, "(d0, d1 * 2 + d3, d2) (d3) (d0, d1, d2)"),
    ("pooling_ncw_sum", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x4x8xf32>, tensor<4xf32>, tensor<3x4x3xf32>", 4, "(d0, d1, d2 * 2 + d3) (d3) (d0, d1, d2)"),
    ("pooling_nwc_max", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x10x3xf32>, tensor<4xf32>, tensor<3x4x3xf32>", 4, "(d0, d1 * 2 + d3, d2) (d3) (d0, d1, d2)"),
    ("pooling_nwc_max_unsigned", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x10x3xi8>, tensor<4xi8>, tensor<3x4x3xi16>", 4, "(d0, d1 * 2 + d3, d2) (d3) (d0, d1, d2)"),
    ("pooling_ncw_max", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x4x8xf32>, tensor<4xf32>, tensor<3x4x3xf32>", 4, "(d0, d1, d2 * 2 + d3) (d3) (d0, d1, d2)"),
    ("pooling_nwc_min", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x10x3xf32>, tensor<4xf32>, tensor<3x4x3xf32>", 4, "(d0, d1 * 2 + d3, d2) (d3) (d0, d1, d2)"),
    ("pooling_nwc_min_unsigned", "{dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}", "tensor<3x10x3xi8>, tensor<4xi8>, tensor<3x4x3xi16>", 4, "(d0, d1 * 2 + d3, d2) (d3) (d0, d1, d2)"),
    ("pooling_ndhwc_sum", "{dilations = dense<[1, 2, 3]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}", "tensor<3x10x9x16x3xf32>, tensor<4x3x4xf32>, tensor<3x4x3x4x3xf32>", 8, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3 * 2 + d7 * 3, d4) (d5, d6, d7) (d0, d1, d2, d3, d4)"),
    ("pooling_ndhwc_max", "{dilations = dense<[1, 2, 3]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}", "tensor<3x10x9x16x3xf32>, tensor<4x3x4xf32>, tensor<3x4x3x4x3xf32>", 8, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3 * 2 + d7 * 3, d4) (d5, d6, d7) (d0, d1, d2, d3, d4)"),
    ("pooling_ndhwc_min", "{dilations = dense<[1, 2, 3]> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>}", "tensor<3x10x9x16x3xf32>, tensor<4x3x4xf32>, tensor<3x4x3x4x3xf32>", 8, "(d0, d1 * 2 + d5, d2 * 2 + d6 * 2, d3 * 2 + d7 * 3, d4) (d5, d6, d7) (d0, d1, d2, d3, d4)"),
];

/// A function with the one operation of `case`.
fn program((name, attrs, types, ..): &Case) -> String {
    let types: Vec<&str> = types.split(", ").collect();
    let (inits, inputs) = types.split_last().expect("an init");
    let operands: Vec<String> = (0..inputs.len()).map(|i| format!("%{i}")).collect();
    let args: Vec<String> = types.iter().enumerate().map(|(i, ty)| format!("%{i}: {ty}")).collect();
    format!(
        "\"test.scope\"() ({{\n^bb0({}):\n  %r = linalg.{name} {attrs} ins({} : {}) outs(%{} : {inits}) -> {inits}\n}}) : () -> ()",
        args.join(", "),
        operands.join(", "),
        inputs.join(", "),
        inputs.len(),
    )
}

#[test]
fn maps_are_those_of_mlir() {
    let mut cx = Context::new();
    cx.allow_unregistered(true);
    cx.register(&dl_arith::Arith);
    cx.register(&Linalg);
    for case in CASES {
        let source = cx.add_source(case.0, program(case).into_bytes());
        let parsed = dl_ir::text::parse_source(&cx, &source).unwrap_or_else(|d| panic!("{}: {d:?}", case.0));
        let scope = OpRef::root(&cx, &parsed.module).region(0).ops().next().expect("the scope");
        let op = scope.region(0).ops().next().expect("the operation");
        let nest = LinalgOp::of(op).expect("a loop nest");
        let affine = cx.affine();
        let text = |map| {
            let mut out = String::new();
            affine.print_map(map, &mut out);
            out.split_once(" -> ").map_or(String::new(), |(_, results)| results.to_owned())
        };
        let maps: Vec<String> = nest.indexing_maps().into_iter().map(text).collect();
        assert_eq!(maps.join(" "), case.4, "maps of {}", case.0);
        assert_eq!(nest.num_loops(), case.3, "loops of {}", case.0);
    }
}
