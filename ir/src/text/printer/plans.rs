//! How the operations of a name are printed, found out once a name and text.

use super::buffer::{Buffer, Piece};
use super::options::PrintOptions;
use crate::context::Context;
use crate::dialect::{OpInfo, PrintOp, RegionArgNames, ResultNames};
use crate::entity::{Ident, OpName};
use crate::opdef::Format;
use crate::text::CompiledFormat;

/// What follows the name of an operation.
#[derive(Clone, Copy)]
pub(super) enum Form<'a> {
    /// The generic form, name and all.
    Generic,
    /// What this prints.
    Hook(PrintOp),
    /// What this says.
    Declared(&'a CompiledFormat),
}

/// What printing asks of an operation's name.
pub(super) struct Plan<'a> {
    pub(super) form: Form<'a>,
    /// Its dialect where the name has one dot, so that it may stand without the dialect.
    dialect: Option<Ident>,
    name: &'a str,
    full: Option<Piece>,
    short: Option<Piece>,
    /// The dialect that operations in its regions may leave out.
    pub(super) default_dialect: Option<Ident>,
    pub(super) result_names: Option<ResultNames>,
    pub(super) region_arg_names: Option<RegionArgNames>,
}

impl<'a> Plan<'a> {
    fn new(cx: &'a Context, generic: bool, name: OpName) -> Self {
        let info = cx.op_info(name);
        let form = match (&info.def, info.hooks.print) {
            _ if generic => Form::Generic,
            (Some(_), Some(print)) => Form::Hook(print),
            (Some(def), None) if matches!(def.format, Format::Declarative(_)) => {
                CompiledFormat::of(cx, name).map_or(Form::Generic, Form::Declared)
            }
            _ => Form::Generic,
        };
        let text: &str = &info.name;
        let parts = text.split_once('.').filter(|(dialect, rest)| !dialect.is_empty() && !rest.contains('.'));
        Self {
            form,
            dialect: parts.map(|(dialect, _)| cx.ident(dialect)),
            name: text,
            full: Piece::new(text),
            short: parts.and_then(|(_, rest)| Piece::new(rest)),
            default_dialect: info.hooks.default_dialect.filter(|dialect| !dialect.is_empty()).map(|d| cx.ident(d)),
            result_names: info.hooks.result_names.or_else(|| names_by_definition(info)).filter(|_| !generic),
            region_arg_names: info.hooks.region_arg_names.filter(|_| !generic),
        }
    }

    /// Writes the name, without its dialect if that is `implied`.
    #[inline(always)]
    pub(super) fn write_name(&self, implied: Option<Ident>, out: &mut Buffer) {
        let leave_out = implied.is_some() && self.dialect == implied;
        match if leave_out { &self.short } else { &self.full } {
            Some(piece) => out.push(piece),
            None if leave_out => out.push_str(self.name.split_once('.').map_or(self.name, |(_, rest)| rest)),
            None => out.push_str(self.name),
        }
    }
}

/// The plans of a text.
pub(super) struct Plans<'a> {
    cx: &'a Context,
    pub(super) generic: bool,
    /// Whether values are called as their locations are.
    pub(super) names_from_locations: bool,
    /// Whether operations without results have numbers too, for comments.
    pub(super) value_users: bool,
    table: Vec<Option<Box<Plan<'a>>>>,
}

impl<'a> Plans<'a> {
    pub(super) fn new(cx: &'a Context, options: &PrintOptions) -> Self {
        let &PrintOptions { generic, names_from_locations, value_users, .. } = options;
        Self { cx, generic, names_from_locations, value_users, table: Vec::new() }
    }

    pub(super) fn cx(&self) -> &'a Context {
        self.cx
    }

    /// How operations called `name` are printed.
    #[inline]
    pub(super) fn of(&mut self, name: OpName) -> &Plan<'a> {
        let index = name.index();
        if !matches!(self.table.get(index), Some(Some(_))) {
            self.add(name);
        }
        self.table[index].as_deref().expect("it has just been added")
    }

    #[cold]
    fn add(&mut self, name: OpName) {
        let index = name.index();
        if self.table.len() <= index {
            self.table.resize_with(index + 1, || None);
        }
        self.table[index] = Some(Box::new(Plan::new(self.cx, self.generic, name)));
    }
}

/// Results of several definitions are named as these, where the operation says nothing else of names.
fn names_by_definition(info: &OpInfo) -> Option<ResultNames> {
    let def = info.def.as_deref().filter(|def| def.results.len() > 1)?;
    if def.names_interface("OpAsmOpInterface") {
        return None;
    }
    Some(|op, name| {
        let mut start = 0;
        for (index, result) in op.def().into_iter().flat_map(|def| def.results.iter()).enumerate() {
            let len = op.result_group(index).len();
            if len > 0 && !result.name.is_empty() {
                name(start, &result.name);
            }
            start += len;
        }
    })
}
