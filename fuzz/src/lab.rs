//! What targets work with: the registered dialects and passes, and a context that is renewed now and then.

use dl_ir::{Context, pass::PassRegistry};
use dl_tools::Registry;
use rustc_hash::FxHashMap;

/// Dialects, passes and a context. Making a context takes longer than most inputs, so that one serves many.
pub struct Lab {
    registry: Registry,
    current: Option<Bench>,
    used: usize,
}

/// A context and what is kept beside it.
pub(crate) struct Bench {
    pub(crate) cx: Context,
    /// Types and attributes by their texts; `None` for texts that do not parse.
    pub(crate) types: FxHashMap<String, Option<dl_ir::Type>>,
    pub(crate) attrs: FxHashMap<String, Option<dl_ir::Attr>>,
}

/// How many bytes of input one context serves: interned data is never freed.
const BYTES_PER_CONTEXT: usize = 1 << 22;

/// What an input counts for at least.
const BYTES_PER_INPUT: usize = 4096;

impl Default for Lab {
    fn default() -> Self {
        Self::new()
    }
}

impl Lab {
    /// One with all dialects and passes of the project.
    pub fn new() -> Self {
        Self { registry: dl_tools::standard(), current: None, used: 0 }
    }

    /// What to work on `input` with. Inputs that leave something behind in a context, its resources, get one of their own.
    pub(crate) fn bench(&mut self, input: &[u8]) -> (&mut Bench, &PassRegistry) {
        let holds = |needle: &[u8]| input.windows(needle.len()).any(|window| window == needle);
        let leaves_traces = holds(b"{-#") || holds(b"dense_resource");
        if leaves_traces || self.used > BYTES_PER_CONTEXT {
            self.current = None;
        }
        self.used = if self.current.is_none() { 0 } else { self.used };
        self.used += if leaves_traces { BYTES_PER_CONTEXT + 1 } else { input.len().max(BYTES_PER_INPUT) };
        let Self { registry, current, .. } = self;
        let bench = current.get_or_insert_with(|| {
            let mut cx = registry.context();
            cx.allow_unregistered(true);
            cx.set_threading(false);
            Bench { cx, types: FxHashMap::default(), attrs: FxHashMap::default() }
        });
        (bench, &registry.passes)
    }

    /// Whether `input` is IR that verifies.
    pub fn accepts(&mut self, input: &[u8]) -> bool {
        let (bench, _) = self.bench(input);
        matches!(crate::targets::parse_verified(&bench.cx, input), Ok(Ok(_)))
    }

    /// The passes that inputs may name.
    pub fn passes(&self) -> &PassRegistry {
        &self.registry.passes
    }
}

impl Bench {
    /// The type written `text`, if it is one.
    pub(crate) fn ty(&mut self, text: &str) -> Option<dl_ir::Type> {
        if let Some(&known) = self.types.get(text) {
            return known;
        }
        let ty = dl_ir::text::parse_type(&self.cx, text).ok();
        self.types.insert(text.to_owned(), ty);
        ty
    }

    /// The attribute written `text`, if it is one.
    pub(crate) fn attr(&mut self, text: &str) -> Option<dl_ir::Attr> {
        if let Some(&known) = self.attrs.get(text) {
            return known;
        }
        let attr = dl_ir::text::parse_attribute(&self.cx, text).ok();
        self.attrs.insert(text.to_owned(), attr);
        attr
    }
}
