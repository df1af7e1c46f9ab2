//! What a type must satisfy to be made: for readers that take its parts from a file.

use super::{Type, TypeData};
use crate::attributes::{Attr, AttrData};
use crate::context::Context;
use crate::dialect::DialectInfo;
use crate::entity::Ident;

impl Context {
    /// Whether the parts of a type fit together.
    ///
    /// # Errors
    /// What is wrong, in the words of the parser of the text form.
    pub fn check_type(&self, data: &TypeData) -> Result<(), String> {
        let fits = |holds: bool, message: &str| if holds { Ok(()) } else { Err(message.to_owned()) };
        match data {
            TypeData::Complex(element) => {
                let element = self.ty(*element);
                fits(element.is_integer() || element.is_float(), "invalid element type for complex")
            }
            TypeData::Vector { shape, element, .. } => {
                if shape.iter().any(|&extent| extent <= 0) {
                    let list: Vec<String> = shape.iter().map(i64::to_string).collect();
                    let list = list.join(", ");
                    return Err(format!("vector types must have positive constant sizes but got {list}"));
                }
                fits(
                    self.is_vector_element(*element),
                    "failed to verify 'elementType': VectorElementTypeInterface instance",
                )
            }
            TypeData::RankedTensor { element, .. } | TypeData::UnrankedTensor { element } => {
                fits(self.is_tensor_element(*element), "invalid tensor element type")
            }
            TypeData::MemRef { shape, element, layout, space } => {
                fits(self.is_memref_element(*element), "invalid memref element type")?;
                fits(space.is_none_or(|space| self.is_memory_space(space)), "unsupported memory space Attribute")?;
                layout.map_or(Ok(()), |layout| self.check_layout(layout, shape.len()))
            }
            TypeData::UnrankedMemRef { element, space } => {
                fits(self.is_memref_element(*element), "invalid memref element type")?;
                fits(space.is_none_or(|space| self.is_memory_space(space)), "unsupported memory space Attribute")
            }
            _ => Ok(()),
        }
    }

    /// Whether `layout` may be the layout of a memref of `rank` dimensions.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn check_layout(&self, layout: Attr, rank: usize) -> Result<(), String> {
        match self.attr_data(layout) {
            AttrData::AffineMap(map) => {
                let dims = self.affine().map(*map).num_dims as usize;
                if dims == rank {
                    return Ok(());
                }
                Err(format!("memref layout mismatch between rank and affine map: {rank} != {dims}"))
            }
            AttrData::Strided(layout) if layout.strides.len() != rank => {
                Err("expected the number of strides to match the rank".to_owned())
            }
            AttrData::Strided { .. } => Ok(()),
            _ => Err(format!("expected a memref layout, but got: {}", self.attr(layout))),
        }
    }

    /// Whether `attr` may be the memory space of a memref. What a dialect that is not registered would say of its attributes is not known: they are let through.
    pub(crate) fn is_memory_space(&self, attr: Attr) -> bool {
        matches!(
            self.attr_data(attr),
            AttrData::Integer { .. }
                | AttrData::String { .. }
                | AttrData::Dictionary(_)
                | AttrData::Opaque { .. }
                | AttrData::Dialect { .. }
        )
    }

    /// Whether `ty` may be the element type of a tensor.
    pub(crate) fn is_tensor_element(&self, ty: Type) -> bool {
        matches!(
            self.type_data(ty),
            TypeData::Integer { .. }
                | TypeData::Index
                | TypeData::Float(_)
                | TypeData::Complex(_)
                | TypeData::Vector { .. }
                | TypeData::Opaque { .. }
                | TypeData::Dialect { .. }
        )
    }

    /// Whether `ty` may be the element type of a memref. As of memory spaces, types of dialects that are not registered are let through.
    pub(crate) fn is_memref_element(&self, ty: Type) -> bool {
        match self.type_data(ty) {
            TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. } => true,
            TypeData::Dialect { name, .. } => self.dialect_lists(*name, |dialect| dialect.memref_elements),
            _ => self.is_tensor_element(ty),
        }
    }

    /// Whether `ty` may be the element type of a vector. Types of dialects that are not registered are let through here too.
    pub(crate) fn is_vector_element(&self, ty: Type) -> bool {
        match self.type_data(ty) {
            TypeData::Integer { .. } | TypeData::Index | TypeData::Float(_) | TypeData::Opaque { .. } => true,
            TypeData::Dialect { name, .. } => self.dialect_lists(*name, |dialect| dialect.vector_elements),
            _ => false,
        }
    }

    /// Whether the dialect of the type `name` has it in a list of names.
    fn dialect_lists(&self, name: Ident, list: impl Fn(&DialectInfo) -> &'static [&'static str]) -> bool {
        let name = self.str(name);
        let dialect = name.split_once('.').and_then(|(dialect, _)| self.dialect(dialect));
        dialect.is_some_and(|dialect| list(dialect).contains(&name))
    }
}
