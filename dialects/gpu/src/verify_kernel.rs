//! Verifiers of kernels and what launches them.

use dl_ir::interfaces::SymbolUser;
use dl_ir::interfaces::function::verify_signature_attrs;
use dl_ir::symbol::SymbolTable;
use dl_ir::{AttrRef, Diagnostic, OpRef, OpView, TypeRef, ValueRef};

use crate::assembly::WORKGROUP_COUNT;
use crate::verify::is_in_space;
use crate::{
    AddressSpace, BinaryOp, GPUFuncOp, GPUModuleOp, KERNEL, LaunchFuncOp, LaunchOp, ReturnOp, TerminatorOp,
    WarpExecuteOnLane0Op, YieldOp, cluster_sizes, workgroup_count,
};

type Verified = Result<(), Diagnostic>;

/// The attribute of modules that hold kernels beside what launches them.
const CONTAINER: &str = "gpu.container_module";

/// Attributes of this dialect on operations of any dialect.
pub(crate) fn verify_attr(op: OpRef<'_>, name: &str, attr: AttrRef<'_>) -> Verified {
    if ["gpu.known_block_size", "gpu.known_grid_size", "gpu.known_cluster_size"].contains(&name) {
        if !dl_ir::constraints::leaves::is_dense_array(attr, 32) {
            return Err(op.error(format_args!("{name} must be a dense i32 array")));
        }
        if attr.dense_ints().count() != 3 {
            return Err(op.error(format_args!("{name} must contain exactly 3 elements")));
        }
    }
    if name == CONTAINER && attr.is_unit() && op.name() != "builtin.module" {
        let message = format!("expected '{CONTAINER}' attribute to be attached to 'builtin.module'");
        return Err(Diagnostic::error(op.loc(), message));
    }
    Ok(())
}

/// Buffers that a kernel brings are memrefs, in `space` where they name one.
fn verify_attributions<'a>(
    op: OpRef<'_>,
    mut buffers: impl Iterator<Item = ValueRef<'a>>,
    space: AddressSpace,
    keyword: &str,
) -> Verified {
    let wrong =
        buffers.find(|buffer| !buffer.ty().is_ranked_memref() || is_in_space(buffer.ty(), space) == Some(false));
    match wrong {
        Some(buffer) if buffer.ty().is_ranked_memref() => {
            Err(op.error(format_args!("expected memory space {keyword} in attribution")))
        }
        Some(_) => Err(op.error("expected memref type in attribution")),
        None => Ok(()),
    }
}

/// How many buffers the workgroup shares. The pretty form says it by those that it names.
fn verify_workgroup_count(op: OpRef<'_>) -> Result<usize, Diagnostic> {
    let shared = workgroup_count(op);
    match op.attr(WORKGROUP_COUNT) {
        Some(count) if count.id() != op.cx().i64_attr(shared as i64) => {
            Err(op.error(format_args!("expected '{WORKGROUP_COUNT}' to be a number of type i64, but got {count}")))
        }
        _ => Ok(shared),
    }
}

pub(crate) fn verify_func(op: OpRef<'_>) -> Verified {
    if op.attr("sym_name").is_none_or(|name| !name.is_string()) {
        return Err(op.error("requires string attribute 'sym_name'"));
    }
    let ty = GPUFuncOp::wrap(op).function_type().as_type();
    let (inputs, results) = ty.map_or((&[][..], &[][..]), |ty| (TypeRef::inputs(ty), TypeRef::results(ty)));
    verify_signature_attrs(op, inputs, results)?;
    if op.attr(KERNEL).is_some_and(|kernel| !kernel.is_unit()) {
        return Err(op.error(format_args!("requires '{KERNEL}' to be a unit attribute")));
    }
    if op.attr(KERNEL).is_some() && !results.is_empty() {
        return Err(op.error("expected void return type for kernel function"));
    }
    let Some(entry) = op.region(0).entry() else {
        return Err(op.error("expected body with at least one block"));
    };
    let shared = verify_workgroup_count(op)?;
    let least = inputs.len() + shared;
    if entry.num_args() < least {
        return Err(op.error(format_args!("expected at least {least} arguments to body region")));
    }
    for (i, (arg, &wanted)) in entry.args().zip(inputs).enumerate() {
        if arg.ty().id() != wanted {
            let (wanted, given) = (op.cx().ty(wanted), arg.ty());
            return Err(
                op.error(format_args!("expected body region argument #{i} to be of type '{wanted}', got '{given}'"))
            );
        }
    }
    let buffers = || entry.args().skip(inputs.len());
    verify_attributions(op, buffers().take(shared), AddressSpace::Workgroup, "workgroup")?;
    verify_attributions(op, buffers().skip(shared), AddressSpace::Private, "private")
}

pub(crate) fn verify_return(op: OpRef<'_>) -> Verified {
    let Some(function) = op.parent().and_then(OpRef::cast::<GPUFuncOp<'_>>) else { return Ok(()) };
    let results = function.function_type().as_type().map_or(&[][..], TypeRef::results);
    let operands = ReturnOp::wrap(op).operands();
    if results.len() != operands.len() {
        let error = op.error(format_args!("expected {} result operands", results.len()));
        return Err(error.note(function.op().loc(), "return type declared here"));
    }
    for (i, (operand, &ty)) in operands.iter().zip(results).enumerate() {
        if operand.ty().id() != ty {
            return Err(op.error(format_args!("unexpected type `{}' for operand #{i}", operand.ty())));
        }
    }
    Ok(())
}

pub(crate) fn verify_launch(op: OpRef<'_>) -> Verified {
    let view = LaunchOp::wrap(op);
    let Some(entry) = view.body().entry() else { return Err(op.error("expected a body with a block")) };
    let fixed = if cluster_sizes(view).is_some() { 18 } else { 12 };
    let shared = verify_workgroup_count(op)?;
    if entry.num_args() < fixed + shared {
        return Err(op.error("unexpected number of region arguments"));
    }
    let buffers = || entry.args().skip(fixed);
    verify_attributions(op, buffers().take(shared), AddressSpace::Workgroup, "workgroup")?;
    verify_attributions(op, buffers().skip(shared), AddressSpace::Private, "private")?;
    for last in view.body().blocks().filter_map(dl_ir::BlockRef::last_op) {
        if last.num_successors() == 0 && !last.is::<TerminatorOp<'_>>() {
            let message = "expected 'gpu.terminator' or a terminator with successors";
            return Err(Diagnostic::error(last.loc(), message).note(op.loc(), "in 'gpu.launch' body region"));
        }
    }
    Ok(())
}

/// A launch stands in a module for kernels and names one of them.
pub(crate) struct Launch;

impl SymbolUser for Launch {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Verified {
        if table.op().attr(CONTAINER).is_none_or(|attr| !attr.is_unit()) {
            return Err(
                op.error(format_args!("expected the closest surrounding module to have the '{CONTAINER}' attribute"))
            );
        }
        verify_kernel(op, LaunchFuncOp::wrap(op), table)
    }
}

fn verify_kernel(op: OpRef<'_>, view: LaunchFuncOp<'_>, table: &SymbolTable<'_>) -> Verified {
    let kernel = view.kernel();
    let text = kernel.to_string();
    let container = text.trim_start_matches('@').split("::").next().unwrap_or_default().trim_matches('"');
    let Some(found) = table.get(container) else {
        return Err(op.error(format_args!("kernel container '{container}' is undefined")));
    };
    if found.is::<BinaryOp<'_>>() {
        return Ok(());
    }
    if !found.is::<GPUModuleOp<'_>>() {
        return Err(op.error(format_args!("kernel module '{container}' is undefined")));
    }
    let Some(function) = table.resolve(kernel) else {
        return Err(op.error(format_args!("kernel function '{text}' is undefined")));
    };
    if function.interface::<dyn dl_ir::interfaces::FunctionOp>().is_none() {
        let error = op.error(format_args!("referenced kernel '{text}' is not a function"));
        return Err(error.note(function.loc(), "see the kernel definition here"));
    }
    if function.attr(KERNEL).is_none_or(|attr| !attr.is_unit()) {
        return Err(op.error(format_args!("kernel function is missing the '{KERNEL}' attribute")));
    }
    // Other functions have types that were converted.
    let Some(function) = function.cast::<GPUFuncOp<'_>>() else { return Ok(()) };
    let inputs = function.function_type().as_type().map_or(&[][..], TypeRef::inputs);
    let operands = view.kernel_operands();
    if operands.len() != inputs.len() {
        let (given, wanted) = (operands.len(), inputs.len());
        return Err(op.error(format_args!("got {given} kernel operands but expected {wanted}")));
    }
    match operands.iter().zip(inputs).position(|(operand, &ty)| operand.ty().id() != ty) {
        Some(at) => Err(op.error(format_args!("type of function argument {at} does not match"))),
        None => Ok(()),
    }
}

/// Vectors that the region takes and yields are spread over the lanes outside of it.
pub(crate) fn verify_warp(op: OpRef<'_>) -> Verified {
    let view = WarpExecuteOnLane0Op::wrap(op);
    let Some(entry) = view.warp_region().entry() else { return Ok(()) };
    if view.args().len() != entry.num_args() {
        return Err(op.error("expected same number op arguments and block arguments."));
    }
    let Some(last) = entry.last_op().and_then(OpRef::cast::<YieldOp<'_>>) else {
        return Err(op.error("expected body to be terminated with 'gpu.yield'"));
    };
    if last.values().len() != op.num_results() {
        return Err(op.error("expected same number of yield operands and return values."));
    }
    let size = view.warp_size().as_int().unwrap_or(0);
    for (inside, outside) in entry.args().zip(view.args().iter()).chain(last.values().iter().zip(op.results().iter())) {
        verify_spread(op, inside.ty(), outside.ty(), size)?;
    }
    Ok(())
}

fn verify_spread(op: OpRef<'_>, whole: TypeRef<'_>, part: TypeRef<'_>, lanes: i64) -> Verified {
    if whole == part {
        return Ok(());
    }
    if !whole.is_vector() || !part.is_vector() {
        return Err(op.error("expected vector type for distributed operands."));
    }
    if whole.rank() != part.rank() || whole.element_type() != part.element_type() {
        return Err(op.error("expected distributed vectors to have same rank and element type."));
    }
    let mut parts = 1_i64;
    let sizes = whole.shape().unwrap_or_default().iter().zip(part.shape().unwrap_or_default());
    for (i, (&whole, &part)) in sizes.enumerate() {
        if part == 0 || whole % part != 0 {
            return Err(op.error(format_args!(
                "expected expanded vector dimension #{i} ({whole}) to be a multipler of the distributed vector dimension ({part})"
            )));
        }
        parts = parts.saturating_mul(whole / part);
    }
    if parts != lanes {
        return Err(op.error(format_args!(
            "incompatible distribution dimensions from '{whole}' to '{part}' with warp size = {lanes}"
        )));
    }
    Ok(())
}
