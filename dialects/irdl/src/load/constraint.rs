//! Constraints on types and attributes, compiled.
//!
//! Each SSA value of a definition is a variable: it stands for one attribute wherever it is used, the first that it was checked against.

use std::sync::Arc;

use dl_ir::{Attr, AttrData, Context, TypeData};

use super::base;

/// Steps that one check may take. A definition of reasonable size needs a few; alternatives of alternatives could take for ever.
const FUEL: u32 = 1 << 20;

/// What holds of a variable.
#[derive(Debug)]
pub(super) enum Constraint {
    /// Nothing.
    Any,
    /// It is this attribute.
    Is(Attr),
    /// One of these variables could stand for it.
    AnyOf(Vec<usize>),
    /// Each of these variables could stand for it.
    AllOf(Vec<usize>),
    /// It is of the definition of this name.
    Base(Base),
    /// The same, and its parameters satisfy these.
    Parametric(Base, Vec<usize>),
}

/// The definition of a type or an attribute.
#[derive(Clone, Debug)]
pub(super) struct Base {
    /// `dialect.mnemonic`.
    pub(super) name: String,
    pub(super) is_type: bool,
}

/// The variables of a definition. A constraint refers to variables before it.
#[derive(Default, Debug)]
pub(super) struct Variables {
    pub(super) list: Vec<Constraint>,
}

impl Variables {
    /// Nothing known of any.
    pub(super) fn unassigned(self: &Arc<Self>) -> Assignment {
        Assignment { variables: self.clone(), values: vec![None; self.list.len()], assigned: Vec::new(), fuel: FUEL }
    }
}

/// What the variables of a definition stand for, as far as that is known.
pub(super) struct Assignment {
    variables: Arc<Variables>,
    values: Vec<Option<Attr>>,
    /// Variables in the order in which they were assigned.
    assigned: Vec<usize>,
    fuel: u32,
}

impl Assignment {
    /// Has `variable` stand for `attr`.
    ///
    /// # Errors
    /// Why it cannot.
    pub(super) fn check(&mut self, cx: &Context, attr: Attr, variable: usize) -> Result<(), String> {
        if let Some(value) = self.values[variable] {
            return if value == attr { Ok(()) } else { Err(expected(cx, value, attr)) };
        }
        let Some(fuel) = self.fuel.checked_sub(1) else {
            return Err("unsupported: a constraint with so many alternatives".to_owned());
        };
        self.fuel = fuel;
        // As deep as the definition nests constraints.
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.check_constraint(cx, attr, variable))?;
        self.values[variable] = Some(attr);
        self.assigned.push(variable);
        Ok(())
    }

    fn check_constraint(&mut self, cx: &Context, attr: Attr, variable: usize) -> Result<(), String> {
        let variables = self.variables.clone();
        match &variables.list[variable] {
            Constraint::Any => Ok(()),
            Constraint::Is(value) if *value == attr => Ok(()),
            Constraint::Is(value) => Err(expected(cx, *value, attr)),
            Constraint::AllOf(all) => all.iter().try_for_each(|&each| self.check(cx, attr, each)),
            Constraint::AnyOf(any) => {
                for &each in any {
                    let known = self.assigned.len();
                    if self.check(cx, attr, each).is_ok() {
                        return Ok(());
                    }
                    self.forget(known);
                }
                Err(format!("'{}' does not satisfy the constraint", cx.attr(attr)))
            }
            Constraint::Base(base) => {
                let found = base.found(cx, attr)?;
                let kind = if base.is_type { "type" } else { "attribute" };
                if found == base.name {
                    return Ok(());
                }
                Err(format!("expected base {kind} '{}' but got '{found}'", base.name))
            }
            Constraint::Parametric(base, params) => {
                let found = base.found(cx, attr)?;
                if found != base.name {
                    let kind = if base.is_type { "type" } else { "attribute" };
                    return Err(format!("expected base {kind} '{}' but got '{}'", base.name, cx.attr(attr)));
                }
                let given = base.params(cx, attr);
                if given.len() != params.len() {
                    let kind = if base.is_type { "type" } else { "attribute" };
                    return Err(format!("expected {} parameters of the {kind}, but got {}", params.len(), given.len()));
                }
                given.iter().zip(params).try_for_each(|(&param, &of)| self.check(cx, param, of))
            }
        }
    }

    /// Takes back what was assigned after the first `known`.
    fn forget(&mut self, known: usize) {
        for variable in self.assigned.drain(known..) {
            self.values[variable] = None;
        }
    }
}

fn expected(cx: &Context, value: Attr, found: Attr) -> String {
    format!("expected '{}' but got '{}'", cx.attr(value), cx.attr(found))
}

impl Base {
    /// The name of the definition of `attr`, or of the type that it holds.
    fn found(&self, cx: &Context, attr: Attr) -> Result<String, String> {
        if !self.is_type {
            return Ok(base::name_of_attr(cx, attr));
        }
        match cx.attr_data(attr) {
            AttrData::Type(ty) => Ok(base::name_of_type(cx, *ty)),
            _ => Err(format!("expected type, got attribute '{}'", cx.attr(attr))),
        }
    }

    /// The parameters of `attr`, or of the type that it holds, which is of a dialect.
    fn params(&self, cx: &Context, attr: Attr) -> Vec<Attr> {
        let params = match cx.attr_data(attr) {
            AttrData::Dialect { params, .. } => params,
            AttrData::Type(ty) => match cx.type_data(*ty) {
                TypeData::Dialect { params, .. } => params,
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        parameters(cx, params)
    }
}

/// The parameters of a type or attribute that was defined here: all are in one array.
pub(super) fn parameters(cx: &Context, params: &[Attr]) -> Vec<Attr> {
    let list = params.first().map(|&list| cx.attr(list));
    list.into_iter().filter(|list| list.is_array()).flat_map(|list| list.elements()).map(|each| each.id()).collect()
}
