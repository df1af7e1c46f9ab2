//! What shows something of the payload, or marks something in it.

use dl_ir::text::{PrintOptions, print_op, print_op_in_place};
use dl_ir::{Attr, Diagnostic, DialectBuilder, OpRef, OpView, verify};
use dl_transform::{AnnotateOp, EmitParamAsRemarkOp, EmitRemarkAtOp, PrintOp, VerifyOp};

use super::on;
use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Results};
use crate::interface::{Each, Transformation};
use crate::interpreter::Interpreter;
use crate::payload::{PayloadOp, describe};

pub(super) fn attach(builder: &mut DialectBuilder) {
    on::<PrintOp<'_>>(builder, Print);
    on::<EmitRemarkAtOp<'_>>(builder, RemarkAt);
    on::<EmitParamAsRemarkOp<'_>>(builder, RemarkParam);
    on::<AnnotateOp<'_>>(builder, Annotate);
    builder.on::<VerifyOp<'_>>().interface::<dyn Transformation>(Each::reading(verify_one));
}

/// `transform.print`.
struct Print;

impl Transformation for Print {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, _: &mut Results) -> Outcome {
        let options = PrintOptions {
            assume_verified: op.attr("assume_verified").is_some(),
            local_scope: op.attr("use_local_scope").is_some(),
            skip_regions: op.attr("skip_regions").is_some(),
            ..PrintOptions::default()
        };
        let mut text = b"[[[ IR printer: ".to_vec();
        if let Some(name) = PrintOp::wrap(op).name().and_then(dl_ir::AttrRef::as_str) {
            text.extend(format!("{name} ").bytes());
        }
        let targets = if op.num_operands() == 0 {
            text.extend(b"top-level ]]]\n");
            vec![run.top]
        } else {
            text.extend(b"]]]\n");
            run.ops(op.operand(0))
        };
        for target in targets {
            let is_outermost = run.parent(target).is_none();
            let view = run.op(target);
            let print = if is_outermost { print_op } else { print_op_in_place };
            print(view, &options, &mut text).expect("memory can be written to");
            text.extend(b"\n");
        }
        run.pass.put_out(&String::from_utf8_lossy(&text));
        Ok(())
    }
}

/// `transform.debug.emit_remark_at`.
struct RemarkAt;

impl Transformation for RemarkAt {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, _: &mut Results) -> Outcome {
        let message = EmitRemarkAtOp::wrap(op).message().as_str().unwrap_or_default();
        for entity in run.entities(op.operand(0)).to_vec() {
            let remark = match entity {
                Entity::Op(target) => run.op(target).remark(message),
                Entity::Value(value) => {
                    let value = run.value(value);
                    let loc = value.loc();
                    Diagnostic::remark(loc, message).note(loc, format!("value handle points to {}", describe(value)))
                }
                Entity::Param(_) => continue,
            };
            run.emit(remark);
        }
        Ok(())
    }
}

/// `transform.debug.emit_param_as_remark`.
struct RemarkParam;

impl Transformation for RemarkParam {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, _: &mut Results) -> Outcome {
        let view = EmitParamAsRemarkOp::wrap(op);
        let params: Vec<String> = run.params(view.param()).iter().map(|&p| op.cx().attr(p).to_string()).collect();
        let message = view.message().and_then(dl_ir::AttrRef::as_str).map(|text| format!("{text} "));
        let text = message.unwrap_or_default() + &params.join(", ");
        let Some(anchor) = view.anchor() else {
            run.emit(op.remark(&text));
            return Ok(());
        };
        for target in run.ops(anchor) {
            let remark = run.op(target).remark(&text);
            run.emit(remark);
        }
        Ok(())
    }
}

/// `transform.annotate`.
struct Annotate;

impl Transformation for Annotate {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, _: &mut Results) -> Outcome {
        let view = AnnotateOp::wrap(op);
        let targets = run.ops(view.target());
        let params: Vec<Attr> = match view.param() {
            Some(param) => run.params(param),
            None => vec![op.cx().unit_attr()],
        };
        if params.len() != 1 && params.len() != targets.len() {
            let message =
                format!("parameter and target have different payload lengths ({} vs {})", params.len(), targets.len());
            return Err(Failure::silenceable(op, message));
        }
        let name = op.cx().ident(view.name().as_str().unwrap_or_default());
        for (i, target) in targets.into_iter().enumerate() {
            let param = params[if params.len() == 1 { 0 } else { i }];
            let (arena, id) = run.inside(target);
            run.rewrite(arena, |rw| rw.set_attr(id, name, param));
        }
        Ok(())
    }
}

/// `transform.verify`.
fn verify_one<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    let view = run.op(target).body();
    match verify::verify(run.cx(), view.arena()) {
        Ok(()) => Ok(Vec::new()),
        Err(faults) => {
            let loc = view.loc();
            faults.into_iter().for_each(|fault| run.emit(fault));
            Err(Failure::definite(op, "failed to verify payload op").note(loc, "payload op"))
        }
    }
}
