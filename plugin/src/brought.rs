//! What a plugin has brought, for lists.

use std::fmt;

/// What a plugin has brought. Displays as lines: the plugin, then each kind that it has any of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Brought {
    /// Name and version.
    pub plugin: String,
    /// Its dialects.
    pub dialects: Vec<String>,
    /// Its passes.
    pub passes: Vec<String>,
    /// Its pipelines.
    pub pipelines: Vec<String>,
    /// The forms that it writes programs in.
    pub translations: Vec<String>,
    /// The back ends with which it runs programs.
    pub backends: Vec<String>,
    /// Its simulators of accelerators.
    pub simulators: Vec<String>,
    /// How many times it attaches something to operations of others.
    pub extensions: usize,
}

impl fmt::Display for Brought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.plugin)?;
        let lists = [
            ("dialects", &self.dialects),
            ("passes", &self.passes),
            ("pipelines", &self.pipelines),
            ("translations", &self.translations),
            ("back ends", &self.backends),
            ("simulators", &self.simulators),
        ];
        for (what, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            writeln!(f, "  {what}: {}", names.join(", "))?;
        }
        if self.extensions > 0 { writeln!(f, "  extensions: {}", self.extensions) } else { Ok(()) }
    }
}
