//! `convert-cf-to-llvm`: branches and assertions.
//!
//! A branch converts the arguments of the blocks that it goes to.

use std::sync::Arc;

use dl_cf::{AssertOp, BranchOp, CondBranchOp, SwitchOp};
use dl_ir::pass::PassInfo;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{BlockId, OpDefinition, OpId, OpState, OpView, Type};
use dl_llvm::types::{array_type, func_type, ptr_type, void_type};
use dl_llvm::{AddressOfOp, BrOp, CondBrOp, GEPNoWrapFlags, UnreachableOp};
use smallvec::SmallVec;

use super::dialect_to_llvm::{DialectToLlvm, LoweredDialect};
use super::llvm_build::{Index, LlvmBuild};
use super::llvm_symbols::{declare_text, external_function};
use dl_arith::Build;

/// The dialect `cf`.
#[derive(Clone, Default)]
pub struct Cf;

/// Lowers `cf` to `llvm`.
pub type ConvertCfToLlvm = DialectToLlvm<Cf>;

impl LoweredDialect for Cf {
    const INFO: PassInfo = PassInfo::new("convert-cf-to-llvm", "Convert ControlFlow operations to the LLVM dialect")
        .title("ConvertControlFlowToLLVMPass")
        .on("builtin.module");

    fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns) {
        patterns.add(converter, Branch).add(converter, CondBranch).add(converter, Switch);
        patterns.add(converter, AssertToLlvm { aborts: true });
    }
}

/// Converts the argument types of the blocks that `op` goes to, and says which blocks these are.
fn converted_successors(op: OpId, rw: &mut ConversionRewriter<'_>) -> Result<SmallVec<[BlockId; 4]>, NoMatch> {
    let blocks: SmallVec<[BlockId; 4]> = rw.ir().successors(op).collect();
    let converter = rw.converter();
    let mut signatures = SmallVec::<[_; 4]>::new();
    for &block in &blocks {
        let types: SmallVec<[Type; 4]> = rw.ir().block_args(block).iter().map(|&arg| rw.ir().value_type(arg)).collect();
        let signature = converter.convert_signature(rw.cx(), types);
        signatures.push(signature.ok_or(NoMatch("the type of a block argument cannot be converted"))?);
    }
    for (&block, signature) in blocks.iter().zip(&signatures) {
        if rw.ir().block_args(block).len() == signature.inputs.len() {
            rw.convert_block_signature(block, signature);
        }
    }
    Ok(blocks)
}

/// The attributes of `op` that its definition does not name, and those of the given names.
fn kept_attrs(op: OpId, rw: &ConversionRewriter<'_>, names: &[&str]) -> SmallVec<[(dl_ir::Ident, dl_ir::Attr); 2]> {
    let view = rw.op(op);
    let named = names.iter().filter_map(|name| Some((rw.cx().ident(name), view.attr(name)?.id())));
    view.discardable_attrs().map(|(name, attr)| (name, attr.id())).chain(named).collect()
}

/// `cf.br` becomes `llvm.br`.
struct Branch;

impl ConversionPattern for Branch {
    const NAME: &'static str = "cf-br-to-llvm";
    const ROOT: Option<&'static str> = Some(BranchOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let blocks = converted_successors(op, rw)?;
        let state = OpState::of::<BrOp<'_>>(rw.op(op).loc()).operands(operands.all()).successors(blocks);
        let state = state.attrs(kept_attrs(op, rw, &[]));
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `cf.cond_br` becomes `llvm.cond_br`.
struct CondBranch;

impl ConversionPattern for CondBranch {
    const NAME: &'static str = "cf-cond-br-to-llvm";
    const ROOT: Option<&'static str> = Some(CondBranchOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = CondBranchOp::wrap(rw.op(op));
        let yes = operands.range(view.true_dest_operands().range());
        let no = operands.range(view.false_dest_operands().range());
        let blocks = converted_successors(op, rw)?;
        let state = OpState::of::<CondBrOp<'_>>(rw.op(op).loc())
            .operand_segments(rw.cx(), &[1, yes.len(), no.len()])
            .operands([operands.one(0)])
            .operands(yes)
            .operands(no)
            .successors(blocks)
            .attrs(kept_attrs(op, rw, &["branch_weights"]));
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `cf.switch` becomes `llvm.switch`.
struct Switch;

impl ConversionPattern for Switch {
    const NAME: &'static str = "cf-switch-to-llvm";
    const ROOT: Option<&'static str> = Some(SwitchOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = SwitchOp::wrap(rw.op(op));
        let default = operands.range(view.default_operands().range());
        let case_range = view.case_operands().range();
        // One original operand may have become several.
        let mut at = case_range.start;
        let mut segments: SmallVec<[i32; 8]> = SmallVec::new();
        for count in view.case_operand_segments().dense_ints() {
            let end = at + usize::try_from(count).map_err(|_| NoMatch("a negative segment"))?;
            segments.push(operands.range(at..end).len() as i32);
            at = end;
        }
        let cases = operands.range(case_range);
        let blocks = converted_successors(op, rw)?;
        let cx = rw.cx();
        let state = OpState::of::<dl_llvm::SwitchOp<'_>>(rw.op(op).loc())
            .operand_segments(cx, &[1, default.len(), cases.len()])
            .attr(cx, "case_operand_segments", cx.dense_i32_array(&segments))
            .operands([operands.one(0)])
            .operands(default)
            .operands(cases)
            .successors(blocks)
            .attrs(kept_attrs(op, rw, &["case_values"]));
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `cf.assert` becomes a branch to a block that prints the message.
pub struct AssertToLlvm {
    /// Whether the program then ends, by `abort`.
    pub aborts: bool,
}

impl ConversionPattern for AssertToLlvm {
    const NAME: &'static str = "cf-assert-to-llvm";
    const ROOT: Option<&'static str> = Some(AssertOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (loc, condition) = (rw.op(op).loc(), operands.one(0));
        let message = rw.op(op).attr("msg").and_then(dl_ir::AttrRef::as_str).ok_or(NoMatch("no message"))?.to_owned();
        let head = rw.ir().block_of(op).ok_or(NoMatch("an assertion in no block"))?;
        let region = rw.ir().region_of(head).ok_or(NoMatch("a block in no region"))?;
        let global = declare_text(rw, "assert_msg", &message);
        let cx = rw.cx();
        external_function(rw, "puts", func_type(cx, void_type(cx), &[ptr_type(cx)], false));
        if self.aborts {
            external_function(rw, "abort", func_type(cx, void_type(cx), &[], false));
        }
        let rest = rw.split_block(op);
        let failed = rw.insert_block(region, None, &[]);
        rw.set_insertion_to_end(failed);
        let mut b = Build::new(rw, loc);
        let cx = b.cx();
        let name = cx.symbol_ref_attr(&global);
        let bytes = array_type(cx, cx.int_type(8), message.len() as u64 + 1);
        let address = b.value_with::<AddressOfOp<'_>>(&[], ptr_type(cx), &[("global_name", name)]);
        let text = b.gep(address, bytes, &[Index::Constant(0)], GEPNoWrapFlags::NONE);
        b.llvm_call("puts", &[text], None);
        if self.aborts {
            b.llvm_call("abort", &[], None);
            b.create(OpState::of::<UnreachableOp<'_>>(loc));
        } else {
            b.create(OpState::of::<BrOp<'_>>(loc).successors([rest]));
        }
        rw.set_insertion_to_end(head);
        let state = OpState::of::<CondBrOp<'_>>(loc)
            .operand_segments(rw.cx(), &[1, 0, 0])
            .operands([condition])
            .successors([rest, failed]);
        rw.create(state);
        rw.erase(op);
        Ok(())
    }
}
