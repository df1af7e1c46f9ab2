//! Types and attributes of dialects: one engine reads and prints any of them from its parameters and format.
//!
//! Source of the language: the MLIR documentation "Defining Dialect Attributes and Types", "Declarative Assembly Format".

use smallvec::SmallVec;

use super::compile::{Token, tokens};
use crate::attributes::Attr;
use crate::context::Context;
use crate::opdef::Format;
use crate::text::parser::TokenKind;
use crate::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use crate::typedef::{ParamDef, ParamKind, ParamPresence};

/// Reads and prints a `custom<Name>(...)` part of such a format, or a parameter with [`ParamKind::Hook`].
#[derive(Clone, Copy)]
pub struct ParamHook {
    /// Fills the arguments; those of `ref(...)` are there already.
    pub parse: fn(&mut OpParser<'_>, &mut [Option<Attr>]) -> Parsed<()>,
    /// Prints them.
    pub print: fn(&[Attr], &mut AsmPrinter<'_>),
}

/// The format of a dialect type or attribute, compiled.
pub struct ParamFormat {
    elements: Vec<Element>,
}

enum Element {
    Literal {
        text: Box<str>,
        space: bool,
    },
    Space,
    /// With `qualified` its attributes are printed in full.
    Param {
        index: usize,
        space: bool,
        qualified: bool,
    },
    /// `params`: all, with commas between.
    Params {
        indices: Vec<usize>,
        space: bool,
    },
    /// `struct(...)`: `name = value` in any order.
    Struct {
        indices: Vec<usize>,
        space: bool,
    },
    Custom {
        name: Box<str>,
        args: Vec<(usize, bool)>,
        space: bool,
    },
    /// `then` is there when a parameter of `anchor` is; the other way round where `inverted`.
    Optional {
        then: Vec<Element>,
        otherwise: Vec<Element>,
        anchor: Vec<usize>,
        inverted: bool,
    },
}

impl ParamFormat {
    /// Compiles the declarative format of parameters `params`.
    pub(crate) fn compile(params: &[ParamDef], format: &Format) -> Result<Self, String> {
        let Format::Declarative(text) = format else { return Ok(Self { elements: Vec::new() }) };
        let mut compiler = Compiler { params, tokens: tokens(text)?, at: 0, space: true, punctuation: false };
        Ok(Self { elements: compiler.elements(&[])? })
    }
}

struct Compiler<'a> {
    params: &'a [ParamDef],
    tokens: Vec<Token>,
    at: usize,
    space: bool,
    punctuation: bool,
}

impl Compiler<'_> {
    fn accept(&mut self, c: char) -> bool {
        let found = self.tokens.get(self.at) == Some(&Token::Punctuation(c));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, c: char) -> Result<(), String> {
        if self.accept(c) { Ok(()) } else { Err(format!("expected `{c}`, found {:?}", self.tokens.get(self.at))) }
    }

    fn param(&self, name: &str) -> Result<usize, String> {
        self.params.iter().position(|p| p.name == name).ok_or_else(|| format!("`${name}` is not declared"))
    }

    fn elements(&mut self, ends: &[char]) -> Result<Vec<Element>, String> {
        let mut list = Vec::new();
        while let Some(token) = self.tokens.get(self.at) {
            if matches!(token, Token::Punctuation(c) if ends.contains(c)) {
                break;
            }
            let element = self.element()?;
            list.push(element);
        }
        Ok(list)
    }

    fn take_space(&mut self) -> bool {
        let space = self.space || !self.punctuation;
        (self.space, self.punctuation) = (true, false);
        space
    }

    fn element(&mut self) -> Result<Element, String> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        match token {
            Some(Token::Literal(text)) => Ok(self.literal(&text)),
            Some(Token::Variable(name)) => {
                let index = self.param(&name)?;
                Ok(Element::Param { index, space: self.take_space(), qualified: false })
            }
            Some(Token::Word(word)) => self.directive(&word),
            Some(Token::Punctuation('(')) => self.optional(),
            other => Err(format!("unexpected {other:?}")),
        }
    }

    fn literal(&mut self, text: &str) -> Element {
        match text {
            "" => {
                (self.space, self.punctuation) = (false, true);
                return Element::Literal { text: "".into(), space: false };
            }
            " " => {
                (self.space, self.punctuation) = (false, true);
                return Element::Space;
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
        Element::Literal { text: text.into(), space }
    }

    fn directive(&mut self, word: &str) -> Result<Element, String> {
        let all = || (0..self.params.len()).collect::<Vec<_>>();
        match word {
            "params" => {
                let indices = all();
                Ok(Element::Params { indices, space: self.take_space() })
            }
            "struct" => {
                self.expect('(')?;
                let mut indices = Vec::new();
                while !self.accept(')') {
                    match self.tokens.get(self.at).cloned() {
                        Some(Token::Word(word)) if word == "params" => indices = all_of(self.params),
                        Some(Token::Variable(name)) => indices.push(self.param(&name)?),
                        other => return Err(format!("unexpected {other:?} in struct(...)")),
                    }
                    self.at += 1;
                    self.accept(',');
                }
                Ok(Element::Struct { indices, space: self.take_space() })
            }
            "qualified" => {
                self.expect('(')?;
                let mut element = self.element()?;
                if let Element::Param { qualified, .. } = &mut element {
                    *qualified = true;
                }
                self.expect(')')?;
                Ok(element)
            }
            "custom" => self.custom(),
            other => Err(format!("unknown directive `{other}`")),
        }
    }

    fn custom(&mut self) -> Result<Element, String> {
        self.expect('<')?;
        let Some(Token::Word(name)) = self.tokens.get(self.at).cloned() else {
            return Err("a custom directive has no name".into());
        };
        self.at += 1;
        self.expect('>')?;
        self.expect('(')?;
        let mut args = Vec::new();
        while !self.accept(')') {
            match self.tokens.get(self.at).cloned() {
                Some(Token::Variable(name)) => {
                    self.at += 1;
                    args.push((self.param(&name)?, false));
                }
                Some(Token::Word(word)) if word == "ref" => {
                    self.at += 1;
                    self.expect('(')?;
                    let Some(Token::Variable(name)) = self.tokens.get(self.at).cloned() else {
                        return Err("ref(...) of no parameter".into());
                    };
                    self.at += 1;
                    self.expect(')')?;
                    args.push((self.param(&name)?, true));
                }
                other => return Err(format!("unexpected {other:?} as an argument")),
            }
            self.accept(',');
        }
        Ok(Element::Custom { name: name.into(), args, space: self.take_space() })
    }

    /// After `(`: `elements )?` or `elements ) : ( elements )?`. `^` marks the anchor, in either half.
    fn optional(&mut self) -> Result<Element, String> {
        let spacing = (self.space, self.punctuation);
        let (then, mut anchor) = self.half()?;
        let (mut otherwise, mut inverted) = (Vec::new(), false);
        if self.accept(':') {
            self.expect('(')?;
            (self.space, self.punctuation) = spacing;
            let (elements, other_anchor) = self.half()?;
            inverted = !other_anchor.is_empty();
            if inverted {
                anchor = other_anchor;
            }
            otherwise = elements;
        }
        self.expect('?')?;
        if anchor.is_empty() {
            anchor = then.iter().flat_map(anchors).collect();
        }
        Ok(Element::Optional { then, otherwise, anchor, inverted })
    }

    /// Elements up to `)`, and what the anchor among them is.
    fn half(&mut self) -> Result<(Vec<Element>, Vec<usize>), String> {
        let (mut elements, mut anchor) = (Vec::new(), Vec::new());
        while !self.accept(')') {
            let element = self.element()?;
            if self.accept('^') {
                anchor = anchors(&element);
            }
            elements.push(element);
            if self.at >= self.tokens.len() {
                return Err("an optional group has no end".into());
            }
        }
        Ok((elements, anchor))
    }
}

fn all_of(params: &[ParamDef]) -> Vec<usize> {
    (0..params.len()).collect()
}

fn anchors(element: &Element) -> Vec<usize> {
    match element {
        Element::Param { index, .. } => vec![*index],
        Element::Params { indices, .. } | Element::Struct { indices, .. } => indices.clone(),
        Element::Custom { args, .. } => args.iter().filter(|a| !a.1).map(|a| a.0).collect(),
        Element::Optional { anchor, .. } => anchor.clone(),
        Element::Literal { .. } | Element::Space => Vec::new(),
    }
}

/// Reads the parameters of one type or attribute.
pub(crate) struct ParamReader<'f> {
    /// `dialect.mnemonic`, for messages.
    pub(crate) name: &'f str,
    pub(crate) params: &'f [ParamDef],
    pub(crate) format: &'f ParamFormat,
}

type Values = SmallVec<[Option<Attr>; 4]>;

impl ParamReader<'_> {
    /// All parameters, defaults included.
    pub(crate) fn parse(&self, p: &mut OpParser<'_>) -> Parsed<Vec<Attr>> {
        let mut values: Values = SmallVec::from_elem(None, self.params.len());
        self.elements(&self.format.elements, p, &mut values)?;
        let mut all = Vec::with_capacity(values.len());
        for (value, param) in values.into_iter().zip(self.params) {
            all.push(match (value, &param.presence) {
                (Some(value), _) => value,
                (None, ParamPresence::Optional) => p.cx().unit_attr(),
                (None, ParamPresence::Default(text)) => self.default(p.cx(), param, text).map_err(|m| p.error(m))?,
                (None, ParamPresence::Required) => {
                    let message = format!("'{}' misses its parameter '{}'", self.name, param.name);
                    return Err(p.error(message));
                }
            });
        }
        Ok(all)
    }

    fn default(&self, cx: &Context, param: &ParamDef, text: &str) -> Result<Attr, String> {
        default_value(cx, param, text).map_err(|m| format!("default of '{}' of '{}': {m}", param.name, self.name))
    }

    fn elements(&self, elements: &[Element], p: &mut OpParser<'_>, values: &mut Values) -> Parsed<()> {
        elements.iter().try_for_each(|element| self.element(element, p, values))
    }

    fn element(&self, element: &Element, p: &mut OpParser<'_>, values: &mut Values) -> Parsed<()> {
        match element {
            Element::Literal { text, .. } => p.parse_format_literal(text),
            Element::Space => Ok(()),
            Element::Param { index, .. } => {
                values[*index] = Some(parse_value(p, &self.params[*index].kind)?);
                Ok(())
            }
            Element::Params { indices, .. } => {
                for (i, &index) in indices.iter().enumerate() {
                    if i > 0 && !p.parse_optional_comma() {
                        break;
                    }
                    values[index] = Some(parse_value(p, &self.params[index].kind)?);
                }
                Ok(())
            }
            Element::Struct { indices, .. } => self.fields(indices, p, values),
            Element::Custom { name, args, .. } => {
                let Some(hook) = p.cx().param_hook(self.name, name) else {
                    return Err(
                        p.error(format!("unsupported: custom<{name}> of '{}' has no implementation", self.name))
                    );
                };
                let mut given: SmallVec<[Option<Attr>; 4]> = args.iter().map(|&(index, _)| values[index]).collect();
                (hook.parse)(p, &mut given)?;
                for (&(index, known), value) in args.iter().zip(given) {
                    if !known {
                        values[index] = value;
                    }
                }
                Ok(())
            }
            Element::Optional { then, otherwise, .. } => {
                let here = then.iter().find(|e| !matches!(e, Element::Space)).is_some_and(|e| self.starts(e, p));
                self.elements(if here { then } else { otherwise }, p, values)
            }
        }
    }

    /// `name = value, ...` in any order, each at most once.
    fn fields(&self, indices: &[usize], p: &mut OpParser<'_>, values: &mut Values) -> Parsed<()> {
        if p.token_word().is_none() {
            return Ok(());
        }
        loop {
            let word = p.parse_any_keyword()?;
            let index = indices.iter().copied().find(|&i| self.params[i].name == word);
            let Some(index) = index else {
                return Err(p.error(format!("duplicate or unknown struct parameter name: {word}")));
            };
            if values[index].is_some() {
                return Err(p.error(format!("duplicate or unknown struct parameter name: {word}")));
            }
            p.parse_equal()?;
            values[index] = Some(parse_value(p, &self.params[index].kind)?);
            if !p.parse_optional_comma() {
                return Ok(());
            }
        }
    }

    fn starts(&self, element: &Element, p: &OpParser<'_>) -> bool {
        match element {
            Element::Literal { text, .. } => p.at_literal(text),
            Element::Param { index, .. } => match &self.params[*index].kind {
                ParamKind::Type => p.at_type(),
                ParamKind::Int(_) | ParamKind::Uint(_) | ParamKind::BigInt => {
                    matches!(p.token_kind(), TokenKind::Integer | TokenKind::Minus)
                }
                ParamKind::Str => p.token_kind() == TokenKind::String,
                ParamKind::Bool | ParamKind::Enum(_) => p.token_word().is_some(),
                ParamKind::Attr | ParamKind::AttrOf(_) | ParamKind::Array(_) | ParamKind::Hook(_) => {
                    !matches!(p.token_kind(), TokenKind::Greater | TokenKind::RParen | TokenKind::RSquare)
                }
            },
            Element::Struct { .. } => p.token_word().is_some(),
            _ => !matches!(p.token_kind(), TokenKind::Greater | TokenKind::RParen | TokenKind::RSquare),
        }
    }
}

/// The value that `text` writes for `param`.
pub(crate) fn default_value(cx: &Context, param: &ParamDef, text: &str) -> Result<Attr, String> {
    crate::text::parser::parse_with(cx, text, |p| parse_value(p, &param.kind)).map_err(|d| d.message)
}

fn parse_value(p: &mut OpParser<'_>, kind: &ParamKind) -> Parsed<Attr> {
    let cx = p.cx();
    Ok(match kind {
        ParamKind::Attr => p.parse_attribute(None)?,
        ParamKind::AttrOf(name) => p.parse_stripped_attribute(name)?,
        ParamKind::Type => cx.type_attr(p.parse_type()?),
        ParamKind::Bool => match p.parse_any_keyword()? {
            "true" => cx.bool_attr(true),
            "false" => cx.bool_attr(false),
            other => return Err(p.error(format!("expected true or false, got '{other}'"))),
        },
        ParamKind::Int(width) | ParamKind::Uint(width) => {
            let value = p.parse_ap_int_of(*width, matches!(kind, ParamKind::Int(_)))?;
            cx.ap_int_attr(cx.int_type(*width), value)
        }
        ParamKind::BigInt => p.parse_attribute(None)?,
        ParamKind::Str => {
            let text = p.parse_string()?;
            cx.string_attr(&text)
        }
        ParamKind::Enum(def) => cx.i64_attr(p.parse_enum(def)? as i64),
        ParamKind::Array(element) => {
            let mut values = Vec::new();
            if !p.at_list_end() {
                p.parse_comma_separated(Delimiter::None, |p| {
                    values.push(parse_value(p, element)?);
                    Ok(())
                })?;
            }
            cx.array_attr(&values)
        }
        ParamKind::Hook(name) => {
            let Some(hook) = cx.find_param_hook(name) else {
                return Err(p.error(format!("unsupported: parameters of kind '{name}' have no implementation")));
            };
            let mut value = [None];
            (hook.parse)(p, &mut value)?;
            value[0].ok_or_else(|| p.error(format!("a parameter of kind '{name}' was not given")))?
        }
    })
}

/// Prints the parameters of one type or attribute.
pub(crate) struct ParamWriter<'f> {
    /// `dialect.mnemonic`.
    pub(crate) name: &'f str,
    pub(crate) params: &'f [ParamDef],
    pub(crate) format: &'f ParamFormat,
}

impl ParamWriter<'_> {
    pub(crate) fn print(&self, values: &[Attr], p: &mut AsmPrinter<'_>) {
        self.elements(&self.format.elements, values, p);
    }

    fn elements(&self, elements: &[Element], values: &[Attr], p: &mut AsmPrinter<'_>) {
        for element in elements {
            self.element(element, values, p);
        }
    }

    /// Whether a parameter is given: not the absent optional one, not its default.
    fn shown(&self, index: usize, values: &[Attr], p: &AsmPrinter<'_>) -> bool {
        let cx = p.cx();
        match &self.params[index].presence {
            ParamPresence::Required => true,
            ParamPresence::Optional => values[index] != cx.unit_attr(),
            ParamPresence::Default(text) => default_value(cx, &self.params[index], text) != Ok(values[index]),
        }
    }

    fn element(&self, element: &Element, values: &[Attr], p: &mut AsmPrinter<'_>) {
        let gap = |p: &mut AsmPrinter<'_>, space: bool| {
            if space {
                p.text(" ");
            }
        };
        match element {
            Element::Literal { text, space } => {
                gap(p, *space);
                p.text(text);
            }
            Element::Space => p.text(" "),
            Element::Param { index, space, qualified } => {
                if self.shown(*index, values, p) {
                    gap(p, *space);
                    let kind = match &self.params[*index].kind {
                        ParamKind::AttrOf(_) if *qualified => &ParamKind::Attr,
                        ParamKind::Array(ParamKind::AttrOf(_)) if *qualified => &ParamKind::Array(&ParamKind::Attr),
                        kind => kind,
                    };
                    print_value(p, kind, values[*index]);
                }
            }
            Element::Params { indices, space } => {
                gap(p, *space);
                let shown = indices.iter().filter(|&&i| self.shown(i, values, p)).copied().collect::<Vec<_>>();
                for (i, index) in shown.into_iter().enumerate() {
                    if i > 0 {
                        p.text(", ");
                    }
                    print_value(p, &self.params[index].kind, values[index]);
                }
            }
            Element::Struct { indices, space } => {
                gap(p, *space);
                let shown = indices.iter().filter(|&&i| self.shown(i, values, p)).copied().collect::<Vec<_>>();
                for (i, index) in shown.into_iter().enumerate() {
                    if i > 0 {
                        p.text(", ");
                    }
                    p.text(&self.params[index].name);
                    p.text(" = ");
                    print_value(p, &self.params[index].kind, values[index]);
                }
            }
            Element::Custom { name, args, space } => {
                gap(p, *space);
                if let Some(hook) = p.cx().param_hook(self.name, name) {
                    let given: SmallVec<[Attr; 4]> = args.iter().map(|&(index, _)| values[index]).collect();
                    (hook.print)(&given, p);
                }
            }
            Element::Optional { then, otherwise, anchor, inverted } => {
                let shown = anchor.iter().any(|&i| self.shown(i, values, p));
                self.elements(if shown == *inverted { otherwise } else { then }, values, p);
            }
        }
    }
}

fn print_value(p: &mut AsmPrinter<'_>, kind: &ParamKind, value: Attr) {
    let view = p.cx().attr(value);
    match kind {
        ParamKind::Attr | ParamKind::BigInt => p.attr(value),
        ParamKind::AttrOf(_) => p.stripped_attr(value),
        ParamKind::Type => match view.as_type() {
            Some(ty) => p.ty(ty.id()),
            None => p.attr(value),
        },
        ParamKind::Bool => p.text(if view.as_bool() == Some(true) { "true" } else { "false" }),
        ParamKind::Int(_) => p.int(view.as_int().unwrap_or(0)),
        ParamKind::Uint(_) => p.text(&view.as_ap_int().and_then(crate::number::ApInt::to_u64).unwrap_or(0).to_string()),
        ParamKind::Str => p.attr_without_type(value),
        ParamKind::Enum(def) => p.enum_parameter(def, view),
        ParamKind::Array(element) => {
            for (i, each) in view.elements().enumerate() {
                if i > 0 {
                    p.text(", ");
                }
                print_value(p, element, each.id());
            }
        }
        ParamKind::Hook(name) => {
            if let Some(hook) = p.cx().find_param_hook(name) {
                (hook.print)(&[value], p);
            }
        }
    }
}
