//! Where the machine code of a program is kept for the next run.

use bytes::Bytes;
use dl_ir::Diagnostics;
use dl_ir::attributes::DenseData;
use dl_ir::text::{NameOfElided, PrintOptions, print_op};
use dl_runtime::call::EntryPoint;
use dl_runtime::parallel;
use dl_tools_support::{files, messages};

use crate::backend::Backend;
use crate::cache::{Cache, Key};
use crate::codegen::CodegenOptions;
use crate::program::Program;

/// Elements from which on a constant stands in the text that a key is made of as a digest: in less room, and made faster.
const LARGE: u64 = 16;

/// The entry of a cache that belongs to a program, as it is before it is lowered, and a function of it.
pub(super) struct Place {
    cache: Cache,
    key: Key,
}

impl Place {
    /// The place that everything decides which the code depends on: the program but for the locations of its operations, how the function is called, the
    /// pipeline, the options, and the machine. `None` where the back end has nothing to keep, or where there is no cache.
    ///
    /// # Errors
    /// What is wrong with the options.
    pub(super) fn of(
        program: &Program<'_>,
        entry: &EntryPoint,
        backend: &dyn Backend,
        options: &CodegenOptions,
        limit: u64,
    ) -> Result<Option<Self>, Diagnostics> {
        let _span = tracing::info_span!("cache-key").entered();
        let (Some(machine), Some(cache)) = (backend.keeps(), Cache::of_user(limit)) else { return Ok(None) };
        let pipeline = backend.pipeline(options, !program.uses_tensors(), parallel::threads())?;
        let CodegenOptions { target_triple, target_cpu, target_features, opt_level, .. } = options;
        let decided = format!(
            "{} {machine} {target_triple:?} {target_cpu:?} {target_features:?} {opt_level:?} {pipeline:?} {entry:?}",
            backend.name()
        );
        let print = PrintOptions {
            generic: true,
            elide_elements_larger_than: Some(LARGE),
            name_of_elided: Some(NameOfElided(digest)),
            ..PrintOptions::default()
        };
        let mut text = Vec::new();
        print_op(program.root(), &print, &mut text).map_err(|error| messages::error(files::reason(&error)))?;
        Ok(Key::of(&[decided.as_bytes(), &text]).map(|key| Self { cache, key }))
    }

    /// What an earlier run has kept.
    pub(super) fn get(&self) -> Option<Vec<Bytes>> {
        self.cache.get(self.key)
    }

    /// Keeps this for later runs, if it is anything.
    pub(super) fn put(&self, kept: &[Bytes]) {
        if !kept.is_empty() {
            self.cache.put(self.key, kept);
        }
    }
}

fn digest(data: &DenseData) -> String {
    blake3::hash(data.bytes()).to_string()
}
