//! `linalg-detensorize`: loop nests without loops, on tensors of one element, become the scalar operations in their bodies.
//!
//! What is worth it is decided first: all such nests, or those that conditions of branches depend on. Then each is replaced by its body, and
//! block arguments that hold one element become scalars. `tensor.extract` and `tensor.from_elements` stand between, and folding removes what
//! of them is not needed.

mod component;

use dl_ir::interfaces::{BranchOp, FunctionOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::{Arena, BlockId, OpId, OpRef, OpState, Rewriter, TypeRef, ValueId};
use dl_linalg::{GenericOp, LinalgOp};
use dl_tensor::{ExtractOp, FromElementsOp};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use component::control_flow_component;

dl_ir::pass_options! {
    /// Options of [`Detensorize`].
    pub struct DetensorizeOptions {
        /// All nests that can be, and block arguments, not only what control flow depends on
        aggressive_mode "aggressive-mode": bool = false,
    }
}

/// Replaces tensors of one element by the element.
#[derive(Clone, Default)]
pub struct Detensorize {
    /// The options.
    pub options: DetensorizeOptions,
}

impl Pass for Detensorize {
    const INFO: PassInfo = PassInfo::new("linalg-detensorize", "Replace tensors of one element by the element")
        .title("LinalgDetensorizePass")
        .on_ops(|info| info.interface::<dyn FunctionOp>().is_some());

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let root = cx.root();
        if root.num_regions() == 0 || root.region(0).is_empty() {
            return Ok(());
        }
        let plan = if self.options.aggressive_mode { everything(root) } else { control_flow_component(root) };
        let mut rw = cx.rewriter();
        let mut elements = Elements::default();
        for &nest in &plan.nests {
            inline_nest(&mut rw, &mut elements, nest);
        }
        for &arg in &plan.args {
            detensor_argument(&mut rw, &mut elements, arg);
        }
        let mut patterns = Patterns::new();
        patterns.add_canonicalization(cx.ctx, "tensor.from_elements");
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// What becomes scalar.
#[derive(Default)]
struct Plan {
    nests: IndexSet<OpId, FxBuildHasher>,
    args: IndexSet<ValueId, FxBuildHasher>,
}

/// Whether values of this type are one element.
fn is_one_element(ty: TypeRef<'_>) -> bool {
    ty.is_ranked_tensor() && ty.rank() == Some(0) && ty.encoding().is_none()
}

/// Whether `op` is a loop nest on tensors of one element only.
fn is_scalar_nest(op: OpRef<'_>) -> bool {
    op.is::<GenericOp<'_>>()
        && LinalgOp::of(op).is_some_and(|nest| nest.num_loops() == 0 && nest.body().is_some())
        && op.operands().iter().all(|operand| is_one_element(operand.ty()))
}

/// All nests that can be, and all arguments of blocks of the function but those of the first.
fn everything(root: OpRef<'_>) -> Plan {
    let ops = dl_ir::walk::ops_in_arena(root.arena(), Arena::ROOT);
    let nests = ops.into_iter().filter(|&op| is_scalar_nest(OpRef::new(root.cx(), root.arena(), op))).collect();
    let args = root.region(0).blocks().skip(1).flat_map(|block| block.args()).map(|arg| arg.id()).collect();
    Plan { nests, args }
}

/// For each tensor of which the element was read, the element.
type Elements = FxHashMap<ValueId, ValueId>;

/// The element of `value`: what a tensor was made from, or read right after `value`.
fn element(rw: &mut Rewriter<'_>, elements: &mut Elements, value: ValueId) -> ValueId {
    if let Some(made) = rw.value(value).def::<FromElementsOp<'_>>()
        && made.elements().len() == 1
    {
        return made.elements().single().id();
    }
    if let Some(&known) = elements.get(&value) {
        return known;
    }
    let point = rw.insertion_point();
    let (loc, ty) = (rw.value(value).loc(), rw.value_type(value).element_or_self().id());
    rw.set_insertion_after_value(value);
    let extracted = rw.create_value(OpState::of::<ExtractOp<'_>>(loc).operands([value]).results([ty]));
    rw.set_insertion_point(point);
    elements.insert(value, extracted);
    extracted
}

/// Replaces a nest by its body, and its results by tensors of what that yields.
fn inline_nest(rw: &mut Rewriter<'_>, elements: &mut Elements, op: OpId) {
    let view = rw.op(op);
    let Some(body) = LinalgOp::of(view).and_then(LinalgOp::body) else { return };
    let Some(last) = body.last_op().map(|last| last.id()) else { return };
    let (body, loc) = (body.id(), view.loc());
    let operands: Vec<ValueId> = view.operands().ids().to_vec();
    let types = view.results().types();
    let args: Vec<ValueId> = rw.ir().block_args(body).to_vec();
    for (arg, operand) in args.into_iter().zip(operands) {
        if rw.ir().has_uses(arg) {
            let scalar = element(rw, elements, operand);
            rw.replace_all_uses(arg, scalar);
        }
    }
    let yielded: Vec<ValueId> = rw.ir().operands(last).collect();
    rw.erase(last);
    let inner: Vec<OpId> = rw.ir().block_ops(body).collect();
    for each in inner {
        rw.move_before(each, op);
    }
    rw.set_insertion_before(op);
    let values: Vec<ValueId> = yielded
        .into_iter()
        .zip(types)
        .map(|(value, ty)| rw.create_value(OpState::of::<FromElementsOp<'_>>(loc).operands([value]).results([ty])))
        .collect();
    rw.replace(op, &values);
}

/// Makes a block argument a scalar: branches pass the element. Nothing is changed where it is more than an element, or where something else
/// than a branch passes it.
fn detensor_argument(rw: &mut Rewriter<'_>, elements: &mut Elements, arg: ValueId) {
    let view = rw.value(arg);
    let (Some(block), index) = (view.owner_block(), view.index()) else { return };
    if !is_one_element(view.ty()) {
        return;
    }
    let Some(passed) = passed_operands(block, index) else { return };
    let (block, tensor): (BlockId, _) = (block.id(), view.ty().id());
    let (element_type, loc) = (view.ty().element_or_self().id(), view.loc());
    for (branch, operand) in passed {
        let value = rw.op(branch).operand(operand).id();
        let scalar = element(rw, elements, value);
        rw.set_operand(branch, operand, scalar);
    }
    let scalar = rw.insert_block_arg(block, index, element_type);
    rw.set_arg_loc(scalar, loc);
    rw.set_insertion_to_start(block);
    let made = rw.create_value(OpState::of::<FromElementsOp<'_>>(loc).operands([scalar]).results([tensor]));
    rw.replace_all_uses(arg, made);
    rw.erase_block_arg(block, index + 1);
}

/// The operands that are passed to argument `index` of `block`: operation and number of each. `None` where some predecessor is no branch.
fn passed_operands(block: dl_ir::BlockRef<'_>, index: usize) -> Option<Vec<(OpId, usize)>> {
    let of = |(branch, successor): (OpRef<'_>, usize)| {
        let operands = branch.interface::<dyn BranchOp>()?.successor_operands(branch, successor);
        operands.get(index)?;
        Some((branch.id(), operands.start() + index))
    };
    block.predecessor_ops().map(of).collect()
}
