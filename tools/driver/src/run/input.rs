//! What `--input` and `--output` say.

use std::convert::Infallible;
use std::path::Path;
use std::str::FromStr;

use dl_runtime::{ArgType, Array};

use super::literal;

/// Where an argument comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Input {
    /// `@FILE`: a `.npy` file.
    File(String),
    /// The value itself.
    Literal(String),
}

impl FromStr for Input {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.strip_prefix('@') {
            Some(file) => Self::File(file.to_owned()),
            None => Self::Literal(text.to_owned()),
        })
    }
}

impl Input {
    /// What messages call it.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::File(text) | Self::Literal(text) => text,
        }
    }

    /// The array; `expected` tells the element type of a literal that does not.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn read(&self, expected: &ArgType) -> Result<Array, String> {
        match self {
            Self::File(file) => Array::read_npy(Path::new(file)).map_err(|error| match error {
                dl_runtime::npy::NpyError::Io(error) => dl_tools_support::files::reason(&error),
                other => other.to_string(),
            }),
            Self::Literal(text) => literal::parse(text, expected.dtype()),
        }
    }
}

/// Where a result goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Output {
    /// `-`: standard output, as text.
    Print,
    /// `@FILE`: a `.npy` file.
    File(String),
}

impl FromStr for Output {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.strip_prefix('@')) {
            ("-", _) => Ok(Self::Print),
            (_, Some(file)) if !file.is_empty() => Ok(Self::File(file.to_owned())),
            _ => Err("expected '@FILE' or '-'"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_marked() {
        assert_eq!("@x.npy".parse(), Ok(Input::File("x.npy".to_owned())));
        assert_eq!("3.5".parse(), Ok(Input::Literal("3.5".to_owned())));
        assert_eq!("@x.npy".parse(), Ok(Output::File("x.npy".to_owned())));
        assert_eq!("-".parse(), Ok(Output::Print));
        assert!("x.npy".parse::<Output>().is_err());
    }
}
