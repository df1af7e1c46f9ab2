//! Operations computed tile by tile, in loops, and with them what computes their operands.
//!
//! [`tile`] puts an operation that knows its tiles ([`Tiling`](dl_ir::interfaces::Tiling)) into a nest of loops over them. [`fuse_producers`] then
//! computes what the tiles read tile by tile too, inside the loops. Whether that is worth it is for the caller to say.

mod expanded;
mod fuse;
mod loops;
mod pass;
mod rows;

pub use fuse::{fuse_into, fuse_producers};
pub use loops::{LoopType, Tiled, Tiles, tile, tile_by};
pub use pass::{Tile, TileAndFuse, TileOptions};
pub use rows::FuseRows;
