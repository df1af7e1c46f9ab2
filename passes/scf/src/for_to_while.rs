//! `scf-for-to-while`: counted loops as conditional ones.

use dl_arith::{AddIOp, CmpIPredicate};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{BlockRef, OpDefinition, OpId, OpState, OpView, Rewriter, Type, ValueId};
use dl_scf::{ConditionOp, ForOp, WhileOp};
use smallvec::SmallVec;

/// Makes each `scf.for` an `scf.while` whose first carried value is the induction variable.
#[derive(Clone, Copy, Default)]
pub struct ForToWhile;

impl Pass for ForToWhile {
    const INFO: PassInfo =
        PassInfo::new("scf-for-to-while", "Convert SCF for loops to SCF while loops").title("SCFForToWhileLoop");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add(CountInWhile);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// The comparison goes to the first region, the addition to the start of the body.
struct CountInWhile;

impl Pattern for CountInWhile {
    const NAME: &'static str = "scf-for-to-while";
    const ROOT: Option<&'static str> = Some(ForOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let each = ForOp::wrap(rw.op(op));
        let body = each.region().entry().ok_or(NoMatch("has no body"))?;
        let end = body.last_op().ok_or(NoMatch("has no terminator"))?.id();
        let (upper, step, loc) = (each.upper_bound().id(), each.step().id(), each.0.loc());
        let inits: SmallVec<[ValueId; 4]> =
            std::iter::once(each.lower_bound().id()).chain(each.init_args().ids()).collect();
        let types: SmallVec<[Type; 4]> = body.args().map(|arg| arg.ty().id()).collect();
        let predicate = if each.unsigned_cmp().is_some() { CmpIPredicate::Ult } else { CmpIPredicate::Slt };
        let attrs: Vec<_> = each.0.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let (body, region) = (body.id(), each.region().id());

        let before = rw.new_region();
        let condition = rw.append_block(before, &types);
        rw.set_insertion_to_end(condition);
        let args: SmallVec<[ValueId; 4]> = BlockRef::args(rw.block(condition)).map(|arg| arg.id()).collect();
        let holds = dl_arith::build::compare(rw, predicate, args[0], upper, loc);
        rw.create(OpState::of::<ConditionOp<'_>>(loc).operands([holds]).operands(args));

        let after = rw.new_region();
        rw.move_blocks(region, after, None);
        rw.set_insertion_to_start(body);
        let variable = rw.block(body).arg(0).id();
        let next = dl_arith::build::binary::<AddIOp<'_>>(rw, variable, step, loc);
        let yielded: SmallVec<[ValueId; 4]> = std::iter::once(next).chain(rw.ir().operands(end)).collect();
        rw.set_operands(end, &yielded);

        rw.set_insertion_before(op);
        let state = OpState::of::<WhileOp<'_>>(loc).operands(inits).results(types).attrs(attrs);
        let looping = rw.create(state.region(before).region(after));
        let results: SmallVec<[ValueId; 4]> = rw.ir().results(looping).skip(1).collect();
        rw.replace(op, &results);
        Ok(())
    }
}
