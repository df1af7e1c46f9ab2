//! The operations.
//!
//! A [`Body`] reads the regions of one isolated operation with a stack of its own, so nesting costs memory only. Operations in it
//! that are isolated as well and have a section of their own are left for later: their bodies depend on nothing but the tables,
//! and are read by several threads at once.
//!
//! What the file says of counts is believed as far as its bytes go: every region, block and value takes a byte at least, so a
//! body may announce no more of them than it has bytes.

use rayon::prelude::*;
use smallvec::SmallVec;

use super::cursor::{Cursor, Fault, Read};
use super::dialects::FileOp;
use super::entries::{AttrSlot, loc_of};
use super::properties::{self, Properties};
use super::scope::{Scope, Slot};
use super::use_lists::{self, UseOrder};
use crate::arena::{Arena, ValueData};
use crate::attributes::AttrData;
use crate::bytecode::encoding::{Section, mask, version};
use crate::bytecode::layout::Layout;
use crate::context::Context;
use crate::entity::{BlockId, OpId, RegionId, ValueId};
use crate::location::Loc;
use crate::parallel::evenly;
use crate::rewriter::{InsertPoint, OpState, Rewriter};
use crate::text::guarded;
use crate::types::Type;

/// Everything that operations refer to, decoded.
pub(super) struct Tables<'c, 'b> {
    pub(super) cx: &'c Context,
    pub(super) version: u32,
    pub(super) attrs: Vec<AttrSlot>,
    pub(super) types: Vec<Type>,
    pub(super) ops: Vec<FileOp>,
    /// The layouts of the properties of `ops`.
    pub(super) layouts: Vec<Option<Layout>>,
    pub(super) properties: Properties<'b>,
}

impl Tables<'_, '_> {
    /// Attribute or location number `index`.
    #[inline]
    pub(super) fn slot(&self, index: u64, cursor: &Cursor<'_>) -> Read<AttrSlot> {
        let slot = usize::try_from(index).ok().and_then(|index| self.attrs.get(index));
        slot.copied().ok_or_else(|| cursor.fault(format!("invalid Attribute index: {index}")))
    }

    #[inline]
    fn loc(&self, cursor: &mut Cursor<'_>) -> Read<Loc> {
        let index = cursor.varint()?;
        match self.slot(index, cursor)? {
            AttrSlot::Loc(loc) => Ok(loc),
            other => loc_of(self.cx, other, cursor),
        }
    }

    #[inline]
    fn ty(&self, index: u64, cursor: &Cursor<'_>) -> Read<Type> {
        let ty = usize::try_from(index).ok().and_then(|index| self.types.get(index));
        ty.copied().ok_or_else(|| cursor.fault(format!("invalid Type index: {index}")))
    }
}

/// A nested isolated operation whose body has not been read yet.
struct Pending<'b> {
    /// Its number among the children of the arena.
    child: usize,
    section: Cursor<'b>,
}

/// Reads the body of the root of `arena`, which has its regions already, and all bodies nested in it.
pub(super) fn read_root<'b>(tables: &Tables<'_, 'b>, arena: Box<Arena>, section: Cursor<'b>) -> Read<Box<Arena>> {
    let (mut arena, pending) = Body::top_level(tables, arena, section)?;
    read_pending(tables, &mut arena, pending, tables.cx.threading())?;
    Ok(arena)
}

/// Reads the bodies that were left for later, and those in them, depth first. Several of one arena are shared among threads, where
/// `threading` allows it.
fn read_pending<'b>(
    tables: &Tables<'_, 'b>,
    arena: &mut Arena,
    mut pending: Vec<Pending<'b>>,
    threading: bool,
) -> Read<()> {
    // The arenas being filled, each with its place in the one around it, and what is left to do in it.
    let mut open: Vec<(Box<Arena>, usize, Vec<Pending<'b>>)> = Vec::new();
    pending.reverse();
    loop {
        let (parent, todo) = match open.last_mut() {
            Some((parent, _, todo)) => (&mut **parent, todo),
            None => (&mut *arena, &mut pending),
        };
        if threading && todo.len() > 1 {
            read_in_parallel(tables, parent, std::mem::take(todo))?;
        } else if let Some(each) = todo.pop() {
            let Some(body) = parent.children[each.child].take() else { continue };
            let (body, mut nested) = Body::of_isolated(tables, body, each.section)?;
            nested.reverse();
            open.push((body, each.child, nested));
        } else if let Some((done, child, _)) = open.pop() {
            let parent = open.last_mut().map_or(&mut *arena, |(parent, _, _)| &mut **parent);
            parent.children[child] = Some(done);
        } else {
            return Ok(());
        }
    }
}

/// Reads several bodies of `arena`, and those in them, at once.
fn read_in_parallel<'b>(tables: &Tables<'_, 'b>, arena: &mut Arena, pending: Vec<Pending<'b>>) -> Read<()> {
    let bodies: Vec<_> = pending.iter().map(|each| arena.children[each.child].take()).collect();
    let read = |(each, body): (&Pending<'b>, Option<Box<Arena>>)| -> Read<Option<Box<Arena>>> {
        let Some(body) = body else { return Ok(None) };
        let (mut body, nested) = Body::of_isolated(tables, body, each.section)?;
        read_pending(tables, &mut body, nested, false)?;
        Ok(Some(body))
    };
    let read: Vec<_> = evenly(pending.par_iter().zip(bodies)).map(read).collect();
    // The fault that comes first in the file, whichever was found first.
    let mut in_order: Vec<_> = pending.into_iter().zip(read).collect();
    in_order.sort_by_key(|(each, _)| each.child);
    for (each, body) in in_order {
        arena.children[each.child] = body?;
    }
    Ok(())
}

/// An arena being filled.
struct Level<'b> {
    arena: Box<Arena>,
    /// Its number among the children of the arena around it.
    child: usize,
    /// Use-list orders, to be applied when all uses are there.
    orders: Vec<(ValueId, UseOrder)>,
    /// Placeholders that have been replaced and may be used again.
    free: Vec<ValueId>,
    /// Values that are used but not defined yet.
    num_forward: usize,
    pending: Vec<Pending<'b>>,
}

impl Level<'_> {
    fn new(arena: Box<Arena>, child: usize) -> Self {
        Self { arena, child, orders: Vec::new(), free: Vec::new(), num_forward: 0, pending: Vec::new() }
    }
}

/// The regions of an operation, being read.
#[expect(clippy::struct_excessive_bools, reason = "each says what its end has to undo")]
struct Frame<'b> {
    cursor: Cursor<'b>,
    op: OpId,
    num_regions: usize,
    region: usize,
    /// The blocks of the current region; none before its header has been read.
    blocks: SmallVec<[BlockId; 4]>,
    block: usize,
    ops_left: u64,
    /// Whether the values of the current region are numbered.
    is_numbered: bool,
    /// Whether the regions are a section of their own.
    owns_section: bool,
    opens_scope: bool,
    opens_level: bool,
    /// What to restore in the scope when the level ends.
    visible_from: usize,
}

/// Reads the body of one isolated operation.
struct Body<'t, 'c, 'b> {
    tables: &'t Tables<'c, 'b>,
    levels: Vec<Level<'b>>,
    scopes: Vec<Scope>,
    frames: Vec<Frame<'b>>,
    /// How many more regions, blocks and values may be announced.
    budget: u64,
}

impl<'t, 'c, 'b> Body<'t, 'c, 'b> {
    fn new(tables: &'t Tables<'c, 'b>, mut arena: Box<Arena>, section: Cursor<'b>) -> Self {
        let num_regions = arena.op_regions(Arena::ROOT).len();
        arena.reserve_for_bytecode(section.len());
        let frame = Frame {
            cursor: section,
            op: Arena::ROOT,
            num_regions,
            region: 0,
            blocks: SmallVec::new(),
            block: 0,
            ops_left: 0,
            is_numbered: false,
            owns_section: true,
            opens_scope: true,
            opens_level: true,
            visible_from: 0,
        };
        Self {
            tables,
            levels: vec![Level::new(arena, 0)],
            scopes: vec![Scope::default()],
            frames: vec![frame],
            budget: section.len() as u64,
        }
    }

    /// Reads the whole file, whose section is the one block of the root of `arena`.
    fn top_level(
        tables: &'t Tables<'c, 'b>,
        arena: Box<Arena>,
        section: Cursor<'b>,
    ) -> Read<(Box<Arena>, Vec<Pending<'b>>)> {
        let mut body = Self::new(tables, arena, section);
        body.scopes[0].open_region(0);
        if let Some(mut frame) = body.frames.pop() {
            let region = body.level().arena.op_regions(Arena::ROOT)[0];
            let block = body.rewriter().append_block(region, &[]);
            frame.blocks.push(block);
            body.read_block_header(&mut frame)?;
            body.frames.push(frame);
        }
        body.read()
    }

    /// Reads the section of an isolated operation.
    fn of_isolated(
        tables: &'t Tables<'c, 'b>,
        arena: Box<Arena>,
        section: Cursor<'b>,
    ) -> Read<(Box<Arena>, Vec<Pending<'b>>)> {
        Self::new(tables, arena, section).read()
    }

    fn level(&mut self) -> &mut Level<'b> {
        self.levels.last_mut().expect("an arena is open while its frames are")
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a scope is open while its frames are")
    }

    fn rewriter(&mut self) -> Rewriter<'_> {
        let cx = self.tables.cx;
        Rewriter::new(cx, &mut self.level().arena)
    }

    fn read(mut self) -> Read<(Box<Arena>, Vec<Pending<'b>>)> {
        'frames: while let Some(mut frame) = self.frames.pop() {
            loop {
                while frame.ops_left > 0 {
                    frame.ops_left -= 1;
                    if let Some(child) = self.read_op(&mut frame)? {
                        self.frames.push(frame);
                        self.frames.push(child);
                        continue 'frames;
                    }
                }
                if !self.next_block(&mut frame)? {
                    break;
                }
            }
            if self.frames.is_empty() {
                check_section_end(&frame)?;
                break;
            }
            self.close(&frame)?;
        }
        let mut level = self.levels.pop().expect("the arena of the body");
        finish_level(&mut level)?;
        Ok((level.arena, level.pending))
    }

    /// Ends the regions of an operation that is not the root.
    fn close(&mut self, frame: &Frame<'b>) -> Read<()> {
        if frame.owns_section {
            check_section_end(frame)?;
        } else if let Some(outer) = self.frames.last_mut() {
            outer.cursor = frame.cursor;
        }
        if frame.opens_scope {
            self.scopes.pop();
        } else if frame.opens_level {
            self.scope().visible_from = frame.visible_from;
        }
        if frame.opens_level
            && let Some(mut level) = self.levels.pop()
        {
            finish_level(&mut level)?;
            let pending = std::mem::take(&mut level.pending);
            let tables = self.tables;
            guarded(|| read_pending(tables, &mut level.arena, pending, false))?;
            self.level().arena.children[level.child] = Some(level.arena);
        }
        Ok(())
    }

    fn claim(&mut self, count: u64, what: &str, cursor: &Cursor<'_>) -> Read<usize> {
        match self.budget.checked_sub(count) {
            Some(left) => self.budget = left,
            None => {
                return Err(cursor.fault(format!("{count} {what} announced where bytes for {} remain", self.budget)));
            }
        }
        // Fits: there are no more than bytes.
        Ok(count as usize)
    }

    /// Goes to the next block of the frame, in its current region or the next one with blocks. Answers whether there is one.
    fn next_block(&mut self, frame: &mut Frame<'b>) -> Read<bool> {
        if !frame.blocks.is_empty() {
            frame.block += 1;
            if frame.block < frame.blocks.len() {
                self.read_block_header(frame)?;
                return Ok(true);
            }
            frame.blocks.clear();
            self.scope().close_region();
            frame.region += 1;
        }
        while frame.region < frame.num_regions {
            let num_blocks = frame.cursor.varint()?;
            if num_blocks == 0 {
                frame.region += 1;
                continue;
            }
            let num_values = frame.cursor.varint()?;
            let num_blocks = self.claim(num_blocks, "blocks", &frame.cursor)?;
            let num_values = self.claim(num_values, "values", &frame.cursor)?;
            self.scope().open_region(num_values);
            frame.is_numbered = num_values > 0;
            let region: RegionId = self.level().arena.op_regions(frame.op)[frame.region];
            let mut rw = self.rewriter();
            frame.blocks.extend((0..num_blocks).map(|_| rw.append_block(region, &[])));
            frame.block = 0;
            self.read_block_header(frame)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// The number of operations, and the arguments.
    fn read_block_header(&mut self, frame: &mut Frame<'b>) -> Read<()> {
        let version = self.tables.version;
        let (num_ops, has_args) = frame.cursor.varint_with_flag()?;
        frame.ops_left = num_ops;
        if !has_args {
            return Ok(());
        }
        let block = frame.blocks[frame.block];
        let num_args = frame.cursor.varint()?;
        for _ in 0..num_args {
            let (ty, has_loc) = if version >= version::ELIDED_ARGUMENT_LOCATIONS {
                frame.cursor.varint_with_flag()?
            } else {
                (frame.cursor.varint()?, true)
            };
            let ty = self.tables.ty(ty, &frame.cursor)?;
            let loc = if has_loc { self.tables.loc(&mut frame.cursor)? } else { Loc::UNKNOWN };
            let mut rw = self.rewriter();
            let value = rw.add_block_arg(block, ty);
            rw.set_arg_loc(value, loc);
            self.define(value, &frame.cursor)?;
        }
        if version >= version::USE_LIST_ORDERS && frame.cursor.byte()? != 0 {
            let args: SmallVec<[ValueId; 4]> = self.level().arena.block_args(block).into();
            let orders = use_lists::read(&mut frame.cursor, args.len())?;
            self.level().orders.extend(orders.into_iter().map(|order| (args[order.index], order)));
        }
        Ok(())
    }

    /// Gives the next number of the innermost region to `value`.
    #[inline]
    fn define(&mut self, value: ValueId, cursor: &Cursor<'_>) -> Read<()> {
        if let Some(placeholder) = self.scope().define(value, cursor)? {
            self.rewriter().replace_all_uses(placeholder, value);
            let level = self.level();
            level.free.push(placeholder);
            level.num_forward -= 1;
        }
        Ok(())
    }

    /// The value that is used at `cursor`.
    #[inline]
    fn operand(&mut self, cursor: &mut Cursor<'b>) -> Read<ValueId> {
        let index = cursor.varint()?;
        let at = match self.scope().get(index, cursor)? {
            Slot::Known(value) => return Ok(value),
            Slot::Empty(at) => at,
        };
        let none = self.tables.cx.none_type();
        let level = self.level();
        level.num_forward += 1;
        let placeholder = level.free.pop().unwrap_or_else(|| {
            let values = &mut level.arena.values;
            values.push(ValueData::result(Arena::ROOT, none));
            ValueId::from_index(values.len() - 1)
        });
        self.scope().set_placeholder(at, placeholder);
        Ok(placeholder)
    }

    /// Reads an operation without its regions; answers what is needed to read those, where they are to be read now.
    fn read_op(&mut self, frame: &mut Frame<'b>) -> Read<Option<Frame<'b>>> {
        let tables = self.tables;
        let cursor = &mut frame.cursor;
        let name = cursor.varint()?;
        let Some((at, op)) = usize::try_from(name).ok().and_then(|at| Some((at, tables.ops.get(at)?))) else {
            return Err(cursor.fault(format!("invalid operation name index: {name}")));
        };
        let parts = cursor.byte()?;
        let mut state = OpState::new(op.name, tables.loc(cursor)?);
        if parts & mask::ATTRS != 0 {
            read_attrs(tables, &mut state, cursor)?;
        }
        if parts & mask::PROPERTIES != 0 {
            read_properties(tables, at, &mut state, cursor)?;
        }
        if parts & mask::RESULTS != 0 {
            for _ in 0..cursor.varint()? {
                let ty = cursor.varint()?;
                state.results.push(tables.ty(ty, cursor)?);
            }
        }
        if parts & mask::OPERANDS != 0 {
            for _ in 0..cursor.varint()? {
                let value = self.operand(cursor)?;
                state.operands.push(value);
            }
        }
        if parts & mask::SUCCESSORS != 0 {
            for _ in 0..cursor.varint()? {
                let index = cursor.varint()?;
                let block = usize::try_from(index).ok().and_then(|index| frame.blocks.get(index));
                let block = block.ok_or_else(|| cursor.fault(format!("invalid successor index: {index}")))?;
                state.successors.push(*block);
            }
        }
        let mut orders = Vec::new();
        if parts & mask::USE_LIST_ORDERS != 0 && tables.version >= version::USE_LIST_ORDERS {
            orders = use_lists::read(cursor, state.results.len())?;
        }
        let mut regions = (0, false);
        if parts & mask::REGIONS != 0 {
            let (count, is_isolated) = cursor.varint_with_flag()?;
            regions = (self.claim(count, "regions", cursor)?, is_isolated);
        }
        let (num_regions, is_isolated) = regions;

        let level = self.level();
        let cx = tables.cx;
        if op.is_isolated {
            let mut body = Box::new(Arena::new(op.name, state.loc));
            let mut inner = Rewriter::new(cx, &mut body);
            state.regions = (0..num_regions).map(|_| inner.new_region()).collect();
            state.body = Some(body);
        } else {
            let mut rw = Rewriter::new(cx, &mut level.arena);
            state.regions = (0..num_regions).map(|_| rw.new_region()).collect();
        }
        let point = InsertPoint { block: frame.blocks[frame.block], before: None };
        let id = Rewriter::new(cx, &mut level.arena)
            .append(op.name, state, point)
            .map_err(|message| cursor.fault(format!("'{}' op {message}", cx.op_info(op.name).name)))?;
        let results = level.arena.results(id);
        for order in orders {
            level.orders.push((level.arena.result(id, order.index), order));
        }
        if frame.is_numbered {
            for result in results {
                self.define(result, &frame.cursor)?;
            }
        }
        if num_regions == 0 { Ok(None) } else { self.open_regions(frame, id, num_regions, op.is_isolated, is_isolated) }
    }

    /// Begins with the regions of `op`, or leaves them for later. `owns_arena` says what it is here, `is_isolated` what the file says.
    fn open_regions(
        &mut self,
        frame: &mut Frame<'b>,
        op: OpId,
        num_regions: usize,
        owns_arena: bool,
        is_isolated: bool,
    ) -> Read<Option<Frame<'b>>> {
        let mut cursor = frame.cursor;
        let owns_section = is_isolated && self.tables.version >= version::LAZY_LOADING;
        if owns_section {
            let (kind, section) = frame.cursor.section()?;
            if kind != Section::Ir {
                return Err(frame.cursor.fault("expected IR section for region"));
            }
            cursor = section;
            if owns_arena {
                let level = self.level();
                let child = level.arena.children.len() - 1;
                level.pending.push(Pending { child, section });
                return Ok(None);
            }
        }
        let mut child = Frame {
            cursor,
            op,
            num_regions,
            region: 0,
            blocks: SmallVec::new(),
            block: 0,
            ops_left: 0,
            is_numbered: false,
            owns_section,
            opens_scope: is_isolated,
            opens_level: owns_arena,
            visible_from: 0,
        };
        if is_isolated {
            self.scopes.push(Scope::default());
        } else if owns_arena {
            let scope = self.scope();
            let len = scope.len();
            child.visible_from = std::mem::replace(&mut scope.visible_from, len);
        }
        if owns_arena {
            let level = self.level();
            let at = level.arena.children.len() - 1;
            if let Some(body) = level.arena.children[at].take() {
                self.levels.push(Level::new(body, at));
            }
            child.op = Arena::ROOT;
        }
        Ok(Some(child))
    }
}

fn check_section_end(frame: &Frame<'_>) -> Read<()> {
    frame.cursor.expect_end(|| "unexpected trailing bytes in an IR section".to_owned())
}

/// What can be done when all of an arena has been read.
fn finish_level(level: &mut Level<'_>) -> Read<()> {
    if level.num_forward > 0 {
        let message = format!("{} values are used, but never defined", level.num_forward);
        return Err(Fault::new(message));
    }
    for (value, order) in std::mem::take(&mut level.orders) {
        let wrong = "parsed use-list orders were invalid and could not be applied";
        order.apply(&mut level.arena, value).ok_or_else(|| Fault::new(wrong))?;
    }
    level.arena.shrink_to_fit();
    Ok(())
}

/// The attributes of an operation: a dictionary.
fn read_attrs(tables: &Tables<'_, '_>, state: &mut OpState, cursor: &mut Cursor<'_>) -> Read<()> {
    let index = cursor.varint()?;
    let attr = tables.attr(index, cursor)?;
    let AttrData::Dictionary(entries) = tables.cx.attr_data(attr) else {
        let found = tables.cx.attr(attr);
        return Err(cursor.fault(format!("expected a dictionary of attributes, but got: {found}")));
    };
    state.attrs.extend(entries.iter().copied());
    Ok(())
}

/// The properties of an operation whose name is number `at` of the file.
fn read_properties(tables: &Tables<'_, '_>, at: usize, state: &mut OpState, cursor: &mut Cursor<'_>) -> Read<()> {
    let op = &tables.ops[at];
    let info = tables.cx.op_info(op.name);
    let name = &info.name;
    let encoded = tables.properties.at(cursor, name)?;
    let in_op = |fault: Fault| cursor.fault(format!("properties of '{name}': {}", fault.into_parts().0));
    match (&tables.layouts[at], op.was_registered) {
        (_, false) => properties::read_attr_into(state, tables, info.is_registered(), encoded).map_err(in_op),
        (Some(layout), true) => properties::read_into(state, tables, layout, encoded).map_err(in_op),
        (None, true) if info.is_registered() => {
            Err(cursor.fault(format!("'{name}' has no properties here, but it has some in the file")))
        }
        (None, true) => Err(cursor.fault(format!(
            "unsupported: properties of '{name}', whose encoding only its dialect knows, which is not registered here"
        ))),
    }
}
