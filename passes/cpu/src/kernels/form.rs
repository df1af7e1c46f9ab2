//! Whether a kernel computes with vectors, and why not.

use dl_dl::kernels::Form;
use dl_ir::OpRef;
use dl_ir::walk::ops_in_arena;
use dl_linalg::LinalgOp;
use dl_passes_linalg::{VectorizeOptions, vector_obstacle};

use super::cost::Cost;

/// Elements that are not worth vectors: a few hundred cycles at worst.
const FEW: u64 = 256;

/// What the code of a kernel is like, by what most of its elements are computed with.
pub(super) fn form<'a>(kernel: impl Iterator<Item = OpRef<'a>>, cost: &Cost, options: &VectorizeOptions) -> Form {
    if cost.copied >= cost.vector.max(cost.scalar) && cost.copied > 0 {
        return Form::Copy;
    }
    if cost.vector >= cost.scalar {
        return Form::Vector;
    }
    if cost.scalar <= FEW {
        return Form::Small;
    }
    Form::Scalar(why(kernel, cost, options))
}

/// What kept the first nest of a kernel from being vectorized, else what its loops do most.
fn why<'a>(kernel: impl Iterator<Item = OpRef<'a>>, cost: &Cost, options: &VectorizeOptions) -> String {
    for op in kernel {
        let inside = ops_in_arena(op.arena(), op.id()).into_iter().map(|inner| OpRef::new(op.cx(), op.arena(), inner));
        let mut nests = inside.filter(|inner| LinalgOp::of(*inner).is_some());
        if let Some(why) = nests.find_map(|nest| vector_obstacle(nest, options)) {
            return why.to_owned();
        }
    }
    let most = cost.one_by_one.iter().max_by_key(|(_, count)| **count);
    match most {
        Some((name, _)) => format!("loops of '{name}' that no pass makes vectors of"),
        None => "loops that no pass makes vectors of".to_owned(),
    }
}
