//! Where `--mlir-print-ir-*` print: standard error, or a tree of files.

use std::path::PathBuf;

use dl_ir::pass::IrDump;
use dl_tools_support::files::reason;
use dl_tools_support::messages::eprint;

/// Prints dumps to standard error.
pub(super) fn to_stderr(dump: &IrDump<'_>) {
    eprint(&text(dump));
}

/// Writes dumps to files below `root`: a folder for each operation on the way, named after it, and in it a file for each pass,
/// which begins with how many dumps there were of each of them.
pub(super) fn to_tree(root: &str) -> impl Fn(&IrDump<'_>) + Send + Sync + 'static {
    let root = PathBuf::from(root);
    move |dump| {
        let mut path = root.clone();
        for (op, symbol) in &dump.scope {
            let symbol = symbol.as_deref().unwrap_or("no-symbol-name").replace(['/', '\\'], "_");
            path.push(format!("{}_{symbol}", op.replace('.', "_")));
        }
        if let Err(error) = std::fs::create_dir_all(&path) {
            eprint(&format!("Error while creating directory {}: {}\n", path.display(), reason(&error)));
            return;
        }
        let counts: Vec<String> = dump.counts.iter().map(ToString::to_string).collect();
        path.push(format!("{}_{}.mlir", counts.join("_"), dump.pass));
        if let Err(error) = std::fs::write(&path, text(dump)) {
            eprint(&format!("Error opening output file {}: {}\n", path.display(), reason(&error)));
        }
    }
}

fn text(dump: &IrDump<'_>) -> String {
    format!("{}\n{}\n\n", dump.header, dump.text)
}
