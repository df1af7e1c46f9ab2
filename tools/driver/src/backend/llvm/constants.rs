//! Large constants of a lowered program, apart from it.

use dl_codegen_llvm::Constant;
use dl_ir::{Arena, AttrData, AttrRef, Context, OpDefinition, OpId, OpRef, Rewriter};
use dl_llvm::{GlobalOp, Linkage};

/// Bytes from which on a constant is kept apart. In smaller ones LLVM may look for values to fold.
const LARGE: usize = 1 << 10;
/// What the code may count on where the program says nothing.
const ALIGNMENT: usize = 64;

/// Takes the large constants out of a module: their globals become declarations.
pub(crate) fn take(cx: &Context, module: &mut Arena) -> Vec<Constant> {
    let globals: Vec<OpId> = {
        let root = OpRef::root(cx, module);
        root.regions().flat_map(|region| region.ops()).map(|op| op.id()).collect()
    };
    let (value, linkage, alignment) = (cx.ident("value"), cx.ident("linkage"), cx.ident("alignment"));
    let external = cx.dialect_attr("llvm.linkage", &[cx.i64_attr(Linkage::External.value() as i64)]);
    let mut taken = Vec::new();
    for global in globals {
        let Some(constant) = constant(OpRef::new(cx, module, global)) else { continue };
        let mut rw = Rewriter::new(cx, module);
        rw.remove_attr(global, value);
        rw.set_attr(global, linkage, external);
        rw.set_attr(global, alignment, cx.i64_attr(i64::try_from(constant.alignment).unwrap_or(1)));
        taken.push(constant);
    }
    taken
}

/// The constant that a global is, if it is large, nobody outside of the module sees it, and its elements lie in memory as in the attribute.
fn constant(op: OpRef<'_>) -> Option<Constant> {
    let is_set = |name: &str| op.attr(name).is_some();
    let plain = op.name() == GlobalOp::NAME
        && is_set("constant")
        && !["thread_local_", "externally_initialized", "section", "comdat"].into_iter().any(is_set)
        && op.attr("addr_space").and_then(AttrRef::as_int).unwrap_or(0) == 0;
    let linkage = op.cx().attr(*op.attr("linkage")?.params().first()?).as_int()?;
    let hidden = [Linkage::Private, Linkage::Internal].iter().any(|hidden| hidden.value() as i64 == linkage);
    if !plain || !hidden {
        return None;
    }
    let value = op.attr("value")?;
    let AttrData::DenseElements { data, .. } = value.data() else { return None };
    let element = value.dense_element()?;
    let lies_as_there = element.count == 1 && [1, 8, 16, 32, 64].contains(&element.bits);
    if data.is_splat() || data.bytes().len() < LARGE || !lies_as_there {
        return None;
    }
    let alignment = op.attr("alignment").and_then(AttrRef::as_int).and_then(|bytes| usize::try_from(bytes).ok());
    Some(Constant {
        name: op.symbol_name()?.to_owned(),
        bytes: data.shared(),
        element: element.bytes(),
        alignment: alignment.filter(|bytes| bytes.is_power_of_two()).unwrap_or(ALIGNMENT),
    })
}
