//! The lexer: bytes in, tokens out.
//!
//! A token is a kind and a byte range; its text stays in the source, so lexing allocates nothing. Words are not told apart
//! here: keywords, integer types and `true` are all [`TokenKind::BareIdentifier`]. Bytes outside ASCII are legal in strings and comments
//! only. A NUL byte is white space, as it is upstream.

use super::strings::LONG_STRING;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// End of the text.
    Eof,
    /// Something that is no token; the lexer holds the message.
    Error,
    /// `[A-Za-z_][A-Za-z0-9_$.]*`: keywords, integer types, bare names.
    BareIdentifier,
    /// Decimal digits, or `0x` and hexadecimal digits. No sign.
    Integer,
    /// Digits, a point, perhaps more digits and an exponent. No sign.
    Float,
    /// `"..."`, escapes not resolved.
    String,
    /// `@name` or `@"name"`.
    AtIdentifier,
    /// `#name`.
    HashIdentifier,
    /// `!name`.
    ExclamationIdentifier,
    /// `%name`.
    PercentIdentifier,
    /// `^name`.
    CaretIdentifier,
    /// `->`
    Arrow,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `(`
    LParen,
    /// `)`
    RParen,
    /// `[`
    LSquare,
    /// `]`
    RSquare,
    /// `{`
    LBrace,
    /// `}`
    RBrace,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `*`
    Star,
    /// `?`
    Question,
    /// `|`
    Bar,
    /// `/`
    Slash,
    /// `...`
    Ellipsis,
    /// `{-#`
    FileMetadataBegin,
    /// `#-}`
    FileMetadataEnd,
}

/// The kind of the token that `text`, punctuation of a format, is. `None` for words.
pub(crate) fn kind_of_punctuation(text: &str) -> Option<TokenKind> {
    use TokenKind as T;
    Some(match text {
        "->" => T::Arrow,
        ":" => T::Colon,
        "," => T::Comma,
        "=" => T::Equal,
        "<" => T::Less,
        ">" => T::Greater,
        "(" => T::LParen,
        ")" => T::RParen,
        "[" => T::LSquare,
        "]" => T::RSquare,
        "{" => T::LBrace,
        "}" => T::RBrace,
        "-" => T::Minus,
        "+" => T::Plus,
        "*" => T::Star,
        "?" => T::Question,
        "|" => T::Bar,
        "/" => T::Slash,
        "..." => T::Ellipsis,
        _ => return None,
    })
}

/// A token: its kind and the bytes `start..end` of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Token {
    /// The bytes it covers.
    #[inline]
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What a byte can be the first of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Invalid,
    Space,
    Letter,
    Digit,
    Quote,
    Percent,
    /// `@ # ! ^`
    Prefix,
    /// `- . / {`: the next byte decides.
    Compound,
    /// A token by itself.
    Single,
}

const fn class_of(byte: u8) -> Class {
    match byte {
        b' ' | b'\t' | b'\n' | b'\r' | 0 => Class::Space,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        b'"' => Class::Quote,
        b'%' => Class::Percent,
        b'@' | b'#' | b'!' | b'^' => Class::Prefix,
        b'-' | b'.' | b'/' | b'{' => Class::Compound,
        _ => match single(byte) {
            TokenKind::Error => Class::Invalid,
            _ => Class::Single,
        },
    }
}

/// The token that `byte` is by itself.
const fn single(byte: u8) -> TokenKind {
    match byte {
        b':' => TokenKind::Colon,
        b',' => TokenKind::Comma,
        b'=' => TokenKind::Equal,
        b'<' => TokenKind::Less,
        b'>' => TokenKind::Greater,
        b'(' => TokenKind::LParen,
        b')' => TokenKind::RParen,
        b'[' => TokenKind::LSquare,
        b']' => TokenKind::RSquare,
        b'}' => TokenKind::RBrace,
        b'+' => TokenKind::Plus,
        b'*' => TokenKind::Star,
        b'?' => TokenKind::Question,
        b'|' => TokenKind::Bar,
        _ => TokenKind::Error,
    }
}

/// In a word: `[A-Za-z0-9_$.]`.
const WORD: u8 = 1;
/// In a name after a prefix: `[A-Za-z0-9_$.-]`.
const NAME: u8 = 2;

static CLASS: [Class; 256] = {
    let mut table = [Class::Invalid; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = class_of(byte as u8);
        byte += 1;
    }
    table
};

static SINGLE: [TokenKind; 256] = {
    let mut table = [TokenKind::Error; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = single(byte as u8);
        byte += 1;
    }
    table
};

static PART: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'.' => WORD | NAME,
            b'-' => NAME,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Cuts a source text into tokens.
#[derive(Clone)]
pub(crate) struct Lexer<'s> {
    text: &'s [u8],
    at: usize,
    /// The message of the last [`TokenKind::Error`] and the byte it is about.
    pub(crate) error: Option<(usize, &'static str)>,
}

impl<'s> Lexer<'s> {
    /// A lexer at the start of `text`, which must be shorter than 2^32 bytes.
    pub(crate) fn new(text: &'s [u8]) -> Self {
        Self { text, at: 0, error: None }
    }

    /// Goes on at byte `at`.
    pub(crate) fn seek(&mut self, at: usize) {
        self.at = at.min(self.text.len());
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn skip_part(&mut self, mask: u8) {
        self.at = part_end(self.text, self.at, mask);
    }

    fn skip_digits(&mut self) {
        self.at = run_end(self.text, self.at, |b| b.is_ascii_digit());
    }

    fn fail(&mut self, at: usize, message: &'static str) -> TokenKind {
        self.error = Some((at, message));
        TokenKind::Error
    }

    /// The next token. At the end of the text it is [`TokenKind::Eof`], however often it is asked for.
    pub(crate) fn next(&mut self) -> Token {
        let mut token = Token { kind: TokenKind::Eof, start: 0, end: 0 };
        self.next_into(&mut token);
        token
    }

    /// The same, stored in `token`. Answers its kind.
    #[inline(never)]
    pub(crate) fn next_into(&mut self, token: &mut Token) -> TokenKind {
        self.next_here(token)
    }

    /// The same without a call, for the few places that nearly all tokens are read from: there the processor also tells better what comes next.
    ///
    /// What is rare is left to a function that is called last of all, so that no registers are saved for names and commas.
    #[inline(always)]
    pub(crate) fn next_here(&mut self, token: &mut Token) -> TokenKind {
        let text = self.text;
        let mut start = self.at;
        // Mostly one blank stands between tokens.
        if text.get(start) == Some(&b' ') {
            start += 1;
        }
        while let Some(&first) = text.get(start) {
            let next = start + 1;
            let (kind, end) = match CLASS[first as usize] {
                Class::Single => (SINGLE[first as usize], next),
                Class::Percent => match name_end(text, next) {
                    Some(end) => (TokenKind::PercentIdentifier, end),
                    None => break,
                },
                Class::Letter => (TokenKind::BareIdentifier, part_end(text, next, WORD)),
                Class::Space => {
                    start = run_end(text, next, |b| CLASS[b as usize] == Class::Space);
                    continue;
                }
                _ => break,
            };
            self.at = end;
            *token = Token { kind, start: start as u32, end: end as u32 };
            return kind;
        }
        self.rare(start, token)
    }

    /// What begins at byte `start`, or after the comments there.
    #[inline(never)]
    fn rare(&mut self, mut start: usize, token: &mut Token) -> TokenKind {
        while self.text.get(start..).is_some_and(|rest| rest.starts_with(b"//")) {
            let rest = &self.text[start..];
            start += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            start = run_end(self.text, start, |b| CLASS[b as usize] == Class::Space);
        }
        self.at = start + 1;
        let Some(&first) = self.text.get(start) else {
            self.at = start;
            *token = Token { kind: TokenKind::Eof, start: start as u32, end: start as u32 };
            return TokenKind::Eof;
        };
        let kind = match CLASS[first as usize] {
            Class::Digit => self.number(first),
            Class::Quote => self.string(),
            Class::Prefix => self.prefixed(first, start),
            Class::Compound => self.compound(first, start),
            Class::Invalid => self.invalid(start),
            Class::Percent => self.name(start, TokenKind::PercentIdentifier, "invalid SSA name"),
            // After a comment.
            Class::Single | Class::Letter | Class::Space => {
                self.at = start;
                return self.next_into(token);
            }
        };
        *token = Token { kind, start: start as u32, end: self.at as u32 };
        kind
    }

    /// After the first digit: `123`, `0x1F`, `1.5e-3`. The `x` of `0x` counts only before a hexadecimal digit.
    fn number(&mut self, first: u8) -> TokenKind {
        if first == b'0' && self.byte(0) == Some(b'x') && self.byte(1).is_some_and(|b| b.is_ascii_hexdigit()) {
            self.at += 1;
            while self.byte(0).is_some_and(|b| b.is_ascii_hexdigit()) {
                self.at += 1;
            }
            return TokenKind::Integer;
        }
        self.skip_digits();
        if self.byte(0) != Some(b'.') {
            return TokenKind::Integer;
        }
        self.at += 1;
        self.skip_digits();
        if matches!(self.byte(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(1), Some(b'+' | b'-')));
            if self.byte(1 + sign).is_some_and(|b| b.is_ascii_digit()) {
                self.at += 1 + sign;
                self.skip_digits();
            }
        }
        TokenKind::Float
    }

    /// Goes on to the next byte that means something in a string, in steps of vectors.
    fn skip_plain(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let plain = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
        self.at += memchr::memchr3(b'\n', 0x0b, 0x0c, &rest[..plain]).unwrap_or(plain);
    }

    /// After the opening quote.
    fn string(&mut self) -> TokenKind {
        let start = self.at;
        loop {
            if self.at - start >= LONG_STRING {
                self.skip_plain();
            }
            let Some(b) = self.byte(0).filter(|b| !matches!(b, b'\n' | 0x0b | 0x0c)) else {
                return self.fail(self.at, "expected '\"' in string literal");
            };
            self.at += 1;
            match b {
                b'"' => return TokenKind::String,
                b'\\' => match (self.byte(0), self.byte(1)) {
                    (Some(b'"' | b'\\' | b'n' | b't'), _) => self.at += 1,
                    (Some(a), Some(b)) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                        self.at += 2;
                    }
                    _ => return self.fail(self.at - 1, "unknown escape in string literal"),
                },
                _ => {}
            }
        }
    }

    /// After `@`, `#`, `!` or `^`.
    fn prefixed(&mut self, first: u8, start: usize) -> TokenKind {
        match first {
            b'@' => self.at_name(start),
            b'#' if self.byte(0) == Some(b'-') && self.byte(1) == Some(b'}') => {
                self.at += 2;
                TokenKind::FileMetadataEnd
            }
            b'#' => self.name(start, TokenKind::HashIdentifier, "invalid attribute name"),
            b'!' => self.name(start, TokenKind::ExclamationIdentifier, "invalid type identifier"),
            _ => self.name(start, TokenKind::CaretIdentifier, "invalid block name"),
        }
    }

    /// After the prefix at `start`.
    fn name(&mut self, start: usize, kind: TokenKind, message: &'static str) -> TokenKind {
        let Some(end) = name_end(self.text, self.at) else { return self.fail(start, message) };
        self.at = end;
        kind
    }

    fn at_name(&mut self, start: usize) -> TokenKind {
        match self.byte(0) {
            Some(b'"') => {
                self.at += 1;
                match self.string() {
                    TokenKind::String => TokenKind::AtIdentifier,
                    other => other,
                }
            }
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                self.skip_part(WORD);
                TokenKind::AtIdentifier
            }
            _ => self.fail(start, "@ identifier expected to start with letter or '_'"),
        }
    }

    /// `->` and `-`, `...`, `/`, `{-#` and `{`.
    fn compound(&mut self, first: u8, start: usize) -> TokenKind {
        match (first, self.byte(0), self.byte(1)) {
            (b'-', Some(b'>'), _) => {
                self.at += 1;
                TokenKind::Arrow
            }
            (b'-', ..) => TokenKind::Minus,
            (b'{', Some(b'-'), Some(b'#')) => {
                self.at += 2;
                TokenKind::FileMetadataBegin
            }
            (b'{', ..) => TokenKind::LBrace,
            (b'.', Some(b'.'), Some(b'.')) => {
                self.at += 2;
                TokenKind::Ellipsis
            }
            (b'.', ..) => self.fail(start + 1, "expected three consecutive dots for an ellipsis"),
            _ => TokenKind::Slash,
        }
    }

    /// A byte that starts no token: the whole run of such bytes is one error.
    fn invalid(&mut self, start: usize) -> TokenKind {
        while self.byte(0).is_some_and(|b| CLASS[b as usize] == Class::Invalid) {
            self.at += 1;
        }
        self.fail(start, "unexpected character")
    }
}

/// Where the bytes from `at` on that `holds` accepts end.
#[inline]
fn run_end(text: &[u8], at: usize, holds: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|&b| !holds(b)).unwrap_or(rest.len())
}

/// The same for parts of words or names.
#[inline]
fn part_end(text: &[u8], at: usize, mask: u8) -> usize {
    run_end(text, at, |b| PART[b as usize] & mask != 0)
}

/// Where the name at byte `at`, after its prefix, ends: digits, or a name that begins with none. `None` where there is neither.
#[inline(always)]
fn name_end(text: &[u8], at: usize) -> Option<usize> {
    let first = *text.get(at)?;
    if first.is_ascii_digit() {
        return Some(run_end(text, at, |b| b.is_ascii_digit()));
    }
    (PART[first as usize] & NAME != 0).then(|| part_end(text, at + 1, NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut all = Vec::new();
        loop {
            let token = lexer.next();
            if token.kind == TokenKind::Eof {
                return all;
            }
            all.push((token.kind, &text[token.range()]));
        }
    }

    #[test]
    fn tokens_cover_their_text() {
        use TokenKind as T;
        let all =
            lex("%0:2 = \"a.b\"(^bb1) {x = -0x1F, y...} // no\n : () -> #a-b !t<@s::@\"q r\"> 1.5e-3 1e5 2.e 0xg ?*+|");
        let expected = [
            (T::PercentIdentifier, "%0"),
            (T::Colon, ":"),
            (T::Integer, "2"),
            (T::Equal, "="),
            (T::String, "\"a.b\""),
            (T::LParen, "("),
            (T::CaretIdentifier, "^bb1"),
            (T::RParen, ")"),
            (T::LBrace, "{"),
            (T::BareIdentifier, "x"),
            (T::Equal, "="),
            (T::Minus, "-"),
            (T::Integer, "0x1F"),
            (T::Comma, ","),
            (T::BareIdentifier, "y..."),
            (T::RBrace, "}"),
            (T::Colon, ":"),
            (T::LParen, "("),
            (T::RParen, ")"),
            (T::Arrow, "->"),
            (T::HashIdentifier, "#a-b"),
            (T::ExclamationIdentifier, "!t"),
            (T::Less, "<"),
            (T::AtIdentifier, "@s"),
            (T::Colon, ":"),
            (T::Colon, ":"),
            (T::AtIdentifier, "@\"q r\""),
            (T::Greater, ">"),
            (T::Float, "1.5e-3"),
            (T::Integer, "1"),
            (T::BareIdentifier, "e5"),
            (T::Float, "2."),
            (T::BareIdentifier, "e"),
            (T::Integer, "0"),
            (T::BareIdentifier, "xg"),
            (T::Question, "?"),
            (T::Star, "*"),
            (T::Plus, "+"),
            (T::Bar, "|"),
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn comments_are_no_tokens() {
        use TokenKind as T;
        let all = lex("// a\n  // b\r\n%x // c\n1 // d\n\"s\"//e");
        assert_eq!(all, [(T::PercentIdentifier, "%x"), (T::Integer, "1"), (T::String, "\"s\"")]);
        assert_eq!(lex(&"//\n ".repeat(100_000)), []);
    }

    #[test]
    fn metadata_brackets_and_ellipsis() {
        use TokenKind as T;
        let kinds: Vec<T> = lex("{-# #-} ... { -").into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [T::FileMetadataBegin, T::FileMetadataEnd, T::Ellipsis, T::LBrace, T::Minus]);
    }

    #[test]
    fn faults_name_their_place() {
        let fault = |text: &str| {
            let mut lexer = Lexer::new(text.as_bytes());
            assert_eq!(lexer.next().kind, TokenKind::Error, "{text}");
            lexer.error.unwrap()
        };
        assert_eq!(fault("\"abc"), (4, "expected '\"' in string literal"));
        assert_eq!(fault("\"a\nb\""), (2, "expected '\"' in string literal"));
        assert_eq!(fault("\"a\\qb\""), (2, "unknown escape in string literal"));
        for len in [LONG_STRING - 1, LONG_STRING, 10 * LONG_STRING] {
            let long = "a".repeat(len);
            assert_eq!(lex(&format!("\"{long}\\22{long}\\\\\" x")).len(), 2);
            let end = 1 + 2 * len;
            assert_eq!(fault(&format!("\"{long}{long}")), (end, "expected '\"' in string literal"));
            for line_end in ['\n', '\u{b}', '\u{c}'] {
                assert_eq!(
                    fault(&format!("\"{long}{long}{line_end}{long}\"")),
                    (end, "expected '\"' in string literal")
                );
            }
            assert_eq!(fault(&format!("\"{long}{long}\\q{long}\"")), (end, "unknown escape in string literal"));
        }
        assert_eq!(fault("% "), (0, "invalid SSA name"));
        assert_eq!(fault("#"), (0, "invalid attribute name"));
        assert_eq!(fault("@1"), (0, "@ identifier expected to start with letter or '_'"));
        assert_eq!(fault(".."), (1, "expected three consecutive dots for an ellipsis"));
        assert_eq!(fault("\u{e9}"), (0, "unexpected character"));
    }
}
