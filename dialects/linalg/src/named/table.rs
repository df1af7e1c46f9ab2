//! The table of named operations.

use super::{Body, NamedOp, Nest};
use crate::{BinaryFn, TernaryFn, TypeFn, UnaryFn};

const fn elementwise(name: &'static str, body: Body) -> NamedOp {
    NamedOp { name, nest: Nest::Elementwise, body }
}

const fn unary(name: &'static str, function: UnaryFn) -> NamedOp {
    elementwise(name, Body::Unary(function))
}

const fn binary(name: &'static str, function: BinaryFn) -> NamedOp {
    elementwise(name, Body::Binary(function))
}

const fn product(name: &'static str, iterators: &'static str, maps: &'static [&'static str; 3]) -> NamedOp {
    NamedOp { name, nest: Nest::Fixed(iterators, maps), body: Body::MultiplyAdd }
}

const fn quantized(name: &'static str, iterators: &'static str, maps: &'static [&'static str; 5]) -> NamedOp {
    NamedOp { name, nest: Nest::Fixed(iterators, maps), body: Body::QuantizedMultiplyAdd }
}

const fn pool(
    name: &'static str,
    (function, cast): (BinaryFn, TypeFn),
    iterators: &'static str,
    maps: &'static [&'static str; 3],
) -> NamedOp {
    NamedOp { name, nest: Nest::Fixed(iterators, maps), body: Body::Pool(function, cast) }
}

const SUM: (BinaryFn, TypeFn) = (BinaryFn::Add, TypeFn::CastSigned);
const MAX: (BinaryFn, TypeFn) = (BinaryFn::MaxSigned, TypeFn::CastSigned);
const MAX_UNSIGNED: (BinaryFn, TypeFn) = (BinaryFn::MaxUnsigned, TypeFn::CastUnsigned);
const MIN: (BinaryFn, TypeFn) = (BinaryFn::MinSigned, TypeFn::CastSigned);
const MIN_UNSIGNED: (BinaryFn, TypeFn) = (BinaryFn::MinUnsigned, TypeFn::CastUnsigned);

/// Named operations whose loops and bodies follow from their names.
pub static NAMED: &[NamedOp] = &[
    elementwise("linalg.copy", Body::Copy),
    elementwise("linalg.fill", Body::Fill),
    unary("linalg.exp", UnaryFn::Exp),
    unary("linalg.log", UnaryFn::Log),
    unary("linalg.abs", UnaryFn::Abs),
    unary("linalg.ceil", UnaryFn::Ceil),
    unary("linalg.floor", UnaryFn::Floor),
    unary("linalg.negf", UnaryFn::Negf),
    unary("linalg.reciprocal", UnaryFn::Reciprocal),
    unary("linalg.round", UnaryFn::Round),
    unary("linalg.sqrt", UnaryFn::Sqrt),
    unary("linalg.rsqrt", UnaryFn::Rsqrt),
    unary("linalg.square", UnaryFn::Square),
    unary("linalg.tanh", UnaryFn::Tanh),
    unary("linalg.erf", UnaryFn::Erf),
    binary("linalg.add", BinaryFn::Add),
    binary("linalg.sub", BinaryFn::Sub),
    binary("linalg.mul", BinaryFn::Mul),
    binary("linalg.div", BinaryFn::Div),
    binary("linalg.div_unsigned", BinaryFn::DivUnsigned),
    binary("linalg.max", BinaryFn::MaxSigned),
    binary("linalg.min", BinaryFn::MinSigned),
    binary("linalg.powf", BinaryFn::Powf),
    elementwise("linalg.select", Body::Ternary(TernaryFn::Select)),
    NamedOp { name: "linalg.matmul", nest: Nest::Attr("ppr"), body: Body::MultiplyAdd },
    NamedOp { name: "linalg.batch_matmul", nest: Nest::Attr("pppr"), body: Body::MultiplyAdd },
    NamedOp { name: "linalg.batch_reduce_matmul", nest: Nest::Attr("rppr"), body: Body::MultiplyAdd },
    quantized("linalg.quantized_matmul", "ppr", &["0 2", "2 1", "", "", "0 1"]),
    product("linalg.mmt4d", "pprppr", &["0 2 3 5", "1 2 4 5", "0 1 3 4"]),
    product("linalg.batch_mmt4d", "ppprppr", &["0 1 3 4 6", "0 2 3 5 6", "0 1 2 4 5"]),
    quantized("linalg.quantized_batch_matmul", "pppr", &["0 1 3", "0 3 2", "", "", "0 1 2"]),
    product("linalg.matvec", "pr", &["0 1", "1", "0"]),
    product("linalg.vecmat", "pr", &["1", "1 0", "0"]),
    product("linalg.batch_matvec", "ppr", &["0 1 2", "0 2", "0 1"]),
    product("linalg.batch_vecmat", "ppr", &["0 2", "0 2 1", "0 1"]),
    product("linalg.dot", "r", &["0", "0", ""]),
    product("linalg.conv_1d", "pr", &["0+1", "1", "0"]),
    product("linalg.conv_2d", "pprr", &["0+2 1+3", "2 3", "0 1"]),
    product("linalg.conv_3d", "ppprrr", &["0+3 1+4 2+5", "3 4 5", "0 1 2"]),
    product("linalg.conv_1d_nwc_wcf", "ppprr", &["0 1s+3t 4", "3 4 2", "0 1 2"]),
    product("linalg.conv_1d_ncw_fcw", "ppprr", &["0 3 2s+4t", "1 3 4", "0 1 2"]),
    product("linalg.conv_2d_nhwc_hwcf", "pppprrr", &["0 1s+4t 2s+5t 6", "4 5 6 3", "0 1 2 3"]),
    product("linalg.conv_2d_nhwc_fhwc", "pppprrr", &["0 1s+4t 2s+5t 6", "3 4 5 6", "0 1 2 3"]),
    quantized("linalg.conv_2d_nhwc_hwcf_q", "pppprrr", &["0 1s+4t 2s+5t 6", "4 5 6 3", "", "", "0 1 2 3"]),
    quantized("linalg.conv_2d_nhwc_fhwc_q", "pppprrr", &["0 1s+4t 2s+5t 6", "3 4 5 6", "", "", "0 1 2 3"]),
    quantized("linalg.conv_2d_nchw_fchw_q", "pppprrr", &["0 4 2s+5t 3s+6t", "1 4 5 6", "", "", "0 1 2 3"]),
    product("linalg.conv_2d_nchw_fchw", "pppprrr", &["0 4 2s+5t 3s+6t", "1 4 5 6", "0 1 2 3"]),
    product("linalg.conv_2d_ngchw_fgchw", "ppppprrr", &["0 1 5 3s+6t 4s+7t", "2 1 5 6 7", "0 1 2 3 4"]),
    product("linalg.conv_2d_ngchw_gfchw", "ppppprrr", &["0 1 5 3s+6t 4s+7t", "1 2 5 6 7", "0 1 2 3 4"]),
    product("linalg.conv_2d_nhwgc_gfhwc", "ppppprrr", &["0 1s+5t 2s+6t 3 7", "3 4 5 6 7", "0 1 2 3 4"]),
    quantized("linalg.conv_2d_nhwgc_gfhwc_q", "ppppprrr", &["0 1s+5t 2s+6t 3 7", "3 4 5 6 7", "", "", "0 1 2 3 4"]),
    quantized("linalg.conv_2d_ngchw_gfchw_q", "ppppprrr", &["0 1 5 3s+6t 4s+7t", "1 2 5 6 7", "", "", "0 1 2 3 4"]),
    product("linalg.conv_3d_ndhwc_dhwcf", "ppppprrrr", &["0 1s+5t 2s+6t 3s+7t 8", "5 6 7 8 4", "0 1 2 3 4"]),
    quantized(
        "linalg.conv_3d_ndhwc_dhwcf_q",
        "ppppprrrr",
        &["0 1s+5t 2s+6t 3s+7t 8", "5 6 7 8 4", "", "", "0 1 2 3 4"],
    ),
    product("linalg.conv_3d_ncdhw_fcdhw", "ppppprrrr", &["0 5 2s+6t 3s+7t 4s+8t", "1 5 6 7 8", "0 1 2 3 4"]),
    product("linalg.depthwise_conv_1d_nwc_wc", "pppr", &["0 1s+3t 2", "3 2", "0 1 2"]),
    product("linalg.depthwise_conv_1d_ncw_cw", "pppr", &["0 2 1s+3t", "2 3", "0 2 1"]),
    product("linalg.depthwise_conv_1d_nwc_wcm", "ppppr", &["0 1s+4t 2", "4 2 3", "0 1 2 3"]),
    product("linalg.depthwise_conv_2d_nhwc_hwc", "pppprr", &["0 1s+4t 2s+5t 3", "4 5 3", "0 1 2 3"]),
    product("linalg.depthwise_conv_2d_nchw_chw", "pppprr", &["0 3 1s+4t 2s+5t", "3 4 5", "0 3 1 2"]),
    quantized("linalg.depthwise_conv_2d_nhwc_hwc_q", "pppprr", &["0 1s+4t 2s+5t 3", "4 5 3", "", "", "0 1 2 3"]),
    product("linalg.depthwise_conv_2d_nhwc_hwcm", "ppppprr", &["0 1s+5t 2s+6t 3", "5 6 3 4", "0 1 2 3 4"]),
    quantized("linalg.depthwise_conv_2d_nhwc_hwcm_q", "ppppprr", &["0 1s+5t 2s+6t 3", "5 6 3 4", "", "", "0 1 2 3 4"]),
    product("linalg.depthwise_conv_3d_ndhwc_dhwc", "pppprrrp", &["0 1s+4t 2s+5t 3s+6t 7", "4 5 6 7", "0 1 2 3 7"]),
    product("linalg.depthwise_conv_3d_ncdhw_cdhw", "pppprrrp", &["0 7 1s+4t 2s+5t 3s+6t", "7 4 5 6", "0 7 1 2 3"]),
    product(
        "linalg.depthwise_conv_3d_ndhwc_dhwcm",
        "ppppprrrp",
        &["0 1s+5t 2s+6t 3s+7t 8", "5 6 7 8 4", "0 1 2 3 8 4"],
    ),
    pool("linalg.pooling_nhwc_sum", SUM, "pppprr", &["0 1s+4t 2s+5t 3", "4 5", "0 1 2 3"]),
    pool("linalg.pooling_nchw_sum", SUM, "pppprr", &["0 1 2s+4t 3s+5t", "4 5", "0 1 2 3"]),
    pool("linalg.pooling_nhwc_max", MAX, "pppprr", &["0 1s+4t 2s+5t 3", "4 5", "0 1 2 3"]),
    pool("linalg.pooling_nhwc_max_unsigned", MAX_UNSIGNED, "pppprr", &["0 1s+4t 2s+5t 3", "4 5", "0 1 2 3"]),
    pool("linalg.pooling_nchw_max", MAX, "pppprr", &["0 1 2s+4t 3s+5t", "4 5", "0 1 2 3"]),
    pool("linalg.pooling_nhwc_min", MIN, "pppprr", &["0 1s+4t 2s+5t 3", "4 5", "0 1 2 3"]),
    pool("linalg.pooling_nhwc_min_unsigned", MIN_UNSIGNED, "pppprr", &["0 1s+4t 2s+5t 3", "4 5", "0 1 2 3"]),
    pool("linalg.pooling_nwc_sum", SUM, "pppr", &["0 1s+3t 2", "3", "0 1 2"]),
    pool("linalg.pooling_ncw_sum", SUM, "pppr", &["0 1 2s+3t", "3", "0 1 2"]),
    pool("linalg.pooling_nwc_max", MAX, "pppr", &["0 1s+3t 2", "3", "0 1 2"]),
    pool("linalg.pooling_nwc_max_unsigned", MAX_UNSIGNED, "pppr", &["0 1s+3t 2", "3", "0 1 2"]),
    pool("linalg.pooling_ncw_max", MAX, "pppr", &["0 1 2s+3t", "3", "0 1 2"]),
    pool("linalg.pooling_nwc_min", MIN, "pppr", &["0 1s+3t 2", "3", "0 1 2"]),
    pool("linalg.pooling_nwc_min_unsigned", MIN_UNSIGNED, "pppr", &["0 1s+3t 2", "3", "0 1 2"]),
    pool("linalg.pooling_ndhwc_sum", SUM, "ppppprrr", &["0 1s+5t 2s+6t 3s+7t 4", "5 6 7", "0 1 2 3 4"]),
    pool("linalg.pooling_ndhwc_max", MAX, "ppppprrr", &["0 1s+5t 2s+6t 3s+7t 4", "5 6 7", "0 1 2 3 4"]),
    pool("linalg.pooling_ndhwc_min", MIN, "ppppprrr", &["0 1s+5t 2s+6t 3s+7t 4", "5 6 7", "0 1 2 3 4"]),
    NamedOp { name: "linalg.fill_rng_2d", nest: Nest::Fixed("pp", &["", "", "", "0 1"]), body: Body::Random },
];
