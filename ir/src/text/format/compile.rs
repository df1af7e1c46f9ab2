//! From the text of a format to its elements.

use super::steps::Steps;
use super::{Anchor, Arg, Clause, CompiledFormat, Element, TypeSlot, TypeSource};
use crate::context::Context;
use crate::dialect::OpInfo;
use crate::opdef::{Arity, AttrDef, AttrForm, Format, OpDef, Trait};
use crate::text::lexer::kind_of_punctuation;

/// Compiles the declarative format of `info`.
pub(super) fn compile(cx: &Context, info: &OpInfo) -> Result<CompiledFormat, String> {
    let fault = |message: String| format!("format of '{}': {message}", info.name);
    let def = info.def.as_deref().ok_or_else(|| fault("not registered".into()))?;
    let Format::Declarative(text) = &def.format else { return Err(fault("not declarative".into())) };
    let mut compiler =
        Compiler { cx, info, def, tokens: tokens(text).map_err(fault)?, at: 0, space: true, punctuation: false };
    let elements = compiler.elements(&[]).map_err(fault)?;
    let mut written = Written::default();
    written.collect(&elements);
    let attr_names = info.attr_names(cx);
    let mut elided: Vec<_> = written.attrs.iter().map(|&i| attr_names[i]).collect();
    let segments = |flag: &Trait, name: &str| info.has_trait(flag).then(|| cx.ident(name));
    let operand_segments = segments(&Trait::AttrSizedOperandSegments, "operandSegmentSizes");
    let result_segments = segments(&Trait::AttrSizedResultSegments, "resultSegmentSizes");
    elided.extend(def.operands.iter().filter_map(|operand| match operand.arity {
        Arity::Groups(sizes) => Some(cx.ident(sizes)),
        _ => None,
    }));
    elided.extend(operand_segments);
    elided.extend(result_segments);
    let inference = infer(cx, info, def, &written);
    let attr_type = |attr: &AttrDef| match &attr.constraint.form {
        AttrForm::Typed(text) | AttrForm::DenseArray(text) => {
            crate::text::parse_type(cx, text).map(Some).map_err(|error| fault(error.message))
        }
        _ => Ok(None),
    };
    let attr_types = def.attrs.iter().map(attr_type).collect::<Result<_, _>>()?;
    let has_properties = elements.iter().any(|element| matches!(element, Element::PropDict { .. }));
    let properties: &[_] = if has_properties { attr_names } else { &[] };
    let elided_from_dict = elided.iter().chain(properties).copied().collect();
    let steps = Steps::new(info, def, attr_names, [operand_segments, result_segments], &elements);
    let plan = super::plan::plan(info, &elements, &inference);
    Ok(CompiledFormat {
        elements,
        steps,
        elided,
        elided_from_dict,
        inference,
        attr_types,
        operand_segments,
        result_segments,
        plan,
    })
}

/// A token of a format.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    Literal(String),
    Variable(String),
    Word(String),
    Text(String),
    Punctuation(char),
}

/// Splits a format into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut rest = text;
    let word_end = |s: &str| s.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(s.len());
    while let Some(c) = rest.chars().next() {
        match c {
            c if c.is_whitespace() => rest = &rest[c.len_utf8()..],
            '`' => {
                let end = rest[1..].find('`').ok_or("a literal has no end")?;
                out.push(Token::Literal(rest[1..=end].to_owned()));
                rest = &rest[end + 2..];
            }
            '"' => {
                let end = rest[1..].find('"').ok_or("a string has no end")?;
                out.push(Token::Text(rest[1..=end].to_owned()));
                rest = &rest[end + 2..];
            }
            '$' => {
                let end = 1 + word_end(&rest[1..]);
                out.push(Token::Variable(rest[1..end].to_owned()));
                rest = &rest[end..];
            }
            c if c.is_alphabetic() || c == '_' => {
                let end = word_end(rest);
                out.push(Token::Word(rest[..end].to_owned()));
                rest = &rest[end..];
            }
            c => {
                out.push(Token::Punctuation(c));
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    Ok(out)
}

struct Compiler<'a> {
    cx: &'a Context,
    info: &'a OpInfo,
    def: &'a OpDef,
    tokens: Vec<Token>,
    at: usize,
    /// Whether the next element has a space before it, and whether the last one was punctuation: upstream's rules.
    space: bool,
    punctuation: bool,
}

/// What a `$name` is.
enum Variable {
    Operand(usize),
    Result(usize),
    Attr(usize),
    Region(usize),
    Successor(usize),
}

type Compiled<T> = Result<T, String>;

impl Compiler<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn is(&self, c: char) -> bool {
        self.peek() == Some(&Token::Punctuation(c))
    }

    fn accept(&mut self, c: char) -> bool {
        let found = self.is(c);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, c: char) -> Compiled<()> {
        if self.accept(c) { Ok(()) } else { Err(format!("expected `{c}`, found {:?}", self.peek())) }
    }

    /// Elements up to one of `ends` or the end of the text.
    fn elements(&mut self, ends: &[char]) -> Compiled<Vec<Element>> {
        let mut list = Vec::new();
        while let Some(token) = self.peek() {
            if matches!(token, Token::Punctuation(c) if ends.contains(c)) {
                break;
            }
            self.element(&mut list)?;
        }
        Ok(list)
    }

    fn element(&mut self, list: &mut Vec<Element>) -> Compiled<()> {
        match self.next() {
            Some(Token::Literal(text)) => list.push(self.literal(&text)),
            Some(Token::Variable(name)) => {
                let element = self.variable(&name, false)?;
                list.push(element);
            }
            Some(Token::Word(word)) => {
                let element = self.directive(&word)?;
                list.push(element);
            }
            Some(Token::Punctuation('(')) => {
                let element = self.optional()?;
                list.push(element);
            }
            other => return Err(format!("unexpected {other:?}")),
        }
        Ok(())
    }

    fn literal(&mut self, text: &str) -> Element {
        match text {
            "" => {
                (self.space, self.punctuation) = (false, true);
                return Element::Literal { text: "".into(), token: None, space: false };
            }
            " " => {
                (self.space, self.punctuation) = (false, false);
                return Element::Space;
            }
            "\\n" => {
                return Element::Newline;
            }
            _ => {}
        }
        let first = text.chars().next().unwrap_or(' ');
        let single = text.len() == 1;
        let before = if !single && text != "->" {
            true
        } else if self.punctuation {
            !">)}],".contains(first)
        } else {
            !"<>(){}[],".contains(first)
        };
        let space = self.space && before;
        self.space = !single || !"<({[".contains(first);
        self.punctuation = first != '_' && !first.is_ascii_alphabetic();
        Element::Literal { text: text.into(), token: kind_of_punctuation(text), space }
    }

    /// Whether an element that is no literal has a space before it.
    fn take_space(&mut self) -> bool {
        let space = self.space || !self.punctuation;
        (self.space, self.punctuation) = (true, false);
        space
    }

    fn find(&self, name: &str) -> Compiled<Variable> {
        let def = self.def;
        def.operands
            .iter()
            .position(|o| o.name == name)
            .map(Variable::Operand)
            .or_else(|| def.results.iter().position(|r| r.name == name).map(Variable::Result))
            .or_else(|| def.attrs.iter().position(|a| a.name == name).map(Variable::Attr))
            .or_else(|| def.regions.iter().position(|r| r.name == name).map(Variable::Region))
            .or_else(|| def.successors.iter().position(|s| s.name == name).map(Variable::Successor))
            .ok_or_else(|| format!("`${name}` is not declared"))
    }

    fn variable(&mut self, name: &str, qualified: bool) -> Compiled<Element> {
        let found = self.find(name)?;
        let unit = |i: usize| matches!(self.def.attrs[i].constraint.form, AttrForm::Unit);
        // A unit attribute is never written: it takes no space either.
        let space = match found {
            Variable::Attr(i) if unit(i) => false,
            _ => self.take_space(),
        };
        Ok(match found {
            Variable::Operand(index) => Element::Operand { index, space },
            Variable::Attr(index) => Element::Attr { index, space, qualified },
            Variable::Region(index) => {
                Element::Region { index, space, variadic: self.def.regions[index].variadic, decides: false }
            }
            Variable::Successor(index) => {
                Element::Successor { index, space, variadic: self.def.successors[index].variadic }
            }
            Variable::Result(_) => return Err(format!("result `${name}` stands outside of a type directive")),
        })
    }

    fn directive(&mut self, word: &str) -> Compiled<Element> {
        Ok(match word {
            "attr-dict" | "attr-dict-with-keyword" => {
                self.punctuation = false;
                Element::AttrDict { keyword: word == "attr-dict-with-keyword" }
            }
            "prop-dict" => Element::PropDict { space: self.take_space() },
            "operands" => Element::Operands { space: self.take_space() },
            "regions" => Element::Regions { space: self.take_space() },
            "successors" => Element::Successors { space: self.take_space() },
            "type" => {
                let slot = self.type_slot_in_parens()?;
                Element::Type { slot, space: self.take_space() }
            }
            "functional-type" => {
                self.expect('(')?;
                let inputs = self.type_slot()?;
                self.expect(',')?;
                let results = self.type_slot()?;
                self.expect(')')?;
                Element::FunctionalType { inputs, results, space: self.take_space() }
            }
            "qualified" => {
                self.expect('(')?;
                let element = match self.next() {
                    Some(Token::Variable(name)) => self.variable(&name, true)?,
                    Some(Token::Word(word)) if word == "type" => {
                        let slot = self.type_slot_in_parens()?;
                        Element::Type { slot, space: self.take_space() }
                    }
                    other => return Err(format!("unexpected {other:?} in qualified(...)")),
                };
                self.expect(')')?;
                element
            }
            "custom" => self.custom()?,
            "oilist" => self.any_order()?,
            other => return Err(format!("unknown directive `{other}`")),
        })
    }

    fn type_slot_in_parens(&mut self) -> Compiled<TypeSlot> {
        self.expect('(')?;
        let slot = self.type_slot()?;
        self.expect(')')?;
        Ok(slot)
    }

    fn type_slot(&mut self) -> Compiled<TypeSlot> {
        match self.next() {
            Some(Token::Variable(name)) => match self.find(&name)? {
                Variable::Operand(i) => Ok(TypeSlot::Operand(i)),
                Variable::Result(i) => Ok(TypeSlot::Result(i)),
                _ => Err(format!("`${name}` has no type")),
            },
            Some(Token::Word(word)) if word == "operands" => Ok(TypeSlot::Operands),
            Some(Token::Word(word)) if word == "results" => Ok(TypeSlot::Results),
            other => Err(format!("unexpected {other:?} in a type directive")),
        }
    }

    fn custom(&mut self) -> Compiled<Element> {
        self.expect('<')?;
        let Some(Token::Word(name)) = self.next() else { return Err("a custom directive has no name".into()) };
        self.expect('>')?;
        self.expect('(')?;
        let mut args = Vec::new();
        while !self.accept(')') {
            args.push(self.arg()?);
            if !self.accept(',') {
                self.expect(')')?;
                break;
            }
        }
        let dialect = self.cx.dialect(self.info.dialect());
        let directive = dialect.and_then(|d| d.directives.get(name.as_str())).copied();
        let directive = directive.ok_or_else(|| format!("unsupported: custom<{name}> has no implementation"))?;
        Ok(Element::Custom { directive, args, space: self.take_space() })
    }

    fn arg(&mut self) -> Compiled<Arg> {
        Ok(match self.next() {
            Some(Token::Variable(name)) => match self.find(&name)? {
                Variable::Operand(i) => Arg::Operand(i),
                Variable::Attr(i) => Arg::Attr(i),
                Variable::Region(i) => Arg::Region(i),
                Variable::Successor(i) => Arg::Successor(i),
                Variable::Result(_) => return Err(format!("result `${name}` as an argument")),
            },
            Some(Token::Text(text)) => Arg::Text(text.into()),
            Some(Token::Word(word)) => match word.as_str() {
                "type" => Arg::Type(self.type_slot_in_parens()?),
                "ref" | "qualified" => {
                    self.expect('(')?;
                    let inner = self.arg()?;
                    self.expect(')')?;
                    if word == "ref" { Arg::Ref(Box::new(inner)) } else { inner }
                }
                "attr-dict" => Arg::AttrDict,
                "prop-dict" => Arg::PropDict,
                other => return Err(format!("unexpected `{other}` as an argument")),
            },
            other => return Err(format!("unexpected {other:?} as an argument")),
        })
    }

    /// After `(`: `elements )?` or `elements ) : ( elements )?`. `^` marks the anchor.
    fn optional(&mut self) -> Compiled<Element> {
        let mut then = Vec::new();
        let mut anchor = None;
        while !self.accept(')') {
            self.element(&mut then)?;
            if self.accept('^') {
                anchor = then.last().and_then(|e| self.anchor(e));
                if anchor.is_none() {
                    return Err("an anchor decides nothing".into());
                }
            }
            if self.peek().is_none() {
                return Err("an optional group has no end".into());
            }
        }
        let mut otherwise = Vec::new();
        if self.accept(':') {
            self.expect('(')?;
            while !self.accept(')') {
                self.element(&mut otherwise)?;
                if self.accept('^') {
                    return Err("an anchor in the other half of an optional group".into());
                }
                if self.peek().is_none() {
                    return Err("an optional group has no end".into());
                }
            }
        }
        self.expect('?')?;
        let anchor = anchor.ok_or("an optional group has no anchor")?;
        if let Some(Element::Region { decides, .. }) = then.first_mut() {
            *decides = true;
        }
        Ok(Element::Optional { then, otherwise, anchor })
    }

    fn anchor(&self, element: &Element) -> Option<Anchor> {
        let slot = |slot: TypeSlot| match slot {
            TypeSlot::Operand(i) => Some(Anchor::Operand(i)),
            TypeSlot::Result(i) => Some(Anchor::Result(i)),
            TypeSlot::Operands => Some(Anchor::Any((0..self.def.operands.len()).map(Anchor::Operand).collect())),
            TypeSlot::Results => Some(Anchor::Any((0..self.def.results.len()).map(Anchor::Result).collect())),
        };
        match element {
            Element::Operand { index, .. } => Some(Anchor::Operand(*index)),
            Element::Operands { .. } => slot(TypeSlot::Operands),
            Element::Attr { index, .. } => Some(self.attr_anchor(*index)),
            Element::Region { index, .. } => Some(Anchor::Region(*index)),
            Element::Successor { index, .. } => Some(Anchor::Successor(*index)),
            Element::Type { slot: s, .. } => slot(*s),
            Element::FunctionalType { inputs, results, .. } => {
                Some(Anchor::Any([slot(*inputs), slot(*results)].into_iter().flatten().collect()))
            }
            Element::Custom { args, .. } => {
                let of = |arg: &Arg| match arg {
                    Arg::Operand(i) => Some(Anchor::Operand(*i)),
                    Arg::Attr(i) => Some(self.attr_anchor(*i)),
                    Arg::Region(i) => Some(Anchor::Region(*i)),
                    Arg::Type(s) => slot(*s),
                    _ => None,
                };
                Some(Anchor::Any(args.iter().filter_map(of).collect()))
            }
            _ => None,
        }
    }

    fn attr_anchor(&self, index: usize) -> Anchor {
        Anchor::Attr { index, unit: matches!(self.def.attrs[index].constraint.form, AttrForm::Unit) }
    }

    fn any_order(&mut self) -> Compiled<Element> {
        self.expect('(')?;
        let mut clauses = Vec::new();
        loop {
            let Some(Token::Literal(keyword)) = self.next() else {
                return Err("a clause of oilist has no keyword".into());
            };
            let Element::Literal { space, .. } = self.literal(&keyword) else {
                return Err("a clause is a space".into());
            };
            let elements = self.elements(&['|', ')'])?;
            let anchors = elements.iter().filter_map(|e| self.anchor(e)).collect();
            clauses.push(Clause { keyword: keyword.into(), space, elements, anchors });
            if !self.accept('|') {
                break;
            }
        }
        self.expect(')')?;
        Ok(Element::AnyOrder { clauses })
    }
}

/// What a format writes.
#[derive(Default)]
struct Written {
    attrs: Vec<usize>,
    types: Vec<TypeSlot>,
}

impl Written {
    fn collect(&mut self, elements: &[Element]) {
        for element in elements {
            match element {
                Element::Attr { index, .. } => self.attrs.push(*index),
                Element::Type { slot, .. } => self.types.push(*slot),
                Element::FunctionalType { inputs, results, .. } => self.types.extend([*inputs, *results]),
                Element::Custom { args, .. } => args.iter().for_each(|arg| self.arg(arg)),
                Element::Optional { then, otherwise, anchor } => {
                    self.anchor(anchor);
                    self.collect(then);
                    self.collect(otherwise);
                }
                Element::AnyOrder { clauses } => clauses.iter().for_each(|c| {
                    self.collect(&c.elements);
                    c.anchors.iter().for_each(|a| self.anchor(a));
                }),
                _ => {}
            }
        }
    }

    fn anchor(&mut self, anchor: &Anchor) {
        if let Anchor::Attr { index, unit: true } = anchor {
            self.attrs.push(*index);
        }
    }

    fn arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Attr(i) => self.attrs.push(*i),
            Arg::Type(slot) => self.types.push(*slot),
            _ => {}
        }
    }

    fn has(&self, slot: TypeSlot) -> bool {
        self.types.contains(&slot)
            || (matches!(slot, TypeSlot::Operand(_)) && self.types.contains(&TypeSlot::Operands))
            || (matches!(slot, TypeSlot::Result(_)) && self.types.contains(&TypeSlot::Results))
    }
}

/// How the types that are not written follow, in an order in which each needs only earlier ones. What does not follow is
/// left to the inference hook, or is an error of the text.
fn infer(cx: &Context, info: &OpInfo, def: &OpDef, written: &Written) -> Vec<(TypeSlot, TypeSource)> {
    let slots: Vec<TypeSlot> =
        (0..def.operands.len()).map(TypeSlot::Operand).chain((0..def.results.len()).map(TypeSlot::Result)).collect();
    let mut known: Vec<TypeSlot> = slots.iter().copied().filter(|&s| written.has(s)).collect();
    let mut plan = Vec::new();
    loop {
        let mut progress = false;
        for &slot in &slots {
            if known.contains(&slot) {
                continue;
            }
            if let Some(source) = source(cx, info, def, slot, &known) {
                plan.push((slot, source));
                known.push(slot);
                progress = true;
            }
        }
        if !progress {
            return plan;
        }
    }
}

fn source(cx: &Context, info: &OpInfo, def: &OpDef, slot: TypeSlot, known: &[TypeSlot]) -> Option<TypeSource> {
    let value = match slot {
        TypeSlot::Operand(i) => &def.operands[i],
        TypeSlot::Result(i) => &def.results[i],
        _ => return None,
    };
    if let Some(text) = value.constraint.buildable.as_deref()
        && let Ok(ty) = crate::text::parse_type(cx, text)
    {
        return Some(TypeSource::Only(ty));
    }
    let slot_named = |name: &str| {
        let operand = def.operands.iter().position(|o| o.name == name).map(TypeSlot::Operand);
        operand.or_else(|| def.results.iter().position(|r| r.name == name).map(TypeSlot::Result))
    };
    let known_named = |name: &str| slot_named(name).filter(|s| known.contains(s));
    let attr_named = |name: &str| def.attrs.iter().position(|a| a.name == name);
    for each in def.traits.iter() {
        match each {
            Trait::AllTypesMatch(names) if names.contains(&value.name) => {
                let others = || names.iter().filter(|n| **n != value.name);
                if let Some(other) = others().find_map(|n| known_named(n)) {
                    return Some(TypeSource::Same(other));
                }
                if let Some(attr) = others().find_map(|n| attr_named(n)) {
                    return Some(TypeSource::OfAttr(attr, None));
                }
            }
            Trait::TypesMatchWith { from, to, transform, .. } if *to == value.name => {
                if let Some(from) = known_named(from) {
                    return Some(TypeSource::From(from, *transform));
                }
                if let Some(attr) = attr_named(from) {
                    return Some(TypeSource::OfAttr(attr, Some(*transform)));
                }
            }
            Trait::RangedTypesMatchWith { from, to, transform, .. } if *to == value.name => {
                if let Some(from) = known_named(from) {
                    return Some(TypeSource::Range(from, *transform));
                }
            }
            _ => {}
        }
    }
    let first = |results: bool| {
        known
            .iter()
            .copied()
            .find(|s| matches!(s, TypeSlot::Operand(_)) || (results && matches!(s, TypeSlot::Result(_))))
    };
    if info.has_trait(&Trait::SameOperandsAndResultType) {
        return first(true).map(TypeSource::Same);
    }
    if info.has_trait(&Trait::SameTypeOperands) && matches!(slot, TypeSlot::Operand(_)) {
        return first(false).map(TypeSource::Same);
    }
    None
}
