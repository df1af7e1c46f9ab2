//! The operations: written in program order with a stack of its own, so nesting costs memory only.
//!
//! The regions of an isolated operation are a section, whose length stands before it. All of them are written to one buffer
//! without their heads first; the lengths are then worked out from the inside to the outside, and the heads put in on the way
//! to the final buffer. Each byte is copied once, however deep the nesting.

use super::emitter::{Emitter, push_varint, varint_len};
use super::facts::Facts;
use super::numbering::Numbering;
use super::properties::{self, Properties};
use super::strings::Strings;
use super::{Encoder, use_lists};
use crate::arena::Arena;
use crate::bytecode::encoding::{Section, mask, version};
use crate::diagnostics::Diagnostic;
use crate::view::{BlockRef, OpRef, RegionRef};

/// Writes the section of the operations: `root` as the one operation of a block.
pub(super) fn section<'a>(
    root: OpRef<'a>,
    numbers: &Numbering<'a>,
    strings: &mut Strings,
    properties: &mut Properties,
) -> Result<Emitter, Diagnostic> {
    let mut writer = Writer {
        numbers,
        strings,
        properties,
        out: Vec::new(),
        scratch: Vec::new(),
        sections: Vec::new(),
        levels: Vec::new(),
        frames: Vec::new(),
    };
    push_varint(&mut writer.out, 1 << 1);
    writer.levels.push(Level::of(root.arena()));
    writer.op(root)?;
    writer.run()?;
    Ok(Emitter::of(writer.assemble()))
}

/// A section whose head is still missing.
struct Open {
    start: usize,
    end: usize,
    /// The section around it.
    parent: Option<usize>,
}

/// An arena that is being written.
struct Level {
    facts: Facts,
    /// Numbers of values and blocks, by their ids.
    values: Vec<u32>,
    blocks: Vec<u32>,
}

impl Level {
    fn of(ir: &Arena) -> Self {
        Self { facts: Facts::of(ir), values: vec![0; ir.num_value_slots()], blocks: vec![0; ir.num_block_slots()] }
    }
}

/// An operation whose regions are being written.
struct Frame<'a> {
    /// Seen from inside.
    op: OpRef<'a>,
    region: usize,
    block: Option<BlockRef<'a>>,
    next: Option<OpRef<'a>>,
    /// The first number of values of each region, and of those nested in the current one.
    first_value: u32,
    end_value: u32,
    /// The section that the regions are.
    section: Option<usize>,
    opens_level: bool,
}

struct Writer<'a, 'w> {
    numbers: &'w Numbering<'a>,
    strings: &'w mut Strings,
    properties: &'w mut Properties,
    out: Vec<u8>,
    /// The properties of one operation.
    scratch: Vec<u8>,
    sections: Vec<Open>,
    levels: Vec<Level>,
    frames: Vec<Frame<'a>>,
}

impl<'a> Writer<'a, '_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        while let Some(frame) = self.frames.last_mut() {
            if let Some(op) = frame.next {
                frame.next = op.next();
                self.op(op)?;
            } else if let Some(block) = frame.block.and_then(BlockRef::next) {
                (frame.block, frame.next) = (Some(block), block.first_op());
                self.block_header(block);
            } else if frame.region < frame.op.num_regions() {
                let region = frame.op.region(frame.region);
                frame.region += 1;
                self.region_header(region);
            } else if let Some(frame) = self.frames.pop() {
                if let Some(section) = frame.section {
                    self.sections[section].end = self.out.len();
                }
                if frame.opens_level {
                    self.levels.pop();
                }
            }
        }
        Ok(())
    }

    fn level(&self) -> &Level {
        self.levels.last().expect("an arena is open while it is written")
    }

    fn varint(&mut self, value: u64) {
        push_varint(&mut self.out, value);
    }

    /// The number of blocks and of values, then the first block.
    fn region_header(&mut self, region: RegionRef<'a>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(level) = self.levels.last_mut() else { return };
        let ir = region.arena();
        let (mut num_blocks, mut value) = (0, frame.first_value);
        for block in region.blocks() {
            level.blocks[block.id().index()] = num_blocks;
            num_blocks += 1;
            for &arg in ir.block_args(block.id()) {
                level.values[arg.index()] = value;
                value += 1;
            }
            for op in ir.block_ops(block.id()) {
                for result in ir.results(op) {
                    level.values[result.index()] = value;
                    value += 1;
                }
            }
        }
        frame.end_value = value;
        let num_values = value - frame.first_value;
        frame.block = region.entry();
        frame.next = frame.block.and_then(BlockRef::first_op);
        let entry = frame.block;
        self.varint(u64::from(num_blocks));
        if let Some(entry) = entry {
            self.varint(u64::from(num_values));
            self.block_header(entry);
        }
    }

    /// The number of operations, and the arguments.
    fn block_header(&mut self, block: BlockRef<'a>) {
        let (ir, version) = (block.arena(), self.numbers.version);
        let args = ir.block_args(block.id());
        let num_ops = ir.block_ops(block.id()).count() as u64;
        self.varint(num_ops << 1 | u64::from(!args.is_empty()));
        if args.is_empty() {
            return;
        }
        self.varint(args.len() as u64);
        for arg in block.args() {
            let (ty, loc) = (self.numbers.type_number(arg.ty().id()), arg.loc());
            if version >= version::ELIDED_ARGUMENT_LOCATIONS {
                self.varint(ty << 1 | u64::from(!loc.is_unknown()));
            } else {
                self.varint(ty);
            }
            if version < version::ELIDED_ARGUMENT_LOCATIONS || !loc.is_unknown() {
                self.varint(self.numbers.loc_number(loc));
            }
        }
        if version >= version::USE_LIST_ORDERS {
            let at = self.out.len();
            self.out.push(0);
            let mut out = std::mem::take(&mut self.out);
            if use_lists::write(ir, &self.level().facts.order, args.iter().copied(), &mut out) {
                out[at] = mask::USE_LIST_ORDERS;
            }
            self.out = out;
        }
    }

    /// An operation, up to its regions.
    fn op(&mut self, op: OpRef<'a>) -> Result<(), Diagnostic> {
        let numbers = self.numbers;
        let (ir, id) = (op.arena(), op.id());
        self.varint(numbers.op_number(op.name_id()));
        let at = self.out.len();
        let mut parts = 0;
        self.out.push(0);
        self.varint(numbers.loc_number(op.loc()));
        if let Some(dictionary) = numbers.dictionary(op)? {
            parts |= mask::ATTRS;
            self.varint(numbers.attr_number(dictionary));
        }
        if numbers.version >= version::PROPERTIES {
            self.scratch.clear();
            let are_attrs = numbers.properties_as_attrs(op).is_some();
            let mut encoder = Encoder { numbers, strings: self.strings, out: &mut self.scratch };
            if properties::write(op.cx(), op, numbers.layout(op), are_attrs, &mut encoder)? {
                parts |= mask::PROPERTIES;
                let number = self.properties.number(&self.scratch);
                self.varint(number);
            }
        }
        let results = ir.results(id);
        if results.len() > 0 {
            parts |= mask::RESULTS;
            self.varint(results.len() as u64);
            for result in results.clone() {
                self.varint(numbers.type_number(ir.value_type(result)));
            }
        }
        let operands = ir.operands(id);
        if operands.len() > 0 {
            parts |= mask::OPERANDS;
            self.varint(operands.len() as u64);
            for operand in operands {
                let number = self.level().values[operand.index()];
                self.varint(u64::from(number));
            }
        }
        let successors = ir.successors(id);
        if successors.len() > 0 {
            parts |= mask::SUCCESSORS;
            self.varint(successors.len() as u64);
            for successor in successors {
                let number = self.level().blocks[successor.index()];
                self.varint(u64::from(number));
            }
        }
        if numbers.version >= version::USE_LIST_ORDERS {
            let mut out = std::mem::take(&mut self.out);
            if use_lists::write(ir, &self.level().facts.order, results, &mut out) {
                parts |= mask::USE_LIST_ORDERS;
            }
            self.out = out;
        }
        let num_regions = op.num_regions();
        if num_regions > 0 {
            parts |= mask::REGIONS;
        }
        self.out[at] = parts;
        if num_regions > 0 {
            self.open_regions(op, num_regions);
        }
        Ok(())
    }

    fn open_regions(&mut self, op: OpRef<'a>, num_regions: usize) {
        let opens_level = op.is_stub();
        let is_isolated = opens_level || op.is_root() || self.level().facts.is_isolated[op.id().index()];
        self.varint((num_regions as u64) << 1 | u64::from(is_isolated));
        let mut section = None;
        if is_isolated && self.numbers.version >= version::LAZY_LOADING {
            let parent = self.frames.iter().rev().find_map(|frame| frame.section);
            let start = self.out.len();
            self.sections.push(Open { start, end: start, parent });
            section = Some(self.sections.len() - 1);
        }
        let first_value = if is_isolated { 0 } else { self.frames.last().map_or(0, |frame| frame.end_value) };
        let op = op.body();
        if opens_level {
            self.levels.push(Level::of(op.arena()));
        }
        self.frames.push(Frame {
            op,
            region: 0,
            block: None,
            next: None,
            first_value,
            end_value: first_value,
            section,
            opens_level,
        });
    }

    /// All that was written, each section with its head: code and length.
    fn assemble(self) -> Vec<u8> {
        let Self { out, sections, .. } = self;
        // What the heads inside each section add to it; those come later in the list.
        let mut added = vec![0; sections.len()];
        let mut total = 0;
        for (at, section) in sections.iter().enumerate().rev() {
            let len = (section.end - section.start + added[at]) as u64;
            let head = 1 + varint_len(len);
            total += head;
            if let Some(parent) = section.parent {
                added[parent] += added[at] + head;
            }
        }
        let mut whole = Vec::with_capacity(out.len() + total);
        let mut done = 0;
        for (section, added) in sections.iter().zip(added) {
            whole.extend_from_slice(&out[done..section.start]);
            done = section.start;
            whole.push(Section::Ir as u8);
            push_varint(&mut whole, (section.end - section.start + added) as u64);
        }
        whole.extend_from_slice(&out[done..]);
        whole
    }
}
