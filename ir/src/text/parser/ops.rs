//! Operations: results, the generic form, pretty forms by definition or hook, and resolution of operands.

use std::ops::Range;

use smallvec::SmallVec;

use super::formats::is_integer_type;
use super::scope::{Frame, Key};
use super::{Failed, OpParser, Parsed, Token, TokenKind};
use crate::arena::Arena;
use crate::diagnostics::closest;
use crate::entity::{BlockId, OpId, OpName, ValueId};
use crate::location::Loc;
use crate::opdef::{Format, Trait};
use crate::rewriter::OpState;
use crate::text::CompiledFormat;
use crate::types::Type;

/// An SSA name that has been read but has no type yet: `%name` or `%name#number`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnresolvedOperand {
    /// First byte of the name in the source, after `%`.
    start: u32,
    end: u32,
    /// What follows `#`, 0 where nothing does.
    pub number: u32,
    /// Where it stands.
    pub loc: Loc,
}

impl UnresolvedOperand {
    /// First byte and end of the name in the source, without `%`.
    pub(super) fn span(self) -> (u32, u32) {
        (self.start, self.end)
    }
}

/// The argument of a region: a name with its type.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The name.
    pub name: UnresolvedOperand,
    /// Its type.
    pub ty: Type,
    /// Its attributes, a dictionary, where the form has them (functions).
    pub attrs: Option<crate::Attr>,
    /// Its location, where given.
    pub loc: Option<Loc>,
}

/// One `%name:count` on the left of `=`.
pub(super) struct ResultName {
    start: u32,
    end: u32,
    count: u32,
}

impl ResultName {
    /// First byte and end of the name in the source, without `%`.
    pub(super) fn span(&self) -> (u32, u32) {
        (self.start, self.end)
    }
}

impl<'s> OpParser<'s> {
    pub(super) fn frame(&mut self) -> &mut Frame<'s> {
        self.ops.frames.last_mut().expect("a frame is open while operations are parsed")
    }

    /// The arena that is being filled, to look values up in.
    ///
    /// # Panics
    /// Outside of operations: when an attribute or type is parsed by itself.
    pub fn ir(&self) -> &Arena {
        &self.ops.frames.last().expect("a frame is open while operations are parsed").arena
    }

    /// The type of a value.
    pub fn value_type(&self, value: ValueId) -> Type {
        self.ir().value_type(value)
    }

    /// Parses one operation and appends it to the current block. `names` learns what its results are called, also where the rest
    /// does not parse.
    pub(super) fn parse_operation(&mut self, names: &mut SmallVec<[ResultName; 2]>) -> Parsed<()> {
        let loc = self.loc();
        if self.token_kind() == TokenKind::PercentIdentifier {
            self.parse_result_names(names)?;
        }
        let op = match self.token_kind() {
            TokenKind::String => self.parse_generic_operation(names)?,
            TokenKind::BareIdentifier => self.parse_pretty_operation(names)?,
            _ => return Err(self.expected("expected operation name in quotes")),
        };
        self.define_results(op, names, loc)
    }

    fn parse_result_names(&mut self, names: &mut SmallVec<[ResultName; 2]>) -> Parsed<()> {
        loop {
            let (start, end) = self.token_span();
            if !self.consume_here(TokenKind::PercentIdentifier) {
                return Err(self.expected("expected valid ssa identifier"));
            }
            let mut count = 1;
            if self.consume_if(TokenKind::Colon) {
                let loc = self.loc();
                count = match self.parse_optional_integer()? {
                    Some(n) if n >= 1 => u32::try_from(n).unwrap_or(u32::MAX),
                    Some(_) => {
                        return Err(self.syntax_error_at(loc, "expected named operation to have at least 1 result"));
                    }
                    None => return Err(self.expected("expected integer number of results")),
                };
            }
            names.push(ResultName { start: start + 1, end, count });
            if !self.consume_if(TokenKind::Comma) {
                break;
            }
        }
        if !self.consume_here(TokenKind::Equal) {
            return Err(self.expected("expected '=' after SSA name"));
        }
        Ok(())
    }

    /// Gives the results of `op` their names.
    fn define_results(&mut self, op: OpId, names: &[ResultName], loc: Loc) -> Parsed<()> {
        if names.is_empty() {
            return Ok(());
        }
        let num_results = self.ir().op(op).num_results as usize;
        let named: u64 = names.iter().map(|n| u64::from(n.count)).sum();
        if num_results == 0 {
            return Err(self.syntax_error_at(loc, "cannot name an operation with no results"));
        }
        if named != num_results as u64 {
            let msg = format!("operation defines {num_results} results but was provided {named} to bind");
            return Err(self.syntax_error_at(loc, msg));
        }
        let mut at = 0;
        for name in names {
            let first = self.ir().result(op, at);
            self.define_name(name.span(), first, name.count as usize, false)?;
            at += name.count as usize;
        }
        Ok(())
    }

    /// Binds the name at `span`, without `%`, to `count` values from `first` on, and replaces placeholders of earlier uses.
    #[inline(always)]
    pub(super) fn define_name(
        &mut self,
        span: (u32, u32),
        first: ValueId,
        count: usize,
        is_entry_arg: bool,
    ) -> Parsed<()> {
        let (text, offset) = (self.bytes(), span.0 - 1);
        let (key, old) = self.frame().find(text, span);
        let forward = if is_entry_arg { self.frame().take_forward(key, 0).map(|forward| forward.offset) } else { None };
        if let Some(previous) = forward.or(old.is_defined().then_some(old.offset)) {
            return Err(self.defined_twice(offset, previous, is_entry_arg));
        }
        if self.frame().has_forwards() {
            for i in 0..count {
                let Some(forward) = self.frame().take_forward(key, i as u32) else { continue };
                let value = ValueId::from_index(first.index() + i);
                let (used, defined) = (self.value_type(forward.value), self.value_type(value));
                if used != defined {
                    return Err(self.type_of_definition(offset, i, defined, used, forward.offset));
                }
                let cx = self.cx();
                self.frame().rewriter(cx).replace_all_uses(forward.value, value);
            }
        }
        self.frame().define(key, first, count, offset);
        Ok(())
    }

    /// The name at `at` is taken since `previous`.
    #[cold]
    fn defined_twice(&mut self, at: u32, previous: u32, is_entry_arg: bool) -> Failed {
        let name = self.name_at(at);
        let (message, note) = if is_entry_arg {
            (format!("region entry argument '{name}' is already in use"), "previously referenced here")
        } else {
            (format!("redefinition of SSA value '{name}'"), "previously defined here")
        };
        let failed = self.syntax_error_at(self.loc_at(at as usize), message);
        let previous = self.loc_at(previous as usize);
        self.note_last(previous, note);
        failed
    }

    /// Result `number` of the name at `at` is of type `here`, but was used as one of type `before`.
    fn type_of_definition(&mut self, at: u32, number: usize, here: Type, before: Type, previous: u32) -> Failed {
        let cx = self.cx();
        let msg = format!("definition of SSA value '{}#{number}' has type '{}'", self.name_at(at), cx.ty(here));
        let failed = self.syntax_error_at(self.loc_at(at as usize), msg);
        let previous = self.loc_at(previous as usize);
        self.note_last(previous, format!("previously used here with type '{}'", cx.ty(before)));
        failed
    }

    fn type_conflict(&mut self, at: u32, here: Type, before: Type, previous: u32) -> Failed {
        let cx = self.cx();
        let name = self.name_at(at);
        let msg = format!(
            "use of value '{name}' expects different type than prior uses: '{}' vs '{}'",
            cx.ty(here),
            cx.ty(before)
        );
        let failed = self.syntax_error_at(self.loc_at(at as usize), msg);
        let previous = self.loc_at(previous as usize);
        self.note_last(previous, "prior use here");
        failed
    }

    /// The `%name` that starts at `offset`, for messages.
    fn name_at(&self, offset: u32) -> String {
        let text = &self.bytes()[offset as usize..];
        let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.' | b'-');
        let len = 1 + text.iter().skip(1).take_while(|b| word(b)).count();
        String::from_utf8_lossy(&text[..len.min(text.len())]).into_owned()
    }

    // The generic form.

    fn parse_generic_operation(&mut self, results: &[ResultName]) -> Parsed<OpId> {
        let loc = self.loc();
        let op_name = self.parse_quoted_op_name(loc)?;
        let mut state = OpState::new(op_name, loc);
        self.parse_generic_after_name(&mut state)?;
        self.finish(op_name, &mut state, results, true)
    }

    /// The name of an operation that may be made. A text that was met before is looked up.
    fn parse_quoted_op_name(&mut self, loc: Loc) -> Parsed<OpName> {
        let text = self.token_bytes();
        if let Some(&known) = self.memo.op_names.get(text) {
            self.advance();
            return Ok(known);
        }
        let name = self.parse_string()?;
        if name.is_empty() {
            return Err(self.syntax_error_at(loc, "empty operation name is invalid"));
        }
        if name.contains('\0') {
            return Err(self.syntax_error_at(loc, "null character not allowed in operation name"));
        }
        let op_name = self.cx().op_name(&name);
        self.check_registered(op_name, loc)?;
        self.memo.op_names.insert(text, op_name);
        Ok(op_name)
    }

    /// Everything of the generic form after the name, up to the location.
    fn parse_generic_after_name(&mut self, state: &mut OpState) -> Parsed<()> {
        self.expect(TokenKind::LParen, "expected '(' to start operand list")?;
        let operands = self.parse_operand_list(super::Delimiter::None)?;
        self.expect(TokenKind::RParen, "expected ')' to end operand list")?;
        if self.token_kind() == TokenKind::LSquare {
            let info = self.cx().op_info(state.name(self.cx()));
            if info.is_registered() && !info.has_trait(&Trait::Terminator) {
                return Err(self.syntax_error("successors in non-terminator"));
            }
            self.advance();
            loop {
                let block = self.parse_successor()?;
                state.successors.push(block);
                if !self.consume_if(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RSquare, "expected ',' or ']'")?;
        }
        let properties_loc = self.loc();
        if self.consume_if(TokenKind::Less) {
            self.parse_properties(state, properties_loc)?;
            self.expect(TokenKind::Greater, "expected '>' to close properties")?;
        }
        if self.consume_if(TokenKind::LParen) {
            loop {
                self.parse_region(state, &[])?;
                if !self.consume_if(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RParen, "expected ')' to end region list")?;
        }
        self.parse_optional_attr_dict(state)?;
        self.expect(TokenKind::Colon, "expected ':' followed by operation type")?;
        let types_loc = self.loc();
        if self.token_kind() != TokenKind::LParen {
            return Err(self.syntax_error("expected function type"));
        }
        let (inputs, outputs) = self.parse_function_type_parts()?;
        if inputs.len() != operands.len() {
            let s = if operands.len() == 1 { "" } else { "s" };
            let msg = format!("expected {} operand type{s} but had {}", operands.len(), inputs.len());
            return Err(self.syntax_error_at(types_loc, msg));
        }
        for (operand, ty) in operands.iter().zip(&inputs) {
            let value = self.resolve(*operand, *ty)?;
            state.operands.push(value);
        }
        state.results.extend(outputs);
        self.add_segments(state);
        Ok(())
    }

    /// Sizes of groups of operands or results that are not given are zero.
    fn add_segments(&mut self, state: &mut OpState) {
        let cx = self.cx();
        let info = cx.op_info(state.name(cx));
        let Some(def) = info.def.as_deref() else { return };
        let (operands, results) = (&Trait::AttrSizedOperandSegments, &Trait::AttrSizedResultSegments);
        for (sized, groups, name) in [
            (operands, def.operands.len(), cx.common().operand_segments),
            (results, def.results.len(), cx.common().result_segments),
        ] {
            if info.has_trait(sized) && state.attrs.iter().all(|&(given, _)| given != name) {
                state.set_attr(name, cx.dense_i32_array(&vec![0; groups]));
            }
        }
    }

    /// `{...}` between `<` and `>`: inherent attributes. Unregistered operations keep them as they are.
    fn parse_properties(&mut self, state: &mut OpState, loc: Loc) -> Parsed<()> {
        let cx = self.cx();
        let info = cx.op_info(state.name(cx));
        let attr = self.parse_attribute(None)?;
        if !info.is_registered() {
            state.set_attr(cx.ident(crate::text::PROPERTIES), attr);
            return Ok(());
        }
        if !cx.attr(attr).is_dictionary() {
            return Err(self.syntax_error_at(loc, "expected a dictionary attribute as properties"));
        }
        for &(name, value) in cx.attr(attr).entries() {
            if crate::view::is_inherent(cx, info, name) {
                state.set_attr(name, value);
            } else {
                let msg = format!("'{}' op has no property '{}', which is dropped", info.name, cx.str(name));
                self.warning_at(loc, msg);
            }
        }
        Ok(())
    }

    fn check_registered(&mut self, name: OpName, loc: Loc) -> Parsed<()> {
        let cx = self.cx();
        let info = cx.op_info(name);
        if info.is_registered() {
            return Ok(());
        }
        if cx.accepts_unknown_ops(info.dialect()) {
            return Ok(());
        }
        if let Some(dialect) = cx.dialect(info.dialect()) {
            let msg = format!(
                "unregistered operation '{}' found in dialect ('{}') that does not allow unknown operations",
                info.name, dialect.namespace
            );
            let failed = self.syntax_error_at(loc, msg);
            self.suggest_op(&info.name, loc);
            return Err(failed);
        }
        let hint = "; the registered dialects are listed by --show-dialects";
        let msg = format!(
            "operation being parsed with an unregistered dialect. If this is intended, please use \
             -allow-unregistered-dialect with the MLIR tool used{hint}"
        );
        let failed = self.syntax_error_at(loc, msg);
        self.suggest_op(&info.name, loc);
        Err(failed)
    }

    /// Adds `did you mean 'x'?` to the last error where a registered name is close to `name`.
    fn suggest_op(&mut self, name: &str, loc: Loc) {
        if let Some(best) = closest(name, self.cx().ops_unsorted().map(|op| &*op.name)) {
            self.help_last(loc, format!("did you mean '{best}'?"));
        }
    }

    // Pretty forms.

    fn parse_pretty_operation(&mut self, results: &[ResultName]) -> Parsed<OpId> {
        let loc = self.loc();
        let (word, before) = (self.token, self.previous_end());
        self.advance_here();
        let cx = self.cx();
        let Some(name) = self.find_pretty(word) else {
            let text = self.text_of(word);
            if is_integer_type(text) {
                return Err(self.syntax_error_at(self.loc_at(before), "expected operation name in quotes"));
            }
            return Err(self.unknown_pretty(text, loc));
        };
        let mut state = OpState::new(name, loc);
        let info = cx.op_info(name);
        let Some(def) = info.def.as_deref() else {
            let msg = format!("custom op '{}' is unknown", self.text_of(word));
            return Err(self.syntax_error_at(loc, msg));
        };
        let named = results.iter().fold(0_u32, |n, r| n.saturating_add(r.count));
        let outer = std::mem::replace(&mut self.ops.named_results, named);
        let around = self.ops.custom.replace(name);
        let parsed = self.with_default_dialect(name, |p| match (&def.format, info.hooks.parse) {
            (_, Some(parse)) => parse(p, &mut state),
            (Format::Declarative(_), None) => match CompiledFormat::of(cx, name) {
                Ok(format) => format.parse(p, &mut state),
                Err(message) => Err(p.error_at(loc, message)),
            },
            (Format::Generic | Format::Custom, None) => Err(p.syntax_error_at(
                loc,
                format!("unsupported: '{}' has no pretty form here; use the generic form", info.name),
            )),
        });
        self.ops.named_results = outer;
        self.ops.custom = around;
        parsed?;
        self.finish(name, &mut state, results, false)
    }

    /// The name of an operation, as its pretty form begins.
    ///
    /// # Errors
    /// That there is none, or that the operation is not known and may not be.
    pub fn parse_custom_operation_name(&mut self) -> Parsed<OpName> {
        let loc = self.loc();
        let Some(word) = self.parse_optional_any_keyword() else {
            return Err(self.error("expected bare identifier or keyword"));
        };
        let cx = self.cx();
        if let Some(known) = self.look_up_pretty(word, self.default_dialect()) {
            return Ok(known);
        }
        let name = cx.op_name(word);
        if cx.accepts_unknown_ops(cx.op_info(name).dialect()) {
            return Ok(name);
        }
        Err(self.unknown_pretty(word, loc))
    }

    /// The operation that `word` names: in full, or without the default dialect.
    fn find_pretty(&mut self, word: Token) -> Option<OpName> {
        let short = self.short_name(word);
        if let Some(short) = short
            && let &mut (known, name) = self.memo.short_names.at(short)
            && known == short
        {
            return Some(name);
        }
        let default = self.default_dialect();
        let bytes = &self.bytes()[word.range()];
        if let Some(&(known, used)) = self.memo.pretty_names.get(bytes)
            && used.is_none_or(|used| used == default)
        {
            if let Some(short) = short.filter(|_| used.is_none()) {
                *self.memo.short_names.at(short) = (short, known);
            }
            return Some(known);
        }
        let text = self.text_of(word);
        let found = self.look_up_pretty(text, default)?;
        let used = (!text.contains('.')).then_some(default);
        self.memo.pretty_names.insert(bytes, (found, used));
        Some(found)
    }

    /// The bytes of a word as a number, where it has at most 16 of them.
    #[inline]
    fn short_name(&self, word: Token) -> Option<u128> {
        let Range { start, end } = word.range();
        let before = end.checked_sub(16)?;
        let bytes = self.bytes().get(before..end)?.first_chunk()?;
        (start >= before).then(|| u128::from_le_bytes(*bytes) >> (8 * (start - before)))
    }

    /// The dialect whose prefix may be left out here.
    pub(super) fn default_dialect(&self) -> &'static str {
        self.ops.default_dialects.last().copied().unwrap_or("builtin")
    }

    /// The operation that `word` names where the prefix of `default` may be left out.
    pub(super) fn look_up_pretty(&self, word: &str, default: &str) -> Option<OpName> {
        let cx = self.cx();
        if let Some(info) = cx.find_op(word) {
            return cx.op_name_by_hash(info.hash());
        }
        if word.contains('.') {
            return None;
        }
        let info = cx.find_op(&format!("{default}.{word}"))?;
        cx.op_name_by_hash(info.hash())
    }

    fn unknown_pretty(&mut self, word: &str, loc: Loc) -> Failed {
        let cx = self.cx();
        if let Some((dialect, _)) = word.split_once('.')
            && cx.dialect(dialect).is_none()
        {
            let msg = format!(
                "Dialect `{dialect}' not found for custom op '{word}'; an operation of an unregistered dialect is written \
                 in the generic form, with --allow-unregistered-dialect"
            );
            let failed = self.syntax_error_at(loc, msg);
            let mut available: Vec<&str> = cx.dialects().map(|dialect| &*dialect.namespace).collect();
            available.sort_unstable();
            self.note_last(loc, format!("Available dialects: {}", available.join(", ")));
            self.suggest_op(word, loc);
            return failed;
        }
        let default = self.default_dialect();
        let tried = if word.contains('.') || default.is_empty() {
            String::new()
        } else {
            format!(" (tried '{default}.{word}' as well)")
        };
        let failed = self.syntax_error_at(loc, format!("custom op '{word}' is unknown{tried}"));
        self.suggest_op(word, loc);
        failed
    }

    /// Runs `parse` with the default dialect of operation `name` inside its regions.
    fn with_default_dialect<T>(&mut self, name: OpName, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.ops.default_dialects.push(self.cx().op_info(name).hooks.default_dialect.unwrap_or(""));
        let result = parse(self);
        self.ops.default_dialects.pop();
        result
    }

    /// Trailing location, then the operation itself. What is `generic` has the result types that it says, the pretty form those that follow if
    /// it says none.
    #[inline(always)]
    fn finish(&mut self, name: OpName, state: &mut OpState, results: &[ResultName], generic: bool) -> Parsed<OpId> {
        let cx = self.cx();
        let loc = state.loc;
        if let Some(given) = self.parse_optional_trailing_loc()? {
            state.loc = given;
        }
        if state.body.is_none() && cx.op_info(name).has_trait(&Trait::IsolatedFromAbove) {
            state.body = Some(Box::new(Arena::new(name, state.loc)));
        }
        if state.results.is_empty() && !results.is_empty() && !generic {
            let frame = self.frame();
            if let Err(message) = crate::infer::infer_result_types(cx, &frame.arena, name, state) {
                return Err(self.syntax_error_at(loc, message));
            }
        }
        let mut rewriter = self.frame().rewriter(cx);
        let created =
            if generic { rewriter.create_as_given(name, state) } else { rewriter.try_create_named(name, state) };
        match created {
            Ok(op) => Ok(op),
            Err(message) => Err(self.syntax_error_at(loc, format!("'{}' op {message}", cx.op_info(name).name))),
        }
    }

    // Operands, for hooks.

    /// `%name` or `%name#number`.
    ///
    /// # Errors
    /// That there is none.
    pub fn parse_operand(&mut self) -> Parsed<UnresolvedOperand> {
        self.operand_at_hand()
    }

    /// The same, put at the end of `list` by its parts: to copy it as one right after those were written would wait for them.
    #[inline(always)]
    pub(in crate::text) fn push_operand(&mut self, list: &mut Vec<UnresolvedOperand>) -> Parsed<()> {
        list.push(self.operand_at_hand()?);
        Ok(())
    }

    #[inline(always)]
    fn operand_at_hand(&mut self) -> Parsed<UnresolvedOperand> {
        if self.token_kind() != TokenKind::PercentIdentifier {
            return Err(self.expected("expected SSA operand"));
        }
        let (loc, (start, end)) = (self.loc(), self.token_span());
        self.advance_here();
        let number = if self.token_kind() == TokenKind::HashIdentifier { self.parse_result_number()? } else { 0 };
        Ok(UnresolvedOperand { start: start + 1, end, number, loc })
    }

    /// `#number`.
    #[cold]
    fn parse_result_number(&mut self) -> Parsed<u32> {
        let number = std::str::from_utf8(&self.token_bytes()[1..]).ok().and_then(|text| text.parse().ok());
        let Some(number) = number else { return Err(self.syntax_error("invalid SSA value result number")) };
        self.advance();
        Ok(number)
    }

    /// `%name` or `%name#number`, if there is one.
    ///
    /// # Errors
    /// That what begins with `%` is no name.
    pub fn parse_optional_operand(&mut self) -> Parsed<Option<UnresolvedOperand>> {
        let is_there = self.token_kind() == TokenKind::PercentIdentifier;
        if is_there { self.parse_operand().map(Some) } else { Ok(None) }
    }

    /// Comma-separated operands within `delimiter`.
    ///
    /// # Errors
    /// What stands where an operand, a comma or the end should.
    pub fn parse_operand_list(&mut self, delimiter: super::Delimiter) -> Parsed<SmallVec<[UnresolvedOperand; 4]>> {
        let mut list = SmallVec::new();
        if delimiter == super::Delimiter::None {
            while let Some(operand) = self.parse_optional_operand()? {
                list.push(operand);
                if !self.consume_if(TokenKind::Comma) {
                    return Ok(list);
                }
            }
            return if list.is_empty() { Ok(list) } else { Err(self.expected("expected SSA operand")) };
        }
        self.parse_comma_separated_in(delimiter, " in operand list", |p| {
            list.push(p.parse_operand()?);
            Ok(())
        })?;
        Ok(list)
    }

    /// The value that `operand` names, of type `ty`: a placeholder where its definition comes later.
    ///
    /// # Errors
    /// That the name has been used with another type before, or has no such result.
    pub fn resolve(&mut self, operand: UnresolvedOperand, ty: Type) -> Parsed<ValueId> {
        self.resolve_here(operand, ty)
    }

    /// The same without a call.
    #[inline(always)]
    pub(in crate::text) fn resolve_here(&mut self, operand: UnresolvedOperand, ty: Type) -> Parsed<ValueId> {
        let (text, at) = (self.bytes(), operand.start - 1);
        let frame = self.frame();
        let (key, slot) = frame.find(text, operand.span());
        if let Some(value) = frame.value(slot, operand.number) {
            let defined = frame.arena.value_type(value);
            return if defined == ty { Ok(value) } else { Err(self.type_conflict(at, ty, defined, slot.offset)) };
        }
        if slot.is_defined() {
            return Err(self.syntax_error_at(operand.loc, "reference to invalid result number"));
        }
        self.resolve_later(key, operand.number, ty, at, slot.is_poisoned())
    }

    /// What stands for a name that is not defined yet, or whose definition has failed.
    #[cold]
    fn resolve_later(&mut self, key: Key, number: u32, ty: Type, at: u32, is_poisoned: bool) -> Parsed<ValueId> {
        if is_poisoned {
            return Ok(self.frame().placeholder(ty));
        }
        let value = self.frame().value_or_forward(key, number, ty, at);
        let used = self.value_type(value);
        if used != ty {
            return Err(self.type_conflict(at, ty, used, at));
        }
        Ok(value)
    }

    /// The value that `operand` names, if it is defined already.
    pub fn find_value(&mut self, operand: UnresolvedOperand) -> Option<ValueId> {
        let text = self.bytes();
        let (_, slot) = self.frame().find(text, operand.span());
        // What cannot be done for lack of a poisoned name is no news.
        self.recovery.tainted |= slot.is_poisoned();
        self.frame().value(slot, operand.number)
    }

    /// Resolves `operand` and adds it to the operands of `state`.
    ///
    /// # Errors
    /// Those of [`resolve`](Self::resolve).
    pub fn resolve_operand(&mut self, operand: UnresolvedOperand, ty: Type, state: &mut OpState) -> Parsed<()> {
        let value = self.resolve(operand, ty)?;
        state.operands.push(value);
        Ok(())
    }

    /// Resolves operands of one type and adds them to `state`.
    ///
    /// # Errors
    /// Those of [`resolve`](Self::resolve).
    pub fn resolve_operands(&mut self, operands: &[UnresolvedOperand], ty: Type, state: &mut OpState) -> Parsed<()> {
        operands.iter().try_for_each(|&operand| self.resolve_operand(operand, ty, state))
    }

    /// Resolves operands, one type each, and adds them to `state`. `loc` is where a wrong count is reported.
    ///
    /// # Errors
    /// Those of [`resolve`](Self::resolve), and that there are more or fewer types than operands.
    pub fn resolve_operands_with(
        &mut self,
        operands: &[UnresolvedOperand],
        types: &[Type],
        loc: Loc,
        state: &mut OpState,
    ) -> Parsed<()> {
        if operands.len() != types.len() {
            let msg = format!(
                "number of operands and types do not match: got {} operands and {} types",
                operands.len(),
                types.len()
            );
            return Err(self.error_at(loc, msg));
        }
        operands.iter().zip(types).try_for_each(|(&operand, &ty)| self.resolve_operand(operand, ty, state))
    }

    /// Whether two operands have one name and number.
    pub(super) fn is_same_operand(&self, a: UnresolvedOperand, b: UnresolvedOperand) -> bool {
        let name = |operand: UnresolvedOperand| &self.bytes()[operand.start as usize..operand.end as usize];
        a.number == b.number && name(a) == name(b)
    }

    /// The text of a name, with `%`, for messages.
    pub fn operand_text(&self, operand: UnresolvedOperand) -> String {
        self.name_at(operand.start - 1)
    }

    // Successors.

    /// `^name`: a block of the region being parsed, defined here or later.
    ///
    /// # Errors
    /// That there is none.
    pub fn parse_successor(&mut self) -> Parsed<BlockId> {
        if self.token_kind() != TokenKind::CaretIdentifier {
            return Err(self.expected("expected block name"));
        }
        let span = self.token_span();
        self.advance();
        Ok(self.block_named(span))
    }

    /// `^name(%a, %b : t, u)`: a successor with the values passed to it.
    ///
    /// # Errors
    /// What is wrong with the block or with the values.
    pub fn parse_successor_and_operands(&mut self) -> Parsed<(BlockId, SmallVec<[ValueId; 4]>)> {
        let block = self.parse_successor()?;
        let mut values = SmallVec::new();
        if self.consume_if(TokenKind::LParen) {
            let loc = self.loc();
            let operands = self.parse_operand_list(super::Delimiter::None)?;
            if !operands.is_empty() {
                self.parse_colon()?;
                let types = self.parse_type_list()?;
                let mut state = OpState::default();
                self.resolve_operands_with(&operands, &types, loc, &mut state)?;
                values = state.operands;
            }
            self.parse_r_paren()?;
        }
        Ok((block, values))
    }

    // Results, for hooks.

    /// Number of results that the left side names, known before the operation is parsed: `%a, %b:2 =` has 3.
    pub fn num_named_results(&self) -> usize {
        self.ops.named_results as usize
    }
}
