//! How functions take arguments and return results.
//!
//! An argument is passed as its parts, one after another, as LLVM does it; the members of a descriptor each in a register of their own. A result
//! that does not fit two integer and two floating-point registers is written to memory that the caller provides, as C does it.

use cranelift_codegen::ir::{AbiParam, ArgumentPurpose, Signature, Type, types};
use cranelift_codegen::isa::CallConv;
use dl_ir::{OpRef, TypeRef};
use dl_llvm::{layout, types as llvm};

use crate::function::{INVALID, Outcome};
use crate::shape::{Form, Shape, Shapes};

/// Registers of each kind that results may take.
const RESULT_REGISTERS: u32 = 2;

/// What a function takes and returns.
#[derive(Clone, Debug)]
pub(crate) struct Abi {
    pub(crate) signature: Signature,
    /// Whether the first parameter is where the result goes.
    pub(crate) is_indirect: bool,
    /// How the result is held, and its size in memory; none for a function without one.
    pub(crate) result: Option<(Shape, u64)>,
}

/// Of a function of this type. `is_local` where only functions of this module call it, which agree on anything.
pub(crate) fn of(ty: TypeRef<'_>, is_local: bool, conv: CallConv, shapes: &mut Shapes) -> Outcome<Abi> {
    let cx = ty.cx();
    let (result, params, variadic) = llvm::func_parts(ty).ok_or(INVALID)?;
    if variadic {
        return Err("functions of any number of arguments".to_owned());
    }
    let mut signature = Signature::new(conv);
    let (mut is_indirect, mut described) = (false, None);
    let result = cx.ty(result);
    if !llvm::is_void(result) {
        let shape = shapes.of(result)?;
        check(result, &shape, is_local)?;
        let registers = shape.registers();
        is_indirect = !fits_registers(&registers);
        if is_indirect {
            signature.params.push(AbiParam::special(types::I64, ArgumentPurpose::StructReturn));
        } else {
            signature.returns.extend(registers.iter().map(|&ty| param(ty)));
        }
        described = Some((shape, layout::size(result)?));
    }
    for param in params {
        let shape = shapes.of(cx.ty(param))?;
        check(cx.ty(param), &shape, is_local)?;
        signature.params.extend(shape.registers().iter().map(|&ty| self::param(ty)));
    }
    Ok(Abi { signature, is_indirect, result: described })
}

/// The type of an `llvm.func`.
pub(crate) fn function_type(op: OpRef<'_>) -> Outcome<TypeRef<'_>> {
    let ty = op.attr("function_type").and_then(|ty| ty.as_type());
    ty.ok_or_else(|| INVALID.to_owned())
}

/// Small integers are passed as 32 bits, those above their own being zero.
fn param(ty: Type) -> AbiParam {
    if ty.is_int() && ty.bits() < 32 { AbiParam::new(ty).uext() } else { AbiParam::new(ty) }
}

fn fits_registers(registers: &[Type]) -> bool {
    let words = |ty: &Type| if ty.is_int() { ty.bits().div_ceil(64) } else { 0 };
    let ints: u32 = registers.iter().map(words).sum();
    let others = registers.iter().filter(|ty| !ty.is_int()).count();
    ints <= RESULT_REGISTERS && others <= RESULT_REGISTERS as usize
}

/// Vectors that are held in parts are passed otherwise by everyone else.
fn check(ty: TypeRef<'_>, shape: &Shape, is_local: bool) -> Outcome<()> {
    let is_plain = |shape: &Shape| match shape {
        Shape::Scalar(_) => true,
        Shape::Vector(vector) => matches!(vector.form, Form::Packed(_)) && vector.count == vector.lanes_per_part(),
        Shape::Aggregate(_) => false,
    };
    let all_plain = match shape {
        Shape::Aggregate(members) => members.iter().all(|member| !matches!(member.shape, Shape::Vector(_))),
        shape => is_plain(shape),
    };
    if is_local || all_plain { Ok(()) } else { Err(format!("'{ty}' as an argument or result of an external function")) }
}
