//! `memref-emulate-narrow-type`: buffers of integers that are narrower than what can be loaded, packed into wider ones.
//!
//! Elements lie in row-major order, the first in the lowest bits of the first word, as many to a word as fit. A buffer of any shape becomes one of
//! one dimension. `layout` has the types and the arithmetic, `scalars` reads and writes elements, `vectors` several at a time, `views` is about
//! where buffers come from.
//!
//! A buffer has a packed form if all its extents but the first are known, its elements lie without gaps, and it begins with a word. What uses
//! others is left, and the conversion fails at it.

mod layout;
mod scalars;
mod vectors;
mod views;

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget, Retyped, convert_function_types};

dl_ir::pass_options! {
    /// Options of [`MemrefEmulateNarrowType`].
    pub struct MemrefEmulateNarrowTypeOptions {
        /// Width of the integers that are loaded and stored
        memref_load_bitwidth "memref-load-bitwidth": u32 = 8,
        /// Store into a part of a word by loading and storing it, not by two atomic operations: for one thread
        disable_atomic_rmw "disable-atomic-rmw": bool = false,
    }
}

/// Packs integers of less than a given width, in buffers and what reads and writes them. Functions take packed buffers.
#[derive(Clone, Default)]
pub struct MemrefEmulateNarrowType {
    /// The options.
    pub options: MemrefEmulateNarrowTypeOptions,
}

/// Operations that are the same on packed buffers.
const RETYPED: [&str; 4] = ["memref.dealloc", "memref.copy", "memref.assume_alignment", "memref.cast"];

/// Operations that pass buffers on.
const PASSED_ON: [&str; 2] = ["func.call", "func.return"];

impl Pass for MemrefEmulateNarrowType {
    const INFO: PassInfo = PassInfo::new(
        "memref-emulate-narrow-type",
        "Pack buffers of integers narrower than can be loaded into wider ones",
    );

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let width = self.options.memref_load_bitwidth;
        if !width.is_power_of_two() || !(8..=64).contains(&width) {
            return Err(cx.root().error("option 'memref-load-bitwidth' must be 8, 16, 32 or 64").into());
        }
        let converter = Arc::new(layout::converter(width));
        let (mut patterns, mut target) = (ConversionPatterns::new(), ConversionTarget::new());
        convert_function_types(&["func.func"], &PASSED_ON, &converter, &mut patterns, &mut target);
        patterns.add(&converter, Retyped { names: &RETYPED });
        scalars::add(&converter, width, !self.options.disable_atomic_rmw, &mut patterns);
        vectors::add(&converter, width, &mut patterns);
        views::add(&converter, width, &mut patterns);
        let legal = Arc::clone(&converter);
        target.unknown_ops_dynamic(move |op| legal.is_legal_op(op) && views::has_legal_attr(op, &legal));
        cx.convert_partially(&target, &patterns.freeze())
    }
}
