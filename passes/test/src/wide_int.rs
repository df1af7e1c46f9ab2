//! `test-arith-emulate-wide-int`: [`dl_passes_arith::wide_int`] in some functions, which keep their types.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget, Retyped};
use dl_ir::{Loc, OpState, Rewriter, Type, ValueId};
use dl_llvm::BitcastOp;
use dl_passes_arith::wide_int::{checked_width, converter, emulate};

dl_ir::pass_options! {
    /// Options of [`TestArithEmulateWideInt`].
    pub struct TestArithEmulateWideIntOptions {
        /// Prefix of functions to run the emulation pass on
        function_prefix "function-prefix": String = "emulate_".to_owned(),
        /// Maximum integer bit width supported by the target
        widest_int_supported "widest-int-supported": u32 = 32,
    }
}

/// Makes integers of twice the supported width vectors of two halves, in functions whose names begin alike. What comes in and what goes out is
/// brought there and back by `llvm.bitcast`.
#[derive(Clone, Default)]
pub struct TestArithEmulateWideInt {
    /// The options.
    pub options: TestArithEmulateWideIntOptions,
}

impl Pass for TestArithEmulateWideInt {
    const INFO: PassInfo =
        PassInfo::new("test-arith-emulate-wide-int", "Function pass to test Wide Integer Emulation").on("func.func");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let width = checked_width(cx, self.options.widest_int_supported)?;
        if !cx.root().symbol_name().is_some_and(|name| name.starts_with(&self.options.function_prefix)) {
            return Ok(());
        }
        let mut converter = converter(width);
        converter.source_materialization(bitcast);
        converter.target_materialization(|rw, types, values, loc| match types {
            &[ty] => Some(smallvec::smallvec![bitcast(rw, ty, values, loc)?]),
            _ => None,
        });
        let converter = Arc::new(converter);
        let (mut patterns, mut target) = (ConversionPatterns::new(), ConversionTarget::new());
        emulate(&converter, width, &mut patterns, &mut target);
        let legal = Arc::clone(&converter);
        patterns.add(&converter, Retyped { names: &["vector.print"] });
        target.dynamic_dialect("vector", move |op| legal.is_legal_op(op));
        cx.convert_partially(&target, &patterns.freeze())
    }
}

fn bitcast(rw: &mut Rewriter<'_>, ty: Type, values: &[ValueId], loc: Loc) -> Option<ValueId> {
    let &[value] = values else { return None };
    let op = rw.create(OpState::of::<BitcastOp<'_>>(loc).operands([value]).results([ty]));
    Some(rw.op(op).result(0).id())
}
