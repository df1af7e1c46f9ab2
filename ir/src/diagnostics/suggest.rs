//! "Did you mean": the known name that is closest to a misspelt one.

/// `, did you mean 'name'?` for the candidate closest to `wrong`, if one is close enough; empty otherwise. Of equally close
/// ones the first in alphabetical order is taken.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let closest = candidates.into_iter().map(|name| (strsim::osa_distance(name, wrong), name)).min();
    match closest {
        Some((distance, name)) if distance <= (wrong.len() / 3).max(1) => format!(", did you mean '{name}'?"),
        _ => String::new(),
    }
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
