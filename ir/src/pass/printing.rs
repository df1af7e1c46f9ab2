//! Printing of IR before and after passes.

use indexmap::IndexMap;

use super::executor::Scope;
use super::fingerprint::fingerprint;
use super::traits::PassInfo;
use crate::arena::Arena;
use crate::context::Context;
use crate::lock::Mutex;
use crate::text::{PrintOptions, print_op};
use crate::view::OpRef;

/// Which passes something is done for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum PassFilter {
    /// None.
    #[default]
    Never,
    /// All.
    Always,
    /// Those of these names.
    Named(Vec<String>),
}

impl PassFilter {
    fn accepts(&self, name: &str) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Named(names) => names.iter().any(|own| own == name),
        }
    }

    /// Adds a name, unless all are in already.
    pub fn add(&mut self, name: &str) {
        match self {
            Self::Always => {}
            Self::Never => *self = Self::Named(vec![name.to_owned()]),
            Self::Named(names) => names.push(name.to_owned()),
        }
    }
}

/// The text of an operation before or after a pass.
pub struct IrDump<'a> {
    /// What it is, as a comment line: `// -----// IR Dump After CSE (cse) //----- //`.
    pub header: String,
    /// The IR, without a line end.
    pub text: &'a str,
    /// Name of the pass in pipelines.
    pub pass: &'static str,
    /// The operations around the one that the pass ran on, itself last: name and symbol name.
    pub scope: Vec<(String, Option<String>)>,
    /// How many dumps there were before of each of these operations.
    pub counts: Vec<u32>,
}

/// Prints IR before and after passes. Passes then run one after the other, so that the text is in order.
pub struct IrPrinting {
    /// Passes before which it is printed.
    pub before: PassFilter,
    /// Passes after which it is printed.
    pub after: PassFilter,
    /// After a pass, only when it has changed something.
    pub only_changed: bool,
    /// After a pass, only when it has failed.
    pub only_failed: bool,
    /// The outermost operation, not just the one the pass ran on. Threads must be disabled. From a pipeline that a pass runs,
    /// only what that pass runs on can be seen.
    pub module_scope: bool,
    /// How to print.
    pub options: PrintOptions,
    /// Where to.
    pub sink: Box<dyn Fn(&IrDump<'_>) + Send + Sync>,
    /// By place of an operation: how often it was printed.
    pub counters: DumpCounters,
}

/// Counts the dumps of each operation. Starts empty.
#[derive(Default)]
pub struct DumpCounters(Mutex<IndexMap<Vec<usize>, u32>>);

impl DumpCounters {
    /// Counts a dump of the operation in `place`; answers how many there were before, of it and of those around it.
    fn count(&self, place: &[usize]) -> Vec<u32> {
        let mut counters = self.0.lock();
        counters.entry(place.to_vec()).and_modify(|count| *count += 1).or_insert(0);
        // What is around and was not printed itself counts as printed once from now on, as upstream has it.
        (1..=place.len()).map(|len| *counters.entry(place[..len].to_vec()).or_insert(0)).collect()
    }
}

impl IrPrinting {
    /// Whether it does anything at all.
    pub fn is_active(&self) -> bool {
        self.before != PassFilter::Never || self.after != PassFilter::Never
    }

    /// What to find out by whether a pass has changed anything, where that matters.
    pub(super) fn fingerprint(&self, cx: &Context, ir: &Arena, pass: &PassInfo) -> Option<u64> {
        let needed = self.only_changed && self.after.accepts(pass.name);
        needed.then(|| fingerprint(OpRef::root(cx, ir)))
    }

    pub(super) fn before(&self, cx: &Context, scope: &Scope<'_>, pass: &PassInfo) {
        if self.before.accepts(pass.name) {
            self.print(cx, scope, pass, &format!("Before {} ({})", pass.title, pass.name));
        }
    }

    pub(super) fn after(&self, cx: &Context, scope: &Scope<'_>, pass: &PassInfo, before: Option<u64>, failed: bool) {
        if !self.after.accepts(pass.name) {
            return;
        }
        if failed {
            self.print(cx, scope, pass, &format!("After {} Failed ({})", pass.title, pass.name));
        } else if !self.only_failed && (!self.only_changed || self.fingerprint(cx, scope.arena_ref(), pass) != before) {
            self.print(cx, scope, pass, &format!("After {} ({})", pass.title, pass.name));
        }
    }

    fn print(&self, cx: &Context, scope: &Scope<'_>, pass: &PassInfo, title: &str) {
        let root = OpRef::root(cx, scope.arena_ref());
        let of = match (self.module_scope, root.symbol_name()) {
            (false, _) => String::new(),
            (true, Some(name)) => format!(" ('{}' operation: @{name})", root.name()),
            (true, None) => format!(" ('{}' operation)", root.name()),
        };
        let shown = if self.module_scope { OpRef::root(cx, scope.top) } else { root };
        let text = text_of(shown, &self.options);
        let place = super::executor::place_of(cx, scope);
        let numbers: Vec<usize> = place.0.iter().map(|(number, ..)| *number).collect();
        (self.sink)(&IrDump {
            header: format!("// -----// IR Dump {title}{of} //----- //"),
            text: text.trim_end_matches('\n'),
            pass: pass.name,
            scope: place.0.into_iter().map(|(_, op, symbol)| (op, symbol)).collect(),
            counts: self.counters.count(&numbers),
        });
    }
}

/// The text of an operation.
fn text_of(op: OpRef<'_>, options: &PrintOptions) -> String {
    let mut text = Vec::new();
    print_op(op, options, &mut text).expect("memory can be written to");
    String::from_utf8_lossy(&text).into_owned()
}
