//! `arith-int-range-narrowing`: arithmetic with as many bits as its numbers need.

use std::sync::Arc;

use dl_arith::{
    AddIOp, AndIOp, CeilDivSIOp, CeilDivUIOp, CmpIOp, CmpIPredicate, DivSIOp, DivUIOp, ExtSIOp, ExtUIOp, FloorDivSIOp,
    IndexCastOp, IndexCastUIOp, IntegerOverflowFlags, MaxSIOp, MaxUIOp, MinSIOp, MinUIOp, MulIOp, OrIOp, RemSIOp,
    RemUIOp, ShLIOp, ShRSIOp, ShRUIOp, SubIOp, TruncIOp, XOrIOp, flags,
};
use dl_ir::int_range::IntRange;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{Attr, Context, Ident, Loc, OpDefinition, OpId, OpState, Rewriter, Type, TypeRef, ValueId};
use dl_passes_transforms::IntRanges;
use smallvec::SmallVec;

dl_ir::pass_options! {
    /// Options of [`IntRangeNarrowing`].
    pub struct IntRangeNarrowingOptions {
        /// Widths to narrow to, the first that fits
        widths "int-bitwidths-supported": Vec<u32> = Vec::new(),
    }
}

/// Makes operations work on fewer bits where operands and results need no more, with casts around.
#[derive(Clone, Default)]
pub struct IntRangeNarrowing {
    /// The options.
    pub options: IntRangeNarrowingOptions,
}

impl Pass for IntRangeNarrowing {
    const INFO: PassInfo = PassInfo::new(
        "arith-int-range-narrowing",
        "Reduce integer operations bitwidth based on integer range analysis",
    )
    .title("ArithIntRangeNarrowing");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let ranges = Arc::new(IntRanges::new(cx.root(), cx.is_outermost));
        let widths: Arc<[u32]> = self.options.widths.iter().copied().filter(|&width| width > 0).collect();
        let mut patterns = Patterns::new();
        patterns
            .add(NarrowElementwise { ranges: Arc::clone(&ranges), widths: Arc::clone(&widths) })
            .add(NarrowCmpI { ranges, widths: Arc::clone(&widths) })
            .add(FoldCastsUI(Arc::clone(&widths)))
            .add(FoldCastsSI(widths));
        let result = cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        if !result.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// How numbers get their upper bits back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cast {
    Signed,
    Unsigned,
    /// Either way.
    Both,
}

impl Cast {
    /// What is right for numbers in `range` that keep `width` bits only.
    fn of(range: &IntRange, width: u32) -> Option<Self> {
        let removed = range.width().checked_sub(width).filter(|&removed| removed > 0)?;
        let sign_bits = |value: &dl_ir::number::ApInt| {
            if value.is_negative() { value.not().leading_zeros() } else { value.leading_zeros() }
        };
        let signed = sign_bits(range.smin()) > removed && sign_bits(range.smax()) > removed;
        let unsigned = range.umin().leading_zeros() >= removed && range.umax().leading_zeros() >= removed;
        match (signed, unsigned) {
            (true, true) => Some(Self::Both),
            (true, false) => Some(Self::Signed),
            (false, true) => Some(Self::Unsigned),
            (false, false) => None,
        }
    }

    fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Both, one) | (one, Self::Both) => Some(one),
            _ => (self == other).then_some(self),
        }
    }
}

/// Integers of `width` bits in the shape of `ty`.
fn narrowed(cx: &Context, ty: TypeRef<'_>, width: u32) -> Type {
    let element = cx.int_type(width);
    if ty.is_shaped() { ty.with_element(element) } else { element }
}

/// `value` as a `ty`, with fewer bits or more.
fn cast(rw: &mut Rewriter<'_>, loc: Loc, value: ValueId, ty: Type, how: Cast) -> ValueId {
    let (from, to) = (rw.value_type(value).element_or_self(), rw.cx().ty(ty).element_or_self());
    if rw.ir().value_type(value) == ty {
        return value;
    }
    let state = match how {
        Cast::Signed if from.is_index() || to.is_index() => OpState::of::<IndexCastOp<'_>>(loc),
        _ if from.is_index() || to.is_index() => OpState::of::<IndexCastUIOp<'_>>(loc),
        _ if to.int_width() < from.int_width() => OpState::of::<TruncIOp<'_>>(loc),
        Cast::Signed => OpState::of::<ExtSIOp<'_>>(loc),
        _ => OpState::of::<ExtUIOp<'_>>(loc),
    };
    rw.create_value(state.operands([value]).results([ty]))
}

/// Whether an operation called `name` gives the same low bits on narrower numbers that are cast back as `how` says.
fn is_kept(name: &str, how: Cast) -> bool {
    let any = [AddIOp::NAME, SubIOp::NAME, MulIOp::NAME, AndIOp::NAME, OrIOp::NAME, XOrIOp::NAME, ShLIOp::NAME];
    let signed = [
        DivSIOp::NAME,
        CeilDivSIOp::NAME,
        FloorDivSIOp::NAME,
        RemSIOp::NAME,
        ShRSIOp::NAME,
        MaxSIOp::NAME,
        MinSIOp::NAME,
    ];
    let unsigned = [DivUIOp::NAME, CeilDivUIOp::NAME, RemUIOp::NAME, ShRUIOp::NAME, MaxUIOp::NAME, MinUIOp::NAME];
    any.contains(&name)
        || (how != Cast::Unsigned && signed.contains(&name))
        || (how != Cast::Signed && unsigned.contains(&name))
}

fn is_shift(name: &str) -> bool {
    [ShLIOp::NAME, ShRSIOp::NAME, ShRUIOp::NAME].contains(&name)
}

/// Operations whose operands and results have one type.
struct NarrowElementwise {
    ranges: Arc<IntRanges>,
    widths: Arc<[u32]>,
}

impl Pattern for NarrowElementwise {
    const NAME: &'static str = "arith-narrow-elementwise";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        if view.info().dialect() != "arith" || view.num_operands() != 2 || view.num_results() != 1 {
            return Err(NoMatch("no operation on two numbers"));
        }
        let ty = view.result(0).ty();
        let all = || view.operands().iter().chain(view.results().iter());
        if all().any(|value| value.ty() != ty) {
            return Err(NoMatch("the types differ"));
        }
        let ranges: Option<SmallVec<[IntRange; 3]>> = all().map(|value| self.ranges.of(value)).collect();
        let Some(ranges) = ranges else { return Err(NoMatch("nothing is known of a value")) };
        let fits = |width: u32| {
            let mut casts = ranges.iter().map(|range| Cast::of(range, width));
            let how = casts.try_fold(Cast::Both, |all, each| all.and(each?))?;
            // Shifts by as many bits as are left, or more, would not be defined any more.
            let shifts = !is_shift(view.name()) || ranges[1].umax().to_u64().is_some_and(|by| by < width.into());
            (shifts && is_kept(view.name(), how)).then_some((width, how))
        };
        let Some((width, how)) = self.widths.iter().find_map(|&width| fits(width)) else {
            return Err(NoMatch("no width fits"));
        };
        let cx = rw.cx();
        let (ty, loc) = (ty.id(), rw.op(op).loc());
        let target = narrowed(cx, cx.ty(ty), width);
        let operands = rw.op(op).operands().ids();
        let attrs = narrow_attrs(rw, op, how);
        let name = rw.op(op).name_id();
        rw.set_insertion_before(op);
        let mut narrow = SmallVec::<[ValueId; 2]>::new();
        for (&operand, range) in operands.iter().zip(&ranges) {
            let is_natural = how == Cast::Signed && !range.smin().is_negative();
            narrow.push(cast(rw, loc, operand, target, if is_natural { Cast::Both } else { how }));
        }
        let made = rw.create_value(OpState::new(name, loc).operands(narrow).results([target]).attrs(attrs));
        let back = cast(rw, loc, made, ty, how);
        if let Some(range) = ranges.last() {
            self.ranges.learn(rw.value(back), range.clone());
        }
        rw.replace(op, &[back]);
        Ok(())
    }
}

/// The attributes of `op` as they are right for fewer bits: numbers that fit read unsigned may overflow read signed.
fn narrow_attrs(rw: &Rewriter<'_>, op: OpId, how: Cast) -> Vec<(Ident, Attr)> {
    let (view, cx) = (rw.op(op), rw.cx());
    let mut attrs: Vec<(Ident, Attr)> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
    let flags = flags::overflow(view);
    if how == Cast::Unsigned && flags.contains(IntegerOverflowFlags::NSW) {
        let left = if flags.contains(IntegerOverflowFlags::NUW) {
            IntegerOverflowFlags::NUW
        } else {
            IntegerOverflowFlags::NONE
        };
        let name = cx.ident("overflowFlags");
        attrs.retain(|&(each, _)| each != name);
        attrs.push((name, left.attr(cx)));
    }
    attrs
}

struct NarrowCmpI {
    ranges: Arc<IntRanges>,
    widths: Arc<[u32]>,
}

impl Pattern for NarrowCmpI {
    const NAME: &'static str = "arith-narrow-cmpi";
    const ROOT: Option<&'static str> = Some(CmpIOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let (lhs, rhs) = (view.operand(0), view.operand(1));
        let (Some(left), Some(right)) = (self.ranges.of(lhs), self.ranges.of(rhs)) else {
            return Err(NoMatch("nothing is known of an operand"));
        };
        let predicate = view.attr("predicate").and_then(CmpIPredicate::from_attr);
        let fits = |width: u32| {
            let casts = (Cast::of(&left, width)?, Cast::of(&right, width)?);
            let how = casts.0.and(casts.1)?;
            // What keeps its order one way only must be compared that way.
            let keeps = match how {
                Cast::Both => true,
                Cast::Signed => predicate.is_some_and(|predicate| !predicate.is_unsigned()),
                Cast::Unsigned => predicate.is_some_and(|predicate| !predicate.is_signed()),
            };
            keeps.then_some((width, casts))
        };
        let Some((width, casts)) = self.widths.iter().find_map(|&width| fits(width)) else {
            return Err(NoMatch("no width fits"));
        };
        let (target, loc) = (narrowed(rw.cx(), lhs.ty(), width), view.loc());
        let (lhs, rhs, result) = (lhs.id(), rhs.id(), view.result(0).ty().id());
        let range = self.ranges.of(view.result(0));
        let attrs: Vec<(Ident, Attr)> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        rw.set_insertion_before(op);
        let operands = [cast(rw, loc, lhs, target, casts.0), cast(rw, loc, rhs, target, casts.1)];
        let made = rw.create_value(OpState::of::<CmpIOp<'_>>(loc).operands(operands).results([result]).attrs(attrs));
        if let Some(range) = range {
            self.ranges.learn(rw.value(made), range);
        }
        rw.replace(op, &[made]);
        Ok(())
    }
}

/// An integer that becomes an index and an integer of its own type again.
fn fold_casts<T: OpDefinition>(widths: &[u32], op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let source = view.operand(0).defining_op().filter(|source| source.is::<T>());
    let Some(first) = source.map(|source| source.operand(0)) else { return Err(NoMatch("of no index cast")) };
    let fits = first.ty() == view.result(0).ty()
        && view.operand(0).ty().is_index()
        && first.ty().is_integer()
        && first.ty().int_width().is_some_and(|width| widths.contains(&width));
    if !fits {
        return Err(NoMatch("the types do not fit"));
    }
    let first = first.id();
    rw.replace(op, &[first]);
    Ok(())
}

struct FoldCastsUI(Arc<[u32]>);

impl Pattern for FoldCastsUI {
    const NAME: &'static str = "arith-fold-index-castuis";
    const ROOT: Option<&'static str> = Some(IndexCastUIOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        fold_casts::<IndexCastUIOp<'_>>(&self.0, op, rw)
    }
}

struct FoldCastsSI(Arc<[u32]>);

impl Pattern for FoldCastsSI {
    const NAME: &'static str = "arith-fold-index-casts";
    const ROOT: Option<&'static str> = Some(IndexCastOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        fold_casts::<IndexCastOp<'_>>(&self.0, op, rw)
    }
}
