//! What is said of the memory accesses of a function that is inlined.

use dl_ir::interfaces::FunctionOp;
use dl_ir::location::LocData;
use dl_ir::{Attr, AttrData, AttrRef, BlockId, Context, OpId, OpRef, Rewriter};
use rustc_hash::FxHashMap;

use crate::NoAliasScopeDeclOp;
use crate::interfaces::subprogram;

const SCOPE: &str = "llvm.alias_scope";
const LOOP: &str = "loop_annotation";

/// All operations in `blocks`, nested ones included.
fn ops_in(rw: &Rewriter<'_>, blocks: &[BlockId]) -> Vec<OpId> {
    let all = blocks.iter().flat_map(|&block| rw.block(block).ops());
    all.flat_map(dl_ir::walk::pre_order).map(OpRef::id).collect()
}

/// Scopes hold for one execution of the body: the copy gets scopes, and domains, of its own.
pub(super) fn renew_scopes(rw: &mut Rewriter<'_>, blocks: &[BlockId]) {
    let cx = rw.cx();
    let mut renewed: FxHashMap<Attr, Attr> = FxHashMap::default();
    let mut renew = |scope: AttrRef<'_>| {
        let domain = domain(scope).map(|old| *renewed.entry(old.id()).or_insert_with(|| with_fresh_id(cx, old, None)));
        *renewed.entry(scope.id()).or_insert_with(|| with_fresh_id(cx, scope, domain))
    };
    for op in ops_in(rw, blocks) {
        if let Some(scope) = rw.op(op).cast::<NoAliasScopeDeclOp<'_>>().map(|declared| renew(declared.scope())) {
            rw.set_attr(op, cx.ident("scope"), scope);
        }
        for name in ["alias_scopes", "noalias_scopes"] {
            if let Some(scopes) = rw.op(op).attr(name) {
                let scopes: Vec<Attr> = scopes.elements().map(&mut renew).collect();
                rw.set_attr(op, cx.ident(name), cx.array_attr(&scopes));
            }
        }
    }
}

/// The domain of a scope.
fn domain(scope: AttrRef<'_>) -> Option<AttrRef<'_>> {
    let domain = scope.params().get(1).filter(|_| scope.is_dialect_attr(SCOPE))?;
    Some(scope.cx().attr(*domain))
}

/// A scope or domain like `attr` that is equal to no other; the scope is in `domain`.
fn with_fresh_id(cx: &Context, attr: AttrRef<'_>, domain: Option<Attr>) -> Attr {
    let AttrData::Dialect { name, params } = attr.data() else { return attr.id() };
    let mut params = params.to_vec();
    params[0] = cx.intern_attr(AttrData::Distinct { id: cx.fresh_distinct(), referenced: cx.unit_attr() });
    if let Some(domain) = domain {
        params[1] = domain;
    }
    cx.dialect_attr(cx.str(*name), &params)
}

/// What is said of the accesses of the call holds for each access of the body.
pub(super) fn extend(rw: &mut Rewriter<'_>, call: OpId, blocks: &[BlockId]) {
    let cx = rw.cx();
    let lists = [
        ("access_groups", "AccessGroupOpInterface"),
        ("alias_scopes", "AliasAnalysisOpInterface"),
        ("noalias_scopes", "AliasAnalysisOpInterface"),
    ];
    for (name, interface) in lists {
        let Some(added) = rw.op(call).attr(name).map(AttrRef::id) else { continue };
        for op in ops_in(rw, blocks) {
            let view = rw.op(op);
            if view.names_interface(interface) {
                let own = view.attr(name).into_iter().flat_map(AttrRef::elements);
                let all: Vec<Attr> = own.chain(cx.attr(added).elements()).map(AttrRef::id).collect();
                rw.set_attr(op, cx.ident(name), cx.array_attr(&all));
            }
        }
    }
}

/// Where loops of the body begin and end is told as seen from the caller, if that is described.
pub(super) fn relocate_loops(rw: &mut Rewriter<'_>, call: OpId, blocks: &[BlockId]) {
    let cx = rw.cx();
    let call = rw.op(call);
    let mut around = std::iter::successors(call.parent(), |op| op.parent());
    let function = around.find(|op| op.interface::<dyn FunctionOp>().is_some());
    let (Some(subprogram), caller) = (function.and_then(subprogram), call.loc()) else { return };
    for op in ops_in(rw, blocks) {
        let Some(annotation) = rw.op(op).attr(LOOP).filter(|attr| attr.is_dialect_attr("llvm.loop_annotation")) else {
            continue;
        };
        let params = annotation.params().iter().map(|&param| match *cx.attr_data(param) {
            AttrData::Location(callee) => {
                let called = cx.intern_loc(LocData::CallSite { callee, caller });
                let fused = LocData::Fused { locs: [called].into(), metadata: Some(subprogram) };
                cx.intern_attr(AttrData::Location(cx.intern_loc(fused)))
            }
            _ => param,
        });
        let params: Vec<Attr> = params.collect();
        rw.set_attr(op, cx.ident(LOOP), cx.dialect_attr("llvm.loop_annotation", &params));
    }
}
