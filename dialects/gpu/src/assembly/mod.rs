//! Pretty forms.

mod attributions;
mod directives;
mod func;
mod launch;
mod names;
mod params;
mod warp;

pub(crate) use attributions::WORKGROUP_COUNT;
pub(crate) use func::{parse_func, print_func};
pub(crate) use launch::{parse_launch, print_launch};
pub(crate) use names::{position_name, shuffle_names};
pub(crate) use warp::{parse_warp, print_warp};

use dl_ir::DialectBuilder;

/// Registers directives and the text forms of types and parameters.
pub(crate) fn register(builder: &mut DialectBuilder) {
    directives::register(builder);
    params::register(builder);
}
