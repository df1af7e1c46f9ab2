//! String literals: escapes in and out.

/// The bytes that the literal `text` (its quotes included, escapes valid as the lexer checked) stands for.
pub(crate) fn unescape(text: &[u8]) -> Vec<u8> {
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest) {
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
    out.extend_from_slice(rest);
    out
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
    if digits.len() % 2 != 0 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    Some(digits.chunks_exact(2).map(|pair| hex_digit(pair[0]) << 4 | hex_digit(pair[1])).collect())
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
        assert_eq!(unescape(br#""a\n\t\22\\\"\00\FF""#), b"a\n\t\"\\\"\0\xff");
        let mut out = String::new();
        escape(b"a\n\t\"\\\"\0\xff\xc3\xa9", &mut out);
        assert_eq!(out, r#""a\0A\09\22\\\22\00\FF\C3\A9""#);
        assert_eq!(unescape(out.as_bytes()), b"a\n\t\"\\\"\0\xff\xc3\xa9");
    }

    #[test]
    fn hex_needs_whole_bytes() {
        assert_eq!(parse_hex(b"0x0aFF"), Some(vec![10, 255]));
        assert_eq!(parse_hex(b"0x"), Some(vec![]));
        assert_eq!([parse_hex(b"0x1"), parse_hex(b"12"), parse_hex(b"0xZZ")], [None, None, None]);
    }
}
