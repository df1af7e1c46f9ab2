//! Options of passes: declared once with [`pass_options!`](crate::pass_options), parsed, printed and explained from that.

/// What is known of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Name, kebab case.
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// What its value is, as in `--name=<int>`; empty for a flag.
    pub value: &'static str,
    /// Keyword and meaning of each possible value; empty when there is no fixed list.
    pub choices: &'static [(&'static str, &'static str)],
}

/// The options of a pass or pipeline.
pub trait PassOptions: Send + Sync {
    /// What they are, sorted by name.
    fn specs(&self) -> Vec<OptionSpec>;

    /// Sets the option `name`; no value for one that is given by its name alone.
    ///
    /// # Errors
    /// The reason why `value` is not one. `name` is one of [`specs`](Self::specs).
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String>;

    /// Sets the option `name` once more: what is a list gets longer, anything else gets another value.
    ///
    /// # Errors
    /// As for [`set`](Self::set).
    fn add(&mut self, name: &str, value: Option<&str>) -> Result<(), String>;

    /// The value of the option `name` as written in pipelines, in braces or quotes where it must be.
    fn get(&self, name: &str) -> Option<String>;
}

impl dyn PassOptions + '_ {
    /// `{a=1 b={x,y}}`: all options, sorted by name; nothing when there are none. Empty lists are left out, but not the space
    /// before the next option, as upstream prints them.
    pub fn print(&self) -> String {
        let specs = self.specs();
        if specs.is_empty() {
            return String::new();
        }
        let print = |spec: &OptionSpec| match self.get(spec.name) {
            Some(value) => format!("{}={value}", spec.name),
            None => String::new(),
        };
        format!("{{{}}}", specs.iter().map(print).collect::<Vec<_>>().join(" "))
    }
}

/// A value as it must be written to be read as this one: as it is, in braces, or in quotes.
fn escaped(value: String) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+:/@".contains(c);
    if value.chars().all(is_plain) {
        return value;
    }
    let reads_back = |text: &String| {
        let option = format!("k={text}");
        matches!(super::pipeline::split_options(&option).as_deref(), Ok([(_, "k", Some(read))]) if *read == value)
    };
    let forms = [value.clone(), format!("{{{value}}}"), format!("'{value}'"), format!("\"{value}\"")];
    forms.into_iter().find(reads_back).unwrap_or(value)
}

/// The options of a pass that has none.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoOptions;

impl PassOptions for NoOptions {
    fn specs(&self) -> Vec<OptionSpec> {
        Vec::new()
    }

    fn set(&mut self, name: &str, _: Option<&str>) -> Result<(), String> {
        Err(format!("no such option {name}"))
    }

    fn add(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        self.set(name, value)
    }

    fn get(&self, _: &str) -> Option<String> {
        None
    }
}

/// A type that an option can have.
pub trait OptionValue: Sized {
    /// What stands between the angle brackets of `--name=<...>`.
    const KIND: &'static str;
    /// Keyword and meaning of each possible value, where there is a fixed list.
    const CHOICES: &'static [(&'static str, &'static str)] = &[];

    /// Reads a value; `None` where only the name of the option was given.
    ///
    /// # Errors
    /// Why it is not one.
    fn parse(text: Option<&str>) -> Result<Self, String>;

    /// Takes in what was given after this value: it is the value from then on, and lists get longer by it.
    fn add(&mut self, later: Self) {
        *self = later;
    }

    /// The value as written in pipelines; `None` for an empty list.
    fn print(&self) -> Option<String>;
}

/// Reads an integer as LLVM's command lines have it: decimal, or in another base after `0x`, `0b`, `0o` or `0`.
pub fn parse_integer<T: TryFrom<i128>>(text: &str) -> Option<T> {
    let (is_negative, magnitude) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let lower = magnitude.to_ascii_lowercase();
    let bases = [("0x", 16), ("0b", 2), ("0o", 8), ("0", 8)];
    let other = bases.iter().find_map(|&(prefix, base)| Some((lower.strip_prefix(prefix)?, base)));
    let (digits, base) = other.filter(|(digits, _)| !digits.is_empty()).unwrap_or((&lower, 10));
    let value = i128::from(u64::from_str_radix(digits, base).ok().filter(|_| !digits.starts_with('+'))?);
    T::try_from(if is_negative { -value } else { value }).ok()
}

fn given(text: Option<&str>) -> Result<&str, String> {
    text.ok_or_else(|| "requires a value".to_owned())
}

impl OptionValue for bool {
    const KIND: &'static str = "";

    fn parse(text: Option<&str>) -> Result<Self, String> {
        match text {
            None | Some("" | "true" | "TRUE" | "True" | "1") => Ok(true),
            Some("false" | "FALSE" | "False" | "0") => Ok(false),
            Some(other) => Err(format!("'{other}' is invalid value for boolean argument! Try 0 or 1")),
        }
    }

    fn print(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl OptionValue for String {
    const KIND: &'static str = "string";

    fn parse(text: Option<&str>) -> Result<Self, String> {
        given(text).map(str::to_owned)
    }

    fn print(&self) -> Option<String> {
        Some(escaped(self.clone()))
    }
}

macro_rules! number_options {
    ($($ty:ty, $kind:literal, $words:literal, $parse:expr;)*) => {$(
        impl OptionValue for $ty {
            const KIND: &'static str = $kind;

            fn parse(text: Option<&str>) -> Result<Self, String> {
                let text = given(text)?;
                let parse: fn(&str) -> Option<Self> = $parse;
                parse(text).ok_or_else(|| format!(concat!("'{}' value invalid for ", $words, " argument!"), text))
            }

            fn print(&self) -> Option<String> {
                Some(self.to_string())
            }
        }
    )*};
}

number_options! {
    i32, "int", "integer", parse_integer;
    i64, "long", "long", parse_integer;
    u32, "uint", "uint", parse_integer;
    u64, "ulong", "ulong", parse_integer;
    f64, "number", "floating point", |text| text.parse().ok();
}

impl<T: OptionValue> OptionValue for Option<T> {
    const KIND: &'static str = T::KIND;
    const CHOICES: &'static [(&'static str, &'static str)] = T::CHOICES;

    fn parse(text: Option<&str>) -> Result<Self, String> {
        T::parse(text).map(Some)
    }

    fn print(&self) -> Option<String> {
        self.as_ref().and_then(T::print)
    }
}

impl<T: OptionValue> OptionValue for Vec<T> {
    const KIND: &'static str = T::KIND;
    const CHOICES: &'static [(&'static str, &'static str)] = T::CHOICES;

    fn parse(text: Option<&str>) -> Result<Self, String> {
        let text = given(text)?;
        if text.is_empty() {
            return Ok(Self::new());
        }
        split_list(text).map(|item| T::parse(Some(item))).collect()
    }

    fn add(&mut self, later: Self) {
        self.extend(later);
    }

    fn print(&self) -> Option<String> {
        let items: Vec<String> = self.iter().filter_map(T::print).collect();
        (!items.is_empty()).then(|| format!("{{{}}}", items.join(",")))
    }
}

/// The elements of a list: what stands between commas that are in no brackets and no quotes, without brackets or quotes around.
fn split_list(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let list = rest?;
        let (mut depth, mut quote) = (0_usize, None);
        let comma = list.char_indices().find(|&(_, c)| {
            match (quote, c) {
                (Some(q), c) if q == c => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, '{' | '(' | '[') => depth += 1,
                (None, '}' | ')' | ']') => depth = depth.saturating_sub(1),
                (None, ',') => return depth == 0,
                _ => {}
            }
            false
        });
        let (item, after) = comma.map_or((list, None), |(at, _)| (&list[..at], Some(&list[at + 1..])));
        rest = after;
        Some(unwrapped(item.trim()))
    })
}

/// What stands in the braces or quotes around a whole item, or the item itself.
fn unwrapped(item: &str) -> &str {
    let inside = |open: char, close: char| item.strip_prefix(open).and_then(|item| item.strip_suffix(close));
    let is_balanced = |text: &&str| {
        let mut depth = 0_i64;
        let step = |c| match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        text.chars().all(|c| {
            depth += step(c);
            depth >= 0
        })
    };
    let in_braces = inside('{', '}').filter(is_balanced);
    in_braces.or_else(|| inside('\'', '\'')).or_else(|| inside('"', '"')).map_or(item, str::trim)
}

/// Sets options from the inside of `{key=value flag key2=a,b}`. Values may be quoted with `'` or `"`, or be in braces.
///
/// # Errors
/// A message and the byte range in `text` that it is about.
pub fn parse_options(options: &mut dyn PassOptions, text: &str) -> Result<(), (String, std::ops::Range<usize>)> {
    let specs = options.specs();
    let mut given = Vec::new();
    for (range, key, value) in super::pipeline::split_options(text)? {
        if !specs.iter().any(|spec| spec.name == key) {
            let names = specs.iter().map(|spec| spec.name);
            let hint = crate::diagnostics::did_you_mean(key, names);
            return Err((format!("no such option {key}{hint}"), range));
        }
        let set = if given.contains(&key) { options.add(key, value) } else { options.set(key, value) };
        set.map_err(|why| (format!("for the --{key} option: {why}"), range))?;
        given.push(key);
    }
    Ok(())
}

/// Declares the options of a pass: a struct with a default, and how each option is read, printed and explained.
///
/// ```
/// dl_ir::pass_options! {
///     /// Options of the example.
///     pub struct ExampleOptions {
///         /// Largest trip count that is unrolled.
///         max_trip_count "max-trip-count": i64 = 8,
///         /// Names of functions to skip.
///         skip "skip": Vec<String> = Vec::new(),
///     }
/// }
/// let mut options = ExampleOptions::default();
/// dl_ir::pass::parse_options(&mut options, "max-trip-count=4").unwrap();
/// assert_eq!(options.max_trip_count, 4);
/// ```
#[macro_export]
macro_rules! pass_options {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[doc = $doc:literal])* $field:ident $text:literal: $ty:ty = $default:expr),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $name {
            $($(#[doc = $doc])* pub $field: $ty,)*
        }

        impl ::std::default::Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        impl $crate::pass::PassOptions for $name {
            fn specs(&self) -> ::std::vec::Vec<$crate::pass::OptionSpec> {
                let mut specs = ::std::vec![$($crate::pass::OptionSpec {
                    name: $text,
                    help: concat!($($doc),*).trim_ascii(),
                    value: <$ty as $crate::pass::OptionValue>::KIND,
                    choices: <$ty as $crate::pass::OptionValue>::CHOICES,
                }),*];
                specs.sort_by_key(|spec| spec.name);
                specs
            }

            fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
                match name {
                    $($text => self.$field = $crate::pass::OptionValue::parse(value)?,)*
                    _ => return Err(format!("no such option {name}")),
                }
                Ok(())
            }

            fn add(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
                match name {
                    $($text => {
                        let later = $crate::pass::OptionValue::parse(value)?;
                        $crate::pass::OptionValue::add(&mut self.$field, later);
                    })*
                    _ => return Err(format!("no such option {name}")),
                }
                Ok(())
            }

            fn get(&self, name: &str) -> Option<String> {
                match name {
                    $($text => $crate::pass::OptionValue::print(&self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

/// Lets an enumeration be the value of an option: its cases, keywords and what they mean.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// enum Order { Forward, Backward }
/// dl_ir::option_choices! { Order { Forward = "forward": "first to last", Backward = "backward": "last to first" } }
/// ```
#[macro_export]
macro_rules! option_choices {
    ($ty:ident { $($case:ident = $text:literal: $help:literal),* $(,)? }) => {
        impl $crate::pass::OptionValue for $ty {
            const KIND: &'static str = "value";
            const CHOICES: &'static [(&'static str, &'static str)] = &[$(($text, $help)),*];

            fn parse(text: Option<&str>) -> Result<Self, String> {
                match text {
                    $(Some($text) => Ok(Self::$case),)*
                    other => Err(format!(
                        "Cannot find option named '{}'! Expected one of: {}",
                        other.unwrap_or_default(),
                        [$($text),*].join(", "),
                    )),
                }
            }

            fn print(&self) -> Option<String> {
                Some(match self { $(Self::$case => $text),* }.to_owned())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Level {
        Low,
        High,
    }
    crate::option_choices! { Level { Low = "low": "a little", High = "high": "a lot" } }

    pass_options! {
        /// Test options.
        struct Opts {
            /// How often.
            times "times": i64 = -1,
            /// Whether at all.
            on "on": bool = true,
            /// Which ones.
            names "names": Vec<String> = Vec::new(),
            /// How much.
            level "level": Level = Level::Low,
        }
    }

    fn parsed(text: &str) -> Result<Opts, String> {
        let mut options = Opts::default();
        parse_options(&mut options, text).map_err(|(message, _)| message)?;
        Ok(options)
    }

    #[test]
    fn values_of_each_kind() {
        let options = parsed("times=3 on=false names=a,b level=high").unwrap();
        assert_eq!((options.times, options.on, options.level), (3, false, Level::High));
        assert_eq!(options.names, ["a", "b"]);
        assert!(parsed("on").unwrap().on);
        assert_eq!(parsed("names='a, b'").unwrap().names, ["a", "b"]);
        assert_eq!(parsed("names={a b,{c,d},'e, f'}").unwrap().names, ["a b", "c,d", "e, f"]);
        assert_eq!(parsed("names={a},{b} on=false").unwrap().names, ["a", "b"]);
    }

    #[test]
    fn lists_that_are_given_again_get_longer() {
        let options = parsed("names=a times=3 names={b,c} times=4 names=").unwrap();
        assert_eq!(options.names, ["a", "b", "c"]);
        assert_eq!(options.times, 4);
    }

    #[test]
    fn integers_in_any_base() {
        for (text, value) in
            [("0x1F", 31), ("-0x10", -16), ("0b101", 5), ("0o17", 15), ("017", 15), ("0", 0), ("-7", -7)]
        {
            assert_eq!(parsed(&format!("times={text}")).unwrap().times, value, "{text}");
        }
        for text in ["0x", "08", "0b2", "+1", "--1", "", "-", "1_0", "9223372036854775808", "0x10000000000000000"] {
            assert!(parsed(&format!("times='{text}'")).is_err(), "{text}");
        }
    }

    #[test]
    fn print_is_sorted_and_parses_again() {
        let options = parsed("times=3 names=a,b").unwrap();
        let text = (&options as &dyn PassOptions).print();
        assert_eq!(text, "{level=low names={a,b} on=true times=3}");
        let again = parsed(&text[1..text.len() - 1]).unwrap();
        assert_eq!((&again as &dyn PassOptions).print(), text);
    }

    #[test]
    fn values_are_escaped_where_they_must_be() {
        // As upstream's `test-options-pass` prints them.
        for (given, printed) in [
            ("names={a b,c}", "names={{a b},c}"),
            ("names='a b,{c d}'", "names={{a b},{c d}}"),
            ("names=a,\"b c\"", "names={a,{b c}}"),
        ] {
            let text = (&parsed(given).unwrap() as &dyn PassOptions).print();
            assert_eq!(text, format!("{{level=low {printed} on=true times=-1}}"));
        }
        assert_eq!(escaped("a b".to_owned()), "{a b}");
        assert_eq!(escaped("a{b c}".to_owned()), "a{b c}");
        assert_eq!(escaped("a,b".to_owned()), "a,b");
        assert_eq!(escaped("a' b".to_owned()), "{a' b}");
    }

    #[test]
    fn faults_say_what_is_wrong() {
        assert_eq!(parsed("tims=3").unwrap_err(), "no such option tims, did you mean 'times'?");
        assert_eq!(parsed("times=x").unwrap_err(), "for the --times option: 'x' value invalid for long argument!");
        assert_eq!(parsed("times").unwrap_err(), "for the --times option: requires a value");
        let message = parsed("level=mid").unwrap_err();
        assert_eq!(message, "for the --level option: Cannot find option named 'mid'! Expected one of: low, high");
    }
}
