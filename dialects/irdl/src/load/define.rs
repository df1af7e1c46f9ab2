//! From operations of this dialect to definitions.

use std::borrow::Cow;
use std::sync::Arc;

use dl_ir::opdef::{Format, name_hash};
use dl_ir::typedef::{AttrDefinition, ParamDef, ParamKind, TypeDefinition};
use dl_ir::{AttrData, AttrRef, Diagnostic, Diagnostics, OpRef, OpView, Operands, ValueId};
use rustc_hash::FxHashMap;

use super::constraint::{Base, Constraint, Variables};
use super::operation::{OperationDefinition, Region, Value};
use super::{DefinedDialect, Parametric, base, unsupported};
use crate::{
    AllOfOp, AnyOfOp, AnyOp, AttributeOp, AttributesOp, BaseOp, CPredOp, DialectOp, IsOp, OperandsOp, OperationOp,
    ParametersOp, ParametricOp, RegionOp, RegionsOp, ResultsOp, TypeOp, Variadicity,
};

/// For the types and attributes that are defined, `dialect.mnemonic`, whether they are types.
pub(super) struct Kinds(FxHashMap<String, bool>);

impl Kinds {
    pub(super) fn of(dialects: &[DialectOp<'_>]) -> Self {
        let mut kinds = FxHashMap::default();
        for dialect in dialects {
            for op in dialect.op().region(0).ops() {
                if op.is::<TypeOp<'_>>() || op.is::<AttributeOp<'_>>() {
                    kinds.insert(full_name(*dialect, op), op.is::<TypeOp<'_>>());
                }
            }
        }
        Self(kinds)
    }
}

fn full_name(dialect: DialectOp<'_>, op: OpRef<'_>) -> String {
    let name = |op: OpRef<'_>| op.symbol_name().unwrap_or_default().to_owned();
    format!("{}.{}", name(dialect.op()), name(op))
}

/// The names of the operations that have been defined, by their hashes, which must tell them apart.
#[derive(Default)]
pub(super) struct Names(FxHashMap<u64, String>);

impl Names {
    /// Adds the name that `op` gives an operation.
    fn add(&mut self, op: OpRef<'_>, name: &str) -> Result<(), Diagnostic> {
        let cx = op.cx();
        let hash = name_hash(name);
        let other = cx.op_name_by_hash(hash).map(|known| cx.op_info(known).name.to_string());
        match other.or_else(|| self.0.insert(hash, name.to_owned())) {
            Some(other) if other != name => {
                Err(unsupported(op, &format!("the name '{name}' beside '{other}', which has the same hash")))
            }
            _ => Ok(()),
        }
    }
}

/// A dialect.
pub(super) fn dialect(dialect: DialectOp<'_>, kinds: &Kinds, names: &mut Names) -> Result<DefinedDialect, Diagnostics> {
    let namespace = dialect.op().symbol_name().unwrap_or_default().to_owned();
    let mut defined = DefinedDialect { namespace, ops: Vec::new(), types: Vec::new(), attrs: Vec::new() };
    let mut errors = Diagnostics::default();
    for op in dialect.op().region(0).ops() {
        let name = full_name(dialect, op);
        let added = if op.is::<OperationOp<'_>>() {
            names
                .add(op, &name)
                .map_err(Diagnostics::from)
                .and_then(|()| operation(op, name, kinds))
                .map(|op| defined.ops.push(op))
        } else if op.is::<TypeOp<'_>>() {
            parametric(op, name, kinds).map(|ty| defined.types.push(ty))
        } else if op.is::<AttributeOp<'_>>() {
            parametric(op, name, kinds).map(|attr| defined.attrs.push(attr))
        } else {
            Err(unsupported(op, "an operation that defines nothing").into())
        };
        if let Err(all) = added {
            errors.append(all);
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(defined) }
}

/// The body of a definition while it is read: the variables, and which values they are.
#[derive(Default)]
struct Body {
    variables: Variables,
    numbers: FxHashMap<ValueId, usize>,
    regions: FxHashMap<ValueId, Region>,
}

impl Body {
    /// The variables of `values`.
    fn numbers(&self, values: Operands<'_>) -> Vec<usize> {
        // Verified: each is the result of a constraint that stands before.
        values.iter().filter_map(|value| self.numbers.get(&value.id()).copied()).collect()
    }

    fn values(&self, values: Operands<'_>, counts: AttrRef<'_>) -> Vec<Value> {
        let count = |count: u64| match count {
            count if count == Variadicity::Optional.value() => Variadicity::Optional,
            count if count == Variadicity::Variadic.value() => Variadicity::Variadic,
            _ => Variadicity::Single,
        };
        let values = self.numbers(values).into_iter().zip(crate::variadicities(counts).map(count));
        values.map(|(constraint, count)| Value { count, constraint }).collect()
    }

    /// Reads an operation that makes a constraint.
    fn constraint(&mut self, op: OpRef<'_>, kinds: &Kinds) -> Result<(), Diagnostic> {
        let constraint = if op.is::<AnyOp<'_>>() {
            Constraint::Any
        } else if let Some(is) = op.cast::<IsOp<'_>>() {
            Constraint::Is(is.expected().id())
        } else if let Some(any) = op.cast::<AnyOfOp<'_>>() {
            Constraint::AnyOf(self.numbers(any.args()))
        } else if let Some(all) = op.cast::<AllOfOp<'_>>() {
            Constraint::AllOf(self.numbers(all.args()))
        } else if let Some(base) = op.cast::<BaseOp<'_>>() {
            Constraint::Base(base_of(base, kinds)?)
        } else if let Some(parametric) = op.cast::<ParametricOp<'_>>() {
            let base = referenced(parametric.base_type(), kinds);
            Constraint::Parametric(base, self.numbers(parametric.args()))
        } else if op.is::<CPredOp<'_>>() {
            return Err(unsupported(op, "a constraint in C++, which only generated code could check"));
        } else {
            return Err(unsupported(op, "an operation that is no constraint"));
        };
        self.numbers.insert(op.result(0).id(), self.variables.list.len());
        self.variables.list.push(constraint);
        Ok(())
    }
}

fn operation(op: OpRef<'_>, name: String, kinds: &Kinds) -> Result<OperationDefinition, Diagnostics> {
    let mut body = Body::default();
    let (mut operands, mut results, mut attrs, mut regions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for child in op.region(0).ops() {
        if let Some(list) = child.cast::<OperandsOp<'_>>() {
            operands = body.values(list.args(), list.variadicity());
        } else if let Some(list) = child.cast::<ResultsOp<'_>>() {
            results = body.values(list.args(), list.variadicity());
        } else if let Some(list) = child.cast::<AttributesOp<'_>>() {
            let names = list.attribute_value_names().elements().filter_map(AttrRef::as_str).map(str::to_owned);
            attrs = names.zip(body.numbers(list.attribute_values())).collect();
        } else if let Some(list) = child.cast::<RegionsOp<'_>>() {
            let known = list.args().iter().filter_map(|value| body.regions.get(&value.id()).cloned());
            regions = known.collect();
        } else if let Some(region) = child.cast::<RegionOp<'_>>() {
            let constrained = region.constrained_arguments().is_some();
            let args = constrained.then(|| body.numbers(region.entry_block_args()));
            let blocks = region.number_of_blocks().and_then(AttrRef::as_int).map(|count| count as usize);
            body.regions.insert(child.result(0).id(), Region { args, blocks });
        } else {
            body.constraint(child, kinds)?;
        }
    }
    Ok(OperationDefinition { name, operands, results, attrs, regions, variables: Arc::new(body.variables) })
}

fn parametric(op: OpRef<'_>, name: String, kinds: &Kinds) -> Result<Parametric, Diagnostics> {
    let mut body = Body::default();
    let mut params = Vec::new();
    for child in op.region(0).ops() {
        match child.cast::<ParametersOp<'_>>() {
            Some(list) => params = body.numbers(list.args()),
            None => body.constraint(child, kinds)?,
        }
    }
    Ok(Parametric { name, params, variables: Arc::new(body.variables) })
}

/// The definition that a symbol names. The verifier has found it.
fn referenced(symbol: AttrRef<'_>, kinds: &Kinds) -> Base {
    let cx = symbol.cx();
    let mut path = Vec::new();
    if let AttrData::SymbolRef { root, nested } = symbol.data() {
        path.push(cx.str(*root));
        path.extend(nested.iter().map(|&part| cx.str(part)));
    }
    let name = path[path.len().saturating_sub(2)..].join(".");
    let is_type = kinds.0.get(&name).copied().unwrap_or(false);
    Base { name, is_type }
}

fn base_of(op: BaseOp<'_>, kinds: &Kinds) -> Result<Base, Diagnostic> {
    if let Some(symbol) = op.base_ref() {
        return Ok(referenced(symbol, kinds));
    }
    let cx = op.op().cx();
    let text = op.base_name().and_then(AttrRef::as_str).unwrap_or_default();
    let (is_type, name) = match text.strip_prefix('!') {
        Some(name) => (true, name),
        None => (false, text.trim_start_matches('#')),
    };
    let known = if is_type { base::is_type(cx, name) } else { base::is_attr(cx, name) };
    if known || kinds.0.get(name) == Some(&is_type) {
        return Ok(Base { name: name.to_owned(), is_type });
    }
    let kind = if is_type { "type" } else { "attribute" };
    Err(Diagnostic::error(op.op().loc(), format!("no registered {kind} with name {text}")))
}

/// All parameters are one: a list of any length, so that it is the definition that says how many there are.
const PARAMETERS: &[ParamDef] = &[ParamDef::optional("parameters", ParamKind::Array(&ParamKind::Attr))];
const FORMAT: &str = "(`<` $parameters^ `>`)?";

pub(super) fn type_definition(name: &str) -> Cow<'static, TypeDefinition> {
    let (name, summary) = (Cow::Owned(name.to_owned()), Cow::Borrowed(""));
    let (params, format) = (Cow::Borrowed(PARAMETERS), Format::Declarative(Cow::Borrowed(FORMAT)));
    Cow::Owned(TypeDefinition { name, summary, params, format })
}

pub(super) fn attr_definition(name: &str) -> Cow<'static, AttrDefinition> {
    let (name, summary) = (Cow::Owned(name.to_owned()), Cow::Borrowed(""));
    let (params, format) = (Cow::Borrowed(PARAMETERS), Format::Declarative(Cow::Borrowed(FORMAT)));
    Cow::Owned(AttrDefinition { name, summary, params, format })
}
