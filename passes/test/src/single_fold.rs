//! `test-single-fold`: each operation is folded by itself, and no pattern is applied.

use dl_ir::dialect::FoldedValue;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::ConstantPool;
use dl_ir::rewrite::fold::{Fold, try_fold};
use dl_ir::walk::{for_each_arena, ops_in_arena};
use dl_ir::{Arena, BlockId, Context, OpId, OpRef, Rewriter, ValueId};

dl_ir::pass_options! {
    /// Options of [`TestSingleFold`].
    pub struct TestSingleFoldOptions {
        /// How often an operation is folded that changes without being replaced
        max_iterations "max-iterations": u32 = 1,
    }
}

/// Folds each operation, later ones first: a fold sees what the program says, not what other folds found out. Equal constants become one at the start
/// of the region.
#[derive(Clone, Default)]
pub struct TestSingleFold {
    /// The options.
    pub options: TestSingleFoldOptions,
}

impl Pass for TestSingleFold {
    const INFO: PassInfo =
        PassInfo::new("test-single-fold", "Test single-pass operation folding and dead constant elimination");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let most = self.options.max_iterations;
        for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| fold_all(cx, ir, most));
        Ok(())
    }
}

fn fold_all(cx: &Context, ir: &mut Arena, most: u32) {
    let mut pool = ConstantPool::default();
    let mut rw = Rewriter::new(cx, ir);
    let mut constants: Vec<OpId> = Vec::new();
    for op in ops_in_arena(rw.ir(), Arena::ROOT).into_iter().skip(1).rev() {
        constants.extend(fold(&mut rw, &mut pool, op, most).into_iter().filter_map(|value| rw.ir().defining_op(value)));
    }
    constants.sort_unstable();
    constants.dedup();
    for constant in constants {
        if rw.ir().is_live(constant) && rw.op(constant).is_trivially_dead() {
            rw.erase(constant);
        }
    }
}

/// Folds `op`; answers the constants from `pool` that take the place of its results.
fn fold(rw: &mut Rewriter<'_>, pool: &mut ConstantPool, op: OpId, most: u32) -> Vec<ValueId> {
    let folded = match rw.op(op).constant_value().map(|value| value.id()) {
        Some(value) => smallvec::smallvec![FoldedValue::Constant(value)],
        None => match (0..most).map(|_| try_fold(rw, op)).find(|fold| !matches!(fold, Fold::InPlace)) {
            Some(Fold::Values(folded)) => folded,
            _ => return Vec::new(),
        },
    };
    let Some(block) = rw.ir().block_of(op) else { return Vec::new() };
    let origin = rw.op(op).name_id();
    let types = rw.op(op).results().types();
    let (mut values, mut constants): (Vec<ValueId>, Vec<ValueId>) = (Vec::new(), Vec::new());
    for (each, ty) in folded.iter().zip(types) {
        let value = match *each {
            FoldedValue::Value(value) => Some(value).filter(|&value| rw.ir().value_type(value) == ty),
            FoldedValue::Constant(value) => {
                let made = pool.get(rw, block, origin, value, ty);
                if let Some(made) = made {
                    move_to_front(rw, made, block);
                    constants.push(made);
                }
                made
            }
        };
        match value {
            Some(value) => values.push(value),
            None => return constants,
        }
    }
    rw.replace(op, &values);
    constants
}

/// Moves a constant that is used in `block`, if it stands there, to its start: it may have been made for what comes later.
fn move_to_front(rw: &mut Rewriter<'_>, constant: ValueId, block: BlockId) {
    let first = rw.block(block).first_op().map(OpRef::id);
    if let Some(op) = rw.ir().defining_op(constant)
        && let Some(first) = first.filter(|&first| first != op && rw.ir().block_of(op) == Some(block))
    {
        rw.move_before(op, first);
    }
}
