//! Printing by a compiled format.

use super::steps::{Part, Run, Step};
use super::{CompiledFormat, DirectiveView, TypeSlot};
use crate::attributes::AttrRef;
use crate::facts::Fact;
use crate::opdef::AttrForm;
use crate::text::AsmPrinter;
use crate::view::{BlockRef, OpRef};

impl CompiledFormat {
    /// Prints what follows the name of `op`.
    pub fn print(&self, op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        let body = op.body();
        let bare = body.arena().op(body.id()).num_attrs() == 0;
        self.steps(if bare { &self.steps.bare } else { &self.steps.full }, op, p);
    }

    fn steps(&self, mut steps: &[Step], op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        loop {
            steps = p.simple_steps(op, steps);
            let [step, rest @ ..] = steps else { return };
            p.piece(&step.text);
            self.part(&step.part, op, p);
            steps = rest;
        }
    }

    fn part(&self, part: &Part, op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        match part {
            Part::Operands(run) => {
                let (start, len) = run.of_operands(op);
                p.operand_run(op, start, len);
            }
            Part::OperandTypes(run) => {
                let (start, len) = run.of_operands(op);
                p.operand_type_run(op, start, len);
            }
            Part::ResultTypes(run) => {
                let (start, len) = run.of_results(op);
                p.result_type_run(op, start, len);
            }
            Part::Nothing => {}
            Part::Operand(index) => {
                let (start, len) = Run::One(*index).of_operands(op);
                p.operand_run(op, start, len);
            }
            Part::OperandType(index) => {
                let (start, len) = Run::One(*index).of_operands(op);
                p.operand_type_run(op, start, len);
            }
            Part::ResultType(index) => {
                let (start, len) = Run::One(*index).of_results(op);
                p.result_type_run(op, start, len);
            }
            Part::Newline => {
                p.newline();
                p.indent();
            }
            Part::OperandGroups(index, sizes) => {
                groups(op, *index, sizes, p, |p, start, len| p.operand_run(op, start, len));
            }
            Part::OperandTypeGroups(index, sizes) => {
                groups(op, *index, sizes, p, |p, start, len| p.operand_type_run(op, start, len));
            }
            Part::Attr { index, qualified } => {
                if let Some(attr) = op.inherent(*index) {
                    self.attr(*index, attr, *qualified, op, p);
                }
            }
            Part::Region(index) => self.region(*index, op, p),
            Part::Regions(first) => p.comma_separated(*first..op.num_regions(), |p, index| self.region(index, op, p)),
            Part::Successor(index) => p.comma_separated(op.successors().skip(*index).take(1), AsmPrinter::successor),
            Part::Successors(first) => p.comma_separated(op.successors().skip(*first), AsmPrinter::successor),
            Part::FunctionalType { inputs, results } => {
                p.functional_type(&types_of(*inputs, op), &types_of(*results, op));
            }
            Part::AttrDict { keyword } => p.attr_dict_without(op, &self.elided_from_dict, *keyword),
            Part::PropDict { space } => p.prop_dict(op, &self.elided, *space),
            Part::Custom { directive, args } => (directive.print)(op, p, &DirectiveView::new(op, args)),
            Part::Choice { present, then, otherwise } => {
                self.steps(if present.holds(op) { then } else { otherwise }, op, p);
            }
        }
    }

    /// The implicit terminator is left out where it says nothing.
    fn region(&self, index: usize, op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        let region = op.region(index);
        let implicit = op.info().has_fact(Fact::ImplicitTerminator);
        let last = region.entry().and_then(BlockRef::last_op);
        let silent = last.is_some_and(|op| op.num_operands() == 0 && op.num_results() == 0 && op.attrs().len() == 0);
        p.region(region, true, !(implicit && silent));
    }

    fn attr(&self, index: usize, attr: AttrRef<'_>, qualified: bool, op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        let Some(def) = op.def() else { return };
        match &def.attrs[index].constraint.form {
            AttrForm::Any | AttrForm::SymbolRef | AttrForm::Array => p.attr(attr.id()),
            AttrForm::Typed(_) => p.attr_without_type(attr.id()),
            AttrForm::SymbolName => p.symbol_name(attr.as_str().unwrap_or_default()),
            AttrForm::Unit => {}
            AttrForm::Type => match attr.as_type() {
                Some(ty) => p.ty(ty.id()),
                None => p.attr(attr.id()),
            },
            AttrForm::String => p.attr_without_type(attr.id()),
            AttrForm::DenseArray(_) => p.dense_array_body(attr.id()),
            AttrForm::Enum(def) => p.enumeration(def, attr),
            AttrForm::NamedEnum(def, word) => {
                p.text(word);
                p.text("<");
                p.enumeration(def, attr);
                p.text(">");
            }
            AttrForm::Dialect(_) if qualified => p.attr(attr.id()),
            AttrForm::Dialect(_) => p.stripped_attr(attr.id()),
        }
    }
}

fn types_of(slot: TypeSlot, op: OpRef<'_>) -> super::Types {
    match slot {
        TypeSlot::Operand(i) => op.operand_group(i).types(),
        TypeSlot::Result(i) => op.result_group(i).types(),
        TypeSlot::Operands => op.operands().types(),
        TypeSlot::Results => op.results().types(),
    }
}

/// Prints the operands of definition `index` in groups of these sizes, each between parentheses.
fn groups<'a>(
    op: OpRef<'_>,
    index: usize,
    sizes: &str,
    p: &mut AsmPrinter<'a>,
    print: impl Fn(&mut AsmPrinter<'a>, usize, usize),
) {
    let (mut start, len) = Run::Group(index).of_operands(op);
    let end = start + len;
    for (i, size) in op.attr(sizes).into_iter().flat_map(AttrRef::dense_ints).enumerate() {
        p.text(if i > 0 { ", (" } else { "(" });
        let size = usize::try_from(size).unwrap_or(0).min(end - start);
        print(p, start, size);
        start += size;
        p.text(")");
    }
}
