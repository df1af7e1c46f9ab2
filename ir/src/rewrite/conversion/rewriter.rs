//! What conversion patterns rewrite through: a [`Rewriter`] that lets values change their types.

use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::casts::{Cast, CastKind, Casts};
use super::driver::History;
use super::pattern::Converter;
use super::types::{SignatureConversion, TypeConverter};
use crate::attributes::Attr;
use crate::builtin::UnrealizedConversionCastOp;
use crate::diagnostics::Diagnostic;
use crate::entity::{BlockId, OpId, RegionId, ValueId};
use crate::location::Loc;
use crate::opdef::Trait;
use crate::rewrite::pattern::NoMatch;
use crate::rewriter::{OpState, Rewriter};
use crate::symbol::SymbolSnapshot;
use crate::types::Type;
use crate::view::OpRef;

/// Says what is wrong with the symbol that is there already.
type CheckSymbol = Box<dyn FnOnce(OpRef<'_>) -> Result<(), Diagnostic> + Send>;
/// Makes a symbol in the body of a symbol table, at the insertion point of the rewriter.
type MakeSymbol = Box<dyn FnOnce(&mut Rewriter<'_>) + Send>;

/// A symbol that patterns need in the symbol table around.
pub(super) struct SymbolRequest {
    pub(super) name: String,
    pub(super) check: CheckSymbol,
    pub(super) make: MakeSymbol,
}

/// What a conversion keeps about one arena while it is under way.
#[derive(Default)]
pub(super) struct State {
    pub(super) casts: Casts,
    /// Constant values of casts that stand in for constants.
    pub(super) constants: FxHashMap<ValueId, Attr>,
    /// What patterns began inside nested isolated operations, by stub.
    pub(super) children: FxHashMap<OpId, Self>,
    /// Symbols to be made in the symbol table around, in order of the requests.
    pub(super) requests: Vec<SymbolRequest>,
    /// The rewrites that lead up to one too many.
    pub(super) history: History,
}

impl State {
    /// Adds a request, unless there is one for a symbol of that name.
    pub(super) fn ask_for(&mut self, request: SymbolRequest) {
        if self.requests.iter().all(|known| known.name != request.name) {
            self.requests.push(request);
        }
    }
}

/// A [`Rewriter`] for conversion patterns: derefs to one, and replaces operations by values of other types.
pub struct ConversionRewriter<'a> {
    pub(super) rw: Rewriter<'a>,
    pub(super) state: &'a mut State,
    pub(super) converter: Option<Converter<'a>>,
    pub(super) symbols: &'a SymbolSnapshot,
}

impl<'a> Deref for ConversionRewriter<'a> {
    type Target = Rewriter<'a>;
    fn deref(&self) -> &Self::Target {
        &self.rw
    }
}

impl DerefMut for ConversionRewriter<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.rw
    }
}

impl<'a> ConversionRewriter<'a> {
    /// The converter that the pattern was added with.
    ///
    /// # Panics
    /// When the pattern was added without one.
    pub fn converter(&self) -> &'a TypeConverter {
        self.converter.expect("a pattern that converts types is added with a type converter").types
    }

    /// What one of the pattern's types becomes, if that is one type.
    ///
    /// # Errors
    /// That it becomes none, or several.
    pub fn convert_type(&self, ty: Type) -> Result<Type, NoMatch> {
        let converted = self.converter().convert_one(self.rw.cx(), ty);
        converted.ok_or(NoMatch("a type cannot be converted to one type"))
    }

    /// The symbols around the isolated operation that is being converted, as they were before.
    pub fn symbols(&self) -> &'a SymbolSnapshot {
        self.symbols
    }

    /// Asks for a symbol called `name` at the start of the closest symbol table around: `make` is called, later, if there is
    /// none by then, and what it makes is legalized. The table must be inside what is being converted.
    pub fn declare_symbol(&mut self, name: &str, make: impl FnOnce(&mut Rewriter<'_>) + Send + 'static) {
        self.declare_fitting_symbol(name, |_| Ok(()), make);
    }

    /// The same for a symbol that must be of one kind: where there is one by then, `check` says whether it will do, and the conversion fails if not.
    pub fn declare_fitting_symbol(
        &mut self,
        name: &str,
        check: impl FnOnce(OpRef<'_>) -> Result<(), Diagnostic> + Send + 'static,
        make: impl FnOnce(&mut Rewriter<'_>) + Send + 'static,
    ) {
        self.state.ask_for(SymbolRequest { name: name.to_owned(), check: Box::new(check), make: Box::new(make) });
    }

    /// A rewriter of the arena that the nested isolated operation `op` owns, for the same conversion.
    pub fn enter(&mut self, op: OpId) -> Option<ConversionRewriter<'_>> {
        let rw = self.rw.enter(op)?;
        let state = self.state.children.entry(op).or_default();
        Some(ConversionRewriter { rw, state, converter: self.converter, symbols: self.symbols })
    }

    /// Replaces the results of `op` by `values`, which may have other types, and erases it.
    ///
    /// # Panics
    /// Unless there is one value for each result.
    pub fn replace(&mut self, op: OpId, values: &[ValueId]) {
        let results: SmallVec<[ValueId; 4]> = self.ir().results(op).collect();
        assert_eq!(results.len(), values.len(), "one value for each result");
        for (result, value) in results.into_iter().zip(values) {
            self.replace_result(op, result, std::slice::from_ref(value));
        }
        self.rw.erase(op);
    }

    /// Replaces each result of `op` by any number of values and erases it.
    ///
    /// # Panics
    /// Unless there is one list for each result.
    pub fn replace_many(&mut self, op: OpId, values: &[SmallVec<[ValueId; 1]>]) {
        let results: SmallVec<[ValueId; 4]> = self.ir().results(op).collect();
        assert_eq!(results.len(), values.len(), "one list of values for each result");
        for (result, values) in results.into_iter().zip(values) {
            self.replace_result(op, result, values);
        }
        self.rw.erase(op);
    }

    /// Makes an operation before `op` and replaces `op` by it.
    pub fn replace_with(&mut self, op: OpId, state: OpState) -> OpId {
        self.rw.set_insertion_before(op);
        let new = self.rw.create(state);
        let results: SmallVec<[ValueId; 4]> = self.ir().results(new).collect();
        self.replace(op, &results);
        new
    }

    /// Erases `op`. Uses that its results still have must be erased or replaced before the conversion ends.
    pub fn erase(&mut self, op: OpId) {
        let results: SmallVec<[ValueId; 4]> = self.ir().results(op).collect();
        for result in results {
            self.replace_result(op, result, &[]);
        }
        self.rw.erase(op);
    }

    fn replace_result(&mut self, op: OpId, result: ValueId, values: &[ValueId]) {
        if !self.ir().has_uses(result) {
            return;
        }
        let (ty, loc) = (self.ir().value_type(result), self.op(op).loc());
        let point = self.insertion_point();
        match values {
            &[value] => self.rw.set_insertion_after_value(value),
            _ => self.rw.set_insertion_before(op),
        }
        let stand_in = self.source_cast(ty, values, loc);
        self.rw.set_insertion_point(point);
        if self.op(op).has_trait(&Trait::ConstantLike)
            && let Some(constant) = self.value(result).constant()
        {
            let constant = constant.id();
            self.state.constants.insert(stand_in, constant);
        }
        self.rw.replace_all_uses(result, stand_in);
    }

    /// A value of type `ty` made of `values`: itself, an existing cast, or a new one at the insertion point.
    fn source_cast(&mut self, ty: Type, values: &[ValueId], loc: Loc) -> ValueId {
        if let &[value] = values
            && self.ir().value_type(value) == ty
        {
            return value;
        }
        if let Some(cast) = self.state.casts.find(self.rw.ir(), values, &[ty]) {
            self.ir().result(cast, 0)
        } else {
            let cast = self.cast(CastKind::Source, values, &[ty], loc);
            self.ir().result(cast, 0)
        }
    }

    fn cast(&mut self, kind: CastKind, from: &[ValueId], to: &[Type], loc: Loc) -> OpId {
        let state = OpState::of::<UnrealizedConversionCastOp<'_>>(loc);
        let op = self.rw.create(state.operands(from.iter().copied()).results(to.iter().copied()));
        self.state.casts.push(Cast { op, kind, converter: self.converter.map(|converter| converter.number) });
        op
    }

    /// The values that stand for `value` in the types of the pattern's converter; `None` when its type cannot be converted.
    pub fn converted(&mut self, value: ValueId) -> Option<SmallVec<[ValueId; 1]>> {
        let Some(converter) = self.converter else { return Some(self.most_recent(value)) };
        let from = self.ir().value_type(value);
        let types = converter.types.convert(self.cx(), from)?;
        if types == [from] {
            return Some(smallvec::smallvec![value]);
        }
        let newer = self.most_recent(value);
        if newer.iter().map(|&v| self.ir().value_type(v)).eq(types.iter().copied()) {
            return Some(newer);
        }
        let cast = if let Some(cast) = self.state.casts.find(self.rw.ir(), &[value], types) {
            cast
        } else {
            let (point, loc) = (self.insertion_point(), self.value(value).loc());
            self.rw.set_insertion_after_value(value);
            let cast = self.cast(CastKind::Target, &[value], types, loc);
            self.rw.set_insertion_point(point);
            cast
        };
        Some(self.ir().results(cast).collect())
    }

    /// What a cast that stands in for `value` was made of; `value` itself when it is none.
    fn most_recent(&self, value: ValueId) -> SmallVec<[ValueId; 1]> {
        match self.ir().defining_op(value) {
            Some(op) if self.state.casts.is_source(op) => self.ir().operands(op).collect(),
            _ => smallvec::smallvec![value],
        }
    }

    /// Converts the argument types of all blocks of `region` with the pattern's converter. Nothing is changed when one of them
    /// cannot be converted. What branches to the blocks is converted by patterns of its own.
    ///
    /// # Errors
    /// That a type cannot be converted.
    pub fn convert_region_types(&mut self, region: RegionId) -> Result<(), NoMatch> {
        let converter = self.converter();
        let blocks: Vec<BlockId> = self.ir().region_blocks(region).collect();
        let mut signatures = Vec::with_capacity(blocks.len());
        for &block in &blocks {
            let types: SmallVec<[Type; 4]> =
                self.ir().block_args(block).iter().map(|&arg| self.ir().value_type(arg)).collect();
            let signature = converter.convert_signature(self.cx(), types);
            signatures.push(signature.ok_or(NoMatch("the type of a block argument cannot be converted"))?);
        }
        for (block, signature) in blocks.into_iter().zip(signatures) {
            self.convert_block_signature(block, &signature);
        }
        Ok(())
    }

    /// Gives `block` arguments of the types of `signature`; casts stand in for the old ones.
    ///
    /// # Panics
    /// When the signature is of another number of arguments.
    pub fn convert_block_signature(&mut self, block: BlockId, signature: &SignatureConversion) {
        let old: SmallVec<[ValueId; 4]> = self.ir().block_args(block).iter().copied().collect();
        assert_eq!(old.len(), signature.inputs.len(), "one entry for each block argument");
        let unchanged = |(&arg, types): (&ValueId, &super::Types)| types.as_slice() == [self.ir().value_type(arg)];
        if old.iter().zip(&signature.inputs).all(unchanged) {
            return;
        }
        let point = self.insertion_point();
        let parent = self.ir().region_of(block).and_then(|region| self.ir().region_parent(region));
        let loc = parent.map_or(Loc::UNKNOWN, |op| self.op(op).loc());
        for (&arg, types) in old.iter().zip(&signature.inputs) {
            let new: SmallVec<[ValueId; 1]> = types.iter().map(|&ty| self.rw.add_block_arg(block, ty)).collect();
            if self.ir().has_uses(arg) {
                let ty = self.ir().value_type(arg);
                self.rw.set_insertion_to_start(block);
                let stand_in = self.source_cast(ty, &new, loc);
                self.rw.replace_all_uses(arg, stand_in);
            }
        }
        for _ in &old {
            self.rw.erase_block_arg(block, 0);
        }
        self.rw.set_insertion_point(point);
    }
}
