//! The page of passes and named pipelines.

use dl_ir::pass::{PassOptions, PassRegistry, RegisteredPass};

use super::markdown::{Table, anchor, code, link, prose};
use super::{MARK, Page};

/// `docs/passes.md`: every pass and named pipeline of `registry` with its options and statistics, by name.
pub fn passes_page(registry: &PassRegistry) -> Page {
    let passes = registry.passes();
    let mut index = Table::new(["pass", "runs on", "what it does"]);
    for pass in &passes {
        let name = pass.info.name;
        index.row([link(name, "", &anchor(name)), runs_on(pass), prose(pass.info.description)]);
    }
    let sections: String = passes.iter().map(|pass| section(pass)).collect();
    let pipelines: String = registry
        .pipelines()
        .iter()
        .map(|pipeline| {
            let expanded = pipeline.expand("").unwrap_or_default().replace(',', ",\n");
            let about = prose(pipeline.description);
            let options = options(Some(&*pipeline.options()));
            format!(
                "\n### {}\n\n{about}.\n{options}\nWith its defaults it stands for\n{}",
                pipeline.name,
                code("text", &expanded)
            )
        })
        .collect();
    let text = format!(
        "{MARK}# Passes\n\n`dl-opt --NAME` runs a pass on the outermost operation, or on those of the kind that it is for; \
         `--pass-pipeline='builtin.module(func.func(NAME{{option=value}}))'` says where and with which options. Names and options are \
         those of `mlir-opt` where it has the pass. `docs/pass-manager.md` tells how pipelines are written and watched.\n{}\n## Passes by name\n\
         {sections}\n## Pipelines\n{pipelines}",
        index.text()
    );
    Page { file: "passes.md".to_owned(), text }
}

fn runs_on(pass: &RegisteredPass) -> String {
    pass.info.anchor.map_or_else(|| "any".to_owned(), |anchor| format!("`{anchor}`"))
}

fn section(pass: &RegisteredPass) -> String {
    let mut made = pass.make();
    let options = options(made.options().as_deref());
    let mut statistics = Table::new(["statistic", "what is counted"]);
    for (name, meaning) in pass.info.statistics {
        statistics.row([format!("`{name}`"), prose(meaning)]);
    }
    format!("\n### {}\n\n{}.\n{options}{}", pass.info.name, prose(pass.info.description), statistics.text())
}

/// The table of options, without those that have no meaning to tell.
fn options(options: Option<&dyn PassOptions>) -> String {
    let mut table = Table::new(["option", "default", "meaning"]);
    for spec in options.map(PassOptions::specs).unwrap_or_default() {
        let value = if spec.value.is_empty() { String::new() } else { format!("={}", spec.value) };
        let default =
            options.and_then(|options| options.get(spec.name)).map(|text| format!("`{text}`")).unwrap_or_default();
        let choices: String =
            spec.choices.iter().map(|(keyword, meaning)| format!("; `{keyword}`: {}", prose(meaning))).collect();
        table.row([format!("`{}{value}`", spec.name), default, format!("{}{choices}", prose(spec.help))]);
    }
    table.text()
}
