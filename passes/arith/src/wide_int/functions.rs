//! Functions, and what passes values on as they are.

use dl_ir::interfaces::FunctionOp;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Arena, OpId, OpRef, OpState, Type};

/// Whether the type of a function is legal.
pub(super) fn is_legal(op: OpRef<'_>, converter: &TypeConverter) -> bool {
    let Some(function) = op.interface::<dyn FunctionOp>() else { return true };
    let types = function.inputs(op).into_iter().chain(function.results(op));
    types.into_iter().all(|ty| converter.is_legal(op.cx(), ty))
}

/// The types of arguments and results of a function.
pub(super) struct Function;

impl ConversionPattern for Function {
    const NAME: &'static str = "convert-function-types";
    const ROOT: Option<&'static str> = Some("func.func");

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let function = view.interface::<dyn FunctionOp>().ok_or(NoMatch("no function"))?;
        let (inputs, results) = (function.inputs(view), function.results(view));
        let convert =
            |types: &[Type]| types.iter().map(|&ty| rw.convert_type(ty)).collect::<Result<Vec<Type>, NoMatch>>();
        let ty = cx.function_type(&convert(&inputs)?, &convert(&results)?);
        if let Some(mut body) = rw.enter(op) {
            convert_body(&mut body)?;
        } else {
            convert_body(rw)?;
        }
        rw.set_attr(op, cx.ident("function_type"), cx.type_attr(ty));
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
