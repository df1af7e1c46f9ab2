//! `bubble-down-memory-space-casts`: operations work in the memory space that a buffer is in, not in the default one that it was cast to.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{AttrRef, OpId, OpRef, OpState, Rewriter, Type, TypeData};
use dl_memref::MemorySpaceCastOp;

/// Has accesses to and views of a cast buffer go to the buffer itself; views are cast afterwards. Casts that nothing uses then go as well.
#[derive(Clone, Copy, Default)]
pub struct BubbleDownMemorySpaceCasts;

impl Pass for BubbleDownMemorySpaceCasts {
    const INFO: PassInfo =
        PassInfo::new("bubble-down-memory-space-casts", "Bubbles down memory-space cast operations.")
            .title("BubbleDownMemorySpaceCasts");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add_fn("bubble-down-memory-space-cast", None, bubble_down);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// What definitions call the buffer that an operation works on, as opposed to one that it stores or takes sizes from.
const BUFFERS: [&str; 5] = ["memref", "source", "src", "base", "in"];

fn bubble_down(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let at = buffer(view).ok_or(NoMatch("does not take buffers of any memory space"))?;
    let cast = view.operand(at).def::<MemorySpaceCastOp<'_>>().ok_or(NoMatch("its buffer is not cast"))?;
    if cast.0.result(0).ty().memory_space().is_some() {
        return Err(NoMatch("its buffer is cast to a certain memory space"));
    }
    let source = cast.0.operand(0);
    let space = source.ty().memory_space().map(AttrRef::id);
    let cx = rw.cx();
    let mut types: Vec<Type> = Vec::new();
    for result in view.results().iter() {
        let ty = result.ty();
        types.push(match (ty.is_ranked_memref(), ty.shape(), ty.element_type()) {
            (true, Some(shape), Some(element)) => {
                cx.memref_type_with(shape, element.id(), ty.memref_layout().map(AttrRef::id), space)
            }
            (false, _, Some(element)) if ty.is_memref() => {
                cx.intern_type(TypeData::UnrankedMemRef { element: element.id(), space })
            }
            _ => ty.id(),
        });
    }
    let (source, loc, old) = (source.id(), view.loc(), view.results().types().to_vec());
    rw.set_operand(op, at, source);
    for (index, (new, old)) in types.into_iter().zip(old).enumerate().filter(|(_, (new, old))| new != old) {
        let result = rw.ir().result(op, index);
        rw.set_value_type(result, new);
        rw.set_insertion_after(op);
        let back = rw.create_value(OpState::of::<MemorySpaceCastOp<'_>>(loc).operands([result]).results([old]));
        let maker = rw.ir().defining_op(back);
        rw.replace_uses_if(result, back, |user, _| Some(user.id()) != maker);
    }
    Ok(())
}

/// The number of the operand that `op` works on, if that may be in any memory space.
fn buffer(op: OpRef<'_>) -> Option<usize> {
    let def = op.def()?;
    if !def.names_interface("MemorySpaceCastConsumerOpInterface") {
        return None;
    }
    let group = def.operands.iter().position(|operand| BUFFERS.contains(&operand.name.as_ref()))?;
    let group = op.operand_group(group);
    (group.len() == 1).then(|| group.start())
}
