//! Bytecode encodings of debug information and loop annotations: the attributes that upstream does not encode as text.
//!
//! Source: `LLVMDialectBytecode.td` of LLVM 22. The position in the table is the code of an attribute.

use dl_ir::bytecode::AttrEncoding;
use dl_ir::bytecode::FieldEncoding::{Attr, AttrList, Bool, OptionalAttr, OptionalVarInt, String, VarInt, VarIntList};

const fn encoding(
    name: &'static str,
    fields: &'static [(&'static str, dl_ir::bytecode::FieldEncoding)],
) -> AttrEncoding {
    AttrEncoding { name, fields }
}

/// All of them, by code.
pub(crate) static ENCODINGS: &[AttrEncoding] = &[
    encoding("llvm.di_basic_type", &[("tag", VarInt), ("name", String), ("sizeInBits", VarInt), ("encoding", VarInt)]),
    encoding(
        "llvm.di_compile_unit",
        &[
            ("id", Attr),
            ("sourceLanguage", VarInt),
            ("file", Attr),
            ("producer", OptionalAttr),
            ("isOptimized", Bool),
            ("emissionKind", VarInt),
            ("nameTableKind", VarInt),
        ],
    ),
    encoding(
        "llvm.di_composite_type",
        &[
            ("recId", OptionalAttr),
            ("isRecSelf", Bool),
            ("tag", VarInt),
            ("name", OptionalAttr),
            ("file", OptionalAttr),
            ("line", VarInt),
            ("scope", OptionalAttr),
            ("baseType", OptionalAttr),
            ("flags", VarInt),
            ("sizeInBits", VarInt),
            ("alignInBits", VarInt),
            ("dataLocation", OptionalAttr),
            ("rank", OptionalAttr),
            ("allocated", OptionalAttr),
            ("associated", OptionalAttr),
            ("elements", AttrList),
        ],
    ),
    encoding(
        "llvm.di_derived_type",
        &[
            ("tag", VarInt),
            ("name", OptionalAttr),
            ("baseType", OptionalAttr),
            ("sizeInBits", VarInt),
            ("alignInBits", VarInt),
            ("offsetInBits", VarInt),
            ("dwarfAddressSpace", OptionalVarInt),
            ("extraData", OptionalAttr),
        ],
    ),
    encoding("llvm.di_expression_elem", &[("opcode", VarInt), ("arguments", VarIntList)]),
    encoding("llvm.di_expression", &[("operations", AttrList)]),
    encoding("llvm.di_file", &[("name", String), ("directory", String)]),
    encoding(
        "llvm.di_global_variable",
        &[
            ("scope", OptionalAttr),
            ("name", OptionalAttr),
            ("linkageName", OptionalAttr),
            ("file", Attr),
            ("line", VarInt),
            ("type", Attr),
            ("isLocalToUnit", Bool),
            ("isDefined", Bool),
            ("alignInBits", VarInt),
        ],
    ),
    encoding("llvm.di_global_variable_expression", &[("var", Attr), ("expr", OptionalAttr)]),
    encoding(
        "llvm.di_imported_entity",
        &[
            ("tag", VarInt),
            ("scope", Attr),
            ("entity", Attr),
            ("file", OptionalAttr),
            ("line", VarInt),
            ("name", OptionalAttr),
            ("elements", AttrList),
        ],
    ),
    encoding("llvm.di_label", &[("scope", Attr), ("name", OptionalAttr), ("file", OptionalAttr), ("line", VarInt)]),
    encoding("llvm.di_lexical_block", &[("scope", Attr), ("file", OptionalAttr), ("line", VarInt), ("column", VarInt)]),
    encoding("llvm.di_lexical_block_file", &[("scope", Attr), ("file", OptionalAttr), ("discriminator", VarInt)]),
    encoding(
        "llvm.di_local_variable",
        &[
            ("scope", Attr),
            ("name", OptionalAttr),
            ("file", OptionalAttr),
            ("line", VarInt),
            ("arg", VarInt),
            ("alignInBits", VarInt),
            ("type", OptionalAttr),
            ("flags", VarInt),
        ],
    ),
    encoding("llvm.di_namespace", &[("name", OptionalAttr), ("scope", OptionalAttr), ("exportSymbols", Bool)]),
    encoding(
        "llvm.di_subprogram",
        &[
            ("recId", OptionalAttr),
            ("isRecSelf", Bool),
            ("id", OptionalAttr),
            ("compileUnit", OptionalAttr),
            ("scope", OptionalAttr),
            ("name", OptionalAttr),
            ("linkageName", OptionalAttr),
            ("file", OptionalAttr),
            ("line", VarInt),
            ("scopeLine", VarInt),
            ("subprogramFlags", VarInt),
            ("type", OptionalAttr),
            ("retainedNodes", AttrList),
            ("annotations", AttrList),
        ],
    ),
    encoding(
        "llvm.di_subrange",
        &[
            ("count", OptionalAttr),
            ("lowerBound", OptionalAttr),
            ("upperBound", OptionalAttr),
            ("stride", OptionalAttr),
        ],
    ),
    encoding("llvm.di_subroutine_type", &[("callingConvention", VarInt), ("types", AttrList)]),
    encoding(
        "llvm.loop_annotation",
        &[
            ("disableNonforced", OptionalAttr),
            ("vectorize", OptionalAttr),
            ("interleave", OptionalAttr),
            ("unroll", OptionalAttr),
            ("unrollAndJam", OptionalAttr),
            ("licm", OptionalAttr),
            ("distribute", OptionalAttr),
            ("pipeline", OptionalAttr),
            ("peeled", OptionalAttr),
            ("unswitch", OptionalAttr),
            ("mustProgress", OptionalAttr),
            ("isVectorized", OptionalAttr),
            ("startLoc", OptionalAttr),
            ("endLoc", OptionalAttr),
            ("parallelAccesses", AttrList),
        ],
    ),
];
