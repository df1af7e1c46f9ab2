//! `dl-tblgen my.td --to-irdl FILE`: what comes out says the same where IRDL can, and less with a comment where it cannot and that is asked for; the
//! interpreter of IRDL here takes it, and upstream's where it is installed.
#![allow(clippy::disallowed_methods, reason = "the environment says where LLVM is")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dl_ir::{Context, verify};

const EXACT: &str = r#"include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Box_Dialect : Dialect { let name = "box"; let cppNamespace = "::box"; }
def Box_Box : TypeDef<Box_Dialect, "Box"> {
  let mnemonic = "box";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def Box_PutOp : Op<Box_Dialect, "put", [Pure]> {
  let arguments = (ins AnyTypeOf<[I32, F32]>:$x, Variadic<Index>:$places, Optional<Box_Box>:$inside, StrAttr:$label);
  let results = (outs AnyType:$result);
  let regions = (region SizedRegion<1>:$body);
}
def Box_SumOp : Op<Box_Dialect, "sum_all", [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyInteger:$x, AnyInteger:$y);
  let results = (outs AnyInteger:$result);
}
"#;

const EXPECTED: &str = r##"// The dialect 'box' of exact.td, by dl-tblgen.
irdl.dialect @box {
  irdl.type @box {
    %element = irdl.any
    irdl.parameters(element: %element)
  }
  irdl.operation @put {
    %0 = irdl.is i32
    %1 = irdl.is f32
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is index
    %4 = irdl.base @box::@box
    %5 = irdl.any
    %6 = irdl.base "#builtin.string"
    %7 = irdl.region with size 1
    irdl.operands(x: %2, places: variadic %3, inside: optional %4)
    irdl.results(result: %5)
    irdl.attributes {"label" = %6}
    irdl.regions(body: %7)
  }
  irdl.operation @sum_all {
    %0 = irdl.base "!builtin.integer"
    irdl.operands(x: %0, y: %0)
    irdl.results(result: %0)
  }
}
"##;

const WIDER: &str = r#"include "mlir/IR/OpBase.td"

def Thin_Dialect : Dialect { let name = "thin"; let cppNamespace = "::thin"; }
def Thin_CutOp : Op<Thin_Dialect, "cut", [Terminator]> {
  let arguments = (ins AnySignlessInteger:$x, I64Attr:$at, OptionalAttr<UnitAttr>:$twice);
}
"#;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("to-irdl");
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn generate(name: &str, text: &str, more: &[&str]) -> (Output, PathBuf) {
    let (input, output) = (folder().join(format!("{name}.td")), folder().join(format!("{name}.mlir")));
    let _ = fs::remove_file(&output);
    fs::write(&input, text).expect("it can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dl-tblgen"));
    command.arg(&input).arg("--to-irdl").arg(&output).args(more);
    (command.output().expect("the tool is there"), output)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A context with the dialects of a file.
fn loaded(file: &Path) -> Context {
    let mut cx = Context::new();
    cx.register(&dl_irdl::Irdl);
    cx.allow_unregistered(true);
    let source = cx.add_source("dialect.mlir", fs::read(file).expect("it was written"));
    let loaded = dl_irdl::load(&mut cx, &source);
    assert!(
        loaded.is_ok(),
        "{:?}",
        loaded.err().map(|errors| errors.iter().map(|e| e.message.clone()).collect::<Vec<_>>())
    );
    cx
}

/// The first message about a program.
fn error(cx: &Context, text: &str) -> Option<String> {
    let module = dl_ir::text::parse_source(cx, &cx.add_source("program.mlir", text)).expect("it is read").module;
    verify::verify(cx, &module).err().and_then(|errors| errors.iter().next().map(|error| error.message.clone()))
}

#[test]
fn what_irdl_can_say_is_said() {
    let (output, file) = generate("exact", EXACT, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&file).expect("it was written"), EXPECTED);

    let cx = loaded(&file);
    let sum = |types: &str| error(&cx, &format!("%x, %y = \"t.x\"() : () -> (i32, i64)\n\"box.sum_all\"{types}"));
    assert_eq!(sum("(%x, %x) : (i32, i32) -> i32"), None);
    assert_eq!(sum("(%x, %y) : (i32, i64) -> i32").as_deref(), Some("expected 'i32' but got 'i64'"));

    // The same file, upstream.
    let upstream = std::env::var_os("TABLEGEN_220_PREFIX").map(|prefix| Path::new(&prefix).join("bin/mlir-opt"));
    let Some(upstream) = upstream.filter(|file| file.is_file()) else { return };
    let program = folder().join("program.mlir");
    fs::write(&program, "%x = \"t.x\"() : () -> i32\n%y = \"box.sum_all\"(%x, %x) : (i32, i32) -> i32\n")
        .expect("it can be written");
    let read = Command::new(upstream)
        .arg(format!("--irdl-file={}", file.display()))
        .arg("--allow-unregistered-dialect")
        .arg(program)
        .output();
    let read = read.expect("the tool is there");
    assert!(read.status.success(), "{}", stderr(&read));
}

#[test]
fn names_are_those_of_irdl() {
    let text = WIDER.replace("\"cut\"", "\"cut.off\"");
    let (output, file) = generate("names", &text, &["--widen"]);
    assert!(!output.status.success() && !file.exists());
    assert!(
        stderr(&output).contains("unsupported: the name 'thin.cut.off' is none that irdl takes"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_it_cannot_say_is_refused_or_left_out() {
    let (output, file) = generate("wider", WIDER, &[]);
    assert!(!output.status.success() && !file.exists());
    let said = stderr(&output);
    let place = format!("{}:4:", folder().join("wider.td").display());
    for what in [
        "'x' is signless integer",
        "'at' is 64-bit signless integer attribute",
        "attribute 'twice' may be missing",
        "Terminator",
    ] {
        let line = said.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}: {said}"));
        assert!(
            line.starts_with(&place) && line.contains("error: unsupported: irdl cannot say of 'thin.cut': "),
            "{line}"
        );
    }
    assert!(said.contains("'--widen' leaves out what irdl cannot say"), "{said}");

    let (output, file) = generate("wider", WIDER, &["--widen"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(&file).expect("it was written");
    assert!(text.contains("    // Not said: 'x' is signless integer.\n    %0 = irdl.any\n"), "{text}");
    assert!(
        text.contains(
            "    // Not said: 'at' is 64-bit signless integer attribute.\n    %1 = irdl.base \"#builtin.integer\"\n"
        ),
        "{text}"
    );
    let cx = loaded(&file);
    assert_eq!(error(&cx, "%x = \"t.x\"() : () -> f32\n\"thin.cut\"(%x) {at = 1 : i8} : (f32) -> ()"), None);
    assert!(error(&cx, "%x = \"t.x\"() : () -> f32\n\"thin.cut\"(%x) {at = \"a\"} : (f32) -> ()").is_some());
}
