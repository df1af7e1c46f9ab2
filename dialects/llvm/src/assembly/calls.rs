//! Pretty forms of `llvm.call`, `llvm.invoke` and `llvm.call_intrinsic`, and operand bundles.

use dl_ir::interfaces::function::{ARG_ATTRS, RES_ATTRS};
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{Attr, AttrRef, BlockId, OpRef, OpState, OpView, Operands, Type, ValueId};
use smallvec::SmallVec;

use super::{enum_attr, parse_optional_case, print_case};
use crate::{C_CONV, CConv, CallIntrinsicOp, CallOp, InvokeOp, TAIL_CALL_KIND};

/// Operand bundles: `["tag"(%a : t), ...]`.
#[derive(Default)]
pub(super) struct Bundles {
    operands: Vec<UnresolvedOperand>,
    types: Vec<Type>,
    sizes: Vec<i32>,
    tags: Vec<Attr>,
}

impl Bundles {
    /// `[...]`, if it is there.
    pub(super) fn parse_optional(p: &mut OpParser<'_>) -> Parsed<Self> {
        let mut bundles = Self::default();
        p.parse_comma_separated(Delimiter::OptionalSquare, |p| bundles.parse_one(p))?;
        Ok(bundles)
    }

    fn parse_one(&mut self, p: &mut OpParser<'_>) -> Parsed<()> {
        self.tags.push(p.parse_string_attr()?);
        p.parse_l_paren()?;
        if p.parse_optional_r_paren() {
            self.sizes.push(0);
            return Ok(());
        }
        let loc = p.loc();
        let operands = p.parse_operand_list(Delimiter::None)?;
        p.parse_colon()?;
        let types = p.parse_type_list()?;
        p.parse_r_paren()?;
        if operands.len() != types.len() {
            let (expected, got, bundle) = (operands.len(), types.len(), self.sizes.len());
            let message = format!(
                "expected {expected} types for operand bundle operands for operand bundle #{bundle}, but actually got {got}"
            );
            return Err(p.error_at(loc, message));
        }
        self.sizes.push(i32::try_from(operands.len()).unwrap_or(i32::MAX));
        self.operands.extend(operands);
        self.types.extend(types);
        Ok(())
    }

    /// Operand names and their types.
    pub(super) fn operands(&self) -> (Vec<UnresolvedOperand>, Vec<Type>) {
        (self.operands.clone(), self.types.clone())
    }

    /// The tags as an attribute, if there is a bundle.
    pub(super) fn tags(&self, p: &OpParser<'_>) -> Option<Attr> {
        (!self.tags.is_empty()).then(|| p.cx().array_attr(&self.tags))
    }

    /// Sets sizes and tags.
    pub(super) fn set_attrs(&self, p: &OpParser<'_>, state: &mut OpState) {
        let cx = p.cx();
        state.set_attr(cx.ident("op_bundle_sizes"), cx.dense_i32_array(&self.sizes));
        if let Some(tags) = self.tags(p) {
            state.set_attr(cx.ident("op_bundle_tags"), tags);
        }
    }

    /// Adds the operands to `state`.
    fn resolve(&self, p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
        self.operands.iter().zip(&self.types).try_for_each(|(&operand, &ty)| p.resolve_operand(operand, ty, state))
    }
}

/// A space and the bundles, if there are any. One may have no operands.
fn print_optional_bundles(op: OpRef<'_>, p: &mut AsmPrinter<'_>, operands: Operands<'_>) {
    if op.attr("op_bundle_tags").is_some_and(|tags| tags.elements().len() > 0) {
        p.text(" ");
        print_bundles(op, p, operands);
    }
}

/// Prints what [`Bundles::parse_optional`] reads.
pub(super) fn print_bundles(op: OpRef<'_>, p: &mut AsmPrinter<'_>, operands: Operands<'_>) {
    let tags = op.attr("op_bundle_tags").into_iter().flat_map(AttrRef::elements);
    let sizes = op.attr("op_bundle_sizes").into_iter().flat_map(AttrRef::dense_ints);
    let mut start = 0;
    p.text("[");
    p.comma_separated(tags.zip(sizes), |p, (tag, size)| {
        let len = usize::try_from(size).unwrap_or(0).min(operands.len() - start);
        let bundle = operands.slice(start, len);
        start += len;
        p.attr(tag.id());
        p.text("(");
        if len > 0 {
            p.operands(bundle.iter());
            p.text(" : ");
            p.types(bundle.types());
        }
        p.text(")");
    });
    p.text("]");
}

/// What stands before the operands of a call: its callee, by symbol or by value.
enum Called {
    Symbol,
    Value(UnresolvedOperand),
}

/// `@f` or `%f`. A symbol becomes the attribute `callee`.
fn parse_callee(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<Called> {
    let cx = p.cx();
    if let Some(value) = p.parse_optional_operand()? {
        return Ok(Called::Value(value));
    }
    let name = p.parse_symbol_name()?;
    state.set_attr(cx.ident("callee"), cx.symbol_ref_attr(&name));
    Ok(Called::Symbol)
}

/// `vararg(type)`, if it is there.
fn parse_optional_vararg(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if p.parse_optional_keyword("vararg") {
        p.parse_l_paren()?;
        let loc = p.loc();
        let ty = p.parse_type()?;
        if !crate::types::is_func(cx.ty(ty)) {
            return Err(p.error_at(loc, "expected an LLVM function type"));
        }
        state.set_attr(cx.ident("var_callee_type"), cx.type_attr(ty));
        p.parse_r_paren()?;
    }
    Ok(())
}

fn print_optional_vararg(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    if let Some(ty) = op.attr("var_callee_type") {
        p.text(" vararg(");
        p.attr(ty.id());
        p.text(")");
    }
}

/// `%f's type, (types {attrs}) -> results`: resolves the callee and the arguments, sets results and their attributes.
fn parse_call_types(
    p: &mut OpParser<'_>,
    state: &mut OpState,
    called: &Called,
    args: &[UnresolvedOperand],
) -> Parsed<SmallVec<[ValueId; 4]>> {
    let cx = p.cx();
    p.parse_colon()?;
    let mut resolved = OpState::default();
    if let Called::Value(value) = *called {
        let ty = p.parse_type()?;
        p.parse_comma()?;
        p.resolve_operand(value, ty, &mut resolved)?;
    }
    let loc = p.loc();
    let signature = dl_ir::interfaces::function::parse_signature(p, false)?;
    if signature.results.len() > 1 {
        return Err(p.error_at(loc, "expected function with 0 or 1 result"));
    }
    if args.len() != signature.inputs.len() {
        let (operands, types) = (args.len(), signature.inputs.len());
        let message = format!("number of operands and types do not match: got {operands} operands and {types} types");
        return Err(p.error_at(loc, message));
    }
    for (&arg, &ty) in args.iter().zip(&signature.inputs) {
        p.resolve_operand(arg, ty, &mut resolved)?;
    }
    signature.set_attrs(cx, state);
    if signature.results.iter().any(|&ty| crate::types::is_void(cx.ty(ty))) {
        return Err(p.error_at(loc, "expected a non-void result type"));
    }
    state.results.extend(signature.results.iter().copied());
    Ok(resolved.operands)
}

/// Prints what [`parse_call_types`] reads.
fn print_call_types(op: OpRef<'_>, p: &mut AsmPrinter<'_>, direct: bool, args: Operands<'_>) {
    p.text(" : ");
    if !direct {
        p.ty(op.operand(0).ty().id());
        p.text(", ");
    }
    print_types_with_attrs(op, p, args);
}

/// `(type {attrs}, ...) -> results`.
fn print_types_with_attrs(op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: Operands<'_>) {
    let dict = |name: &str, i: usize| {
        op.attr(name).and_then(|all| all.elements().nth(i)).filter(|dict| !dict.entries().is_empty())
    };
    let print = |p: &mut AsmPrinter<'_>, ty: Type, dict: Option<AttrRef<'_>>| {
        p.ty(ty);
        if let Some(dict) = dict {
            p.text(" ");
            p.attr(dict.id());
        }
    };
    p.text("(");
    p.comma_separated(args.types().into_iter().enumerate(), |p, (i, ty)| {
        print(p, ty, dict(ARG_ATTRS, i));
    });
    p.text(") -> ");
    match op.results().types()[..] {
        [ty] if dict(RES_ATTRS, 0).is_none() => p.ty(ty),
        ref types => {
            p.text("(");
            p.comma_separated(types.iter().enumerate(), |p, (i, &ty)| {
                print(p, ty, dict(RES_ATTRS, i));
            });
            p.text(")");
        }
    }
}

fn set_segments<const N: usize>(p: &OpParser<'_>, state: &mut OpState, sizes: [usize; N]) {
    let cx = p.cx();
    let sizes = sizes.map(|n| i32::try_from(n).unwrap_or(i32::MAX));
    state.set_attr(cx.ident("operandSegmentSizes"), cx.dense_i32_array(&sizes));
}

/// `cconv tail @f(args) vararg(type) [bundles] {...} : types`.
pub(crate) fn parse_call(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if let Some(convention) = parse_optional_case(p, &C_CONV) {
        state.set_attr(cx.ident("CConv"), enum_attr(cx, "llvm.cconv", convention));
    }
    if let Some(kind) = parse_optional_case(p, &TAIL_CALL_KIND) {
        state.set_attr(cx.ident("TailCallKind"), enum_attr(cx, "llvm.tailcallkind", kind));
    }
    let called = parse_callee(p, state)?;
    let args = p.parse_operand_list(Delimiter::Paren)?;
    parse_optional_vararg(p, state)?;
    let bundles = Bundles::parse_optional(p)?;
    bundles.set_attrs(p, state);
    p.parse_optional_attr_dict(state)?;
    let operands = parse_call_types(p, state, &called, &args)?;
    let count = operands.len();
    state.operands.extend(operands);
    bundles.resolve(p, state)?;
    set_segments(p, state, [count, bundles.operands.len()]);
    Ok(())
}

/// Prints what [`parse_call`] reads.
pub(crate) fn print_call(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = CallOp::wrap(op);
    p.text(" ");
    print_case(p, op, "CConv", &C_CONV, Some(CConv::C.value()));
    print_case(p, op, "TailCallKind", &TAIL_CALL_KIND, Some(0));
    let args = print_callee_and_args(p, view.callee(), view.callee_operands());
    print_optional_vararg(op, p);
    print_optional_bundles(op, p, view.op_bundle_operands());
    let shown = [
        "callee",
        "CConv",
        "TailCallKind",
        "var_callee_type",
        "operandSegmentSizes",
        "op_bundle_sizes",
        "op_bundle_tags",
        ARG_ATTRS,
        RES_ATTRS,
    ];
    p.attr_dict(op, &shown);
    print_call_types(op, p, view.callee().is_some(), args);
}

/// `@f(args)` or `%f(args)`; answers the arguments.
fn print_callee_and_args<'a>(
    p: &mut AsmPrinter<'_>,
    callee: Option<AttrRef<'_>>,
    operands: Operands<'a>,
) -> Operands<'a> {
    let skip = usize::from(callee.is_none()).min(operands.len());
    match callee {
        Some(symbol) => p.attr(symbol.id()),
        None => p.operands(operands.iter().take(1)),
    }
    let args = operands.slice(skip, operands.len() - skip);
    p.text("(");
    p.operands(args.iter());
    p.text(")");
    args
}

/// `cconv @f(args) to ^a(values) unwind ^b(values) vararg(type) [bundles] {...} : types`.
pub(crate) fn parse_invoke(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if let Some(convention) = parse_optional_case(p, &C_CONV) {
        state.set_attr(cx.ident("CConv"), enum_attr(cx, "llvm.cconv", convention));
    }
    let called = parse_callee(p, state)?;
    let args = p.parse_operand_list(Delimiter::Paren)?;
    p.parse_keyword("to")?;
    let (normal, normal_values) = p.parse_successor_and_operands()?;
    p.parse_keyword("unwind")?;
    let (unwind, unwind_values) = p.parse_successor_and_operands()?;
    parse_optional_vararg(p, state)?;
    let bundles = Bundles::parse_optional(p)?;
    bundles.set_attrs(p, state);
    p.parse_optional_attr_dict(state)?;
    let operands = parse_call_types(p, state, &called, &args)?;
    let sizes = [operands.len(), normal_values.len(), unwind_values.len(), bundles.operands.len()];
    state.operands.extend(operands.into_iter().chain(normal_values).chain(unwind_values));
    bundles.resolve(p, state)?;
    let blocks: [BlockId; 2] = [normal, unwind];
    state.successors.extend(blocks);
    set_segments(p, state, sizes);
    Ok(())
}

/// Prints what [`parse_invoke`] reads.
pub(crate) fn print_invoke(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = InvokeOp::wrap(op);
    p.text(" ");
    print_case(p, op, "CConv", &C_CONV, Some(CConv::C.value()));
    let args = print_callee_and_args(p, view.callee(), view.callee_operands());
    p.text(" to ");
    p.successor_and_operands(view.normal_dest(), view.normal_dest_operands().iter());
    p.text(" unwind ");
    p.successor_and_operands(view.unwind_dest(), view.unwind_dest_operands().iter());
    print_optional_vararg(op, p);
    print_optional_bundles(op, p, view.op_bundle_operands());
    let shown = [
        "callee",
        "CConv",
        "var_callee_type",
        "operandSegmentSizes",
        "op_bundle_sizes",
        "op_bundle_tags",
        ARG_ATTRS,
        RES_ATTRS,
    ];
    p.attr_dict(op, &shown);
    print_call_types(op, p, view.callee().is_some(), args);
}

/// `"name"(args) [bundles] {...} : (types) -> type`.
pub(crate) fn parse_call_intrinsic(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    state.set_attr(cx.ident("intrin"), p.parse_string_attr()?);
    let args = p.parse_operand_list(Delimiter::Paren)?;
    let bundles = Bundles::parse_optional(p)?;
    bundles.set_attrs(p, state);
    p.parse_optional_attr_dict(state)?;
    let operands = parse_call_types(p, state, &Called::Symbol, &args)?;
    let count = operands.len();
    state.operands.extend(operands);
    bundles.resolve(p, state)?;
    set_segments(p, state, [count, bundles.operands.len()]);
    Ok(())
}

/// Prints what [`parse_call_intrinsic`] reads.
pub(crate) fn print_call_intrinsic(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = CallIntrinsicOp::wrap(op);
    p.text(" ");
    p.attr(view.intrin().id());
    p.text("(");
    p.operands(view.args().iter());
    p.text(")");
    print_optional_bundles(op, p, view.op_bundle_operands());
    let shown = ["intrin", "operandSegmentSizes", "op_bundle_sizes", "op_bundle_tags", ARG_ATTRS, RES_ATTRS];
    p.attr_dict(op, &shown);
    p.text(" : ");
    print_types_with_attrs(op, p, view.args());
}
