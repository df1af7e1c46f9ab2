//! Text IR as tokens: near enough to the real lexer for mutation, and total.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Class {
    /// Blanks and comments.
    Space,
    /// `arith.addi`, `i32`, `dense`.
    Word,
    /// `42`, `0x1F`, `1.5e-3`.
    Number,
    /// `%x`, `%0#1`.
    Value,
    /// `^bb0`.
    Block,
    /// `@f`, `@"f"`.
    Symbol,
    /// `!llvm.ptr`.
    Type,
    /// `#map`.
    Attr,
    /// `"text"`.
    Text,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// Any other byte, and `->`, `::`, `==`, `>=`.
    Punctuation,
}

/// A token and its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    pub(super) class: Class,
    pub(super) text: &'a [u8],
}

/// The tokens of `text`: joined, they are the text.
pub(super) fn tokens(text: &[u8]) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let after_number =
            tokens.last().is_some_and(|last| last.class == Class::Number || last.text == b"?" || last.text == b"*");
        let (class, end) = one(text, at, after_number);
        tokens.push(Token { class, text: &text[at..end] });
        at = end;
    }
    tokens
}

/// The class and end of the token at `at`. After a number, a leading `x` is a token of its own, as in `4x8xf32`.
fn one(text: &[u8], at: usize, after_number: bool) -> (Class, usize) {
    let rest = &text[at..];
    let run = |from: usize, accept: fn(u8) -> bool| {
        at + from + rest[from.min(rest.len())..].iter().take_while(|&&b| accept(b)).count()
    };
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.');
    match rest[0] {
        b'/' if rest.starts_with(b"//") => (Class::Space, run(0, |b| b != b'\n')),
        b' ' | b'\t' | b'\r' | b'\n' => (Class::Space, run(0, |b| b.is_ascii_whitespace())),
        b'x' if after_number => (Class::Punctuation, at + 1),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => (Class::Word, run(0, word)),
        b'0'..=b'9' => (Class::Number, number(text, at)),
        b'"' => (Class::Text, string(text, at)),
        b'@' if rest.get(1) == Some(&b'"') => (Class::Symbol, string(text, at + 1)),
        b'%' => (Class::Value, run(1, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.' | b'#' | b'-'))),
        b'^' => (Class::Block, run(1, word)),
        b'@' => (Class::Symbol, run(1, word)),
        b'!' => (Class::Type, run(1, word)),
        b'#' => (Class::Attr, run(1, word)),
        b'(' | b'[' | b'{' | b'<' => (Class::Open, at + 1),
        b')' | b']' | b'}' => (Class::Close, at + 1),
        b'>' if !rest.starts_with(b">=") => (Class::Close, at + 1),
        _ => {
            let double = [&b"->"[..], b"::", b"==", b">=", b"<="].iter().any(|pair| rest.starts_with(pair));
            (Class::Punctuation, at + if double { 2 } else { 1 })
        }
    }
}

/// The end of the number at `at`.
fn number(text: &[u8], at: usize) -> usize {
    let digits = |from: usize, hex: bool| {
        let accept = |b: &&u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
        from + text[from..].iter().take_while(accept).count()
    };
    let follows = |at: usize, bytes: &[u8]| text[at..].first().is_some_and(|b| bytes.contains(b));
    if text[at..].starts_with(b"0x")
        && text.get(at + 2).is_some_and(u8::is_ascii_hexdigit)
        && !text[at..].starts_with(b"0xf")
    {
        return digits(at + 2, true);
    }
    let mut end = digits(at, false);
    if follows(end, b".") {
        end = digits(end + 1, false);
        if follows(end, b"eE") {
            let sign = usize::from(follows(end + 1, b"+-"));
            end = digits(end + 1 + sign, false);
        }
    }
    end
}

/// The end of the string whose quote is at `at`: after its closing quote, or at the end of the text.
fn string(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < text.len() {
        match text[end] {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    text.len()
}

/// Where the bracket opened by token `open` is closed again, if it is.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.class {
            Class::Open => depth += 1,
            Class::Close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let tokens = tokens(text.as_bytes());
        let shown = tokens.iter().filter(|token| token.class != Class::Space);
        shown.map(|token| std::str::from_utf8(token.text).unwrap()).collect()
    }

    #[test]
    fn tokens_are_those_of_the_text_form() {
        let words = ["%0", "=", "a.b", "%x#1", ",", "-", "1.5e-3", ":", "tensor", "<", "4", "x", "?", "x", "f32", ">"];
        assert_eq!(texts("%0 = a.b %x#1, -1.5e-3 : tensor<4x?xf32> // note"), words);
        assert_eq!(texts(r#"@"f\"" -> !d.t<"x"> #m"#), [r#"@"f\"""#, "->", "!d.t", "<", r#""x""#, ">", "#m"]);
    }

    #[test]
    fn any_text_is_its_tokens_joined() {
        for text in [&b"\"open"[..], b"\"\\", b"\xFF%", b"0x", b"1.e", b"a->b>=", b"@\""] {
            let joined: Vec<u8> = tokens(text).iter().flat_map(|token| token.text.iter().copied()).collect();
            assert_eq!(joined, text);
        }
    }

    #[test]
    fn brackets_are_matched() {
        let tokens = tokens(b"a(b[c]<d>)e)");
        assert_eq!(closing(&tokens, 1), Some(9));
        assert_eq!(closing(&tokens, 3), Some(5));
        assert_eq!(closing(&self::tokens(b"(("), 0), None);
    }
}
