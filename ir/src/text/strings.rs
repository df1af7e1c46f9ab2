//! String literals: escapes in and out.

use std::borrow::Cow;

/// Bytes from which on a string is looked through in steps of vectors. Shorter ones are not worth it, and the first such step asks the processor what it has, for
/// 0.07 ms in a virtual machine.
pub(crate) const LONG_STRING: usize = 64;

/// The bytes that the literal `text` (its quotes included, escapes valid as the lexer checked) stands for: as they are there, if nothing is escaped.
pub(crate) fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let (mut out, mut rest) = (Vec::new(), inner);
    while let Some(at) = find_escape(rest) {
        out.reserve(rest.len());
        out.extend_from_slice(&rest[..at]);
        let (byte, len) = match rest[at + 1..] {
            [b'n', ..] => (b'\n', 2),
            [b't', ..] => (b'\t', 2),
            [quoted @ (b'"' | b'\\'), ..] => (quoted, 2),
            [high, low, ..] => (hex_digit(high) << 4 | hex_digit(low), 3),
            _ => (b'\\', 1),
        };
        out.push(byte);
        rest = &rest[(at + len).min(rest.len())..];
    }
    if rest.len() == inner.len() {
        return Cow::Borrowed(inner);
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// Where the first backslash is.
fn find_escape(text: &[u8]) -> Option<usize> {
    match text.len() {
        0..LONG_STRING => text.iter().position(|&byte| byte == b'\\'),
        _ => memchr::memchr(b'\\', text),
    }
}

/// Appends `bytes` between quotes. Printable ASCII stands for itself except the quote (`\22`) and the backslash (`\\`); every
/// other byte is written as two capital hexadecimal digits.
pub(crate) fn escape(bytes: &[u8], out: &mut String) {
    out.reserve(bytes.len() + 2);
    out.push('"');
    for &byte in bytes {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'"' => out.push_str("\\22"),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => {
                out.push('\\');
                push_hex(byte, out);
            }
        }
    }
    out.push('"');
}

/// Appends two capital hexadecimal digits.
pub(crate) fn push_hex(byte: u8, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// The bytes of `0x` followed by an even number of hexadecimal digits.
pub(crate) fn parse_hex(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.strip_prefix(b"0x")?;
    let mut bytes = vec![0; digits.len() / 2];
    // It takes off the prefix, once, itself.
    const_hex::decode_to_slice(text, &mut bytes).is_ok().then_some(bytes)
}

fn hex_digit(byte: u8) -> u8 {
    char::from(byte).to_digit(16).map_or(0, |digit| digit as u8)
}

/// Whether `text` may stand without quotes where a keyword or string may: `[A-Za-z_][A-Za-z0-9_$.]*`.
pub(crate) fn is_bare_word(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_round_trip() {
        assert_eq!(*unescape(br#""a\n\t\22\\\"\00\FF""#), *b"a\n\t\"\\\"\0\xff");
        assert_eq!([unescape(b"\"\""), unescape(b"\"ab\""), unescape(br#""\41""#)], [&b""[..], b"ab", b"A"]);
        let mut out = String::new();
        escape(b"a\n\t\"\\\"\0\xff\xc3\xa9", &mut out);
        assert_eq!(out, r#""a\0A\09\22\\\22\00\FF\C3\A9""#);
        assert_eq!(*unescape(out.as_bytes()), *b"a\n\t\"\\\"\0\xff\xc3\xa9");
    }

    #[test]
    fn hex_needs_whole_bytes() {
        assert_eq!(parse_hex(b"0x0aFF"), Some(vec![10, 255]));
        assert_eq!(parse_hex(b"0x"), Some(vec![]));
        for fault in [&b"0x1"[..], b"12", b"0xZZ", b"0x0x12", b"0x 1", b"0x\xff\xff", b"0x0g", b"0x:0"] {
            assert_eq!(parse_hex(fault), None, "{fault:?}");
        }
        let text: String = (0..=255_u8).map(|byte| format!("{byte:02x}{byte:02X}")).collect();
        let bytes: Vec<u8> = (0..=255).flat_map(|byte| [byte, byte]).collect();
        assert_eq!(parse_hex(format!("0x{text}").as_bytes()), Some(bytes));
        for at in 2..100 {
            let mut fault = format!("0x{text}").into_bytes();
            fault[at] = b'G';
            assert_eq!(parse_hex(&fault), None, "{at}");
        }
    }
}
