//! "Did you mean": the known name that is closest to a misspelt one.

/// The candidate closest to `wrong`, if one is close enough: one edit, and one more for each five bytes. Of equally close ones the first in
/// alphabetical order.
///
/// Candidates too long or too short to be close cost nothing, each of the others the product of the lengths.
pub fn closest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = 1 + wrong.len() / 5;
    let near = candidates.into_iter().filter(|name| name.len().abs_diff(wrong.len()) <= most);
    let (distance, name) = near.map(|name| (strsim::osa_distance(name, wrong), name)).min()?;
    (distance <= most).then_some(name)
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
    }
}
