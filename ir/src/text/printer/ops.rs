//! Operations, regions and blocks: the generic form of any, the pretty form by definition or hook.

use smallvec::SmallVec;

use super::AsmPrinter;
use super::plans::Form;
use crate::arena::Arena;
use crate::entity::{BlockId, ValueId};
use crate::text::format::{Part, Step};
use crate::types::Type;
use crate::view::{BlockRef, OpRef, RegionRef, ValueRef};

/// Nesting of regions that is printed on one stack segment before the next is allocated.
const RED_ZONE: usize = 128 * 1024;
const SEGMENT: usize = 2 * 1024 * 1024;

/// Levels that are shown by indentation. Deeper ones are not, lest the text grow with the square of the depth.
const MAX_INDENT: usize = 128;

/// What indentation is made of.
const BLANKS: &[u8; 32] = &[b' '; 32];

/// Output is handed on in pieces of about this size.
const FLUSH_AT: usize = 64 * 1024;

impl AsmPrinter<'_> {
    /// Prints `op` with its results, without a line end.
    pub(super) fn operation(&mut self, op: OpRef<'_>) {
        if self.is_collecting() {
            if !self.collect_regions_only(op) {
                self.collect_op_location(op.loc());
                self.custom_or_generic(op);
                self.note_visited(op);
            }
            return;
        }
        self.result_names(op);
        self.custom_or_generic(op);
        if self.options.debug_info {
            self.trailing_location(op.loc());
        }
    }

    /// Prints `op` without results and location: its pretty form where it has one and is asked for.
    #[inline(always)]
    pub fn custom_or_generic(&mut self, op: OpRef<'_>) {
        let enters = op.is_stub() && !self.is_collecting();
        if enters {
            self.names.enter(op, &mut self.plans);
        }
        let plan = self.plans.of(op.name_id());
        let implied = std::mem::replace(&mut self.implied_dialect, plan.default_dialect);
        match plan.form {
            Form::Generic => self.generic(op),
            Form::Hook(print) => {
                plan.write_name(implied, &mut self.out);
                print(op, self);
            }
            Form::Declared(format) => {
                plan.write_name(implied, &mut self.out);
                format.print(op, self);
            }
        }
        self.implied_dialect = implied;
        if enters {
            self.names.leave();
        }
    }

    fn result_names(&mut self, op: OpRef<'_>) {
        let ir = op.arena();
        let (num_results, first) = (op.num_results(), ir.op(op.id()).first_result as usize);
        match num_results {
            0 => return,
            1 => self.value_name(ir, ValueId::from_index(first), false),
            _ => {
                let groups = SmallVec::<[u32; 4]>::from_slice(self.names.of(ir).map_or(&[0], |n| n.groups(op.id())));
                for (i, &start) in groups.iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    let start = start as usize;
                    let end = groups.get(i + 1).map_or(num_results, |&end| end as usize);
                    self.value_name(ir, ValueId::from_index(first + start), false);
                    if end - start > 1 {
                        self.text(":");
                        self.int((end - start) as i64);
                    }
                }
            }
        }
        self.text(" = ");
    }

    /// The name of `value`, with its number among several results of the same name where `numbered` holds.
    #[inline]
    fn value_name(&mut self, ir: &Arena, value: ValueId, numbered: bool) {
        if let Some(names) = self.names.of(ir)
            && let Some(name) = names.values.get(value.index())
            && let Some(len) = name.inline_len()
        {
            return self.out.push_padded(&name.bytes(), len);
        }
        self.long_value_name(ir, value, numbered);
    }

    #[inline(never)]
    fn long_value_name(&mut self, ir: &Arena, value: ValueId, numbered: bool) {
        self.names.write(ir, value, numbered, |text| self.out.push_str(text));
    }

    /// `%name`, with `#number` for one of several results.
    pub fn operand(&mut self, value: ValueRef<'_>) {
        self.value_name(value.arena(), value.id(), true);
    }

    /// `len` operands of `op` from number `start` on, with commas between them.
    #[inline(always)]
    pub(crate) fn operand_run(&mut self, op: OpRef<'_>, start: usize, len: usize) {
        let ir = op.arena();
        let first = ir.op(op.id()).first_operand as usize + start;
        for (i, operand) in ir.uses[first..first + len].iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.value_name(ir, operand.value, true);
        }
    }

    /// Prints those first `steps` that are the names of single operands and types of single values, known and short. Answers the
    /// others.
    #[inline]
    pub(crate) fn simple_steps<'s>(&mut self, op: OpRef<'_>, mut steps: &'s [Step]) -> &'s [Step] {
        let (ir, data) = (op.arena(), op.arena().op(op.id()));
        let Some(names) = self.names.of(ir) else { return steps };
        let (values, names, out) = (&*ir.values, &*names.values, &mut self.out);
        let operands = &ir.uses[data.first_operand as usize..][..data.num_operands as usize];
        while let [step, rest @ ..] = steps {
            let ty = match step.part {
                Part::Operand(index) => {
                    let name = operands.get(index).and_then(|operand| names.get(operand.value.index()));
                    let Some((name, len)) = name.and_then(|name| Some((name, name.inline_len()?))) else { break };
                    out.push(&step.text);
                    out.push_padded(&name.bytes(), len);
                    steps = rest;
                    continue;
                }
                Part::OperandType(index) => operands.get(index).and_then(|use_of| values.get(use_of.value.index())),
                Part::ResultType(0) if data.num_results > 0 => values.get(data.first_result as usize),
                _ => break,
            };
            let Some(text) = ty.and_then(|value| self.type_texts.piece(value.ty)) else { break };
            out.push(&step.text);
            out.push(text);
            steps = rest;
        }
        steps
    }

    /// The types of `len` operands of `op` from number `start` on, with commas between them.
    #[inline]
    pub(crate) fn operand_type_run(&mut self, op: OpRef<'_>, start: usize, len: usize) {
        let ir = op.arena();
        let first = ir.op(op.id()).first_operand as usize + start;
        self.types(ir.uses[first..first + len].iter().map(|operand| ir.value_type(operand.value)));
    }

    /// The types of `len` results of `op` from number `start` on.
    #[inline]
    pub(crate) fn result_type_run(&mut self, op: OpRef<'_>, start: usize, len: usize) {
        let ir = op.arena();
        let first = ir.op(op.id()).first_result as usize + start;
        self.types(ir.values[first..first + len].iter().map(|value| value.ty));
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

    /// The label of a block: `^bb1`.
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
        self.names.of(block.arena())?.block(id)
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
        self.operand_run(op, 0, op.num_operands());
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
        if self.is_collecting() && self.collect_by_attrs(region, print_terminator) {
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
        self.depth += 1;
        if self.options.value_users && !self.is_collecting() {
            self.argument_users(block);
        }
        if self.pays_in_parallel(block) {
            if self.is_collecting() {
                self.collect_in_parallel(block, print_terminator);
            } else {
                self.lines_in_parallel(block, print_terminator);
            }
            self.depth -= 1;
            return;
        }
        for op in block.ops() {
            let last = op.next().is_none();
            if last && !print_terminator && op.has_trait(&crate::Trait::Terminator) {
                break;
            }
            self.line(op);
            if self.gave_up {
                break;
            }
        }
        self.depth -= 1;
    }

    /// An operation on a line of its own.
    #[inline]
    pub(super) fn line(&mut self, op: OpRef<'_>) {
        self.indent();
        self.operation(op);
        if self.options.value_users && !self.is_collecting() {
            self.result_users(op);
        }
        self.newline();
        if self.out.len() >= FLUSH_AT {
            self.flush();
        }
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

    /// A line end. What follows begins a line, without indentation.
    #[inline]
    pub fn newline(&mut self) {
        self.out.push_str("\n");
    }

    /// Spaces for the current depth, up to `MAX_INDENT`.
    #[inline]
    pub fn indent(&mut self) {
        let mut rest = 2 * self.depth.min(MAX_INDENT);
        while rest > BLANKS.len() {
            self.out.push_padded(BLANKS, BLANKS.len());
            rest -= BLANKS.len();
        }
        self.out.push_padded(BLANKS, rest);
    }

    /// Prints at one more level of indentation.
    pub fn indented(&mut self, print: impl FnOnce(&mut Self)) {
        self.depth += 1;
        print(self);
        self.depth -= 1;
    }
}
