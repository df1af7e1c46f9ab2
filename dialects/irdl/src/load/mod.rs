//! Dialects that are defined while the tool runs: from IR of this dialect, without compiling anything.
//!
//! What an operation, a type or an attribute has to satisfy is compiled once to [`Variables`] and then checked by the verifier like what any
//! dialect declares. Such operations have the generic form only; types and attributes are written `!d.t<p, q>` and `#d.a<p, q>`.

mod base;
mod constraint;
mod define;
mod operation;

use std::sync::Arc;

use dl_ir::dialect::Dialect;
use dl_ir::location::Source;
use dl_ir::{Context, Diagnostic, Diagnostics, DialectBuilder, OpRef, OpView, verify, walk};

use self::constraint::Variables;
use self::operation::{Definition, OperationDefinition};
use crate::DialectOp;

/// Registers the dialects that a file defines, text or bytecode. `cx` knows the dialect `irdl`, and whatever the file refers to.
///
/// # Errors
/// All that is wrong with the file, or a dialect of it that is there already. No dialect of the file is registered then.
pub fn load(cx: &mut Context, source: &Source) -> Result<(), Diagnostics> {
    let module = dl_ir::bytecode::load_source(cx, source)?.module;
    verify::verify(cx, &module)?;
    let dialects = read(cx, OpRef::root(cx, &module))?;
    for dialect in &dialects {
        cx.register(dialect);
    }
    Ok(())
}

/// The dialects that `root` and all that is nested in it define.
fn read(cx: &Context, root: OpRef<'_>) -> Result<Vec<DefinedDialect>, Diagnostics> {
    let definitions: Vec<DialectOp<'_>> = walk::pre_order(root).filter_map(OpRef::cast).collect();
    let kinds = define::Kinds::of(&definitions);
    let mut names = define::Names::default();
    let (mut dialects, mut errors): (Vec<DefinedDialect>, _) = (Vec::new(), Diagnostics::default());
    for definition in definitions {
        let op = definition.op();
        let name = op.symbol_name().unwrap_or_default();
        if cx.dialect(name).is_some() || dialects.iter().any(|dialect| dialect.namespace == name) {
            errors.push(op.error(format_args!("the dialect '{name}' is registered already")));
            continue;
        }
        match define::dialect(definition, &kinds, &mut names) {
            Ok(dialect) => dialects.push(dialect),
            Err(all) => errors.append(all),
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(dialects) }
}

/// A dialect that was read.
struct DefinedDialect {
    namespace: String,
    ops: Vec<OperationDefinition>,
    types: Vec<Parametric>,
    attrs: Vec<Parametric>,
}

/// A type or an attribute: its name and what its parameters satisfy.
struct Parametric {
    /// `dialect.mnemonic`.
    name: String,
    /// The constraint on each parameter.
    params: Vec<usize>,
    variables: Arc<Variables>,
}

impl Dialect for DefinedDialect {
    fn namespace(&self) -> &str {
        &self.namespace
    }

    fn register(&self, builder: &mut DialectBuilder) {
        for op in &self.ops {
            let op = op.clone();
            builder
                .op_def(op.shape())
                .no_properties()
                .verify(|op| op.interface::<dyn Definition>().map_or(Ok(()), |definition| definition.check(op)))
                .interface::<dyn Definition>(Box::new(op));
        }
        for ty in &self.types {
            builder.type_def(define::type_definition(&ty.name));
            builder.verify_type(&ty.name, ty.check());
        }
        for attr in &self.attrs {
            builder.attr_def(define::attr_definition(&attr.name));
            builder.verify_attr(&attr.name, attr.check());
        }
    }
}

impl Parametric {
    /// What says whether parameters are as they should be.
    fn check(&self) -> impl Fn(&Context, &[dl_ir::Attr]) -> Result<(), String> + Send + Sync + use<> {
        let (expected, variables) = (self.params.clone(), self.variables.clone());
        move |cx, params| {
            let params = constraint::parameters(cx, params);
            if params.len() != expected.len() {
                return Err(format!("expected {} type arguments, but had {}", expected.len(), params.len()));
            }
            let mut assignment = variables.unassigned();
            params.iter().zip(&expected).try_for_each(|(&param, &of)| assignment.check(cx, param, of))
        }
    }
}

/// An error at an operation of the definition.
fn unsupported(op: OpRef<'_>, what: &str) -> Diagnostic {
    op.error(format_args!("unsupported: {what}"))
}
