//! `dl-tblgen my.td --crate-out FOLDER`: the crate that comes out builds and passes its tests, and what goes wrong is told as tools that
//! read `TableGen` tell it.
#![allow(clippy::disallowed_methods, reason = "the environment says where LLVM is")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SHOP: &str = r#"include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "words.td"

def Shop_Dialect : Dialect { let name = "shop"; let cppNamespace = "::shop"; }
class Shop_Op<string name, list<Trait> traits = []> : Op<Shop_Dialect, name, traits>;

def Shop_Basket : TypeDef<Shop_Dialect, "Basket"> {
  let mnemonic = "basket";
  let summary = Words.basket;
  let parameters = (ins "Type":$goods);
  let assemblyFormat = "`<` $goods `>`";
}
def Shop_Mode : I32EnumAttr<"Mode", "how to pay", [I32EnumAttrCase<"Cash", 0, "cash">, I32EnumAttrCase<"Card", 1, "card">]>;

def Shop_AddOp : Shop_Op<"add", [Pure, SameOperandsAndResultType]> {
  let summary = "adds two prices";
  let arguments = (ins F32:$lhs, F32:$rhs, DefaultValuedAttr<BoolAttr, "false">:$rounded);
  let results = (outs F32:$sum);
  let assemblyFormat = "$lhs `,` $rhs (`rounded` $rounded^)? attr-dict `:` type($sum)";
}
def Shop_PayOp : Shop_Op<"pay"> {
  let arguments = (ins Shop_Basket:$basket, Shop_Mode:$mode);
  let assemblyFormat = "$basket $mode attr-dict `:` type($basket)";
}
"#;

/// A test that the owner of the crate might add.
const ROUND_TRIP: &str = r#"
#[test]
fn texts_are_read_and_printed() {
    let mut cx = context();
    cx.allow_unregistered(true);
    let text = "%b, %x = \"test.values\"() : () -> (!shop.basket<f32>, f32)\n\
                %y = shop.add %x, %x rounded true : f32\nshop.pay %b card : !shop.basket<f32>\n";
    let parsed = dl_ir::text::parse_source(&cx, &cx.add_source("b", text));
    let parsed = parsed.unwrap_or_else(|errors| panic!("{:?}", errors.iter().map(|e| &e.message).collect::<Vec<_>>()));
    assert!(dl_ir::verify::verify(&cx, &parsed.module).is_ok());
    let mut out = Vec::new();
    dl_ir::text::print_op(dl_ir::OpRef::root(&cx, &parsed.module), &Default::default(), &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("shop.add") && out.contains(" rounded true : f32"), "{out}");
    assert!(out.contains(" card : <f32>") || out.contains(" card : !shop.basket<f32>"), "{out}");
}
"#;

/// An empty folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crate-out").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("include")).expect("the folder can be made");
    for (file, text) in files {
        fs::write(folder.join(file), text).expect("the file can be written");
    }
    folder
}

fn tblgen(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dl-tblgen")).args(args).current_dir(folder).output().expect("it starts")
}

/// Standard error of a run that must fail with exit code 1.
fn failure(folder: &Path, args: &[&str]) -> String {
    let output = tblgen(folder, args);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).expect("messages are text")
}

fn words() -> (&'static str, &'static str) {
    ("include/words.td", "class WordsOf { string basket = \"goods of one kind\"; }\ndef Words : WordsOf;\n")
}

#[test]
fn the_crate_builds_and_passes_its_tests() {
    let folder = folder("good", &[("shop.td", SHOP), words()]);
    let output = tblgen(&folder, &["shop.td", "-I", "include", "--crate-out", "my-shop"]);
    assert!(output.status.success(), "{output:?}");
    let made = folder.join("my-shop");
    let ops = fs::read_to_string(made.join("src/generated/ops.rs")).expect("it is written");
    assert!(ops.contains("    /// Adds two prices.\n    AddOp = \"shop.add\" {"), "{ops}");
    assert!(ops.contains("    /// `shop.pay`.\n    PayOp = \"shop.pay\" {"), "{ops}");

    let test = made.join("tests/definitions.rs");
    let text = fs::read_to_string(&test).expect("it is written");
    fs::write(&test, text + ROUND_TRIP).expect("it can be changed");
    // The versions that this workspace builds with: nothing is fetched.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is two folders deep");
    fs::copy(root.join("Cargo.lock"), made.join("Cargo.lock")).expect("the workspace has a lock file");
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline"])
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("crate-out-target"))
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .current_dir(&made)
        .output()
        .expect("cargo starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    assert!(!stderr.contains("warning"), "{stderr}");
    assert!(stdout.contains("4 passed"), "{stdout}");
}

#[test]
fn a_crate_that_is_there_is_updated_on_request_only() {
    let folder = folder("again", &[("shop.td", SHOP), words()]);
    let args = ["shop.td", "-I", "include", "--crate-out", "my-shop"];
    assert!(tblgen(&folder, &args).status.success());
    let library = folder.join("my-shop/src/lib.rs");
    fs::write(&library, "// mine\n").expect("it can be changed");
    assert_eq!(
        failure(&folder, &args),
        "error: destination `my-shop` already exists and is not empty; `--update` writes its definitions again\n"
    );
    fs::write(folder.join("shop.td"), SHOP.replace("adds two prices", "sums up")).expect("it can be changed");
    assert!(tblgen(&folder, &[&args[..], &["--update"]].concat()).status.success());
    assert_eq!(fs::read_to_string(&library).expect("it is still there"), "// mine\n");
    let ops = fs::read_to_string(folder.join("my-shop/src/generated/ops.rs")).expect("it is written");
    assert!(ops.contains("/// Sums up."), "{ops}");
}

#[test]
fn input_that_cannot_be_read() {
    let folder = folder("bad", &[("bad.td", "def X : Y;\n"), ("empty.td", "")]);
    let out = ["--crate-out", "out"];
    let run = |file: &str| failure(&folder, &[&[file], &out[..]].concat());
    assert_eq!(run("nix.td"), "error: could not open input file 'nix.td': No such file or directory\n");
    assert_eq!(
        run("bad.td"),
        "bad.td:1:9: error: Couldn't find class 'Y'\ndef X : Y;\n        ^\n\
         error: cannot read bad.td: what is wrong with it is above\n"
    );
    assert_eq!(run("empty.td"), "error: empty.td: no dialect is defined\n");
    assert!(!folder.join("out").exists(), "nothing is written when something is wrong");
    let output = tblgen(&folder, &["bad.td"]);
    assert_eq!(output.status.code(), Some(2), "a command line that is wrong: {output:?}");
}

#[test]
fn a_dialect_must_be_chosen_among_several() {
    let two = "include \"mlir/IR/OpBase.td\"\ndef A : Dialect { let name = \"a\"; let cppNamespace = \"a\"; }\n\
               def B : Dialect { let name = \"b\"; let cppNamespace = \"b\"; }\ndef OneOp : Op<B, \"one\">;\n";
    let folder = folder("two", &[("two.td", two)]);
    let args = ["two.td", "--crate-out", "out"];
    let choose = |name| [&args[..], &["--dialect", name]].concat();
    assert_eq!(failure(&folder, &args), "error: two.td: 'a', 'b' are defined; choose one with `--dialect`\n");
    assert_eq!(failure(&folder, &choose("c")), "error: two.td: no dialect 'c' is defined, only 'a', 'b'\n");
    assert_eq!(
        failure(&folder, &choose("a")),
        "error: two.td: the dialect 'a' has no operations, types or attributes\n"
    );
    assert!(tblgen(&folder, &choose("b")).status.success());
}

#[test]
fn folders_that_cannot_be_crates() {
    let folder = folder("folders", &[("shop.td", SHOP), words(), ("file", "")]);
    let run = |out: &str| failure(&folder, &["shop.td", "-I", "include", "--crate-out", out]);
    assert_eq!(
        run("a b"),
        "error: `a b` cannot be the name of a crate: use letters, digits, `-` and `_`, and begin with a letter\n"
    );
    assert!(run("file").starts_with("error: destination `file` is no folder to write to: "));
    let elsewhere = ["shop.td", "-I", "include", "--crate-out", "out", "--project", "include"];
    assert!(failure(&folder, &elsewhere).contains("is no crate of this project"));
}

#[test]
fn what_is_not_supported_is_named_with_its_place() {
    let odd = SHOP.replace(
        "def Shop_PayOp",
        "def Shop_Odd : Type<CPred<\"isOdd($_self)\">, \"odd type\">;\ndef Shop_OddTrait : NativeOpTrait<\"IsOdd\">;\n\
         def Shop_OddOp : Shop_Op<\"odd\", [Shop_OddTrait]> { let arguments = (ins Shop_Odd:$x); }\ndef Shop_PayOp",
    );
    let tables = "[tables.leaves]\n\"isOdd($_self)\" = \"{}.is_integer_of(1)\"\n\n[tables.traits]\nIsOdd = \"\"\n";
    let folder = folder("odd", &[("odd.td", &odd), words(), ("tables.toml", tables)]);
    let args = ["odd.td", "-I", "include", "--crate-out", "out"];
    let line = 1 + odd.lines().position(|line| line.starts_with("def Shop_OddOp")).expect("it is there");
    assert_eq!(
        failure(&folder, &args),
        format!(
            "odd.td:{line}:5: error: unsupported: no entry in [traits] for `IsOdd`, needed by shop.odd\n\
             odd.td:{line}:5: error: unsupported: no entry in [leaves] or [classes] for `isOdd($_self)`, needed by `odd type` (ODD)\n"
        )
    );
    let output = tblgen(&folder, &[&args[..], &["--tables", "tables.toml"]].concat());
    assert!(output.status.success(), "{output:?}");
}
