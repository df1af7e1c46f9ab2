//! Parsing by a compiled format.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::plan::{Plan, Step};
use super::reading::{Reading, Run};
use super::{Anchor, CompiledFormat, DirectiveArgs, Element, TypeSlot, TypeSource};
use crate::attributes::{Attr, AttrRef};
use crate::dialect::OpInfo;
use crate::entity::RegionId;
use crate::location::Loc;
use crate::opdef::{Arity, AttrForm, EnumDef, EnumStorage, OpDef, TypeClass};
use crate::rewriter::OpState;
use crate::text::parser::TokenKind;
use crate::text::{Delimiter, OpParser, Parsed, UnresolvedOperand};
use crate::types::Type;

pub(super) type OperandNames = SmallVec<[UnresolvedOperand; 4]>;

/// Parses one operation.
pub(super) struct Reader<'f, 'p, 's> {
    pub(super) def: &'f OpDef,
    pub(super) info: &'f OpInfo,
    format: &'f CompiledFormat,
    pub(super) p: &'p mut OpParser<'s>,
    pub(super) state: &'p mut OpState,
    pub(super) reading: Box<Reading>,
}

impl CompiledFormat {
    /// Parses what follows the name of an operation into `state`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(&self, p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
        let cx = p.cx();
        let info = cx.op_info(state.name(cx));
        let Some(def) = info.def.as_deref() else { return Ok(()) };
        let loc = p.loc();
        let mut reading = p.take_reading();
        match &self.plan {
            Some(_) => reading.clear(),
            None => reading.start(def),
        }
        let mut reader = Reader { def, info, format: self, p, state, reading };
        let parsed = match &self.plan {
            Some(plan) => reader.planned(plan),
            None => reader.elements(&self.elements).and_then(|()| reader.finish(loc)),
        };
        reader.p.keep_reading(reader.reading);
        parsed
    }
}

/// A type, of `class` where there is one.
#[inline(always)]
fn type_of(p: &mut OpParser<'_>, class: Option<TypeClass>) -> Parsed<Type> {
    let Some(class) = class else { return p.parse_type() };
    let loc = p.loc();
    let ty = p.parse_type()?;
    let found = p.cx().ty(ty);
    if class.contains(found) {
        return Ok(ty);
    }
    Err(p.error_at(loc, format!("invalid kind of type specified: expected {}, but found '{found}'", class.name())))
}

impl Reader<'_, '_, '_> {
    /// Reads an operation whose names and types stand where `plan` says.
    fn planned(&mut self, plan: &Plan) -> Parsed<()> {
        let elements = &self.format.elements;
        for &step in &plan.steps {
            match step {
                Step::Name => self.p.push_operand(self.reading.names_mut())?,
                Step::Type(class) => {
                    let ty = type_of(self.p, class)?;
                    self.reading.types_mut().push(ty);
                }
                Step::Token(kind, _) if self.p.consume_here(kind) => {}
                Step::AttrDict(_) if self.p.token_kind() != TokenKind::LBrace => {}
                Step::Token(_, at) | Step::AttrDict(at) | Step::Other(at) => self.element(&elements[at])?,
            }
        }
        for &(name, ty) in &plan.operands {
            let (name, ty) = self.reading.planned(name, ty);
            let value = self.p.resolve_here(name, ty)?;
            self.state.operands.push(value);
        }
        for &ty in &plan.results {
            self.state.results.push(self.reading.planned_type(ty));
        }
        Ok(())
    }

    fn elements(&mut self, elements: &[Element]) -> Parsed<()> {
        for element in elements {
            match element {
                // The most frequent ones, without a call.
                Element::Literal { token: Some(kind), .. } if self.p.consume_if(*kind) => {}
                Element::AttrDict { keyword: false } if self.p.token_kind() != TokenKind::LBrace => {}
                Element::Space | Element::Newline => {}
                _ => self.element(element)?,
            }
        }
        Ok(())
    }

    fn element(&mut self, element: &Element) -> Parsed<()> {
        match element {
            Element::Literal { text, token, .. } => match token {
                Some(kind) if self.p.consume_if(*kind) => Ok(()),
                Some(_) => Err(self.p.expected(format!("expected '{text}'"))),
                None if text.is_empty() => Ok(()),
                None => self.p.parse_keyword(text),
            },
            Element::Space | Element::Newline => Ok(()),
            Element::Operand { index, .. } => self.operand(*index),
            Element::Operands { .. } => {
                let start = self.reading.num_names();
                self.operand_list()?;
                self.reading.set_all_names_since(start);
                Ok(())
            }
            Element::Attr { index, qualified, .. } => {
                let attr = self.attr(*index, *qualified)?;
                self.set_attr(*index, attr);
                Ok(())
            }
            Element::Region { index, variadic, decides, .. } => self.region(*index, *variadic, *decides),
            Element::Regions { .. } => self.region(0, true, false),
            Element::Successor { index, variadic, .. } => self.successor(*index, *variadic),
            Element::Successors { .. } => self.successor(0, true),
            Element::Type { slot, .. } => {
                let start = self.reading.types_mut().len();
                self.types(*slot)?;
                self.reading.set_types_since(*slot, start);
                Ok(())
            }
            Element::FunctionalType { inputs, results, .. } => {
                let (given_inputs, given_results) = self.p.parse_function_type_parts()?;
                self.reading.set_types(*inputs, given_inputs);
                self.reading.set_types(*results, given_results);
                Ok(())
            }
            &Element::AttrDict { keyword } => self.attr_dict(keyword),
            Element::PropDict { .. } => self.p.parse_optional_prop_dict(self.state),
            Element::Custom { directive, args, .. } => {
                let (parse, mut filled) = (directive.parse, DirectiveArgs::new(self, args));
                parse(self.p, self.state, &mut filled)?;
                filled.store(self);
                Ok(())
            }
            Element::Optional { then, otherwise, anchor } => self.optional(then, otherwise, anchor),
            Element::AnyOrder { clauses } => {
                let mut seen = SmallVec::<[bool; 8]>::from_elem(false, clauses.len());
                while let Some(i) = clauses.iter().position(|c| self.p.at_literal(&c.keyword)) {
                    if std::mem::replace(&mut seen[i], true) {
                        let keyword = &clauses[i].keyword;
                        let message = format!(
                            "`{keyword}` clause can appear at most once in the expansion of the oilist directive"
                        );
                        return Err(self.p.error(message));
                    }
                    self.p.parse_format_literal(&clauses[i].keyword)?;
                    self.elements(&clauses[i].elements)?;
                    for anchor in &clauses[i].anchors {
                        self.set_unit(anchor);
                    }
                }
                Ok(())
            }
        }
    }

    fn optional(&mut self, then: &[Element], otherwise: &[Element], anchor: &Anchor) -> Parsed<()> {
        let first = then.iter().position(|e| !matches!(e, Element::Space | Element::Newline) && !is_empty_literal(e));
        let Some(first) = first else { return Ok(()) };
        if !self.starts(&then[first])? {
            return self.elements(otherwise);
        }
        self.elements(&then[first..])?;
        self.set_unit(anchor);
        Ok(())
    }

    fn set_unit(&mut self, anchor: &Anchor) {
        if let Anchor::Attr { index, unit: true } = anchor {
            let unit = self.p.cx().unit_attr();
            self.set_attr(*index, unit);
        }
    }

    /// Whether the text at hand starts with `element`.
    fn starts(&mut self, element: &Element) -> Parsed<bool> {
        let kind = self.p.token_kind();
        Ok(match element {
            Element::Literal { token: Some(token), .. } => kind == *token,
            Element::Literal { text, .. } => self.p.token_bytes() == text.as_bytes(),
            Element::Operand { index, .. } => match self.def.operands[*index].arity {
                Arity::Groups(_) => kind == TokenKind::LParen,
                _ => self.p.at_operand(),
            },
            Element::Operands { .. } => self.p.at_operand(),
            Element::Attr { index, .. } => self.attr_starts(*index),
            Element::Region { .. } | Element::Regions { .. } => kind == TokenKind::LBrace,
            Element::Successor { .. } | Element::Successors { .. } => kind == TokenKind::CaretIdentifier,
            Element::Type { .. } => self.p.at_type(),
            Element::FunctionalType { .. } => kind == TokenKind::LParen,
            // A directive in first place decides by itself: it accepts that nothing is there.
            Element::Custom { .. } | Element::Optional { .. } | Element::AnyOrder { .. } => true,
            _ => true,
        })
    }

    fn attr_starts(&self, index: usize) -> bool {
        let p = &*self.p;
        match &self.def.attrs[index].constraint.form {
            AttrForm::SymbolName | AttrForm::SymbolRef => p.token_kind() == TokenKind::AtIdentifier,
            AttrForm::String => p.token_kind() == TokenKind::String,
            AttrForm::DenseArray(_) | AttrForm::Array => p.token_kind() == TokenKind::LSquare,
            AttrForm::Type => p.at_type(),
            AttrForm::Enum(def) => p.token_word().is_some_and(|word| def.value(word).is_some()),
            AttrForm::NamedEnum(_, word) => p.at_literal(word),
            AttrForm::Unit => p.token_word().is_some(),
            AttrForm::Dialect(_) | AttrForm::Any | AttrForm::Typed(_) => p.at_attribute(),
        }
    }

    fn operand(&mut self, index: usize) -> Parsed<()> {
        let start = self.reading.num_names();
        match self.def.operands[index].arity {
            Arity::Single => self.p.push_operand(self.reading.names_mut())?,
            Arity::Optional if !self.p.at_operand() => {}
            Arity::Optional => self.reading.extend_names(self.p.parse_optional_operand()?),
            Arity::Variadic => self.operand_list()?,
            Arity::Groups(attr) => self.groups(attr)?,
        }
        self.reading.set_names_since(index, start);
        Ok(())
    }

    /// Names with commas between them, perhaps none.
    fn operand_list(&mut self) -> Parsed<()> {
        let mut more = self.p.at_operand();
        while more {
            self.p.push_operand(self.reading.names_mut())?;
            more = self.p.parse_optional_comma();
        }
        Ok(())
    }

    /// The names of operand definition `index`.
    pub(super) fn names(&self, index: usize) -> &[UnresolvedOperand] {
        self.reading.names(index)
    }

    /// Sets the names of operand definition `index`.
    pub(super) fn set_names(&mut self, index: usize, names: OperandNames) {
        let start = self.reading.num_names();
        self.reading.extend_names(names);
        self.reading.set_names_since(index, start);
    }

    /// `(%a, %b), (), (%c)`.
    fn groups(&mut self, attr: &'static str) -> Parsed<()> {
        let mut sizes: SmallVec<[i32; 4]> = SmallVec::new();
        while self.p.token_kind() == TokenKind::LParen {
            let group = self.p.parse_operand_list(Delimiter::Paren)?;
            sizes.push(group.len() as i32);
            self.reading.extend_names(group);
            if !self.p.parse_optional_comma() {
                break;
            }
        }
        let cx = self.p.cx();
        self.state.set_attr(cx.ident(attr), cx.dense_i32_array(&sizes));
        Ok(())
    }

    pub(super) fn set_attr(&mut self, index: usize, attr: Attr) {
        self.state.set_attr(self.info.attr_names(self.p.cx())[index], attr);
    }

    fn region(&mut self, index: usize, variadic: bool, may_be_empty: bool) -> Parsed<()> {
        if variadic && self.p.token_kind() != TokenKind::LBrace {
            return Ok(());
        }
        loop {
            self.one_region(index, may_be_empty)?;
            if !(variadic && self.p.parse_optional_comma()) {
                return Ok(());
            }
        }
    }

    fn one_region(&mut self, index: usize, may_be_empty: bool) -> Parsed<()> {
        let region = self.p.parse_region(self.state, &[])?;
        if !(may_be_empty && self.p.region_is_empty(self.state)) {
            self.complete_region(region);
        }
        // The state lists regions in the order of the text; the definition may have another.
        self.state.regions.pop();
        self.reading.regions[index].push(region);
        Ok(())
    }

    /// Adds to a region, just read, what its text may leave out.
    fn complete_region(&mut self, region: RegionId) {
        let cx = self.p.cx();
        let terminator = self.def.traits.iter().find_map(|each| match each {
            crate::Trait::SingleBlockImplicitTerminator(name) => Some(cx.op_name(name)),
            _ => None,
        });
        if let Some(terminator) = terminator {
            self.p.ensure_terminator(self.state, region, terminator);
        } else if self.info.has_trait(&crate::Trait::SingleBlock) && self.info.has_trait(&crate::Trait::NoTerminator) {
            self.p.ensure_block(self.state, region);
        }
    }

    fn successor(&mut self, index: usize, variadic: bool) -> Parsed<()> {
        loop {
            let block = self.p.parse_successor()?;
            self.reading.successors[index].push(block);
            if !(variadic && self.p.parse_optional_comma()) {
                return Ok(());
            }
        }
    }

    /// Reads the types of `slot`.
    fn types(&mut self, slot: TypeSlot) -> Parsed<()> {
        let (arity, class) = slot.def(self.def).map_or((Arity::Variadic, None), |v| (v.arity, v.constraint.class));
        let types = self.reading.types_mut();
        match arity {
            Arity::Single => types.push(type_of(self.p, class)?),
            Arity::Optional => types.extend(self.p.parse_optional_type()?),
            Arity::Variadic => {
                let Some(first) = self.p.parse_optional_type()? else { return Ok(()) };
                types.push(first);
                while self.p.parse_optional_comma() {
                    types.push(self.p.parse_type()?);
                }
            }
            Arity::Groups(_) => {
                while self.p.token_kind() == TokenKind::LParen {
                    self.p.parse_comma_separated(Delimiter::Paren, |p| {
                        types.push(p.parse_type()?);
                        Ok(())
                    })?;
                    if !self.p.parse_optional_comma() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    // Attributes.

    /// `{...}`, with the word `attributes` in front or not: what the definition names in it satisfies its constraints.
    fn attr_dict(&mut self, keyword: bool) -> Parsed<()> {
        let (loc, before) = (self.p.loc(), self.state.attrs.len());
        if keyword {
            self.p.parse_optional_attr_dict_with_keyword(self.state)?;
        } else {
            self.p.parse_optional_attr_dict(self.state)?;
        }
        let cx = self.p.cx();
        for (attr, name) in self.def.attrs.iter().zip(self.info.attr_names(self.p.cx())) {
            let given = self.state.attrs[before..].iter().find(|(given, _)| given == name);
            if given.is_some_and(|&(_, value)| !attr.constraint.matches(cx.attr(value))) {
                let (op, name, summary) = (&self.info.name, &attr.name, &attr.constraint.summary);
                let message = format!("'{op}' op attribute '{name}' failed to satisfy constraint: {summary}");
                return Err(self.p.syntax_error_at(loc, message));
            }
        }
        Ok(())
    }

    fn attr(&mut self, index: usize, qualified: bool) -> Parsed<Attr> {
        let form = &self.def.attrs[index].constraint.form;
        let cx = self.p.cx();
        match form {
            AttrForm::Any => self.p.parse_attribute(None),
            AttrForm::Typed(_) => self.p.parse_attribute(self.format.attr_types[index]),
            AttrForm::SymbolName => Ok(cx.string_attr(&self.p.parse_symbol_name()?)),
            AttrForm::SymbolRef => self.attr_that(|attr| attr.is_symbol_ref()),
            AttrForm::Array => self.attr_that(|attr| attr.is_array()),
            AttrForm::Unit => Ok(cx.unit_attr()),
            AttrForm::Type => Ok(cx.type_attr(self.p.parse_type()?)),
            AttrForm::String => self.p.parse_string_attr(),
            AttrForm::DenseArray(_) => {
                let element = self.format.attr_types[index].unwrap_or_else(|| cx.i64_type());
                self.p.parse_dense_array_in_brackets(element)
            }
            AttrForm::Enum(def) if def.separator.is_none() && matches!(def.storage, EnumStorage::Integer(_)) => {
                self.keyword_or_string(&self.def.attrs[index].name, def)
            }
            AttrForm::Enum(def) => self.enumeration(def),
            AttrForm::NamedEnum(def, word) => {
                self.p.parse_keyword(word)?;
                self.p.parse_less()?;
                let attr = self.enumeration(def)?;
                self.p.parse_greater()?;
                Ok(attr)
            }
            AttrForm::Dialect(name) if !qualified => self.p.parse_stripped_attribute(name),
            AttrForm::Dialect(_) => self.p.parse_attribute(None),
        }
    }

    /// An attribute that `is` of the wanted kind.
    fn attr_that(&mut self, is: fn(AttrRef<'_>) -> bool) -> Parsed<Attr> {
        let loc = self.p.loc();
        // No type follows.
        let none = self.p.cx().none_type();
        let attr = self.p.parse_attribute(Some(none))?;
        if is(self.p.cx().attr(attr)) {
            Ok(attr)
        } else {
            Err(self.p.error_at(loc, "invalid kind of attribute specified"))
        }
    }

    /// One of the cases of `def`, as a word or as a string, for the attribute `name`.
    fn keyword_or_string(&mut self, name: &str, def: &'static EnumDef) -> Parsed<Attr> {
        let loc = self.p.loc();
        let is_string = self.p.token_kind() == TokenKind::String;
        let word = match self.p.parse_optional_any_keyword() {
            Some(word) => Some(Cow::Borrowed(word)),
            None => self.p.parse_optional_string()?.map(Cow::Owned),
        };
        let cx = self.p.cx();
        match word.as_deref().map(|word| (word, def.value(word))) {
            Some((_, Some(value))) => Ok(def.attr(cx, value)),
            Some((word, None)) if is_string => {
                Err(self.p.error_at(loc, format!("invalid {name} attribute specification: \"{word}\"")))
            }
            _ => {
                let cases: Vec<&str> = def.cases.iter().map(|case| case.0).collect();
                let message = format!(
                    "expected string or keyword containing one of the following enum values for attribute '{name}' [{}]",
                    cases.join(", ")
                );
                Err(self.p.error_at(loc, message))
            }
        }
    }

    fn enumeration(&mut self, def: &'static EnumDef) -> Parsed<Attr> {
        let value = self.p.parse_enum(def)?;
        let cx = self.p.cx();
        Ok(match def.storage {
            EnumStorage::Integer(width) => cx.int_attr(cx.int_type(width), value as i64),
            EnumStorage::Dialect(name) => {
                let param = cx.int_attr(cx.i64_type(), value as i64);
                cx.dialect_attr(name, &[param])
            }
        })
    }

    // The end.

    /// Infers what is missing, resolves operands, and puts everything into the state.
    fn finish(&mut self, loc: Loc) -> Parsed<()> {
        let format = self.format;
        if let Some(all) = self.reading.all_names() {
            self.distribute_operands(all, loc)?;
        }
        self.distribute_types(loc)?;
        for (slot, source) in &format.inference {
            self.infer(*slot, source, loc)?;
        }
        for index in 0..self.def.operands.len() {
            self.resolve(index, loc)?;
        }
        let cx = self.p.cx();
        if let Some(name) = format.operand_segments {
            let sizes: SmallVec<[i32; 8]> = self.reading.name_counts().map(|count| count as i32).collect();
            self.state.set_attr(name, cx.dense_i32_array(&sizes));
        }
        for (regions, def) in self.reading.regions.iter().zip(self.def.regions.iter()) {
            self.state.regions.extend(regions.iter().copied());
            if regions.is_empty() && !def.variadic {
                // Left out: an empty region stands for it.
                self.p.empty_region(self.state);
            }
        }
        for blocks in &self.reading.successors {
            self.state.successors.extend(blocks.iter().copied());
        }
        self.results(loc)
    }

    fn distribute_operands(&mut self, all: Run, loc: Loc) -> Parsed<()> {
        let defs = &self.def.operands;
        let many = defs.iter().filter(|d| d.arity != Arity::Single).count();
        let singles = defs.len() - many;
        if all.len() < singles || (many == 0 && all.len() != singles) {
            return Err(self.p.error_at(loc, format!("expected {singles} operands, but found {}", all.len())));
        }
        let mut at = 0;
        let mut spare = all.len() - singles;
        for (i, def) in defs.iter().enumerate() {
            let len = match def.arity {
                Arity::Single => 1,
                _ => std::mem::take(&mut spare),
            };
            self.reading.set_names(i, all.part(at, len));
            at += len;
        }
        Ok(())
    }

    fn distribute_types(&mut self, loc: Loc) -> Parsed<()> {
        if let Some(all) = self.reading.run(TypeSlot::Operands) {
            let count: usize = self.reading.name_counts().sum();
            if count != all.len() {
                let message =
                    format!("number of operands and types do not match: got {count} operands and {} types", all.len());
                return Err(self.p.error_at(loc, message));
            }
            let mut at = 0;
            for i in 0..self.def.operands.len() {
                let count = self.reading.names(i).len();
                self.reading.set_run(TypeSlot::Operand(i), all.part(at, count));
                at += count;
            }
        }
        if let Some(all) = self.reading.run(TypeSlot::Results) {
            let defs = &self.def.results;
            if let [_] = &defs[..] {
                self.reading.set_run(TypeSlot::Result(0), all);
                return Ok(());
            }
            let many = defs.iter().filter(|d| d.arity != Arity::Single).count();
            let singles = defs.len() - many;
            if all.len() < singles || (many == 0 && all.len() != singles) {
                return Err(self.p.error_at(loc, format!("expected {singles} result types, but found {}", all.len())));
            }
            let (mut at, mut spare) = (0, all.len() - singles);
            for (i, def) in defs.iter().enumerate() {
                let len = if def.arity == Arity::Single { 1 } else { std::mem::take(&mut spare) };
                self.reading.set_run(TypeSlot::Result(i), all.part(at, len));
                at += len;
            }
        }
        Ok(())
    }

    /// How many values stand in `slot`.
    fn count(&self, slot: TypeSlot) -> usize {
        match slot {
            TypeSlot::Operand(i) => self.reading.names(i).len(),
            TypeSlot::Result(i) if self.def.results[i].arity == Arity::Single => 1,
            TypeSlot::Result(_) => self.reading.run(slot).map_or(0, Run::len),
            TypeSlot::Operands | TypeSlot::Results => 0,
        }
    }

    /// Whether the number of values in `slot` is that of their types.
    fn counts_results(&self, slot: TypeSlot) -> bool {
        matches!(slot, TypeSlot::Result(i) if self.def.results[i].arity != Arity::Single)
    }

    fn infer(&mut self, slot: TypeSlot, source: &TypeSource, loc: Loc) -> Parsed<()> {
        if self.reading.run(slot).is_some() {
            return Ok(());
        }
        let count = self.count(slot);
        let cx = self.p.cx();
        let one = match source {
            TypeSource::Only(ty) => Some(*ty),
            TypeSource::Same(from) => match self.reading.run(*from) {
                Some(types) if types.len() == count || self.counts_results(slot) => {
                    self.reading.set_run(slot, types);
                    return Ok(());
                }
                Some(types) => self.reading.types_of(types).first().copied(),
                None => None,
            },
            TypeSource::OfAttr(index, transform) => {
                let name = self.info.attr_names(self.p.cx())[*index];
                let attr = self.state.attrs.iter().find(|(n, _)| *n == name).map(|&(_, attr)| attr);
                let ty = attr.and_then(|attr| crate::infer::attr_type(cx.attr(attr)));
                match (ty, transform) {
                    (Some(ty), Some(transform)) => transform(cx.ty(ty)),
                    (ty, _) => ty,
                }
            }
            TypeSource::From(from, transform) => {
                let first = self.reading.types(*from).and_then(|types| types.first().copied());
                match first {
                    Some(first) => {
                        self.check_source(*from, first, loc)?;
                        if let Some(ty) = transform(cx.ty(first)) {
                            Some(ty)
                        } else {
                            let message =
                                format!("'{}' op cannot infer a type from '{}'", self.info.name, cx.ty(first));
                            return Err(self.p.syntax_error_at(loc, message));
                        }
                    }
                    None => None,
                }
            }
            TypeSource::Range(from, transform) => {
                let first = self.reading.types(*from).and_then(|types| types.first().copied());
                let Some(first) = first else { return Ok(()) };
                self.check_source(*from, first, loc)?;
                if let Some(types) = transform(cx.ty(first)) {
                    self.reading.set_types(slot, types);
                }
                return Ok(());
            }
        };
        if let Some(ty) = one {
            self.reading.set_types(slot, std::iter::repeat_n(ty, count));
        }
        Ok(())
    }

    /// Checks the type that others are inferred from.
    fn check_source(&mut self, slot: TypeSlot, ty: Type, loc: Loc) -> Parsed<()> {
        let Some(value) = slot.def(self.def) else { return Ok(()) };
        let cx = self.p.cx();
        if value.constraint.matches(cx.ty(ty)) {
            return Ok(());
        }
        let message = format!("'{}' must be {}, but got '{}'", value.name, value.constraint.summary, cx.ty(ty));
        Err(self.p.error_at(loc, message))
    }

    fn resolve(&mut self, index: usize, loc: Loc) -> Parsed<()> {
        let names = self.reading.names(index);
        match self.reading.types(TypeSlot::Operand(index)) {
            Some(types) if types.len() == names.len() => {
                names.iter().zip(types).try_for_each(|(&name, &ty)| self.p.resolve_operand(name, ty, self.state))
            }
            Some(types) => {
                let message = format!(
                    "number of operands and types do not match: got {} operands and {} types",
                    names.len(),
                    types.len()
                );
                Err(self.p.error_at(loc, message))
            }
            None => {
                // The type is that of the definition, which must come before.
                for &name in names {
                    let Some(value) = self.p.find_value(name) else {
                        let operand = &self.def.operands[index].name;
                        let message = format!(
                            "cannot infer the type of operand '{operand}': {} is not defined yet",
                            self.p.operand_text(name)
                        );
                        return Err(self.p.error_at(name.loc, message));
                    };
                    self.state.operands.push(value);
                }
                Ok(())
            }
        }
    }

    fn results(&mut self, loc: Loc) -> Parsed<()> {
        let defs = &self.def.results;
        let missing = |i: usize| self.reading.run(TypeSlot::Result(i)).is_none();
        if (0..defs.len()).any(missing) {
            if let Some(hook) = self.info.hooks.infer_types {
                match hook(self.p.cx(), self.p.ir(), self.state) {
                    Ok(types) => self.state.results = types,
                    Err(message) => {
                        return Err(self.p.syntax_error_at(loc, format!("'{}' op {message}", self.info.name)));
                    }
                }
                return Ok(());
            }
            if let Some(i) = (0..defs.len()).find(|&i| missing(i) && defs[i].arity == Arity::Single) {
                let message = format!(
                    "unsupported: the type of result '{}' of '{}' cannot be inferred",
                    defs[i].name, self.info.name
                );
                return Err(self.p.error_at(loc, message));
            }
        }
        let types = |i: usize| self.reading.types(TypeSlot::Result(i)).unwrap_or_default();
        for i in 0..defs.len() {
            self.state.results.extend_from_slice(types(i));
        }
        if let Some(name) = self.format.result_segments {
            let sizes: SmallVec<[i32; 4]> = (0..defs.len()).map(|i| types(i).len() as i32).collect();
            self.state.set_attr(name, self.p.cx().dense_i32_array(&sizes));
        }
        Ok(())
    }
}

fn is_empty_literal(element: &Element) -> bool {
    matches!(element, Element::Literal { text, .. } if text.is_empty())
}
