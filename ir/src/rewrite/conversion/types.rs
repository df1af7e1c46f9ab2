//! Type conversion: from the types of one system to those of another, one to one or one to many.

use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::context::Context;
use crate::entity::ValueId;
use crate::location::Loc;
use crate::pieces::Pieces;
use crate::rewriter::Rewriter;
use crate::types::Type;
use crate::view::{OpRef, RegionRef};

/// The types that one type becomes.
pub type Types = SmallVec<[Type; 1]>;

type Rule = Box<dyn Fn(&TypeConverter, &Context, Type) -> Option<Types> + Send + Sync>;
type Source = Box<dyn Fn(&mut Rewriter<'_>, Type, &[ValueId], Loc) -> Option<ValueId> + Send + Sync>;
type Target = Box<dyn Fn(&mut Rewriter<'_>, &[Type], &[ValueId], Loc) -> Option<SmallVec<[ValueId; 1]>> + Send + Sync>;

/// Converts types by rules, and says how to get from values of the one system to values of the other.
///
/// Rules are tried most recent first; the first that answers counts. A type that no rule answers for cannot be converted, so
/// most converters start with [`keep_others`](Self::keep_others). Answers are cached: use a converter with one context only.
#[derive(Default)]
pub struct TypeConverter {
    rules: Vec<Rule>,
    sources: Vec<Source>,
    targets: Vec<Target>,
    refuses_casts: bool,
    /// What types become, by their numbers.
    cache: Pieces<OnceLock<Option<Types>>>,
}

impl TypeConverter {
    /// A converter without rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule that gives one type. It gets the converter itself, for the types nested in its own.
    pub fn rule(
        &mut self,
        rule: impl Fn(&TypeConverter, &Context, Type) -> Option<Type> + Send + Sync + 'static,
    ) -> &mut Self {
        self.rule_many(move |converter, cx, ty| rule(converter, cx, ty).map(|ty| smallvec::smallvec![ty]))
    }

    /// Adds a rule that gives any number of types.
    pub fn rule_many(
        &mut self,
        rule: impl Fn(&TypeConverter, &Context, Type) -> Option<Types> + Send + Sync + 'static,
    ) -> &mut Self {
        self.rules.push(Box::new(rule));
        self
    }

    /// Adds the rule that a type stays as it is: as the first rule, it answers for those that no other does.
    pub fn keep_others(&mut self) -> &mut Self {
        self.rule(|_, _, ty| Some(ty))
    }

    /// Says how to make a value of an original type from converted values: `(rewriter, original type, values, location)`.
    /// Where no such function answers, a `builtin.unrealized_conversion_cast` stays.
    pub fn source_materialization(
        &mut self,
        make: impl Fn(&mut Rewriter<'_>, Type, &[ValueId], Loc) -> Option<ValueId> + Send + Sync + 'static,
    ) -> &mut Self {
        self.sources.push(Box::new(make));
        self
    }

    /// Says how to make values of converted types from others: `(rewriter, converted types, values, location)`.
    /// Where no such function answers, a `builtin.unrealized_conversion_cast` stays.
    pub fn target_materialization(
        &mut self,
        make: impl Fn(&mut Rewriter<'_>, &[Type], &[ValueId], Loc) -> Option<SmallVec<[ValueId; 1]>> + Send + Sync + 'static,
    ) -> &mut Self {
        self.targets.push(Box::new(make));
        self
    }

    /// Makes a cast that stays where no such function answers an error: no other pass knows what the types have to do with each other.
    pub fn refuse_casts(&mut self) -> &mut Self {
        self.refuses_casts = true;
        self
    }

    /// See [`refuse_casts`](Self::refuse_casts).
    pub(super) fn refuses_casts(&self) -> bool {
        self.refuses_casts
    }

    /// What `ty` becomes; `None` when it cannot be converted.
    pub fn convert(&self, cx: &Context, ty: Type) -> Option<&[Type]> {
        let place = self.cache.get_or_default(ty.index());
        let known = place.get().unwrap_or_else(|| {
            // A rule may ask for other types, and for this one again, which `get_or_init` would wait for.
            let converted = self.rules.iter().rev().find_map(|rule| rule(self, cx, ty));
            place.get_or_init(|| converted)
        });
        known.as_deref()
    }

    /// The one type that `ty` becomes; `None` when it cannot be converted, or not to one type.
    pub fn convert_one(&self, cx: &Context, ty: Type) -> Option<Type> {
        match *self.convert(cx, ty)? {
            [one] => Some(one),
            _ => None,
        }
    }

    /// What all of `types` become, in order.
    pub fn convert_all(&self, cx: &Context, types: impl IntoIterator<Item = Type>) -> Option<SmallVec<[Type; 4]>> {
        let mut all = SmallVec::new();
        for ty in types {
            all.extend_from_slice(self.convert(cx, ty)?);
        }
        Some(all)
    }

    /// What each argument of a block or function with these argument types becomes.
    pub fn convert_signature(
        &self,
        cx: &Context,
        types: impl IntoIterator<Item = Type>,
    ) -> Option<SignatureConversion> {
        let inputs = types.into_iter().map(|ty| self.convert(cx, ty).map(Types::from)).collect::<Option<_>>()?;
        Some(SignatureConversion { inputs })
    }

    /// Whether `ty` stays as it is.
    pub fn is_legal(&self, cx: &Context, ty: Type) -> bool {
        self.convert(cx, ty).is_some_and(|types| types == [ty])
    }

    /// Whether all operand and result types of `op` stay as they are.
    pub fn is_legal_op(&self, op: OpRef<'_>) -> bool {
        let legal = |ty: crate::types::TypeRef<'_>| self.is_legal(op.cx(), ty.id());
        op.operands().iter().all(|v| legal(v.ty())) && op.results().iter().all(|v| legal(v.ty()))
    }

    /// Whether the types of all block arguments of `region` stay as they are.
    pub fn is_legal_region(&self, region: RegionRef<'_>) -> bool {
        region.blocks().all(|block| block.args().all(|arg| self.is_legal(block.cx(), arg.ty().id())))
    }

    pub(super) fn make_source(&self, rw: &mut Rewriter<'_>, ty: Type, values: &[ValueId], loc: Loc) -> Option<ValueId> {
        self.sources.iter().rev().find_map(|make| make(rw, ty, values, loc))
    }

    pub(super) fn make_target(
        &self,
        rw: &mut Rewriter<'_>,
        types: &[Type],
        values: &[ValueId],
        loc: Loc,
    ) -> Option<SmallVec<[ValueId; 1]>> {
        self.targets.iter().rev().find_map(|make| make(rw, types, values, loc))
    }
}

/// What each argument of a block becomes.
#[derive(Clone, Default, Debug)]
pub struct SignatureConversion {
    /// For each original argument the types of the arguments that stand for it, in order.
    pub inputs: SmallVec<[Types; 4]>,
}

impl SignatureConversion {
    /// The types of all new arguments, in order.
    pub fn types(&self) -> SmallVec<[Type; 4]> {
        self.inputs.iter().flatten().copied().collect()
    }
}
