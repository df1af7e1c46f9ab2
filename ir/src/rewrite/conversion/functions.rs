//! Types of functions, and of what passes values on as they are: calls, returns and the like.

use std::sync::Arc;

use super::{ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted, TypeConverter};
use crate::arena::Arena;
use crate::entity::OpId;
use crate::interfaces::FunctionOp;
use crate::interfaces::function::FUNCTION_TYPE;
use crate::rewrite::pattern::{NoMatch, Rewrite};
use crate::rewriter::OpState;
use crate::types::Type;
use crate::view::OpRef;

/// Has functions called `functions` (`func.func`) take and return converted types, and operations called `passing` (`func.call`,
/// `func.return`) pass on values of those: adds the patterns, and says when such operations are legal.
pub fn convert_function_types(
    functions: &'static [&'static str],
    passing: &'static [&'static str],
    converter: &Arc<TypeConverter>,
    patterns: &mut ConversionPatterns,
    target: &mut ConversionTarget,
) {
    patterns.add(converter, Function { names: functions }).add(converter, Retyped { names: passing });
    for name in functions {
        let converter = Arc::clone(converter);
        target.dynamic_op(name, move |op| is_legal(op, &converter));
    }
    for name in passing {
        let converter = Arc::clone(converter);
        target.dynamic_op(name, move |op| converter.is_legal_op(op));
    }
}

/// Whether the type of a function is legal.
fn is_legal(op: OpRef<'_>, converter: &TypeConverter) -> bool {
    let Some(function) = op.interface::<dyn FunctionOp>() else { return true };
    let types = function.inputs(op).into_iter().chain(function.results(op));
    types.into_iter().all(|ty| converter.is_legal(op.cx(), ty))
}

/// The types of arguments and results of functions with these names.
struct Function {
    names: &'static [&'static str],
}

impl ConversionPattern for Function {
    const NAME: &'static str = "convert-function-types";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        if !self.names.contains(&view.name()) {
            return Err(NoMatch("not a function whose types are converted"));
        }
        let function = view.interface::<dyn FunctionOp>().ok_or(NoMatch("no function"))?;
        let (inputs, results) = (function.inputs(view), function.results(view));
        let convert =
            |types: &[Type]| types.iter().map(|&ty| rw.convert_type(ty)).collect::<Result<Vec<Type>, NoMatch>>();
        let ty = function.type_with(view, &convert(&inputs)?, &convert(&results)?);
        if let Some(mut body) = rw.enter(op) {
            convert_body(&mut body)?;
        } else {
            convert_body(rw)?;
        }
        rw.set_attr(op, cx.ident(FUNCTION_TYPE), cx.type_attr(ty));
        Ok(())
    }
}

fn convert_body(rw: &mut ConversionRewriter<'_>) -> Rewrite {
    match rw.ir().op_regions(Arena::ROOT).first() {
        Some(&region) => rw.convert_region_types(region),
        None => Ok(()),
    }
}

/// An operation that passes values on, such as a call: the same with the converted types.
pub struct Retyped {
    /// The names of such operations.
    pub names: &'static [&'static str],
}

impl ConversionPattern for Retyped {
    const NAME: &'static str = "convert-passed-types";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        if !self.names.contains(&view.name()) {
            return Err(NoMatch("more than passing values on"));
        }
        let (name, loc) = (view.name_id(), view.loc());
        let attrs: Vec<_> = view.attrs().map(|(name, value)| (name, value.id())).collect();
        let types: Result<Vec<Type>, NoMatch> = view.results().types().iter().map(|&ty| rw.convert_type(ty)).collect();
        rw.replace_with(op, OpState::new(name, loc).operands(operands.all()).results(types?).attrs(attrs));
        Ok(())
    }
}
