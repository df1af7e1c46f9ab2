//! `convert-tensor-to-linalg`: `tensor.pad` becomes a filled tensor that the source is inserted in.

use dl_arith::AddIOp;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::offset_size_stride::{Slice, with_known_values};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget};
use dl_ir::rewrite::{NoMatch, Pattern, Rewrite, create_or_fold};
use dl_ir::{DYNAMIC, Loc, Mapping, OpDefinition, OpId, OpState, Rewriter, ValueId, clone_op};
use dl_linalg::TypeFn;
use dl_linalg::build::named_state;
use dl_tensor::build::insert_slice_state;
use dl_tensor::{EmptyOp, GenerateOp, PadOp};

/// Makes `tensor.pad` a `linalg.fill` and an insertion.
#[derive(Clone, Copy, Default)]
pub struct ConvertTensorToLinalg;

impl Pass for ConvertTensorToLinalg {
    const INFO: PassInfo = PassInfo::new("convert-tensor-to-linalg", "Make some tensor operations linalg operations")
        .title("ConvertTensorToLinalgPass")
        .on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["arith", "linalg", "tensor"]).illegal_ops(&[PadOp::NAME]);
        let mut patterns = ConversionPatterns::new();
        patterns.add_rewrite(DecomposePad);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// Padding is a tensor with the border everywhere, in which the source is inserted.
struct DecomposePad;

impl Pattern for DecomposePad {
    const NAME: &'static str = "tensor-decompose-pad";
    const ROOT: Option<&'static str> = Some(PadOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let pad = PadOp(rw.op(op));
        let lists = |constants: dl_ir::AttrRef<'_>, values| {
            let list = mixed(&constants.as_i64_array()?, values);
            Some(with_known_values(pad.0, &list).unwrap_or(list))
        };
        let (low, high) = (lists(pad.static_low(), pad.low()), lists(pad.static_high(), pad.high()));
        let (Some(low), Some(high)) = (low, high) else { return Err(NoMatch("no amounts")) };
        let (ty, source, loc) = (pad.result().ty().id(), pad.source().id(), pad.0.loc());
        let shape = pad.result().ty().shape().ok_or(NoMatch("no rank"))?.to_vec();
        if low.len() != shape.len() || high.len() != shape.len() {
            return Err(NoMatch("no amounts"));
        }
        rw.set_insertion_before(op);
        let mut sizes = Vec::new();
        for (dim, _) in shape.iter().enumerate().filter(|(_, extent)| **extent == DYNAMIC) {
            let size = dl_tensor::extent(rw, source, dim, loc);
            let size = dl_arith::index_value(rw, size, loc);
            let size = sum(rw, size, low[dim], loc);
            sizes.push(sum(rw, size, high[dim], loc));
        }
        let background = background(rw, op, ty, sizes, loc)?;
        let sizes = dl_tensor::extents(rw, source, loc);
        let strides: Indices = sizes.iter().map(|_| Index::Static(1)).collect();
        let slice = Slice { offsets: low, sizes, strides };
        let state = insert_slice_state(rw, source, background, &slice, loc);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// The sum of two indices.
fn sum(rw: &mut Rewriter<'_>, a: ValueId, b: Index, loc: Loc) -> ValueId {
    let b = dl_arith::index_value(rw, b, loc);
    let ty = rw.cx().index_type();
    create_or_fold(rw, OpState::of::<AddIOp<'_>>(loc).operands([a, b]).results([ty]))[0]
}

/// A tensor of type `ty` that has the border of a padding everywhere.
fn background(
    rw: &mut Rewriter<'_>,
    op: OpId,
    ty: dl_ir::Type,
    sizes: Vec<ValueId>,
    loc: Loc,
) -> Result<ValueId, NoMatch> {
    let pad = PadOp(rw.op(op));
    let block = pad.0.region(0).entry().ok_or(NoMatch("no body"))?;
    let border = block.last_op().filter(|last| last.num_operands() == 1).ok_or(NoMatch("no border"))?.operand(0);
    let inside = border.parent_block() == Some(block);
    let constant = if inside && border.constant().is_some() { border.defining_op().map(|op| op.id()) } else { None };
    let (border, block) = (border.id(), block.id());
    let empty = OpState::of::<EmptyOp<'_>>(loc).operands(sizes.iter().copied()).results([ty]);
    if inside && constant.is_none() {
        rw.create_value(empty);
        let region = rw.new_region();
        let generate = OpState::of::<GenerateOp<'_>>(loc).operands(sizes).results([ty]).region(region);
        let generated = rw.create_value(generate);
        let index = rw.cx().index_type();
        let point = rw.insertion_point();
        let old_args = rw.ir().block_args(block).to_vec();
        let new = rw.append_block(region, &vec![index; old_args.len()]);
        let mut mapping = Mapping::new();
        for (old, new) in old_args.into_iter().zip(rw.ir().block_args(new).to_vec()) {
            mapping.map(old, new);
        }
        let body: Vec<OpId> = rw.ir().block_ops(block).collect();
        for nested in body {
            rw.set_insertion_to_end(new);
            clone_op(rw, nested, &mut mapping);
        }
        rw.set_insertion_point(point);
        return Ok(generated);
    }
    let empty = rw.create_value(empty);
    if let Some(constant) = constant {
        rw.move_before(constant, op);
    }
    let fill = named_state(rw, "linalg.fill", &[border], &[empty], TypeFn::CastSigned, loc);
    Ok(rw.create_value(fill.map_err(|_| NoMatch("the border is no element"))?))
}
