//! Operations that have a counterpart in `llvm`, with vectors of several dimensions taken apart.

use std::marker::PhantomData;

use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, AttrRef, Ident, OpDefinition, OpId, OpRef, OpState, Type, ValueId};
use dl_llvm::types::array_parts;
use smallvec::SmallVec;

use crate::llvm_build::LlvmBuild;
use dl_arith::Build;

/// Attributes by name.
pub(crate) type Attrs = SmallVec<[(Ident, Attr); 2]>;

/// `S` becomes `T`, with converted operands, result types and attributes.
pub(crate) struct OneToOne<S, T>(PhantomData<fn() -> (S, T)>);

impl<S, T> OneToOne<S, T> {
    /// The pattern.
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<S: OpDefinition + 'static, T: OpDefinition + 'static> ConversionPattern for OneToOne<S, T> {
    const NAME: &'static str = S::NAME;
    const ROOT: Option<&'static str> = Some(S::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let attrs = llvm_attrs::<T>(rw.op(op));
        replace_elementwise(op, operands, rw, &|b, operands, ty| {
            let state = OpState::of::<T>(b.loc).operands(operands.iter().copied()).results([ty]);
            b.create_value(state.attrs(attrs.iter().copied()))
        })
    }
}

/// The attributes of `op` for the `llvm` operation `T`: flags become those of `llvm`, what is not inherent stays.
pub(crate) fn llvm_attrs<T: OpDefinition>(op: OpRef<'_>) -> Attrs {
    let cx = op.cx();
    let known = |name: &str| T::DEF.attrs.iter().any(|attr| attr.name == name);
    let mut attrs: Attrs = op.discardable_attrs().map(|(name, attr)| (name, attr.id())).collect();
    let mut set = |name: &str, value: Option<Attr>| {
        if known(name) {
            attrs.extend(value.map(|value| (cx.ident(name), value)));
        }
    };
    set("fastmathFlags", op.attr("fastmath").and_then(fastmath));
    let overflow = op.attr("overflowFlags").and_then(AttrRef::enum_value);
    set("overflowFlags", overflow.map(|flags| cx.i32_attr(flags as i32)));
    set("isExact", op.attr("isExact").map(|attr| attr.id()));
    set("nonNeg", op.attr("nonNeg").map(|attr| attr.id()));
    attrs
}

/// `#arith.fastmath<...>` as `#llvm.fastmath<...>`.
fn fastmath(attr: AttrRef<'_>) -> Option<Attr> {
    use dl_arith::FastMathFlags as From;
    use dl_llvm::FastmathFlags as To;
    const SAME: [(From, To); 7] = [
        (From::REASSOC, To::REASSOC),
        (From::NNAN, To::NNAN),
        (From::NINF, To::NINF),
        (From::NSZ, To::NSZ),
        (From::ARCP, To::ARCP),
        (From::CONTRACT, To::CONTRACT),
        (From::AFN, To::AFN),
    ];
    let from = From::from_attr(attr)?;
    let to = SAME.iter().filter(|(flag, _)| from.contains(*flag)).fold(To::NONE, |all, (_, flag)| all.union(*flag));
    let cx = attr.cx();
    Some(cx.dialect_attr("llvm.fastmath", &[cx.i64_attr(to.0 as i64)]))
}

/// Makes the result of an elementwise operation on scalars or vectors of one dimension, of the given type.
pub(crate) type MakeValue<'a> = &'a dyn Fn(&mut Build<'_, '_>, &[ValueId], Type) -> ValueId;

/// Replaces an elementwise operation with one result by what `make` makes: once, or for each of the vectors that arrays hold.
pub(crate) fn replace_elementwise(
    op: OpId,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
    make: MakeValue<'_>,
) -> Rewrite {
    let view = rw.op(op);
    if view.num_results() != 1 {
        return Err(NoMatch("not one result"));
    }
    check_floats(view)?;
    let (ty, loc) = (view.result(0).ty().id(), view.loc());
    let ty = rw.convert_type(ty)?;
    let operands = operands.all();
    if !dl_llvm::types::is_compatible(rw.cx().ty(ty)) {
        return Err(NoMatch("the result has no type in LLVM"));
    }
    let value = elementwise(&mut Build::new(rw, loc), &operands, ty, make);
    rw.replace(op, &[value]);
    Ok(())
}

/// Whether LLVM knows the float types of `op`: those that it does not know become integers, which it cannot compute with. What only moves bits
/// may have them.
pub(crate) fn check_floats(op: OpRef<'_>) -> Rewrite {
    let unknown = |value: dl_ir::ValueRef<'_>| {
        let element = value.ty().element_or_self();
        element.is_float() && !dl_llvm::types::is_float(element)
    };
    let only_moves = matches!(op.name(), "arith.select" | "arith.bitcast");
    if !only_moves && op.operands().iter().chain(op.results().iter()).any(unknown) {
        return Err(NoMatch("LLVM has no such floats"));
    }
    Ok(())
}

/// The value that `make` makes, for each of the vectors that arrays hold.
pub(crate) fn elementwise(b: &mut Build<'_, '_>, operands: &[ValueId], ty: Type, make: MakeValue<'_>) -> ValueId {
    let mut shape: SmallVec<[u64; 4]> = SmallVec::new();
    let mut inner = ty;
    while let Some((element, count)) = array_parts(b.cx().ty(inner)) {
        shape.push(count);
        inner = element;
    }
    if shape.is_empty() {
        return make(b, operands, ty);
    }
    let mut result = b.poison(ty);
    let mut position: SmallVec<[i64; 4]> = smallvec::smallvec![0; shape.len()];
    if shape.contains(&0) {
        return result;
    }
    loop {
        let parts: SmallVec<[ValueId; 4]> = operands
            .iter()
            .map(|&operand| {
                let is_array = array_parts(b.value_type(operand)).is_some();
                if is_array { b.extract(operand, &position) } else { operand }
            })
            .collect();
        let part = make(b, &parts, inner);
        result = b.insert(result, part, &position);
        if !advance(&mut position, &shape) {
            return result;
        }
    }
}

/// The next position in row-major order; false after the last.
fn advance(position: &mut [i64], shape: &[u64]) -> bool {
    for (at, &extent) in position.iter_mut().zip(shape).rev() {
        *at += 1;
        if at.unsigned_abs() < extent {
            return true;
        }
        *at = 0;
    }
    false
}
