//! Operations, regions and blocks: the generic form of any, the pretty form by definition or hook.

use smallvec::SmallVec;

use super::numbering::{Names, ValueName};
use super::{AsmPrinter, PrintOptions};
use crate::entity::BlockId;
use crate::opdef::Format;
use crate::text::CompiledFormat;
use crate::types::Type;
use crate::view::{BlockRef, OpRef, RegionRef, ValueRef};

/// Nesting of regions that is printed on one stack segment before the next is allocated.
const RED_ZONE: usize = 128 * 1024;
const SEGMENT: usize = 2 * 1024 * 1024;

/// Levels that are shown by indentation. Deeper ones are not, lest the text grow with the square of the depth.
const MAX_INDENT: usize = 128;

/// Output is handed on in pieces of about this size.
const FLUSH_AT: usize = 64 * 1024;

impl AsmPrinter<'_> {
    /// Prints `op` with its results, without a line end.
    pub(super) fn operation(&mut self, op: OpRef<'_>) {
        if self.is_collecting() {
            if self.collect_regions_only(op) {
                return;
            }
            self.collect_op_location(op.loc());
        }
        self.result_names(op);
        self.custom_or_generic(op);
        self.trailing_location(op.loc());
    }

    /// Prints `op` without results and location: its pretty form where it has one and is asked for.
    pub fn custom_or_generic(&mut self, op: OpRef<'_>) {
        let info = op.info();
        let generic = self.options().generic;
        self.enter_op(op, |p| match (&info.def, info.hooks.print) {
            (Some(_), Some(print)) if !generic => {
                p.pretty_name(op);
                print(op, p);
            }
            (Some(def), None) if !generic && matches!(def.format, Format::Declarative(_)) => {
                match CompiledFormat::of(op.cx(), op.name_id()) {
                    Ok(format) => {
                        p.pretty_name(op);
                        format.print(op, p);
                    }
                    Err(_) => p.generic(op),
                }
            }
            _ => p.generic(op),
        });
    }

    /// Runs `print` with `op`'s default dialect inside its regions.
    fn enter_op(&mut self, op: OpRef<'_>, print: impl FnOnce(&mut Self)) {
        let default = op.info().hooks.default_dialect.unwrap_or("");
        self.state.inner_dialect.push(default);
        print(self);
        self.state.inner_dialect.pop();
    }

    /// The name without the prefix that the context implies.
    fn pretty_name(&mut self, op: OpRef<'_>) {
        let name = op.name();
        let depth = self.state.inner_dialect.len();
        let outer = if depth >= 2 { self.state.inner_dialect[depth - 2] } else { "builtin" };
        let short = name.strip_prefix(outer).and_then(|rest| rest.strip_prefix('.')).filter(|rest| !rest.contains('.'));
        self.text(short.filter(|_| !outer.is_empty()).unwrap_or(name));
    }

    fn result_names(&mut self, op: OpRef<'_>) {
        let num_results = op.num_results();
        if num_results == 0 {
            return;
        }
        let arena = self.state.names.arena(op.arena());
        let groups = arena.map_or(SmallVec::from_slice(&[0]), |a| self.state.names.groups(a, op.id()));
        for (i, &start) in groups.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            let end = groups.get(i + 1).map_or(num_results, |&e| e as usize);
            self.value_name(op.result(start as usize), false);
            if end - start as usize > 1 {
                self.text(":");
                self.int((end - start as usize) as i64);
            }
        }
        self.text(" = ");
    }

    fn value_name(&mut self, value: ValueRef<'_>, numbered: bool) {
        let Some(arena) = self.state.names.arena(value.arena()) else {
            self.text("<<UNKNOWN SSA VALUE>>");
            return;
        };
        let (name, number) = self.state.names.value(arena, value.arena(), value.id());
        match name {
            ValueName::Number(n) => {
                self.out.push('%');
                let mut buffer = itoa::Buffer::new();
                self.out.push_str(buffer.format(n));
            }
            ValueName::Word(word) => {
                self.out.push('%');
                self.out.push_str(word);
            }
            ValueName::Unknown => self.out.push_str("<<UNKNOWN SSA VALUE>>"),
        }
        if numbered && let Some(number) = number {
            self.out.push('#');
            let mut buffer = itoa::Buffer::new();
            self.out.push_str(buffer.format(number));
        }
    }

    /// `%name`, with `#number` for one of several results.
    pub fn operand(&mut self, value: ValueRef<'_>) {
        self.value_name(value, true);
    }

    /// Operands with commas between them.
    pub fn operands<'v>(&mut self, values: impl IntoIterator<Item = ValueRef<'v>>) {
        for (i, value) in values.into_iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.operand(value);
        }
    }

    /// `%name: type`, as the argument of a region.
    pub fn argument(&mut self, value: ValueRef<'_>) {
        self.operand(value);
        self.text(": ");
        self.ty(value.ty().id());
    }

    /// `^bb1`.
    pub fn successor(&mut self, block: BlockRef<'_>) {
        self.block_name(block);
    }

    /// `^bb1(%a, %b : t, u)`.
    pub fn successor_and_operands<'v>(
        &mut self,
        block: BlockRef<'_>,
        values: impl IntoIterator<Item = ValueRef<'v>, IntoIter: Clone>,
    ) {
        self.block_name(block);
        let values = values.into_iter();
        if values.clone().next().is_none() {
            return;
        }
        self.text("(");
        self.operands(values.clone());
        self.text(" : ");
        self.types(values.map(|v| v.ty().id()));
        self.text(")");
    }

    fn block_name(&mut self, block: BlockRef<'_>) {
        let number = self.block_number(block.id(), block);
        match number {
            Some(n) => {
                self.text("^bb");
                self.int(i64::from(n));
            }
            None => self.text("INVALIDBLOCK"),
        }
    }

    fn block_number(&self, id: BlockId, block: BlockRef<'_>) -> Option<u32> {
        let arena = self.state.names.arena(block.arena())?;
        self.state.names.block(arena, id)
    }

    /// `-> type` or `-> (types)`; nothing where there are none.
    pub fn optional_arrow_types(&mut self, types: &[Type]) {
        if types.is_empty() {
            return;
        }
        self.text(" -> ");
        self.arrow_results(types);
    }

    fn arrow_results(&mut self, types: &[Type]) {
        let wrap = types.len() != 1 || self.cx().ty(types[0]).is_function();
        if wrap {
            self.text("(");
        }
        self.types(types.iter().copied());
        if wrap {
            self.text(")");
        }
    }

    /// `(inputs) -> results`.
    pub fn functional_type(&mut self, inputs: &[Type], results: &[Type]) {
        self.text("(");
        self.types(inputs.iter().copied());
        self.text(") -> ");
        self.arrow_results(results);
    }

    /// The generic form, without results.
    pub fn generic(&mut self, op: OpRef<'_>) {
        if self.is_collecting() {
            return self.collect_generic(op);
        }
        self.string(op.name().as_bytes());
        self.text("(");
        self.operands(op.operands().iter());
        self.text(")");
        if op.num_successors() > 0 {
            self.text("[");
            for (i, block) in op.successors().enumerate() {
                if i > 0 {
                    self.text(", ");
                }
                self.block_name(block);
            }
            self.text("]");
        }
        self.generic_properties(op);
        if op.num_regions() > 0 {
            self.text(" (");
            for (i, region) in op.regions().enumerate() {
                if i > 0 {
                    self.text(", ");
                }
                self.region_with(region, true, true, true);
            }
            self.text(")");
        }
        self.generic_attrs(op);
        self.text(" : ");
        self.functional_type(&op.operands().types(), &op.results().types());
    }

    fn generic_properties(&mut self, op: OpRef<'_>) {
        if !op.info().is_registered() {
            if let Some(properties) = op.attr(crate::text::PROPERTIES) {
                self.text(" <");
                self.attr(properties.id());
                self.text(">");
            }
            return;
        }
        let properties = op.properties();
        if !properties.is_empty() {
            self.text(" <");
            self.attr_entries(&properties);
            self.text(">");
        }
    }

    fn generic_attrs(&mut self, op: OpRef<'_>) {
        let cx = op.cx();
        let attrs: Vec<_> = op
            .discardable_attrs()
            .filter(|(name, _)| cx.str(*name) != crate::text::PROPERTIES)
            .map(|(name, attr)| (name, attr.id()))
            .collect();
        if !attrs.is_empty() {
            self.text(" ");
            self.attr_entries(&attrs);
        }
    }

    /// `{ ... }`. The label of the entry block is left out unless `print_entry_args` holds and it has arguments; the last
    /// operation of a block is left out where `print_terminator` does not hold.
    pub fn region(&mut self, region: RegionRef<'_>, print_entry_args: bool, print_terminator: bool) {
        self.region_with(region, print_entry_args, print_terminator, false);
    }

    /// The same, which with `print_empty` shows that there is an entry block where that is empty.
    fn region_with(
        &mut self,
        region: RegionRef<'_>,
        print_entry_args: bool,
        print_terminator: bool,
        print_empty: bool,
    ) {
        stacker::maybe_grow(RED_ZONE, SEGMENT, || {
            self.region_here(region, print_entry_args, print_terminator, print_empty);
        });
    }

    fn region_here(
        &mut self,
        region: RegionRef<'_>,
        print_entry_args: bool,
        print_terminator: bool,
        print_empty: bool,
    ) {
        if self.options().skip_regions {
            self.text("{...}");
            return;
        }
        self.text("{");
        self.newline();
        if let Some(entry) = region.entry() {
            let has_label = entry.predecessor_ops().next().is_some() || (print_entry_args && entry.num_args() > 0);
            self.block(
                entry,
                has_label || (entry.is_empty() && (print_empty || entry.next().is_some())),
                print_terminator,
            );
            let mut next = entry.next();
            while let Some(block) = next {
                self.block(block, true, print_terminator);
                next = block.next();
            }
        }
        self.indent();
        self.text("}");
    }

    fn block(&mut self, block: BlockRef<'_>, label: bool, print_terminator: bool) {
        if label {
            self.indent();
            self.block_name(block);
            if block.num_args() > 0 {
                self.text("(");
                for (i, arg) in block.args().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.argument(arg);
                    self.argument_location(arg.loc());
                }
                self.text(")");
            }
            self.text(":");
            self.predecessors(block);
            self.newline();
        }
        self.state.depth += 1;
        for op in block.ops() {
            let last = op.next().is_none();
            if last && !print_terminator && op.has_trait(&crate::Trait::Terminator) {
                break;
            }
            self.indent();
            self.operation(op);
            self.newline();
            if self.out.len() >= FLUSH_AT {
                self.flush();
            }
        }
        self.state.depth -= 1;
    }

    /// `  // 2 preds: ^bb0, ^bb1`, sorted by number.
    fn predecessors(&mut self, block: BlockRef<'_>) {
        let mut numbers: Vec<u32> = Vec::new();
        let mut outside = false;
        for (op, _) in block.predecessor_ops() {
            match op.block().and_then(|b| self.block_number(b.id(), b)) {
                Some(n) => numbers.push(n),
                None => outside = true,
            }
        }
        if outside || (numbers.is_empty() && !block.is_entry()) {
            self.text("  // no predecessors");
            return;
        }
        if numbers.is_empty() {
            return;
        }
        numbers.sort_unstable();
        if numbers.len() == 1 {
            self.text("  // pred: ^bb");
            self.int(i64::from(numbers[0]));
            return;
        }
        self.text("  // ");
        self.int(numbers.len() as i64);
        self.text(" preds: ");
        for (i, &n) in numbers.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.text("^bb");
            self.int(i64::from(n));
        }
    }

    /// A line end.
    pub fn newline(&mut self) {
        self.out.push('\n');
    }

    /// Spaces for the current depth, up to [`MAX_INDENT`].
    pub fn indent(&mut self) {
        for _ in 0..self.state.depth.min(MAX_INDENT) {
            self.out.push_str("  ");
        }
    }

    /// Prints at one more level of indentation.
    pub fn indented(&mut self, print: impl FnOnce(&mut Self)) {
        self.state.depth += 1;
        print(self);
        self.state.depth -= 1;
    }
}

/// What printing operations keeps: names and depth.
#[derive(Default)]
pub(super) struct OpState {
    pub(super) names: Names,
    pub(super) depth: usize,
    pub(super) inner_dialect: Vec<&'static str>,
}

impl OpState {
    pub(super) fn new(root: OpRef<'_>, options: &PrintOptions) -> Self {
        Self { names: super::numbering::number(root, options.generic), ..Self::default() }
    }
}
