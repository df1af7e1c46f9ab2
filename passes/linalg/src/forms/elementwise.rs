//! Named element-wise operations become `linalg.elementwise`.

use dl_ir::OpId;
use dl_ir::Rewriter;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_linalg::build::elementwise_state;
use dl_linalg::{ElementwiseKind as Kind, LinalgOp};

/// The operations that have a kind, with it. `linalg.max` and `linalg.min` keep their names, as they do upstream.
const KINDS: [(&str, Kind); 20] = [
    ("linalg.select", Kind::Select),
    ("linalg.add", Kind::Add),
    ("linalg.sub", Kind::Sub),
    ("linalg.mul", Kind::Mul),
    ("linalg.div", Kind::Div),
    ("linalg.div_unsigned", Kind::DivUnsigned),
    ("linalg.powf", Kind::Powf),
    ("linalg.exp", Kind::Exp),
    ("linalg.log", Kind::Log),
    ("linalg.abs", Kind::Abs),
    ("linalg.ceil", Kind::Ceil),
    ("linalg.floor", Kind::Floor),
    ("linalg.negf", Kind::Negf),
    ("linalg.reciprocal", Kind::Reciprocal),
    ("linalg.round", Kind::Round),
    ("linalg.sqrt", Kind::Sqrt),
    ("linalg.rsqrt", Kind::Rsqrt),
    ("linalg.square", Kind::Square),
    ("linalg.tanh", Kind::Tanh),
    ("linalg.erf", Kind::Erf),
];

fn to_category(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let name = view.name();
    let kind = KINDS.iter().find(|(named, _)| *named == name).ok_or(NoMatch("no kind for this name"))?.1;
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let (maps, loc) = (nest.indexing_maps(), view.loc());
    let inputs: Vec<_> = nest.inputs().map(|input| input.id()).collect();
    let init = nest.inits().get(0).ok_or(NoMatch("no init"))?.id();
    rw.set_insertion_before(op);
    let state = elementwise_state(rw, kind, &maps, &inputs, init, loc);
    let state = state.map_err(|_| NoMatch("element types that the category does not take"))?;
    rw.replace_with(op, state);
    Ok(())
}

/// Adds the patterns that make named operations of a category operations of it.
pub(super) fn add_patterns(patterns: &mut Patterns) {
    for (name, _) in KINDS {
        patterns.add_fn("linalg-named-to-elementwise", Some(name), to_category);
    }
}
