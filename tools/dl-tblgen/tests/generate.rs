//! A small dialect, from its files to Rust, and what goes wrong when they say what the tables do not know.
#![allow(clippy::disallowed_methods, reason = "the environment says where LLVM is")]

use std::fs;
use std::path::{Path, PathBuf};

use dl_tblgen::ods;

const DIALECT: &str = r#"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Toy_Dialect : Dialect { let name = "toy"; let cppNamespace = "::toy"; }
class Toy_Op<string name, list<Trait> traits = []> : Op<Toy_Dialect, name, traits>;
"#;

const MANIFEST: &str = "dialect = \"toy\"\nfiles = [\"toy.td\"]\n";

/// A workspace with the dialect `toy`, whose operations are `ops`.
fn workspace(name: &str, ops: &str, manifest: &str, summaries: &str) -> (PathBuf, Vec<String>) {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let folder = root.join("dialects/toy");
    fs::create_dir_all(folder.join("ods")).expect("the folder can be made");
    let write = |path: PathBuf, text: &str| fs::write(path, text).expect("the file can be written");
    write(root.join("toy.td"), &format!("{DIALECT}{ops}"));
    write(root.join("rustfmt.toml"), include_str!("../../../rustfmt.toml"));
    write(folder.join("ods.toml"), &format!("{MANIFEST}{manifest}"));
    write(folder.join("ods/summaries.toml"), summaries);
    let prefix = std::env::var("TABLEGEN_220_PREFIX").expect("LLVM 22 built this test, so TABLEGEN_220_PREFIX is set");
    let include = vec![root.display().to_string(), format!("{prefix}/include")];
    (root, include)
}

/// The generated file `file` of the dialect.
fn generated(name: &str, file: &str, ops: &str, manifest: &str, summaries: &str) -> String {
    let (root, include) = workspace(name, ops, manifest, summaries);
    let outputs = ods::outputs(&root, &include).expect("the definitions can be generated");
    let path = root.join("dialects/toy/src/generated").join(file);
    outputs.into_iter().find(|o| o.path == path).expect("there is such a file").text
}

/// What the generator complains about.
fn complaints(name: &str, ops: &str, manifest: &str, summaries: &str) -> String {
    let (root, include) = workspace(name, ops, manifest, summaries);
    ods::outputs(&root, &include).expect_err("the definitions are not understood").to_string()
}

#[test]
fn operation() {
    let ops = r#"
        def Toy_ScaleOp : Toy_Op<"scale", [Pure, AllTypesMatch<["lhsValue", "result"]>]> {
            let arguments = (ins F32:$lhsValue, Variadic<Index>:$sizes, DefaultValuedAttr<BoolAttr, "false">:$roundUp);
            let results = (outs F32:$result);
            let regions = (region SizedRegion<1>:$body);
            let assemblyFormat = "$lhsValue `[` $sizes `]` (`up` $roundUp^)? $body attr-dict";
        }
    "#;
    let text = generated("operation", "ops.rs", ops, "", "[ops]\nscale = \"Scales a number.\"\n");
    let item = text.split("dl_ir::op! {\n").nth(1).and_then(|t| t.split("\n}\n").next());
    assert_eq!(
        item,
        Some(
            r#"    /// Scales a number.
    ScaleOp = "toy.scale" {
        operands: [lhs_value "lhsValue": Single(F32), sizes: Variadic(INDEX)],
        attrs: [round_up "roundUp": Default(BOOL_ATTR, "false")],
        results: [result: Single(F32)],
        regions: [body: Exactly(1)],
        traits: [Pure, AllTypesMatch("lhsValue", "result")],
        format: "$lhsValue `[` $sizes `]` (`up` $roundUp^)? $body attr-dict",
    }"#
        )
    );
}

#[test]
fn constraints_of_the_dialect() {
    let ops = r#"
        def Toy_NarrowOp : Toy_Op<"narrow"> {
            let arguments = (ins TensorOf<[F32, F64]>:$input);
        }
    "#;
    let text = generated("constraints", "constraints.rs", ops, "", "[ops]\nnarrow = \"Narrows.\"\n");
    let item = text.split("/// Tensor of").nth(1).expect("the constraint is there");
    let words: Vec<&str> = item.split_whitespace().collect();
    assert_eq!(
        words.join(" "),
        "32-bit float or 64-bit float values. \
         pub static TENSOR_OF_32_BIT_FLOAT_OR_64_BIT_FLOAT: TypeConstraint = \
         TypeConstraint::new(\"tensor of 32-bit float or 64-bit float values\", |t| { \
         t.is_tensor() && t.element_type() \
         .is_some_and(|e| leaves::is_float(e, FloatKind::F32) || leaves::is_float(e, FloatKind::F64)) });"
    );
}

#[test]
fn unknown_predicate() {
    let ops = r#"
        def Toy_Odd : Type<CPred<"isOdd($_self)">, "odd type">;
        def Toy_OddOp : Toy_Op<"odd"> { let arguments = (ins Toy_Odd:$input); }
    "#;
    let summaries = "[ops]\nodd = \"Is odd.\"\n";
    assert_eq!(
        complaints("unknown_predicate", ops, "", summaries),
        "the definitions cannot be generated:\n  \
         toy: no entry in [leaves] or [classes] for `isOdd($_self)`, needed by `odd type` (ODD)"
    );
    let manifest = "[tables.leaves]\n\"isOdd($_self)\" = \"crate::is_odd({})\"\n";
    let text = generated("known_predicate", "constraints.rs", ops, manifest, summaries);
    assert!(text.contains("TypeConstraint::new(\"odd type\", |t| crate::is_odd(t))"), "{text}");
}

#[test]
fn undeclared_name_and_missing_summary() {
    let ops = r#"
        def Toy_LostOp : Toy_Op<"lost"> {
            let arguments = (ins F32:$input);
            let assemblyFormat = "$output attr-dict";
        }
    "#;
    assert_eq!(
        complaints("undeclared_name", ops, "", ""),
        "the definitions cannot be generated:\n  \
         toy: no summary in [ops] for lost\n  \
         toy: the format of toy.lost uses '$output', which is not declared"
    );
}

/// The item of one operation, with its lines joined.
fn item<'t>(text: &'t str, view: &str) -> Vec<&'t str> {
    let rest = text.split(&format!("    {view} = ")).nth(1).expect("the operation is there");
    rest.split("\n    }\n").next().unwrap_or_default().lines().map(str::trim).collect()
}

/// Files that define a record of one name cannot be read together; `[[apart]]` reads them one after the other.
#[test]
fn files_apart() {
    let first = "def Toy_SwapOp : Toy_Op<\"swap\"> { let arguments = (ins F32:$x); }\n";
    let second = "include \"mlir/IR/OpBase.td\"\ndef Toy_Dialect : Dialect { let name = \"toy\"; let cppNamespace = \"::toy\"; }\n\
                  def Toy_SwapOp : Op<Toy_Dialect, \"more.swap\"> { let arguments = (ins Index:$y); }\n";
    let summaries = "[ops]\nswap = \"Swaps.\"\n\"more.swap\" = \"Swaps more.\"\n";
    let generate = |manifest: &str| {
        let (root, include) = workspace("files_apart", first, manifest, summaries);
        fs::write(root.join("more.td"), second).expect("the file can be written");
        ods::outputs(&root, &include)
    };
    let together = MANIFEST.replace("toy.td\"", "toy.td\", \"more.td\"");
    let (root, include) = workspace("files_apart", first, "", summaries);
    fs::write(root.join("more.td"), second).expect("the file can be written");
    fs::write(root.join("dialects/toy/ods.toml"), together).expect("the file can be written");
    assert!(ods::outputs(&root, &include).is_err(), "the names clash");

    let outputs = generate("[[apart]]\nfiles = [\"more.td\"]\nprefix = \"More\"\n").expect("they are read apart");
    let ops = outputs.iter().find(|o| o.path.ends_with("ops.rs")).expect("there are operations");
    assert_eq!(item(&ops.text, "SwapOp"), ["\"toy.swap\" {", "operands: [x: Single(F32)],"]);
    assert_eq!(item(&ops.text, "MoreSwapOp"), ["\"toy.more.swap\" {", "operands: [y: Single(INDEX)],"]);
    assert!(ops.text.starts_with("// @generated by `cargo xtask ods` from toy.td, more.td."), "{}", ops.text);
}

/// A type that C++ can build from nothing has a text, and formats may leave it out.
#[test]
fn types_that_can_be_built() {
    let ops = r#"
        def Toy_Count : Type<CPred<"$_self.isSignlessInteger(24)">, "a count">, BuildableType<"$_builder.getCountType()">;
        def Toy_NextOp : Toy_Op<"next"> {
            let arguments = (ins Toy_Count:$x);
            let assemblyFormat = "$x attr-dict";
        }
    "#;
    let summaries = "[ops]\nnext = \"Counts.\"\n";
    assert_eq!(
        complaints("unknown_builder", ops, "", summaries),
        "the definitions cannot be generated:\n  \
         toy: no entry in [types] for `$_builder.getCountType()`, needed by `a count` (COUNT)"
    );
    let manifest = "[tables.types]\n\"$_builder.getCountType()\" = \"i24\"\n";
    let text = generated("known_builder", "constraints.rs", ops, manifest, summaries);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("TypeConstraint::buildable(\"a count\", |t| t.is_signless_integer_of(24), \"i24\")"),
        "{text}"
    );
}

/// `isOptional` and a default value make four kinds of attributes.
#[test]
fn presence_of_attributes() {
    let ops = r#"
        def Toy_SetOp : Toy_Op<"set"> {
            let arguments = (ins
                BoolAttr:$must, OptionalAttr<BoolAttr>:$may, UnitAttr:$flag,
                DefaultValuedAttr<BoolAttr, "true">:$known, DefaultValuedOptionalAttr<BoolAttr, "true">:$guessed);
        }
    "#;
    let text = generated("presence", "ops.rs", ops, "", "[ops]\nset = \"Sets.\"\n");
    assert_eq!(
        item(&text, "SetOp"),
        [
            "\"toy.set\" {",
            "attrs: [",
            "must \"must\": Required(BOOL_ATTR),",
            "may \"may\": Optional(BOOL_ATTR),",
            "flag \"flag\": Optional(UNIT_ATTR),",
            "known \"known\": Default(BOOL_ATTR, \"true\"),",
            "guessed \"guessed\": OptionalDefault(BOOL_ATTR, \"true\"),",
            "],",
        ]
    );
}

/// A leaf below combinations of others is not overlooked either, and all that is missing is told at once.
#[test]
fn every_unknown_leaf_is_named() {
    let ops = r#"
        def Toy_Deep : Type<And<[CPred<"$_self.isF32()">, Neg<Or<[CPred<"isLow($_self)">, CPred<"isHigh($_self)">]>>]>, "mid">;
        def Toy_DeepOp : Toy_Op<"deep"> { let arguments = (ins Variadic<Toy_Deep>:$x); }
    "#;
    assert_eq!(
        complaints("unknown_leaves", ops, "", "[ops]\ndeep = \"Is deep.\"\n"),
        "the definitions cannot be generated:\n  \
         toy: no entry in [leaves] or [classes] for `isLow($_self)`, needed by `mid` (DEEP)\n  \
         toy: no entry in [leaves] or [classes] for `isHigh($_self)`, needed by `mid` (DEEP)"
    );
}
