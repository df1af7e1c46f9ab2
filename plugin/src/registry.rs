//! What a tool knows.

use dl_ir::dialect::Extension;
use dl_ir::pass::PassRegistry;
use dl_ir::{Context, Dialect};

use crate::{Brought, Runner, Simulator, Translation};

/// About as many operations as the dialects of this project have.
const USUAL_OPS: usize = 1536;

/// What attaches interfaces and patterns to operations that another dialect defines.
type Attach = Box<dyn Fn(&mut Context) + Send + Sync>;

/// The dialects and passes that a tool knows: its own, and what plugins add.
#[derive(Default)]
pub struct Registry {
    dialects: Vec<Box<dyn Dialect>>,
    extensions: Vec<Attach>,
    /// The passes and pipelines.
    pub passes: PassRegistry,
    translations: Vec<Translation>,
    runners: Vec<Runner>,
    simulators: Vec<Simulator>,
    /// What plugins have brought, in the order in which they were loaded.
    plugins: Vec<Brought>,
}

impl Registry {
    /// Nothing but the `builtin` dialect.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a dialect, in the place of one of the same name if there is such: a plugin may bring another version of a dialect that the tool has.
    pub fn dialect(&mut self, dialect: Box<dyn Dialect>) -> &mut Self {
        self.dialects.retain(|known| known.namespace() != dialect.namespace());
        self.dialects.push(dialect);
        self
    }

    /// Adds a form that `dl-translate --emit` writes programs in, in the place of one of the same name.
    pub fn translation(&mut self, translation: Translation) -> &mut Self {
        self.translations.retain(|known| known.name != translation.name);
        self.translations.push(translation);
        self
    }

    /// Adds a back end for `dl-run --backend`, in the place of one of the same name.
    pub fn runner(&mut self, runner: Runner) -> &mut Self {
        self.runners.retain(|known| known.name != runner.name);
        self.runners.push(runner);
        self
    }

    /// Adds a simulator for `dl-sim --simulator`, in the place of one of the same name.
    pub fn simulator(&mut self, simulator: Simulator) -> &mut Self {
        self.simulators.retain(|known| known.name != simulator.name);
        self.simulators.push(simulator);
        self
    }

    /// The forms that programs can be written in besides those of the tool.
    pub fn translations(&self) -> &[Translation] {
        &self.translations
    }

    /// The back ends besides those of the tool.
    pub fn runners(&self) -> &[Runner] {
        &self.runners
    }

    /// The simulators besides that of the tool.
    pub fn simulators(&self) -> &[Simulator] {
        &self.simulators
    }

    /// Adds what is done to each context when the dialects are registered: mostly, to attach something to operations, by
    /// [`Context::extend`].
    pub fn extension(&mut self, extend: impl Fn(&mut Context) + Send + Sync + 'static) -> &mut Self {
        self.extensions.push(Box::new(extend));
        self
    }

    /// Attaches behaviour to operations of any dialect: interfaces, canonicalization patterns, the meaning in the interpreter.
    pub fn attach(&mut self, extension: impl Extension + 'static) -> &mut Self {
        self.extension(move |cx| cx.extend(&extension))
    }

    /// A context that knows the dialects.
    pub fn context(&self) -> Context {
        let mut cx = Context::new();
        cx.reserve_ops(USUAL_OPS);
        for dialect in &self.dialects {
            cx.register(&**dialect);
        }
        for extend in &self.extensions {
            extend(&mut cx);
        }
        cx
    }

    /// The names of the dialects, sorted.
    pub fn dialect_names(&self) -> Vec<String> {
        self.context().dialects().map(|dialect| dialect.namespace.to_string()).collect()
    }

    /// Has a plugin, called `plugin` in lists, add to this registry.
    pub(crate) fn add_plugin(&mut self, plugin: String, register: impl FnOnce(&mut Self)) {
        // It adds to a registry of its own first, so that it is known what it brings also where that replaces something.
        let mut own = Self::default();
        register(&mut own);
        self.plugins.push(Brought {
            plugin,
            dialects: own.dialects.iter().map(|dialect| dialect.namespace().to_owned()).collect(),
            passes: own.passes.passes().iter().map(|pass| pass.info.name.to_owned()).collect(),
            pipelines: own.passes.pipelines().iter().map(|pipeline| pipeline.name.to_owned()).collect(),
            translations: own.translations.iter().map(|each| each.name.to_owned()).collect(),
            backends: own.runners.iter().map(|each| each.name.to_owned()).collect(),
            simulators: own.simulators.iter().map(|each| each.name.to_owned()).collect(),
            extensions: own.extensions.len(),
        });
        self.passes.merge(own.passes);
        self.extensions.extend(own.extensions);
        own.dialects.into_iter().for_each(|dialect| _ = self.dialect(dialect));
        own.translations.into_iter().for_each(|translation| _ = self.translation(translation));
        own.runners.into_iter().for_each(|runner| _ = self.runner(runner));
        own.simulators.into_iter().for_each(|simulator| _ = self.simulator(simulator));
    }

    /// What plugins have brought, in the order in which they were loaded.
    pub fn plugins(&self) -> &[Brought] {
        &self.plugins
    }
}
