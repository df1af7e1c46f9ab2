//! `convert-linalg-to-std`: loop nests on buffers become calls of library functions.
//!
//! The function has the name of the operation followed by the types of its operands, or the name that a `linalg.generic` gives. It is declared
//! where there is none, and takes buffers of any layout: operands are cast to that.

use std::fmt::Write as _;

use dl_func::{CallOp, FuncOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::symbol::VISIBILITY;
use dl_ir::types::StridedLayout;
use dl_ir::{DYNAMIC, Diagnostic, OpId, OpRef, OpState, Type, TypeRef, ValueId, walk};
use dl_linalg::{BinaryFn, GenericOp, LinalgOp, UnaryFn};
use rustc_hash::FxHashMap;

use super::request_c_wrappers::EMIT_C_INTERFACE;

/// The name that a call has where its operation has none.
const NO_NAME: &str = "op_has_no_registered_library_name";

/// Operations whose names do not go into calls.
const UNNAMED: [&str; 4] = ["linalg.map", "linalg.reduce", "linalg.transpose", "linalg.broadcast"];

/// Makes loop nests on buffers calls of library functions.
#[derive(Clone, Copy, Default)]
pub struct ConvertLinalgToStd;

impl Pass for ConvertLinalgToStd {
    const INFO: PassInfo =
        PassInfo::new("convert-linalg-to-std", "Make linalg operations on buffers calls of library functions")
            .title("ConvertLinalgToStandardPass")
            .on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        check_types(cx.root())?;
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["affine", "arith", "func", "memref", "scf"]).legal_ops(&["builtin.module"]);
        let mut patterns = ConversionPatterns::new();
        patterns.add_untyped(CallLibrary);
        cx.convert_fully(&target, &patterns.freeze())
    }
}

/// Checks that functions of one name are of one type, those that are there already as well.
fn check_types(module: OpRef<'_>) -> Result<(), Diagnostic> {
    let cx = module.cx();
    let there = module.regions().flat_map(|region| region.ops());
    let there = there.filter_map(|op| Some((op.symbol_name()?.to_owned(), op.attr("function_type")?.as_type()?.id())));
    let mut types: FxHashMap<String, Type> = there.collect();
    for op in walk::pre_order(module).filter(|&op| op.num_results() == 0 && LinalgOp::of(op).is_some()) {
        let Some(name) = library_name(op) else { continue };
        let function = function_type(op);
        let known = *types.entry(name.clone()).or_insert(function);
        if known != function {
            let (known, function) = (cx.ty(known), cx.ty(function));
            let message = format_args!("unsupported: a call of '{name}' as '{function}', which is '{known}' elsewhere");
            return Err(op.error(message));
        }
    }
    Ok(())
}

/// The type of the function that `op` becomes a call of.
fn function_type(op: OpRef<'_>) -> Type {
    let types: Vec<Type> = op.operands().iter().map(|operand| of_any_layout(operand.ty())).collect();
    op.cx().function_type(&types, &[])
}

/// A loop nest becomes a call.
struct CallLibrary;

impl ConversionPattern for CallLibrary {
    const NAME: &'static str = "linalg-call-library";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let view = rw.op(op);
        LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
        if view.num_results() != 0 {
            return Err(NoMatch("a call can stand for operations without results only"));
        }
        let name = library_name(view).ok_or(NoMatch("types that have no place in a name"))?;
        let loc = view.loc();
        let function = function_type(view);
        let types = cx.ty(function).inputs();
        let declared = name.clone();
        rw.declare_symbol(&name, move |rw| {
            let cx = rw.cx();
            // Before the last operation of the module, as upstream has it.
            if let Some(last) = rw.insertion_point().and_then(|point| rw.ir().last_op(point.block)) {
                rw.set_insertion_before(last);
            }
            let state = FuncOp::state(cx, &declared, function, loc)
                .attr(cx, VISIBILITY, cx.string_attr("private"))
                .attr(cx, EMIT_C_INTERFACE, cx.unit_attr());
            rw.create_isolated(state, 1);
        });
        rw.set_insertion_before(op);
        let mut arguments: Vec<ValueId> = Vec::with_capacity(types.len());
        for (value, &ty) in operands.all().into_iter().zip(types) {
            let is_memref = rw.value_type(value).is_ranked_memref();
            let cast = || OpState::of::<dl_memref::CastOp<'_>>(loc).operands([value]).results([ty]);
            arguments.push(if is_memref { rw.create_value(cast()) } else { value });
        }
        rw.create(OpState::of::<CallOp<'_>>(loc).attr(cx, "callee", cx.symbol_ref_attr(&name)).operands(arguments));
        rw.erase(op);
        Ok(())
    }
}

/// A buffer with strides and an offset that are known when running only; other types as they are.
fn of_any_layout(ty: TypeRef<'_>) -> Type {
    let (Some(shape), true) = (ty.shape(), ty.is_ranked_memref()) else { return ty.id() };
    let layout = StridedLayout { strides: vec![DYNAMIC; shape.len()], offset: DYNAMIC };
    ty.cx().strided_memref_type(shape, ty.element_or_self().id(), &layout, ty.memory_space().map(|space| space.id()))
}

/// The name of the function for `op`.
fn library_name(op: OpRef<'_>) -> Option<String> {
    if op.is::<GenericOp<'_>>() {
        let given = op.attr("library_call").and_then(|attr| attr.as_str());
        return Some(given.unwrap_or(NO_NAME).to_owned());
    }
    if UNNAMED.contains(&op.name()) {
        return Some(NO_NAME.to_owned());
    }
    let mut name = op.name().replace('.', "_");
    name.push('_');
    for (_, attr) in op.attrs() {
        let function = UnaryFn::from_attr(attr).map(|function| function.keyword());
        if let Some(keyword) = function.or_else(|| BinaryFn::from_attr(attr).map(|function| function.keyword())) {
            let _ = write!(name, "{keyword}_");
        }
    }
    let types: Vec<String> = op.operands().iter().map(|operand| mangled(operand.ty())).collect::<Option<_>>()?;
    Some(name + &types.join("_"))
}

/// A type as it stands in a name: `viewsx4xf32as3`, `vector4xf32`.
fn mangled(ty: TypeRef<'_>) -> Option<String> {
    if ty.is_ranked_memref() {
        let mut out = String::from("view");
        for &extent in ty.shape()? {
            let _ = if extent == DYNAMIC { write!(out, "sx") } else { write!(out, "{extent}x") };
        }
        out += &mangled(ty.element_type()?)?;
        if let Some(space) = ty.memory_space() {
            let _ = write!(out, "as{}", space.as_int()?);
        }
        return Some(out);
    }
    if ty.is_vector() {
        let extents: Vec<String> = ty.shape()?.iter().map(i64::to_string).collect();
        return Some(format!("vector{}{}", extents.join("x"), mangled(ty.element_type()?)?));
    }
    (ty.is_signless_integer() || ty.is_index() || ty.is_float()).then(|| ty.to_string())
}

#[cfg(test)]
mod tests {
    use dl_ir::Context;

    use super::*;

    #[test]
    fn types_in_names() {
        let cx = Context::new();
        let f32 = cx.f32_type();
        assert_eq!(mangled(cx.ty(cx.memref_type(&[DYNAMIC, 4], f32))).as_deref(), Some("viewsx4xf32"));
        assert_eq!(mangled(cx.ty(cx.memref_type(&[], f32))).as_deref(), Some("viewf32"));
        assert_eq!(mangled(cx.ty(cx.vector_type(&[4, 2], f32))).as_deref(), Some("vector4x2f32"));
        assert_eq!(mangled(cx.ty(cx.none_type())), None);
    }
}
