//! Printing, as the runtime of compiled programs prints.

use dl_ir::interp::{Flow, Machine, Outcome, Step, Value};
use dl_ir::number::float;
use dl_ir::{AttrRef, Diagnostic, DialectBuilder, TypeRef};

use crate::{PrintOp, PrintPunctuation};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<PrintOp<'_>>().interpret(print);
}

fn print<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let mut text = String::new();
    if let Some(literal) = step.op.attr("stringLiteral").and_then(AttrRef::as_str) {
        text.push_str(literal);
    } else {
        if let Some(value) = step.operands.first() {
            let ty = step.op.operand(0).ty().element_or_self();
            match value {
                Value::Array(vector) => write_lanes(step, vector.shape(), vector.elements(), ty, &mut text)?,
                number => write_number(step, number, ty, &mut text)?,
            }
        }
        let punctuation = step.op.attr_or_default("punctuation").and_then(PrintPunctuation::from_attr);
        text.push_str(match punctuation.unwrap_or(PrintPunctuation::NewLine) {
            PrintPunctuation::NoPunctuation => "",
            PrintPunctuation::NewLine => "\n",
            PrintPunctuation::Comma => ", ",
            PrintPunctuation::Open => "( ",
            PrintPunctuation::Close => " )",
        });
    }
    machine.print(&text);
    Ok(Flow::none())
}

/// Each dimension in parentheses.
fn write_lanes(
    step: Step<'_, '_>,
    shape: &[i64],
    elements: &[Value],
    ty: TypeRef<'_>,
    out: &mut String,
) -> Result<(), Diagnostic> {
    let (count, inner) = match shape {
        [] => (1, shape),
        [count, inner @ ..] => (usize::try_from(*count).unwrap_or(0), inner),
    };
    out.push_str("( ");
    let size = elements.len() / count.max(1);
    for (at, part) in elements.chunks(size.max(1)).take(count).enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        match part {
            [number] if inner.is_empty() => write_number(step, number, ty, out)?,
            _ => write_lanes(step, inner, part, ty, out)?,
        }
    }
    out.push_str(" )");
    Ok(())
}

fn write_number(step: Step<'_, '_>, value: &Value, ty: TypeRef<'_>, out: &mut String) -> Result<(), Diagnostic> {
    match value {
        Value::Int(number) if ty.is_index() || ty.is_unsigned_integer() || ty.is_integer_of(1) => {
            number.write_unsigned(out);
        }
        Value::Int(number) => number.write_signed(out),
        Value::Float(kind, bits) => {
            write_general(float::to_f64(*kind, *bits), out);
        }
        Value::Poison => return Err(step.undefined("poison is printed")),
        other => return Err(step.unsupported(format_args!("printing of {other}"))),
    }
    Ok(())
}

/// Six significant digits, with an exponent where the number is large or small: `%g` of C.
fn write_general(value: f64, out: &mut String) {
    const DIGITS: i32 = 6;
    if !value.is_finite() || value == 0.0 {
        let text = if value.is_nan() {
            "nan"
        } else if value == 0.0 {
            "0"
        } else {
            "inf"
        };
        out.push_str(if value.is_sign_negative() { "-" } else { "" });
        return out.push_str(text);
    }
    let scientific = format!("{value:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let short = |text: &str| {
        let trimmed = text.trim_end_matches('0').trim_end_matches('.');
        if text.contains('.') { trimmed } else { text }.to_owned()
    };
    if (-4..DIGITS).contains(&exponent) {
        let places = usize::try_from(DIGITS - 1 - exponent).unwrap_or(0);
        out.push_str(&short(&format!("{value:.places$}")));
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        out.push_str(&format!("{}e{sign}{:02}", short(digits), exponent.unsigned_abs()));
    }
}
