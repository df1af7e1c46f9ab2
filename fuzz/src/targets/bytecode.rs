//! The target `bytecode`: reading any bytes, and reading what was written.

use dl_ir::bytecode::{VERSION, WriteOptions, is_bytecode, read_bytecode, write_bytecode};
use dl_ir::text::PrintOptions;
use dl_ir::{Arena, Context, OpRef, verify, walk};

use super::{Checked, Finding, parse, rejection, round_trip};
use crate::Lab;

/// Bytecode is read or rejected. What it holds, and what text holds, comes back from bytecode as it was.
pub(super) fn run(lab: &mut Lab, input: &[u8]) -> Checked {
    let (bench, _) = lab.bench(input);
    let cx = &bench.cx;
    let Ok(module) = parse(cx, input)? else { return Ok(()) };
    if let Err(errors) = verify::verify(cx, &module) {
        return rejection(cx, "the verifier", &errors).map(|_| ());
    }
    // What is written is the same for each version, if it can be written at all.
    let older = u32::try_from(input.len()).unwrap_or(0) % VERSION;
    // Before version 5 the properties of operations that nobody registered come back as attributes.
    let has_unknown = |op: OpRef<'_>| !op.info().is_registered() && op.attr("<properties>").is_some();
    if !walk::pre_order(OpRef::root(cx, &module)).any(has_unknown) {
        check(cx, &module, older)?;
    }
    check(cx, &module, VERSION)?;
    // What text can say is the business of another target; here, what came out of strange bytes.
    if is_bytecode(input) { round_trip::check(cx, &module) } else { Ok(()) }
}

/// `module`, which verifies, comes back from bytecode of this version.
fn check(cx: &Context, module: &Arena, version: u32) -> Checked {
    let Some(bytes) = written(cx, module, version)? else { return Ok(()) };
    let fault = |what, details: &str| Err(Finding::new(what, format!("version {version}:\n{details}")));
    let source = cx.add_source("written", &bytes[..]);
    let again = match read_bytecode(cx, &source) {
        Ok(again) => again.module,
        Err(errors) => return fault("bytecode that was written is rejected", &rejection(cx, "the reader", &errors)?),
    };
    if let Err(errors) = verify::verify(cx, &again) {
        return fault("what is read back does not verify", &rejection(cx, "the verifier", &errors)?);
    }
    let options = PrintOptions { generic: true, debug_info: true, ..PrintOptions::default() };
    let [before, after] = [module, &again].map(|module| round_trip::text(cx, module, &options));
    // What is text in bytecode shares no distinct attribute with others, neither here nor upstream.
    if before.contains("distinct[") {
        return Ok(());
    }
    round_trip::same("bytecode gives other IR", &format!("version {version}"), &before, &after)?;
    match written(cx, &again, version)? {
        Some(second) if second == bytes => Ok(()),
        _ => fault("writing again gives other bytes", &before),
    }
}

/// `module` as bytecode; nothing where this version has no place for something in it.
fn written(cx: &Context, module: &Arena, version: u32) -> Result<Option<Vec<u8>>, Finding> {
    let options = WriteOptions { version, ..WriteOptions::default() };
    let mut bytes = Vec::new();
    let result = write_bytecode(OpRef::root(cx, module), &[], &options, &mut bytes);
    match result.expect("a vector takes everything") {
        Ok(()) => Ok(Some(bytes)),
        Err(_) if version < VERSION => Ok(None),
        Err(error) => Err(Finding::new("IR that verifies cannot be written", error.message)),
    }
}
