//! The passes and pipelines that pipeline texts and command lines can name.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::options::{NoOptions, PassOptions};
use super::traits::{AnyPass, Pass, PassInfo};

/// A pass that can be named.
#[derive(Clone, Copy)]
pub struct RegisteredPass {
    /// Name, description and the like.
    pub info: &'static PassInfo,
    make: fn() -> Box<dyn AnyPass>,
}

impl RegisteredPass {
    /// One with its default options.
    pub fn make(&self) -> Box<dyn AnyPass> {
        (self.make)()
    }
}

/// A pipeline that can be named.
#[derive(Clone)]
pub struct RegisteredPipeline {
    /// Its name, kebab case.
    pub name: &'static str,
    /// What it does, in one line.
    pub description: &'static str,
    options: fn() -> Box<dyn PassOptions>,
    expand: Arc<ExpandText>,
}

type ExpandText = dyn Fn(&str) -> Result<String, (String, std::ops::Range<usize>)> + Send + Sync;

impl RegisteredPipeline {
    /// Its options, at their defaults.
    pub fn options(&self) -> Box<dyn PassOptions> {
        (self.options)()
    }

    /// The passes that it stands for, as text, with these options (the inside of `{...}`).
    ///
    /// # Errors
    /// What is wrong with the options, and where in them.
    pub fn expand(&self, options: &str) -> Result<String, (String, std::ops::Range<usize>)> {
        (self.expand)(options)
    }
}

fn registered<O: PassOptions + Default + 'static>(
    name: &'static str,
    description: &'static str,
    text: impl Fn(&O) -> String + Send + Sync + 'static,
) -> RegisteredPipeline {
    let expand = move |given: &str| {
        let mut options = O::default();
        super::options::parse_options(&mut options, given)?;
        Ok(text(&options))
    };
    RegisteredPipeline { name, description, options: || Box::new(O::default()), expand: Arc::new(expand) }
}

/// All passes and pipelines that can be named, in order of registration. A copy costs as much as there are entries.
#[derive(Clone, Default)]
pub struct PassRegistry {
    passes: ByName<RegisteredPass>,
    pipelines: ByName<RegisteredPipeline>,
    other_names: ByName<RegisteredPipeline>,
}

type ByName<T> = IndexMap<&'static str, T, FxBuildHasher>;

impl PassRegistry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a pass. One of the same name is replaced.
    pub fn pass<P: Pass + Default>(&mut self) -> &mut Self {
        self.add_pass(RegisteredPass { info: &P::INFO, make: || Box::new(P::default()) })
    }

    // One for all crates with passes: a program starts by calling it hundreds of times. Cold, as is then what always calls it: what only a start runs
    // lies together, and not a page of it in each crate.
    #[cold]
    fn add_pass(&mut self, pass: RegisteredPass) -> &mut Self {
        self.passes.insert(pass.info.name, pass);
        self
    }

    /// Registers a pipeline without options: a name for the passes that `text` lists.
    pub fn pipeline(&mut self, name: &'static str, description: &'static str, text: &'static str) -> &mut Self {
        self.pipeline_with(name, description, |_: &NoOptions| text.to_owned())
    }

    /// Registers a pipeline with options: `text` lists its passes for given ones.
    pub fn pipeline_with<O: PassOptions + Default + 'static>(
        &mut self,
        name: &'static str,
        description: &'static str,
        text: impl Fn(&O) -> String + Send + Sync + 'static,
    ) -> &mut Self {
        self.add_pipeline(registered(name, description, text))
    }

    #[cold]
    fn add_pipeline(&mut self, pipeline: RegisteredPipeline) -> &mut Self {
        self.pipelines.insert(pipeline.name, pipeline);
        self
    }

    /// Registers another name for the passes that `text` lists for given options. It is accepted wherever a pipeline is, and listed nowhere:
    /// for names that exist only so that command lines written for another tool work.
    pub fn other_name<O: PassOptions + Default + 'static>(
        &mut self,
        name: &'static str,
        text: impl Fn(&O) -> String + Send + Sync + 'static,
    ) -> &mut Self {
        self.other_names.insert(name, registered(name, "", text));
        self
    }

    /// Adds what another registry has. What is there already by the same name is replaced.
    pub fn merge(&mut self, other: Self) -> &mut Self {
        self.passes.extend(other.passes);
        self.pipelines.extend(other.pipelines);
        self.other_names.extend(other.other_names);
        self
    }

    /// The pass called `name`.
    pub fn find_pass(&self, name: &str) -> Option<&RegisteredPass> {
        self.passes.get(name)
    }

    /// The pipeline called `name`.
    pub fn find_pipeline(&self, name: &str) -> Option<&RegisteredPipeline> {
        self.pipelines.get(name).or_else(|| self.other_names.get(name))
    }

    /// All passes, by name.
    pub fn passes(&self) -> Vec<&RegisteredPass> {
        let mut all: Vec<_> = self.passes.values().collect();
        all.sort_by_key(|pass| pass.info.name);
        all
    }

    /// All pipelines but other names, by name.
    pub fn pipelines(&self) -> Vec<&RegisteredPipeline> {
        let mut all: Vec<_> = self.pipelines.values().collect();
        all.sort_by_key(|pipeline| pipeline.name);
        all
    }

    /// The names of all passes and pipelines.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.passes.keys().chain(self.pipelines.keys()).copied()
    }
}
