//! The code of a plugin that the tool calls first.
//!
//! A plugin has its own copy of the standard library. A panic that began in one copy cannot be caught by another: the process would be
//! aborted without a word of why. So panics are caught in the image that they began in, where there is something to catch them for (passes, and the
//! registration), and end the process with a message that names the plugin where there is not (hooks and patterns that the tool calls).

use std::hash::BuildHasher as _;
use std::io::Write as _;
use std::mem::{align_of, size_of};

use dl_ir::pass::panics::{caught, is_caught};
use dl_ir::{Arena, Context, Diagnostic, OpDef, OpState, Rewriter};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::Registry;

/// What a plugin is called with.
pub struct Registering<'a> {
    /// What it adds to.
    pub registry: &'a mut Registry,
    /// What the plugin is called in lists.
    pub label: String,
    /// What its panic said, if it panicked.
    pub panic: Option<String>,
}

/// The function of a plugin that adds what it brings.
pub type Register = fn(&mut Registry);

/// Calls the function of the plugin `name`. What it panics with, then or later, is told with that name.
pub fn register_caught(name: &'static str, register: Register, registering: &mut Registering<'_>) {
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map_or_else(String::new, |place| format!(" at {place}"));
        let why = info.payload_as_str().unwrap_or("unknown cause");
        // Nobody is left to be told where standard error is closed.
        let _ = writeln!(std::io::stderr(), "error: plugin '{name}' panicked{place}: {why}");
        if !is_caught() {
            std::process::exit(1);
        }
    }));
    let Registering { registry, label, panic } = registering;
    *panic = caught(|| registry.add_plugin(label.clone(), register)).err();
}

/// A number that differs, in all likelihood, where two images were built with different versions of the libraries that types of the core are
/// made of.
pub fn fingerprint() -> u64 {
    let map: FxHashMap<u32, u32> = (0..7).map(|i| (i * 31, i)).collect();
    let order = map.keys().fold(0_u64, |sum, &key| sum.wrapping_mul(33).wrapping_add(u64::from(key)));
    let sizes = [
        size_of::<Context>(),
        align_of::<Context>(),
        size_of::<Arena>(),
        size_of::<OpDef>(),
        size_of::<OpState>(),
        size_of::<Rewriter<'_>>(),
        size_of::<Diagnostic>(),
        size_of::<Registry>(),
        size_of::<SmallVec<[u32; 5]>>(),
        size_of::<FxHashMap<u8, u64>>(),
        size_of::<indexmap::IndexMap<u8, u64, FxBuildHasher>>(),
    ];
    let hasher = FxBuildHasher;
    let hashes = [hasher.hash_one("linalg.generic"), hasher.hash_one(7_u64), hasher.hash_one(("a", 3_u32))];
    let words = sizes.iter().map(|&size| size as u64).chain(hashes).chain([order]);
    words.fold(0xcbf2_9ce4_8422_2325, |hash: u64, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23))
}
