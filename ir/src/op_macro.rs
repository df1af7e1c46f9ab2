//! The [`op!`](crate::op) macro: operation definitions and their typed views, one short item an operation.

/// Defines operations: for each a `static` [`OpDef`](crate::OpDef) and a `Copy` view with named accessors.
///
/// ```ignore
/// dl_ir::op! {
///     /// Loads one element of a memref.
///     LoadOp = "memref.load" {
///         operands: [memref: Single(ANY_MEMREF, READ), indices: Variadic(INDEX)],
///         attrs: [nontemporal "nontemporal": Default(BOOL_ATTR, "false")],
///         results: [result: Single(ANY_TYPE)],
///         traits: [TypesMatchWith("result type matches element type of 'memref'", "memref", "result", element_type)],
///         format: "$memref `[` $indices `]` attr-dict `:` type($memref)",
///     }
/// }
/// ```
///
/// * `operands`, `results`: `name: Single|Optional|Variadic(CONSTRAINT, EFFECT...)`, or `Groups("attr", CONSTRAINT)`.
/// * `attrs`: `accessor "nameInIr": Required|Optional(CONSTRAINT)`, or `Default|OptionalDefault(CONSTRAINT, "value")`.
/// * `regions`: `name: Any()|Exactly(n)|AtLeast(n)|AtMost(n)`, with `variadic` before the number for any number of them.
/// * `successors`: `name: Single()|Variadic()`.
/// * `traits`: the variants of [`Trait`](crate::opdef::Trait).
/// * `format`: the ODS assembly format, the word `custom`, or nothing for the generic form.
///
/// Every section may be left out; their order is fixed. Traits, formats and messages speak of names as they are in the IR. For an
/// operand, result, region or successor that is the name of the accessor, unless another follows it: `lower_bound "lowerBound": ...`.
#[macro_export]
macro_rules! op {
    ($(
        $(#[doc = $doc:literal])*
        $view:ident = $name:literal {
            $(operands: [$($operand:ident $($oname:literal)?: $oarity:ident($($oarg:tt)*)),* $(,)?],)?
            $(attrs: [$($attr:ident $aname:literal: $presence:ident($($aarg:tt)*)),* $(,)?],)?
            $(results: [$($result:ident $($rname:literal)?: $rarity:ident($($rarg:tt)*)),* $(,)?],)?
            $(regions: [$($region:ident $($bname:literal)?: $count:ident($($carg:tt)*)),* $(,)?],)?
            $(successors: [$($successor:ident $($sname:literal)?: $sarity:ident()),* $(,)?],)?
            $(traits: [$($trait:ident $(($($targ:tt)*))?),* $(,)?],)?
            $(format: $format:tt,)?
        }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy)]
        pub struct $view<'a>(pub $crate::OpRef<'a>);

        impl $crate::OpDefinition for $view<'_> {
            const NAME: &'static str = $name;
            const HASH: u64 = $crate::opdef::name_hash($name);
            const DEF: &'static $crate::OpDef = {
                use ::std::borrow::Cow::Borrowed;
                static DEF: $crate::OpDef = $crate::OpDef {
                    name: Borrowed($name),
                    summary: Borrowed(concat!($($doc, "\n"),*)),
                    operands: Borrowed(&[$($($crate::op!(@value ($operand $($oname)?) $oarity($($oarg)*))),*)?]),
                    results: Borrowed(&[$($($crate::op!(@value ($result $($rname)?) $rarity($($rarg)*))),*)?]),
                    attrs: Borrowed(&[$($($crate::op!(@attr $aname $presence($($aarg)*))),*)?]),
                    regions: Borrowed(&[$($($crate::op!(@region ($region $($bname)?) $count($($carg)*))),*)?]),
                    successors: Borrowed(&[$($($crate::op!(@successor ($successor $($sname)?) $sarity)),*)?]),
                    traits: Borrowed(&[$($($crate::op!(@trait $trait $(($($targ)*))?)),*)?]),
                    format: $crate::op!(@format $($format)?),
                };
                &DEF
            };
        }

        impl<'a> $crate::OpView<'a> for $view<'a> {
            fn wrap(op: $crate::OpRef<'a>) -> Self {
                Self(op)
            }
            fn op(self) -> $crate::OpRef<'a> {
                self.0
            }
        }

        const _: () = {
            #[allow(non_camel_case_types, dead_code, reason = "positions of the accessors below")]
            enum Operand { $($($operand),*)? }
            #[allow(non_camel_case_types, dead_code, reason = "positions of the accessors below")]
            enum Attr { $($($attr),*)? }
            #[allow(non_camel_case_types, dead_code, reason = "positions of the accessors below")]
            enum OpResult { $($($result),*)? }
            #[allow(non_camel_case_types, dead_code, reason = "positions of the accessors below")]
            enum Region { $($($region),*)? }
            #[allow(non_camel_case_types, dead_code, reason = "positions of the accessors below")]
            enum Successor { $($($successor),*)? }
            #[allow(dead_code, reason = "for operations with operands that are one value each")]
            const FIXED_OPERANDS: usize = $crate::opdef::leading(&[$($($crate::op!(@is_single $oarity)),*)?]);
            #[allow(dead_code, reason = "for operations with results that are one value each")]
            const FIXED_RESULTS: usize = $crate::opdef::leading(&[$($($crate::op!(@is_single $rarity)),*)?]);

            #[allow(dead_code, clippy::wrong_self_convention, clippy::should_implement_trait, reason = "named after the definition")]
            impl<'a> $view<'a> {
                $($($crate::op!(@operand $operand $oarity);)*)?
                $($($crate::op!(@attribute $attr $presence $aname);)*)?
                $($($crate::op!(@result $result $rarity);)*)?
                $($($crate::op!(@region_accessor $region $($carg)*);)*)?
                $($($crate::op!(@successor_accessor $successor $sarity);)*)?
            }
        };
    )*};

    // Data.
    (@name ($accessor:ident)) => { Borrowed(stringify!($accessor)) };
    (@name ($accessor:ident $name:literal)) => { Borrowed($name) };
    (@value $name:tt Groups($attr:literal, $constraint:path $(, $effect:ident)*)) => {
        $crate::op!(@value_def $name, $crate::opdef::Arity::Groups($attr), $constraint $(, $effect)*)
    };
    (@value $name:tt $arity:ident($constraint:path $(, $effect:ident)*)) => {
        $crate::op!(@value_def $name, $crate::opdef::Arity::$arity, $constraint $(, $effect)*)
    };
    (@value_def $name:tt, $arity:expr, $constraint:path $(, $effect:ident)*) => {
        $crate::opdef::ValueDef {
            name: $crate::op!(@name $name),
            arity: $arity,
            constraint: Borrowed(&$constraint),
            effects: $crate::opdef::Effects::NONE$(.union($crate::opdef::Effects::$effect))*,
        }
    };
    (@attr $name:literal $presence:ident($constraint:path $(, $default:literal)?)) => {
        $crate::opdef::AttrDef {
            name: Borrowed($name),
            constraint: Borrowed(&$constraint),
            presence: $crate::opdef::Presence::$presence $((Borrowed($default)))?,
        }
    };
    (@region $name:tt $count:ident(variadic $($n:literal)?)) => {
        $crate::op!(@region_def $name $count true $($n)?)
    };
    (@region $name:tt $count:ident($($n:literal)?)) => {
        $crate::op!(@region_def $name $count false $($n)?)
    };
    (@region_def $name:tt $count:ident $variadic:literal $($n:literal)?) => {
        $crate::opdef::RegionDef {
            name: $crate::op!(@name $name),
            blocks: $crate::opdef::BlockCount::$count $(($n))?,
            variadic: $variadic,
        }
    };
    (@successor $name:tt $arity:ident) => {
        $crate::opdef::SuccessorDef { name: $crate::op!(@name $name), variadic: $crate::op!(@is_variadic $arity) }
    };
    (@is_variadic Variadic) => { true };
    (@is_variadic Single) => { false };
    (@trait HasParent($($name:literal),*)) => {
        $crate::opdef::Trait::HasParent(Borrowed(&[$(Borrowed($name)),*]))
    };
    (@trait SingleBlockImplicitTerminator($name:literal)) => {
        $crate::opdef::Trait::SingleBlockImplicitTerminator(Borrowed($name))
    };
    (@trait MemoryEffects($($effect:ident),*)) => {
        $crate::opdef::Trait::MemoryEffects($crate::opdef::Effects::NONE$(.union($crate::opdef::Effects::$effect))*)
    };
    (@trait TypesMatchWith($($match:tt)*)) => { $crate::op!(@types_match TypesMatchWith $($match)*) };
    (@trait RangedTypesMatchWith($($match:tt)*)) => { $crate::op!(@types_match RangedTypesMatchWith $($match)*) };
    (@types_match $trait:ident $summary:literal, $from:literal, $to:literal, $transform:expr) => {
        $crate::opdef::Trait::$trait {
            summary: Borrowed($summary),
            from: Borrowed($from),
            to: Borrowed($to),
            transform: $transform,
        }
    };
    (@trait Predicate($summary:literal, $holds:expr)) => {
        $crate::opdef::Trait::Predicate { summary: Borrowed($summary), holds: $holds }
    };
    (@trait Interface($name:literal)) => { $crate::opdef::Trait::Interface(Borrowed($name)) };
    (@trait $matching:ident($($name:literal),*)) => {
        $crate::opdef::Trait::$matching(Borrowed(&[$(Borrowed($name)),*]))
    };
    (@trait $flag:ident) => { $crate::opdef::Trait::$flag };
    (@format) => { $crate::opdef::Format::Generic };
    (@format custom) => { $crate::opdef::Format::Custom };
    (@format $format:literal) => { $crate::opdef::Format::Declarative(Borrowed($format)) };

    (@is_single Single) => { true };
    (@is_single $many:ident) => { false };

    // Accessors. Where only single values come before, the place of a value is known here.
    (@operand $name:ident Single) => {
        #[doc = concat!("Operand `", stringify!($name), "`.")]
        #[inline]
        pub fn $name(self) -> $crate::ValueRef<'a> {
            const AT: usize = Operand::$name as usize;
            if AT < FIXED_OPERANDS { self.0.operand(AT) } else { self.0.operand_group(AT).single() }
        }
    };
    (@operand $name:ident Optional) => {
        #[doc = concat!("Operand `", stringify!($name), "`, if given.")]
        pub fn $name(self) -> Option<$crate::ValueRef<'a>> {
            self.0.operand_group(Operand::$name as usize).get(0)
        }
    };
    (@operand $name:ident $many:ident) => {
        #[doc = concat!("Operands `", stringify!($name), "`.")]
        pub fn $name(self) -> $crate::Operands<'a> {
            self.0.operand_group(Operand::$name as usize)
        }
    };
    (@result $name:ident Single) => {
        #[doc = concat!("Result `", stringify!($name), "`.")]
        #[inline]
        pub fn $name(self) -> $crate::ValueRef<'a> {
            const AT: usize = OpResult::$name as usize;
            if AT < FIXED_RESULTS { self.0.result(AT) } else { self.0.result_group(AT).single() }
        }
    };
    (@result $name:ident Optional) => {
        #[doc = concat!("Result `", stringify!($name), "`, if there.")]
        pub fn $name(self) -> Option<$crate::ValueRef<'a>> {
            self.0.result_group(OpResult::$name as usize).get(0)
        }
    };
    (@result $name:ident $many:ident) => {
        #[doc = concat!("Results `", stringify!($name), "`.")]
        pub fn $name(self) -> $crate::Results<'a> {
            self.0.result_group(OpResult::$name as usize)
        }
    };
    (@attribute $name:ident Optional $ir_name:literal) => {
        #[doc = concat!("Attribute `", $ir_name, "`, if given.")]
        pub fn $name(self) -> Option<$crate::AttrRef<'a>> {
            self.0.inherent(Attr::$name as usize)
        }
    };
    (@attribute $name:ident $present:ident $ir_name:literal) => {
        #[doc = concat!("Attribute `", $ir_name, "`.")]
        pub fn $name(self) -> $crate::AttrRef<'a> {
            self.0.inherent(Attr::$name as usize).expect(concat!("a verified operation has `", $ir_name, "`"))
        }
    };
    (@region_accessor $name:ident variadic $($n:literal)?) => {
        #[doc = concat!("Regions `", stringify!($name), "`, the last ones of the operation.")]
        pub fn $name(self) -> impl ExactSizeIterator<Item = $crate::RegionRef<'a>> {
            self.0.regions().skip(Region::$name as usize)
        }
    };
    (@region_accessor $name:ident $($n:literal)?) => {
        #[doc = concat!("Region `", stringify!($name), "`.")]
        pub fn $name(self) -> $crate::RegionRef<'a> {
            self.0.region(Region::$name as usize)
        }
    };
    (@successor_accessor $name:ident Single) => {
        #[doc = concat!("Successor `", stringify!($name), "`.")]
        pub fn $name(self) -> $crate::BlockRef<'a> {
            self.0.successor(Successor::$name as usize)
        }
    };
    (@successor_accessor $name:ident Variadic) => {
        #[doc = concat!("Successors `", stringify!($name), "`, the last ones of the operation.")]
        pub fn $name(self) -> impl ExactSizeIterator<Item = $crate::BlockRef<'a>> {
            self.0.successors().skip(Successor::$name as usize)
        }
    };
}
