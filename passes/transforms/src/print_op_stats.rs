//! `print-op-stats`: how many operations of each name there are.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};

dl_ir::pass_options! {
    /// Options of [`PrintOpStats`].
    pub struct PrintOpStatsOptions {
        /// Print the numbers as JSON
        json "json": bool = false,
    }
}

/// Counts operations by name and prints the numbers.
#[derive(Clone, Default)]
pub struct PrintOpStats {
    /// The options.
    pub options: PrintOpStatsOptions,
}

impl Pass for PrintOpStats {
    const INFO: PassInfo = PassInfo::new("print-op-stats", "Print statistics of operations").title("PrintOpStats");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for op in dl_ir::walk::pre_order(cx.root()) {
            *counts.entry(op.name()).or_default() += 1;
        }
        let text = if self.options.json { as_json(&counts) } else { as_table(&counts) };
        cx.print(&text);
        cx.preserve_all();
        Ok(())
    }
}

fn as_json(counts: &BTreeMap<&str, u64>) -> String {
    // Names of operations need no escapes but those that generic text can hold.
    let quoted = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
    let lines: Vec<String> = counts.iter().map(|(name, count)| format!("  \"{}\" : {count}", quoted(name))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// A table whose dialects end in one column, and whose names begin in the next.
fn as_table(counts: &BTreeMap<&str, u64>) -> String {
    let parts = |name: &'_ str| -> (String, String) {
        match name.split_once('.') {
            Some((dialect, rest)) => (dialect.to_owned(), rest.to_owned()),
            None => (String::new(), name.to_owned()),
        }
    };
    let rows: Vec<((String, String), u64)> = counts.iter().map(|(name, &count)| (parts(name), count)).collect();
    let dialect_width = rows.iter().map(|((dialect, _), _)| dialect.len()).max().unwrap_or(0);
    let name_width = rows.iter().map(|((_, name), _)| name.len()).max().unwrap_or(0);
    let mut text = "Operations encountered:\n-----------------------\n".to_owned();
    for ((dialect, name), count) in rows {
        let point = if dialect.is_empty() { ' ' } else { '.' };
        let _ = writeln!(
            text,
            "{dialect:>dialect_width$}{point}{name:<name_width$} , {count}",
            dialect_width = dialect_width + 2
        );
    }
    text
}
