//! The `builtin` dialect. Its types and attributes are written by hand, so they are described here.

use super::{Extra, markdown};

/// A type or attribute: what it is called, what it is, how it is written, and one of them.
type Entry = (&'static str, &'static str, &'static str, &'static str);

const TYPES: &[Entry] = &[
    (
        "integer",
        "Integers of up to 16777215 bits: signless, signed or unsigned.",
        "i<width> | si<width> | ui<width>",
        "i32",
    ),
    ("index", "Integers as wide as an address of the target.", "index", "index"),
    (
        "float",
        "Floating-point numbers in a format of a fixed width.",
        "f16 | bf16 | tf32 | f32 | f64 | f80 | f128 | f4E2M1FN | f6E2M3FN | f6E3M2FN | f8E3M4 | f8E4M3 | f8E4M3B11FNUZ | f8E4M3FN | f8E4M3FNUZ | f8E5M2 | f8E5M2FNUZ | f8E8M0FNU",
        "bf16",
    ),
    (
        "complex",
        "Complex numbers with a part of the element type for each of real and imaginary.",
        "complex<type>",
        "complex<f32>",
    ),
    ("none", "The type of one value only, which says nothing.", "none", "none"),
    (
        "function",
        "Functions: the types of arguments and of results.",
        "(type, ...) -> type | (type, ...) -> (type, ...)",
        "(i32, f32) -> f64",
    ),
    ("tuple", "Several values in one.", "tuple<type, ...>", "tuple<i32, f32>"),
    (
        "vector",
        "Values in registers. A size in brackets is multiplied by a number known at run time only.",
        "vector<size x ... x type>",
        "vector<4x[8]xf32>",
    ),
    (
        "tensor",
        "Arrays as values. `?` stands for a size that is not known, an encoding for what dialects say about the layout.",
        "tensor<size x ... x type> | tensor<size x ... x type, attribute>",
        "tensor<?x16xf32>",
    ),
    ("unranked tensor", "Arrays as values, of any rank.", "tensor<* x type>", "tensor<*xf32>"),
    (
        "memref",
        "Memory of a shape, laid out by an affine map or by strides, in a memory space.",
        "memref<size x ... x type> | memref<size x ... x type, layout> | memref<size x ... x type, layout, space>",
        "memref<4x?xf32, strided<[?, 1], offset: ?>, 3>",
    ),
    ("unranked memref", "Memory of any rank.", "memref<* x type> | memref<* x type, space>", "memref<*xf32, 1>"),
    (
        "opaque",
        "A type of a dialect that is not registered.",
        "!dialect<\"text\"> | !dialect.name<text>",
        "!unknown.name<\"text\">",
    ),
];

const ATTRS: &[Entry] = &[
    (
        "affine map",
        "A list of affine expressions in dimensions and symbols.",
        "affine_map<(d0, ...)[s0, ...] -> (expression, ...)>",
        "affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 4)>",
    ),
    (
        "affine set",
        "The points at which affine expressions are zero or not negative.",
        "affine_set<(d0, ...)[s0, ...] : (expression == 0, expression >= 0, ...)>",
        "affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)>",
    ),
    ("array", "A list of attributes.", "[attribute, ...]", "[1, \"a\", i32]"),
    (
        "dense array",
        "A list of booleans, integers or floats, stored without a type each.",
        "array<type> | array<type: value, ...>",
        "array<i64: 2, -1>",
    ),
    (
        "dense elements",
        "The elements of a vector or tensor; one element stands for all that are equal.",
        "dense<value> : type | dense<[value, ...]> : type",
        "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>",
    ),
    (
        "dense resource",
        "The elements of a tensor, in a resource at the end of the file.",
        "dense_resource<name> : type",
        "dense_resource<weights> : tensor<4xf32>",
    ),
    (
        "sparse elements",
        "Some elements of a tensor by their positions; the others are zero.",
        "sparse<positions, values> : type",
        "sparse<[[0, 1], [2, 3]], [1.0, 2.0]> : tensor<4x4xf32>",
    ),
    ("dictionary", "Attributes by name.", "{name = attribute, ...}", "{axis = 1 : i64, exact}"),
    (
        "distinct",
        "An attribute that is equal to no other with the same content.",
        "distinct[number]<attribute>",
        "distinct[0]<\"domain\">",
    ),
    (
        "float",
        "A floating-point number, in decimal or as its bits. Its type is f64 where none is given.",
        "number : type | 0xbits : type",
        "2.5e-1 : f32",
    ),
    ("integer", "An integer. Its type is i64 where none is given.", "number : type | true | false", "42 : i8"),
    (
        "location",
        "A place that something comes from.",
        "loc(\"file\":line:column) | loc(\"name\") | loc(\"name\"(location)) | loc(callsite(location at location)) | loc(fused[location, ...]) | loc(unknown)",
        "loc(callsite(\"f\" at \"main.c\":12:3))",
    ),
    (
        "opaque",
        "An attribute of a dialect that is not registered.",
        "#dialect<\"text\"> | #dialect.name<text>",
        "#unknown.name<\"text\">",
    ),
    (
        "strided layout",
        "The distance in memory between neighbours of each dimension, and where the first element is.",
        "strided<[stride, ...]> | strided<[stride, ...], offset: number>",
        "strided<[16, 1], offset: ?>",
    ),
    ("string", "Any bytes.", "\"text\" | \"text\" : type", "\"tab: \\09\""),
    (
        "symbol reference",
        "The name of a symbol, through the symbol tables that it is nested in.",
        "@name | @name::@name",
        "@kernels::@copy",
    ),
    ("type", "A type as attribute.", "type", "tensor<4xf32>"),
    ("unit", "Says something by being there.", "unit", "unit"),
];

/// What is known of the dialect beyond its definitions.
pub(super) fn extra() -> Extra {
    let ops = [
        ("module", "module @kernels {\n  func.func private @scale(f32) -> f32\n}\n"),
        (
            "unrealized_conversion_cast",
            "func.func @example(%inputs: i64) -> index {\n  %outputs = builtin.unrealized_conversion_cast %inputs : i64 to index\n  \
             return %outputs : index\n}\n",
        ),
    ];
    Extra {
        summary:
            "What every context has: modules, casts between type systems, and the types and attributes that all share."
                .to_owned(),
        ops: ops.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
        ..Extra::default()
    }
}

/// How many types and attributes there are.
pub(super) fn counts() -> (usize, usize) {
    (TYPES.len(), ATTRS.len())
}

/// The sections of types and attributes.
pub(super) fn sections() -> String {
    let list = |what: &str, entries: &[Entry]| {
        let section = |&(name, summary, syntax, example): &Entry| {
            let syntax = markdown::code("text", &syntax.replace(" | ", "\n"));
            format!("\n### {what} {name}\n\n{}\n{syntax}{}", markdown::prose(summary), markdown::code("mlir", example))
        };
        entries.iter().map(section).collect::<String>()
    };
    format!("\n## Types\n{}\n## Attributes\n{}", list("Type", TYPES), list("Attribute", ATTRS))
}
