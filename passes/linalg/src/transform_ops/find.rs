//! `transform.structured.match`: the operations that fit a description.

use dl_ir::interfaces::{LoopLike, Tiling};
use dl_ir::{AttrRef, DialectBuilder, OpRef, OpView};
use dl_linalg::LinalgOp;
use dl_passes_schedules::{Failure, Interpreter, Outcome, Results, Transformation};
use dl_transform::{MatchInterfaceEnum, MatchOp};

pub(super) fn attach(builder: &mut DialectBuilder) {
    builder.on::<MatchOp<'_>>().interface::<dyn Transformation>(Box::new(Match));
}

struct Match;

impl Transformation for Match {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = MatchOp::wrap(op);
        let roots = run.ops(view.target());
        if roots.len() > 1 {
            return Err(Failure::definite(op, "requires exactly one target handle"));
        }
        let wanted = Wanted::of(view);
        let mut found = Vec::new();
        for root in roots {
            let nested = run.post_order(root);
            found.extend(nested.into_iter().filter(|&each| wanted.fits(run.op(each))));
        }
        results.set_ops(0, found);
        Ok(())
    }
}

/// What operations must be like.
struct Wanted<'s> {
    names: Option<Vec<&'s str>>,
    interface: Option<MatchInterfaceEnum>,
    attrs: Option<AttrRef<'s>>,
    result: Option<AttrRef<'s>>,
    operands: Option<Vec<AttrRef<'s>>>,
}

impl<'s> Wanted<'s> {
    fn of(view: MatchOp<'s>) -> Self {
        Self {
            names: view.ops().map(|names| names.elements().filter_map(AttrRef::as_str).collect()),
            interface: view.interface().and_then(MatchInterfaceEnum::from_attr),
            attrs: view.op_attrs(),
            result: view.filter_result_type(),
            operands: view.filter_operand_types().map(|types| types.elements().collect()),
        }
    }

    fn fits(&self, op: OpRef<'_>) -> bool {
        let is_named = self.names.as_ref().is_none_or(|names| names.contains(&op.name()));
        is_named && self.has_interface(op) && self.has_attrs(op) && self.has_types(op)
    }

    fn has_interface(&self, op: OpRef<'_>) -> bool {
        match self.interface {
            Some(MatchInterfaceEnum::LinalgOp) => LinalgOp::of(op).is_some(),
            Some(MatchInterfaceEnum::TilingInterface) => op.interface::<dyn Tiling>().is_some(),
            Some(MatchInterfaceEnum::LoopLikeInterface) => op.interface::<dyn LoopLike>().is_some(),
            None => true,
        }
    }

    fn has_attrs(&self, op: OpRef<'_>) -> bool {
        let Some(attrs) = self.attrs else { return true };
        // Iterator types are those of loops, however they are stored.
        attrs.entries().iter().all(|&(name, value)| match op.cx().str(name) {
            "iterator_types" if LinalgOp::of(op).is_some() => {
                let wanted = op.cx().attr(value);
                let all = LinalgOp::of(op).map(LinalgOp::iterator_types).unwrap_or_default();
                wanted.is_array()
                    && wanted.elements().len() == all.len()
                    && wanted.elements().zip(all).all(|(wanted, has)| wanted.id() == has.attr(op.cx()))
            }
            name => op.attr_or_default(name).is_some_and(|has| has.id() == value),
        })
    }

    fn has_types(&self, op: OpRef<'_>) -> bool {
        let is_type = |attr: AttrRef<'_>, ty: dl_ir::Type| attr.as_type().is_some_and(|wanted| wanted.id() == ty);
        let results = op.results().types();
        if let Some(wanted) = self.result
            && !(results.len() == 1 && is_type(wanted, results[0]))
        {
            return false;
        }
        let Some(wanted) = &self.operands else { return true };
        let operands = op.operands().types();
        if let [all] = wanted.as_slice() {
            return operands.iter().all(|&ty| is_type(*all, ty));
        }
        wanted.len() == operands.len() && wanted.iter().zip(operands).all(|(&wanted, ty)| is_type(wanted, ty))
    }
}
