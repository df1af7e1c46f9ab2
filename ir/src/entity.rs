//! Handles: every entity of the IR is a 32-bit id into the table that owns it.
//!
//! # Invariants
//! * [`OpId`], [`BlockId`], [`RegionId`] and [`ValueId`] are valid in one [`Arena`](crate::Arena) only.
//! * [`Ident`], [`Type`](crate::Type), [`Attr`](crate::Attr), [`OpName`] and the affine handles are valid in one
//!   [`Context`](crate::Context) only. They are interned: equal ids mean equal data, in that context.
//! * Ids are ordered by creation. Those of interned data are in any order, which depends on thread timing: never let it reach the output.

use std::num::NonZeroU32;

/// Defines a `Copy` id newtype over [`NonZeroU32`], so that `Option<Id>` stays four bytes.
macro_rules! define_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(::std::num::NonZeroU32);

        impl $name {
            /// The id of the entry at `index` of its table.
            ///
            /// # Panics
            /// When `index` is `u32::MAX`: the tables refuse to grow that far.
            #[inline]
            pub const fn from_index(index: usize) -> Self {
                assert!(index < u32::MAX as usize, "an entity table holds at most 2^32 - 2 entries");
                match ::std::num::NonZeroU32::new(index as u32 + 1) {
                    Some(raw) => Self(raw),
                    None => unreachable!(),
                }
            }

            /// The position of the entry in its table.
            #[inline]
            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.index())
            }
        }
    };
}
pub(crate) use define_id;

define_id! {
    /// An operation of an [`Arena`](crate::Arena).
    OpId
}
define_id! {
    /// A block of an [`Arena`](crate::Arena).
    BlockId
}
define_id! {
    /// A region of an [`Arena`](crate::Arena).
    RegionId
}
define_id! {
    /// An SSA value of an [`Arena`](crate::Arena): a result of an operation or an argument of a block.
    ValueId
}
define_id! {
    /// One operand position of one operation. An operand *is* the use-list node of the value it reads.
    UseId
}
define_id! {
    /// An interned string of a [`Context`](crate::Context).
    Ident
}
define_id! {
    /// The full name of a registered or unregistered operation, `dialect.op`, in a [`Context`](crate::Context).
    OpName
}

const _: () = assert!(size_of::<Option<NonZeroU32>>() == 4 && size_of::<Option<OpId>>() == 4);
