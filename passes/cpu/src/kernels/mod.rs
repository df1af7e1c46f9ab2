//! Which kernels a program is made of: the pass `dl-list-kernels`.
//!
//! It stands behind all that makes code faster and before loops become functions: what it sees is what will run, and the operations still have the
//! locations of what they come from. It writes a table on the module ([`dl_dl::kernels`]), and, where kernels are to be timed, calls of the runtime
//! around each of them:
//!
//! ```text
//! llvm.call @dl_kernel_begin(%number)
//! scf.parallel ...
//! llvm.call @dl_kernel_end(%number)
//! ```
//!
//! * [`group`] finds them,
//! * [`cost`] counts what they compute and how much memory they touch,
//! * [`form`] says whether with vectors, and why not.

mod cost;
mod form;
mod group;

use dl_dl::kernels::{self, Form, Kernel};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{Arena, Context, Diagnostics, Loc, OpId, OpRef, OpState, Rewriter};
use dl_llvm::types::{func_type, void_type};
use dl_llvm::{CallOp, ConstantOp, LLVMFuncOp};
use dl_passes_linalg::VectorizeOptions;

use self::cost::Cost;
use self::group::{Group, groups};

/// The functions of the runtime that are told that a kernel begins and that it has ended.
const BEGIN: &str = "dl_kernel_begin";
const END: &str = "dl_kernel_end";

dl_ir::pass_options! {
    /// Options of [`ListKernels`].
    pub struct ListKernelsOptions {
        /// Tell the runtime when each kernel begins and ends
        time "time": bool = false,
        /// Take a kernel that computes element by element for an error
        deny_scalar "deny-scalar": bool = false,
    }
}

/// Writes a table of the kernels on the module.
#[derive(Clone, Default)]
pub struct ListKernels {
    /// The options.
    pub options: ListKernelsOptions,
}

impl Pass for ListKernels {
    const INFO: PassInfo =
        PassInfo::new("dl-list-kernels", "Write a table of the program's kernels on the module, or time them")
            .title("ListKernels")
            .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let vectors = VectorizeOptions { reassociate_fp_reductions: true, ..VectorizeOptions::default() };
        let vectors = vectors.on(cx.root());
        let functions: Vec<OpId> = cx.root().body().region(0).ops().filter(|op| op.is_stub()).map(OpRef::id).collect();
        let (mut table, mut scalar) = (Vec::new(), Diagnostics::default());
        for function in functions {
            let Some(ir) = cx.ir.child_mut(function) else { continue };
            let root = OpRef::root(cx.ctx, ir);
            let found = groups(root);
            for group in &found {
                let kernel = describe(root, group, &vectors);
                if let Form::Scalar(why) = &kernel.form {
                    let op = OpRef::new(cx.ctx, ir, group.first);
                    scalar.push(op.error(format_args!("is computed element by element: {why}")));
                }
                table.push(kernel);
            }
            if self.options.time {
                let first = table.len() - found.len();
                found.iter().zip(first..).for_each(|(group, number)| time(cx.ctx, ir, group, number));
            }
        }
        if self.options.deny_scalar && !scalar.is_empty() {
            return Err(scalar);
        }
        if self.options.time && !table.is_empty() {
            declare(cx)?;
        }
        let (name, attr) = (cx.ctx.ident(kernels::NAME), kernels::attr(cx.ctx, &table));
        cx.rewriter().set_attr(Arena::ROOT, name, attr);
        Ok(())
    }
}

/// What the table says of a kernel.
fn describe(function: OpRef<'_>, group: &Group, vectors: &VectorizeOptions) -> Kernel {
    let ops = || group.ops.iter().map(|&op| OpRef::new(function.cx(), function.arena(), op));
    let cost = Cost::of(&ops());
    Kernel {
        function: function.symbol_name().unwrap_or_default().to_owned(),
        name: group.name.clone(),
        form: form::form(ops(), &cost, vectors),
        bytes: cost.bytes(),
        operations: cost.operations(),
    }
}

/// Puts calls of the runtime around a kernel.
fn time(cx: &Context, ir: &mut Arena, group: &Group, number: usize) {
    let mut rw = Rewriter::new(cx, ir);
    let ty = cx.i64_type();
    rw.set_insertion_before(group.first);
    let value = cx.int_attr(ty, i64::try_from(number).unwrap_or(i64::MAX));
    let number = OpState::of::<ConstantOp<'_>>(Loc::UNKNOWN).attr(cx, "value", value).results([ty]);
    let number = rw.create_value(number);
    let call = |name: &str| {
        OpState::of::<CallOp<'_>>(Loc::UNKNOWN)
            .attr(cx, "callee", cx.symbol_ref_attr(name))
            .attr(cx, "op_bundle_sizes", cx.dense_i32_array(&[]))
            .operand_segments(cx, &[1, 0])
            .operands([number])
    };
    rw.create(call(BEGIN));
    rw.set_insertion_after(group.last);
    rw.create(call(END));
}

/// Declares the functions of the runtime.
fn declare(cx: &mut PassCx<'_>) -> PassResult {
    let taken =
        cx.root().body().region(0).ops().find(|op| op.symbol_name().is_some_and(|name| [BEGIN, END].contains(&name)));
    if let Some(op) = taken {
        return Err(op.error("has the name of a function of the runtime that times kernels").into());
    }
    let Some(block) = cx.root().body().region(0).entry().map(|block| block.id()) else { return Ok(()) };
    let ctx = cx.ctx;
    let mut rw = cx.rewriter();
    rw.set_insertion_to_start(block);
    for name in [BEGIN, END] {
        let ty = func_type(ctx, void_type(ctx), &[ctx.i64_type()], false);
        let state = OpState::of::<LLVMFuncOp<'_>>(Loc::UNKNOWN).attr(ctx, "sym_name", ctx.string_attr(name)).attr(
            ctx,
            "function_type",
            ctx.type_attr(ty),
        );
        rw.create_isolated(state, 1);
    }
    Ok(())
}
