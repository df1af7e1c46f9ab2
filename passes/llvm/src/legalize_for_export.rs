//! `llvm-legalize-for-export`: what LLVM IR cannot say as the dialect does.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Attr, AttrRef, BlockId, Context, Ident, OpId, OpState, Rewriter, ValueId};
use dl_llvm::BrOp;

/// The code of `DW_OP_LLVM_fragment`.
const FRAGMENT: i64 = 0x1000;

/// A branch that reaches a block twice with values of its own takes another way the second time: a value of LLVM IR depends on the block
/// that control came from. And of the fragments that a debug expression speaks of, one after the other, one remains.
#[derive(Clone, Copy, Default)]
pub struct LlvmLegalizeForExport;

impl Pass for LlvmLegalizeForExport {
    const INFO: PassInfo =
        PassInfo::new("llvm-legalize-for-export", "Legalize LLVM dialect to be convertible to LLVM IR")
            .title("LLVMLegalizeForExportPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut legalize = |cx: &Context, ir: &mut Arena| {
            for op in dl_ir::walk::ops_in_arena(ir, Arena::ROOT) {
                let mut rw = Rewriter::new(cx, ir);
                separate_edges(&mut rw, op);
                merge_fragments(&mut rw, op);
            }
        };
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut legalize);
        Ok(())
    }
}

/// Where `op` branches to one block several times, with values, each time but the first goes through a block of its own.
fn separate_edges(rw: &mut Rewriter<'_>, op: OpId) {
    let successors: Vec<BlockId> = rw.ir().successors(op).collect();
    for (index, &to) in successors.iter().enumerate() {
        if !successors[..index].contains(&to) || rw.ir().block_args(to).is_empty() {
            continue;
        }
        let Some(region) = rw.ir().region_of(to) else { continue };
        let args: Vec<ValueId> = rw.ir().block_args(to).to_vec();
        let types: Vec<_> = args.iter().map(|&arg| rw.ir().value_type(arg)).collect();
        let between = rw.append_block(region, &types);
        rw.set_successor(op, index, between);
        rw.set_insertion_to_end(between);
        let (loc, passed) = (rw.op(op).loc(), rw.ir().block_args(between).to_vec());
        rw.create(OpState::of::<BrOp<'_>>(loc).operands(passed).successors([to]));
    }
}

/// Merges fragments in the attributes of `op`.
fn merge_fragments(rw: &mut Rewriter<'_>, op: OpId) {
    let view = rw.op(op);
    if view.is_stub() || view.info().dialect() != "llvm" {
        return;
    }
    let changed: Vec<(Ident, Attr)> =
        view.attrs().filter_map(|(name, attr)| Some((name, with_one_fragment(attr)?))).collect();
    for (name, attr) in changed {
        rw.set_attr(op, name, attr);
    }
}

/// The attribute with neighboring fragments of its expressions merged, where there are any: a debug expression, or an expression of a
/// global variable, or a list of these.
fn with_one_fragment(attr: AttrRef<'_>) -> Option<Attr> {
    let cx = attr.cx();
    let in_parts = |parts: &[Attr]| {
        let new: Vec<Option<Attr>> = parts.iter().map(|&part| with_one_fragment(cx.attr(part))).collect();
        new.iter()
            .any(Option::is_some)
            .then(|| -> Vec<Attr> { parts.iter().zip(new).map(|(&old, new)| new.unwrap_or(old)).collect() })
    };
    if attr.is_dialect_attr("llvm.di_expression") {
        let &[steps] = attr.params() else { return None };
        let steps: Vec<AttrRef<'_>> = cx.attr(steps).elements().collect();
        let merged = merged_steps(cx, &steps)?;
        return Some(cx.dialect_attr("llvm.di_expression", &[cx.array_attr(&merged)]));
    }
    if attr.is_dialect_attr("llvm.di_global_variable_expression") {
        return Some(cx.dialect_attr("llvm.di_global_variable_expression", &in_parts(attr.params())?));
    }
    if attr.is_array() {
        let parts: Vec<Attr> = attr.elements().map(AttrRef::id).collect();
        return Some(cx.array_attr(&in_parts(&parts)?));
    }
    None
}

/// The steps with each run of fragments as one: as far in as all of them together, as long as the first. `None` where there is no run.
fn merged_steps(cx: &Context, steps: &[AttrRef<'_>]) -> Option<Vec<Attr>> {
    let mut merged: Vec<AttrRef<'_>> = Vec::new();
    for &step in steps {
        let joint = merged.last().and_then(|&last| {
            let (inner, outer) = (fragment(last)?, fragment(step)?);
            let offset = inner[0].checked_add(outer[0])?;
            let number = |value| cx.int_attr(cx.int_type(64), value);
            let arguments = cx.array_attr(&[number(offset), number(inner[1])]);
            let opcode = step.params()[0];
            Some(cx.attr(cx.dialect_attr("llvm.di_expression_elem", &[opcode, arguments])))
        });
        match joint {
            Some(joint) => *merged.last_mut()? = joint,
            None => merged.push(step),
        }
    }
    (merged.len() < steps.len()).then(|| merged.into_iter().map(AttrRef::id).collect())
}

/// Offset and length of a fragment.
fn fragment(step: AttrRef<'_>) -> Option<[i64; 2]> {
    let &[opcode, arguments] = step.params() else { return None };
    if step.cx().attr(opcode).as_int() != Some(FRAGMENT) {
        return None;
    }
    let mut arguments = step.cx().attr(arguments).elements().map(AttrRef::as_int);
    Some([arguments.next()??, arguments.next()??])
}
