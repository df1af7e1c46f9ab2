//! Which operations have a meaning when run: all of the dialects with full semantics, but for those listed here with the reason.

mod support;

use std::collections::BTreeSet;

use dl_ir::interp::Interpret;

/// What has none, by name or by what names begin with, and why.
const WITHOUT: [(&str, &[&str]); 3] = [
    (
        "a declaration, or a part that the operation around it looks at: a run never comes to it",
        &[
            "builtin.module",
            "func.func",
            "memref.global",
            "llvm.func",
            "llvm.mlir.global",
            "llvm.mlir.alias",
            "llvm.mlir.ifunc",
            "llvm.module_flags",
            "llvm.linker_options",
            "llvm.comdat",
        ],
    ),
    (
        "addresses are not numbers",
        &[
            "memref.extract_aligned_pointer_as_index",
            "llvm.inttoptr",
            "llvm.ptrtoint",
            "llvm.intr.ptrmask",
            "llvm.intr.vp.inttoptr",
            "llvm.intr.vp.ptrtoint",
        ],
    ),
    (
        "code of another kind: of a processor, of exceptions, of coroutines, of variable arguments",
        &[
            "llvm.inline_asm",
            "llvm.call_intrinsic",
            "llvm.invoke",
            "llvm.landingpad",
            "llvm.resume",
            "llvm.intr.eh.",
            "llvm.intr.coro.",
            "llvm.intr.va",
            "llvm.va_arg",
            "llvm.mlir.none",
        ],
    ),
];

#[test]
fn every_operation_has_a_meaning_or_a_reason() {
    let cx = support::context();
    let without = cx.ops().filter(|op| op.interface::<dyn Interpret>().is_none());
    let without: BTreeSet<&str> = without.map(|op| &*op.name).collect();
    let listed = || WITHOUT.iter().flat_map(|(_, names)| names.iter());
    let missing: Vec<_> = without.iter().filter(|op| !listed().any(|name| op.starts_with(name))).collect();
    let stale: Vec<_> = listed().filter(|name| !without.iter().any(|op| op.starts_with(**name))).collect();
    assert!(missing.is_empty() && stale.is_empty(), "without a meaning: {missing:?}; listed, but not: {stale:?}");
}
