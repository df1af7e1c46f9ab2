//! Regions and blocks.

use smallvec::SmallVec;

use super::ops::Argument;
use super::scope::{BlockName, Key};
use super::{Delimiter, OpParser, Parsed, TokenKind};
use crate::arena::Arena;
use crate::context::Context;
use crate::entity::{BlockId, OpName, RegionId, ValueId};
use crate::location::{Loc, LocData, Start};
use crate::opdef::{BlockCount, Trait};
use crate::rewriter::{InsertPoint, OpState, Rewriter};
use crate::types::Type;

impl OpParser<'_> {
    /// `{ blocks }`, with `args` as the arguments of the entry block. Adds the region to `state`. For an isolated operation the
    /// region belongs to the arena in `state.body`.
    ///
    /// # Errors
    /// What is wrong with the region, unless the parser could go on after it: then the error is kept, and the region has what
    /// is left.
    pub fn parse_region(&mut self, state: &mut OpState, args: &[Argument]) -> Parsed<RegionId> {
        super::guarded(|| self.parse_region_here(state, args))
    }

    /// The same, if there is a `{`.
    ///
    /// # Errors
    /// Those of [`parse_region`](Self::parse_region).
    pub fn parse_optional_region(&mut self, state: &mut OpState, args: &[Argument]) -> Parsed<Option<RegionId>> {
        if self.token_kind() == TokenKind::LBrace { self.parse_region(state, args).map(Some) } else { Ok(None) }
    }

    /// Adds a region without blocks to `state`.
    pub fn empty_region(&mut self, state: &mut OpState) -> RegionId {
        let isolated = self.opens_frame(state);
        if isolated {
            self.open_frame(state);
        }
        let cx = self.cx();
        let region = self.frame().rewriter(cx).new_region();
        state.regions.push(region);
        if isolated {
            self.close_frame(state);
        }
        region
    }

    /// Writes to the arena that is being filled, for parts that the text leaves out: bodies of named operations. The insertion point
    /// is where the next operation goes; an operation made without one is detached.
    pub fn rewriter(&mut self) -> Rewriter<'_> {
        let cx = self.cx();
        self.frame().rewriter(cx)
    }

    fn opens_frame(&self, state: &OpState) -> bool {
        let cx = self.cx();
        cx.op_info(state.name(cx)).has_trait(&Trait::IsolatedFromAbove)
    }

    fn open_frame(&mut self, state: &mut OpState) {
        let name = state.name(self.cx());
        self.ops.open_frame(state.body.take(), name, state.loc);
    }

    fn close_frame(&mut self, state: &mut OpState) {
        state.body = self.ops.close_frame();
    }

    fn parse_region_here(&mut self, state: &mut OpState, args: &[Argument]) -> Parsed<RegionId> {
        if let Some(region) = self.defer_body(state, args) {
            state.regions.push(region);
            return Ok(region);
        }
        let isolated = self.opens_frame(state);
        if isolated {
            self.open_frame(state);
        }
        let region = self.parse_region_in_frame(args);
        if isolated {
            if region.is_ok() {
                self.report_undefined_values();
            }
            self.close_frame(state);
        }
        let region = region?;
        state.regions.push(region);
        Ok(region)
    }

    /// Reports names that were used in the frame but not defined. They concern the operations inside, not the one around them.
    fn report_undefined_values(&mut self) {
        if self.frame().has_forwards() {
            let undefined: Vec<u32> = self.frame().undefined().iter().map(|forward| forward.offset).collect();
            self.report_inside(&undefined, "use of undeclared SSA value name");
        }
    }

    fn report_undefined_blocks(&mut self, undefined: &[BlockName]) {
        if !undefined.is_empty() {
            let offsets: Vec<u32> = undefined.iter().map(|block| block.offset).collect();
            self.report_inside(&offsets, "reference to an undefined block");
        }
    }

    /// Reports faults of operations that have been parsed already, at these bytes.
    fn report_inside(&mut self, offsets: &[u32], message: &str) {
        self.recovery.tainted = false;
        for &offset in offsets {
            let _ = self.syntax_error_at(self.loc_at(offset as usize), message);
        }
        self.recovery.tainted = true;
    }

    pub(super) fn parse_region_in_frame(&mut self, args: &[Argument]) -> Parsed<RegionId> {
        let cx = self.cx();
        let start = self.loc();
        self.expect(TokenKind::LBrace, "expected '{' to begin a region")?;
        let region = self.frame().rewriter(cx).new_region();
        let outer = self.frame().point.take();
        self.frame().open_region();
        let parsed = self.parse_blocks(region, args, start);
        let undefined = self.frame().close_region();
        self.frame().point = outer;
        parsed?;
        self.report_undefined_blocks(&undefined);
        Ok(region)
    }

    /// Blocks up to and including the closing brace.
    fn parse_blocks(&mut self, region: RegionId, args: &[Argument], start: Loc) -> Parsed<()> {
        if args.is_empty() && self.consume_if(TokenKind::RBrace) {
            return Ok(());
        }
        let named_entry = self.token_kind() == TokenKind::CaretIdentifier;
        if !args.is_empty() || !named_entry {
            if named_entry {
                return Err(self.syntax_error("invalid block name in region with named arguments"));
            }
            let cx = self.cx();
            let types: SmallVec<[Type; 4]> = args.iter().map(|a| a.ty).collect();
            let block = self.frame().rewriter(cx).append_block(region, &types);
            for (i, arg) in args.iter().enumerate() {
                let value = self.ir().block_args(block)[i];
                self.define_argument(arg, value, true)?;
            }
            self.parse_block_body(block)?;
        }
        while self.token_kind() == TokenKind::CaretIdentifier {
            self.parse_block(region)?;
        }
        if !self.consume_if(TokenKind::RBrace) {
            if self.at_eof() {
                let failed = self.syntax_error("expected '}' to end a region");
                self.help_last(start, "the region starts here");
                return Err(failed);
            }
            return Err(self.expected("expected operation name in quotes"));
        }
        Ok(())
    }

    /// Operations up to the next block or the closing brace.
    fn parse_block_body(&mut self, block: BlockId) -> Parsed<()> {
        self.frame().point = Some(InsertPoint { block, before: None });
        while !matches!(self.token_kind(), TokenKind::CaretIdentifier | TokenKind::RBrace | TokenKind::Eof) {
            self.parse_operation_or_recover()?;
        }
        Ok(())
    }

    /// `^name(%arg: type, ...): operations`.
    fn parse_block(&mut self, region: RegionId) -> Parsed<()> {
        let label = self.parse_or_recover(|p| p.parse_block_label(region))?;
        // What follows a label that does not parse goes to a block that nothing branches to.
        let cx = self.cx();
        let block = label.unwrap_or_else(|| self.frame().rewriter(cx).append_block(region, &[]));
        self.parse_block_body(block)
    }

    /// `^name(%arg: type, ...):`.
    fn parse_block_label(&mut self, region: RegionId) -> Parsed<BlockId> {
        let span = self.token_span();
        self.advance();
        let block = self.define_block(span, region)?;
        if self.token_kind() == TokenKind::LParen {
            let mut args: SmallVec<[Argument; 4]> = SmallVec::new();
            self.parse_comma_separated(Delimiter::Paren, |p| {
                let arg = p.argument(true, false)?;
                args.push(arg.ok_or_else(|| p.expected("expected SSA operand"))?);
                Ok(())
            })?;
            let cx = self.cx();
            for arg in &args {
                let value = self.frame().rewriter(cx).add_block_arg(block, arg.ty);
                self.define_argument(arg, value, false)?;
            }
        }
        self.expect(TokenKind::Colon, "expected ':' after block name")?;
        Ok(block)
    }

    /// Makes the name of an argument stand for `value`, which gets the location given or else that of the name.
    fn define_argument(&mut self, arg: &Argument, value: ValueId, is_entry_arg: bool) -> Parsed<()> {
        let cx = self.cx();
        self.frame().rewriter(cx).set_arg_loc(value, arg.loc.unwrap_or(arg.name.loc));
        self.define_name(arg.name.span(), value, 1, is_entry_arg)
    }

    /// The key of the block name at `span`, `^` included.
    fn block_key(&mut self, (start, end): (u32, u32)) -> Key {
        let text = self.bytes();
        self.frame().block_key(text, (start + 1, end))
    }

    /// The block whose name is at `span`, in the region being parsed; made when it is met for the first time.
    pub(super) fn block_named(&mut self, span: (u32, u32)) -> BlockId {
        let key = self.block_key(span);
        let cx = self.cx();
        let frame = self.frame();
        if let Some(found) = frame.regions.last().and_then(|r| r.blocks.get(&key)) {
            return found.block;
        }
        let block = frame.rewriter(cx).new_block();
        if let Some(scope) = frame.regions.last_mut() {
            scope.blocks.insert(key, BlockName { block, offset: span.0, defined: false, assumed: false });
        }
        block
    }

    /// Takes the block whose name is at `span` for defined: its definition may stand in a text that is left out.
    pub(super) fn assume_block(&mut self, span: (u32, u32)) {
        self.block_named(span);
        let key = self.block_key(span);
        if let Some(entry) = self.frame().regions.last_mut().and_then(|r| r.blocks.get_mut(&key)) {
            entry.assumed = true;
        }
    }

    fn define_block(&mut self, span: (u32, u32), region: RegionId) -> Parsed<BlockId> {
        let block = self.block_named(span);
        let key = self.block_key(span);
        let (start, end) = (span.0 as usize, span.1 as usize);
        let entry = self.frame().regions.last_mut().and_then(|r| r.blocks.get_mut(&key));
        if let Some(entry) = entry {
            if entry.defined {
                let previous = entry.offset as usize;
                let name = String::from_utf8_lossy(&self.bytes()[start..end]).into_owned();
                let failed = self.syntax_error_at(self.loc_at(start), format!("redefinition of block '{name}'"));
                let previous = self.loc_at(previous);
                self.help_last(previous, "previously defined here");
                return Err(failed);
            }
            (entry.defined, entry.offset) = (true, span.0);
        }
        let cx = self.cx();
        self.frame().rewriter(cx).link_block(block, region, None);
        Ok(block)
    }

    /// `%name`, with `: type` and attributes where `with_type`, and a location where given.
    ///
    /// # Errors
    /// What is missing or wrong: name, type, attributes or location.
    pub fn parse_argument(&mut self, with_type: bool) -> Parsed<Argument> {
        match self.parse_optional_argument(with_type)? {
            Some(argument) => Ok(argument),
            None => Err(self.expected("expected SSA operand")),
        }
    }

    /// The same, if there is a `%`. Without a type it is `none`, for the caller to set.
    ///
    /// # Errors
    /// Those of [`parse_argument`](Self::parse_argument).
    pub fn parse_optional_argument(&mut self, with_type: bool) -> Parsed<Option<Argument>> {
        self.argument(with_type, true)
    }

    fn argument(&mut self, with_type: bool, with_attrs: bool) -> Parsed<Option<Argument>> {
        let Some(name) = self.parse_optional_operand()? else { return Ok(None) };
        let end = name.span().1 as usize;
        if self.bytes().get(end) == Some(&b'#') {
            let loc = self.loc_at(end);
            return Err(self.syntax_error_at(loc, "result number not allowed in argument list"));
        }
        let mut arg = Argument { name, ty: self.cx().none_type(), attrs: None, loc: None };
        if with_type {
            self.expect(TokenKind::Colon, "expected ':' and type for SSA operand")?;
            arg.ty = self.parse_type()?;
            if with_attrs && self.token_kind() == TokenKind::LBrace {
                let mut dict = OpState::default();
                self.parse_optional_attr_dict(&mut dict)?;
                arg.attrs = Some(self.cx().dictionary_attr(&dict.attrs));
            }
        }
        arg.loc = self.parse_optional_trailing_loc()?;
        Ok(Some(arg))
    }

    /// Comma-separated arguments within `delimiter`.
    ///
    /// # Errors
    /// Those of [`parse_argument`](Self::parse_argument), and what stands where a comma or the end should.
    pub fn parse_argument_list(&mut self, delimiter: Delimiter, with_type: bool) -> Parsed<SmallVec<[Argument; 4]>> {
        let mut list = SmallVec::new();
        self.parse_comma_separated_in(delimiter, " in argument list", |p| {
            list.push(p.parse_argument(with_type)?);
            Ok(())
        })?;
        Ok(list)
    }

    /// `(%a = %b, %c = %d)`: arguments of a region with the operands they start from. Types are `none`, for the caller to set.
    ///
    /// # Errors
    /// What is wrong with the list.
    pub fn parse_assignment_list(&mut self) -> Parsed<super::hooks::Assignments> {
        let (mut args, mut operands) = (SmallVec::new(), SmallVec::new());
        self.parse_comma_separated(Delimiter::Paren, |p| {
            args.push(p.parse_argument(false)?);
            p.parse_equal()?;
            operands.push(p.parse_operand()?);
            Ok(())
        })?;
        Ok((args, operands))
    }

    /// Makes sure that `region`, just parsed for `state`, has a block.
    pub fn ensure_block(&mut self, state: &mut OpState, region: RegionId) {
        let cx = self.cx();
        let mut rw = match &mut state.body {
            Some(body) => Rewriter::new(cx, body),
            None => self.frame().rewriter(cx),
        };
        if rw.ir().entry_block(region).is_none() {
            rw.append_block(region, &[]);
        }
    }

    /// Makes sure that the one block of `region`, just parsed for `state`, ends with a `terminator`: the pretty form of operations
    /// with an implicit terminator leaves it out.
    pub fn ensure_terminator(&mut self, state: &mut OpState, region: RegionId, terminator: OpName) {
        self.ensure_block(state, region);
        let (cx, loc) = (self.cx(), state.loc);
        let mut rw = match &mut state.body {
            Some(body) => Rewriter::new(cx, body),
            None => self.frame().rewriter(cx),
        };
        let Some(block) = rw.ir().entry_block(region) else { return };
        if !rw.block(block).last_op().is_some_and(|last| last.has_trait(&Trait::Terminator)) {
            let point = rw.insertion_point();
            rw.set_insertion_to_end(block);
            let mut empty = OpState::new(terminator, loc);
            for def in cx.op_info(terminator).def.iter().flat_map(|def| def.regions.iter()).filter(|def| !def.variadic)
            {
                let region = rw.new_region();
                if matches!(def.blocks, BlockCount::Exactly(1..) | BlockCount::AtLeast(1..)) {
                    rw.append_block(region, &[]);
                }
                empty.regions.push(region);
            }
            rw.create(empty);
            rw.set_insertion_point(point);
        }
    }

    /// Parses all operations of the source as the body of a module, or the one top-level module itself. Answers whether the
    /// module is in the text.
    pub(super) fn parse_top_level(&mut self) -> Parsed<(Box<Arena>, bool)> {
        let cx = self.cx();
        // The module around what a file holds is at line 0 of it, as nothing in the file is; that around a part of a file where the part begins.
        let file = cx.ident(self.source.name());
        let start = match self.source.start() {
            Start::OF_FILE => (0, 0),
            Start { line, column } => (line, column),
        };
        let loc = cx.intern_loc(LocData::FileRange { file, start, end: start });
        self.ops.open_frame(None, cx.op_name("builtin.module"), loc);
        self.ops.default_dialects.push("builtin");
        let region = self.frame().rewriter(cx).add_region(Arena::ROOT);
        let block = self.frame().rewriter(cx).append_block(region, &[]);
        self.frame().open_region();
        self.frame().point = Some(InsertPoint { block, before: None });
        let parsed = self.parse_top_level_items();
        let undefined = self.frame().close_region();
        if parsed.is_ok() {
            self.report_undefined_blocks(&undefined);
            self.report_undefined_values();
        }
        self.ops.default_dialects.pop();
        let frame = self.ops.frames.pop().expect("the frame opened above");
        parsed.map(|()| unwrap_module(cx, frame.arena))
    }

    fn parse_top_level_items(&mut self) -> Parsed<()> {
        loop {
            match self.token_kind() {
                TokenKind::Eof => return Ok(()),
                kind @ (TokenKind::HashIdentifier | TokenKind::ExclamationIdentifier) => {
                    let name = &self.token_text()[1..];
                    if self.parse_or_recover(Self::parse_alias_definition)?.is_none() {
                        self.aliases.poison(kind == TokenKind::ExclamationIdentifier, name);
                    }
                }
                TokenKind::FileMetadataBegin => {
                    self.parse_or_recover(Self::parse_file_metadata)?;
                }
                // Left over from an operation that was given up.
                TokenKind::RBrace if self.diagnostics.has_errors() => self.advance(),
                _ => self.parse_operation_or_recover()?,
            }
        }
    }
}

/// The module that a file consists of, when it consists of one; else the implicit module around what it holds. Answers which.
pub(crate) fn unwrap_module(cx: &Context, mut implicit: Box<Arena>) -> (Box<Arena>, bool) {
    let block = implicit.op_regions(Arena::ROOT).first().and_then(|&region| implicit.entry_block(region));
    let first = block.and_then(|block| implicit.block_ops(block).next());
    let Some(only) = first.filter(|&op| implicit.op(op).next.is_none()) else { return (implicit, false) };
    // One with results, which is wrong, is no whole file.
    if implicit.op(only).name != implicit.op(Arena::ROOT).name || implicit.results(only).len() > 0 {
        return (implicit, false);
    }
    match Rewriter::new(cx, &mut implicit).take_child(only) {
        Some(module) => (module, true),
        None => (implicit, false),
    }
}
