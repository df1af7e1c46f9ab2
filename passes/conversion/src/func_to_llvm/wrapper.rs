//! C interfaces: functions that take and give memrefs through pointers to their descriptors.

use dl_func::FuncOp;
use dl_ir::rewrite::conversion::{ConversionRewriter, TypeConverter};
use dl_ir::{Arena, Attr, BlockId, Context, OpId, OpState, Rewriter, Type, ValueId, ValueRef};
use dl_llvm::types::{func_type, ptr_type, struct_members, void_type};
use dl_llvm::{LLVMFuncOp, Linkage, ReturnOp};
use smallvec::SmallVec;

use super::function::fitting;
use crate::descriptor::Descriptor;
use crate::llvm_build::LlvmBuild;
use crate::llvm_symbols::linkage_attr;
use crate::llvm_types::LlvmOptions;
use dl_arith::Build;

/// How one argument of the original function is passed.
enum Argument {
    /// As it is.
    Value(Type),
    /// A memref: by pointer to the descriptor of this type.
    Descriptor { ty: Type, ranked: bool },
}

/// The C interface of a function.
pub(super) struct Interface {
    name: String,
    wrapped: String,
    arguments: Vec<Argument>,
    /// What the wrapped function gives.
    result: Type,
    /// Whether the result is put where the first argument points to.
    result_by_pointer: bool,
    index: Type,
    /// The attributes of each original argument.
    arg_attrs: Option<Vec<Attr>>,
    res_attrs: Option<Attr>,
}

impl Interface {
    /// Of the function `wrapped`, which gives `result`; `None` where a type cannot be converted.
    pub(super) fn new(
        converter: &TypeConverter,
        wrapped: FuncOp<'_>,
        result: Type,
        options: LlvmOptions,
    ) -> Option<Self> {
        let (cx, name) = (wrapped.0.cx(), wrapped.0.symbol_name()?);
        let argument = |&ty: &Type| {
            let (view, converted) = (cx.ty(ty), converter.convert_one(cx, ty)?);
            Some(if view.is_memref() {
                Argument::Descriptor { ty: converted, ranked: view.is_ranked_memref() }
            } else {
                Argument::Value(converted)
            })
        };
        Some(Self {
            name: format!("_mlir_ciface_{name}"),
            wrapped: name.to_owned(),
            arguments: wrapped.inputs().iter().map(argument).collect::<Option<_>>()?,
            result,
            // Every struct is passed that way: descriptors, several results, complex numbers.
            result_by_pointer: struct_members(cx.ty(result)).is_some(),
            index: cx.int_type(options.index_bits),
            arg_attrs: wrapped.arg_attrs().map(|all| all.elements().map(|attr| attr.id()).collect()),
            res_attrs: wrapped.res_attrs().filter(|all| all.elements().len() == 1).map(|attr| attr.id()),
        })
    }

    /// The types that the interface takes.
    fn params(&self, cx: &Context) -> SmallVec<[Type; 8]> {
        let pointer = ptr_type(cx);
        let arguments = self.arguments.iter().map(|argument| match argument {
            Argument::Value(ty) => *ty,
            Argument::Descriptor { .. } => pointer,
        });
        self.result_by_pointer.then_some(pointer).into_iter().chain(arguments).collect()
    }

    /// The attributes of what the interface takes: those of the original arguments, as far as the types have such.
    fn argument_attrs(&self, cx: &Context) -> Option<Attr> {
        let mut all = self.arg_attrs.clone()?;
        if self.result_by_pointer {
            all.insert(0, cx.dictionary_attr(&[]));
        }
        for (dict, ty) in all.iter_mut().zip(self.params(cx)) {
            let kept: Vec<_> = fitting(cx.attr(*dict), cx.ty(ty)).copied().collect();
            *dict = cx.dictionary_attr(&kept);
        }
        Some(cx.array_attr(&all))
    }

    fn ty(&self, cx: &Context) -> Type {
        let result = if self.result_by_pointer { void_type(cx) } else { self.result };
        func_type(cx, result, &self.params(cx), false)
    }

    /// What the wrapped function gives as the result of a call; nothing for `void`.
    fn call_result(&self, cx: &Context) -> Option<Type> {
        (self.result != void_type(cx)).then_some(self.result)
    }
}

/// The interface as an operation at the insertion point, without a body. Attributes that do not describe the wrapped function
/// itself are its own too.
fn declare(rw: &mut Rewriter<'_>, of: OpId, interface: &Interface) -> OpId {
    const OWN: [&str; 5] = ["sym_name", "function_type", "arg_attrs", "res_attrs", "linkage"];
    let cx = rw.cx();
    let view = rw.op(of);
    let loc = view.loc();
    let shared: SmallVec<[(dl_ir::Ident, Attr); 4]> =
        view.attrs().filter(|(name, _)| !OWN.contains(&cx.str(*name))).map(|(name, attr)| (name, attr.id())).collect();
    let state = OpState::of::<LLVMFuncOp<'_>>(loc)
        .attrs(shared)
        .attr(cx, "sym_name", cx.string_attr(&interface.name))
        .attr(cx, "function_type", cx.type_attr(interface.ty(cx)))
        .attr(cx, "linkage", linkage_attr(cx, Linkage::External))
        .maybe_attr(cx, "arg_attrs", interface.argument_attrs(cx))
        .maybe_attr(cx, "res_attrs", interface.res_attrs.filter(|_| !interface.result_by_pointer));
    rw.create_isolated(state, 1)
}

/// A first block with arguments of these types, in the body of the function whose arena this is.
fn entry_block(rw: &mut Rewriter<'_>, params: &[Type]) -> (BlockId, SmallVec<[ValueId; 8]>) {
    let region = rw.ir().op_regions(Arena::ROOT)[0];
    let block = rw.append_block(region, params);
    let args = rw.block(block).args().map(ValueRef::id).collect();
    rw.set_insertion_to_end(block);
    (block, args)
}

/// Makes the interface of a function with a body, after it: it reads the descriptors and calls the function.
pub(super) fn make(rw: &mut ConversionRewriter<'_>, op: OpId, interface: &Interface) {
    let cx = rw.cx();
    rw.set_insertion_after(op);
    let loc = rw.op(op).loc();
    let wrapper = declare(rw, op, interface);
    let mut body = rw.enter(wrapper).expect("a function is isolated");
    let (_, args) = entry_block(&mut body, &interface.params(cx));
    let mut b = Build::new(&mut body, loc);
    let (place, args) = if interface.result_by_pointer { args.split_at(1) } else { args.split_at(0) };
    let mut operands: SmallVec<[ValueId; 8]> = SmallVec::new();
    for (&arg, argument) in args.iter().zip(&interface.arguments) {
        match *argument {
            Argument::Value(_) => operands.push(arg),
            Argument::Descriptor { ty, ranked: true } => {
                let value = b.llvm_load(ty, arg);
                operands.extend(Descriptor { value }.unpack(&mut b));
            }
            Argument::Descriptor { ty, ranked: false } => {
                let value = b.llvm_load(ty, arg);
                operands.extend([b.extract(value, &[0]), b.extract(value, &[1])]);
            }
        }
    }
    let call = b.llvm_call(&interface.wrapped, &operands, interface.call_result(cx));
    let mut results: SmallVec<[ValueId; 1]> = b.ir().results(call).collect();
    if let &[place] = place {
        b.llvm_store(results[0], place);
        results.clear();
    }
    b.create(OpState::of::<ReturnOp<'_>>(loc).operands(results));
}

/// Declares the interface of a function without a body, which gets one: it puts the descriptors on the stack and calls the
/// interface.
pub(super) fn implement_by_interface(rw: &mut ConversionRewriter<'_>, op: OpId, interface: &Interface) {
    let cx = rw.cx();
    rw.set_insertion_after(op);
    let loc = rw.op(op).loc();
    declare(rw, op, interface);
    let ty = rw.op(op).attr("function_type").and_then(dl_ir::AttrRef::as_type);
    let params = ty.and_then(dl_llvm::types::func_parts).map(|(_, params, _)| params).unwrap_or_default();
    rw.set_attr(op, cx.ident("linkage"), linkage_attr(cx, Linkage::Private));
    let mut body = rw.enter(op).expect("a function is isolated");
    let (_, args) = entry_block(&mut body, &params);
    let mut b = Build::new(&mut body, loc);
    let mut operands: SmallVec<[ValueId; 8]> = SmallVec::new();
    let place = interface.result_by_pointer.then(|| {
        let one = b.llvm_index(interface.index, 1);
        b.alloca(interface.result, one)
    });
    operands.extend(place);
    let mut at = 0;
    for argument in &interface.arguments {
        match *argument {
            Argument::Value(_) => {
                operands.push(args[at]);
                at += 1;
            }
            Argument::Descriptor { ty, ranked } => {
                let count = if ranked { 3 + 2 * Descriptor::rank_of(cx.ty(ty)) } else { 2 };
                let parts = &args[at..at + count];
                at += count;
                let packed = if ranked {
                    Descriptor::pack(&mut b, ty, parts)
                } else {
                    let empty = b.poison(ty);
                    let with_rank = b.insert(empty, parts[0], &[0]);
                    b.insert(with_rank, parts[1], &[1])
                };
                let one = b.llvm_index(interface.index, 1);
                let place = b.alloca(ty, one);
                b.llvm_store(packed, place);
                operands.push(place);
            }
        }
    }
    let result = if interface.result_by_pointer { None } else { interface.call_result(cx) };
    let call = b.llvm_call(&interface.name, &operands, result);
    let mut results: SmallVec<[ValueId; 1]> = b.ir().results(call).collect();
    if let Some(place) = place {
        results.push(b.llvm_load(interface.result, place));
    }
    b.create(OpState::of::<ReturnOp<'_>>(loc).operands(results));
}
