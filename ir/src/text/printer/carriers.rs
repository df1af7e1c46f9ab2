//! Which types and attributes have aliases in them: most operations show none, and collecting aliases passes over them.

use super::aliases::Key;
use crate::arena::Arena;
use crate::attributes::AttrData;
use crate::context::{Context, LISTS};
use crate::side_table::SideTable;
use crate::types::{Type, TypeData};
use crate::view::{OpRef, RegionRef};

/// Which types and attributes have aliases in them. Each is looked into once.
#[derive(Default)]
pub(super) struct Carriers {
    types: SideTable<Carries>,
    attrs: SideTable<Carries, LISTS>,
    last: Option<InArena>,
}

/// Whether types and attributes in an arena have aliases in them.
#[derive(Clone, Copy, Default)]
pub(super) struct InArena {
    address: usize,
    pub(super) types: bool,
    pub(super) attrs: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Carries {
    #[default]
    Unknown,
    Nothing,
    Alias,
}

impl Carriers {
    /// Whether the pretty or generic form of `op` may show an alias, apart from what is in its regions.
    pub(super) fn has(&mut self, op: OpRef<'_>) -> bool {
        let (cx, ir) = (op.cx(), op.arena());
        let mut of_type = |ty: Type| self.contains(cx, Key::Type(ty));
        ir.results(op.id()).any(|result| of_type(ir.value_type(result)))
            || ir.operands(op.id()).any(|operand| of_type(ir.value_type(operand)))
            || self.has_in_args(op)
            || self.has_in_attrs(op)
    }

    /// Whether the types of arguments of the regions of `op` may show an alias.
    pub(super) fn has_in_args(&mut self, op: OpRef<'_>) -> bool {
        let mut entries = op.regions().filter_map(RegionRef::entry);
        entries.any(|entry| entry.args().any(|arg| self.contains(op.cx(), Key::Type(arg.ty().id()))))
    }

    /// Whether the attributes of `op` may show an alias.
    fn has_in_attrs(&mut self, op: OpRef<'_>) -> bool {
        op.attrs().any(|(_, attr)| self.contains(op.cx(), Key::Attr(attr.id())))
    }

    /// Whether the types of values in `ir`, and whether attributes in it, may show an alias. Nested isolated operations do not count.
    /// Remembers the last answer.
    pub(super) fn in_arena(&mut self, cx: &Context, ir: &Arena) -> InArena {
        let address = std::ptr::from_ref(ir) as usize;
        if self.last.is_none_or(|last| last.address != address) {
            let types = ir.values.iter().any(|value| self.contains(cx, Key::Type(value.ty)));
            let attrs = ir.attrs.iter().any(|(_, attr)| self.contains(cx, Key::Attr(*attr)));
            self.last = Some(InArena { address, types, attrs });
        }
        self.last.unwrap_or_default()
    }

    /// Whether `key` has an alias or something in it has one.
    #[inline]
    fn contains(&mut self, cx: &Context, key: Key) -> bool {
        match *self.entry(key) {
            Carries::Unknown => self.look_into(cx, key),
            Carries::Nothing => false,
            Carries::Alias => true,
        }
    }

    #[inline]
    fn entry(&mut self, key: Key) -> &mut Carries {
        match key {
            Key::Type(ty) => self.types.entry(ty.index()),
            Key::Attr(attr) => self.attrs.entry(attr.index()),
            // Always has one: only its attribute is asked for.
            Key::Loc(_) => self.attrs.entry(0),
        }
    }

    fn look_into(&mut self, cx: &Context, key: Key) -> bool {
        // By far the most: no lists, and a type that was seen before.
        if let Key::Attr(attr) = key
            && let AttrData::Integer { ty, .. } | AttrData::Float { ty, .. } = cx.attr_data(attr)
        {
            let found = self.contains(cx, Key::Type(*ty));
            *self.entry(key) = if found { Carries::Alias } else { Carries::Nothing };
            return found;
        }
        // The parameters of dialect types and attributes are attributes too, whatever their hooks print.
        let (mut pending, mut entered) = (vec![key], Vec::new());
        while let Some(part) = pending.pop() {
            let content = if let Key::Attr(attr) = part { Key::of_attr(cx, attr) } else { part };
            if content.alias_name(cx).is_some() || *self.entry(part) == Carries::Alias {
                for part in entered {
                    *self.entry(part) = Carries::Unknown;
                }
                *self.entry(key) = Carries::Alias;
                return true;
            }
            if std::mem::replace(self.entry(part), Carries::Nothing) == Carries::Unknown {
                entered.push(part);
                for_each_part(cx, content, &mut |part| pending.push(part));
            }
        }
        false
    }
}

/// Calls `f` with the types and attributes that `key` is directly made of.
pub(in crate::text) fn for_each_part(cx: &Context, key: Key, f: &mut dyn FnMut(Key)) {
    match key {
        Key::Loc(_) => {}
        Key::Type(ty) => match cx.type_data(ty) {
            TypeData::Integer { .. }
            | TypeData::Index
            | TypeData::Float(_)
            | TypeData::None
            | TypeData::Opaque { .. } => {}
            TypeData::Complex(element) | TypeData::Vector { element, .. } | TypeData::UnrankedTensor { element } => {
                f(Key::Type(*element));
            }
            TypeData::RankedTensor { element, encoding, .. } => {
                f(Key::Type(*element));
                all(encoding, Key::Attr, f);
            }
            TypeData::MemRef { element, layout, space, .. } => {
                f(Key::Type(*element));
                all(layout, Key::Attr, f);
                all(space, Key::Attr, f);
            }
            TypeData::UnrankedMemRef { element, space } => {
                f(Key::Type(*element));
                all(space, Key::Attr, f);
            }
            TypeData::Function { inputs, results } => {
                all(inputs, Key::Type, f);
                all(results, Key::Type, f);
            }
            TypeData::Tuple(types) => all(types, Key::Type, f),
            TypeData::Dialect { params, .. } => all(params, Key::Attr, f),
        },
        Key::Attr(attr) => match cx.attr_data(attr) {
            AttrData::Unit
            | AttrData::SymbolRef { .. }
            | AttrData::AffineMap(_)
            | AttrData::IntegerSet(_)
            | AttrData::Strided { .. }
            | AttrData::Location(_) => {}
            AttrData::Integer { ty, .. }
            | AttrData::Float { ty, .. }
            | AttrData::Type(ty)
            | AttrData::DenseElements { ty, .. }
            | AttrData::DenseStrings { ty, .. }
            | AttrData::DenseResource { ty, .. }
            | AttrData::SparseElements { ty, .. }
            | AttrData::DenseArray { element: ty, .. } => f(Key::Type(*ty)),
            AttrData::String { ty, .. } | AttrData::Opaque { ty, .. } => {
                all(ty, Key::Type, f);
            }
            AttrData::Array(elements) => all(elements, Key::Attr, f),
            AttrData::Dictionary(entries) => {
                all(entries.iter().map(|(_, attr)| attr), Key::Attr, f);
            }
            AttrData::Distinct { referenced, .. } => f(Key::Attr(*referenced)),
            AttrData::Dialect { params, .. } => all(params, Key::Attr, f),
        },
    }
}

fn all<'t, T: Copy + 't>(parts: impl IntoIterator<Item = &'t T>, key: fn(T) -> Key, f: &mut dyn FnMut(Key)) {
    for &part in parts {
        f(key(part));
    }
}
