//! Rust names for the names of ODS.

/// `overflowFlags` becomes `overflow_flags`; what Rust reserves gets another spelling: `type` is `ty`, `in` is `input`.
pub fn snake_case(name: &str) -> String {
    let underscore = if name.ends_with('_') { "_" } else { "" };
    let name = words(name).join("_").to_lowercase() + underscore;
    match name.as_str() {
        "type" => "ty".to_owned(),
        "in" => "input".to_owned(),
        "abstract" | "as" | "async" | "await" | "become" | "box" | "break" | "const" | "continue" | "crate" | "do"
        | "dyn" | "else" | "enum" | "extern" | "false" | "final" | "fn" | "for" | "gen" | "if" | "impl" | "let"
        | "loop" | "macro" | "match" | "mod" | "move" | "mut" | "override" | "priv" | "pub" | "ref" | "return"
        | "self" | "static" | "struct" | "super" | "trait" | "true" | "try" | "typeof" | "unsafe" | "unsized"
        | "use" | "virtual" | "where" | "while" | "yield" => name + "_",
        _ => name,
    }
}

/// `AnyMemRef` becomes `ANY_MEMREF`.
pub fn constant_case(name: &str) -> String {
    words(&name.replace("MemRef", "Memref")).join("_").to_uppercase()
}

/// `masked_load` becomes `MaskedLoad`, and `UDivOp` stays as it is.
pub fn camel_case(name: &str) -> String {
    let mut result = String::new();
    for word in name.split(['_', '.', '-', ' ']) {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            result.extend(first.to_uppercase());
            result.push_str(letters.as_str());
        }
    }
    if result.starts_with(|c: char| c.is_ascii_digit()) {
        result.insert(0, '_');
    }
    result
}

/// The name of an enumeration's case: camel case, and `OEQ` is `Oeq`.
pub fn variant(name: &str) -> String {
    if name.chars().all(|c| c.is_ascii_uppercase() || c == '_') {
        camel_case(&name.to_lowercase())
    } else {
        camel_case(name)
    }
}

/// The name without the part before its first underscore, which names the dialect: `Arith_AddIOp` is `AddIOp`.
pub fn without_prefix(name: &str) -> &str {
    match name.split_once('_') {
        Some((prefix, rest)) if !prefix.is_empty() && !rest.is_empty() => rest,
        _ => name,
    }
}

/// A constant's name from the words of a summary: `1D memref of any type values` becomes `MEMREF_1D`.
pub fn constant_of_summary(summary: &str) -> String {
    const SHORTER: &[(&str, &str)] = &[
        ("LLVM dialect-compatible", "LLVM"),
        ("LLVM pointer type", "LLVM pointer"),
        ("floating point LLVM type", "LLVM float"),
        ("floating-point", "float"),
        ("statically shaped", "static"),
        (" attribute whose value is", " attr"),
        (" attribute", " attr"),
        (" and whose value is", " and"),
        (" whose value is", ""),
        (" of any type values", ""),
        (" values", ""),
        (" of any type", ""),
        (">", ""),
    ];
    let short = [1, 8, 16, 32, 64, 128].iter().fold(summary.to_owned(), |text, n| {
        let text = text.replace(&format!("{n}-bit signless integer"), &format!("I{n}"));
        text.replace(&format!("{n}-bit signless int"), &format!("I{n}"))
    });
    let short = SHORTER.iter().fold(short, |text, (from, to)| text.replace(from, to));
    let mut words: Vec<&str> = short.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    if words.len() > 1 && words[0].starts_with(|c: char| c.is_ascii_digit()) {
        words.swap(0, 1);
    }
    words.join("_").to_uppercase()
}

/// Splits before capitals, keeping acronyms and digits with the word before them.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (i, &c) in letters.iter().enumerate() {
        let after_separator = c == '_' || c == '.' || c == '-';
        let starts = i > 0
            && c.is_ascii_uppercase()
            && (letters[i - 1].is_ascii_lowercase()
                || letters.get(i + 1).is_some_and(char::is_ascii_lowercase) && !letters[i - 1].is_ascii_punctuation());
        if (after_separator || starts) && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if !after_separator {
            words.last_mut().expect("never empty").push(c);
        }
    }
    if words.last().is_some_and(String::is_empty) {
        words.pop();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snake() {
        assert_eq!(snake_case("overflowFlags"), "overflow_flags");
        assert_eq!(snake_case("CConv"), "c_conv");
        assert_eq!(snake_case("sym_name"), "sym_name");
        assert_eq!(snake_case("type"), "ty");
        assert_eq!(snake_case("volatile_"), "volatile_");
        assert_eq!(snake_case("static"), "static_");
    }

    #[test]
    fn constants() {
        assert_eq!(constant_case("AnyMemRef"), "ANY_MEMREF");
        assert_eq!(constant_case("DenseI64ArrayAttr"), "DENSE_I64_ARRAY_ATTR");
        assert_eq!(constant_case("CmpIPredicate"), "CMP_I_PREDICATE");
        assert_eq!(constant_case("BF16"), "BF16");
        assert_eq!(constant_case("F8E4M3FN"), "F8E4M3FN");
        assert_eq!(constant_of_summary("1D memref of any type values"), "MEMREF_1D");
    }

    #[test]
    fn types() {
        assert_eq!(camel_case("masked_load"), "MaskedLoad");
        assert_eq!(without_prefix("Arith_AddIOp"), "AddIOp");
        assert_eq!(without_prefix("FuncOp"), "FuncOp");
    }
}
