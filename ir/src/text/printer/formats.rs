//! What declarative formats ask for: attributes without what the format says already.

use super::aliases::Key;
use super::{AsmPrinter, guarded};
use crate::attributes::{Attr, AttrData, AttrRef};
use crate::entity::Ident;
use crate::opdef::EnumDef;
use crate::view::OpRef;

impl AsmPrinter<'_> {
    /// The attributes of `op` except `elided`, as ` {...}` or ` attributes {...}`; nothing where none is left.
    pub(crate) fn attr_dict_without(&mut self, op: OpRef<'_>, elided: &[Ident], keyword: bool) {
        if op.attrs().all(|(name, _)| elided.contains(&name)) {
            return;
        }
        let attrs = op.attrs().filter(|(name, _)| !elided.contains(name)).map(|(name, attr)| (name, attr.id()));
        let attrs: smallvec::SmallVec<[(Ident, Attr); 8]> = attrs.collect();
        self.attr_dict_of(&attrs, keyword);
    }

    /// The stored inherent attributes of `op` except `elided`, as `<{...}>`, after a space where `space` holds; nothing where none
    /// is left.
    pub(crate) fn prop_dict(&mut self, op: OpRef<'_>, elided: &[Ident], space: bool) {
        let inherent = op.properties().into_iter();
        let shown: Vec<_> =
            inherent.filter(|(name, _)| !elided.contains(name) && op.attr_by_ident(*name).is_some()).collect();
        if shown.is_empty() {
            return;
        }
        self.text(if space { " <" } else { "<" });
        self.attr_entries(&shown);
        self.char('>');
    }

    /// `[1, 2]` for `array<i64: 1, 2>`.
    pub fn dense_array_body(&mut self, attr: Attr) {
        self.char('[');
        self.dense_array_elements(attr, "");
        self.char(']');
    }

    /// An attribute of a dialect without its name: what its parameters print as, or its alias.
    pub fn stripped_attr(&mut self, attr: Attr) {
        let cx = self.cx;
        let key = Key::of_attr(cx, attr);
        if self.is_collecting() {
            return self.visit(key);
        }
        if self.alias(key) {
            return;
        }
        if let AttrData::Dialect { name, params } = cx.attr_data(attr)
            && let Some(definition) = cx.attr_definition(*name)
        {
            return guarded(|| definition.print(params, self));
        }
        self.attr(attr);
    }

    /// The keyword of an enumeration's value; of a bit set, the keywords of its bits. A number where there is none.
    pub fn enumeration(&mut self, def: &EnumDef, attr: AttrRef<'_>) {
        match attr.enum_value() {
            Some(value) => self.enum_value(def, value),
            None => self.attr(attr.id()),
        }
    }

    /// The same as a parameter of a type or attribute, where several keywords with bars between them are one string.
    pub(crate) fn enum_parameter(&mut self, def: &EnumDef, attr: AttrRef<'_>) {
        let several = attr.enum_value().filter(|&value| def.keyword(value).is_none());
        match several {
            Some(value) if def.separator.is_some_and(|separator| separator.trim() == "|") => {
                self.char('"');
                self.enum_value(def, value);
                self.char('"');
            }
            _ => self.enumeration(def, attr),
        }
    }

    /// The keyword of `value`; of a bit set, the keywords of its bits. A number where there is none.
    pub fn enum_value(&mut self, def: &EnumDef, value: u64) {
        if let Some(keyword) = def.keyword(value) {
            // Not a word: quoted, as the parser wants it.
            return if keyword.contains('-') { self.string(keyword.as_bytes()) } else { self.text(keyword) };
        }
        let mut rest = value;
        let mut keywords: smallvec::SmallVec<[&str; 8]> = smallvec::SmallVec::new();
        if def.separator.is_some() {
            // Names of several bits before those of single ones.
            let (groups, bits): (Vec<_>, Vec<_>) =
                def.cases.iter().filter(|(_, case)| *case != 0).partition(|(_, case)| case.count_ones() > 1);
            for &&(keyword, case) in groups.iter().chain(&bits) {
                if rest & case == case {
                    keywords.push(def.keyword(case).unwrap_or(keyword));
                    rest &= !case;
                }
            }
        }
        if rest != 0 || keywords.is_empty() {
            return self.int(value as i64);
        }
        self.separated(keywords, def.separator.unwrap_or_default(), Self::text);
    }
}
