//! Changes to text: bytes, tokens, bracketed groups, lines.

use std::ops::Range;

use fastrand::Rng;

use super::fewer_than;
use super::stock::Stock;
use super::tokens::{Class, Token, closing, tokens};

/// Numbers at which things go wrong.
const NUMBERS: [&str; 26] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "31",
    "32",
    "63",
    "64",
    "65",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "0x7FC00000",
    "1.0e309",
];

/// Most bytes of an output while it grows.
const MOST: usize = 1 << 18;

/// `input` with a few bytes changed, added or dropped.
pub(super) fn change_bytes(input: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = input.to_vec();
    for _ in 0..=rng.u8(..4) {
        if out.is_empty() {
            break;
        }
        let at = rng.usize(..out.len());
        match rng.u8(..5) {
            0 => out[at] = rng.u8(..),
            1 => out[at] ^= 1 << rng.u8(..8),
            2 => out.insert(at, rng.u8(..)),
            3 => drop(out.remove(at)),
            _ => out.truncate(at),
        }
    }
    out
}

/// `input` with a few changes to tokens, groups or lines.
pub(super) fn change_tokens(input: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let mut out = input.to_vec();
    for _ in 0..=rng.u8(..3) {
        out = match rng.u8(..10) {
            0 => change_lines(&out, stock, rng),
            1 => change_group(&out, stock, rng),
            2 => [&out, &b"\n"[..], stock.donor(rng)].concat(),
            3..=4 => rename(&out, stock, rng),
            _ => change_token(&out, stock, rng),
        };
        if out.len() > MOST {
            break;
        }
    }
    out
}

/// The tokens with those in `range` replaced by `with`.
fn replaced(tokens: &[Token<'_>], range: Range<usize>, with: &[u8]) -> Vec<u8> {
    let text = |tokens: &[Token<'_>]| tokens.iter().flat_map(|token| token.text.iter().copied()).collect::<Vec<u8>>();
    [text(&tokens[..range.start]), with.to_vec(), text(&tokens[range.end..])].concat()
}

/// The text of some tokens.
fn joined(tokens: &[Token<'_>]) -> Vec<u8> {
    replaced(tokens, 0..0, b"")
}

/// The index of some token that is not blank.
fn some(tokens: &[Token<'_>], rng: &mut Rng) -> Option<usize> {
    if tokens.is_empty() {
        return None;
    }
    let start = rng.usize(..tokens.len());
    (start..tokens.len()).chain(0..start).find(|&at| tokens[at].class != Class::Space)
}

fn change_token(input: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let tokens = tokens(input);
    let Some(at) = some(&tokens, rng) else { return stock.donor(rng).to_vec() };
    let few = at..tokens.len().min(at + 1 + fewer_than(12, rng));
    match rng.u8(..8) {
        0 => replaced(&tokens, few, b""),
        1 => {
            let copy = joined(&tokens[few]);
            replaced(&tokens, at..at, &copy)
        }
        2 => {
            let copy = joined(&tokens[few]);
            let Some(to) = some(&tokens, rng) else { return input.to_vec() };
            replaced(&tokens, to..to, &copy)
        }
        3 => replaced(&tokens, at..tokens.len(), b""),
        _ => {
            let with = replacement(&tokens, at, stock, rng);
            replaced(&tokens, at..at + 1, &with)
        }
    }
}

/// Another text for the token at `at`, mostly of its class.
fn replacement(tokens: &[Token<'_>], at: usize, stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let class = tokens[at].class;
    if class == Class::Number && rng.bool() {
        return NUMBERS[rng.usize(..NUMBERS.len())].as_bytes().to_vec();
    }
    if rng.bool() {
        let same: Vec<_> = tokens.iter().filter(|token| token.class == class).collect();
        if let Some(token) = rng.choice(same) {
            return token.text.to_vec();
        }
    }
    let class = if rng.u8(..16) == 0 { Class::Word } else { class };
    stock.token(class, rng).map_or_else(|| b"0".to_vec(), <[u8]>::to_vec)
}

/// All tokens of one text become another one: types, dimensions and names change at once, and the text stays valid more often.
fn rename(input: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let tokens = tokens(input);
    let Some(at) = some(&tokens, rng) else { return input.to_vec() };
    let old = tokens[at];
    let with = replacement(&tokens, at, stock, rng);
    tokens.iter().flat_map(|token| if *token == old { &with[..] } else { token.text }.iter().copied()).collect()
}

/// Drops, copies, repeats, nests or exchanges what is between brackets.
fn change_group(input: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let tokens = tokens(input);
    let group = |rng: &mut Rng| {
        let opens: Vec<usize> = (0..tokens.len()).filter(|&at| tokens[at].class == Class::Open).collect();
        let open = rng.choice(opens)?;
        closing(&tokens, open).map(|close| open..close + 1)
    };
    let Some(range) = group(rng) else { return change_token(input, stock, rng) };
    let inside = range.start + 1..range.end - 1;
    match rng.u8(..7) {
        0 => replaced(&tokens, inside, b""),
        1 => replaced(&tokens, range, b""),
        2 => {
            let Some(other) = group(rng) else { return input.to_vec() };
            let with = joined(&tokens[other]);
            replaced(&tokens, range, &with)
        }
        3 => {
            let part = [&b","[..], &joined(&tokens[inside.clone()])].concat();
            let times = 1 + fewer_than(64, rng);
            replaced(&tokens, inside.end..inside.end, &part[..part.len().min(MOST / times)].repeat(times))
        }
        4 => {
            let (before, after) = (joined(&tokens[range.start..inside.start]), joined(&tokens[inside.end..range.end]));
            let times = rng.usize(1..40);
            let deeper = [before.repeat(times), joined(&tokens[range.clone()]), after.repeat(times)].concat();
            replaced(&tokens, range, &deeper)
        }
        _ => {
            let with = stock.group(tokens[range.start].text, rng).unwrap_or_default();
            replaced(&tokens, range, with)
        }
    }
}

/// Drops, copies, moves or brings in lines.
fn change_lines(input: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|&b| b == b'\n').collect();
    if lines.is_empty() {
        return stock.donor(rng).to_vec();
    }
    let (at, other) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
    match rng.u8(..5) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at]),
        2 => lines.swap(at, other),
        3 => {
            let times = rng.usize(..32);
            let line = lines[at];
            lines.splice(at..at, std::iter::repeat_n(line, times));
        }
        _ => lines.insert(at, stock.line(rng)),
    }
    lines.concat()
}
