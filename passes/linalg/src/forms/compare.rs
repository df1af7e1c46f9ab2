//! Whether the body of an operation computes what the body of a named one does.

use dl_ir::{Arena, BlockRef, OpName, Rewriter, Trait, Type, ValueRef};
use dl_linalg::named::Body;
use dl_linalg::{TypeFn, build_body};

/// Attributes that allow an operation more than it has without them; to leave them out is sound.
const PERMISSIONS: [&str; 2] = ["fastmath", "overflowFlags"];

/// Whether `block` computes `body` with elements converted by `cast`, where argument `order[i]` of the block is argument `i` of the body.
/// Operands of commutative operations may be in any order.
pub(crate) fn computes(block: BlockRef<'_>, body: Body, cast: TypeFn, order: &[usize]) -> bool {
    let cx = block.cx();
    if order.len() != block.num_args() || body.num_operands() != order.len() {
        return false;
    }
    let args: Vec<Type> = order.iter().map(|&i| block.arg(i).ty().id()).collect();
    let Some(parent) = block.parent_op() else { return false };
    let name: OpName = parent.name_id();
    let mut scratch = Arena::new(name, parent.loc());
    let mut rw = Rewriter::new(cx, &mut scratch);
    let region = rw.new_region();
    if build_body(&mut rw, region, &args, body, cast, parent.loc()).is_err() {
        return false;
    }
    let Some(wanted) = scratch.entry_block(region).map(|wanted| BlockRef::new(cx, &scratch, wanted)) else {
        return false;
    };
    let (Some(last), Some(wanted_last)) = (block.last_op(), wanted.last_op()) else { return false };
    let same_length = block.ops().filter(|op| op.constant_value().is_none()).count()
        == wanted.ops().filter(|op| op.constant_value().is_none()).count();
    same_length
        && last.num_operands() == 1
        && wanted_last.num_operands() == 1
        && Comparison { block, wanted, order }.same(last.operand(0), wanted_last.operand(0))
}

struct Comparison<'a, 'b> {
    block: BlockRef<'a>,
    wanted: BlockRef<'b>,
    order: &'a [usize],
}

impl Comparison<'_, '_> {
    /// Whether `value` is what `wanted` is. As deep as the body that is wanted: a few levels.
    fn same(&self, value: ValueRef<'_>, wanted: ValueRef<'_>) -> bool {
        let Some(op) = wanted.defining_op() else {
            let argument = value.owner_block().is_some_and(|block| block.id() == self.block.id());
            debug_assert_eq!(wanted.owner_block().map(|block| block.id()), Some(self.wanted.id()));
            return argument && self.order.get(wanted.index()) == Some(&value.index());
        };
        if let Some(constant) = op.constant_value() {
            return value.constant().is_some_and(|other| other.id() == constant.id());
        }
        let Some(other) = value.defining_op().filter(|other| other.name_id() == op.name_id()) else { return false };
        let alike = value.ty() == wanted.ty() && value.index() == wanted.index() && same_attrs(other, op);
        let operands = |swapped: bool| {
            let count = op.num_operands();
            let at = |i: usize| if swapped { count - 1 - i } else { i };
            other.num_operands() == count && (0..count).all(|i| self.same(other.operand(at(i)), op.operand(i)))
        };
        alike && (operands(false) || (op.num_operands() == 2 && op.has_trait(&Trait::Commutative) && operands(true)))
    }
}

/// Whether the attributes of `op` are those of `wanted`, but for permissions.
fn same_attrs(op: dl_ir::OpRef<'_>, wanted: dl_ir::OpRef<'_>) -> bool {
    let cx = op.cx();
    op.attrs().all(|(name, attr)| {
        PERMISSIONS.contains(&cx.str(name)) || wanted.attr_by_ident(name).is_some_and(|other| other.id() == attr.id())
    }) && wanted.attrs().all(|(name, _)| op.attr_by_ident(name).is_some())
}
