//! `--toy-infer-shapes`: results get the shapes that follow from those of operands.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{DYNAMIC, Diagnostic, DialectBuilder, OpDefinition, OpRef, OpState, walk};

use crate::{AddOp, CastOp, FuncOp, MatmulOp, MulOp, TransposeOp};

/// An interface of operations whose result has a shape that follows from those of its operands.
pub trait InferShape: Send + Sync {
    /// The shape of the result, where operands have these shapes.
    ///
    /// # Errors
    /// Why there is none.
    fn infer(&self, shapes: &[&[i64]]) -> Result<Vec<i64>, String>;
}

impl<F: Fn(&[&[i64]]) -> Result<Vec<i64>, String> + Send + Sync> InferShape for F {
    fn infer(&self, shapes: &[&[i64]]) -> Result<Vec<i64>, String> {
        self(shapes)
    }
}

pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<AddOp<'_>>().verify(verify).interface::<dyn InferShape>(Box::new(same));
    b.on::<MulOp<'_>>().verify(verify).interface::<dyn InferShape>(Box::new(same));
    b.on::<CastOp<'_>>().verify(verify_cast).interface::<dyn InferShape>(Box::new(same));
    b.on::<MatmulOp<'_>>().verify(verify).interface::<dyn InferShape>(Box::new(product));
    b.on::<TransposeOp<'_>>()
        .verify(verify)
        .interface::<dyn InferShape>(Box::new(|shapes: &[&[i64]]| Ok(shapes[0].iter().rev().copied().collect())));
}

/// One of two extents that must be the same.
fn one_of(x: i64, y: i64) -> Option<i64> {
    match (x, y) {
        (DYNAMIC, known) | (known, DYNAMIC) => Some(known),
        (x, y) => (x == y).then_some(x),
    }
}

/// All operands have one shape.
fn same(shapes: &[&[i64]]) -> Result<Vec<i64>, String> {
    let (first, rest) = shapes.split_first().ok_or("no operands")?;
    rest.iter().try_fold(first.to_vec(), |all, shape| {
        let extents = all.iter().zip(shape.iter()).map(|(&x, &y)| one_of(x, y)).collect::<Option<Vec<i64>>>();
        let extents = extents.filter(|_| all.len() == shape.len());
        extents.ok_or_else(|| format!("expected operands of one shape, but got {} and {}", text(first), text(shape)))
    })
}

/// Of matrices, `m×k` and `k×n`.
fn product(shapes: &[&[i64]]) -> Result<Vec<i64>, String> {
    match *shapes {
        [&[m, k], &[l, n]] if one_of(k, l).is_some() => Ok(vec![m, n]),
        [x, y] => Err(format!("expected matrices with a product, but got {} and {}", text(x), text(y))),
        _ => Err("expected two operands".to_owned()),
    }
}

/// A shape for messages.
fn text(shape: &[i64]) -> String {
    let extents = shape.iter().map(|&extent| if extent == DYNAMIC { "?".to_owned() } else { extent.to_string() });
    format!("[{}]", extents.collect::<Vec<_>>().join(", "))
}

/// The shape that the result must have, as far as it is known.
fn inferred(op: OpRef<'_>) -> Option<Result<Vec<i64>, String>> {
    let shapes: Option<Vec<&[i64]>> = op.operands().iter().map(|operand| operand.ty().shape()).collect();
    Some(op.interface::<dyn InferShape>()?.infer(&shapes?))
}

/// Whether something can have both shapes.
fn agree(x: &[i64], y: &[i64]) -> bool {
    x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| one_of(x, y).is_some())
}

/// Where shapes are known, they are right.
fn verify(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let expected = match inferred(op) {
        None => return Ok(()),
        Some(Err(why)) => return Err(op.error(why)),
        Some(Ok(expected)) => expected,
    };
    match op.result(0).ty().shape() {
        Some(shape) if !agree(shape, &expected) => {
            Err(op.error(format_args!("expected a result of shape {}, but got {}", text(&expected), text(shape))))
        }
        _ => Ok(()),
    }
}

/// A cast does not change what is known.
fn verify_cast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    match (from.shape(), to.shape()) {
        (Some(x), Some(y)) if !agree(x, y) => Err(op.error(format_args!("'{from}' is never '{to}'"))),
        _ => Ok(()),
    }
}

/// `--toy-infer-shapes`.
#[derive(Clone, Default)]
pub(crate) struct InferShapes;

impl Pass for InferShapes {
    const INFO: PassInfo = PassInfo::new("toy-infer-shapes", "Find the shapes of arrays")
        .on(FuncOp::NAME)
        .statistics(&[("num-inferred", "Number of results whose shape was found")]);

    /// Operations are visited in program order, so that operands come first.
    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let ops: Vec<_> = walk::pre_order(cx.root()).map(OpRef::id).collect();
        for id in ops {
            let op = OpRef::new(cx.ctx, cx.ir, id);
            if op.num_results() != 1 || op.result(0).ty().has_static_shape() {
                continue;
            }
            let Some(inferred) = inferred(op) else { continue };
            let shape = inferred.map_err(|why| op.error(why))?;
            let (loc, result, old) = (op.loc(), op.result(0).id(), op.result(0).ty());
            let (old, ty) = (old.id(), cx.ctx.tensor_type(&shape, old.element_or_self().id()));
            let mut rw = cx.rewriter();
            rw.set_value_type(result, ty);
            // Who has no shape to infer, such as a call, gets what it got before.
            let keeps = |user: OpRef<'_>| user.interface::<dyn InferShape>().is_none();
            if rw.value(result).uses().any(|(user, _)| keeps(user)) {
                rw.set_insertion_after(id);
                let cast = rw.create_value(OpState::of::<CastOp<'_>>(loc).operands([result]).results([old]));
                rw.replace_uses_if(result, cast, |user, _| keeps(user));
            }
            cx.count("num-inferred", 1);
        }
        Ok(())
    }
}
