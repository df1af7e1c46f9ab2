//! What a plain C function for a compiled program agrees on with its callers: numbers that its header has as well.

use crate::DType;

/// Most dimensions of a tensor that crosses the interface.
pub const MAX_RANK: usize = 8;

/// Why a call fails, in the lowest byte of what the function answers; the number of the input or output is in those above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Status {
    /// An input has elements of another type.
    DType = 1,
    /// An input has another number of dimensions.
    Rank = 2,
    /// An input has another extent where the program knows it, or a negative one.
    Shape = 3,
    /// An input has no elements to point to.
    Null = 4,
    /// The buffer for an output is too small.
    Capacity = 5,
    /// There is no memory.
    Memory = 6,
}

/// The number of an element type, that of `TensorProto.DataType` in ONNX.
pub const fn dtype_code(dtype: DType) -> u32 {
    match dtype {
        DType::F32 => 1,
        DType::U8 => 2,
        DType::I8 => 3,
        DType::U16 => 4,
        DType::I16 => 5,
        DType::I32 => 6,
        DType::I64 => 7,
        DType::Bool => 9,
        DType::F16 => 10,
        DType::F64 => 11,
        DType::U32 => 12,
        DType::U64 => 13,
        DType::BF16 => 16,
        DType::F8E4M3FN => 17,
        DType::F8E4M3FNUZ => 18,
        DType::F8E5M2 => 19,
        DType::F8E5M2FNUZ => 20,
    }
}
