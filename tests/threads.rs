//! The number of threads makes no difference: large texts are read the same with and without.

use std::fmt::Write as _;

use dl_ir::bytecode::load_source;
use dl_ir::diagnostics::{ColorChoice, Renderer};
use dl_ir::text::{PrintOptions, print_op};
use dl_ir::{Context, OpRef};

/// Functions of a text: enough for several batches.
const FUNCTIONS: usize = 200;

/// A module in which `extra` is one line of function 120.
fn module(extra: &str) -> String {
    let mut text = String::from("#map = affine_map<(d0) -> (d0 + 1)>\n!ty = tensor<4xf32>\nmodule {\n");
    for f in 0..FUNCTIONS {
        writeln!(text, "func.func @f{f}(%m: memref<8xf32>, %t: !ty {{test.unused}}, %n: index) -> f32 {{ // \" }}")
            .unwrap();
        text.push_str(
            "  %c0 = arith.constant {test.brace = \"}\\\"\"} 0 : index\n  %x0 = memref.load %m[%c0] : memref<8xf32>\n",
        );
        for i in 0..24 {
            writeln!(text, "  %x{} = arith.addf %x{i}, %x0 : f32 loc(#inner)", i + 1).unwrap();
        }
        if f == 120 {
            writeln!(text, "  {extra}").unwrap();
        }
        text.push_str("  %i = affine.apply #map(%n)\n  scf.for %k = %c0 to %i step %n { func.call @f0(%m, %t, %k) : (memref<8xf32>, !ty, index) -> f32 }\n");
        text.push_str("  return %x24 : f32\n} loc(\"outer\")\n");
        if f % 50 == 0 {
            writeln!(text, "func.func private @declared{f}(i32)\nmodule @nested{f} {{ func.func @g() {{ return }} }}")
                .unwrap();
        }
    }
    text.push_str("}\n#inner = loc(\"inner\":1:2)\n#late = affine_map<(d0) -> (d0 + 2)>\n");
    text
}

/// What is printed of `text`, or the errors.
fn read(text: &str, threading: bool) -> Result<String, String> {
    let registry = dl_tools::standard();
    let mut cx: Context = registry.context();
    cx.set_threading(threading);
    let source = cx.add_source("input.mlir", text);
    let parsed = load_source(&cx, &source).map_err(|errors| {
        errors.iter().map(|error| Renderer::new(&cx, ColorChoice::Never).render(error)).collect::<String>()
    })?;
    let mut printed = Vec::new();
    for generic in [false, true] {
        let options = PrintOptions { generic, debug_info: true, ..PrintOptions::default() };
        print_op(OpRef::root(&cx, &parsed.module), &options, &mut printed).unwrap();
    }
    Ok(String::from_utf8(printed).unwrap())
}

#[track_caller]
fn same(extra: &str) -> Result<String, String> {
    let text = module(extra);
    let serial = read(&text, false);
    assert_eq!(read(&text, true), serial);
    serial
}

#[test]
fn functions_are_read_in_parallel() {
    let printed = same("").unwrap();
    assert_eq!(printed.matches("arith.addf").count(), 2 * 24 * FUNCTIONS);
}

#[test]
fn errors_are_those_of_one_thread() {
    let fault = |extra: &str, message: &str| {
        let errors = same(extra).unwrap_err();
        assert!(errors.contains(message), "{errors}");
    };
    fault("%y = arith.addf %x1, %undefined : f32", "use of undeclared SSA value name");
    fault("%y = arith.addf %x1, %x2 : f64", "expects different type than prior uses");
    fault("%y = arith.addf %x1 %x2 : f32\n %z = arith.bad %y", "expected ','");
    fault("%i2 = affine.apply #late(%n)", "undefined symbol alias id 'late'");
    fault("}", "");
    fault("{", "");
    fault("%s = arith.constant \"{", "expected '\"' in string literal");
    fault("^bb1(%x24: f32):", "");
}

#[test]
fn distinct_attributes_are_those_of_the_file() {
    let text = module("").replacen("{test.unused}", "{test.d = distinct[0]<1 : i32>}", 1);
    let both = text.replace(
        "%x24 = arith.addf %x23, %x0 : f32",
        "%x24 = arith.addf %x23, %x0 {test.d = distinct[0]<2 : i32>} : f32",
    );
    let errors = read(&both, true).unwrap_err();
    assert_eq!(errors, read(&both, false).unwrap_err());
    assert!(errors.contains("referenced attribute does not match previous definition"), "{errors}");
    let equal = both.replace("<2 : i32>", "<1 : i32>");
    assert_eq!(read(&equal, true).unwrap(), read(&equal, false).unwrap());
}
