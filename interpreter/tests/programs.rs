//! Programs and what they compute, as `programs/*.mlir`: one file a dialect, one trial a file.
//!
//! Comments in a file say what its functions must do:
//!
//! ```text
//! // EVAL @f(7 : i32, &dense<1> : tensor<2xi8>) == 8 : i32, poison
//! // NEAR 1e-6 @g(2.0 : f64) == 0.69314718 : f64
//! // FAIL @h(0 : i32): division by zero
//! ```
//!
//! Arguments and results are attributes; `&` before one makes a buffer of it. Results are compared bit by bit, but after `NEAR` floats
//! may be off by that much, relative to the expected one. A call that must fail does so with that text in its message, at a line of the
//! file that ends with `// <-`. Expected values come from outside: each file says from where.

mod support;

use std::fmt::Write as _;
use std::path::Path;

use dl_interpreter::{Interpreter, Options};
use dl_ir::diagnostics::{ColorChoice, Renderer};
use dl_ir::interp::{Array, Lifetime, Memory, Odometer, Value};
use dl_ir::number::float;
use dl_ir::symbol::SymbolTable;
use dl_ir::text::{parse_attribute, parse_source};
use dl_ir::{Context, Diagnostic, Loc, OpRef, verify};

fn render(cx: &Context, error: &Diagnostic) -> String {
    Renderer::new(cx, ColorChoice::Never).render(error)
}

/// What a line asks for.
struct Case<'t> {
    line: usize,
    function: &'t str,
    args: Vec<&'t str>,
    expected: Expected<'t>,
}

enum Expected<'t> {
    Results { values: Vec<&'t str>, tolerance: f64 },
    Failure(&'t str),
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(at, line)| case(at + 1, line.trim().strip_prefix("// ")?)).collect()
}

fn case(line: usize, text: &str) -> Option<Case<'_>> {
    let (word, rest) = text.split_once(' ')?;
    let (tolerance, rest) = match word {
        "EVAL" | "FAIL" => (0.0, rest),
        "NEAR" => {
            let (number, rest) = rest.split_once(' ')?;
            (number.parse().expect("a tolerance"), rest)
        }
        _ => return None,
    };
    let (call, rest) = rest.strip_prefix('@')?.split_at(close(rest) - 1);
    let (function, args) = call.split_once('(')?;
    let args = list(args.strip_suffix(')')?);
    let expected = match rest.trim().strip_prefix("==") {
        Some(values) => Expected::Results { values: list(values), tolerance },
        None => Expected::Failure(rest.strip_prefix(':').expect("a message").trim()),
    };
    Some(Case { line, function, args, expected })
}

/// Where the first parenthesis of `text` is closed.
fn close(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return at + 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    panic!("no closing parenthesis in {text}")
}

/// The parts of a list, at commas outside of brackets.
fn list(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

fn value(cx: &Context, text: &str, memory: &mut Memory) -> Value {
    if text == "poison" {
        return Value::Poison;
    }
    let (buffer, text) = text.strip_prefix('&').map_or((false, text), |rest| (true, rest));
    let attr = parse_attribute(cx, text).unwrap_or_else(|e| panic!("{text}: {}", e.message));
    let value = Value::of_attr(cx.attr(attr)).expect("a constant");
    let Some(array) = value.as_array().filter(|_| buffer) else { return value };
    let memref = memory.allocate_shape(array.shape(), Lifetime::Heap, Loc::UNKNOWN).expect("memory");
    for (at, element) in array.elements().iter().enumerate() {
        memory.store(memref.buffer, at as i64, Some(element.clone())).expect("in bounds");
    }
    memref.into()
}

/// What a view shows, as an array; poison where nothing was written.
fn contents(value: &Value, memory: &Memory) -> Value {
    let Value::MemRef(memref) = value else { return value.clone() };
    let (mut elements, mut indices) = (Vec::new(), Odometer::new(&memref.shape));
    while let Some(index) = indices.next() {
        let position = memref.position(index).expect("in bounds");
        elements.push(memory.peek(memref.buffer, position).expect("live").cloned().unwrap_or(Value::Poison));
    }
    Array::new(&memref.shape, elements).into()
}

fn matches(got: &Value, expected: &Value, tolerance: f64) -> bool {
    match (got, expected) {
        (Value::Poison, Value::Poison) => true,
        (Value::Int(a), Value::Int(b)) => a == b,
        (&Value::Float(kind, a), &Value::Float(of, b)) => {
            let (x, y) = (float::to_f64(kind, a), float::to_f64(of, b));
            kind == of && (a == b || tolerance > 0.0 && (x - y).abs() <= tolerance * y.abs())
        }
        (Value::Complex(a), Value::Complex(b)) => a.iter().zip(b.iter()).all(|(a, b)| matches(a, b, tolerance)),
        (Value::Array(a), Value::Array(b)) => {
            a.shape() == b.shape() && a.elements().iter().zip(b.elements()).all(|(a, b)| matches(a, b, tolerance))
        }
        // All of an array is poison.
        (Value::Array(a), Value::Poison) => a.elements().iter().all(Value::is_poison),
        _ => false,
    }
}

fn show(value: &Value) -> String {
    let Value::Array(array) = value else { return value.to_string() };
    let elements: Vec<String> = array.elements().iter().map(show).collect();
    format!("{:?} [{}]", array.shape(), elements.join(", "))
}

fn check(cx: &Context, root: OpRef<'_>, text: &str, case: &Case<'_>) -> Result<(), String> {
    let table = SymbolTable::new(root);
    let function = table.get(case.function).ok_or_else(|| format!("no function @{}", case.function))?;
    let mut interpreter = Interpreter::new(root, Options { steps: Some(200_000), ..Options::default() });
    let args: Vec<Value> = case.args.iter().map(|arg| value(cx, arg, interpreter.memory())).collect();
    let run = interpreter.run(function, &args);
    match (&case.expected, run.results) {
        (Expected::Results { values, tolerance }, Ok(results)) => {
            let mut results: Vec<Value> = results.iter().map(|result| contents(result, interpreter.memory())).collect();
            // A struct is as good as its members.
            if let ([Value::Array(members)], 2..) = (&results[..], values.len()) {
                results = members.elements().to_vec();
            }
            let expected: Vec<Value> = values.iter().map(|text| value(cx, text, interpreter.memory())).collect();
            let equal = results.len() == expected.len()
                && results.iter().zip(&expected).all(|(got, expected)| matches(got, expected, *tolerance));
            let shown: Vec<String> = results.iter().map(show).collect();
            if equal { Ok(()) } else { Err(format!("expected {}, got {}", values.join(", "), shown.join(", "))) }
        }
        (Expected::Results { .. }, Err(error)) => Err(render(cx, &error)),
        (Expected::Failure(message), Ok(results)) => {
            let shown: Vec<String> = results.iter().map(show).collect();
            Err(format!("expected to fail with '{message}', got {}", shown.join(", ")))
        }
        (Expected::Failure(message), Err(error)) => {
            let rendered = render(cx, &error);
            let line = rendered.split(':').nth(1).and_then(|line| line.parse::<usize>().ok());
            let marked = line.and_then(|line| text.lines().nth(line - 1)).is_some_and(|line| line.ends_with("// <-"));
            if error.message.contains(message) && marked {
                Ok(())
            } else {
                Err(format!("failed otherwise: {rendered}"))
            }
        }
    }
}

fn check_file(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    let text = std::fs::read_to_string(&path).expect("a readable program");
    let cx = support::context();
    let source = cx.add_source(name, &text);
    let show = |errors: &dl_ir::Diagnostics| {
        let all = errors.iter().map(|error| render(&cx, error));
        all.collect::<String>()
    };
    let module = parse_source(&cx, &source).unwrap_or_else(|errors| panic!("{}", show(&errors))).module;
    verify::verify(&cx, &module).unwrap_or_else(|errors| panic!("{}", show(&errors)));
    let root = OpRef::root(&cx, &module);
    let cases = cases(&text);
    assert!(!cases.is_empty(), "{name} says nothing of its functions");
    let mut failures = String::new();
    for case in &cases {
        if let Err(why) = check(&cx, root, &text, case) {
            let _ = writeln!(failures, "{name}:{}: @{}: {why}", case.line, case.function);
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

macro_rules! programs {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            check_file(concat!(stringify!($name), ".mlir"));
        }
    )*};
}

programs! { arith rounding control memref tensor linalg affine math vector vectors complex bufferization transfers winograd llvm llvm_intrinsics llvm_masked llvm_predicated }
