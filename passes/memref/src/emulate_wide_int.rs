//! `memref-emulate-wide-int`: buffers of integers of twice the supported width hold vectors of two halves.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget, Retyped};
use dl_passes_arith::wide_int::{checked_width, emulate, value_converter};

dl_ir::pass_options! {
    /// Options of [`MemrefEmulateWideInt`].
    pub struct MemrefEmulateWideIntOptions {
        /// Widest integer type supported by the target
        widest_int_supported "widest-int-supported": u32 = 32,
    }
}

/// Makes integers of twice the supported width vectors of two halves, the low one first, in `memref` and `arith`. Functions keep their types.
#[derive(Clone, Default)]
pub struct MemrefEmulateWideInt {
    /// The options.
    pub options: MemrefEmulateWideIntOptions,
}

/// Operations that are the same on other elements.
const ACCESSES: [&str; 5] = ["memref.alloc", "memref.alloca", "memref.load", "memref.store", "memref.dealloc"];

impl Pass for MemrefEmulateWideInt {
    const INFO: PassInfo =
        PassInfo::new("memref-emulate-wide-int", "Emulate 2*N-bit integer operations using N-bit operations")
            .title("MemRefEmulateWideInt");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let width = checked_width(cx, self.options.widest_int_supported)?;
        let mut converter = value_converter(width);
        converter.rule(|converter, cx, ty| {
            let view = cx.ty(ty);
            if view.is_tensor() {
                return Some(ty);
            }
            let element = view.element_type().filter(|_| view.is_memref())?;
            Some(view.with_element(converter.convert_one(cx, element.id())?))
        });
        let converter = Arc::new(converter);
        let (mut patterns, mut target) = (ConversionPatterns::new(), ConversionTarget::new());
        emulate(&converter, width, &mut patterns, &mut target);
        patterns.add(&converter, Retyped { names: &ACCESSES });
        let legal = Arc::clone(&converter);
        target.dynamic_dialect("memref", move |op| legal.is_legal_op(op)).legal_dialects(&["vector"]);
        cx.convert_partially(&target, &patterns.freeze())
    }
}
