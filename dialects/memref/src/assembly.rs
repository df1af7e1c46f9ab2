//! Pretty forms that no format describes.

use dl_ir::dialect::CustomDirective;
use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{OpRef, OpState, Type};
use smallvec::SmallVec;

/// `custom<GlobalMemrefOpTypeAndInitialValue>($type, $initial_value)`: `type`, `type = uninitialized` or `type = value`.
pub(crate) const GLOBAL_TYPE_AND_VALUE: CustomDirective =
    CustomDirective { parse: parse_global_type_and_value, print: print_global_type_and_value };

fn parse_global_type_and_value(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    let ty = p.parse_type()?;
    let view = cx.ty(ty);
    if !view.is_ranked_memref() || !view.has_static_shape() {
        let message = format!("type should be static shaped memref, but got '{view}'");
        return Err(p.error_at(state.loc, message));
    }
    args.set_attr(0, cx.type_attr(ty));
    if !p.parse_optional_equal() {
        return Ok(());
    }
    if p.parse_optional_keyword("uninitialized") {
        args.set_attr(1, cx.unit_attr());
        return Ok(());
    }
    let element = view.element_or_self().id();
    let tensor = cx.tensor_type(view.shape().unwrap_or(&[]), element);
    let loc = p.loc();
    let value = p.parse_attribute(Some(tensor))?;
    if !cx.attr(value).is_elements() {
        let message = "initial value should be a unit or elements attribute";
        return Err(p.error_at(loc, message));
    }
    args.set_attr(1, value);
    Ok(())
}

fn print_global_type_and_value(_: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    if let Some(ty) = args.attr(0) {
        p.attr(ty.id());
    }
    let Some(value) = args.attr(1) else { return };
    p.text(" = ");
    if value.is_unit() {
        p.text("uninitialized");
    } else {
        p.attr_without_type(value.id());
    }
}

/// ` -> (types) { body }`.
pub(crate) fn parse_alloca_scope(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let types = p.parse_optional_arrow_type_list()?;
    state.results.extend(types);
    let region = p.parse_region(state, &[])?;
    let terminator = p.cx().op_name("memref.alloca_scope.return");
    p.ensure_terminator(state, region, terminator);
    p.parse_optional_attr_dict(state)
}

pub(crate) fn print_alloca_scope(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(" ");
    let results = op.results().types();
    if !results.is_empty() {
        p.text(" -> (");
        p.types(results.iter().copied());
        p.text(")");
    }
    p.text(" ");
    p.region(op.region(0), false, !results.is_empty());
    p.attr_dict(op, &[]);
}

/// `%memref[%i, %j]`, the operands of which are added once the type is known.
struct Element {
    memref: UnresolvedOperand,
    indices: SmallVec<[UnresolvedOperand; 4]>,
}

fn parse_element(p: &mut OpParser<'_>) -> Parsed<Element> {
    let memref = p.parse_operand()?;
    let indices = p.parse_operand_list(Delimiter::Square)?;
    Ok(Element { memref, indices })
}

impl Element {
    fn resolve(&self, p: &mut OpParser<'_>, ty: Type, state: &mut OpState) -> Parsed<()> {
        p.resolve_operand(self.memref, ty, state)?;
        let index = p.cx().index_type();
        p.resolve_operands(&self.indices, index, state)
    }
}

/// `%memref[%i] : type { body }`.
pub(crate) fn parse_generic_atomic_rmw(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let element = parse_element(p)?;
    let ty = p.parse_colon_type()?;
    element.resolve(p, ty, state)?;
    p.parse_region(state, &[])?;
    p.parse_optional_attr_dict(state)?;
    state.results.push(p.cx().ty(ty).element_or_self().id());
    Ok(())
}

pub(crate) fn print_generic_atomic_rmw(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(" ");
    print_element(op, 0, p);
    p.text(" : ");
    p.ty(op.operand(0).ty().id());
    p.text(" ");
    p.region(op.region(0), true, true);
    p.attr_dict(op, &[]);
}

/// `%memref[%i, %j]`, from operand definition `group` and the one after it.
fn print_element(op: OpRef<'_>, group: usize, p: &mut AsmPrinter<'_>) {
    p.operands(op.operand_group(group).iter());
    p.text("[");
    p.operands(op.operand_group(group + 1).iter());
    p.text("]");
}

/// `%memref[%i], read, locality<3>, data : type`.
pub(crate) fn parse_prefetch(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let element = parse_element(p)?;
    p.parse_comma()?;
    let loc = p.loc();
    let write = match p.parse_any_keyword()? {
        "read" => false,
        "write" => true,
        _ => return Err(p.error_at(loc, "rw specifier has to be 'read' or 'write'")),
    };
    p.parse_comma()?;
    p.parse_keyword("locality")?;
    p.parse_less()?;
    let hint = p.parse_attribute(Some(cx.i32_type()))?;
    p.parse_greater()?;
    p.parse_comma()?;
    let loc = p.loc();
    let data = match p.parse_any_keyword()? {
        "data" => true,
        "instr" => false,
        _ => return Err(p.error_at(loc, "cache type has to be 'data' or 'instr'")),
    };
    p.parse_optional_attr_dict(state)?;
    let ty = p.parse_colon_type()?;
    element.resolve(p, ty, state)?;
    state.set_attr(cx.ident("localityHint"), hint);
    state.set_attr(cx.ident("isWrite"), cx.bool_attr(write));
    state.set_attr(cx.ident("isDataCache"), cx.bool_attr(data));
    Ok(())
}

pub(crate) fn print_prefetch(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let flag = |name: &str| op.attr(name).and_then(|attr| attr.as_bool()).unwrap_or(false);
    p.text(" ");
    print_element(op, 0, p);
    p.text(if flag("isWrite") { ", write, locality<" } else { ", read, locality<" });
    p.int(op.attr("localityHint").and_then(|attr| attr.as_int()).unwrap_or(0));
    p.text(if flag("isDataCache") { ">, data" } else { ">, instr" });
    p.attr_dict(op, &["localityHint", "isWrite", "isDataCache"]);
    p.text(" : ");
    p.ty(op.operand(0).ty().id());
}

/// `%memref (d0, d1) -> (d1, d0) : type to type`.
pub(crate) fn parse_transpose(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let input = p.parse_operand()?;
    let permutation = p.parse_affine_map_inline()?;
    p.parse_optional_attr_dict(state)?;
    let from = p.parse_colon_type()?;
    p.resolve_operand(input, from, state)?;
    p.parse_keyword("to")?;
    let to = p.parse_type()?;
    state.results.push(to);
    let cx = p.cx();
    state.set_attr(cx.ident("permutation"), cx.affine_map_attr(permutation));
    Ok(())
}

pub(crate) fn print_transpose(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(" ");
    p.operand(op.operand(0));
    p.text(" ");
    if let Some(map) = op.attr("permutation").and_then(|attr| attr.as_affine_map()) {
        let mut text = String::new();
        op.cx().affine().print_map(map, &mut text);
        p.text(&text);
    }
    p.attr_dict(op, &["permutation"]);
    p.text(" : ");
    p.ty(op.operand(0).ty().id());
    p.text(" to ");
    p.ty(op.result(0).ty().id());
}

/// Where the parts of `dma_start` stand among its operands: source, its indices, destination, its indices, number of elements, tag, its
/// indices, and for a strided transfer stride and elements a stride.
pub(crate) struct DmaParts {
    /// First operand of source, destination and tag.
    pub(crate) memrefs: [usize; 3],
    /// The operand that counts elements.
    pub(crate) num_elements: usize,
    /// Stride and elements a stride, if given.
    pub(crate) stride: Option<usize>,
}

impl DmaParts {
    /// `None` when there are too few operands, or a memref is none.
    pub(crate) fn of(op: OpRef<'_>) -> Option<Self> {
        let rank = |at: usize| op.operands().get(at)?.ty().rank();
        let dst = 1 + rank(0)?;
        let num_elements = dst + 1 + rank(dst)?;
        let tag = num_elements + 1;
        let end = tag + 1 + rank(tag)?;
        let stride = match op.num_operands().checked_sub(end)? {
            0 => None,
            2 => Some(end),
            _ => return None,
        };
        Some(Self { memrefs: [0, dst, tag], num_elements, stride })
    }
}

/// `%src[%i], %dst[%j], %count, %tag[%k], %stride, %each : type, type, type`.
pub(crate) fn parse_dma_start(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let source = parse_element(p)?;
    p.parse_comma()?;
    let dest = parse_element(p)?;
    p.parse_comma()?;
    let count = p.parse_operand()?;
    p.parse_comma()?;
    let tag = parse_element(p)?;
    let mut stride: SmallVec<[UnresolvedOperand; 2]> = SmallVec::new();
    while p.parse_optional_comma() {
        stride.push(p.parse_operand()?);
    }
    let loc = p.loc();
    if !stride.is_empty() && stride.len() != 2 {
        return Err(p.error_at(loc, "expected two stride related operands"));
    }
    p.parse_optional_attr_dict(state)?;
    let types = p.parse_colon_type_list()?;
    let [source_ty, dest_ty, tag_ty] = types[..] else {
        return Err(p.error_at(loc, "fewer/more types expected"));
    };
    let index = p.cx().index_type();
    source.resolve(p, source_ty, state)?;
    dest.resolve(p, dest_ty, state)?;
    p.resolve_operand(count, index, state)?;
    tag.resolve(p, tag_ty, state)?;
    p.resolve_operands(&stride, index, state)
}

pub(crate) fn print_dma_start(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let Some(parts) = DmaParts::of(op) else { return };
    let element = |p: &mut AsmPrinter<'_>, at: usize| {
        p.operand(op.operand(at));
        p.text("[");
        p.operands(op.operands().iter().skip(at + 1).take(op.operand(at).ty().rank().unwrap_or(0)));
        p.text("]");
    };
    p.text(" ");
    element(p, parts.memrefs[0]);
    p.text(", ");
    element(p, parts.memrefs[1]);
    p.text(", ");
    p.operand(op.operand(parts.num_elements));
    p.text(", ");
    element(p, parts.memrefs[2]);
    if let Some(stride) = parts.stride {
        p.text(", ");
        p.operands(op.operands().iter().skip(stride));
    }
    p.attr_dict(op, &[]);
    p.text(" : ");
    p.types(parts.memrefs.map(|at| op.operand(at).ty().id()));
}
