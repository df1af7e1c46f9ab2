//! "Did you mean": the known name that is closest to a misspelt one.

/// The candidate closest to `wrong`, if one is close enough: one edit, and one more for each five bytes. Of equally close ones the first in
/// alphabetical order.
///
/// Candidates too long or too short to be close cost nothing, those with too many other letters their length, and each of the rest the product of the
/// lengths.
pub fn closest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = 1 + wrong.len() / 5;
    let present = letters(wrong);
    // An edit takes away one letter at most, and adds one.
    let is_near = |name: &&str| {
        name.len().abs_diff(wrong.len()) <= most && {
            let other = letters(name);
            (present & !other).count_ones().max((other & !present).count_ones()) as usize <= most
        }
    };
    let near = candidates.into_iter().filter(is_near);
    let (distance, name) = near.map(|name| (strsim::osa_distance(name, wrong), name)).min()?;
    (distance <= most).then_some(name)
}

/// Which letters are in `name`, as bits; those that differ by a multiple of 64 share one.
fn letters(name: &str) -> u64 {
    name.chars().fold(0, |bits, letter| bits | 1 << (u32::from(letter) % 64))
}

/// `, did you mean 'name'?` for the [`closest`] candidate; empty where none is close.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    closest(wrong, candidates).map_or_else(String::new, |name| format!(", did you mean '{name}'?"))
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn suggests_close_names_only() {
        assert_eq!(did_you_mean("canonicalise", ["cse", "canonicalize"]), ", did you mean 'canonicalize'?");
        assert_eq!(did_you_mean("inline", ["cse", "canonicalize"]), "");
        assert_eq!(did_you_mean("cs", ["cse", "css"]), ", did you mean 'cse'?");
        assert_eq!(did_you_mean("inlime", ["outline", "inline"]), ", did you mean 'inline'?");
        assert_eq!(did_you_mean("größer", ["grosser", "größen"]), ", did you mean 'größen'?");
    }
}
