//! Patterns in this dialect, made applicable: matched and applied as they are, without compiling anything.
//!
//! A pattern becomes a list of `Node`s, one for each value of it, and a list of `Step`s, one for each operation of its rewrite. A match
//! begins at the root and follows operands to what defines them; every node is bound once, so that nothing is ever tried twice: matching
//! costs O(nodes of the pattern).

mod compile;
mod matching;
mod rewriting;

use dl_ir::rewrite::{NoMatch, Patterns};
use dl_ir::{Attr, Context, Diagnostics, OpId, OpRef, Type, ValueId, walk};

use crate::PatternOp;

/// The number of a value of a pattern.
type Index = usize;

/// What a value of a pattern stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Bound {
    Op(OpId),
    Value(ValueId),
    Values(Vec<ValueId>),
    Attr(Attr),
    Type(Type),
    Types(Vec<Type>),
}

/// What a value of a pattern may stand for.
#[derive(Debug)]
enum Node {
    Attribute {
        ty: Option<Index>,
        value: Option<Attr>,
    },
    Operand {
        ty: Option<Index>,
    },
    Operands {
        types: Option<Index>,
    },
    Operation(Operation),
    Result {
        op: Index,
        index: usize,
    },
    /// All results, or those of a group of the definition.
    Results {
        op: Index,
        group: Option<usize>,
    },
    Type(Option<Type>),
    Types(Option<Vec<Type>>),
}

/// An operation to find or to make.
#[derive(Debug)]
struct Operation {
    name: Option<String>,
    /// Values and ranges of values; `true` for a range.
    operands: Vec<(Index, bool)>,
    attrs: Vec<(String, Index)>,
    /// Types and ranges of types; `true` for a range.
    types: Vec<(Index, bool)>,
}

/// A step of a rewrite.
#[derive(Debug)]
enum Step {
    /// Makes an operation; its types are those of this one that it replaces, where it says none.
    Create(Index, Operation, Option<Index>),
    Result {
        to: Index,
        op: Index,
        index: usize,
    },
    Results {
        to: Index,
        op: Index,
        group: Option<usize>,
    },
    Range {
        to: Index,
        parts: Vec<Index>,
        of_types: bool,
    },
    Constant(Index, Bound),
    ReplaceWithOp(Index, Index),
    ReplaceWithValues(Index, Vec<Index>),
    Erase(Index),
}

/// A pattern, ready to be applied.
#[derive(Debug)]
struct Rule {
    name: String,
    benefit: u16,
    /// By the numbers of the values of the pattern; those of the rewrite have none.
    nodes: Vec<Option<Node>>,
    root: Index,
    root_name: Option<String>,
    steps: Vec<Step>,
}

/// Adds the patterns that `module`, verified IR of this dialect, has.
///
/// Names of patterns live as long as the process: they are told in logs after everything else is gone.
///
/// # Errors
/// Patterns that cannot be applied here, and why.
pub fn add_patterns(cx: &Context, module: OpRef<'_>, patterns: &mut Patterns) -> Result<(), Diagnostics> {
    let mut errors = Diagnostics::default();
    for (i, pattern) in walk::pre_order(module).filter_map(OpRef::cast::<PatternOp<'_>>).enumerate() {
        match compile::rule(cx, pattern, i) {
            Ok(rule) => add(rule, patterns),
            Err(error) => errors.push(error),
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(()) }
}

fn add(rule: Rule, patterns: &mut Patterns) {
    let name: &'static str = rule.name.clone().leak();
    let root: Option<&'static str> = rule.root_name.clone().map(|name| &*name.leak());
    patterns.add_dynamic(name, root, rule.benefit, move |op, rw| {
        let mut known = matching::matched(&rule, rw.op(op)).ok_or(NoMatch("the pattern does not match"))?;
        rewriting::apply(&rule, &mut known, rw)
    });
}

impl Operation {
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}
