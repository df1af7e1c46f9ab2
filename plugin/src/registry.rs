//! What a tool knows.

use dl_ir::dialect::Extension;
use dl_ir::pass::PassRegistry;
use dl_ir::{Context, Dialect};

/// What attaches interfaces and patterns to operations that another dialect defines.
type Attach = Box<dyn Fn(&mut Context) + Send + Sync>;

/// The dialects and passes that a tool knows: its own, and what plugins add.
#[derive(Default)]
pub struct Registry {
    dialects: Vec<Box<dyn Dialect>>,
    extensions: Vec<Attach>,
    /// The passes and pipelines.
    pub passes: PassRegistry,
    /// What plugins have brought, in the order in which they were loaded.
    plugins: Vec<Brought>,
}

/// What a plugin has brought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Brought {
    /// Name and version.
    pub plugin: String,
    /// Its dialects.
    pub dialects: Vec<String>,
    /// Its passes.
    pub passes: Vec<String>,
    /// Its pipelines.
    pub pipelines: Vec<String>,
    /// How many times it attaches something to operations of others.
    pub extensions: usize,
}

impl Registry {
    /// Nothing but the `builtin` dialect.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a dialect.
    pub fn dialect(&mut self, dialect: Box<dyn Dialect>) -> &mut Self {
        self.dialects.push(dialect);
        self
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
        let names = |registry: &Self| {
            let passes: Vec<String> = registry.passes.passes().iter().map(|pass| pass.info.name.to_owned()).collect();
            let pipelines: Vec<String> = registry.passes.pipelines().iter().map(|each| each.name.to_owned()).collect();
            (passes, pipelines)
        };
        let (dialects, extensions) = (self.dialects.len(), self.extensions.len());
        let (old_passes, old_pipelines) = names(self);
        register(self);
        let (mut passes, mut pipelines) = names(self);
        passes.retain(|name| !old_passes.contains(name));
        pipelines.retain(|name| !old_pipelines.contains(name));
        let dialects = self.dialects[dialects..].iter().map(|dialect| dialect.namespace().to_owned()).collect();
        let extensions = self.extensions.len() - extensions;
        self.plugins.push(Brought { plugin, dialects, passes, pipelines, extensions });
    }

    /// What plugins have brought, in the order in which they were loaded.
    pub fn plugins(&self) -> &[Brought] {
        &self.plugins
    }
}
