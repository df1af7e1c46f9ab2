//! Smaller inputs that fail in the same way.

use crate::targets::Finding;

/// Drops pieces of `input`, first runs of lines, then what is between brackets, then words, as long as `fails` answers a finding like
/// the first one: of the same kind, in the same form or pass, and for panics at the same place.
pub fn minimize(input: &[u8], mut fails: impl FnMut(&[u8]) -> Option<Finding>) -> Vec<u8> {
    let Some(wanted) = fails(input).map(|finding| signature(&finding)) else { return input.to_vec() };
    let mut still_fails = |bytes: &[u8]| fails(bytes).is_some_and(|finding| signature(&finding) == wanted);
    let mut best = input.to_vec();
    loop {
        let before = best.len();
        let lines: Vec<Vec<u8>> = best.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
        best = shrink(lines, &mut still_fails).concat();
        best = shrink_groups(best, &mut still_fails);
        best = shrink(words(&best), &mut still_fails).concat();
        if best.len() == before {
            return best;
        }
    }
}

/// What two findings have in common when they are the same.
fn signature(finding: &Finding) -> (&'static str, String) {
    (finding.what, finding.details.lines().next().unwrap_or_default().to_owned())
}

/// Words and single characters, each with the blanks after it.
fn words(bytes: &[u8]) -> Vec<Vec<u8>> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    bytes.chunk_by(|&a, &b| is_word(a) && is_word(b) || b.is_ascii_whitespace()).map(<[u8]>::to_vec).collect()
}

/// Drops what is between brackets, and the brackets, outermost first.
fn shrink_groups(mut bytes: Vec<u8>, still_fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut at = 0;
    while at < bytes.len() {
        let end = group_end(&bytes, at);
        at += 1;
        let Some(end) = end else { continue };
        for (from, to) in [(at - 1, end), (at, end - 1)] {
            let rest = [&bytes[..from], &bytes[to..]].concat();
            if from < to && still_fails(&rest) {
                bytes = rest;
                break;
            }
        }
    }
    bytes
}

/// The end of the group whose bracket is at `open`.
fn group_end(bytes: &[u8], open: usize) -> Option<usize> {
    let pairs = [(b'(', b')'), (b'[', b']'), (b'{', b'}'), (b'<', b'>')];
    let (_, closing) = pairs.into_iter().find(|pair| pair.0 == bytes[open])?;
    let mut depth = 0_usize;
    for (at, &b) in bytes.iter().enumerate().skip(open) {
        if b == bytes[open] {
            depth += 1;
        } else if b == closing {
            depth -= 1;
            if depth == 0 {
                return Some(at + 1);
            }
        }
    }
    None
}

/// Drops runs of pieces, long ones first.
fn shrink(mut pieces: Vec<Vec<u8>>, still_fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<Vec<u8>> {
    let mut size = pieces.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < pieces.len() {
            let end = pieces.len().min(at + size);
            let rest: Vec<Vec<u8>> = pieces[..at].iter().chain(&pieces[end..]).cloned().collect();
            if still_fails(&rest.concat()) { pieces = rest } else { at = end }
        }
        size /= 2;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_left() {
        let fails = |bytes: &[u8]| bytes.windows(3).any(|w| w == b"bad").then(|| Finding::new("bad", ""));
        assert_eq!(minimize(b"one\ntwo bad three\nfour\n", fails).trim_ascii(), b"bad");
        assert_eq!(minimize(b"fine", fails), b"fine");
    }
}
