//! Constructors of types, on the context.

use super::{FloatKind, Signedness, Type, TypeData};
use crate::attributes::Attr;
use crate::context::Context;

impl Context {
    /// The type `index`.
    pub fn index_type(&self) -> Type {
        self.common().index
    }

    /// The type `none`.
    pub fn none_type(&self) -> Type {
        self.common().none
    }

    /// The signless integer type of `width` bits.
    pub fn int_type(&self, width: u32) -> Type {
        match width {
            1 => self.common().i1,
            32 => self.common().i32,
            64 => self.common().i64,
            _ => self.intern_type(TypeData::Integer { width, signedness: Signedness::Signless }),
        }
    }

    /// The type `i1`.
    pub fn i1_type(&self) -> Type {
        self.common().i1
    }

    /// The type `i32`.
    pub fn i32_type(&self) -> Type {
        self.common().i32
    }

    /// The type `i64`.
    pub fn i64_type(&self) -> Type {
        self.common().i64
    }

    /// The type of the numbers of this format.
    pub fn float_type(&self, kind: FloatKind) -> Type {
        match kind {
            FloatKind::F32 => self.common().f32,
            _ => self.intern_type(TypeData::Float(kind)),
        }
    }

    /// The type `f32`.
    pub fn f32_type(&self) -> Type {
        self.common().f32
    }

    /// The type `(inputs) -> results`.
    pub fn function_type(&self, inputs: &[Type], results: &[Type]) -> Type {
        self.intern_type(TypeData::Function { inputs: inputs.into(), results: results.into() })
    }

    /// `tensor<shape x element>`, without encoding.
    pub fn tensor_type(&self, shape: &[i64], element: Type) -> Type {
        self.intern_type(TypeData::RankedTensor { shape: shape.into(), element, encoding: None })
    }

    /// `memref<shape x element>` with the identity layout, in the default memory space.
    pub fn memref_type(&self, shape: &[i64], element: Type) -> Type {
        self.memref_type_with(shape, element, None, None)
    }

    /// `memref<shape x element, layout, space>`. An identity map as layout is the same as none.
    pub fn memref_type_with(&self, shape: &[i64], element: Type, layout: Option<Attr>, space: Option<Attr>) -> Type {
        let layout = layout.filter(|&layout| !self.attr(layout).is_identity_layout(shape.len()));
        self.intern_type(TypeData::MemRef { shape: shape.into(), element, layout, space })
    }

    /// `vector<shape x element>`, no dimension scalable.
    pub fn vector_type(&self, shape: &[i64], element: Type) -> Type {
        self.intern_type(TypeData::Vector { shape: shape.into(), scalable: Box::default(), element })
    }

    /// The type `!dialect.mnemonic<params>` of a registered dialect; `name` is `dialect.mnemonic`.
    pub fn dialect_type(&self, name: &str, params: &[Attr]) -> Type {
        self.intern_type(TypeData::Dialect { name: self.ident(name), params: params.into() })
    }
}
