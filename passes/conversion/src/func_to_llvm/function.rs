//! Functions themselves.

use dl_func::FuncOp;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted, SignatureConversion, Types};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, AttrRef, Context, Ident, OpDefinition, OpId, Type, TypeRef};
use dl_llvm::types::func_type;
use dl_llvm::{LLVMFuncOp, ModRefInfo};
use smallvec::SmallVec;

use super::calls::UNRANKED_RESULT;
use super::wrapper::{self, Interface};
use crate::llvm_types::{LlvmOptions, argument_types, packed_result_type};
use crate::request_c_wrappers::EMIT_C_INTERFACE;

/// Marks a function with variable arguments.
const VARIADIC: &str = "func.varargs";
/// Names the linkage of the function.
const LINKAGE: &str = "llvm.linkage";
/// Says that the function neither reads nor writes memory.
const READNONE: &str = "llvm.readnone";
/// Argument attributes whose value is the type that the argument points to.
const WITH_TYPE: [&str; 4] = ["llvm.byval", "llvm.byref", "llvm.sret", "llvm.inalloca"];

/// `func.func` becomes `llvm.func`, in place; the arguments of its entry block become those of the calling convention.
pub(super) struct Func(pub(super) LlvmOptions);

impl ConversionPattern for Func {
    const NAME: &'static str = "func-func-to-llvm";
    const ROOT: Option<&'static str> = Some(FuncOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let func: FuncOp<'_> = rw.op(op).cast().ok_or(NoMatch("not a function"))?;
        let (inputs, results): (SmallVec<[Type; 8]>, SmallVec<[Type; 4]>) =
            (func.inputs().into(), func.results().into());
        if results.iter().any(|&ty| cx.ty(ty).is_unranked_memref()) {
            return Err(UNRANKED_RESULT);
        }
        let variadic = func.0.attr(VARIADIC).and_then(AttrRef::as_bool).unwrap_or(false);
        if func.0.attr(LINKAGE).is_some_and(|linkage| !linkage.is_dialect_attr("llvm.linkage")) {
            return Err(NoMatch("the linkage is none of LLVM's"));
        }
        let (wrapped, declaration) = (func.0.attr(EMIT_C_INTERFACE).is_some(), func.is_declaration());
        let converter = rw.converter();
        let arguments: Option<SmallVec<[Types; 4]>> =
            inputs.iter().map(|&ty| argument_types(converter, cx, ty, self.0)).collect();
        let arguments = arguments.ok_or(NoMatch("the type of an argument cannot be converted"))?;
        let result = packed_result_type(converter, cx, &results, self.0);
        let result = result.ok_or(NoMatch("the type of a result cannot be converted"))?;
        let params: SmallVec<[Type; 8]> = arguments.iter().flatten().copied().collect();
        let interface = if wrapped {
            if variadic {
                return Err(NoMatch("C interfaces are not supported with variable arguments"));
            }
            if self.0.bare_pointers {
                return Err(NoMatch("C interfaces are not supported with bare pointers"));
            }
            let interface = Interface::new(converter, func, result, self.0);
            Some(interface.ok_or(NoMatch("a type in the C interface cannot be converted"))?)
        } else {
            None
        };
        let attrs = attrs(rw, op, func_type(cx, result, &params, variadic), &arguments, results.len());

        let llvm_func = cx.op_name(LLVMFuncOp::NAME);
        rw.set_name(op, llvm_func);
        rw.set_attrs(op, attrs);
        if !declaration {
            let mut body = rw.enter(op).ok_or(NoMatch("a function that is not isolated"))?;
            let region = body.ir().op_regions(dl_ir::Arena::ROOT).first().copied();
            let entry = region.and_then(|region| body.ir().entry_block(region)).ok_or(NoMatch("no body"))?;
            body.convert_block_signature(entry, &SignatureConversion { inputs: arguments });
        }
        if let Some(interface) = interface {
            if declaration {
                wrapper::implement_by_interface(rw, op, &interface);
            } else {
                wrapper::make(rw, op, &interface);
            }
        }
        Ok(())
    }
}

/// The attributes of the function in the `llvm` dialect.
fn attrs(
    rw: &ConversionRewriter<'_>,
    op: OpId,
    ty: Type,
    arguments: &[Types],
    num_results: usize,
) -> SmallVec<[(Ident, Attr); 8]> {
    let cx = rw.cx();
    let view = rw.op(op);
    let mut attrs: SmallVec<[(Ident, Attr); 8]> = SmallVec::new();
    for (name, attr) in view.attrs() {
        match cx.str(name) {
            "function_type" => attrs.push((name, cx.type_attr(ty))),
            LINKAGE => attrs.push((cx.ident("linkage"), attr.id())),
            VARIADIC => {}
            READNONE if attr.is_unit() => attrs.push((cx.ident("memory_effects"), no_effects(cx))),
            "arg_attrs" => attrs.extend(argument_attrs(rw, attr, arguments).map(|attr| (name, attr))),
            // What is said of one of several results does not hold for the struct of all.
            "res_attrs" if num_results == 1 => attrs.push((name, result_attrs(rw, attr, ty))),
            "res_attrs" => {}
            _ => attrs.push((name, attr.id())),
        }
    }
    let linkage = cx.ident("linkage");
    if attrs.iter().all(|(name, _)| *name != linkage) {
        attrs.push((linkage, external(cx)));
    }
    attrs
}

/// That a function neither reads nor writes any memory.
fn no_effects(cx: &Context) -> Attr {
    let none = cx.i64_attr(ModRefInfo::NoModRef.value().cast_signed());
    let kinds = dl_llvm::MEMORY_EFFECTS_ATTR_DEF.params.iter().map(|_| none);
    cx.dialect_attr("llvm.memory_effects", &kinds.collect::<Vec<_>>())
}

fn external(cx: &Context) -> Attr {
    crate::llvm_symbols::linkage_attr(cx, dl_llvm::Linkage::External)
}

/// The attributes of arguments, where one argument stays one: what is said of a memref does not hold for its parts. `None` where none are left.
fn argument_attrs(rw: &ConversionRewriter<'_>, attr: AttrRef<'_>, arguments: &[Types]) -> Option<Attr> {
    let cx = rw.cx();
    let empty = cx.dictionary_attr(&[]);
    let mut all = Vec::new();
    for (dict, types) in attr.elements().zip(arguments) {
        if let [ty] = types[..] {
            all.push(converted_dict(rw, dict, cx.ty(ty)));
        } else {
            all.extend(std::iter::repeat_n(empty, types.len()));
        }
    }
    all.iter().any(|&attr| attr != empty).then(|| cx.array_attr(&all))
}

/// Attributes of the one result of a function of type `ty`, but for those that the type it was converted to does not have.
fn result_attrs(rw: &ConversionRewriter<'_>, attr: AttrRef<'_>, ty: Type) -> Attr {
    let cx = rw.cx();
    let Some(result) = dl_llvm::types::func_parts(cx.ty(ty)).map(|(result, ..)| cx.ty(result)) else {
        return attr.id();
    };
    let kept = |dict: AttrRef<'_>| cx.dictionary_attr(&fitting(dict, result).copied().collect::<Vec<_>>());
    cx.array_attr(&attr.elements().map(kept).collect::<Vec<_>>())
}

/// The attributes that a parameter of type `ty` may have: what is said of an index in the program may be nothing that LLVM says of an integer.
pub(super) fn fitting<'a>(dict: AttrRef<'a>, ty: TypeRef<'a>) -> impl Iterator<Item = &'a (Ident, Attr)> {
    dict.entries().iter().filter(move |(name, _)| dl_llvm::may_have_parameter_attr(ty.cx().str(*name), ty))
}

/// Attributes of one argument of type `ty`; the types in them are converted too.
fn converted_dict(rw: &ConversionRewriter<'_>, dict: AttrRef<'_>, ty: TypeRef<'_>) -> Attr {
    let cx = rw.cx();
    let entry = |&(name, attr): &(Ident, Attr)| {
        let ty = cx.attr(attr).as_type().filter(|_| WITH_TYPE.contains(&cx.str(name)));
        let converted = ty.and_then(|ty| rw.converter().convert_one(cx, ty.id()));
        (name, converted.map_or(attr, |ty| cx.type_attr(ty)))
    };
    cx.dictionary_attr(&fitting(dict, ty).map(entry).collect::<Vec<_>>())
}
