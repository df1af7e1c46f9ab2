//! Attributes.

use std::sync::Arc;

use super::aliases::Key;
use super::{AsmPrinter, guarded};
use crate::attributes::{Attr, AttrData};
use crate::entity::Ident;
use crate::number::{ApInt, float};
use crate::types::{DYNAMIC, FloatKind, Type, TypeData};
use crate::view::{OpRef, ValueRef};

/// Whether the type of a typed attribute is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShowType {
    /// Yes.
    Always,
    /// Unless it is the one that the parser takes without: `i64` and `f64`.
    UnlessDefault,
    /// No.
    Never,
}

impl AsmPrinter<'_> {
    /// An attribute, with its type if it has one, or its alias.
    pub fn attr(&mut self, attr: Attr) {
        self.attr_as(attr, ShowType::Always);
    }

    /// An attribute without its type, which is said elsewhere.
    pub fn attr_without_type(&mut self, attr: Attr) {
        self.attr_as(attr, ShowType::Never);
    }

    /// An attribute, with its type unless that is the default one: as an element of an array.
    pub fn attr_eliding_type(&mut self, attr: Attr) {
        self.attr_as(attr, ShowType::UnlessDefault);
    }

    fn attr_as(&mut self, attr: Attr, show: ShowType) {
        let key = Key::of_attr(self.cx, attr);
        if self.collector.is_some() {
            return self.visit(key);
        }
        if !self.alias(key) {
            self.attr_body(attr, show);
        }
    }

    /// An attribute, never as an alias.
    pub(super) fn attr_body(&mut self, attr: Attr, show: ShowType) {
        let cx = self.cx;
        let ty = match cx.attr_data(attr) {
            AttrData::Unit => return self.text("unit"),
            AttrData::Integer { ty, value } => {
                if !self.integer(*ty, value) {
                    return;
                }
                if show == ShowType::UnlessDefault && *ty == cx.i64_type() {
                    return;
                }
                Some(*ty)
            }
            AttrData::Float { ty, bits } => {
                let decimal = self.float(*ty, bits.get());
                let is_default = cx.ty(*ty).float_kind() == Some(FloatKind::F64);
                if show == ShowType::UnlessDefault && is_default && decimal {
                    return;
                }
                Some(*ty)
            }
            AttrData::String { value, ty } => {
                self.string(value);
                *ty
            }
            AttrData::Type(ty) => return self.ty(*ty),
            AttrData::Array(elements) => {
                return guarded(|| {
                    self.char('[');
                    self.comma_separated(elements, |p, &element| p.attr_eliding_type(element));
                    self.char(']');
                });
            }
            AttrData::Dictionary(entries) => return guarded(|| self.attr_entries(entries)),
            AttrData::SymbolRef { root, nested } => {
                self.symbol_name(cx.str(*root));
                for name in nested {
                    self.text("::");
                    self.symbol_name(cx.str(*name));
                }
                return;
            }
            AttrData::DenseElements { ty, .. }
            | AttrData::DenseStrings { ty, .. }
            | AttrData::SparseElements { ty, .. } => {
                self.elements_attr(attr);
                Some(*ty)
            }
            AttrData::DenseResource { ty, key } => {
                self.resources.insert(*key);
                self.text("dense_resource<");
                self.keyword_or_string(cx.str(*key));
                self.char('>');
                Some(*ty)
            }
            AttrData::DenseArray { element, .. } => {
                self.text("array<");
                self.ty(*element);
                self.dense_array_elements(attr, ": ");
                return self.char('>');
            }
            AttrData::AffineMap(map) => {
                self.text("affine_map<");
                self.out.push_with(|out| cx.affine().print_map(*map, out));
                return self.char('>');
            }
            AttrData::IntegerSet(set) => {
                self.text("affine_set<");
                self.out.push_with(|out| cx.affine().print_set(*set, out));
                return self.char('>');
            }
            AttrData::Strided(layout) => return self.strided(&layout.strides, layout.offset),
            AttrData::Location(loc) => return guarded(|| self.location_body(*loc)),
            AttrData::Distinct { referenced, .. } => {
                return guarded(|| self.distinct(attr, *referenced));
            }
            AttrData::Opaque { dialect, data, ty } => {
                self.opaque_symbol('#', cx.str(*dialect), cx.str(*data));
                *ty
            }
            AttrData::Dialect { name, params } => {
                let definition = cx.attr_definition(*name);
                self.dialect_symbol('#', cx.str(*name), |p| {
                    if let Some(definition) = definition {
                        guarded(|| definition.print(params, p));
                    }
                });
                return;
            }
        };
        if show != ShowType::Never
            && let Some(ty) = ty.filter(|&ty| ty != cx.none_type())
        {
            self.text(" : ");
            self.ty(ty);
        }
    }

    /// The value of an integer. Whether its type is to follow: `true` and `false` say it themselves.
    fn integer(&mut self, ty: Type, value: &ApInt) -> bool {
        let view = self.cx.ty(ty);
        if view.is_signless_integer_of(1) {
            self.text(if value.is_zero() { "false" } else { "true" });
            return false;
        }
        if view.is_unsigned_integer() {
            self.out.push_with(|out| value.write_unsigned(out));
        } else if let Some(value) = value.to_i64() {
            self.int(value);
        } else {
            self.out.push_with(|out| value.write_signed(out));
        }
        true
    }

    /// The value of a float. Whether it came out in decimal.
    fn float(&mut self, ty: Type, bits: u128) -> bool {
        let TypeData::Float(kind) = self.cx.type_data(ty) else { return true };
        self.out.push_with(|out| {
            float::print(*kind, bits, out);
            !out.starts_with("0x")
        })
    }

    fn strided(&mut self, strides: &[i64], offset: i64) {
        let number = |p: &mut Self, value: i64| if value == DYNAMIC { p.char('?') } else { p.int(value) };
        self.text("strided<[");
        self.comma_separated(strides, |p, &stride| number(p, stride));
        self.char(']');
        if offset != 0 {
            self.text(", offset: ");
            number(self, offset);
        }
        self.char('>');
    }

    fn distinct(&mut self, attr: Attr, referenced: Attr) {
        let id = self.distinct_ids.get(&attr).copied().unwrap_or_else(|| {
            let next = self.distinct_ids.len() as u64;
            Arc::make_mut(&mut self.distinct_ids).insert(attr, next);
            // Another part may have met others before.
            self.gave_up |= self.is_part;
            next
        });
        self.text("distinct[");
        self.out.push_int(id);
        self.text("]<");
        if !self.cx.attr(referenced).is_unit() {
            self.attr(referenced);
        }
        self.char('>');
    }

    // Dictionaries.

    /// `{a = 1, b}`. A `unit` is its name alone.
    pub fn attr_entries(&mut self, entries: &[(Ident, Attr)]) {
        self.char('{');
        self.comma_separated(entries, |p, &(name, attr)| {
            let cx = p.cx;
            p.keyword_or_string(cx.str(name));
            // Collecting aliases, upstream visits it all the same; it has none.
            if !cx.attr(attr).is_unit() {
                p.text(" = ");
                p.attr(attr);
            }
        });
        self.char('}');
    }

    /// The attributes of `op` except `elided`, as ` {...}`; nothing where none is left.
    pub fn attr_dict(&mut self, op: OpRef<'_>, elided: &[&str]) {
        self.attr_dict_where(op, false, |name| !elided.contains(&name));
    }

    /// The same as ` attributes {...}`.
    pub fn attr_dict_with_keyword(&mut self, op: OpRef<'_>, elided: &[&str]) {
        self.attr_dict_where(op, true, |name| !elided.contains(&name));
    }

    fn attr_dict_where(&mut self, op: OpRef<'_>, keyword: bool, shown: impl Fn(&str) -> bool) {
        if op.attrs().len() == 0 {
            return;
        }
        let cx = self.cx;
        let attrs = op.attrs().filter(|(name, _)| shown(cx.str(*name))).map(|(name, attr)| (name, attr.id()));
        let attrs: smallvec::SmallVec<[(Ident, Attr); 8]> = attrs.collect();
        self.attr_dict_of(&attrs, keyword);
    }

    /// ` {...}` or ` attributes {...}`; nothing for no entries.
    pub(super) fn attr_dict_of(&mut self, entries: &[(Ident, Attr)], keyword: bool) {
        if entries.is_empty() {
            return;
        }
        self.text(if keyword { " attributes " } else { " " });
        self.attr_entries(entries);
    }

    // Affine maps of values.

    /// The results of `map` with commas between them, values in place of its dimensions and symbols: `%i + 3, symbol(%n)`.
    pub fn affine_map_of_ssa_ids(
        &mut self,
        map: crate::affine::AffineMap,
        dims: &[ValueRef<'_>],
        symbols: &[ValueRef<'_>],
    ) {
        use crate::affine::{AffineExprData, AffineId};
        let affine = self.cx.affine();
        self.comma_separated(&affine.map(map).results, |p, &result| {
            if let AffineExprData::Dim(i) = affine.expr(result)
                && let Some(dim) = dims.get(i as usize)
            {
                return p.operand(*dim);
            }
            let name = |values: &[ValueRef<'_>], i: u32, out: &mut String| match values.get(i as usize) {
                Some(value) => p.names.write(value.arena(), value.id(), true, |text| out.push_str(text)),
                None => out.push_str("<<INVALID>>"),
            };
            p.out.push_with(|out| {
                affine.print_expr_with(result, out, |out, id| match id {
                    AffineId::Dim(i) => name(dims, i, out),
                    AffineId::Symbol(i) => {
                        out.push_str("symbol(");
                        name(symbols, i, out);
                        out.push(')');
                    }
                });
            });
        });
    }
}
