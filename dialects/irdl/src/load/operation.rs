//! What an operation has to satisfy.

use std::borrow::Cow;
use std::sync::Arc;

use dl_ir::constraints::ANY_TYPE;
use dl_ir::opdef::{Arity, BlockCount, Effects, Format, OpDef, RegionDef, ValueDef};
use dl_ir::{Attr, AttrData, Context, Diagnostic, OpRef, Type, ValueRef};

use super::constraint::{Assignment, Variables};
use crate::Variadicity;

/// The definition of an operation that was loaded.
pub(super) trait Definition: Send + Sync {
    /// Whether `op` is as the definition says.
    fn check(&self, op: OpRef<'_>) -> Result<(), Diagnostic>;
}

/// An operation: the constraints on its parts, in order.
#[derive(Clone)]
pub(super) struct OperationDefinition {
    pub(super) name: String,
    pub(super) operands: Vec<Value>,
    pub(super) results: Vec<Value>,
    /// Name and constraint.
    pub(super) attrs: Vec<(String, usize)>,
    pub(super) regions: Vec<Region>,
    pub(super) variables: Arc<Variables>,
}

/// An operand or result.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) count: Variadicity,
    pub(super) constraint: usize,
}

/// A region.
#[derive(Clone)]
pub(super) struct Region {
    /// The constraints on the arguments of its first block, if there are to be so many.
    pub(super) args: Option<Vec<usize>>,
    pub(super) blocks: Option<usize>,
}

/// Operands or results, as messages call them.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    segments: &'static str,
}

const OPERAND: Kind = Kind { name: "operand", segments: "operandSegmentSizes" };
const RESULT: Kind = Kind { name: "result", segments: "resultSegmentSizes" };

impl OperationDefinition {
    /// What the core knows of it: that there are operands, results and regions. The rest is for [`Definition::check`].
    pub(super) fn shape(&self) -> Cow<'static, OpDef> {
        let many = |values: &[Value], name: &'static str| {
            let constraint = Cow::Borrowed(&ANY_TYPE);
            let all =
                ValueDef { name: Cow::Borrowed(name), arity: Arity::Variadic, constraint, effects: Effects::NONE };
            Cow::Owned(if values.is_empty() { Vec::new() } else { vec![all] })
        };
        let regions = RegionDef { name: Cow::Borrowed("regions"), blocks: BlockCount::Any, variadic: true };
        Cow::Owned(OpDef {
            name: Cow::Owned(self.name.clone()),
            summary: Cow::Borrowed(""),
            operands: many(&self.operands, "operands"),
            results: many(&self.results, "results"),
            attrs: Cow::Borrowed(&[]),
            regions: Cow::Owned(vec![regions]),
            successors: Cow::Borrowed(&[]),
            traits: Cow::Borrowed(&[]),
            format: Format::Generic,
        })
    }
}

impl Definition for OperationDefinition {
    fn check(&self, op: OpRef<'_>) -> Result<(), Diagnostic> {
        let cx = op.cx();
        let error = |message: String| Diagnostic::error(op.loc(), message);
        let mut assignment = self.variables.unassigned();
        for (name, constraint) in &self.attrs {
            let Some(attr) = op.attr(name) else {
                return Err(error(format!("attribute \"{name}\" is expected but not provided")));
            };
            assignment.check(cx, attr.id(), *constraint).map_err(error)?;
        }
        let operands = segments(op, &self.operands, op.num_operands(), OPERAND)?;
        let results = segments(op, &self.results, op.num_results(), RESULT)?;
        if op.num_regions() != self.regions.len() {
            let (expected, found) = (self.regions.len(), op.num_regions());
            return Err(op.error(format_args!("unexpected number of regions: expected {expected} but got {found}")));
        }
        check_values(cx, &mut assignment, &self.operands, &operands, op.operands().iter()).map_err(error)?;
        check_values(cx, &mut assignment, &self.results, &results, op.results().iter()).map_err(error)?;
        self.check_regions(op, &mut assignment)
    }
}

impl OperationDefinition {
    fn check_regions(&self, op: OpRef<'_>, assignment: &mut Assignment) -> Result<(), Diagnostic> {
        for (i, (region, expected)) in op.regions().zip(&self.regions).enumerate() {
            let args: Vec<ValueRef<'_>> = region.entry().into_iter().flat_map(|entry| entry.args()).collect();
            if let Some(expected) = &expected.args {
                if args.len() != expected.len() {
                    let (n, found) = (expected.len(), args.len());
                    let message = format!("expected region {i} to have {n} arguments but got {found}");
                    return Err(match args.first() {
                        Some(arg) => Diagnostic::error(arg.loc(), message).note(op.loc(), "see the operation"),
                        None => Diagnostic::error(op.loc(), message),
                    });
                }
                for (arg, &constraint) in args.iter().zip(expected) {
                    let checked = assignment.check(op.cx(), type_attr(op.cx(), arg.ty().id()), constraint);
                    checked.map_err(|why| Diagnostic::error(arg.loc(), why).note(op.loc(), "see the operation"))?;
                }
            }
            if let Some(n) = expected.blocks {
                let found = region.blocks().count();
                if found != n {
                    let message = format!("expected region {i} to have {n} block(s) but got {found}");
                    return Err(Diagnostic::error(op.loc(), message));
                }
            }
        }
        Ok(())
    }
}

/// How many values each of `values` stands for, of `given` in all.
fn segments(op: OpRef<'_>, values: &[Value], given: usize, kind: Kind) -> Result<Vec<usize>, Diagnostic> {
    let Kind { name, segments } = kind;
    let several = |value: &&Value| value.count != Variadicity::Single;
    let of_any_size: Vec<&Value> = values.iter().filter(several).collect();
    let n = values.len();
    match of_any_size[..] {
        [] if given == n => Ok(vec![1; n]),
        [] => Err(op.error(format_args!("expects exactly {n} {name}s, but got {given}"))),
        [only] => {
            let Some(rest) = given.checked_sub(n - 1) else {
                return Err(op.error(format_args!("expects at least {} {name}s, but got {given}", n - 1)));
            };
            if only.count == Variadicity::Optional && rest > 1 {
                return Err(op.error(format_args!("expects at most {n} {name}s, but got {given}")));
            }
            Ok(values.iter().map(|value| if several(&value) { rest } else { 1 }).collect())
        }
        _ => {
            let error = |message: String| Err(Diagnostic::error(op.loc(), message));
            let Some(sizes) = op.attr(segments) else {
                return error(format!("'{segments}' attribute is expected but not provided"));
            };
            let is_list = matches!(sizes.data(), AttrData::DenseArray { element, .. }
                if op.cx().ty(*element).is_signless_integer_of(32));
            if !is_list {
                return error(format!("'{segments}' attribute is expected to be a dense i32 array"));
            }
            let sizes: Vec<i64> = sizes.dense_ints().collect();
            let found = sizes.len();
            if found != n {
                return error(format!(
                    "'{segments}' attribute for specifying {name} segments must have {n} elements, but got {found}"
                ));
            }
            for (i, (value, &size)) in values.iter().zip(&sizes).enumerate() {
                let of = format!("element {i} in '{segments}' attribute must be equal to");
                match value.count {
                    _ if size < 0 => {
                        return error(format!(
                            "'{segments}' attribute for specifying {name} segments must have non-negative values"
                        ));
                    }
                    Variadicity::Single if size != 1 => return error(format!("{of} 1")),
                    Variadicity::Optional if size > 1 => return error(format!("{of} 0 or 1")),
                    _ => {}
                }
            }
            if sizes.iter().try_fold(0_i64, |sum, &size| sum.checked_add(size)) != Some(given as i64) {
                return error(format!(
                    "sum of elements in '{segments}' attribute must be equal to the number of {name}s"
                ));
            }
            Ok(sizes.into_iter().map(|size| size as usize).collect())
        }
    }
}

/// The types of values, `sizes` of them for each of `expected`.
fn check_values<'a>(
    cx: &Context,
    assignment: &mut Assignment,
    expected: &[Value],
    sizes: &[usize],
    mut values: impl Iterator<Item = ValueRef<'a>>,
) -> Result<(), String> {
    for (value, &size) in expected.iter().zip(sizes) {
        for each in values.by_ref().take(size) {
            assignment.check(cx, type_attr(cx, each.ty().id()), value.constraint)?;
        }
    }
    Ok(())
}

fn type_attr(cx: &Context, ty: Type) -> Attr {
    cx.intern_attr(AttrData::Type(ty))
}
