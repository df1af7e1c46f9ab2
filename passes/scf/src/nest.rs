//! Making nests of `scf.for`.

use dl_ir::{BlockId, InsertPoint, Loc, OpId, OpState, Rewriter, Type, ValueId};
use dl_scf::{ForOp, YieldOp};
use smallvec::SmallVec;

/// Loops each of which is the body of the one before, but for the last.
#[derive(Clone, Debug)]
pub struct Nest {
    /// The loops, outermost first.
    pub loops: Vec<OpId>,
    /// Their induction variables.
    pub variables: SmallVec<[ValueId; 4]>,
    /// Where the innermost body goes on, before its terminator; where the nest would stand if there are no loops.
    pub body: InsertPoint,
}

/// Makes loops without carried values at the insertion point, one for each of `bounds`: lower bound, upper bound and step.
///
/// # Panics
/// When there is no insertion point.
pub fn build_nest(rw: &mut Rewriter<'_>, bounds: &[[ValueId; 3]], loc: Loc) -> Nest {
    let mut body = rw.insertion_point().expect("a place for the nest");
    let (mut loops, mut variables) = (Vec::new(), SmallVec::new());
    for &[lower, upper, step] in bounds {
        rw.set_insertion_point(Some(body));
        let (op, block) = build_for(rw, [lower, upper, step], &[], loc);
        loops.push(op);
        variables.push(rw.block(block).arg(0).id());
        rw.set_insertion_to_end(block);
        let end = rw.create(OpState::of::<YieldOp<'_>>(loc));
        body = InsertPoint { block, before: Some(end) };
    }
    Nest { loops, variables, body }
}

/// Makes one loop with an empty body at the insertion point; answers it and its block.
pub fn build_for(rw: &mut Rewriter<'_>, bounds: [ValueId; 3], inits: &[ValueId], loc: Loc) -> (OpId, BlockId) {
    let types: SmallVec<[Type; 4]> = inits.iter().map(|&init| rw.ir().value_type(init)).collect();
    let region = rw.new_region();
    let arguments: SmallVec<[Type; 4]> =
        std::iter::once(rw.ir().value_type(bounds[0])).chain(types.iter().copied()).collect();
    let block = rw.append_block(region, &arguments);
    let state = OpState::of::<ForOp<'_>>(loc).operands(bounds).operands(inits.iter().copied());
    (rw.create(state.results(types).region(region)), block)
}

/// Moves what is in `block`, without its terminator, into the body of the nest, with its induction variables for the arguments of the block,
/// and erases the terminator.
pub fn move_body(rw: &mut Rewriter<'_>, block: BlockId, nest: &Nest) {
    if let Some(end) = rw.ir().last_op(block) {
        rw.erase(end);
    }
    rw.inline_block(block, nest.body, &nest.variables);
}
