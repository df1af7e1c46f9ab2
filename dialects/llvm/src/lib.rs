//! The `llvm` dialect: LLVM IR.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. [`types`] says how the types of the dialect
//! are represented and makes them.

#![forbid(unsafe_code)]

mod assembly;
mod attr_syntax;
mod bytecode;
mod canonicalize;
mod conditions;
mod dwarf;
mod fold;
mod generated;
mod inlining;
mod interfaces;
pub mod interpret;
pub mod layout;
mod slots;
mod type_syntax;
pub mod types;
mod verify;

pub use generated::*;
pub use types::{array_type, func_type, ptr_type, ptr_type_in, struct_type, struct_type_with, void_type};
pub use verify::may_have_parameter_attr;

use dl_ir::interfaces::{BranchOp, CallOp as CallInterface, FunctionOp, SymbolUser};
use dl_ir::opdef::Effects;
use dl_ir::{Arena, Attr, Context, Dialect, DialectBuilder, Loc, OpId, OpRef, OpState, Rewriter, Type};
use smallvec::{SmallVec, smallvec};

/// What stands in the constant indices of `llvm.getelementptr` where an operand holds the index.
pub const GEP_DYNAMIC_INDEX: i32 = i32::MIN;

/// The `llvm` dialect.
pub struct Llvm;

impl Dialect for Llvm {
    fn namespace(&self) -> &'static str {
        "llvm"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder
            .ops(OPS)
            .types(TYPES)
            .types(types::TYPES_WITHOUT_ODS)
            .attrs(ATTRS)
            .enums(ENUMS)
            .vector_elements(&["llvm.ptr", "llvm.ppc_fp128"])
            .alias_name(alias_name)
            .attr_encodings(bytecode::ENCODINGS)
            .inlining(&inlining::Rules)
            .verify_op_attr(verify::verify_attr)
            .verify_signature_attr(verify::verify_signature_attr)
            .materialize_constant(materialize_constant);
        type_syntax::register(builder);
        attr_syntax::register(builder);
        dwarf::register(builder);
        assembly::register_directives(builder);
        interpret::register(builder);
        slots::register(builder);
        register_symbols(builder);
        register_control_flow(builder);
        builder.on::<ICmpOp<'_>>().parse(assembly::parse_icmp).print(assembly::print_icmp).fold(fold::fold_icmp);
        builder.on::<FCmpOp<'_>>().parse(assembly::parse_fcmp).print(assembly::print_fcmp);
        builder
            .on::<AllocaOp<'_>>()
            .parse(assembly::parse_alloca)
            .print(assembly::print_alloca)
            .verify(verify::verify_alloca);
        builder.on::<FenceOp<'_>>().verify(verify::verify_fence);
        builder.on::<SincosOp<'_>>().verify(verify::verify_sincos);
        builder
            .on::<LandingpadOp<'_>>()
            .parse(assembly::parse_landingpad)
            .print(assembly::print_landingpad)
            .verify(verify::verify_landingpad);
        builder.on::<ConstantOp<'_>>().verify(verify::verify_constant).fold(fold::fold_constant);
        builder.on::<ShuffleVectorOp<'_>>().verify(verify::verify_shuffle).fold(fold::fold_shuffle);
        builder.on::<InsertValueOp<'_>>().verify(verify::verify_insert_value);
        builder
            .on::<ExtractValueOp<'_>>()
            .verify(verify::verify_extract_value)
            .infer_types(infer_extract_value)
            .fold(fold::fold_extract_value)
            .canonicalize(canonicalize::extract_value);
        builder.on::<LoadOp<'_>>().effects(|op| access(op, Effects::READ)).verify(verify::verify_load);
        builder.on::<IntToPtrOp<'_>>().verify(verify::verify_dereferenceable);
        builder.on::<MaskedGatherOp<'_>>().verify(verify::verify_gather);
        builder.on::<MaskedScatterOp<'_>>().verify(verify::verify_scatter);
        builder.on::<StoreOp<'_>>().effects(|op| access(op, Effects::WRITE)).verify(verify::verify_store);
        builder.on::<GEPOp<'_>>().verify(verify::verify_gep).fold(fold::fold_gep).canonicalize(canonicalize::gep);
        builder
            .on::<InvariantStartOp<'_>>()
            .parse(assembly::parse_invariant_start)
            .print(assembly::print_invariant_start);
        builder.on::<InlineAsmOp<'_>>().verify(verify::verify_inline_asm).effects(asm_effects);
        builder.on::<ZeroOp<'_>>().verify(verify::verify_zero).fold(fold::fold_zero);
        builder.on::<ConstrainedFPTruncIntrOp<'_>>().verify(verify::verify_rounding);
        builder.on::<ConstrainedSIToFPOp<'_>>().verify(verify::verify_rounding);
        builder.on::<ConstrainedUIToFPOp<'_>>().verify(verify::verify_rounding);
        builder.on::<AtomicRMWOp<'_>>().verify(verify::verify_rmw);
        builder.on::<AtomicCmpXchgOp<'_>>().verify(verify::verify_cmpxchg);
        builder
            .on::<BitcastOp<'_>>()
            .verify(verify::verify_bitcast)
            .fold(fold::fold_cast)
            .canonicalize(canonicalize::bitcast);
        builder.on::<AddrSpaceCastOp<'_>>().fold(fold::fold_cast).canonicalize(canonicalize::addr_space_cast);
        builder.on::<UDivOp<'_>>().speculatable(dl_arith::divisors::is_not_zero);
        builder.on::<SDivOp<'_>>().speculatable(dl_arith::divisors::is_neither_zero_nor_minus_one);
        builder.on::<OrOp<'_>>().fold(fold::fold_or);
        builder.on::<PoisonOp<'_>>().fold(fold::fold_poison);
        builder.on::<ShlOp<'_>>().fold(fold::fold_shl);
        builder.on::<UndefOp<'_>>().fold(fold::fold_undef);
        builder.on::<SExtOp<'_>>().verify(verify::verify_extension);
        builder.on::<ZExtOp<'_>>().verify(verify::verify_extension).fold(fold::fold_zext);
    }
}

/// Metadata is printed as aliases: debug information, loop annotations, alias scopes, access groups, type-based alias analysis.
fn alias_name(mnemonic: &str) -> Option<&'static str> {
    let name =
        ATTRS.iter().copied().filter_map(|attr| attr.name.strip_prefix("llvm.")).find(|name| *name == mnemonic)?;
    let inline =
        ["di_annotation", "di_expression", "di_expression_elem", "di_generic_subrange", "di_subrange", "tbaa_member"];
    let is_metadata = ["access_group", "alias_scope", "di_", "loop_", "mmra_tag", "tbaa_"]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    (is_metadata && !inline.contains(&name)).then_some(name)
}

fn register_symbols(builder: &mut DialectBuilder) {
    builder
        .on::<LLVMFuncOp<'_>>()
        .parse(assembly::parse_func)
        .print(assembly::print_func)
        .verify(verify::verify_func)
        .verify_regions(verify::verify_func_body)
        .interface::<dyn SymbolUser>(Box::new(verify::Comdat))
        .interface::<dyn FunctionOp>(Box::new(interfaces::Function));
    builder
        .on::<GlobalOp<'_>>()
        .parse(assembly::parse_global)
        .print(assembly::print_global)
        .verify(verify::verify_global)
        .verify_regions(verify::verify_global_initializer)
        .interface::<dyn SymbolUser>(Box::new(verify::Comdat));
    builder.on::<ComdatOp<'_>>().verify_regions(verify::verify_comdat);
    builder
        .on::<GlobalCtorsOp<'_>>()
        .verify(verify::verify_ctors)
        .interface::<dyn SymbolUser>(Box::new(verify::Structors("ctors")));
    builder
        .on::<GlobalDtorsOp<'_>>()
        .verify(verify::verify_dtors)
        .interface::<dyn SymbolUser>(Box::new(verify::Structors("dtors")));
    builder
        .on::<AliasOp<'_>>()
        .parse(assembly::parse_alias)
        .print(assembly::print_alias)
        .verify(verify::verify_alias)
        .verify_regions(verify::verify_alias_initializer);
    builder.on::<IFuncOp<'_>>().verify(verify::verify_ifunc).interface::<dyn SymbolUser>(Box::new(verify::Resolver));
    builder
        .on::<DSOLocalEquivalentOp<'_>>()
        .fold(fold::fold_local_equivalent)
        .interface::<dyn SymbolUser>(Box::new(verify::LocalEquivalent));
    builder.on::<BlockTagOp<'_>>().verify(verify::verify_blocktag);
    builder
        .on::<BlockAddressOp<'_>>()
        .fold(fold::fold_block_address)
        .interface::<dyn SymbolUser>(Box::new(verify::BlockAddress));
    builder.on::<ModuleFlagsOp<'_>>().verify(verify::verify_module_flags);
    builder.on::<LinkerOptionsOp<'_>>().verify(verify::verify_linker_options);
    builder
        .on::<AddressOfOp<'_>>()
        .fold(fold::fold_address_of)
        .interface::<dyn SymbolUser>(Box::new(interfaces::AddressOfSymbol));
    builder
        .on::<CallOp<'_>>()
        .parse(assembly::parse_call)
        .print(assembly::print_call)
        .verify(verify::verify_call)
        .interface::<dyn CallInterface>(Box::new(interfaces::Call))
        .interface::<dyn SymbolUser>(Box::new(interfaces::CallSymbol));
    builder
        .on::<CallIntrinsicOp<'_>>()
        .parse(assembly::parse_call_intrinsic)
        .print(assembly::print_call_intrinsic)
        .verify(verify::verify_call_intrinsic);
    builder.on::<AssumeOp<'_>>().verify(verify::verify_bundles);
}

fn register_control_flow(builder: &mut DialectBuilder) {
    let branch = |first| -> Box<dyn BranchOp> { Box::new(interfaces::Branch { first }) };
    let grouped =
        |direct, first, sizes| -> Box<dyn BranchOp> { Box::new(interfaces::GroupedBranch { direct, first, sizes }) };
    builder.on::<ReturnOp<'_>>().verify(verify::verify_return);
    builder.on::<BrOp<'_>>().verify(dl_ir::interfaces::verify_branch).interface::<dyn BranchOp>(branch(0));
    builder.on::<CondBrOp<'_>>().verify(dl_ir::interfaces::verify_branch).interface::<dyn BranchOp>(branch(1));
    builder.on::<SwitchOp<'_>>().verify(verify::verify_switch).interface::<dyn BranchOp>(grouped(
        1,
        1,
        "case_operand_segments",
    ));
    builder.on::<IndirectBrOp<'_>>().verify(verify::verify_indirectbr).interface::<dyn BranchOp>(grouped(
        0,
        1,
        "indbr_operand_segments",
    ));
    builder
        .on::<InvokeOp<'_>>()
        .parse(assembly::parse_invoke)
        .print(assembly::print_invoke)
        .verify(verify::verify_invoke)
        .interface::<dyn BranchOp>(branch(1))
        .interface::<dyn CallInterface>(Box::new(interfaces::Call));
}

/// The type at the position of `llvm.extractvalue`.
fn infer_extract_value(cx: &Context, ir: &Arena, state: &OpState) -> Result<SmallVec<[Type; 2]>, String> {
    let container = state.operands.first().map(|&value| ir.value_type(value));
    let position = state.get_attr(cx, "position").map(|attr| cx.attr(attr).dense_ints().collect::<Vec<_>>());
    let ty = container.zip(position).and_then(|(container, position)| types::element_at(cx, container, &position));
    ty.map(|ty| smallvec![ty]).ok_or_else(|| "position out of bounds or no aggregate type".to_owned())
}

/// A constant of a type that LLVM has: an address of a symbol, a zero, an undefined or poisoned value, or a `llvm.mlir.constant`.
fn materialize_constant(rw: &mut Rewriter<'_>, value: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    let (attr, view) = (cx.attr(value), cx.ty(ty));
    let is = |name: &str| attr.is_dialect_attr(name);
    let state = if types::is_ptr(view) && attr.is_flat_symbol_ref() {
        OpState::of::<AddressOfOp<'_>>(loc).attr(cx, "global_name", value)
    } else if types::is_ptr(view) && is("llvm.blockaddress") {
        OpState::of::<BlockAddressOp<'_>>(loc).attr(cx, "block_addr", value)
    } else if types::is_ptr(view) && is("llvm.dso_local_equivalent") {
        OpState::of::<DSOLocalEquivalentOp<'_>>(loc).attr(cx, "function_name", *attr.params().first()?)
    } else if is("llvm.zero") {
        OpState::of::<ZeroOp<'_>>(loc)
    } else if is("llvm.undef") {
        OpState::of::<UndefOp<'_>>(loc)
    } else if is("llvm.poison") {
        OpState::of::<PoisonOp<'_>>(loc)
    } else if attr.is_integer() || attr.is_float() || attr.is_elements() {
        OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", value)
    } else {
        return None;
    };
    types::is_compatible(view).then(|| rw.create(state.results([ty])))
}

/// The effects of a load or store: one that is volatile or orders others must stay where it is, whatever becomes of its result.
fn access(op: OpRef<'_>, plain: Effects) -> Effects {
    let ordering = op.attr("ordering").and_then(AtomicOrdering::from_attr).unwrap_or(AtomicOrdering::NotAtomic);
    let unordered = matches!(ordering, AtomicOrdering::NotAtomic | AtomicOrdering::Unordered);
    if unordered && op.attr("volatile_").is_none() { plain } else { Effects::READ.union(Effects::WRITE) }
}

/// Assembly does to memory what it says, nothing or anything.
fn asm_effects(op: OpRef<'_>) -> Effects {
    let has_effects = op.attr("has_side_effects").is_some();
    if has_effects { Effects::READ.union(Effects::WRITE) } else { Effects::NONE }
}

impl LLVMFuncOp<'_> {
    /// The parts of a function of type `!llvm.func<...>`, external, without a body.
    pub fn state(cx: &Context, name: &str, ty: Type, loc: Loc) -> OpState {
        OpState::of::<Self>(loc).attr(cx, "sym_name", cx.string_attr(name)).attr(cx, "function_type", cx.type_attr(ty))
    }

    /// Whether it has no body.
    pub fn is_declaration(self) -> bool {
        self.body().is_empty()
    }
}
