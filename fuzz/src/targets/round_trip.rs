//! The target `round-trip`: printing and parsing are inverse.

use dl_ir::text::{PrintOptions, print_op};
use dl_ir::{Arena, AttrRef, Context, OpRef, Trait, TypeRef, walk};

use super::{Checked, Finding, parse_verified};
use crate::Lab;

/// What the pretty forms of upstream add when they are read, in generic form: defaults that need not be written.
const ADDED: [&str; 4] = [
    ", unnamed_addr = 0 : i64",
    ", static_num_threads = array<i64>",
    ", static_tile_sizes = array<i64>",
    ", workgroup_attributions = 0 : i64",
];

/// Operations of `linalg` whose regions the pretty form shows. The others are printed without, and get their usual regions when they
/// are read.
const SHOWN: [&str; 5] = ["linalg.generic", "linalg.map", "linalg.reduce", "linalg.index", "linalg.yield"];

/// Terminators that the pretty form of the operation around leaves out.
const IMPLIED: [&str; 4] = ["affine.yield", "scf.forall.in_parallel", "scf.reduce", "scf.yield"];

/// Operations whose affine maps the pretty form writes with their operands in place, where equal ones become one.
const INLINED: [&str; 7] = [
    "affine.dma_start",
    "affine.dma_wait",
    "affine.load",
    "affine.parallel",
    "affine.prefetch",
    "affine.store",
    "affine.vector_",
];

/// Tells types apart.
type OfType = fn(TypeRef<'_>) -> bool;

/// Operations, attributes of theirs that the pretty form writes as a list of numbers, and whether a type is what such a list has when it is read.
const NUMBERS: [(&str, &str, OfType); 2] =
    [("cf.switch", "case_values", |ty| ty.is_vector()), ("shape.const_shape", "shape", |ty| ty.is_ranked_tensor())];

/// Operations, and sizes of theirs that need not be given.
const SIZES: [(&str, &str); 2] = [
    ("transform.structured.tile_using_for", "static_sizes"),
    ("transform.structured.vectorize", "static_vector_sizes"),
];

/// Operations that name some of their operands in braces, and the names. Where there are none, attributes in braces are taken for them, by upstream as well.
const NAMED: [(&str, &str); 2] =
    [("pdl.operation", "attributeValueNames"), ("pdl_interp.create_operation", "inputAttributeNames")];

/// Calls, whose arguments and results may have attributes.
const CALLS: [&str; 4] = ["func.call", "llvm.call", "llvm.call_intrinsic", "llvm.invoke"];

/// Whether the pretty form of `op`, which is upstream's, does not say all that the generic form says.
fn is_abridged(op: OpRef<'_>) -> bool {
    let name = op.name();
    name.starts_with("linalg.") && op.num_regions() > 0 && !SHOWN.contains(&name)
        // Without an accumulator, attributes are left out.
        || name == "vector.outerproduct" && op.num_operands() < 3
        // Sizes that nobody gave are an empty list when they are read.
        || SIZES.iter().any(|&(of, sizes)| name == of && op.attr(sizes).is_none())
        // Numbers are printed without their type, and are of the usual one when they are read.
        || NUMBERS.iter().any(|&(of, attr, is_usual)| name == of && !op.attr(attr).and_then(AttrRef::ty).is_none_or(is_usual))
        // The names of symbols are printed without their types.
        || ["sym_name", "sym_visibility"].iter().any(|name| op.attr(name).is_some_and(|text| text.is_string() && text.ty().is_some()))
        // Attributes of memory that the function does not have are not printed.
        || name == "gpu.func" && ["private_attrib_attrs", "workgroup_attrib_attrs"].iter().any(|list| op.attr(list).is_some())
        // An alignment of zero, which is as good as none, is not printed.
        || name == "llvm.alloca" && op.attr("alignment").and_then(AttrRef::as_int) == Some(0)
        // Parameters among options are numbered anew, in their order and with the usual type, when they are read.
        || name == "transform.apply_registered_pass" && op.num_operands() > 1
        // Bounds that are the constants 0 and 1 need not be said.
        || name == "scf.forall" && op.attr("operandSegmentSizes").is_some_and(has_first_or_third)
        // Nobody chose how an object is selected: the first one is when it is read.
        || name == "gpu.binary" && op.attr("offloadingHandler").is_none()
        // A terminator without operands is not printed, nor are its attributes.
        || IMPLIED.contains(&name) && op.num_operands() == 0 && op.attrs().len() > 0
        // Arguments and results are printed without attributes where none has any.
        || ["arg_attrs", "res_attrs"].iter().any(|list| op.attr(list).is_some_and(is_blank))
        // And calls without arguments or results without attributes of any.
        || CALLS.contains(&name) && op.num_operands() == 0 && op.attr("arg_attrs").is_some()
        || CALLS.contains(&name) && op.num_results() == 0 && op.attr("res_attrs").is_some()
        || INLINED.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether there are operands of the first group or of the third: lower bounds and steps.
fn has_first_or_third(segments: AttrRef<'_>) -> bool {
    segments.dense_ints().step_by(2).take(2).any(|count| count > 0)
}

/// Whether a list of attributes of values has none.
fn is_blank(list: AttrRef<'_>) -> bool {
    list.elements().all(|attrs| attrs.entries().is_empty())
}

/// Whether `op` has a map among its operands, as upstream prints it, that two of them come together in when it is read: `%i + %i` is `%i * 2` then.
fn is_merged(op: OpRef<'_>) -> bool {
    let operands = op.operands().ids();
    let repeats = operands.iter().enumerate().any(|(at, operand)| operands[..at].contains(operand));
    repeats && INLINED.iter().any(|prefix| op.name().starts_with(prefix))
}

/// Whether the pretty form of `op` ends where a string may follow, which the name of the next operation in generic form is taken for, by upstream as
/// well.
fn runs_on(op: OpRef<'_>) -> bool {
    let is_open = op.name() == "irdl.base" && op.attr("base_name").is_none() && op.attrs().len() == 1;
    is_open && op.next().is_some_and(|next| next.num_results() == 0 && !next.info().is_registered())
}

/// Whether the attributes of `op` are taken for operands when its pretty form is read.
fn is_taken_for_operands(op: OpRef<'_>) -> bool {
    let has_no_names = |names| op.attr(names).is_none_or(|names| names.elements().next().is_none());
    NAMED.iter().any(|&(of, names)| op.name() == of && has_no_names(names)) && op.discardable_attrs().next().is_some()
}

/// Whether values of `op` differ in their types, as in sizes that are not known, while its pretty form shows one for all of them, by upstream as well.
fn shows_one_of_their_types(op: OpRef<'_>) -> bool {
    let (operands, results) = (op.operands().types(), op.results().types());
    let first = operands.first().or(results.first());
    let results_differ = results.iter().any(|ty| Some(ty) != first);
    let differ = results_differ || operands.iter().any(|ty| Some(ty) != first);
    op.has_trait(&Trait::SameOperandsAndResultType) && differ
        || op.name() == "transform.structured.split" && results_differ
}

/// Whether `op` chooses among its regions by a number and by a parameter as well; upstream prints them with nothing in between.
fn chooses_twice(op: OpRef<'_>) -> bool {
    op.name() == "transform.tune.alternatives" && op.num_operands() > 0 && op.attr("selected_region_attr").is_some()
}

/// Whether `op` has a region with a block in which there is nothing: upstream as well prints no block, and reads none.
fn loses_its_block(op: OpRef<'_>) -> bool {
    op.name() == "llvm.comdat" && op.regions().all(|region| region.ops().next().is_none())
}

/// Whether the pretty form of `op`, which is upstream's, says something else than the generic form when it is read, or nothing.
fn is_ambiguous(op: OpRef<'_>) -> bool {
    loses_its_block(op) || runs_on(op) || is_taken_for_operands(op) || shows_one_of_their_types(op) || chooses_twice(op)
}

/// A sum of which what is added begins with what is taken away, as a difference: upstream prints the one and reads it as the other.
fn as_differences(text: &str) -> String {
    text.replace(" + -(", " - (")
}

/// Verified IR comes back from every printed form.
pub(super) fn run(lab: &mut Lab, input: &[u8]) -> Checked {
    let (bench, _) = lab.bench(input);
    match parse_verified(&bench.cx, input)? {
        Ok(module) => check(&bench.cx, &module),
        Err(_) => Ok(()),
    }
}

/// `module`, which verifies, comes back from every printed form.
pub(super) fn check(cx: &Context, module: &Arena) -> Checked {
    let pretty = PrintOptions { assume_verified: true, ..PrintOptions::default() };
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    let meaning = |module: &Arena| {
        ADDED.iter().fold(as_differences(&text(cx, module, &generic)), |text, added| text.replace(added, ""))
    };
    let before = meaning(module);
    let abridged = walk::pre_order(OpRef::root(cx, module)).any(is_abridged);
    let is_ambiguous = walk::pre_order(OpRef::root(cx, module)).any(is_ambiguous);
    let merged = walk::pre_order(OpRef::root(cx, module)).any(is_merged);
    let forms = [
        ("the generic form", generic.clone()),
        ("the pretty form", pretty.clone()),
        ("the pretty form with locations", PrintOptions { debug_info: true, ..pretty }),
        ("the generic form without aliases", PrintOptions { local_scope: true, debug_info: true, ..generic.clone() }),
    ];
    for (form, options) in forms.into_iter().filter(|(_, options)| options.generic || !is_ambiguous) {
        let first = text(cx, module, &options);
        let again = match parse_verified(cx, first.as_bytes())? {
            Ok(again) => again,
            Err(errors) => {
                return Err(Finding::new("what was printed is rejected", format!("{form}:\n{first}\n{errors}")));
            }
        };
        if options.generic || !merged {
            let second = as_differences(&text(cx, &again, &options));
            same("printing again gives another text", form, &as_differences(&first), &second)?;
        }
        if options.generic || !abridged {
            same("parsing back gives other IR", form, &before, &meaning(&again))?;
        }
    }
    Ok(())
}

/// `module` as text.
pub(super) fn text(cx: &Context, module: &Arena, options: &PrintOptions) -> String {
    let mut out = Vec::new();
    print_op(OpRef::root(cx, module), options, &mut out).expect("a vector takes everything");
    String::from_utf8_lossy(&out).into_owned()
}

/// That two texts are the same.
pub(super) fn same(what: &'static str, form: &str, first: &str, second: &str) -> Checked {
    if first == second {
        return Ok(());
    }
    let shown = |text: &str| text.lines().take(200).collect::<Vec<_>>().join("\n");
    let differs = first.lines().zip(second.lines()).find(|(a, b)| a != b);
    let (a, b) = differs.unwrap_or(("(one ends before the other)", ""));
    Err(Finding::new(what, format!("{form}:\n- {a}\n+ {b}\nbefore:\n{}\nafter:\n{}", shown(first), shown(second))))
}
