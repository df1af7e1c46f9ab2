//! Dependencies between crates point one way, and every crate is on the map.
//!
//! The layer of a crate follows from its folder. A crate may depend on lower layers, and inside its own layer only where
//! [`LAYERS`] says so. What lies beside the road (`xtask`, examples) may depend on all of it and nothing depends on that.

use std::path::Path;

/// Top-level folder, layer, and whether crates of the layer may depend on each other.
const LAYERS: [(&str, u8, bool); 17] = [
    ("ir", 0, false),
    ("machine", 0, false),
    ("runtime", 0, false),
    ("plugin", 1, false),
    ("dialects", 1, true),
    ("passes", 2, true),
    ("codegen", 3, false),
    ("frontends", 3, false),
    ("interpreter", 3, false),
    ("simulator", 1, false),
    ("oracle", 4, false),
    ("testing", 4, false),
    ("tools", 5, true),
    ("benches", 6, false),
    ("examples", 6, false),
    ("fuzz", 6, false),
    ("xtask", 6, false),
];

/// A workspace member: its folder relative to the root, and the folders of the members that it depends on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Package {
    pub(super) folder: String,
    dependencies: Vec<String>,
}

/// The members in the output of `cargo tree --depth 1 --prefix depth --format {p}`: lines such as `0dl-ir v0.1.0 (/path/ir)` for
/// members, followed by one line with depth 1 for each dependency.
pub(super) fn packages(tree: &str, root: &Path) -> Vec<Package> {
    let mut packages: Vec<Package> = Vec::new();
    for line in tree.lines() {
        let folder = line.split(" (").skip(1).find_map(|part| {
            let path = Path::new(part.trim_end().strip_suffix(')')?).strip_prefix(root).ok()?;
            path.to_str().map(|path| path.replace('\\', "/"))
        });
        let Some(folder) = folder else { continue };
        match (line.as_bytes().first(), packages.last_mut()) {
            (Some(b'0'), _) => packages.push(Package { folder, dependencies: Vec::new() }),
            (Some(b'1'), Some(package)) => package.dependencies.push(folder),
            _ => {}
        }
    }
    packages
}

/// One message for each dependency that points the wrong way and each folder without a layer.
pub(super) fn check(packages: &[Package]) -> Vec<String> {
    let mut problems = Vec::new();
    for Package { folder, dependencies } in packages {
        let Some((layer, among)) = layer(folder) else {
            problems.push(format!("{folder}: no layer is known for this folder; add it to xtask/src/tidy/arrows.rs"));
            continue;
        };
        for dependency in dependencies {
            let allowed = match self::layer(dependency) {
                Some((below, _)) => below < layer || (below == layer && among),
                None => true, // reported where the folder is listed itself
            };
            if !allowed {
                problems.push(format!("{folder}: may not depend on {dependency}, which is not in a lower layer"));
            }
        }
    }
    problems
}

/// One message for each folder that `map`, the text of `docs/architecture.md`, does not name in code style.
pub(super) fn missing_on_map<'a>(folders: impl Iterator<Item = &'a str>, map: &str) -> Vec<String> {
    folders
        .filter(|folder| !map.contains(&format!("`{folder}`")) && !map.contains(&format!("`{folder}/`")))
        .map(|folder| format!("{folder}: docs/architecture.md does not name this crate as `{folder}`"))
        .collect()
}

fn layer(folder: &str) -> Option<(u8, bool)> {
    let top = folder.split('/').next();
    LAYERS.iter().find(|(name, ..)| Some(*name) == top).map(|&(_, layer, among)| (layer, among))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "\
0dl-ir v0.1.0 (/c/ir)
1smallvec v1.16.5

0dl-arith v0.1.0 (/c/dialects/arith)
1dl-func v0.1.0 (/c/dialects/func)
1dl-ir v0.1.0 (/c/ir)
1dl-macros v0.1.0 (proc-macro) (/c/macros)
";

    fn package(folder: &str, dependencies: &[&str]) -> Package {
        Package { folder: folder.into(), dependencies: dependencies.iter().map(|&d| d.into()).collect() }
    }

    #[test]
    fn the_tree_of_cargo_is_understood() {
        let expected = [package("ir", &[]), package("dialects/arith", &["dialects/func", "ir", "macros"])];
        assert_eq!(packages(TREE, Path::new("/c")), expected);
    }

    #[test]
    fn arrows_point_down() {
        let fine = [
            package("passes", &["dialects/scf", "ir"]),
            package("dialects/scf", &["dialects/arith", "ir"]),
            package("tools", &["codegen/llvm", "passes"]),
        ];
        assert_eq!(check(&fine), [""; 0]);
        assert_eq!(
            check(&[package("ir", &["dialects/arith"]), package("codegen/llvm", &["codegen/cranelift"])]),
            [
                "ir: may not depend on dialects/arith, which is not in a lower layer",
                "codegen/llvm: may not depend on codegen/cranelift, which is not in a lower layer",
            ]
        );
        assert_eq!(check(&[package("attic", &[])]).len(), 1);
    }

    #[test]
    fn crates_are_on_the_map() {
        let folders = ["ir", "dialects/scf", "dialects/cf"].into_iter();
        let missing = missing_on_map(folders, "the core, `ir/`; loops, `dialects/scf`; and dialects/cf");
        assert_eq!(missing, ["dialects/cf: docs/architecture.md does not name this crate as `dialects/cf`"]);
    }
}
