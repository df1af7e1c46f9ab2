//! The [`enum_attr!`](crate::enum_attr) macro: enumerations as data and as Rust types.

/// Defines enumerations and bit sets: for each a `static` [`EnumDef`](crate::opdef::EnumDef) and a Rust type.
///
/// ```ignore
/// dl_ir::enum_attr! {
///     /// Comparisons of integers.
///     enum CmpIPredicate: CMP_I_PREDICATE, Integer(64) {
///         Eq = 0 "eq",
///         Ne = 1 "ne",
///     }
///
///     /// What a float operation may assume.
///     bits FastMathFlags: FAST_MATH_FLAGS, Dialect("arith.fastmath"), "," {
///         NONE = 0 "none",
///         NNAN = 2 "nnan",
///     }
/// }
/// ```
///
/// After the name of the constant stands the [storage](crate::opdef::EnumStorage); for a bit set, then what separates its
/// keywords. A case has a name, a value and a keyword.
#[macro_export]
macro_rules! enum_attr {
    () => {};
    (
        $(#[doc = $doc:literal])*
        enum $name:ident: $constant:ident, $storage:ident($width:literal) {
            $($case:ident = $value:literal $keyword:literal,)*
        }
        $($rest:tt)*
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u64)]
        pub enum $name {
            $(#[doc = concat!("`", $keyword, "`.")] $case = $value,)*
        }

        impl $name {
            /// The definition.
            pub const fn def() -> &'static $crate::opdef::EnumDef {
                &$constant
            }

            /// The case of this value.
            pub const fn from_value(value: u64) -> Option<Self> {
                match value {
                    $($value => Some(Self::$case),)*
                    _ => None,
                }
            }

            /// The value of the case.
            pub const fn value(self) -> u64 {
                self as u64
            }

            /// The case that `attr` holds.
            pub fn from_attr(attr: $crate::AttrRef<'_>) -> Option<Self> {
                Self::from_value(attr.enum_value()?)
            }

            /// The attribute that stores the case.
            pub fn attr(self, cx: &$crate::Context) -> $crate::Attr {
                $constant.attr(cx, self.value())
            }

            /// The keyword of the case.
            pub const fn keyword(self) -> &'static str {
                match self {
                    $(Self::$case => $keyword,)*
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.keyword())
            }
        }

        $crate::enum_attr!(@def $(#[doc = $doc])* $name $constant $storage($width) None $($value $keyword,)*);
        $crate::enum_attr!($($rest)*);
    };
    (
        $(#[doc = $doc:literal])*
        bits $name:ident: $constant:ident, $storage:ident($width:literal), $separator:literal {
            $($case:ident = $value:literal $keyword:literal,)*
        }
        $($rest:tt)*
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u64);

        impl $name {
            $(
                #[doc = concat!("`", $keyword, "`.")]
                pub const $case: Self = Self($value);
            )*

            /// The definition.
            pub const fn def() -> &'static $crate::opdef::EnumDef {
                &$constant
            }

            /// The set that `attr` holds.
            pub fn from_attr(attr: $crate::AttrRef<'_>) -> Option<Self> {
                attr.enum_value().map(Self)
            }

            /// The attribute that stores the set.
            pub fn attr(self, cx: &$crate::Context) -> $crate::Attr {
                $constant.attr(cx, self.0)
            }

            /// Whether every bit of `other` is set.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// The bits of both.
            #[must_use]
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// The bits that both have.
            #[must_use]
            pub const fn intersection(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// Whether no bit is set.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }
        }

        $crate::enum_attr!(@def $(#[doc = $doc])* $name $constant $storage($width) Some($separator) $($value $keyword,)*);
        $crate::enum_attr!($($rest)*);
    };
    (
        @def $(#[doc = $doc:literal])* $name:ident $constant:ident $storage:ident($width:literal) $separator:ident$(($text:literal))?
        $($value:literal $keyword:literal,)*
    ) => {
        $(#[doc = $doc])*
        pub static $constant: $crate::opdef::EnumDef = $crate::opdef::EnumDef {
            name: stringify!($name),
            summary: concat!($($doc),*),
            storage: $crate::opdef::EnumStorage::$storage($width),
            cases: &[$(($keyword, $value)),*],
            separator: $separator $(($text))?,
        };
    };
}
