//! Inits that an element-wise `linalg.generic` reads become inputs.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, Rewriter, ValueId};
use dl_linalg::{IteratorType, LinalgOp};
use dl_tensor::build::empty;

use crate::generic::Generic;

/// A nest of parallel loops reads its inits as inputs, and writes to empty tensors: it is element-wise then. What was a reduction over one
/// element becomes this.
pub(super) fn move_inits_to_inputs(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let old = Generic::of(view).ok_or(NoMatch("not general"))?;
    let parallel = nest.iterator_types().iter().all(|&iterator| iterator == IteratorType::Parallel);
    if !has_pure_tensor_semantics(view) || !parallel {
        return Err(NoMatch("not element-wise on tensors"));
    }
    let num_inputs = old.inputs.len();
    let read: Vec<usize> = (0..old.inits.len()).filter(|&i| nest.reads_operand(num_inputs + i)).collect();
    let shaped = |&i: &usize| rw.value_type(old.inits[i]).is_ranked_tensor();
    if read.is_empty() || !read.iter().all(shaped) {
        return Err(NoMatch("no init is read"));
    }
    let (region, body) = (view.region(0).id(), nest.body().ok_or(NoMatch("no body"))?.id());
    let (loc, kept) = (old.loc, crate::generic::kept_attrs(view));
    let mut new = old.clone();
    for &i in &read {
        let init = old.inits[i];
        rw.set_insertion_after_value(init);
        let sizes = dl_tensor::extents(rw, init, loc);
        let element = rw.value_type(init).element_or_self().id();
        new.inits[i] = empty(rw, &sizes, element, loc);
        new.inputs.push(init);
    }
    let moved: Vec<AffineMap> = read.iter().map(|&i| old.maps[num_inputs + i]).collect();
    new.maps.splice(num_inputs..num_inputs, moved);
    rw.set_insertion_before(op);
    // The results keep their types: an encoding is not that of an empty tensor.
    let op_new = new.create_with_body_of(rw, region);
    for (name, attr) in kept {
        rw.set_attr(op_new, name, attr);
    }
    for (at, &i) in read.iter().enumerate() {
        let old_arg = rw.ir().block_args(body)[num_inputs + at + i];
        let ty = rw.value_type(old_arg).id();
        let arg = rw.insert_block_arg(body, num_inputs + at, ty);
        rw.replace_all_uses(old_arg, arg);
    }
    let results: Vec<ValueId> = rw.ir().results(op_new).collect();
    rw.replace(op, &results);
    Ok(())
}
