//! How the operations of each dialect are bufferized.

mod arith;
mod bufferization;
mod cf;
mod forall;
mod func;
mod linalg;
mod loops;
mod scf;
mod tensor;
mod tensor_build;
mod tensor_slice;
mod vector;

use dl_ir::DialectBuilder;
use dl_ir::{OpDefinition, dialect};

use super::{Bufferizable, SubsetInsertion};

/// Writes the three methods that say what an operation does with the buffer of an operand.
macro_rules! access {
    (|$operand:ident, $state:ident| reads: $reads:expr, writes: $writes:expr, aliases: $aliases:expr $(,)?) => {
        fn reads(
            &self,
            $operand: $crate::bufferize::operand::Operand<'_>,
            $state: &$crate::bufferize::analysis::Analysis<'_>,
        ) -> bool {
            let _ = ($operand, $state);
            $reads
        }

        fn writes(
            &self,
            $operand: $crate::bufferize::operand::Operand<'_>,
            $state: &$crate::bufferize::analysis::Analysis<'_>,
        ) -> bool {
            let _ = ($operand, $state);
            $writes
        }

        fn aliasing_values(
            &self,
            $operand: $crate::bufferize::operand::Operand<'_>,
            $state: &$crate::bufferize::analysis::Analysis<'_>,
        ) -> $crate::bufferize::operand::AliasingValues {
            let _ = ($operand, $state);
            $aliases
        }
    };
}
use access;

/// What a model method gives.
type Done = Result<(), dl_ir::Diagnostic>;

/// Attaches the models to the operations of all dialects that have them.
pub struct Models;

impl dialect::Extension for Models {
    fn attach(&self, builder: &mut DialectBuilder) {
        arith::attach(builder);
        bufferization::attach(builder);
        cf::attach(builder);
        forall::attach(builder);
        func::attach(builder);
        linalg::attach(builder);
        loops::attach(builder);
        scf::attach(builder);
        tensor::attach(builder);
        tensor_build::attach(builder);
        tensor_slice::attach(builder);
        vector::attach(builder);
    }
}

fn model<T: OpDefinition>(builder: &mut DialectBuilder, model: impl Bufferizable + 'static) {
    builder.on::<T>().interface::<dyn Bufferizable>(Box::new(model));
}

fn insertion<T: OpDefinition>(builder: &mut DialectBuilder, model: impl SubsetInsertion + 'static) {
    builder.on::<T>().interface::<dyn SubsetInsertion>(Box::new(model));
}
