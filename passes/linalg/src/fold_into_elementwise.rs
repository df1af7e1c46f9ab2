//! `linalg-fold-into-elementwise`: transpositions of inputs go into the maps of `linalg.elementwise`.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, Rewriter};
use dl_linalg::build::maps_attr;
use dl_linalg::{ElementwiseOp, LinalgOp, TransposeOp};

/// Makes `linalg.elementwise` read what `linalg.transpose` reads, where it indexes the transposition by the identity.
#[derive(Clone, Copy, Default)]
pub struct FoldIntoElementwise;

impl Pass for FoldIntoElementwise {
    const INFO: PassInfo =
        PassInfo::new("linalg-fold-into-elementwise", "Fold transpositions into the maps of linalg.elementwise")
            .title("LinalgFoldIntoElementwisePass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add_fn("linalg-fold-transpose-into-elementwise", Some(ElementwiseOp::NAME), fold_transpose);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

fn fold_transpose(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let mut maps = nest.indexing_maps();
    let mut sources = Vec::new();
    for (i, input) in nest.inputs().enumerate() {
        let Some(transpose) = input.def::<TransposeOp<'_>>().filter(|_| cx.affine().is_identity(maps[i])) else {
            continue;
        };
        let map = LinalgOp::of(transpose.0).and_then(|nest| nest.indexing_maps().first().copied());
        maps[i] = map.ok_or(NoMatch("no map"))?;
        sources.push((i, transpose.input().id()));
    }
    if sources.is_empty() {
        return Err(NoMatch("no input is transposed"));
    }
    for (i, source) in sources {
        rw.set_operand(op, i, source);
    }
    rw.set_attr(op, cx.ident("indexing_maps"), maps_attr(cx, &maps));
    Ok(())
}
