//! Bytecode: what is written is read as the same IR; what is wrong is refused with its reason.

mod assemble;
mod hostile;
mod invalid;
mod round_trip;

use dl_ir::bytecode::{WriteOptions, load_source, write_bytecode};
use dl_ir::text::{ParsedSource, PrintOptions, print_file};
use dl_ir::{Context, OpRef};

fn context() -> Context {
    let mut cx = Context::new();
    cx.allow_unregistered(true);
    cx
}

/// Reads text or bytecode; what is wrong as lines of messages, notes included.
fn load(cx: &Context, bytes: &[u8]) -> Result<ParsedSource, String> {
    let source = cx.add_source("in", bytes);
    load_source(cx, &source).map_err(|diagnostics| {
        let lines = diagnostics.iter().flat_map(|d| std::iter::once(d).chain(&d.notes));
        lines.map(|d| d.message.clone() + "\n").collect()
    })
}

/// The generic form with locations.
fn text(cx: &Context, parsed: &ParsedSource) -> String {
    let options = PrintOptions { generic: true, debug_info: true, ..PrintOptions::default() };
    let mut out = Vec::new();
    print_file(OpRef::root(cx, &parsed.module), &parsed.external_resources, &options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn bytecode(cx: &Context, parsed: &ParsedSource, version: u32) -> Result<Vec<u8>, String> {
    let options = WriteOptions { version, ..WriteOptions::default() };
    let mut out = Vec::new();
    let root = OpRef::root(cx, &parsed.module);
    write_bytecode(root, &parsed.external_resources, &options, &mut out).unwrap().map_err(|d| d.message)?;
    Ok(out)
}
