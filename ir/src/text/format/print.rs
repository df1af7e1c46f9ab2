//! Printing by a compiled format.

use super::{Anchor, CompiledFormat, DirectiveView, Element, TypeSlot};
use crate::attributes::AttrRef;
use crate::opdef::{Arity, AttrForm};
use crate::text::AsmPrinter;
use crate::view::{OpRef, ValueRef};

impl CompiledFormat {
    /// Prints what follows the name of `op`.
    pub fn print(&self, op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        self.elements(&self.elements, op, p);
    }

    fn elements(&self, elements: &[Element], op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        for element in elements {
            self.element(element, op, p);
        }
    }

    fn element(&self, element: &Element, op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        let gap = |p: &mut AsmPrinter<'_>, space: bool| {
            if space {
                p.text(" ");
            }
        };
        match element {
            Element::Literal { text, space, .. } => {
                gap(p, *space);
                p.text(text);
            }
            Element::Space => p.text(" "),
            Element::Newline => {
                p.newline();
                p.indent();
            }
            Element::Operand { index, space } => {
                gap(p, *space);
                self.operand(*index, op, p);
            }
            Element::Operands { space } => {
                gap(p, *space);
                p.operands(op.operands().iter());
            }
            Element::Attr { index, space, qualified } => {
                gap(p, *space);
                if let Some(attr) = op.inherent(*index) {
                    self.attr(*index, attr, *qualified, op, p);
                }
            }
            Element::Region { index, space, variadic } => {
                gap(p, *space);
                let last = if *variadic { op.num_regions() } else { index + 1 };
                for i in *index..last {
                    if i > *index {
                        p.text(", ");
                    }
                    self.region(i, op, p);
                }
            }
            Element::Regions { space } => {
                gap(p, *space);
                for i in 0..op.num_regions() {
                    if i > 0 {
                        p.text(", ");
                    }
                    self.region(i, op, p);
                }
            }
            Element::Successor { index, space, variadic } => {
                gap(p, *space);
                let count = if *variadic { usize::MAX } else { 1 };
                for (i, block) in op.successors().skip(*index).take(count).enumerate() {
                    if i > 0 {
                        p.text(", ");
                    }
                    p.successor(block);
                }
            }
            Element::Successors { space } => {
                gap(p, *space);
                for (i, block) in op.successors().enumerate() {
                    if i > 0 {
                        p.text(", ");
                    }
                    p.successor(block);
                }
            }
            Element::Type { slot, space } => {
                gap(p, *space);
                self.types(*slot, op, p);
            }
            Element::FunctionalType { inputs, results, space } => {
                gap(p, *space);
                p.functional_type(&types_of(*inputs, op), &types_of(*results, op));
            }
            Element::AttrDict { keyword } => p.attr_dict_without(op, &self.elided_from_dict, *keyword),
            Element::PropDict { space } => p.prop_dict(op, &self.elided, *space),
            Element::Custom { directive, args, space } => {
                gap(p, *space);
                (directive.print)(op, p, &DirectiveView::new(op, args));
            }
            Element::Optional { then, otherwise, anchor } => {
                let branch = if present(anchor, op) { then } else { otherwise };
                self.elements(branch, op, p);
            }
            Element::AnyOrder { clauses } => {
                for clause in clauses {
                    if clause.anchors.iter().any(|anchor| present(anchor, op)) {
                        gap(p, clause.space);
                        p.text(&clause.keyword);
                        self.elements(&clause.elements, op, p);
                    }
                }
            }
        }
    }

    fn operand(&self, index: usize, op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        let group = op.operand_group(index);
        let Some(Arity::Groups(attr)) = op.def().map(|d| d.operands[index].arity) else {
            p.operands(group.iter());
            return;
        };
        let mut values = group.iter();
        let sizes: Vec<i64> = op.attr(attr).map(|a| a.dense_ints().collect()).unwrap_or_default();
        for (i, &size) in sizes.iter().enumerate() {
            p.text(if i > 0 { ", (" } else { "(" });
            p.operands(values.by_ref().take(usize::try_from(size).unwrap_or(0)));
            p.text(")");
        }
    }

    fn types(&self, slot: TypeSlot, op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        if let TypeSlot::Operand(index) = slot
            && let Some(Arity::Groups(attr)) = op.def().map(|d| d.operands[index].arity)
        {
            let types = op.operand_group(index).types();
            let mut rest = types.iter().copied();
            let sizes: Vec<i64> = op.attr(attr).map(|a| a.dense_ints().collect()).unwrap_or_default();
            for (i, &size) in sizes.iter().enumerate() {
                p.text(if i > 0 { ", (" } else { "(" });
                p.types(rest.by_ref().take(usize::try_from(size).unwrap_or(0)));
                p.text(")");
            }
            return;
        }
        let ty = |value: ValueRef<'_>| value.ty().id();
        match slot {
            TypeSlot::Operand(i) => p.types(op.operand_group(i).iter().map(ty)),
            TypeSlot::Result(i) => p.types(op.result_group(i).iter().map(ty)),
            TypeSlot::Operands => p.types(op.operands().iter().map(ty)),
            TypeSlot::Results => p.types(op.results().iter().map(ty)),
        }
    }

    /// The implicit terminator is left out where it says nothing.
    fn region(&self, index: usize, op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
        let region = op.region(index);
        let implicit = op.def().is_some_and(|def| {
            def.traits.iter().any(|each| matches!(each, crate::Trait::SingleBlockImplicitTerminator(_)))
        });
        let last = region.entry().and_then(crate::BlockRef::last_op);
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

fn present(anchor: &Anchor, op: OpRef<'_>) -> bool {
    match anchor {
        Anchor::Operand(i) => !op.operand_group(*i).is_empty(),
        Anchor::Result(i) => !op.result_group(*i).is_empty(),
        Anchor::Attr { index, .. } => {
            // Stored means not at its default. A boolean that may be missing is shown when it is true.
            let name = op.info().attr_names[*index];
            op.attr_by_ident(name).is_some()
        }
        Anchor::Region(i) => !op.region(*i).is_empty(),
        Anchor::Successor(i) => op.num_successors() > *i,
        Anchor::Any(list) => list.iter().any(|anchor| present(anchor, op)),
    }
}
