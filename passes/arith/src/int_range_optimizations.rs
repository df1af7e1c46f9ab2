//! `int-range-optimizations`: what is known to be one number becomes a constant.

use std::sync::Arc;

use dl_arith::{RemSIOp, RemUIOp, materialize_constant};
use dl_ir::number::ApInt;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{BlockRef, Definition, OpDefinition, OpId, Rewriter, ValueId, ValueRef};
use dl_passes_transforms::IntRanges;

/// Replaces integers that can only be one number by constants, and drops remainders of numbers that are less than the divisor.
#[derive(Clone, Copy, Default)]
pub struct IntRangeOptimizations;

impl Pass for IntRangeOptimizations {
    const INFO: PassInfo = PassInfo::new("int-range-optimizations", "Do optimizations based on integer range analysis")
        .title("ArithIntRangeOpts");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let ranges = Arc::new(IntRanges::new(cx.root(), cx.is_outermost));
        let recorded = ranges.record(cx.ctx, cx.ir);
        let mut patterns = Patterns::new();
        patterns
            .add(KnownConstants(Arc::clone(&ranges)))
            .add(SmallRemSI(Arc::clone(&ranges)))
            .add(SmallRemUI(Arc::clone(&ranges)));
        let result = cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        if !result.changed && !recorded {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Results, and arguments of blocks, that are one number. Arguments are looked at with the last operation of their block: the operation
/// around may be a function, which the driver does not see from inside.
struct KnownConstants(Arc<IntRanges>);

impl Pattern for KnownConstants {
    const NAME: &'static str = "arith-known-constants";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        if view.constant_value().is_some() {
            return Err(NoMatch("a constant already"));
        }
        let args = view.block().filter(|_| view.next().is_none()).into_iter().flat_map(BlockRef::args);
        let is_known = |value: &ValueRef<'_>| value.has_uses() && self.0.constant(*value).is_some();
        let known: Vec<ValueId> = view.results().iter().chain(args).filter(is_known).map(ValueRef::id).collect();
        let mut replaced = 0;
        for value in known {
            match rw.ir().definition(value) {
                Definition::Argument(block) => rw.set_insertion_to_start(block),
                Definition::Result(_) => rw.set_insertion_before(op),
            }
            replaced += usize::from(self.replace(rw, value));
        }
        if replaced == 0 {
            return Err(NoMatch("nothing is known to be one number"));
        }
        if rw.op(op).is_trivially_dead() {
            rw.erase(op);
        }
        Ok(())
    }
}

impl KnownConstants {
    /// Uses a constant, made at the insertion point, in the place of `value`.
    fn replace(&self, rw: &mut Rewriter<'_>, value: ValueId) -> bool {
        let view = rw.value(value);
        let (Some(number), loc) = (self.0.constant(view), view.loc()) else { return false };
        let (cx, ty) = (rw.cx(), rw.value_type(value));
        let scalar = cx.ap_int_attr(ty.element_or_self().id(), number);
        let attr = if ty.is_shaped() { cx.splat_attr(ty.id(), scalar) } else { Some(scalar) };
        // The constant is one of the dialect that the value is from, if that has such.
        let own = rw.value(value).defining_op().map_or("", |op| op.info().dialect());
        let own = cx.dialect(own).and_then(|dialect| dialect.materialize_constant);
        let made = attr.and_then(|attr| {
            own.and_then(|make| make(rw, attr, ty.id(), loc)).or_else(|| materialize_constant(rw, attr, ty.id(), loc))
        });
        let Some(made) = made.map(|op| rw.ir().result(op, 0)) else { return false };
        rw.replace_all_uses(value, made);
        true
    }
}

/// `x rem n` is `x` where `0 <= x < n`.
fn drop_remainder(ranges: &IntRanges, op: OpId, rw: &mut Rewriter<'_>, is_signed: bool) -> Rewrite {
    let view = rw.op(op);
    let (lhs, rhs) = (view.operand(0), view.operand(1));
    let divisor = rhs.constant().and_then(|value| value.as_ap_int().cloned().or_else(|| splat(value)));
    let Some(divisor) = divisor.filter(|divisor| !divisor.is_negative() && !divisor.is_zero()) else {
        return Err(NoMatch("the divisor is no positive constant"));
    };
    let Some(range) = ranges.of(lhs) else { return Err(NoMatch("nothing is known of the dividend")) };
    let (min, max) = if is_signed { (range.smin(), range.smax()) } else { (range.umin(), range.umax()) };
    if min.is_negative() || max.is_negative() || max.uge(&divisor) || !min.ule(max) {
        return Err(NoMatch("the dividend may be larger than the divisor"));
    }
    let lhs = lhs.id();
    rw.replace(op, &[lhs]);
    Ok(())
}

fn splat(value: dl_ir::AttrRef<'_>) -> Option<ApInt> {
    value.splat_value()?.as_ap_int().cloned()
}

struct SmallRemSI(Arc<IntRanges>);

impl Pattern for SmallRemSI {
    const NAME: &'static str = "arith-small-remsi";
    const ROOT: Option<&'static str> = Some(RemSIOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        drop_remainder(&self.0, op, rw, true)
    }
}

struct SmallRemUI(Arc<IntRanges>);

impl Pattern for SmallRemUI {
    const NAME: &'static str = "arith-small-remui";
    const ROOT: Option<&'static str> = Some(RemUIOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        drop_remainder(&self.0, op, rw, false)
    }
}
