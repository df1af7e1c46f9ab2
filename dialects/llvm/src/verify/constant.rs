//! Verifier of `llvm.mlir.constant`: the value fits the type.

use dl_ir::{AttrData, AttrRef, Diagnostic, OpRef, OpView, TypeRef};

use crate::{ConstantOp, types};

type Verified = Result<(), Diagnostic>;

pub(crate) fn verify_constant(op: OpRef<'_>) -> Verified {
    let view = ConstantOp::wrap(op);
    let (value, ty) = (view.value(), view.res().ty());
    if let AttrData::String { value, .. } = value.data() {
        let len = value.len() as u64;
        let fits = types::array_parts(ty).is_some_and(|(e, n)| op.cx().ty(e).is_signless_integer_of(8) && n == len);
        let message = format_args!("expected array type of {len} i8 elements for the string constant");
        return if fits { Ok(()) } else { Err(op.error(message)) };
    }
    if ty.is_dialect_type("llvm.target") {
        return Err(op.error("does not support target extension type."));
    }
    if let Some(members) = types::struct_members(ty) {
        return verify_struct(op, value, &members);
    }
    if value.is_integer() {
        return if ty.is_signless_integer() { Ok(()) } else { Err(op.error("expected integer type")) };
    }
    if value.is_float() {
        return verify_float(op, value.ty(), ty);
    }
    if value.is_elements() {
        return verify_elements(op, value, ty);
    }
    if value.is_array() {
        return match types::array_parts(ty) {
            None => Err(op.error("expected array or struct type for array attribute")),
            Some(_) => verify_structs(op, value, ty),
        };
    }
    Err(op.error("only supports integer, float, string or elements attributes"))
}

/// One number of its member's type for each member of a struct.
fn verify_struct(op: OpRef<'_>, value: AttrRef<'_>, members: &[dl_ir::Type]) -> Verified {
    let cx = op.cx();
    let undefined = value.is_dialect_attr("llvm.zero") || value.is_dialect_attr("llvm.undef");
    if undefined || value.is_dialect_attr("llvm.poison") {
        return Ok(());
    }
    if !value.is_array() {
        return Err(op.error("expected array attribute for struct type"));
    }
    if value.elements().len() != members.len() {
        return Err(op.error(format_args!("expected array attribute of size {}", members.len())));
    }
    for (i, (element, &member)) in value.elements().zip(members).enumerate() {
        let member = cx.ty(member);
        if !types::is_float(member) && !member.is_signless_integer() {
            return Err(op.error("expected struct element types to be floating point type or integer type"));
        }
        if !element.is_integer() && !element.is_float() {
            return Err(op.error("expected element of array attribute to be floating point or integer"));
        }
        if element.ty() != Some(member) {
            return Err(op.error(format_args!("struct element at index {i} is of wrong type")));
        }
    }
    Ok(())
}

/// A float, or its bits as an integer of its width.
fn verify_float(op: OpRef<'_>, value: Option<TypeRef<'_>>, ty: TypeRef<'_>) -> Verified {
    let Some(kind) = value.and_then(TypeRef::float_kind) else { return Ok(()) };
    if types::is_float(ty) {
        let same = ty.float_kind().is_none_or(|own| own == kind);
        return if same { Ok(()) } else { Err(op.error("attribute and type have different float semantics")) };
    }
    if ty.is_signless_integer_of(kind.width()) {
        return Ok(());
    }
    Err(op.error(format_args!("expected integer type of width {}", kind.width())))
}

/// As many elements as the vector or nested arrays have, of a type that fits.
fn verify_elements(op: OpRef<'_>, value: AttrRef<'_>, ty: TypeRef<'_>) -> Verified {
    let cx = op.cx();
    let (mut element, mut count) = (ty, 1_u64);
    if ty.is_vector() {
        if ty.is_scalable_vector() && !value.is_splat() {
            return Err(op.error("scalable vector type requires a splat attribute"));
        }
        (element, count) = (ty.element_or_self(), ty.num_elements().unwrap_or(0));
    } else if types::is_array(ty) {
        while let Some((inner, n)) = types::array_parts(element) {
            (element, count) = (cx.ty(inner), count.saturating_mul(n));
        }
        if element.is_vector() {
            (element, count) = (element.element_or_self(), count.saturating_mul(element.num_elements().unwrap_or(0)));
        }
    } else {
        return Err(op.error("expected vector or array type"));
    }
    let given = value.ty().and_then(TypeRef::num_elements).unwrap_or(count);
    if given != count && !ty.is_scalable_vector() {
        return Err(
            op.error(format_args!("type and attribute have a different number of elements: {count} vs. {given}"))
        );
    }
    let of = value.ty().and_then(TypeRef::element_type);
    if of.is_some_and(|of| of.is_integer() || of.is_index()) && !element.is_signless_integer() {
        return Err(op.error("expected integer element type for integer elements attribute"));
    }
    if of.is_some_and(TypeRef::is_float) {
        return verify_float(op, of, element);
    }
    Ok(())
}

/// Nested arrays of structs, written as arrays as deep; `#llvm.zero` and `#llvm.undef` stand for any part.
fn verify_structs(op: OpRef<'_>, value: AttrRef<'_>, ty: TypeRef<'_>) -> Verified {
    let cx = op.cx();
    let (mut level, mut element, mut dimension) = (vec![value], ty, 0);
    let nested = |part: AttrRef<'_>, what: &str, at: usize| {
        if part.is_array() {
            return Ok(true);
        }
        if part.is_dialect_attr("llvm.zero") || part.is_dialect_attr("llvm.undef") {
            return Ok(false);
        }
        Err(op.error(format_args!(
            "nested attribute for {what} at index {at} must be a zero, or undef, or array attribute"
        )))
    };
    while let Some((inner, len)) = types::array_parts(element) {
        let mut parts = Vec::new();
        // What is no array is said of the dimension around it, what has another length of its own.
        let around = format!("sub-array in dimension {}", i32::max(dimension - 1, 0));
        for (at, part) in level.into_iter().enumerate() {
            if !nested(part, &around, at)? {
                continue;
            }
            if part.elements().len() as u64 != len {
                return Err(op.error(format_args!(
                    "array attribute size does not match array type size in dimension {dimension}: {} vs. {len}",
                    part.elements().len()
                )));
            }
            parts.extend(part.elements());
        }
        (level, element, dimension) = (parts, cx.ty(inner), dimension + 1);
    }
    let Some(members) = types::struct_members(element) else {
        return Err(op.error("for array with an array attribute must have a struct element type"));
    };
    for (at, part) in level.into_iter().enumerate() {
        if nested(part, "struct element", at)? && part.elements().len() != members.len() {
            return Err(op.error(format_args!(
                "nested array attribute size for struct element at index {at} must match struct size: {} vs. {}",
                part.elements().len(),
                members.len()
            )));
        }
    }
    Ok(())
}
