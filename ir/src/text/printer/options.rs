//! How to print: the `--mlir-print-...` and `--mlir-elide-...` flags.

use crate::attributes::DenseData;

/// What the printed form shows. The default is the pretty form without locations, everything in full.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct PrintOptions {
    /// The generic form (`--mlir-print-op-generic`).
    pub generic: bool,
    /// Locations (`--mlir-print-debuginfo`).
    pub debug_info: bool,
    /// Locations for humans, which the parser does not read (`--mlir-pretty-debuginfo`).
    pub pretty_debug_info: bool,
    /// No aliases (`--mlir-print-local-scope`).
    pub local_scope: bool,
    /// `{...}` for regions (`--mlir-print-skip-regions`).
    pub skip_regions: bool,
    /// The pretty form is printed without verifying before that there is one; it may panic where there is none (`--mlir-print-assume-verified`).
    pub assume_verified: bool,
    /// Names of values are unique in the whole text (`--mlir-print-unique-ssa-ids`).
    pub unique_ssa_ids: bool,
    /// Values are called as their locations are: `%x` for `loc("x")` (`--mlir-use-nameloc-as-prefix`).
    pub names_from_locations: bool,
    /// Users of each value as a comment (`--mlir-print-value-users`).
    pub value_users: bool,
    /// Elements attributes with more elements than this are left out (`--mlir-elide-elementsattrs-if-larger`).
    pub elide_elements_larger_than: Option<u64>,
    /// The name that dense elements get which are left out, a digest of them say, where the text has to tell programs apart; strings and sparse elements
    /// are then printed in full. `__elided__`, for all, where nothing is said.
    pub name_of_elided: Option<NameOfElided>,
    /// Dense attributes with more elements than this are printed in hexadecimal, never when `None`
    /// (`--mlir-print-elementsattrs-with-hex-if-larger`).
    pub hex_elements_larger_than: Option<u64>,
    /// Resources with longer text than this are left out (`--mlir-elide-resource-strings-if-larger`).
    pub elide_resources_larger_than: Option<u64>,
}

impl PrintOptions {
    /// Whether numbers of values run on through the whole text.
    pub(super) fn names_all_at_once(&self) -> bool {
        self.generic || self.unique_ssa_ids
    }
}

/// Names elements by what they are. Equal to another one that is the same function at the same address.
#[derive(Clone, Copy, Debug)]
pub struct NameOfElided(pub fn(&DenseData) -> String);

impl PartialEq for NameOfElided {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for NameOfElided {}

impl Default for PrintOptions {
    fn default() -> Self {
        Self {
            generic: false,
            debug_info: false,
            pretty_debug_info: false,
            local_scope: false,
            skip_regions: false,
            assume_verified: false,
            unique_ssa_ids: false,
            names_from_locations: false,
            value_users: false,
            elide_elements_larger_than: None,
            name_of_elided: None,
            hex_elements_larger_than: Some(100),
            elide_resources_larger_than: None,
        }
    }
}
