//! What the rewriter promises of use lists, block order, arguments, isolation and copies.

use dl_ir::text::{PrintOptions, parse_source, print_op};
use dl_ir::{Arena, Context, Definition, Mapping, OpId, OpRef, OpState, Rewriter, ValueId, clone_arena, clone_op};

fn context() -> Context {
    let mut cx = Context::new();
    cx.allow_unregistered(true);
    cx
}

fn parse(cx: &Context, text: &str) -> Box<Arena> {
    let source = cx.add_source("test.mlir", text.as_bytes());
    parse_source(cx, &source).unwrap_or_else(|d| panic!("{d:?}")).module
}

fn print(cx: &Context, ir: &Arena) -> String {
    let mut out = Vec::new();
    print_op(OpRef::root(cx, ir), &PrintOptions::default(), &mut out).expect("memory takes all");
    String::from_utf8(out).expect("the text form is ASCII")
}

/// The operation called `name`.
fn find(cx: &Context, ir: &Arena, name: &str) -> OpId {
    let root = OpRef::root(cx, ir);
    root.regions().flat_map(|r| r.ops()).find(|op| op.name() == name).expect("an operation of that name").id()
}

fn users(ir: &Arena, value: ValueId) -> Vec<(OpId, usize)> {
    let mut all: Vec<_> = ir.uses(value).collect();
    all.sort_unstable();
    all
}

#[test]
fn replacing_a_value_moves_all_its_uses() {
    let cx = context();
    let mut ir =
        parse(&cx, "%a = \"t.a\"() : () -> i32 %b = \"t.b\"() : () -> i32 \"t.c\"(%a, %b, %a) : (i32, i32, i32) -> ()");
    let (a, b, c) = (find(&cx, &ir, "t.a"), find(&cx, &ir, "t.b"), find(&cx, &ir, "t.c"));
    let (va, vb) = (ir.result(a, 0), ir.result(b, 0));
    assert_eq!(users(&ir, va), [(c, 0), (c, 2)]);
    Rewriter::new(&cx, &mut ir).replace_all_uses(va, vb);
    assert_eq!(users(&ir, va), []);
    assert_eq!(users(&ir, vb), [(c, 0), (c, 1), (c, 2)]);
    assert_eq!(ir.operands(c).collect::<Vec<_>>(), [vb, vb, vb]);
}

#[test]
fn erasing_frees_the_operands() {
    let cx = context();
    let mut ir = parse(&cx, "%a = \"t.a\"() : () -> i32 \"t.c\"(%a) ({ \"t.d\"(%a) : (i32) -> () }) : (i32) -> ()");
    let (a, c) = (find(&cx, &ir, "t.a"), find(&cx, &ir, "t.c"));
    let value = ir.result(a, 0);
    assert_eq!(users(&ir, value).len(), 2);
    Rewriter::new(&cx, &mut ir).erase(c);
    assert!(!ir.has_uses(value) && !ir.is_live(c));
    Rewriter::new(&cx, &mut ir).erase(a);
    assert_eq!(print(&cx, &ir), "module {\n}\n");
}

#[test]
fn setting_operands_keeps_both_use_lists() {
    let cx = context();
    let mut ir = parse(&cx, "%a, %b = \"t.a\"() : () -> (i32, i32) \"t.c\"(%a, %a) : (i32, i32) -> ()");
    let (def, c) = (find(&cx, &ir, "t.a"), find(&cx, &ir, "t.c"));
    let (a, b) = (ir.result(def, 0), ir.result(def, 1));
    let mut rw = Rewriter::new(&cx, &mut ir);
    rw.set_operand(c, 1, b);
    assert_eq!((users(rw.ir(), a), users(rw.ir(), b)), (vec![(c, 0)], vec![(c, 1)]));
    rw.set_operands(c, &[b, b, a]);
    assert_eq!((users(rw.ir(), a), users(rw.ir(), b)), (vec![(c, 2)], vec![(c, 0), (c, 1)]));
    rw.erase_operand(c, 1);
    assert_eq!(rw.ir().operands(c).collect::<Vec<_>>(), [b, a]);
}

#[test]
fn an_operation_is_replaced_in_its_place() {
    let cx = context();
    let text = "%a, %b = \"t.a\"() : () -> (i32, i32) %c = \"t.c\"(%a, %a) {k, l} : (i32, i32) -> i32 \"t.d\"(%c) : (i32) -> ()";
    let mut ir = parse(&cx, text);
    let [def, c, d] = ["t.a", "t.c", "t.d"].map(|name| find(&cx, &ir, name));
    let (a, b) = (ir.result(def, 0), ir.result(def, 1));
    let mut rw = Rewriter::new(&cx, &mut ir);
    // Fewer operands and attributes, another type.
    let state = OpState::named("t.less", dl_ir::Loc::UNKNOWN).operands([b]).attr(&cx, "z", cx.unit_attr());
    let less = rw.replace_with(c, state.results([cx.index_type()]));
    assert_eq!((users(rw.ir(), a), users(rw.ir(), b)), (vec![], vec![(less, 0)]));
    assert_eq!(users(rw.ir(), rw.ir().result(less, 0)), [(d, 0)]);
    // More of both.
    let state = OpState::named("t.more", dl_ir::Loc::UNKNOWN).operands([b, a, b]).results([cx.i32_type()]);
    let more = rw.replace_with(less, state.attr(&cx, "y", cx.unit_attr()).attr(&cx, "x", cx.unit_attr()));
    assert_eq!((users(rw.ir(), a), users(rw.ir(), b)), (vec![(more, 1)], vec![(more, 0), (more, 2)]));
    assert!(rw.ir().is_before_in_block(def, more) && rw.ir().is_before_in_block(more, d));
    rw.create(OpState::named("t.after", dl_ir::Loc::UNKNOWN));
    let expected = "module {\n  %0:2 = \"t.a\"() : () -> (i32, i32)\n  %1 = \"t.more\"(%0#1, %0#0, %0#1) {x, y} : (i32, i32, i32) -> i32\n  \
                    \"t.after\"() : () -> ()\n  \"t.d\"(%1) : (i32) -> ()\n}\n";
    assert_eq!(print(&cx, &ir), expected);
    assert_eq!(ir.num_op_slots(), 5, "the module, three operations and one after");
}

#[test]
fn what_does_not_fit_into_the_place_is_made_anew() {
    let cx = context();
    let mut ir = parse(&cx, "%a = \"t.a\"() ({ \"t.in\"() : () -> () }) : () -> i32 \"t.d\"(%a) : (i32) -> ()");
    let [a, d] = ["t.a", "t.d"].map(|name| find(&cx, &ir, name));
    let mut rw = Rewriter::new(&cx, &mut ir);
    let new = rw.replace_with(a, OpState::named("t.b", dl_ir::Loc::UNKNOWN).results([cx.i32_type()]));
    assert!(new != a && !rw.ir().is_live(a));
    assert_eq!(users(rw.ir(), rw.ir().result(new, 0)), [(d, 0)]);
    let region = rw.new_region();
    let state = OpState::named("t.c", dl_ir::Loc::UNKNOWN).region(region).results([cx.i32_type()]);
    let newer = rw.replace_with(new, state);
    assert!(newer != new && !rw.ir().is_live(new));
    let expected = "module {\n  %0 = \"t.c\"() ({\n  }) : () -> i32\n  \"t.d\"(%0) : (i32) -> ()\n}\n";
    assert_eq!(print(&cx, &ir), expected);
}

#[test]
fn order_in_a_block_follows_moves() {
    let cx = context();
    let mut ir = parse(&cx, "\"t.a\"() : () -> () \"t.b\"() : () -> () \"t.c\"() : () -> ()");
    let [a, b, c] = ["t.a", "t.b", "t.c"].map(|name| find(&cx, &ir, name));
    assert!(ir.is_before_in_block(a, b) && ir.is_before_in_block(b, c) && !ir.is_before_in_block(c, a));
    let mut rw = Rewriter::new(&cx, &mut ir);
    rw.move_before(c, a);
    assert!(rw.ir().is_before_in_block(c, a) && !rw.ir().is_before_in_block(b, a));
    rw.move_after(c, b);
    assert!(rw.ir().is_before_in_block(b, c));
    rw.move_after(b, a);
    assert!(rw.ir().is_before_in_block(a, b) && rw.ir().is_before_in_block(b, c));
}

#[test]
fn block_arguments_keep_their_identity() {
    let cx = context();
    let mut ir = parse(&cx, "\"t.r\"() ({ ^bb0(%a: i32, %b: i64): \"t.use\"(%b) : (i64) -> () }) : () -> ()");
    let region = ir.op_regions(find(&cx, &ir, "t.r"))[0];
    let block = ir.entry_block(region).expect("a block");
    let (a, b) = (ir.block_args(block)[0], ir.block_args(block)[1]);
    let mut rw = Rewriter::new(&cx, &mut ir);
    let new = rw.insert_block_arg(block, 1, cx.index_type());
    assert_eq!(rw.ir().block_args(block), [a, new, b]);
    assert_eq!((rw.value(b).index(), rw.ir().definition(b)), (2, Definition::Argument(block)));
    rw.erase_block_arg(block, 0);
    assert_eq!((rw.ir().block_args(block), rw.value(b).index()), (&[new, b][..], 1));
}

#[test]
fn splitting_and_inlining_blocks_undo_each_other() {
    let cx = context();
    let text =
        "module {\n  \"t.r\"() ({\n    %0 = \"t.a\"() : () -> i32\n    \"t.b\"(%0) : (i32) -> ()\n  }) : () -> ()\n}\n";
    let mut ir = parse(&cx, text);
    let region = ir.op_regions(find(&cx, &ir, "t.r"))[0];
    let block = ir.entry_block(region).expect("a block");
    let second = ir.last_op(block).expect("two operations");
    let mut rw = Rewriter::new(&cx, &mut ir);
    let tail = rw.split_block(second);
    assert_eq!((rw.ir().region_blocks(region).count(), rw.ir().block_ops(tail).count()), (2, 1));
    rw.inline_block(tail, dl_ir::InsertPoint { block, before: None }, &[]);
    assert_eq!(print(&cx, &ir), text);
}

#[test]
fn the_head_of_a_split_block_takes_arguments_and_branches() {
    let cx = context();
    let text = "\"t.r\"() ({ \"t.br\"()[^x] : () -> () ^x(%a: i32): %0 = \"t.p\"(%a) : (i32) -> i32 \"t.q\"(%0, %a) : (i32, i32) -> () \
                \"t.br\"()[^x] : () -> () }) : () -> ()";
    let mut ir = parse(&cx, text);
    let region = ir.op_regions(find(&cx, &ir, "t.r"))[0];
    let rest = ir.region_blocks(region).nth(1).expect("two blocks");
    let at = ir.block_ops(rest).nth(1).expect("three operations");
    let mut rw = Rewriter::new(&cx, &mut ir);
    rw.set_insertion_before(at);
    let head = rw.split_block_before(at);
    assert_eq!(rw.insertion_point(), Some(dl_ir::InsertPoint { block: rest, before: Some(at) }));
    assert_eq!(rw.ir().region_blocks(region).skip(1).collect::<Vec<_>>(), [head, rest]);
    assert_eq!((rw.ir().block_args(head).len(), rw.ir().block_args(rest).len()), (1, 0));
    assert_eq!((rw.ir().predecessor_ops(head).count(), rw.ir().predecessor_ops(rest).count()), (2, 0));
    assert_eq!(rw.ir().definition(rw.ir().block_args(head)[0]), dl_ir::Definition::Argument(head));
    let names = |block| rw.ir().block_ops(block).map(|op| rw.op(op).name()).collect::<Vec<_>>();
    assert_eq!((names(head), names(rest)), (vec!["t.p"], vec!["t.q", "t.br"]));
    // The first operation of a block leaves an empty head.
    let first = rw.ir().block_ops(rest).next().expect("an operation");
    let empty = rw.split_block_before(first);
    assert_eq!((rw.ir().block_ops(empty).count(), rw.ir().block_ops(rest).count()), (0, 2));
}

#[test]
fn predecessors_follow_successors() {
    let cx = context();
    let text =
        "\"t.r\"() ({ \"t.br\"()[^x, ^y] : () -> () ^x: \"t.e\"() : () -> () ^y: \"t.e\"() : () -> () }) : () -> ()";
    let mut ir = parse(&cx, text);
    let region = ir.op_regions(find(&cx, &ir, "t.r"))[0];
    let blocks: Vec<_> = ir.region_blocks(region).collect();
    let branch = ir.last_op(blocks[0]).expect("a branch");
    assert_eq!(ir.predecessor_ops(blocks[2]).collect::<Vec<_>>(), [(branch, 1)]);
    Rewriter::new(&cx, &mut ir).set_successor(branch, 1, blocks[1]);
    assert_eq!(ir.predecessor_ops(blocks[2]).count(), 0);
    assert_eq!(ir.predecessor_ops(blocks[1]).map(|(_, i)| i).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn an_isolated_operation_owns_what_it_holds() {
    let cx = context();
    let mut ir = parse(&cx, "module @inner { \"t.a\"() : () -> () } \"t.b\"() : () -> ()");
    let inner = find(&cx, &ir, "builtin.module");
    let view = OpRef::new(&cx, &ir, inner);
    assert!(view.is_stub() && !std::ptr::eq(view.body().arena(), view.arena()));
    assert_eq!((view.symbol_name(), view.region(0).ops().count()), (Some("inner"), 1));
    let mut rw = Rewriter::new(&cx, &mut ir);
    rw.set_attr(inner, cx.ident("sym_name"), cx.string_attr("renamed"));
    let mut nested = rw.enter(inner).expect("a nested arena");
    let block = nested.op(Arena::ROOT).region(0).entry().expect("a block").id();
    nested.set_insertion_to_end(block);
    nested.create(OpState::named("t.c", dl_ir::Loc::UNKNOWN));
    let expected = "module {\n  module @renamed {\n    \"t.a\"() : () -> ()\n    \"t.c\"() : () -> ()\n  }\n  \"t.b\"() : () -> ()\n}\n";
    assert_eq!(print(&cx, &ir), expected);
    let taken = Rewriter::new(&cx, &mut ir).take_child(inner).expect("the nested arena");
    assert_eq!(print(&cx, &ir), "module {\n  \"t.b\"() : () -> ()\n}\n");
    assert!(print(&cx, &taken).starts_with("module @renamed {"));
}

#[test]
fn a_copy_is_independent_and_equal() {
    let cx = context();
    let text = "module {\n  \"t.loop\"() ({\n    \"t.br\"(%1)[^bb1] : (i32) -> ()\n  ^bb1:  // pred: ^bb0\n    \"t.end\"() : () -> ()\n  }) : () -> ()\n  module {\n    \"t.x\"() {n = 1 : i32} : () -> ()\n  }\n  %1 = \"t.a\"() : () -> i32\n}\n";
    let ir = parse(&cx, &text.replace("%1", "%0"));
    let before = print(&cx, &ir);
    let mut copy = clone_arena(&cx, &ir);
    assert_eq!(print(&cx, &copy), before);
    let op = find(&cx, &copy, "t.loop");
    let mut rw = Rewriter::new(&cx, &mut copy);
    rw.set_insertion_after(op);
    clone_op(&mut rw, op, &mut Mapping::new());
    assert_eq!(OpRef::root(&cx, &copy).region(0).ops().filter(|op| op.name() == "t.loop").count(), 2);
    assert_eq!(print(&cx, &ir), before);
}

#[test]
fn deep_nesting_of_isolated_operations_is_dropped_without_recursion() {
    let cx = context();
    let mut ir = Box::new(Arena::new(cx.op_name("builtin.module"), dl_ir::Loc::UNKNOWN));
    for _ in 0..100_000 {
        let mut outer = Box::new(Arena::new(cx.op_name("builtin.module"), dl_ir::Loc::UNKNOWN));
        let mut rw = Rewriter::new(&cx, &mut outer);
        let region = rw.add_region(Arena::ROOT);
        let block = rw.append_block(region, &[]);
        rw.set_insertion_to_end(block);
        rw.insert_child(ir, &[], &[]);
        ir = outer;
    }
    assert_eq!(ir.children().count(), 1);
    drop(ir);
}
