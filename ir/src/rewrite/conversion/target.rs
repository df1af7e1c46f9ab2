//! What a conversion must arrive at: which operations are legal.

use rustc_hash::FxHashMap;

use crate::opdef::name_hash;
use crate::view::OpRef;

type Predicate = Box<dyn Fn(OpRef<'_>) -> bool + Send + Sync>;

/// What a target says of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Legality {
    /// It may stay.
    Legal,
    /// It may stay, and so may all in its regions, whatever the target says of them.
    RecursivelyLegal,
    /// It must go.
    Illegal,
    /// Nothing: a partial conversion converts it where it can, a full one must.
    Unknown,
}

enum Rule {
    Legal,
    Illegal,
    Dynamic(Predicate),
}

/// The legality of operations. What is said of an operation counts more than what is said of its dialect.
#[derive(Default)]
pub struct ConversionTarget {
    ops: FxHashMap<u64, Rule>,
    dialects: FxHashMap<&'static str, Rule>,
    recursive: FxHashMap<u64, Option<Predicate>>,
    unknown: Option<Predicate>,
}

impl ConversionTarget {
    /// A target that says nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// All operations of these dialects are legal.
    pub fn legal_dialects(&mut self, namespaces: &[&'static str]) -> &mut Self {
        self.dialects.extend(namespaces.iter().map(|&namespace| (namespace, Rule::Legal)));
        self
    }

    /// All operations of these dialects are illegal.
    pub fn illegal_dialects(&mut self, namespaces: &[&'static str]) -> &mut Self {
        self.dialects.extend(namespaces.iter().map(|&namespace| (namespace, Rule::Illegal)));
        self
    }

    /// The operations of a dialect are legal where `legal` holds and illegal elsewhere.
    pub fn dynamic_dialect(
        &mut self,
        namespace: &'static str,
        legal: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.dialects.insert(namespace, Rule::Dynamic(Box::new(legal)));
        self
    }

    /// These operations (`dialect.op`) are legal.
    pub fn legal_ops(&mut self, names: &[&str]) -> &mut Self {
        self.ops.extend(names.iter().map(|name| (name_hash(name), Rule::Legal)));
        self
    }

    /// These operations (`dialect.op`) are illegal.
    pub fn illegal_ops(&mut self, names: &[&str]) -> &mut Self {
        self.ops.extend(names.iter().map(|name| (name_hash(name), Rule::Illegal)));
        self
    }

    /// This operation is legal where `legal` holds and illegal elsewhere.
    pub fn dynamic_op(&mut self, name: &str, legal: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static) -> &mut Self {
        self.ops.insert(name_hash(name), Rule::Dynamic(Box::new(legal)));
        self
    }

    /// Where this operation is legal, so is all in its regions.
    pub fn recursively_legal_op(&mut self, name: &str) -> &mut Self {
        self.recursive.insert(name_hash(name), None);
        self
    }

    /// Where this operation is legal and `holds`, all in its regions is legal.
    pub fn recursively_legal_op_if(
        &mut self,
        name: &str,
        holds: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.recursive.insert(name_hash(name), Some(Box::new(holds)));
        self
    }

    /// Operations that nothing else is said of are legal where `legal` holds and illegal elsewhere.
    pub fn unknown_ops_dynamic(&mut self, legal: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static) -> &mut Self {
        self.unknown = Some(Box::new(legal));
        self
    }

    /// Whether some operation of this name may be [recursively legal](Legality::RecursivelyLegal): what legality is asked for less often with.
    pub(super) fn may_be_recursively_legal(&self, op: OpRef<'_>) -> bool {
        !self.recursive.is_empty() && self.recursive.contains_key(&op.info().hash())
    }

    /// What the target says of `op`.
    pub fn legality(&self, op: OpRef<'_>) -> Legality {
        let info = op.info();
        let rule = self.ops.get(&info.hash()).or_else(|| self.dialects.get(info.dialect()));
        let legal = match (rule, &self.unknown) {
            (Some(Rule::Legal), _) => true,
            (Some(Rule::Illegal), _) => false,
            (Some(Rule::Dynamic(legal)), _) | (None, Some(legal)) => legal(op),
            (None, None) => return Legality::Unknown,
        };
        match (legal, self.recursive.get(&info.hash())) {
            (false, _) => Legality::Illegal,
            (true, Some(None)) => Legality::RecursivelyLegal,
            (true, Some(Some(holds))) if holds(op) => Legality::RecursivelyLegal,
            (true, _) => Legality::Legal,
        }
    }
}
