//! `docs/onnx-support.md`: what the tests came to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::case::Outcome;

/// A test that was run.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) operators: Vec<String>,
    pub(crate) outcome: Outcome,
    /// Whether inputs that decide shapes were bound.
    pub(crate) bound: bool,
}

impl Row {
    fn passes(&self) -> bool {
        matches!(self.outcome, Outcome::Pass)
    }

    /// Of the domains for training and for classical machine learning, which are not imported.
    fn is_of_other_domain(&self) -> bool {
        self.operators.iter().any(|operator| operator.starts_with("ai.onnx."))
    }
}

#[derive(Default)]
struct Count {
    passed: usize,
    bound: usize,
    tests: usize,
    failures: BTreeSet<String>,
}

pub(crate) fn write(mut rows: Vec<Row>, compiled: bool) {
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    rows.retain(|row| !row.is_of_other_domain());
    let known: BTreeSet<&str> =
        dl_onnx::operators().into_iter().filter(|op| op.0.is_empty()).map(|(_, name, _, _)| name).collect();
    let is_known = |row: &Row| row.operators.iter().all(|operator| known.contains(&operator[..]));
    let claimed: Vec<&Row> = rows.iter().filter(|row| is_known(row)).collect();
    let passed = |rows: &mut dyn Iterator<Item = &Row>| rows.filter(|row| row.passes()).count();
    let (all_passed, claimed_passed) = (passed(&mut rows.iter()), passed(&mut claimed.iter().copied()));
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let bound = rows.iter().filter(|row| row.passes() && row.bound).count();

    let mut table: BTreeMap<&str, Count> = BTreeMap::new();
    for row in &claimed {
        for operator in &row.operators {
            let count = table.entry(operator).or_default();
            count.tests += 1;
            count.passed += usize::from(row.passes());
            count.bound += usize::from(row.passes() && row.bound);
            if !row.passes() {
                count.failures.insert(row.name.trim_start_matches("test_").to_owned());
            }
        }
    }
    let how = if compiled { "compiled and run by `dl-run`" } else { "run by the reference interpreter" };
    let mut text = format!(
        "# ONNX operators\n\n\
         Written by `cargo xtask onnx` from the node tests of the `onnx` package 1.17, each imported and {how}. Tolerances are those of ONNX's own\n\
         runner: 1e-3 relative, 1e-7 absolute. Opsets 7 to 22 of the default domain.\n\n\
         | tests | passed | of | |\n|---|---|---|---|\n\
         | of operators that are imported | {claimed_passed} | {} | {:.1} % |\n\
         | of the whole default domain | {all_passed} | {} | {:.1} % |\n\n\
         {bound} of those that pass take an input that decides shapes or ranks, such as `axes`, and that the importer must know: it is bound\n\
         (`--onnx-bind NAME=@FILE`), as it is a constant in models.\n\n\
         An operator without tests here is imported all the same; it is tested by `frontends/onnx/tests`.\n\n\
         | operator | opsets from | passed | of | bound | does not pass |\n|---|---|---|---|---|---|\n",
        claimed.len(),
        percent(claimed_passed, claimed.len()),
        rows.len(),
        percent(all_passed, rows.len()),
    );
    for (domain, name, since, _) in dl_onnx::operators() {
        let empty = Count::default();
        let count = if domain.is_empty() { table.get(name).unwrap_or(&empty) } else { &empty };
        let title = if domain.is_empty() { name.to_owned() } else { format!("{domain}.{name}") };
        let failures: Vec<&str> = count.failures.iter().map(String::as_str).collect();
        let (passed, tests, bound) = (count.passed, count.tests, count.bound);
        let failures = failures.join(", ");
        // Writing to a string does not fail.
        writeln!(text, "| {title} | {since} | {passed} | {tests} | {bound} | {failures} |").unwrap_or_default();
    }
    let missing: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| &row.operators)
        .map(String::as_str)
        .filter(|operator| !known.contains(operator))
        .collect();
    let missing: Vec<&str> = missing.into_iter().collect();
    writeln!(text, "\nNot imported: {}.", missing.join(", ")).unwrap_or_default();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/onnx-support.md");
    std::fs::write(path, text).unwrap_or_default();
}
