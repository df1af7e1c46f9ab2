//! Finding out whether anything has changed.

use std::hash::{DefaultHasher, Hasher as _};
use std::io;

use crate::text::{PrintOptions, print_op};
use crate::view::OpRef;

/// A hash of all that can be printed of an operation, locations included: different where something has changed, but for one
/// chance in 2^64. Costs as much as printing.
#[expect(clippy::missing_panics_doc, reason = "hashing cannot fail")]
pub fn fingerprint(op: OpRef<'_>) -> u64 {
    let mut hash = Hash(DefaultHasher::new());
    let options = PrintOptions { generic: true, debug_info: true, ..PrintOptions::default() };
    print_op(op, &options, &mut hash).expect("hashing does not fail");
    hash.0.finish()
}

struct Hash(DefaultHasher);

impl io::Write for Hash {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
