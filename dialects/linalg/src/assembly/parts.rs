//! What the pretty forms share: `ins(...) outs(...)`, result types, dense arrays.

use dl_ir::interfaces::inits;
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{Attr, Ident, Loc, OpRef, OpState, RegionId, Type};
use smallvec::SmallVec;

use crate::TypeFn;
use crate::body::build_body;
use crate::named::Body;
use crate::structured::element;

/// Operands and types of `ins(...)` and `outs(...)`.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) inputs: SmallVec<[Type; 4]>,
    pub(super) inits: SmallVec<[Type; 4]>,
}

impl Parts {
    /// The types of the arguments of the body.
    pub(super) fn elements(&self, p: &OpParser<'_>) -> SmallVec<[Type; 4]> {
        let cx = p.cx();
        self.inputs.iter().chain(&self.inits).map(|&ty| element(cx.ty(ty)).id()).collect()
    }
}

/// `<{properties}> {attributes} ins(%a : t) outs(%b : u)`, each part optional. Resolves the operands into `state`.
pub(super) fn parse_parts(p: &mut OpParser<'_>, state: &mut OpState, segments: bool) -> Parsed<Parts> {
    p.parse_optional_prop_dict(state)?;
    let properties = state.attrs.clone();
    p.parse_optional_attr_dict(state)?;
    let (inputs, input_types, inputs_loc) = parse_operands(p, "ins")?;
    let (inits, init_types, inits_loc) = parse_operands(p, "outs")?;
    p.resolve_operands_with(&inputs, &input_types, inputs_loc, state)?;
    p.resolve_operands_with(&inits, &init_types, inits_loc, state)?;
    if segments {
        let sizes = [inputs.len() as i32, inits.len() as i32];
        let cx = p.cx();
        let segments = (cx.ident("operandSegmentSizes"), cx.dense_i32_array(&sizes));
        let given: Vec<(Ident, Attr)> = properties.into_iter().chain([segments]).collect();
        check_properties(p, state, &given)?;
        state.set_attr(segments.0, segments.1);
    }
    Ok(Parts { inputs: input_types, inits: init_types })
}

/// Checks that the windows of convolutions among `properties`, where they are given, are lists of integers.
fn check_properties(p: &mut OpParser<'_>, state: &OpState, properties: &[(Ident, Attr)]) -> Parsed<()> {
    let cx = p.cx();
    let is_list = |attr: Attr| cx.attr(attr).ty().and_then(|ty| ty.element_type()).is_some_and(|ty| ty.is_integer());
    for name in ["dilations", "strides"] {
        let given = properties.iter().find(|(given, _)| cx.str(*given) == name);
        let Some(&(_, attr)) = given.filter(|(_, attr)| !is_list(*attr)) else { continue };
        let op = &cx.op_info(state.name(cx)).name;
        let all = cx.attr(cx.dictionary_attr(properties));
        let attr = cx.attr(attr);
        let message =
            format!("invalid properties {all} for op {op}: Invalid attribute `{name}` in property conversion: {attr}");
        return Err(p.error_at(state.loc, message));
    }
    Ok(())
}

type TypedOperands = (SmallVec<[UnresolvedOperand; 4]>, SmallVec<[Type; 4]>, Loc);

/// `keyword(%a, %b : t, u)`, if the keyword is there.
fn parse_operands(p: &mut OpParser<'_>, keyword: &str) -> Parsed<TypedOperands> {
    if !p.parse_optional_keyword(keyword) {
        return Ok((SmallVec::new(), SmallVec::new(), p.loc()));
    }
    p.parse_l_paren()?;
    let loc = p.loc();
    let operands = p.parse_operand_list(Delimiter::None)?;
    let types = p.parse_colon_type_list()?;
    p.parse_r_paren()?;
    Ok((operands, types.into_iter().collect(), loc))
}

/// ` ins(%a : t) outs(%b : u)`.
pub(super) fn print_parts(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let Some(inits) = inits(op) else { return };
    let inputs = op.operands().iter().take(inits.start());
    for (keyword, values) in [(" ins(", inputs.collect::<Vec<_>>()), (" outs(", inits.iter().collect())] {
        if values.is_empty() {
            continue;
        }
        p.text(keyword);
        p.operands(values.iter().copied());
        p.text(" : ");
        p.types(values.iter().map(|v| v.ty().id()));
        p.text(")");
    }
}

/// A result for each init that is a tensor.
pub(super) fn add_tensor_results(p: &OpParser<'_>, parts: &Parts, state: &mut OpState) {
    let cx = p.cx();
    state.results.extend(parts.inits.iter().copied().filter(|&ty| cx.ty(ty).is_ranked_tensor()));
}

/// ` name = [1, 2] `, with a space after it.
pub(super) fn print_dense_array(p: &mut AsmPrinter<'_>, op: OpRef<'_>, name: &str) {
    p.text(" ");
    p.text(name);
    p.text(" = [");
    for (i, value) in op.attr(name).into_iter().flat_map(|attr| attr.dense_ints()).enumerate() {
        if i > 0 {
            p.text(", ");
        }
        p.int(value);
    }
    p.text("] ");
}

/// `name = [1, 2]`.
pub(super) fn parse_dense_array(p: &mut OpParser<'_>, state: &mut OpState, name: &str) -> Parsed<()> {
    p.parse_keyword(name)?;
    p.parse_equal()?;
    let cx = p.cx();
    let array = p.parse_dense_array_in_brackets(cx.i64_type())?;
    state.set_attr(cx.ident(name), array);
    Ok(())
}

/// ` indexing_maps = [...]`.
pub(super) fn print_maps(p: &mut AsmPrinter<'_>, maps: Attr) {
    p.text(" indexing_maps = ");
    p.attr(maps);
}

/// `indexing_maps = [...]`, if it is there.
pub(super) fn parse_maps(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<bool> {
    if !p.parse_optional_keyword("indexing_maps") {
        return Ok(false);
    }
    p.parse_equal()?;
    let loc = p.loc();
    let maps = p.parse_attribute(None)?;
    let cx = p.cx();
    if !cx.attr(maps).is_array() {
        return Err(p.error_at(loc, "expected array of affine maps"));
    }
    if cx.attr(maps).elements().any(|map| !map.is_affine_map()) {
        return Err(p.error_at(loc, "expected affine map attribute"));
    }
    state.set_attr(cx.ident("indexing_maps"), maps);
    Ok(true)
}

/// The value of the attribute `cast`, signed where it is not given.
fn cast_of(p: &OpParser<'_>, state: &OpState) -> TypeFn {
    let cx = p.cx();
    state.get_attr(cx, "cast").and_then(|attr| TypeFn::from_attr(cx.attr(attr))).unwrap_or(TypeFn::CastSigned)
}

/// Makes the region that the pretty form leaves out. `start` is where faults of its types are reported.
pub(super) fn add_body(
    p: &mut OpParser<'_>,
    state: &mut OpState,
    args: &[Type],
    body: Body,
    start: Loc,
) -> Parsed<RegionId> {
    let (cast, loc) = (cast_of(p, state), state.loc);
    let mut rw = p.rewriter();
    let region = rw.new_region();
    match build_body(&mut rw, region, args, body, cast, loc) {
        Ok(()) => {
            state.regions.push(region);
            Ok(region)
        }
        Err(message) => Err(p.error_at(start, message)),
    }
}
