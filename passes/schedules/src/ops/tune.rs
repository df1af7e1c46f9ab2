//! Choices that a schedule leaves open, where they have been made.

use dl_ir::{AttrData, DialectBuilder, OpRef, OpView};
use dl_transform::{TuneAlternativesOp, TuneKnobOp};

use super::on;
use crate::failure::{Failure, Outcome};
use crate::handles::Results;
use crate::interface::Transformation;
use crate::interpreter::Interpreter;

pub(super) fn attach(builder: &mut DialectBuilder) {
    on::<TuneKnobOp<'_>>(builder, Knob);
    on::<TuneAlternativesOp<'_>>(builder, Alternatives);
}

/// `transform.tune.knob`.
struct Knob;

impl Transformation for Knob {
    fn apply<'s>(&self, op: OpRef<'s>, _: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = TuneKnobOp::wrap(op);
        let Some(selected) = view.selected() else {
            let name = view.name();
            let message =
                format!("non-deterministic choice {name} is only resolved through providing a `selected` attr");
            return Err(Failure::definite(op, message));
        };
        results.set_params(0, [selected.id()]);
        Ok(())
    }
}

/// `transform.tune.alternatives`.
struct Alternatives;

impl Transformation for Alternatives {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = TuneAlternativesOp::wrap(op);
        let selected = match (view.selected_region_attr(), view.selected_region_param()) {
            (Some(selected), _) => selected.as_int(),
            (None, Some(param)) => {
                let params = run.params(param);
                let [param] = *params.as_slice() else {
                    return Err(Failure::definite(op, "param should hold exactly one integer attribute"));
                };
                let param = op.cx().attr(param);
                let number = param.as_int().filter(|_| matches!(param.data(), AttrData::Integer { .. }));
                if number.is_none() {
                    let message = format!("param should hold exactly one integer attribute, got: {param}");
                    return Err(Failure::definite(op, message));
                }
                number
            }
            (None, None) => {
                let name = view.name();
                let message = format!(
                    "non-deterministic choice {name} is only resolved through providing a `selected_region` attr/param"
                );
                return Err(Failure::definite(op, message));
            }
        };
        let number = selected.unwrap_or(-1);
        let region = usize::try_from(number).ok().filter(|&at| at < op.num_regions()).map(|at| op.region(at));
        let Some(region) = region else {
            let message = format!(
                "'selected_region' attribute/param specifies region at index {number} while op has only {} regions",
                op.num_regions()
            );
            return Err(Failure::definite(op, message));
        };
        let Some(block) = region.entry() else { return Ok(()) };
        run.in_region(region, |run| run.run_sequence(block, false, results))
    }
}
