//! Linux gives a process matrix registers only when it asks for them, as they make what is saved of a thread several times as large. A program that
//! uses them asks before it does, once; where that is refused it says so and ends.

use dl_ir::pass::PassCx;
use dl_ir::text::parse_source;
use dl_ir::{Arena, Loc, OpId, OpRef, OpState, Rewriter};
use dl_llvm::CallOp;

/// The function that asks.
const REQUEST: &str = "dl_request_matrix_registers";

/// It, what it keeps, and what it calls. The system call is `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`.
const TEXT: &str = r#"
llvm.mlir.global internal @dl_has_matrix_registers(0 : i8) : i8
llvm.mlir.global internal constant @dl_no_matrix_registers("the matrix registers of the CPU (AMX) cannot be used\00")
llvm.func @syscall(i64, ...) -> i64
llvm.func @perror(!llvm.ptr)
llvm.func @abort()
llvm.func internal @dl_request_matrix_registers() {
  %zero = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %arch_prctl = llvm.mlir.constant(158 : i64) : i64
  %request = llvm.mlir.constant(4131 : i64) : i64
  %tiles = llvm.mlir.constant(18 : i64) : i64
  %success = llvm.mlir.constant(0 : i64) : i64
  %flag = llvm.mlir.addressof @dl_has_matrix_registers : !llvm.ptr
  %has = llvm.load %flag : !llvm.ptr -> i8
  %lacks = llvm.icmp "eq" %has, %zero : i8
  llvm.cond_br %lacks, ^ask, ^done
^ask:
  %error = llvm.call @syscall(%arch_prctl, %request, %tiles) vararg(!llvm.func<i64 (i64, ...)>) : (i64, i64, i64) -> i64
  %granted = llvm.icmp "eq" %error, %success : i64
  llvm.cond_br %granted, ^granted, ^refused
^granted:
  llvm.store %one, %flag : i8, !llvm.ptr
  llvm.br ^done
^refused:
  %text = llvm.mlir.addressof @dl_no_matrix_registers : !llvm.ptr
  llvm.call @perror(%text) : (!llvm.ptr) -> ()
  llvm.call @abort() : () -> ()
  llvm.unreachable
^done:
  llvm.return
}
"#;

/// Asks at the start of a function.
pub(super) fn request(rw: &mut Rewriter<'_>) {
    let cx = rw.cx();
    let Some(block) = rw.op(Arena::ROOT).regions().next().and_then(|region| region.entry()) else { return };
    let (block, loc) = (block.id(), rw.op(Arena::ROOT).loc());
    rw.set_insertion_to_start(block);
    let state = OpState::of::<CallOp<'_>>(loc)
        .attr(cx, "callee", cx.symbol_ref_attr(REQUEST))
        .attr(cx, "op_bundle_sizes", cx.dense_i32_array(&[]))
        .operand_segments(cx, &[0, 0]);
    rw.create(state);
}

/// Defines what asks at the end of the module, but for what is there.
///
/// # Panics
/// When the text of the function is wrong.
pub(super) fn define(cx: &mut PassCx<'_>) {
    let ctx = cx.ctx;
    let source = ctx.add_source("convert-vector-to-amx", TEXT.as_bytes());
    let mut parsed = parse_source(ctx, &source).expect("the text of a function is right").module;
    let names = |module: &Arena| -> Vec<(OpId, String)> {
        let ops = OpRef::root(ctx, module).regions().flat_map(|region| region.ops());
        ops.filter_map(|op| Some((op.id(), op.symbol_name()?.to_owned()))).collect()
    };
    let taken = names(cx.ir);
    for (op, name) in names(&parsed) {
        if taken.iter().any(|(_, other)| *other == name) {
            continue;
        }
        let mut body = Rewriter::new(ctx, &mut parsed).take_child(op).expect("functions are isolated");
        for op in dl_ir::walk::ops_in_arena(&body, Arena::ROOT) {
            Rewriter::new(ctx, &mut body).set_loc(op, Loc::UNKNOWN);
        }
        Rewriter::new(ctx, &mut body).forget_arg_locs();
        let mut rw = cx.rewriter();
        if let Some(block) = rw.op(Arena::ROOT).region(0).entry().map(|block| block.id()) {
            rw.set_insertion_to_end(block);
            rw.insert_child(body, &[], &[]);
        }
    }
}
