//! How deeply brackets nest in MLIR text.
//!
//! Upstream's parser recurses once for each level of regions, attributes and types and has no limit of its own, so text from outside could
//! overflow the stack. One pass over the bytes, without a parser, rules that out.

/// Levels of brackets, or regions, attributes and types, that MLIR gets, which works recursively and has no limit of its own. Real modules have tens; the parser
/// takes a few kilobytes of stack for each.
pub const MAX_NESTING: usize = 512;

/// The byte offset of the first bracket that is nested more than [`MAX_NESTING`] deep.
///
/// Brackets in strings and comments do not count. `<` and `>` do, but for the `>` of an arrow; where they are comparison signs, as in
/// affine sets, they are off by a few, which the limit has room for.
pub(crate) fn too_deep(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at + 1),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = end_of_line(bytes, at),
            b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
            b'(' | b'[' | b'{' | b'<' => {
                depth += 1;
                if depth > MAX_NESTING {
                    return Some(at);
                }
            }
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The offset of the quote that ends a string whose text starts at `at`; the end of the text if there is none.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// The offset of the next line end; the end of the text if there is none.
fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bracket_too_deep_is_found() {
        assert_eq!(too_deep("(".repeat(MAX_NESTING).as_bytes()), None);
        assert_eq!(too_deep("(".repeat(MAX_NESTING + 5).as_bytes()), Some(MAX_NESTING));
        assert_eq!(too_deep("[{<()>}]".repeat(MAX_NESTING).as_bytes()), None);
        assert_eq!(too_deep("!llvm.struct<(".repeat(MAX_NESTING).as_bytes()), Some(MAX_NESTING / 2 * 14 + 12));
    }

    #[test]
    fn strings_comments_and_arrows_do_not_count() {
        assert_eq!(too_deep(format!("\"{}\\\"{}\"", "(".repeat(600), "(".repeat(600)).as_bytes()), None);
        assert_eq!(too_deep(format!("// {}\n()", "(".repeat(600)).as_bytes()), None);
        assert_eq!(too_deep("(i32) -> (i32), ".repeat(600).as_bytes()), None);
        assert_eq!(too_deep(b"\"\\"), None);
        assert_eq!(too_deep(b"/"), None);
    }
}
