//! The `dlti` dialect: how values lie in memory, and what targets are like.
//!
//! It has attributes alone. `generated` holds their definitions, written by `cargo xtask ods` from MLIR's own. All but one of them list entries, each a key, which is a type or a name, and a value:
//!
//! | attribute | parameters |
//! |---|---|
//! | `#dlti.dl_entry<index, 32>` | the key, a type attribute or a string, and the value |
//! | `#dlti.dl_spec<index = 32>`, `#dlti.map<...>`, `#dlti.target_device_spec<...>` | an array of entries |
//! | `#dlti.target_system_spec<"CPU" = #dlti.target_device_spec<...>>` | the same; the keys are names of devices |
//! | `#dlti.function_pointer_alignment<32, function_dependent = true>` | a number and a flag |

#![forbid(unsafe_code)]

mod entries;
mod generated;
mod syntax;
mod verify;

pub use generated::*;

use dl_ir::pass::PassCx;
use dl_ir::{Dialect, DialectBuilder};

/// The `dlti` dialect.
pub struct Dlti;

impl Dialect for Dlti {
    fn namespace(&self) -> &'static str {
        "dlti"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder.attrs(ATTRS).verify_op_attr(verify::verify_op_attr);
        syntax::register(builder);
    }
}

/// The widest integer that MLIR has.
const MAX_INT_BITS: u32 = (1 << 24) - 1;

/// Bits of an `index` by the data layout of the operation that a pass works on, or else of the symbol table around it.
pub fn index_bits(cx: &PassCx<'_>) -> Option<u32> {
    let spec = cx.root().attr(verify::DATA_LAYOUT).or_else(|| cx.symbols.table_attr(cx.ctx, verify::DATA_LAYOUT))?;
    let (_, bits) = entries::entries(spec).find(|(key, _)| key.as_type().is_some_and(|ty| ty.is_index()))?;
    bits.as_int().and_then(|bits| u32::try_from(bits).ok()).filter(|bits| (1..=MAX_INT_BITS).contains(bits))
}
