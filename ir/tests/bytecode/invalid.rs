//! Files with one thing wrong each, and what is said of it.

use std::borrow::Cow;

use dl_ir::bytecode::{AttrEncoding, FieldEncoding};
use dl_ir::dialect::{Dialect, DialectBuilder};
use dl_ir::opdef::{EnumDef, EnumStorage};
use dl_ir::text::ParamHook;
use dl_ir::typedef::{AttrDefinition, ParamDef, ParamKind};

use super::assemble::{
    DIALECTS, ENTRIES, File, HAS_ATTRS, HAS_OPERANDS, HAS_PROPERTIES, HAS_REGIONS, HAS_RESULTS, HAS_SUCCESSORS,
    HAS_USE_LISTS, IR, OFFSETS, PROPERTIES, RESOURCE_OFFSETS, RESOURCES, STRINGS, block, module_with_values, op,
    section, strings, v, vs,
};
use super::{context, load, text};

/// The message, without its notes.
fn message(bytes: &[u8]) -> String {
    let cx = context();
    let error = match load(&cx, bytes) {
        Ok(parsed) => return format!("no error: {}", text(&cx, &parsed)),
        Err(error) => error,
    };
    error.lines().next().unwrap_or_default().to_owned()
}

#[track_caller]
fn check(file: &File, expected: &str) {
    assert_eq!(message(&file.bytes()), expected);
}

#[test]
fn the_file_by_itself_is_valid() {
    let cx = context();
    let parsed = load(&cx, &File::module().bytes()).unwrap();
    assert_eq!(text(&cx, &parsed), "\"builtin.module\"() ({\n^bb0:\n}) : () -> () loc(#loc)\n#loc = loc(unknown)\n");
    let with_op = File::module().with_block(&block(&[op(0, &[])]));
    assert!(text(&cx, &load(&cx, &with_op.bytes()).unwrap()).contains("\"t.op\"() : () -> ()"));
}

#[test]
fn notes_say_where_and_by_whom() {
    let cx = context();
    let mut bytes = File::module().bytes();
    bytes.push(4);
    let error = load(&cx, &bytes).err().unwrap();
    let place = format!("at byte {0} of {0}", bytes.len());
    let notes = format!("{place}\nin bytecode version 6 produced by: hand\n");
    assert_eq!(error, format!("attempting to parse a byte at the end of the bytecode\n{notes}"));
}

#[test]
fn headers() {
    assert_eq!(message(b"ML\xefR"), "attempting to parse a byte at the end of the bytecode");
    let newer = File { version: 7, ..File::module() };
    check(&newer, "bytecode version 7 is newer than the current version 6");
    assert_eq!(message(b"ML\xefR\x0dhand"), "malformed null-terminated string, no null character found");
    assert_eq!(message(b"ML\xefR\x0dhand\0"), "missing data for top-level section: String (0)");
}

#[test]
fn sections() {
    let file = File::module();
    for (code, name) in [
        (STRINGS, "String (0)"),
        (DIALECTS, "Dialect (1)"),
        (ENTRIES, "AttrType (2)"),
        (OFFSETS, "AttrTypeOffset (3)"),
        (IR, "IR (4)"),
        (PROPERTIES, "Properties (8)"),
    ] {
        check(&file.clone().without(code), &format!("missing data for top-level section: {name}"));
    }
    let mut twice = file.clone();
    twice.sections.push((STRINGS, Vec::new()));
    check(&twice, "duplicate top-level section: String (0)");
    let mut unknown = file.clone();
    unknown.sections.push((9, Vec::new()));
    check(&unknown, "invalid section ID: 9");
    let mut bytes = file.bytes();
    bytes.extend([0x85, 0x01, 3 << 1 | 1]);
    assert_eq!(message(&bytes), "expected alignment to be a power-of-two");
}

#[test]
fn dialects_and_names() {
    let file = |dialects: &[u64]| File::module().with(DIALECTS, vs(dialects));
    check(&file(&[1, 9 << 1]), "invalid string index: 9");
    check(&file(&[1, 0, 1, 1, 1, 1 << 1]), "invalid dialect index: 1");
    check(&File::module().with(DIALECTS, [vs(&[1, 1]), vec![9], v(0)].concat()), "invalid section ID: 9");
    check(&file(&[1, 0, 1, 0, 5, 1 << 1]), "attempting to parse a byte at the end of the bytecode");
    let versioned = [vs(&[1, 1]), section(7, &[1]), vs(&[0])].concat();
    check(
        &File::module().with(DIALECTS, versioned),
        "unsupported: the file states a version of dialect 'builtin', which has none here",
    );
    let wrong_section = [vs(&[1, 1]), section(2, &[1]), vs(&[0])].concat();
    check(&File::module().with(DIALECTS, wrong_section), "expected dialect version section");
    let not_utf8 = [v(1), v(3), b"\xff\xfe\0".to_vec()].concat();
    check(&File::module().with(STRINGS, not_utf8), r"unsupported: a name that is not UTF-8: '\xff\xfe'");
}

#[test]
fn unregistered_dialects_need_permission() {
    let cx = dl_ir::Context::new();
    let error = load(&cx, &File::module().bytes()).err().unwrap();
    assert!(error.starts_with("dialect 't' is unknown. If this is intended"), "{error}");
    let unknown = File::module().with(DIALECTS, vs(&[1, 0, 1, 0, 1, 2 << 1]));
    let error = load(&cx, &unknown.bytes()).err().unwrap();
    assert!(error.starts_with("unregistered operation 'builtin.t' found in dialect ('builtin')"), "{error}");
}

#[test]
fn tables_of_entries() {
    let file = |offsets: &[u64]| File::module().with(OFFSETS, vs(offsets));
    check(&file(&[1, 0, 0, 1, 9 << 1]), "Attribute or Type entry offset points past the end of section");
    check(&file(&[1, 0, 0, 2, 1 << 1, 1 << 1]), "a group of 2 entries where 1 remain");
    check(&file(&[1, 0, 7, 1, 1 << 1]), "invalid dialect index: 7");
    check(&file(&[0, 0, 0]), "unexpected trailing data in the Attribute/Type offset section");
    check(&file(&[1, 0, 0, 1, 1 << 1]), "malformed null-terminated string, no null character found");
    check(&file(&[1, 0, 1, 1, 1 << 1 | 1]), "dialect 't' does not implement the bytecode interface");
    check(&file(&[1, 0, 0, 1, 2 << 1 | 1]), "unexpected trailing bytes after Attribute entry #0");
    let text = |text: &[u8]| {
        let offsets = vs(&[1, 0, 0, 1, (text.len() as u64) << 1]);
        File::module().with(OFFSETS, offsets).with(ENTRIES, text.to_vec())
    };
    check(&text(b"[1, 2\0"), "attribute #0 '[1, 2': expected ',' or ']'");
    check(&text(b"1 2\0"), "attribute #0 '1 2': expected end of attribute");
    check(&text(b"\"\xff\"\0"), "unsupported: the text of an entry is not UTF-8");
    check(&text(b"1\0\0"), "unexpected trailing bytes after Attribute entry #0");
}

#[test]
fn attributes() {
    let attr = |attr: Vec<u8>, expected: &str| check(&File::module().with_attrs(&[attr]), expected);
    attr(v(99), "unknown attribute code: 99");
    attr(vs(&[0, 1, 7]), "invalid Attribute index: 7");
    attr(vs(&[0, 1, 1]), "attribute #1 refers to itself");
    attr(vs(&[2, 9]), "invalid string index: 9");
    attr(vs(&[6, 3]), "invalid Type index: 3");
    attr(vs(&[4, 0]), "expected a string attribute, but got: loc(unknown)");
    attr(vs(&[17, 0, 1, 3, 0, 0, 0]), "expected 1 elements of 4 bytes, but got 3 bytes");
    attr(vs(&[18, 0]), "expected a shaped type of static shape, but got: i32");
    attr(vs(&[9, 0, 0]), "expected a floating-point type for FloatAttr, but got: i32");
    attr(vs(&[16, 0, 0]), "expected a shaped type, but got: i32");
    attr(vs(&[10, 1, 0]), "attribute #1 refers to itself");
    attr(vs(&[22, 1]), "attribute #1 refers to itself");
    attr(v(8), "attempting to parse a byte at the end of the bytecode");
    let name = vs(&[2, 1]);
    let twice = File::module().with_attrs(&[name.clone(), vs(&[1, 2, 1, 0, 1, 0])]);
    check(&twice, "duplicate key 'module' in dictionary attribute");
    let range = File::module().with_attrs(&[name.clone(), vs(&[22, 1, 5, 0, 0, 0, 0, 0])]);
    check(&range, "a file range of 5 numbers");
    let line = File::module().with_attrs(&[name.clone(), vs(&[11, 1, 1 << 40, 0])]);
    check(&line, "unsupported: line or column 1099511627776");
    let nested = File::module().with_attrs(&[name, vs(&[5, 1, 1, 1])]);
    check(&nested, "expected a flat symbol reference, but got: \"module\"");
    let strings = File::module().with_entries(&[vs(&[19, 1, 1, 0])], &[vs(&[13, 1, 4 << 1, 0])]);
    check(&strings, "expected elements that are strings, but got: tensor<4xi32>");
}

#[test]
fn types() {
    let ty = |ty: Vec<u8>, expected: &str| check(&File::module().with_types(&[ty]), expected);
    ty(v(99), "unknown type code: 99");
    ty(vs(&[9, 1]), "type #1 refers to itself");
    ty(vs(&[9, 5]), "invalid Type index: 5");
    ty(vs(&[0, 3]), "unknown signedness of an integer type: 3");
    ty(vs(&[0, 1 << 26]), "integer bitwidth is limited to 16777215 bits");
    ty(vs(&[19, 1, 0, 0]), "vector types must have positive constant sizes but got 0");
    ty(vs(&[13, 1, 1, 0]), "invalid dimension: -1");
    ty(vs(&[20, 0, 1, 2, 0]), "a vector of 1 dimensions, of which 0 may scale");
    ty(vs(&[10, 0, 0, 0]), "expected a memref layout, but got: loc(unknown)");
    let of_function = File::module().with_types(&[vs(&[2, 0, 0]), vs(&[13, 0, 1])]);
    check(&of_function, "invalid tensor element type");
    check(&File::module().with_types(&[vs(&[2, 0, 0]), vs(&[9, 1])]), "invalid element type for complex");
    check(&File::module().with_types(&[vs(&[12]), vs(&[16, 1])]), "invalid memref element type");
}

/// Twenty-five levels of pairs: 2^25 types in print, a hundred bytes in the file.
#[test]
fn types_that_stand_for_too_many() {
    let types: Vec<Vec<u8>> = (0..40).map(|i| vs(&[15, 2, i, i])).collect();
    let expected = "unsupported: type #20 stands for more than 1048576 nested attributes and types";
    check(&File::module().with_types(&types), expected);
    let few: Vec<Vec<u8>> = (0..10).map(|i| vs(&[15, 2, i, i])).collect();
    assert!(load(&context(), &File::module().with_types(&few).bytes()).is_ok());
}

#[test]
fn operations() {
    let file = |ops: &[Vec<u8>]| File::module().with_block(&block(ops));
    check(&file(&[[v(7), vec![0], v(0)].concat()]), "invalid operation name index: 7");
    check(&file(&[[v(1), vec![0], v(7)].concat()]), "invalid Attribute index: 7");
    check(&file(&[op(HAS_ATTRS, &v(0))]), "expected a dictionary of attributes, but got: loc(unknown)");
    check(&file(&[op(HAS_RESULTS, &vs(&[1, 9]))]), "invalid Type index: 9");
    check(&file(&[op(HAS_OPERANDS, &vs(&[1, 0]))]), "invalid value index: 0");
    check(&file(&[op(HAS_SUCCESSORS, &vs(&[1, 5]))]), "invalid successor index: 5");
    check(&file(&[op(HAS_PROPERTIES, &v(3))]), "properties index 3 out of bounds for 't.op'");
    check(&file(&[op(0, &[]), op(HAS_RESULTS, &v(1))]), "attempting to parse a byte at the end of the bytecode");
    check(&file(&[op(0, &v(1))]), "unexpected trailing bytes in an IR section");
    let results = op(HAS_RESULTS, &vs(&[1, 0]));
    let fewer = File::module().with(IR, module_with_values(1, &block(&[results.clone(), results.clone()])));
    check(&fewer, "value index range was outside of the expected range for the parent region");
    let forward = op(HAS_OPERANDS, &vs(&[1, 1]));
    let never = File::module().with(IR, module_with_values(2, &block(&[results, forward])));
    check(&never, "1 values are used, but never defined");
    let mut location = File::module().with_attrs(&[vs(&[7])]).with_block(&block(&[]));
    *location.section(IR) = [v(1 << 1), v(1), vec![0], v(1)].concat();
    check(&location, "expected a location attribute, but got: unit");
}

#[test]
fn counts_that_the_file_cannot_hold() {
    let file = |ops: &[Vec<u8>]| File::module().with_block(&block(ops));
    let huge = 1 << 60;
    let message_of = |ops: &[Vec<u8>]| message(&file(ops).bytes());
    let announced = |what: &str| format!("1152921504606846976 {what} announced where bytes for ");
    assert!(message_of(&[op(HAS_REGIONS, &v(huge << 1))]).starts_with(&announced("regions")));
    assert!(message_of(&[op(HAS_REGIONS, &vs(&[1 << 1, huge, 0]))]).starts_with(&announced("blocks")));
    assert!(message_of(&[op(HAS_REGIONS, &vs(&[1 << 1, 1, huge]))]).starts_with(&announced("values")));
    for parts in [HAS_RESULTS, HAS_OPERANDS, HAS_SUCCESSORS] {
        let error = message_of(&[op(parts, &v(huge))]);
        assert_eq!(error, "attempting to parse a byte at the end of the bytecode");
    }
    let strings = File::module().with(STRINGS, v(huge));
    check(&strings, "attempting to parse a byte at the end of the bytecode");
    let entries = File::module().with(OFFSETS, vs(&[huge, huge]));
    check(&entries, "attempting to parse a byte at the end of the bytecode");
}

#[test]
fn regions_and_sections() {
    let file = |ops: &[Vec<u8>]| File::module().with_block(&block(ops));
    let wrong = op(HAS_REGIONS, &[v(1 << 1 | 1), section(STRINGS, &v(0))].concat());
    check(&file(&[wrong]), "expected IR section for region");
    let rest = op(HAS_REGIONS, &[v(1 << 1 | 1), section(IR, &vs(&[0, 0]))].concat());
    check(&file(&[rest]), "unexpected trailing bytes in an IR section");
    // The isolated operation inside has values of its own.
    let inner = block(&[op(HAS_OPERANDS, &vs(&[1, 0]))]);
    let isolated = op(HAS_REGIONS, &[v(1 << 1 | 1), section(IR, &[vs(&[1, 0]), inner].concat())].concat());
    let outer = block(&[op(HAS_RESULTS, &vs(&[1, 0])), isolated]);
    check(&File::module().with(IR, module_with_values(1, &outer)), "invalid value index: 0");
    // A module that the file says is not isolated.
    let inner = [v(0), vec![HAS_REGIONS], v(0), vs(&[1 << 1, 1, 0]), block(&[op(HAS_OPERANDS, &vs(&[1, 0]))])].concat();
    let outer = block(&[op(HAS_RESULTS, &vs(&[1, 0])), inner]);
    check(
        &File::module().with(IR, module_with_values(1, &outer)),
        "value #0 is used in an operation that is isolated from above, but defined outside it",
    );
}

#[test]
fn properties() {
    let file = |properties: &[u64]| File::module().with(PROPERTIES, vs(properties));
    check(&file(&[1, 9, 0]), "attempting to parse 9 bytes when only 1 remain");
    check(&file(&[1, 2, 0, 0, 0]), "broken properties section: didn't exhaust the offsets table");
    let of_module = "properties of 'builtin.module': ";
    check(&file(&[1, 1, 0]), &format!("{of_module}attempting to parse a byte at the end of the bytecode"));
    check(&file(&[1, 3, 0, 0, 0]), &format!("{of_module}unexpected trailing bytes in the properties of an operation"));
    check(&file(&[1, 2, 9 << 1 | 1, 0]), &format!("{of_module}invalid Attribute index: 9"));
    let names = strings(&["builtin", "module", "t", "op"]);
    let registered = vs(&[2, 0, 2 << 1, 2, 0, 1, 1 << 1 | 1, 1, 1, 3 << 1 | 1]);
    let foreign = File::module().with(STRINGS, names).with(DIALECTS, registered);
    let with_op = foreign.with_block(&block(&[op(HAS_PROPERTIES, &v(0))]));
    check(
        &with_op,
        "unsupported: properties of 't.op', whose encoding only its dialect knows, which is not registered here",
    );
}

#[test]
fn orders_of_use_lists() {
    let value = |order: &[u64]| op(HAS_RESULTS | HAS_USE_LISTS, &[vs(&[1, 0]), vs(order)].concat());
    let uses = op(HAS_OPERANDS, &vs(&[3, 0, 0, 0]));
    let file = |order: &[u64]| File::module().with(IR, module_with_values(1, &block(&[value(order), uses.clone()])));
    let invalid = "parsed use-list orders were invalid and could not be applied";
    assert!(load(&context(), &file(&[3 << 1, 2, 0, 1]).bytes()).is_ok());
    assert!(load(&context(), &file(&[4 << 1 | 1, 0, 2, 2, 0]).bytes()).is_ok());
    check(&file(&[2 << 1, 1, 0]), invalid);
    check(&file(&[3 << 1, 0, 0, 1]), invalid);
    check(&file(&[3 << 1, 0, 1, 3]), invalid);
    check(&file(&[2 << 1 | 1, 0, 2]), invalid);
    check(&file(&[2 << 1 | 1, 7, 7]), invalid);
    check(&file(&[1 << 1 | 1, 0]), "expected pairs of use indices");
    let without = op(HAS_USE_LISTS, &vs(&[1 << 1, 0]));
    check(&File::module().with_block(&block(&[without])), "invalid value #0 of a use-list order");
}

#[test]
fn resources() {
    let file = |offsets: Vec<u8>, data: Vec<u8>| File::module().with(RESOURCE_OFFSETS, offsets).with(RESOURCES, data);
    let lone = File::module().with(RESOURCES, Vec::new());
    check(&lone, "expected resource offset section when resource section is present");
    let lone = File::module().with(RESOURCE_OFFSETS, Vec::new());
    check(&lone, "unexpected resource offset section when resource section is not present");
    let entry = |dialect: u64, size: u64, kind: u8| [vs(&[0, dialect, 1, 3, size]), vec![kind]].concat();
    check(&file(entry(9, 0, 0), Vec::new()), "invalid dialect index: 9");
    check(&file(entry(1, 0, 0), Vec::new()), "dialect 't' is unknown");
    check(&file(entry(0, 5, 0), Vec::new()), "attempting to parse 5 bytes when only 0 remain");
    check(&file(entry(0, 1, 1), vec![1]), "expected a blob resource entry, but found a bool entry instead");
    check(&file(entry(0, 2, 0), vs(&[3, 0])), "expected alignment to be a power-of-two");
    check(&file(entry(0, 3, 0), [vs(&[1, 0]), vec![7]].concat()), "unexpected trailing bytes in resource entry 'op'");
    check(&file(entry(0, 2, 0), vs(&[1, 9])), "attempting to parse 9 bytes when only 0 remain");
    let external = [vs(&[1, 3, 1, 3, 1]), vec![9]].concat();
    check(&file(external, vec![0]), "unknown resource kind: 9");
    let handle = File::module().with_types(&[vs(&[13, 0, 0])]);
    assert!(load(&context(), &handle.bytes()).is_ok());
}

/// A dialect that encodes an attribute of its own.
struct Encoding;

static KIND: EnumDef = EnumDef {
    name: "Kind",
    summary: "A kind",
    cases: &[("a", 1), ("b", 2)],
    separator: None,
    storage: EnumStorage::Integer(64),
};

static PARAMS: &[ParamDef] = &[
    ParamDef::required("kind", ParamKind::Enum(&KIND)),
    ParamDef::optional("of", ParamKind::AttrOf(Cow::Borrowed("t.leaf"))),
    ParamDef::optional("name", ParamKind::Str),
    ParamDef::optional("all", ParamKind::Array(&ParamKind::Str)),
    ParamDef::with_default("code", ParamKind::Hook(Cow::Borrowed("t.code")), "0"),
];

static ATTRS: &[&AttrDefinition] = &[
    &AttrDefinition::declarative("t.node", "A node", PARAMS, "`<` struct(params) `>`"),
    &AttrDefinition::plain("t.leaf", "A leaf"),
];

static ENCODINGS: &[AttrEncoding] = &[AttrEncoding {
    name: "t.node",
    fields: &[
        ("kind", FieldEncoding::VarInt),
        ("of", FieldEncoding::OptionalAttr),
        ("name", FieldEncoding::OptionalAttr),
        ("all", FieldEncoding::AttrList),
        ("code", FieldEncoding::VarInt),
    ],
}];

/// A code of which only the first has a name.
const CODE: ParamHook = ParamHook {
    parse: |p, values| {
        p.parse_keyword("first")?;
        values[0] = Some(p.cx().i64_attr(1));
        Ok(())
    },
    print: |values, p| {
        if p.cx().attr(values[0]).as_int() == Some(1) {
            p.text("first");
        }
    },
};

impl Dialect for Encoding {
    fn namespace(&self) -> &'static str {
        "t"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder.attrs(ATTRS).attr_encodings(ENCODINGS).param_hook("t.code", CODE);
    }
}

#[test]
fn parameters_of_encoded_attributes() {
    let message = |node: &[u64]| {
        let mut cx = context();
        cx.register(&Encoding);
        // Of the dialect `t`, after the unknown location.
        let node = [v(0), vs(&node[..3]), vec![1], vs(&node[3..])].concat();
        let (offsets, ty) =
            (vs(&[2, 1, 0, 1, 1 << 1 | 1, 1, 1, (node.len() as u64) << 1 | 1, 0, 1]), vs(&[0, 32 << 2]));
        let offsets = [offsets, v((ty.len() as u64) << 1 | 1)].concat();
        let file = File::module().with(OFFSETS, offsets).with(ENTRIES, [v(15), node, ty].concat());
        load(&cx, &file.bytes()).err().unwrap_or_default().lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(message(&[2, 0, 0, 0, 0]), "");
    assert_eq!(message(&[2, 0, 0, 0, 1]), "");
    assert_eq!(message(&[3, 0, 0, 0, 0]), "parameter 'kind' of 't.node' is 3 : i64, not a case of 'Kind'");
    assert_eq!(message(&[1, 1, 0, 0, 0]), "parameter 'of' of 't.node' is loc(unknown), not an attribute '#t.leaf'");
    assert_eq!(message(&[1, 0, 1, 0, 0]), "parameter 'name' of 't.node' is loc(unknown), not a string");
    assert_eq!(message(&[1, 0, 0, 1, 1, 0]), "parameter 'all' of 't.node' is [loc(unknown)], not a string");
    assert_eq!(message(&[1, 0, 0, 0, 9]), "parameter 'code' of 't.node' is 9 : i64, not a code that has a name");
}
