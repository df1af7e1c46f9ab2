//! The text of `llvm.data_layout`: specifications separated by `-`, each told by its first letter. What is wrong is said in LLVM's words.

use rustc_hash::FxHashSet;

/// Says what is wrong with the text.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut names = FxHashSet::default();
    if text.is_empty() {
        return Ok(());
    }
    text.split('-').try_for_each(|specification| check_one(specification, &mut names))
}

/// One specification; `names` are those of address spaces so far.
fn check_one<'a>(text: &'a str, names: &mut FxHashSet<&'a str>) -> Result<(), String> {
    let mut letters = text.chars();
    let letter = letters.next().ok_or("empty specification is not allowed")?;
    let rest = letters.as_str();
    match letter {
        // Non-integral address spaces.
        'n' if rest.starts_with('i') => non_integral(&rest[1..]),
        'e' | 'E' if rest.is_empty() => Ok(()),
        'e' | 'E' => Err("malformed specification, must be just 'e' or 'E'".to_owned()),
        // Ignored, for the sake of old texts.
        's' => Ok(()),
        'n' => rest.split(':').try_for_each(|width| size(width, "size").map(drop)),
        'i' | 'f' | 'v' => primitive(letter, rest),
        'a' => aggregate(rest),
        'p' => pointer(rest, names),
        'm' => mangling(rest),
        'S' if rest.is_empty() => Err(malformed("S<size>")),
        'S' => alignment(rest, "stack natural").map(drop),
        'F' => function_pointer(rest),
        'P' | 'A' | 'G' if rest.is_empty() => Err(malformed(&format!("{letter}<address space>"))),
        'P' | 'A' | 'G' => address_space(rest).map(drop),
        _ => Err(format!("unknown specifier '{letter}'")),
    }
}

fn malformed(form: &str) -> String {
    format!("malformed specification, must be of the form \"{form}\"")
}

/// A decimal number of at most `bits` bits, without a sign.
fn number(text: &str, bits: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|&value: &u32| digits && value >> bits == 0)
}

/// A number of bits.
fn size(text: &str, what: &str) -> Result<u32, String> {
    if text.is_empty() {
        return Err(format!("{what} component cannot be empty"));
    }
    let size = number(text, 24).filter(|&size| size != 0);
    size.ok_or_else(|| format!("{what} must be a non-zero 24-bit integer"))
}

/// An alignment in bits.
fn alignment(text: &str, what: &str) -> Result<u32, String> {
    let bits = alignment_or_zero(text, what)?;
    if bits == 0 { Err(format!("{what} alignment must be non-zero")) } else { Ok(bits) }
}

fn alignment_or_zero(text: &str, what: &str) -> Result<u32, String> {
    if text.is_empty() {
        return Err(format!("{what} alignment component cannot be empty"));
    }
    let bits = number(text, 16).ok_or_else(|| format!("{what} alignment must be a 16-bit integer"))?;
    if bits != 0 && (bits % 8 != 0 || !(bits / 8).is_power_of_two()) {
        return Err(format!("{what} alignment must be a power of two times the byte width"));
    }
    Ok(bits)
}

/// The preferred alignment, where one is given.
fn preferred(text: Option<&&str>, abi: u32) -> Result<(), String> {
    let Some(text) = text else { return Ok(()) };
    if alignment(text, "preferred")? < abi {
        return Err("preferred alignment cannot be less than the ABI alignment".to_owned());
    }
    Ok(())
}

fn address_space(text: &str) -> Result<u32, String> {
    if text.is_empty() {
        return Err("address space component cannot be empty".to_owned());
    }
    number(text, 24).ok_or_else(|| "address space must be a 24-bit integer".to_owned())
}

fn non_integral(rest: &str) -> Result<(), String> {
    let spaces = rest.strip_prefix(':').ok_or_else(|| malformed("ni:<address space>[:<address space>]..."))?;
    for space in spaces.split(':') {
        if address_space(space)? == 0 {
            return Err("address space 0 cannot be non-integral".to_owned());
        }
    }
    Ok(())
}

/// Integers, floating-point numbers and vectors of one size.
fn primitive(letter: char, rest: &str) -> Result<(), String> {
    let parts: Vec<&str> = rest.split(':').collect();
    let (&[width, abi] | &[width, abi, _]) = &parts[..] else {
        return Err(malformed(&format!("{letter}<size>:<abi>[:<pref>]")));
    };
    let (width, abi) = (size(width, "size")?, alignment(abi, "ABI")?);
    if letter == 'i' && width == 8 && abi != 8 {
        return Err("i8 must be 8-bit aligned".to_owned());
    }
    preferred(parts.get(2), abi)
}

fn aggregate(rest: &str) -> Result<(), String> {
    let parts: Vec<&str> = rest.split(':').collect();
    let (&[size, abi] | &[size, abi, _]) = &parts[..] else { return Err(malformed("a:<abi>[:<pref>]")) };
    if !size.is_empty() && number(size, 24) != Some(0) {
        return Err("size must be zero".to_owned());
    }
    let abi = alignment_or_zero(abi, "ABI")?;
    preferred(parts.get(2), abi)
}

/// Pointers of an address space, which may have a name and properties.
fn pointer<'a>(rest: &'a str, names: &mut FxHashSet<&'a str>) -> Result<(), String> {
    let parts: Vec<&'a str> = rest.split(':').collect();
    let (&[space, bits, abi] | &[space, bits, abi, _] | &[space, bits, abi, _, _]) = &parts[..] else {
        return Err(malformed("p[<n>]:<size>:<abi>[:<pref>[:<idx>]]"));
    };
    let named = space.trim_start_matches(['e', 'u']);
    if let Some(flag) = named.chars().next().filter(char::is_ascii_alphabetic) {
        return Err(format!("'{flag}' is not a valid pointer specification flag"));
    }
    let (number, name) = named.split_at(named.find('(').unwrap_or(named.len()));
    let is_default = number.is_empty() || address_space(number)? == 0;
    let name = match name.strip_prefix('(') {
        None => None,
        Some(name) => {
            let name = name.strip_suffix(')').filter(|name| !name.is_empty());
            Some(name.ok_or("Expected `( address space name )`")?)
        }
    };
    if is_default && named.len() < space.len() {
        return Err("address space 0 cannot be unstable or have external state".to_owned());
    }
    if let Some(name) = name.filter(|&name| !names.insert(name)) {
        return Err(format!("address space name `{name}` already used"));
    }
    let (bits, abi) = (size(bits, "pointer size")?, alignment(abi, "ABI")?);
    preferred(parts.get(3), abi)?;
    match parts.get(4) {
        Some(index) if size(index, "index size")? > bits => {
            Err("index size cannot be larger than the pointer size".to_owned())
        }
        _ => Ok(()),
    }
}

fn mangling(rest: &str) -> Result<(), String> {
    match rest.strip_prefix(':') {
        None | Some("") => Err(malformed("m:<mangling>")),
        Some("e" | "l" | "o" | "m" | "w" | "x" | "a") => Ok(()),
        Some(_) => Err("unknown mangling mode".to_owned()),
    }
}

fn function_pointer(rest: &str) -> Result<(), String> {
    let mut letters = rest.chars();
    match letters.next() {
        None => Err(malformed("F<type><abi>")),
        Some('i' | 'n') => alignment(letters.as_str(), "ABI").map(drop),
        Some(kind) => Err(format!("unknown function pointer alignment type '{kind}'")),
    }
}
