//! Why a model or a node cannot be imported.

use std::fmt;

/// A reason, without its place: whoever walks over the nodes adds that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault(pub(crate) String);

/// What an operator or a step of the import comes to.
pub(crate) type Outcome<T> = Result<T, Fault>;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Fault {
    fn from(message: String) -> Self {
        Self(message)
    }
}

impl From<&str> for Fault {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

/// A fault with a formatted message.
macro_rules! fault {
    ($($arg:tt)*) => { $crate::fault::Fault(format!($($arg)*)) };
}

/// Answers a fault unless the condition holds.
macro_rules! require {
    ($condition:expr, $($arg:tt)*) => {
        if !$condition { return Err($crate::fault::fault!($($arg)*)); }
    };
}

pub(crate) use {fault, require};
