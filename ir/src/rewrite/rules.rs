//! The [`rewrite!`](crate::rewrite!) macro: patterns written as what is found and what takes its place.

use smallvec::SmallVec;

use super::pattern::NoMatch;
use crate::entity::ValueId;

/// Defines patterns, each by the operations that it looks for and those that it makes of them.
///
/// ```
/// use dl_ir::builtin::ANY_TYPE;
/// use dl_ir::rewrite::{NoMatch, Patterns};
///
/// dl_ir::op! {
///     /// The opposite of a number.
///     NegOp = "toy.neg" {
///         operands: [x: Single(ANY_TYPE)],
///         results: [result: Single(ANY_TYPE)],
///         traits: [Pure, SameOperandsAndResultType],
///     }
///     /// The sum of two numbers.
///     AddOp = "toy.add" {
///         operands: [x: Single(ANY_TYPE), y: Single(ANY_TYPE)],
///         results: [result: Single(ANY_TYPE)],
///         traits: [Pure, SameOperandsAndResultType],
///     }
///     /// A number times a constant.
///     ScaleOp = "toy.scale" {
///         operands: [x: Single(ANY_TYPE)],
///         attrs: [by "by": Required(dl_ir::constraints::I64_ATTR)],
///         results: [result: Single(ANY_TYPE)],
///         traits: [Pure, SameOperandsAndResultType],
///     }
/// }
///
/// dl_ir::rewrite! {
///     /// `-(-x)` becomes `x`.
///     NegOfNeg = "toy-neg-of-neg": NegOp(NegOp(x)) => x;
///
///     /// `-x + -y` becomes `-(x + y)`.
///     AddOfNegs = "toy-add-of-negs": AddOp(NegOp(x), NegOp(y)) => NegOp(AddOp(x, y));
///
///     /// `scale(scale(x, a), b)` becomes `scale(x, a * b)`, where that does not overflow.
///     ScaleOfScale = "toy-scale-of-scale": ScaleOp[by = b](ScaleOp[by = a](x)) where |cx| {
///         let product = a.as_int().zip(b.as_int()).and_then(|(a, b)| a.checked_mul(b));
///         let by = cx.i64_attr(product.ok_or(NoMatch("the product overflows"))?);
///     } => ScaleOp[by = by](x);
/// }
///
/// Patterns::new().add(NegOfNeg).add(AddOfNegs).add(ScaleOfScale);
/// ```
///
/// * On the left, `Op(...)` is an operation that defines one value, with all of its operands in order: a name, which stands for the value; `_`; or the
///   operation that defines it. A name that is used again stands for the same value. `Op[attr = name](...)` asks for an attribute.
/// * `where |cx| { ... }` holds statements that run when all of that has been found: with `cx` the context, values as
///   [`ValueId`]s and attributes as [`AttrRef`](crate::AttrRef)s. They may leave with a [`NoMatch`] and define attributes for the right side.
/// * On the right is a value from the left, or operations to make. The outermost one has the result types of what it takes the place of; the types of
///   the others follow from their definitions.
///
/// `rewrite!` is for patterns that need no more than that. A [`Pattern`](crate::rewrite::Pattern) can do anything.
#[macro_export]
macro_rules! rewrite {
    // One pattern after the other.
    ($(
        $(#[doc = $doc:literal])*
        $name:ident = $text:literal: $root:ident $([$($attrs:tt)*])? ($($operands:tt)*)
            $(where |$cx:ident| { $($statements:tt)* })?
            => $target:ident $([$($new_attrs:tt)*])? $(($($new_operands:tt)*))?;
    )*) => {$(
        $(#[doc = $doc])*
        pub(crate) struct $name;

        impl $crate::rewrite::Pattern for $name {
            const NAME: &'static str = $text;
            const ROOT: Option<&'static str> = Some(<$root<'_> as $crate::OpDefinition>::NAME);

            #[allow(unused_variables, reason = "a name may stand for what is of no interest")]
            fn rewrite(&self, op: $crate::OpId, rw: &mut $crate::Rewriter<'_>) -> $crate::rewrite::Rewrite {
                let mut found = $crate::rewrite::Found::default();
                $crate::rewrite!(@source rw, found, op; $root [$($($attrs)*)?] ($($operands)*));
                $(let $cx = rw.cx(); $($statements)*)?
                let loc = rw.op(op).loc();
                rw.set_insertion_before(op);
                $crate::rewrite!(@root rw, loc, op; $target $([$($new_attrs)*])? $(($($new_operands)*))?);
                Ok(())
            }
        }
    )*};

    // What is looked for: an operation, which is there, and is such a one.
    (@source $rw:ident, $found:ident, $op:ident; $view:ident [$($attr:ident = $var:ident),* $(,)?] ($($operands:tt)*)) => {
        if !$rw.op($op).is::<$view<'_>>() || $rw.op($op).num_results() != 1 {
            return Err($crate::rewrite::NoMatch(concat!("not a ", stringify!($view))));
        }
        $(let $var = match $rw.op($op).attr(stringify!($attr)) {
            Some(attr) => $rw.cx().attr(attr.id()),
            None => return Err($crate::rewrite::NoMatch(concat!("no attribute ", stringify!($attr)))),
        };)*
        $crate::rewrite!(@operands $rw, $found, $op, 0_usize; $($operands)*);
    };

    // Its operands, one after the other.
    (@operands $rw:ident, $found:ident, $op:ident, $at:expr;) => {
        if $rw.op($op).num_operands() != $at {
            return Err($crate::rewrite::NoMatch("another number of operands"));
        }
    };
    (@operands $rw:ident, $found:ident, $op:ident, $at:expr; $view:ident [$($attrs:tt)*] ($($inner:tt)*) $(, $($rest:tt)*)?) => {
        let inner = match $rw.op($op).operands().get($at).and_then(|value| value.defining_op()) {
            Some(inner) => inner.id(),
            None => return Err($crate::rewrite::NoMatch(concat!("the operand is not defined by a ", stringify!($view)))),
        };
        $crate::rewrite!(@source $rw, $found, inner; $view [$($attrs)*] ($($inner)*));
        $crate::rewrite!(@operands $rw, $found, $op, $at + 1; $($($rest)*)?);
    };
    (@operands $rw:ident, $found:ident, $op:ident, $at:expr; $view:ident ($($inner:tt)*) $(, $($rest:tt)*)?) => {
        $crate::rewrite!(@operands $rw, $found, $op, $at; $view [] ($($inner)*) $(, $($rest)*)?);
    };
    (@operands $rw:ident, $found:ident, $op:ident, $at:expr; _ $(, $($rest:tt)*)?) => {
        $crate::rewrite!(@operands $rw, $found, $op, $at + 1; $($($rest)*)?);
    };
    (@operands $rw:ident, $found:ident, $op:ident, $at:expr; $value:ident $(, $($rest:tt)*)?) => {
        let operand = $rw.op($op).operands().get($at).map(|value| value.id());
        let $value = $found.value(stringify!($value), operand)?;
        $crate::rewrite!(@operands $rw, $found, $op, $at + 1; $($($rest)*)?);
    };

    // What takes its place.
    (@root $rw:ident, $loc:ident, $op:ident; $value:ident) => {
        $rw.replace($op, &[$value])
    };
    (@root $rw:ident, $loc:ident, $op:ident; $view:ident $([$($attr:ident = $new:expr),* $(,)?])? ($($operands:tt)*)) => {{
        let operands: &[$crate::ValueId] = &$crate::rewrite!(@values $rw, $loc; [] $($operands)*);
        let types = $rw.op($op).results().types();
        let state = $crate::OpState::of::<$view<'_>>($loc).operands(operands.iter().copied()).results(types);
        $($(let state = state.attr($rw.cx(), stringify!($attr), $new);)*)?
        $rw.replace_with($op, state);
    }};

    // Values to make, as a list.
    (@values $rw:ident, $loc:ident; [$($done:expr,)*]) => { [$($done,)*] };
    (@values $rw:ident, $loc:ident; [$($done:expr,)*] $view:ident $([$($attr:ident = $new:expr),* $(,)?])? ($($operands:tt)*) $(, $($rest:tt)*)?) => {
        $crate::rewrite!(@values $rw, $loc; [$($done,)* {
            let operands: &[$crate::ValueId] = &$crate::rewrite!(@values $rw, $loc; [] $($operands)*);
            let state = $crate::OpState::of::<$view<'_>>($loc).operands(operands.iter().copied());
            $($(let state = state.attr($rw.cx(), stringify!($attr), $new);)*)?
            $rw.create_value(state)
        },] $($($rest)*)?)
    };
    (@values $rw:ident, $loc:ident; [$($done:expr,)*] $value:ident $(, $($rest:tt)*)?) => {
        $crate::rewrite!(@values $rw, $loc; [$($done,)* $value,] $($($rest)*)?)
    };
}

/// What the names on the left side of a [`rewrite!`](crate::rewrite!) stand for.
#[doc(hidden)]
#[derive(Default)]
pub struct Found(SmallVec<[(&'static str, ValueId); 4]>);

impl Found {
    /// The value that `name` stands for: this one.
    ///
    /// # Errors
    /// That there is no such value, or that the name stands for another one.
    pub fn value(&mut self, name: &'static str, value: Option<ValueId>) -> Result<ValueId, NoMatch> {
        let value = value.ok_or(NoMatch("another number of operands"))?;
        match self.0.iter().find(|(known, _)| *known == name) {
            Some((_, known)) if *known != value => Err(NoMatch("two values that must be one")),
            Some(_) => Ok(value),
            None => {
                self.0.push((name, value));
                Ok(value)
            }
        }
    }
}
