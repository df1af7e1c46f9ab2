//! `convert-elementwise-to-linalg`: element-wise operations on tensors become `linalg.generic`.

use dl_ir::interfaces::Index;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget};
use dl_ir::rewrite::{NoMatch, Pattern, Rewrite};
use dl_ir::{Attr, DYNAMIC, Ident, Loc, OpId, OpRef, OpState, Rewriter, Trait, Type, TypeRef, ValueId};
use dl_linalg::{IteratorType, YieldOp};
use dl_tensor::build::empty;

use crate::generic::Generic;

/// Makes operations that can be applied to each element by itself loop nests.
#[derive(Clone, Copy, Default)]
pub struct ConvertElementwiseToLinalg;

impl Pass for ConvertElementwiseToLinalg {
    const INFO: PassInfo =
        PassInfo::new("convert-elementwise-to-linalg", "Make element-wise operations on tensors linalg.generic")
            .title("ConvertElementwiseToLinalgPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut target = ConversionTarget::new();
        target.unknown_ops_dynamic(|op| !is_elementwise_on_tensors(op));
        let mut patterns = ConversionPatterns::new();
        patterns.add_rewrite(ElementwiseToGeneric);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

fn is_scalar(ty: TypeRef<'_>) -> bool {
    ty.is_integer() || ty.is_float() || ty.is_index() || ty.is_complex()
}

/// Whether `op` may be applied to each element of tensors, and is applied to at least one.
fn is_elementwise_on_tensors(op: OpRef<'_>) -> bool {
    let traits = [Trait::Elementwise, Trait::Scalarizable, Trait::Vectorizable, Trait::Tensorizable];
    let mut types = op.operands().iter().map(|operand| operand.ty());
    traits.iter().all(|of| op.has_trait(of))
        && op.num_results() > 0
        && op.results().iter().all(|result| result.ty().is_ranked_tensor())
        && types.clone().any(TypeRef::is_ranked_tensor)
        && types.all(|ty| ty.is_ranked_tensor() || is_scalar(ty))
}

struct ElementwiseToGeneric;

impl Pattern for ElementwiseToGeneric {
    const NAME: &'static str = "linalg-elementwise-to-generic";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let affine = cx.affine();
        let view = rw.op(op);
        if !is_elementwise_on_tensors(view) {
            return Err(NoMatch("not element-wise on tensors"));
        }
        let (loc, name) = (view.loc(), view.name_id());
        let inputs = view.operands().ids().to_vec();
        let results = view.results().types().to_vec();
        let attrs: Vec<(Ident, Attr)> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let rank = view.result(0).ty().rank().ok_or(NoMatch("no rank"))?;
        let (identity, scalar) = (affine.identity_map(rank as u32), affine.intern_map(rank as u32, 0, []));
        let of_operand = |&value: &ValueId| if is_scalar(rw.value_type(value)) { scalar } else { identity };
        let mut maps: Vec<_> = inputs.iter().map(of_operand).collect();
        maps.resize(inputs.len() + results.len(), identity);
        let iterators = vec![IteratorType::Parallel.attr(cx); rank];
        rw.set_insertion_before(op);
        let mut inits = Vec::with_capacity(results.len());
        for &ty in &results {
            inits.push(init(rw, &inputs, ty, loc).ok_or(NoMatch("no tensor operand"))?);
        }
        let elements: Vec<Type> = results.iter().map(|&ty| cx.ty(ty).element_or_self().id()).collect();
        let generic = Generic { loc, inputs, inits, maps, iterators: Some(cx.array_attr(&iterators)), results };
        let (new, block) = generic.create(rw);
        let args = rw.ir().block_args(block)[..generic.inputs.len()].to_vec();
        let scalar = rw.create(OpState::new(name, loc).operands(args).attrs(attrs).results(elements));
        let yielded: Vec<ValueId> = rw.ir().results(scalar).collect();
        rw.create(OpState::of::<YieldOp<'_>>(loc).operands(yielded));
        let values: Vec<ValueId> = rw.ir().results(new).collect();
        rw.replace(op, &values);
        Ok(())
    }
}

/// The init for a result of type `ty`: the first operand of this type, or an empty tensor as large as the first tensor among the operands.
fn init(rw: &mut Rewriter<'_>, operands: &[ValueId], ty: Type, loc: Loc) -> Option<ValueId> {
    if let Some(&same) = operands.iter().find(|&&operand| rw.value_type(operand).id() == ty) {
        return Some(same);
    }
    let like = operands.iter().copied().find(|&operand| rw.value_type(operand).is_ranked_tensor())?;
    let mut sizes = Vec::new();
    for (dim, &extent) in rw.cx().ty(ty).shape()?.iter().enumerate() {
        sizes.push(match (extent, dl_tensor::extent(rw, like, dim, loc)) {
            // The operand may know more than the result.
            (DYNAMIC, Index::Static(known)) => Index::Value(dl_arith::constant_index(rw, known, loc)),
            (DYNAMIC, value) => value,
            (known, _) => Index::Static(known),
        });
    }
    let element = rw.cx().ty(ty).element_or_self().id();
    Some(empty(rw, &sizes, element, loc))
}
