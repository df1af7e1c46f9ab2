//! What `vector.print` lowers to: the printing functions of MLIR's C runner utilities, by the same names and with the same output. And the `puts` that
//! `cf.assert` lowers to.

#![expect(unsafe_code, reason = "a string comes from compiled code as a bare pointer")]

use std::{
    ffi::{CStr, c_char, c_int},
    io::Write as _,
};

use half::{bf16, f16};

/// Writes to standard output. What cannot be written is lost, as with C's `printf`.
fn put(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

extern "C" fn print_i64(value: i64) {
    put(&value.to_string());
}

extern "C" fn print_u64(value: u64) {
    put(&value.to_string());
}

extern "C" fn print_f32(value: f32) {
    put(&format_g(f64::from(value)));
}

extern "C" fn print_f64(value: f64) {
    put(&format_g(value));
}

extern "C" fn print_f16(bits: u16) {
    put(&format_g(f16::from_bits(bits).to_f64()));
}

extern "C" fn print_bf16(bits: u16) {
    put(&format_g(bf16::from_bits(bits).to_f64()));
}

/// # Safety
/// `text` points at a string that ends with a zero byte.
unsafe extern "C" fn print_string(text: *const c_char) {
    // SAFETY: upheld by the caller.
    let text = unsafe { CStr::from_ptr(text) };
    let _ = std::io::stdout().lock().write_all(text.to_bytes());
}

/// C's `puts`, after all that was printed before. A failed assertion calls it and then `abort`, so nothing may stay in a buffer.
///
/// # Safety
/// `text` points at a string that ends with a zero byte.
unsafe extern "C" fn puts(text: *const c_char) -> c_int {
    mod c {
        use std::ffi::{c_char, c_int, c_void};

        unsafe extern "C" {
            pub(super) fn puts(text: *const c_char) -> c_int;
            pub(super) fn fflush(stream: *mut c_void) -> c_int;
        }
    }
    let _ = std::io::stdout().lock().flush();
    // SAFETY: the text is as the caller says, and null stands for all streams.
    unsafe {
        let written = c::puts(text);
        c::fflush(std::ptr::null_mut());
        written
    }
}

extern "C" fn print_open() {
    put("( ");
}

extern "C" fn print_close() {
    put(" )");
}

extern "C" fn print_comma() {
    put(", ");
}

extern "C" fn print_newline() {
    put("\n");
}

/// C's `%g`: six significant digits, no zeros at the end, an exponent below 1e-4 and from 1e6.
fn format_g(value: f64) -> String {
    const DIGITS: i32 = 6;
    if value.is_nan() {
        return if value.is_sign_negative() { "-nan" } else { "nan" }.to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{value:.*e}", DIGITS as usize - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| text.trim_end_matches('0').trim_end_matches('.').to_owned();
    if (-4..DIGITS).contains(&exponent) {
        let text = format!("{value:.*}", (DIGITS - 1 - exponent) as usize);
        if text.contains('.') { trim(&text) } else { text }
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
    }
}

/// The printing functions by the names under which compiled programs know them.
pub(crate) fn symbols() -> [(&'static str, usize); 12] {
    [
        ("printI64", print_i64 as extern "C" fn(i64) as usize),
        ("printU64", print_u64 as extern "C" fn(u64) as usize),
        ("printF16", print_f16 as extern "C" fn(u16) as usize),
        ("printBF16", print_bf16 as extern "C" fn(u16) as usize),
        ("printF32", print_f32 as extern "C" fn(f32) as usize),
        ("printF64", print_f64 as extern "C" fn(f64) as usize),
        ("printString", print_string as unsafe extern "C" fn(*const c_char) as usize),
        ("puts", puts as unsafe extern "C" fn(*const c_char) -> c_int as usize),
        ("printOpen", print_open as extern "C" fn() as usize),
        ("printClose", print_close as extern "C" fn() as usize),
        ("printComma", print_comma as extern "C" fn() as usize),
        ("printNewline", print_newline as extern "C" fn() as usize),
    ]
}

#[cfg(test)]
mod tests {
    use super::format_g;

    // Expected texts are what C's printf("%g") gives.
    #[test]
    fn numbers_print_as_in_c() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (123_456.0, "123456"),
            (999_999.5, "1e+06"),
            (1_234_567.0, "1.23457e+06"),
            (0.000_1, "0.0001"),
            (0.000_012_345_678, "1.23457e-05"),
            (-2.5e100, "-2.5e+100"),
            (100.0, "100"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
        ];
        for (value, expected) in cases {
            assert_eq!(format_g(value), expected);
        }
    }
}
