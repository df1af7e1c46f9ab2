//! The types of the dialect, which ODS does not define.
//!
//! `!gpu.mma_matrix<16x8xf16, "AOp">` has a shape (an `array<i64>`), an element type and the name of the operand of a matrix
//! product that it is for. The others have no parameters.

use dl_ir::typedef::TypeDefinition;
use dl_ir::{AttrRef, Context, FloatKind, Type, TypeRef};

/// What an asynchronous operation gives, for others to wait for.
pub static ASYNC_TOKEN_DEF: TypeDefinition =
    TypeDefinition::plain("gpu.async.token", "What an asynchronous operation gives, for others to wait for.");
/// A matrix that the threads of a subgroup hold together.
pub static MMA_MATRIX_DEF: TypeDefinition =
    TypeDefinition::custom("gpu.mma_matrix", "A matrix that the threads of a subgroup hold together.", &[]);
/// A handle on a dense tensor.
pub static DN_TENSOR_DEF: TypeDefinition =
    TypeDefinition::plain("gpu.sparse.dntensor_handle", "A handle on a dense tensor.");
/// A handle on a product of sparse matrices.
pub static SPGEMM_OP_DEF: TypeDefinition =
    TypeDefinition::plain("gpu.sparse.spgemmop_handle", "A handle on a product of sparse matrices.");
/// A handle on a sparse matrix.
pub static SPMAT_DEF: TypeDefinition = TypeDefinition::plain("gpu.sparse.spmat_handle", "A handle on a sparse matrix.");

/// The types of the dialect.
pub static TYPES: &[&TypeDefinition] = &[&ASYNC_TOKEN_DEF, &MMA_MATRIX_DEF, &DN_TENSOR_DEF, &SPGEMM_OP_DEF, &SPMAT_DEF];

/// `!gpu.async.token`.
pub fn async_token(cx: &Context) -> Type {
    cx.dialect_type(&ASYNC_TOKEN_DEF.name, &[])
}

/// `!gpu.mma_matrix`.
pub fn matrix(cx: &Context, shape: &[i64], element: Type, operand: &str) -> Type {
    let params = [cx.dense_i64_array(shape), cx.type_attr(element), cx.string_attr(operand)];
    cx.dialect_type(&MMA_MATRIX_DEF.name, &params)
}

fn matrix_param(ty: TypeRef<'_>, at: usize) -> Option<AttrRef<'_>> {
    ty.params().get(at).filter(|_| ty.is_dialect_type(&MMA_MATRIX_DEF.name)).map(|&param| ty.cx().attr(param))
}

/// Rows and columns of a matrix.
pub fn matrix_shape(ty: TypeRef<'_>) -> Vec<i64> {
    matrix_param(ty, 0).into_iter().flat_map(AttrRef::dense_ints).collect()
}

/// The element type of a matrix.
pub fn matrix_element(ty: TypeRef<'_>) -> Option<TypeRef<'_>> {
    matrix_param(ty, 1)?.as_type()
}

/// Which operand of a product a matrix is for: `AOp`, `BOp` or `COp`.
pub fn matrix_operand(ty: TypeRef<'_>) -> Option<&str> {
    matrix_param(ty, 2)?.as_str()
}

/// The element type of a matrix, for what follows from it.
pub(crate) fn element_of_matrix(ty: TypeRef<'_>) -> Option<Type> {
    matrix_element(ty).map(TypeRef::id)
}

/// Whether matrices may have elements of the type.
pub(crate) fn is_matrix_element(ty: TypeRef<'_>) -> bool {
    let float = matches!(ty.float_kind(), Some(FloatKind::F16 | FloatKind::F32 | FloatKind::F64));
    let byte = (ty.is_signed_integer() || ty.is_unsigned_integer()) && ty.int_width() == Some(8);
    float || byte || ty.is_signless_integer_of(32)
}
