//! `resolve-ranked-shaped-type-result-dims` and `resolve-shaped-type-result-dims`: extents of results in terms of operands.

use dl_ir::interfaces::{Index, inits, reify_dim};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, Rewriter};
use dl_scf::ForallOp;

dl_ir::pass_options! {
    /// Options of [`ResolveRankedShapedTypeResultDims`] and [`ResolveShapedTypeResultDims`].
    pub struct ResolveDimsOptions {
        /// Fail where something is left to do after the last iteration
        error_on_pattern_iteration_limit "error-on-pattern-iteration-limit": bool = true,
    }
}

/// Replaces `memref.dim` and `tensor.dim` of results by what the operation says of its shape.
#[derive(Clone, Default)]
pub struct ResolveRankedShapedTypeResultDims {
    /// The options.
    pub options: ResolveDimsOptions,
}

impl Pass for ResolveRankedShapedTypeResultDims {
    const INFO: PassInfo =
        PassInfo::new("resolve-ranked-shaped-type-result-dims", "Tell extents of ranked results in terms of operands")
            .title("ResolveRankedShapeTypeResultDimsPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        resolve(cx, &self.options)
    }
}

/// The same; upstream's pass of this name also asks an older interface, which none of the operations here has.
#[derive(Clone, Default)]
pub struct ResolveShapedTypeResultDims {
    /// The options.
    pub options: ResolveDimsOptions,
}

impl Pass for ResolveShapedTypeResultDims {
    const INFO: PassInfo =
        PassInfo::new("resolve-shaped-type-result-dims", "Tell extents of results in terms of operands")
            .title("ResolveShapedTypeResultDimsPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        resolve(cx, &self.options)
    }
}

fn resolve(cx: &mut PassCx<'_>, options: &ResolveDimsOptions) -> PassResult {
    let mut patterns = Patterns::new();
    add_resolve_dims_patterns(&mut patterns);
    let result = cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
    if options.error_on_pattern_iteration_limit && !result.converged {
        return Err(cx.root().error("dim operation resolution hit pattern iteration limit").into());
    }
    if !result.changed {
        cx.preserve_all();
    }
    Ok(())
}

/// Adds the patterns that tell extents of results, and of what `scf.forall` writes, in terms of operands.
pub fn add_resolve_dims_patterns(patterns: &mut Patterns) {
    patterns
        .add_fn("memref-resolve-dim", Some(dl_memref::DimOp::NAME), resolve_dim)
        .add_fn("tensor-resolve-dim", Some(dl_tensor::DimOp::NAME), resolve_dim)
        .add_fn("tensor-dim-of-shared-output", Some(dl_tensor::DimOp::NAME), dim_of_shared_output);
}

/// The dimension that a `dim` asks for.
fn known_dim(op: OpRef<'_>) -> Option<usize> {
    usize::try_from(op.operand(1).constant()?.as_int()?).ok()
}

fn resolve_dim(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (source, dim, loc) = (view.operand(0), known_dim(view).ok_or(NoMatch("no known dimension"))?, view.loc());
    if source.ty().shape().is_none_or(|shape| dim >= shape.len()) {
        return Err(NoMatch("no such dimension"));
    }
    let source = source.id();
    rw.set_insertion_before(op);
    let value = match reify_dim(rw, source, dim).ok_or(NoMatch("the operation does not say its shape"))? {
        Index::Value(value) => value,
        Index::Static(constant) => dl_arith::constant_index(rw, constant, loc),
    };
    rw.replace(op, &[value]);
    Ok(())
}

/// What the threads of `scf.forall` write has the shape that it had before.
fn dim_of_shared_output(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let source = rw.op(op).operand(0);
    let block = source.owner_block().ok_or(NoMatch("no argument"))?;
    let forall = block.parent_op().filter(|parent| parent.is::<ForallOp<'_>>()).ok_or(NoMatch("not of forall"))?;
    let outputs = inits(forall).ok_or(NoMatch("no outputs"))?;
    let first = block.num_args() - outputs.len().min(block.num_args());
    let at = source.index().checked_sub(first).ok_or(NoMatch("an index"))?;
    let init = outputs.get(at).ok_or(NoMatch("no init"))?.id();
    rw.set_operand(op, 0, init);
    Ok(())
}
