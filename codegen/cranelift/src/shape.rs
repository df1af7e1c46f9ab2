//! How values are held in registers.
//!
//! Cranelift has scalars of 8 to 128 bits and vectors of 128 bits. What the `llvm` dialect has besides is held as several of these, its *parts*:
//!
//! * an integer of another width in the next wider register, the bits above it zero;
//! * `f16` and `bf16` as their bits, in 16-bit integers;
//! * a pointer as a 64-bit integer;
//! * a vector in as many 128-bit vectors as it fills ([`Form::Packed`]), the lanes behind its last one being anything; one of truth values as
//!   bytes that are all ones or zero ([`Form::Mask`]); one of elements that no vector register has, or on a machine without vectors, as a
//!   register for each lane ([`Form::Scattered`]). Scalable vectors have their least number of lanes: `vscale` is 1;
//! * a struct or an array as the parts of its members, one after another.

use std::rc::Rc;

use cranelift_codegen::ir::{Type, types};
use dl_ir::{FloatKind, TypeRef};
use dl_llvm::{layout, types as llvm};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// Most registers that one value may take.
const MOST_PARTS: usize = 1 << 12;
/// Bytes of a vector register.
pub(crate) const PIECE: usize = 16;

/// What one lane, or a scalar, is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    /// An integer of so many bits, or a pointer.
    Int(u32),
    /// `f16`.
    Half,
    /// `bf16`.
    Brain,
    /// `f32`.
    Single,
    /// `f64`.
    Double,
}

impl Lane {
    fn of(ty: TypeRef<'_>) -> Option<Self> {
        if llvm::is_ptr(ty) {
            return Some(Self::Int(64));
        }
        match (ty.int_width(), ty.float_kind()) {
            (Some(bits @ 1..=128), _) => Some(Self::Int(bits)),
            (_, Some(FloatKind::F16)) => Some(Self::Half),
            (_, Some(FloatKind::BF16)) => Some(Self::Brain),
            (_, Some(FloatKind::F32)) => Some(Self::Single),
            (_, Some(FloatKind::F64)) => Some(Self::Double),
            _ => None,
        }
    }

    /// Bits of the number.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Int(bits) => bits,
            Self::Half | Self::Brain => 16,
            Self::Single => 32,
            Self::Double => 64,
        }
    }

    /// The register that holds it.
    pub(crate) fn register(self) -> Type {
        match self {
            Self::Int(..=8) => types::I8,
            Self::Int(..=16) | Self::Half | Self::Brain => types::I16,
            Self::Int(..=32) => types::I32,
            Self::Int(..=64) => types::I64,
            Self::Int(_) => types::I128,
            Self::Single => types::F32,
            Self::Double => types::F64,
        }
    }

    /// Whether it fills its register.
    pub(crate) fn is_whole(self) -> bool {
        self.bits() == self.register().bits()
    }

    /// Bytes in memory.
    pub(crate) fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }
}

/// How the lanes of a vector are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// In vectors of this type.
    Packed(Type),
    /// Truth values, as bytes in vectors of 16.
    Mask,
    /// One by one.
    Scattered,
}

/// A vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Vector {
    pub(crate) lane: Lane,
    /// Number of lanes.
    pub(crate) count: usize,
    pub(crate) form: Form,
}

impl Vector {
    /// Lanes in one part.
    pub(crate) fn lanes_per_part(self) -> usize {
        match self.form {
            Form::Packed(ty) => ty.lane_count() as usize,
            Form::Mask => PIECE,
            Form::Scattered => 1,
        }
    }

    /// Number of parts.
    pub(crate) fn parts(self) -> usize {
        self.count.div_ceil(self.lanes_per_part())
    }

    /// The register of a part.
    pub(crate) fn register(self) -> Type {
        match self.form {
            Form::Packed(ty) => ty,
            Form::Mask => types::I8X16,
            Form::Scattered => self.lane.register(),
        }
    }
}

/// A member of a struct or an array.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) shape: Shape,
    /// Number of its first part.
    pub(crate) first: usize,
    /// Bytes before it in memory.
    pub(crate) offset: u64,
}

/// How values of a type are held.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Scalar(Lane),
    Vector(Vector),
    Aggregate(Rc<[Member]>),
}

impl Shape {
    /// Number of parts.
    pub(crate) fn parts(&self) -> usize {
        match self {
            Self::Scalar(_) => 1,
            Self::Vector(vector) => vector.parts(),
            Self::Aggregate(members) => members.last().map_or(0, |last| last.first + last.shape.parts()),
        }
    }

    /// The registers of the parts.
    pub(crate) fn registers(&self) -> SmallVec<[Type; 4]> {
        match self {
            Self::Scalar(lane) => smallvec![lane.register()],
            Self::Vector(vector) => SmallVec::from_elem(vector.register(), vector.parts()),
            Self::Aggregate(members) => members.iter().flat_map(|member| member.shape.registers()).collect(),
        }
    }

    /// The lane of a scalar or vector.
    pub(crate) fn lane(&self) -> Option<Lane> {
        match self {
            Self::Scalar(lane) => Some(*lane),
            Self::Vector(vector) => Some(vector.lane),
            Self::Aggregate(_) => None,
        }
    }

    pub(crate) fn vector(&self) -> Option<Vector> {
        match self {
            Self::Vector(vector) => Some(*vector),
            _ => None,
        }
    }
}

/// Shapes of types, each worked out once.
pub(crate) struct Shapes {
    known: FxHashMap<dl_ir::Type, Shape>,
    /// Whether the machine has vectors of 128 bits.
    has_vectors: bool,
}

impl Shapes {
    pub(crate) fn new(has_vectors: bool) -> Self {
        Self { known: FxHashMap::default(), has_vectors }
    }

    /// How values of this type are held.
    ///
    /// # Errors
    /// What is not supported about it.
    pub(crate) fn of(&mut self, ty: TypeRef<'_>) -> Result<Shape, String> {
        if let Some(shape) = self.known.get(&ty.id()) {
            return Ok(shape.clone());
        }
        let shape = self.make(ty)?;
        if shape.parts() > MOST_PARTS {
            return Err(format!("values of type '{ty}', which take more than {MOST_PARTS} registers"));
        }
        self.known.insert(ty.id(), shape.clone());
        Ok(shape)
    }

    /// A vector with `count` of these lanes.
    pub(crate) fn vector(&self, lane: Lane, count: usize) -> Vector {
        let element = lane.register();
        let form = match lane {
            _ if !self.has_vectors => Form::Scattered,
            Lane::Int(1) => Form::Mask,
            _ if !lane.is_whole() || element == types::I128 => Form::Scattered,
            _ => element.by(128 / element.bits()).map_or(Form::Scattered, Form::Packed),
        };
        Vector { lane, count, form }
    }

    fn make(&mut self, ty: TypeRef<'_>) -> Result<Shape, String> {
        let cx = ty.cx();
        let too_large = || format!("values of type '{ty}', which take more than {MOST_PARTS} registers");
        if let Some(lane) = Lane::of(ty) {
            return Ok(Shape::Scalar(lane));
        }
        if let Some(lane) = ty.element_type().filter(|_| ty.is_vector()).and_then(Lane::of) {
            let count = ty.num_elements().and_then(|count| usize::try_from(count).ok()).ok_or_else(too_large)?;
            return Ok(Shape::Vector(self.vector(lane, count)));
        }
        if let Some((element, count)) = llvm::array_parts(ty) {
            let element = cx.ty(element);
            let (shape, step) = (self.of(element)?, layout::size(element)?);
            let parts = shape.parts();
            let count = usize::try_from(count)
                .ok()
                .filter(|count| count.checked_mul(parts.max(1)).is_some_and(|all| all <= MOST_PARTS));
            let member = |at: usize| Member { shape: shape.clone(), first: at * parts, offset: at as u64 * step };
            return Ok(Shape::Aggregate((0..count.ok_or_else(too_large)?).map(member).collect()));
        }
        if let Some(types) = llvm::struct_members(ty) {
            let mut members = Vec::with_capacity(types.len());
            let mut first = 0;
            for at in 0..types.len() {
                let (member, offset) = layout::member(ty, at)?;
                let shape = self.of(cx.ty(member))?;
                let parts = shape.parts();
                members.push(Member { shape, first, offset });
                first += parts;
            }
            return Ok(Shape::Aggregate(members.into()));
        }
        Err(format!("values of type '{ty}'"))
    }
}
