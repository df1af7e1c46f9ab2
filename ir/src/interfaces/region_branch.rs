//! Operations that pass control among themselves and their regions.

use smallvec::SmallVec;

use crate::attributes::Attr;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::opdef::Trait;
use crate::types::Type;
use crate::view::{OpRef, Operands, ValueRef};

/// Where control is: at the operation itself, or in one of its regions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegionPoint {
    /// Before the operation as a source, after it as a destination.
    Parent,
    /// At the end of this region as a source, at its start as a destination.
    Region(usize),
}

/// An operation whose regions are executed as part of it: `if`, loops, `switch`.
pub trait RegionBranchOp: Send + Sync {
    /// Where control may go from `from`, in the order in which the definition of the operation names them.
    fn successors(&self, op: OpRef<'_>, from: RegionPoint) -> SmallVec<[RegionPoint; 2]>;

    /// Where control goes first when the operands have these constant values: by default all that
    /// [`successors`](Self::successors) names.
    fn entry_successors(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> SmallVec<[RegionPoint; 2]> {
        let _ = operands;
        self.successors(op, RegionPoint::Parent)
    }

    /// Where control may go from `terminator`, the end of one of its regions, when its operands have these constant values: by default
    /// all that [`successors`](Self::successors) names.
    fn terminator_successors(
        &self,
        op: OpRef<'_>,
        terminator: OpRef<'_>,
        operands: &[Option<Attr>],
    ) -> SmallVec<[RegionPoint; 2]> {
        let _ = operands;
        let region = terminator.block().and_then(|block| block.region());
        region.map_or_else(SmallVec::new, |region| self.successors(op, RegionPoint::Region(region.index())))
    }

    /// The operands of the operation that are passed to `to` on entry.
    fn entry_operands<'a>(&self, op: OpRef<'a>, to: RegionPoint) -> Operands<'a>;

    /// The operands that `terminator`, the end of one of its regions, passes to `to`. By default all.
    fn terminator_operands<'a>(&self, terminator: OpRef<'a>, to: RegionPoint) -> Operands<'a> {
        let _ = to;
        terminator.operands()
    }

    /// The values that receive what is passed to `to`: by default the results, or the arguments of the region.
    fn inputs<'a>(&self, op: OpRef<'a>, to: RegionPoint) -> SmallVec<[ValueRef<'a>; 4]> {
        match to {
            RegionPoint::Parent => op.results().iter().collect(),
            RegionPoint::Region(index) => {
                op.region(index).entry().map_or_else(SmallVec::new, |block| block.args().collect())
            }
        }
    }

    /// Whether region `index` is known to be executed at most once each time that the operation is.
    fn runs_at_most_once(&self, op: OpRef<'_>, index: usize) -> bool {
        let _ = (op, index);
        false
    }

    /// Whether a value of type `from` may be passed where `to` is expected. By default only where they are equal.
    fn are_compatible(&self, cx: &Context, from: Type, to: Type) -> bool {
        let _ = cx;
        from == to
    }
}

/// Checks number and types of the values that `op` and the terminators of its regions pass along each edge.
///
/// # Errors
/// The first edge along which they do not fit, and both lists of types.
pub fn verify_region_branch(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(branch) = op.interface::<dyn RegionBranchOp>() else { return Ok(()) };
    if passes_nothing(branch, op) {
        return Ok(());
    }
    for to in branch.successors(op, RegionPoint::Parent) {
        let passed = branch.entry_operands(op, to);
        verify_edge(branch, op, op, passed, to)?;
    }
    for (i, region) in op.regions().enumerate() {
        let successors = branch.successors(op, RegionPoint::Region(i));
        for terminator in region.blocks().filter_map(|block| block.terminator()) {
            if !ends_region(terminator) {
                continue;
            }
            for &to in &successors {
                let passed = branch.terminator_operands(terminator, to);
                verify_edge(branch, op, terminator, passed, to)?;
            }
        }
    }
    Ok(())
}

/// Whether no value is passed to the results and regions of `op`, as for most operations with regions.
pub(crate) fn receives_nothing(branch: &dyn RegionBranchOp, op: OpRef<'_>) -> bool {
    op.num_results() == 0 && (0..op.num_regions()).all(|i| branch.inputs(op, RegionPoint::Region(i)).is_empty())
}

/// Whether nothing is passed along any edge and nothing receives a value, as for most loops: then there is no need to know the edges.
fn passes_nothing(branch: &dyn RegionBranchOp, op: OpRef<'_>) -> bool {
    let mut points = std::iter::once(RegionPoint::Parent).chain((0..op.num_regions()).map(RegionPoint::Region));
    let terminators = || op.regions().flat_map(|region| region.blocks()).filter_map(|block| block.terminator());
    receives_nothing(branch, op)
        && branch.inputs(op, RegionPoint::Parent).is_empty()
        && points.all(|to| branch.entry_operands(op, to).is_empty())
        && terminators().all(|end| end.num_operands() == 0)
}

/// Whether the definition says that `op` hands control back to the operation around it, or on to other regions.
pub fn ends_region(op: OpRef<'_>) -> bool {
    op.has_trait(&Trait::ReturnLike) || op.names_interface("RegionBranchTerminatorOpInterface")
}

/// Checks what `at`, the operation itself or a terminator in it, passes to `to`.
fn verify_edge(
    branch: &dyn RegionBranchOp,
    op: OpRef<'_>,
    at: OpRef<'_>,
    passed: Operands<'_>,
    to: RegionPoint,
) -> Result<(), Diagnostic> {
    let inputs = branch.inputs(op, to);
    let fail = |what: String| {
        let from = if at == op { "parent".to_owned() } else { format!("Operation {}", at.name()) };
        let target = match to {
            RegionPoint::Parent => "parent".to_owned(),
            RegionPoint::Region(index) => format!("Region #{index}"),
        };
        let message = format_args!("along control flow edge from {from} to {target}: {what}");
        Err(op.error(message).note(at.loc(), "region branch point"))
    };
    if passed.len() != inputs.len() {
        let (has, needs) = (passed.len(), inputs.len());
        return fail(format!("region branch point has {has} operands, but region successor needs {needs} inputs"));
    }
    for (i, (operand, input)) in passed.iter().zip(&inputs).enumerate() {
        let (given, wanted) = (operand.ty(), input.ty());
        if !branch.are_compatible(op.cx(), given.id(), wanted.id()) {
            return fail(format!(
                "successor operand type #{i} '{given}' should match successor input type #{i} '{wanted}'"
            ));
        }
    }
    Ok(())
}
