//! The generated definitions hold together: formats compile, default values and types parse, attributes print as they parse.

use dl_ir::opdef::{AttrForm, Format, OpDef, Presence};
use dl_ir::text::{CompiledFormat, parse_attribute, parse_type};
use dl_ir::typedef::{AttrDefinition, TypeDefinition};
use dl_ir::{Context, Dialect, DialectBuilder, OpEntry};

/// The definitions of a dialect without its hooks.
struct Bare {
    namespace: &'static str,
    ops: &'static [OpEntry],
    attrs: &'static [&'static AttrDefinition],
    types: &'static [&'static TypeDefinition],
}

impl Dialect for Bare {
    fn namespace(&self) -> &'static str {
        self.namespace
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder.ops(self.ops).attrs(self.attrs).types(self.types);
        if self.namespace == "llvm" {
            builder.types(dl_llvm::types::TYPES_WITHOUT_ODS);
        }
    }
}

macro_rules! bare {
    ($($namespace:literal $krate:ident $($what:ident)*;)*) => {
        [$({
            #[allow(unused_mut, reason = "not every dialect has attributes or types")]
            let mut bare = Bare { namespace: $namespace, ops: $krate::OPS, attrs: &[], types: &[] };
            $(bare.$what = bare!(@table $krate $what);)*
            bare
        }),*]
    };
    (@table $krate:ident attrs) => { $krate::ATTRS };
    (@table $krate:ident types) => { $krate::TYPES };
}

fn dialects() -> [Bare; 15] {
    bare! {
        "affine" dl_affine;
        "arith" dl_arith attrs;
        "bufferization" dl_bufferization;
        "cf" dl_cf;
        "complex" dl_complex;
        "func" dl_func;
        "index" dl_index attrs;
        "linalg" dl_linalg attrs;
        "llvm" dl_llvm attrs types;
        "math" dl_math;
        "memref" dl_memref;
        "scf" dl_scf;
        "tensor" dl_tensor;
        "ub" dl_ub attrs;
        "vector" dl_vector attrs;
    }
}

fn context() -> Context {
    let mut cx = Context::new();
    for dialect in &dialects() {
        cx.register(dialect);
    }
    cx.register(&Bare { namespace: "llvm", ops: &[], attrs: &[], types: dl_llvm::types::TYPES_WITHOUT_ODS });
    cx
}

/// Runs `check` on each operation and lists what it complains about.
fn complaints(check: impl Fn(&Context, &'static OpDef) -> Vec<String>) -> Vec<String> {
    let cx = context();
    dialects().iter().flat_map(|d| d.ops).flat_map(|op| check(&cx, op.def)).collect()
}

#[test]
fn every_dialect_has_all_its_operations() {
    let counts: Vec<(&str, usize)> = dialects().iter().map(|d| (d.namespace, d.ops.len())).collect();
    // As `mlir-opt --show-dialects` and its ODS of LLVM 22 have them.
    let expected = [
        ("affine", 14),
        ("arith", 51),
        ("bufferization", 7),
        ("cf", 4),
        ("complex", 29),
        ("func", 5),
        ("index", 26),
        ("linalg", 99),
        ("llvm", 284),
        ("math", 46),
        ("memref", 32),
        ("scf", 12),
        ("tensor", 21),
        ("ub", 2),
        ("vector", 39),
    ];
    assert_eq!(counts, expected);
}

#[test]
fn formats_compile() {
    let found = complaints(|cx, def| {
        if !matches!(def.format, Format::Declarative(_)) {
            return Vec::new();
        }
        match CompiledFormat::of(cx, cx.op_name(&def.name)) {
            // `custom<...>` directives come with the hooks.
            Err(message) if !message.contains("unsupported: custom<") => vec![message],
            _ => Vec::new(),
        }
    });
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn default_values_parse_and_satisfy_their_constraints() {
    let found = complaints(|cx, def| {
        let default = |attr: &dl_ir::opdef::AttrDef| match &attr.presence {
            Presence::Default(text) | Presence::OptionalDefault(text) => Some((attr.name.clone(), text.clone())),
            Presence::Required | Presence::Optional => None,
        };
        let mut found = Vec::new();
        for (attr, (name, text)) in def.attrs.iter().filter_map(|attr| Some((attr, default(attr)?))) {
            match parse_attribute(cx, &text) {
                Ok(value) if attr.constraint.matches(cx.attr(value)) => {}
                Ok(_) => {
                    found.push(format!("{}: default `{text}` of '{name}' does not satisfy its constraint", def.name));
                }
                Err(d) => {
                    found.push(format!("{}: default `{text}` of '{name}': {}", def.name, d.message));
                }
            }
        }
        found
    });
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn types_that_formats_leave_out_parse_and_satisfy_their_constraints() {
    let found = complaints(|cx, def| {
        let mut found = Vec::new();
        for value in def.operands.iter().chain(def.results.iter()) {
            let Some(text) = &value.constraint.buildable else { continue };
            match parse_type(cx, text) {
                Ok(ty) if value.constraint.matches(cx.ty(ty)) => {}
                Ok(_) => {
                    found.push(format!("{}: {text} is not {}", def.name, value.constraint.summary));
                }
                Err(d) => found.push(format!("{}: type `{text}`: {}", def.name, d.message)),
            }
        }
        for attr in def.attrs.iter() {
            if let AttrForm::Typed(text) | AttrForm::DenseArray(text) = &attr.constraint.form
                && let Err(d) = parse_type(cx, text)
            {
                found.push(format!("{}: type `{text}` of '{}': {}", def.name, attr.name, d.message));
            }
        }
        found
    });
    assert!(found.is_empty(), "{found:#?}");
}

/// Texts that `mlir-opt` 22 prints as they stand.
const ATTRIBUTES: &[&str] = &[
    "#arith.fastmath<none>",
    "#arith.fastmath<nnan,nsz>",
    "#arith.fastmath<fast>",
    "#arith.overflow<nsw, nuw>",
    "#index<cmp_predicate slt>",
    "#linalg.iterator_type<parallel>",
    "#linalg.type_fn<cast_signed>",
    "#llvm.address_space<3>",
    "#llvm.alias_scope<id = distinct[0]<>, domain = <id = distinct[1]<>, description = \"d\">>",
    "#llvm.cconv<ccc>",
    "#llvm.dereferenceable<bytes = 8>",
    "#llvm.dereferenceable<bytes = 8, mayBeNull = true>",
    "#llvm.di_file<\"a.c\" in \"/\">",
    "#llvm.fastmath<none>",
    "#llvm.linkage<external>",
    "#llvm.loop_unroll<disable = true, count = 4 : i32>",
    "#llvm.target_features<[\"+avx\", \"+fma\"]>",
    "#llvm.tbaa_root",
    "#llvm.tbaa_root<id = \"r\">",
    "#ub.poison",
    "#vector.kind<add>",
];

#[test]
fn attributes_round_trip() {
    let cx = context();
    let printed = |text: &str| match parse_attribute(&cx, text) {
        Ok(attr) => cx.attr(attr).to_string(),
        Err(d) => format!("{text}: {}", d.message),
    };
    let printed: Vec<String> = ATTRIBUTES.iter().map(|text| printed(text)).collect();
    assert_eq!(printed, ATTRIBUTES);
}
