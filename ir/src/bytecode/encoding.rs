//! Numbers that the format fixes: versions, sections, masks, and the codes of what the `builtin` dialect encodes by itself.

/// What a bytecode file begins with.
pub(super) const MAGIC: [u8; 4] = *b"ML\xefR";

/// The newest version of the format, that of LLVM 22.
pub const VERSION: u32 = 6;

/// Versions of the format, by what each brought.
pub(super) mod version {
    /// Dialects may have versions.
    pub(crate) const DIALECT_VERSIONS: u32 = 1;
    /// Isolated regions are sections of their own.
    pub(crate) const LAZY_LOADING: u32 = 2;
    /// Orders of use lists.
    pub(crate) const USE_LIST_ORDERS: u32 = 3;
    /// Block arguments without a location leave it out; the number of operation names is given.
    pub(crate) const ELIDED_ARGUMENT_LOCATIONS: u32 = 4;
    /// Properties are apart from attributes.
    pub(crate) const PROPERTIES: u32 = 5;
    /// Segment sizes are properties, not attributes.
    pub(crate) const SEGMENT_SIZES: u32 = 6;
}

/// What fills the space before what is aligned.
pub(super) const PADDING: u8 = 0xcb;

/// The flag in the code of a section that says that an alignment follows its length.
pub(super) const ALIGNED: u8 = 0x80;

/// The kinds of sections. The order is that of their codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    String,
    Dialect,
    AttrType,
    AttrTypeOffset,
    Ir,
    Resource,
    ResourceOffset,
    DialectVersions,
    Properties,
}

impl Section {
    pub(super) const ALL: [Self; 9] = [
        Self::String,
        Self::Dialect,
        Self::AttrType,
        Self::AttrTypeOffset,
        Self::Ir,
        Self::Resource,
        Self::ResourceOffset,
        Self::DialectVersions,
        Self::Properties,
    ];

    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Name and code, for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::String => "String (0)",
            Self::Dialect => "Dialect (1)",
            Self::AttrType => "AttrType (2)",
            Self::AttrTypeOffset => "AttrTypeOffset (3)",
            Self::Ir => "IR (4)",
            Self::Resource => "Resource (5)",
            Self::ResourceOffset => "ResourceOffset (6)",
            Self::DialectVersions => "DialectVersions (7)",
            Self::Properties => "Properties (8)",
        }
    }

    /// Whether a file of this version has to have it.
    pub(super) fn is_required(self, version: u32) -> bool {
        match self {
            Self::String | Self::Dialect | Self::AttrType | Self::AttrTypeOffset | Self::Ir => true,
            Self::Resource | Self::ResourceOffset | Self::DialectVersions => false,
            Self::Properties => version >= version::PROPERTIES,
        }
    }
}

/// Which parts of an operation are there.
pub(super) mod mask {
    pub(crate) const ATTRS: u8 = 0x01;
    pub(crate) const RESULTS: u8 = 0x02;
    pub(crate) const OPERANDS: u8 = 0x04;
    pub(crate) const SUCCESSORS: u8 = 0x08;
    pub(crate) const REGIONS: u8 = 0x10;
    pub(crate) const USE_LIST_ORDERS: u8 = 0x20;
    pub(crate) const PROPERTIES: u8 = 0x40;
}

/// Attributes of the `builtin` dialect.
pub(super) mod attr_code {
    pub(crate) const ARRAY: u64 = 0;
    pub(crate) const DICTIONARY: u64 = 1;
    pub(crate) const STRING: u64 = 2;
    pub(crate) const STRING_WITH_TYPE: u64 = 3;
    pub(crate) const FLAT_SYMBOL_REF: u64 = 4;
    pub(crate) const SYMBOL_REF: u64 = 5;
    pub(crate) const TYPE: u64 = 6;
    pub(crate) const UNIT: u64 = 7;
    pub(crate) const INTEGER: u64 = 8;
    pub(crate) const FLOAT: u64 = 9;
    pub(crate) const CALL_SITE_LOC: u64 = 10;
    pub(crate) const FILE_LINE_COL_LOC: u64 = 11;
    pub(crate) const FUSED_LOC: u64 = 12;
    pub(crate) const FUSED_LOC_WITH_METADATA: u64 = 13;
    pub(crate) const NAME_LOC: u64 = 14;
    pub(crate) const UNKNOWN_LOC: u64 = 15;
    pub(crate) const DENSE_RESOURCE: u64 = 16;
    pub(crate) const DENSE_ARRAY: u64 = 17;
    pub(crate) const DENSE_ELEMENTS: u64 = 18;
    pub(crate) const DENSE_STRINGS: u64 = 19;
    pub(crate) const SPARSE_ELEMENTS: u64 = 20;
    pub(crate) const DISTINCT: u64 = 21;
    pub(crate) const FILE_LINE_COL_RANGE: u64 = 22;
}

/// Types of the `builtin` dialect.
pub(super) mod type_code {
    pub(crate) const INTEGER: u64 = 0;
    pub(crate) const INDEX: u64 = 1;
    pub(crate) const FUNCTION: u64 = 2;
    pub(crate) const BF16: u64 = 3;
    pub(crate) const F16: u64 = 4;
    pub(crate) const F32: u64 = 5;
    pub(crate) const F64: u64 = 6;
    pub(crate) const F80: u64 = 7;
    pub(crate) const F128: u64 = 8;
    pub(crate) const COMPLEX: u64 = 9;
    pub(crate) const MEMREF: u64 = 10;
    pub(crate) const MEMREF_WITH_SPACE: u64 = 11;
    pub(crate) const NONE: u64 = 12;
    pub(crate) const RANKED_TENSOR: u64 = 13;
    pub(crate) const RANKED_TENSOR_WITH_ENCODING: u64 = 14;
    pub(crate) const TUPLE: u64 = 15;
    pub(crate) const UNRANKED_MEMREF: u64 = 16;
    pub(crate) const UNRANKED_MEMREF_WITH_SPACE: u64 = 17;
    pub(crate) const UNRANKED_TENSOR: u64 = 18;
    pub(crate) const VECTOR: u64 = 19;
    pub(crate) const VECTOR_WITH_SCALABLE_DIMS: u64 = 20;
}

/// Kinds of resources.
pub(super) mod resource_kind {
    pub(crate) const BLOB: u8 = 0;
    pub(crate) const BOOL: u8 = 1;
    pub(crate) const STRING: u8 = 2;
}

/// Zigzag: small for numbers near zero.
pub(super) const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The number that [`zigzag`] wrote.
pub(super) const fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_in_the_order_of_their_codes() {
        for (code, section) in Section::ALL.into_iter().enumerate() {
            assert!(section.name().ends_with(&format!("({code})")));
            assert_eq!(section as usize, code);
        }
        assert_eq!(Section::from_code(9), None);
    }

    #[test]
    fn zigzag_of_small_and_extreme_numbers() {
        for (value, coded) in [(0, 0), (-1, 1), (1, 2), (-2, 3), (i64::MAX, u64::MAX - 1), (i64::MIN, u64::MAX)] {
            assert_eq!((zigzag(value), unzigzag(coded)), (coded, value));
        }
    }
}
