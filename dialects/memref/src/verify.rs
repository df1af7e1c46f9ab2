//! What definitions do not say about valid operations: accesses, allocations, globals.

use dl_ir::interfaces::reassociation;
use dl_ir::{AttrData, DYNAMIC, Diagnostic, OpRef, TypeRef, ValueRef};

/// An error without the name of the operation, where upstream has it so.
pub(crate) fn fault(op: OpRef<'_>, message: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(op.loc(), message.to_string())
}

/// One operand for each dynamic extent of the result and each symbol of its layout.
pub(crate) fn allocation(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let ty = op.result(0).ty();
    dynamic_sizes(op, 0, ty)?;
    let expected = ty.memref_layout().map_or(0, |layout| match layout.data() {
        AttrData::AffineMap(map) => op.cx().affine().map(*map).num_symbols as usize,
        // Each dynamic stride is a symbol, and so is a dynamic offset.
        AttrData::Strided(layout) => layout.strides.iter().chain([&layout.offset]).filter(|&&n| n == DYNAMIC).count(),
        _ => 0,
    });
    let given = op.operand_group(1).len();
    if given != expected {
        return Err(op.error(format_args!(
            "symbol operand count does not equal memref symbol count: expected {expected}, got {given}"
        )));
    }
    Ok(())
}

/// As many operands in `group` as `ty` has dynamic extents.
fn dynamic_sizes(op: OpRef<'_>, group: usize, ty: TypeRef<'_>) -> Result<(), Diagnostic> {
    let (given, expected) = (op.operand_group(group).len(), ty.num_dynamic_dims());
    if given == expected {
        return Ok(());
    }
    Err(op.error(format_args!("incorrect number of dynamic sizes, has {given}, expected {expected}")))
}

/// An allocation on the stack has a scope around it that frees it.
pub(crate) fn alloca(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let mut around = std::iter::successors(op.parent(), |op| op.parent());
    if !around.any(|op| op.has_trait(&dl_ir::Trait::AutomaticAllocationScope)) {
        return Err(op.error("requires an ancestor op with AutomaticAllocationScope trait"));
    }
    allocation(op)
}

pub(crate) fn load(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (expected, given) = (op.operand(0).ty().rank().unwrap_or(0), op.num_operands() - 1);
    if expected == given {
        return Ok(());
    }
    Err(op.error(format_args!("incorrect number of indices for load, expected {expected} but got {given}")))
}

pub(crate) fn store(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.num_operands() == 2 + op.operand(1).ty().rank().unwrap_or(0) {
        return Ok(());
    }
    Err(op.error("store index operand count not equal to memref rank"))
}

pub(crate) fn prefetch(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.num_operands() == 1 + op.operand(0).ty().rank().unwrap_or(0) {
        return Ok(());
    }
    Err(op.error("too few indices"))
}

/// A kind that fits the type, and one index a dimension.
pub(crate) fn atomic_rmw(op: OpRef<'_>) -> Result<(), Diagnostic> {
    use dl_arith::AtomicRMWKind as Kind;
    if op.num_operands() != 2 + op.operand(1).ty().rank().unwrap_or(0) {
        return Err(op.error("expects the number of subscripts to be equal to memref rank"));
    }
    let Some(kind) = op.attr("kind").and_then(Kind::from_attr) else { return Ok(()) };
    let ty = op.operand(0).ty();
    let wanted = match kind {
        Kind::Addf | Kind::Maximumf | Kind::Minimumf | Kind::Mulf if !ty.is_float() => "a floating-point type",
        Kind::Addi
        | Kind::Maxs
        | Kind::Maxu
        | Kind::Mins
        | Kind::Minu
        | Kind::Muli
        | Kind::Ori
        | Kind::Xori
        | Kind::Andi
            if !ty.is_integer() =>
        {
            "an integer type"
        }
        _ => return Ok(()),
    };
    Err(op.error(format_args!("with kind '{kind}' expects {wanted}")))
}

/// One block with the element as its argument.
pub(crate) fn generic_atomic_rmw(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(body) = op.region(0).entry() else { return Err(op.error("expected a body")) };
    if body.num_args() != 1 {
        return Err(op.error("expected single number of entry block arguments"));
    }
    if body.arg(0).ty() != op.result(0).ty() {
        return Err(op.error("expected block argument of the same type result type"));
    }
    let impure = body.ops().find(|inner| !dl_ir::effects::is_memory_effect_free(*inner));
    match impure {
        Some(inner) => {
            Err(inner.error("body of 'memref.generic_atomic_rmw' should contain only operations with no side effects"))
        }
        None => Ok(()),
    }
}

pub(crate) fn atomic_yield(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(parent) = op.parent().filter(|parent| parent.num_results() == 1) else {
        return Ok(());
    };
    let (expected, found) = (parent.result(0).ty(), op.operand(0).ty());
    if expected == found {
        return Ok(());
    }
    Err(op.error(format_args!("types mismatch between yield op: '{found}' and its parent: '{expected}'")))
}

/// Static type, and a value of that shape and element type.
pub(crate) fn global(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(ty) = op.attr("type").and_then(|attr| attr.as_type()) else { return Ok(()) };
    if !ty.is_ranked_memref() || !ty.has_static_shape() {
        return Err(op.error(format_args!("type should be static shaped memref, but got '{ty}'")));
    }
    let Some(value) = op.attr("initial_value") else { return Ok(()) };
    if value.is_unit() {
        return Ok(());
    }
    if !value.is_elements() {
        return Err(op.error(format_args!("initial value should be a unit or elements attribute, but got {value}")));
    }
    let Some(found) = value.ty() else { return Ok(()) };
    if !found.is_tensor() {
        return Err(op.error(format_args!("initial value expected to be of a tensor type, but was of type '{found}'")));
    }
    let (element, of_value) = (ty.element_or_self(), found.element_or_self());
    if element != of_value {
        let message =
            format_args!("initial value element expected to be of type '{element}', but was of type '{of_value}'");
        return Err(op.error(message));
    }
    let (shape, of_value) = (ty.shape().unwrap_or(&[]), found.shape().unwrap_or(&[]));
    if shape != of_value {
        let list = |shape: &[i64]| shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let message = format_args!("initial value shape expected to be {} but was {}", list(shape), list(of_value));
        return Err(op.error(message));
    }
    Ok(())
}

/// Element types and memory spaces agree, sizes are operands where they are dynamic.
pub(crate) fn realloc(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (source, result) = (op.operand(0).ty(), op.result(0).ty());
    if !source.has_identity_layout() {
        return Err(fault(op, format_args!("unsupported layout for source memref type '{source}'")));
    }
    if !result.has_identity_layout() {
        return Err(fault(op, format_args!("unsupported layout for result memref type '{result}'")));
    }
    if source.memory_space() != result.memory_space() {
        return Err(fault(
            op,
            format_args!(
                "different memory spaces specified for source memref type '{source}' and result memref type '{result}'"
            ),
        ));
    }
    if source.element_type() != result.element_type() {
        return Err(fault(
            op,
            format_args!(
                "different element types specified for source memref type '{source}' and result memref type '{result}'"
            ),
        ));
    }
    let given = op.operand_group(1).len() == 1;
    match (result.num_dynamic_dims() > 0, given) {
        (true, false) => Err(fault(op, format_args!("missing dimension operand for result type '{result}'"))),
        (false, true) => Err(fault(op, format_args!("unnecessary dimension operand for result type '{result}'"))),
        _ => Ok(()),
    }
}

/// A shape of as many numbers as the result has dimensions, and one element type.
pub(crate) fn reshape(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (source, shape, result) = (op.operand(0).ty(), op.operand(1).ty(), op.result(0).ty());
    if source.element_type() != result.element_type() {
        return Err(op.error("element types of source and destination memref types should be the same"));
    }
    if source.is_ranked_memref() && !source.has_identity_layout() {
        return Err(op.error("source memref type should have identity affine map"));
    }
    let length = shape.shape().and_then(|shape| shape.first().copied()).unwrap_or(DYNAMIC);
    let Some(rank) = result.rank() else { return Ok(()) };
    if !result.has_identity_layout() {
        return Err(op.error("result memref type should have identity affine map"));
    }
    if length == DYNAMIC {
        return Err(
            op.error("cannot use shape operand with dynamic length to reshape to statically-ranked memref type")
        );
    }
    if length != rank as i64 {
        return Err(op.error("length of shape operand differs from the result's memref rank"));
    }
    Ok(())
}

/// Identity layouts, one memory space, sizes for the dynamic extents.
pub(crate) fn view(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (source, result) = (op.operand(0).ty(), op.result(0).ty());
    if !source.has_identity_layout() {
        return Err(fault(op, format_args!("unsupported map for base memref type '{source}'")));
    }
    if !result.has_identity_layout() {
        return Err(fault(op, format_args!("unsupported map for result memref type '{result}'")));
    }
    if source.memory_space() != result.memory_space() {
        return Err(fault(
            op,
            format_args!(
                "different memory spaces specified for base memref type '{source}' and view memref type '{result}'"
            ),
        ));
    }
    dynamic_sizes(op, 2, result)
}

pub(crate) fn expand_shape(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let groups = op.attr("reassociation").map(reassociation::groups).unwrap_or_default();
    let (source, result) = (op.operand(0).ty(), op.result(0).ty());
    let (Some(from), Some(to)) = (source.shape(), result.shape()) else { return Ok(()) };
    if from.len() > to.len() {
        return Err(op.error(format_args!(
            "has source rank {} and result rank {}. This is not an expansion ({} > {}).",
            from.len(),
            to.len(),
            from.len(),
            to.len()
        )));
    }
    reassociation::verify(op, &groups, to, from, true)?;
    layout_follows(op, crate::layout::expanded(source, to, &groups), "expanded")?;
    let sizes = op.attr("static_output_shape").and_then(|attr| attr.as_i64_array()).unwrap_or_default();
    if sizes.len() != to.len() {
        return Err(op.error(format_args!(
            "expected number of static shape bounds to be equal to the output rank ({}) but found {} inputs instead",
            to.len(),
            sizes.len()
        )));
    }
    let dynamic = sizes.iter().filter(|&&size| size == DYNAMIC).count();
    if dynamic != op.operand_group(1).len() {
        return Err(op.error(format_args!(
            "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has {dynamic} dynamic \
             dims while output_shape has {} values",
            op.operand_group(1).len()
        )));
    }
    for (i, (&size, &extent)) in sizes.iter().zip(to).enumerate() {
        if size != DYNAMIC && size != extent {
            return Err(op.error(format_args!("invalid output shape provided at pos {i}")));
        }
    }
    Ok(())
}

pub(crate) fn collapse_shape(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let groups = op.attr("reassociation").map(reassociation::groups).unwrap_or_default();
    let (source, result) = (op.operand(0).ty(), op.result(0).ty());
    let (Some(from), Some(to)) = (source.shape(), result.shape()) else { return Ok(()) };
    if from.len() < to.len() {
        return Err(op.error(format_args!(
            "has source rank {} and result rank {}. This is not a collapse ({} < {}).",
            from.len(),
            to.len(),
            from.len(),
            to.len()
        )));
    }
    reassociation::verify(op, &groups, from, to, true)?;
    layout_follows(op, crate::layout::collapsed(source, &groups), "collapsed")
}

/// The layout of the result is the one that follows from the source.
fn layout_follows(op: OpRef<'_>, layout: Option<dl_ir::types::StridedLayout>, word: &str) -> Result<(), Diagnostic> {
    let (source, result) = (op.operand(0).ty(), op.result(0).ty());
    let Some(layout) = layout else {
        return Err(op.error("invalid source layout map or collapsing non-contiguous dims"));
    };
    let space = source.memory_space().map(|space| space.id());
    let shape = result.shape().unwrap_or(&[]);
    let element = source.element_or_self().id();
    let (expected, fits) = if source.has_identity_layout() {
        let expected = op.cx().memref_type_with(shape, element, None, space);
        (expected, result.id() == expected)
    } else {
        let expected = crate::layout::simplest(op.cx(), shape, element, &layout, space);
        (expected, result.strided_layout().is_some_and(|found| found == layout))
    };
    if fits {
        return Ok(());
    }
    Err(op.error(format_args!("expected {word} type to be '{}' but found '{result}'", op.cx().ty(expected))))
}

/// Memrefs, each followed by its indices, and counts at their places.
pub(crate) fn dma_start(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let given = op.num_operands();
    // Three memrefs and the number of elements, besides indices.
    let mut least = 4;
    let enough = |least: usize| {
        if given < least { Err(op.error(format_args!("expected at least {least} operands"))) } else { Ok(()) }
    };
    let indices = |at: std::ops::Range<usize>, what: &str| {
        let mut types = op.operands().iter().skip(at.start).take(at.len()).map(ValueRef::ty);
        if types.all(TypeRef::is_index) { Ok(()) } else { Err(op.error(format_args!("expected {what}"))) }
    };
    enough(least)?;
    let mut at = 0;
    for name in ["source", "destination", "tag"] {
        if name == "tag" {
            indices(at..at + 1, "num elements to be of index type")?;
            at += 1;
        }
        let ty = op.operand(at).ty();
        let Some(rank) = ty.rank().filter(|_| ty.is_ranked_memref()) else {
            return Err(op.error(format_args!("expected {name} to be of memref type")));
        };
        least += rank;
        enough(least)?;
        indices(at + 1..at + 1 + rank, &format!("{name} indices to be of index type"))?;
        at += 1 + rank;
    }
    match given - at {
        0 => Ok(()),
        2 => indices(at..given, "stride and num elements per stride to be of type index"),
        _ => Err(op.error("incorrect number of operands")),
    }
}

pub(crate) fn dma_wait(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (expected, given) = (op.operand(0).ty().rank().unwrap_or(0), op.operand_group(1).len());
    if expected == given {
        return Ok(());
    }
    Err(op.error(format_args!("expected tagIndices to have the same number of elements as the tagMemRef rank, expected {expected}, but got {given}")))
}

pub(crate) fn distinct_objects(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (operands, results) = (op.operands().types(), op.results().types());
    if operands.is_empty() {
        return Err(op.error("expected at least one operand"));
    }
    if operands == results { Ok(()) } else { Err(op.error("operand types and result types must match")) }
}

/// A power of two; that it is positive, the definition says.
pub(crate) fn assume_alignment(op: OpRef<'_>) -> Result<(), Diagnostic> {
    match op.attr("alignment").and_then(|attr| attr.as_int()) {
        Some(alignment) if alignment.count_ones() != 1 => Err(op.error("alignment must be power of 2")),
        _ => Ok(()),
    }
}
