//! What a plugin says of itself, in a form that is the same for ever and can be read from the file.
//!
//! The symbol `DL_PLUGIN_LABEL` names [`Label::SIZE`] bytes of text: lines of ASCII, the first of which is `dl-plugin 2`, then zeros.

use std::fmt;

/// First line of a label. The number changes when the form of the lines does.
const HEAD: &str = "dl-plugin 2";

/// What a plugin was built for. The tool has one too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Name of the crate.
    pub name: String,
    /// Version of the crate.
    pub version: String,
    /// Version of this project.
    framework: String,
    /// A hash of the sources of this project that decide what crosses the boundary.
    sources: String,
    /// What `rustc --version` says.
    rustc: String,
    /// The target triple.
    target: String,
}

/// In what a plugin does not fit the tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    plugin: Label,
    tool: Label,
}

impl Label {
    /// Bytes that a label takes in the library.
    pub const SIZE: usize = 512;

    /// The label of a crate that is built with this one. Called when the plugin is compiled.
    ///
    /// # Panics
    /// When name and version take more than 200 bytes.
    pub const fn bytes(name: &str, version: &str) -> [u8; Self::SIZE] {
        assert!(name.len() + version.len() <= 200, "the name of the plugin is too long");
        let parts = [
            HEAD,
            "\nname ",
            name,
            "\nversion ",
            version,
            "\nframework ",
            env!("CARGO_PKG_VERSION"),
            "\nsources ",
            env!("DL_SOURCES"),
            "\nrustc ",
            env!("DL_RUSTC"),
            "\ntarget ",
            env!("DL_TARGET"),
            "\n",
        ];
        let (mut bytes, mut at, mut part) = ([0; Self::SIZE], 0, 0);
        while part < parts.len() {
            let text = parts[part].as_bytes();
            let mut i = 0;
            while i < text.len() {
                bytes[at] = text[i];
                (at, i) = (at + 1, i + 1);
            }
            part += 1;
        }
        bytes
    }

    /// The label of whoever calls, called `name`.
    pub fn of_tool(name: &str) -> Self {
        let own = Self::bytes("", "");
        Self {
            name: name.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ..Self::read(&own).unwrap_or_else(|| unreachable!())
        }
    }

    /// The label in these bytes; `None` if they are none that is known here.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let text = bytes.split(|&byte| byte == 0).next()?;
        let mut lines = std::str::from_utf8(text).ok()?.lines();
        if lines.next() != Some(HEAD) {
            return None;
        }
        let mut next = |key: &str| Some(lines.next()?.strip_prefix(key)?.strip_prefix(' ')?.to_owned());
        Some(Self {
            name: next("name")?,
            version: next("version")?,
            framework: next("framework")?,
            sources: next("sources")?,
            rustc: next("rustc")?,
            target: next("target")?,
        })
    }

    /// Whether a plugin with this label may be loaded by a tool with the label `tool`.
    ///
    /// # Errors
    /// In what they differ.
    pub fn check(&self, tool: &Self) -> Result<(), Box<Mismatch>> {
        let facts = |of: &Self| of.facts().map(|(_, value, _)| value.to_owned());
        if facts(self) == facts(tool) {
            Ok(())
        } else {
            Err(Box::new(Mismatch { plugin: self.clone(), tool: tool.clone() }))
        }
    }

    /// What must be equal: what it is, its value, and what to do where it is not.
    fn facts(&self) -> [(&'static str, &str, &'static str); 4] {
        [
            ("dl", &self.framework, "build the plugin with the version of dl that the tool is of"),
            ("target", &self.target, "build the plugin for the target of the tool, with '--target'"),
            (
                "compiler",
                &self.rustc,
                "build the plugin with the compiler of the tool; a file 'rust-toolchain.toml' keeps it",
            ),
            ("sources of dl", &self.sources, "build the plugin and the tool from one checkout of dl"),
        ]
    }
}

impl fmt::Display for Mismatch {
    /// One line for each difference.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.plugin.facts().into_iter().zip(self.tool.facts());
        let differ = pairs.filter(|((_, ours, _), (_, theirs, _))| ours != theirs);
        for (i, ((what, plugin, fix), (_, tool, _))) in differ.enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}  {what}: the plugin has '{plugin}', {} has '{tool}'; {fix}", self.tool.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_reads_back() {
        let label = Label::read(&Label::bytes("toy", "1.2.3")).unwrap();
        assert_eq!((label.name.as_str(), label.version.as_str()), ("toy", "1.2.3"));
        assert_eq!(label.check(&Label::of_tool("dl-opt")), Ok(()));
        assert_eq!(Label::read(b"dl-plugin 3\nname x\n"), None);
        assert_eq!(Label::read(&[0; 16]), None);
        assert_eq!(Label::read(b"dl-plugin 2\nname x\nversion"), None);
    }

    #[test]
    fn a_mismatch_names_both_sides() {
        let tool = Label::of_tool("dl-opt");
        let plugin = Label { rustc: "rustc 1.0.0".to_owned(), target: "riscv".to_owned(), ..tool.clone() };
        let text = plugin.check(&tool).unwrap_err().to_string();
        let target = format!(
            "  target: the plugin has 'riscv', dl-opt has '{}'; build the plugin for the target of the tool, with '--target'",
            tool.target
        );
        assert_eq!(text.lines().next(), Some(target.as_str()));
        assert!(
            text.lines().nth(1).unwrap().starts_with("  compiler: the plugin has 'rustc 1.0.0', dl-opt has 'rustc ")
        );
        assert_eq!(text.lines().count(), 2);
    }
}
