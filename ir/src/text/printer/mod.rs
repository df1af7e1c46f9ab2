//! The printer: types, attributes, locations and operations as text.
//!
//! [`AsmPrinter`] is what dialect hooks are handed. Text collects in a buffer, which is handed on to the output between operations.
//! Before operations are printed, the same code runs once to find out which aliases the text needs: see `aliases`.
//!
//! # Invariants
//! * Equal IR and options give equal bytes, whatever the order in which things were interned.
//! * Recursion that the depth of the IR decides goes through [`guarded`].

mod aliases;
mod attrs;
mod buffer;
mod carriers;
mod dense;
mod formats;
mod locations;
mod names;
mod numbering;
mod ops;
mod options;
mod parallel;
mod plans;
mod resources;
mod types;
mod users;

pub use options::{NameOfElided, PrintOptions};

use std::io;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

pub(super) use self::aliases::Key;
use self::aliases::{Aliases, Collector};
use self::buffer::Buffer;
pub(super) use self::buffer::Piece;
pub(super) use self::carriers::for_each_part;
use self::names::Names;
use self::plans::Plans;
use self::types::TypeTexts;
use super::parser::{ExternalResource, guarded};
use super::strings;
use crate::attributes::Attr;
use crate::context::Context;
use crate::entity::Ident;
use crate::location::Loc;
use crate::types::Type;
use crate::verify;
use crate::view::OpRef;

/// Writes the text form. Dialect hooks get one positioned after what the core has written for them.
pub struct AsmPrinter<'a> {
    cx: &'a Context,
    options: PrintOptions,
    /// Text that has not been handed on yet.
    out: Buffer,
    sink: Option<&'a mut dyn io::Write>,
    /// The first error of the sink: what comes after it is dropped.
    error: Option<io::Error>,
    aliases: Arc<Aliases>,
    /// There while the aliases are being collected: nothing is printed then.
    collector: Option<Box<Collector>>,
    type_texts: TypeTexts,
    /// Numbers of distinct attributes, in the order of printing.
    distinct_ids: Arc<FxHashMap<Attr, u64>>,
    /// Resources that the printed attributes refer to, in the order of printing.
    resources: IndexSet<Ident, FxBuildHasher>,
    plans: Plans<'a>,
    names: Names,
    /// Levels of indentation.
    depth: usize,
    /// Whether isolated operations may be printed by several threads.
    parallel: bool,
    /// Whether this prints a part of a text, for another printer, and whether it found that it cannot.
    is_part: bool,
    gave_up: bool,
    /// The dialect that names of operations may leave out.
    implied_dialect: Option<Ident>,
}

/// Text.
impl<'a> AsmPrinter<'a> {
    fn new(cx: &'a Context, options: PrintOptions) -> Self {
        Self {
            cx,
            plans: Plans::new(cx, &options),
            options,
            out: Buffer::default(),
            sink: None,
            error: None,
            aliases: Arc::default(),
            collector: None,
            type_texts: TypeTexts::default(),
            distinct_ids: Arc::default(),
            resources: IndexSet::default(),
            names: Names::default(),
            depth: 0,
            parallel: false,
            is_part: false,
            gave_up: false,
            implied_dialect: None,
        }
    }

    /// The context that types and attributes belong to.
    pub fn cx(&self) -> &'a Context {
        self.cx
    }

    /// The options that the text is printed with.
    pub fn options(&self) -> &PrintOptions {
        &self.options
    }

    /// `text` as it is.
    #[inline]
    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A short text as it is.
    #[inline]
    pub(crate) fn piece(&mut self, piece: &Piece) {
        self.out.push(piece);
    }

    /// `#name`, then what `print` writes. Where that does not stand in angle brackets: `#dialect<mnemonic ...>`.
    fn dialect_symbol(&mut self, sigil: char, name: &str, print: impl FnOnce(&mut Self)) {
        let start = self.out.len();
        self.char(sigil);
        self.text(name);
        let end = self.out.len();
        print(self);
        let rest = &self.out.bytes()[end..];
        if let Some((dialect, mnemonic)) = name.split_once('.')
            && !(rest.is_empty() || rest.starts_with(b"<") && rest.ends_with(b">"))
        {
            let text = format!("{dialect}<{mnemonic}{}>", self.out.since(end));
            self.out.truncate(start + sigil.len_utf8());
            self.text(&text);
        }
    }

    /// One character.
    #[inline]
    pub fn char(&mut self, c: char) {
        self.out.push_char(c);
    }

    /// A number in decimal.
    #[inline]
    pub fn int(&mut self, value: i64) {
        self.out.push_int(value);
    }

    /// `bytes` between quotes, escaped.
    pub fn string(&mut self, bytes: &[u8]) {
        self.out.push_with(|out| strings::escape(bytes, out));
    }

    /// `text` as a word if it is one, else between quotes.
    pub fn keyword_or_string(&mut self, text: &str) {
        if strings::is_bare_word(text) { self.text(text) } else { self.string(text.as_bytes()) }
    }

    /// `@name`, quoted where needed.
    pub fn symbol_name(&mut self, name: &str) {
        self.char('@');
        self.keyword_or_string(name);
    }

    /// Calls `print` for each item, with `separator` between them.
    pub fn separated<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        separator: &str,
        mut print: impl FnMut(&mut Self, T),
    ) {
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            print(self, item);
        }
    }

    /// Calls `print` for each item, with commas between them.
    pub fn comma_separated<T>(&mut self, items: impl IntoIterator<Item = T>, print: impl FnMut(&mut Self, T)) {
        self.separated(items, ", ", print);
    }

    /// Hands the text so far on to the output.
    fn flush(&mut self) {
        if self.collector.is_some() {
            self.out.clear();
            return;
        }
        if self.is_part {
            self.gave_up |= self.out.len() > parallel::MAX_PART_BYTES;
        } else if self.sink.is_some() {
            let mut out = std::mem::take(&mut self.out);
            self.write(out.bytes());
            out.clear();
            self.out = out;
        }
    }

    /// Writes to the output.
    fn write(&mut self, text: &[u8]) {
        if self.error.is_none()
            && let Some(sink) = &mut self.sink
            && let Err(error) = sink.write_all(text)
        {
            self.error = Some(error);
        }
    }
}

/// Prints `op` and everything in it to `out`, with a line end, and the definitions of the aliases and resources that the text
/// needs. In local scope there are none of those, as upstream. What does not verify is printed in generic form: the pretty one has no place for
/// what should not be there.
///
/// # Errors
/// Those of `out`.
pub fn print_op(op: OpRef<'_>, options: &PrintOptions, out: &mut dyn io::Write) -> io::Result<()> {
    print_file(op, &[], options, out)
}

/// The same, with external resources of the file it came from.
///
/// # Errors
/// Those of `out`.
pub fn print_file(
    op: OpRef<'_>,
    external: &[ExternalResource],
    options: &PrintOptions,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut options = options.clone();
    if !options.generic && !options.assume_verified {
        options.generic = verify::verify(op.cx(), op.body().arena()).is_err();
    }
    let names_all_at_once = options.names_all_at_once();
    let mut printer = AsmPrinter::new(op.cx(), options);
    printer.sink = Some(out);
    printer.parallel = op.cx().threading();
    printer.implied_dialect = Some(op.cx().ident("builtin"));
    printer.collect_aliases(op);
    printer.names = Names::new(op, names_all_at_once, &mut printer.plans);
    printer.alias_definitions(false);
    printer.operation(op);
    printer.newline();
    if !printer.options.local_scope {
        printer.alias_definitions(true);
        printer.file_metadata(external);
    }
    printer.flush();
    printer.error.map_or(Ok(()), Err)
}

/// The names that `values`, all of the arena that `root` is the root of, have where `root` is printed. Costs O(size of `root`).
pub fn value_names(root: OpRef<'_>, values: impl IntoIterator<Item = crate::ValueId>) -> Vec<String> {
    let mut printer = AsmPrinter::new(root.cx(), PrintOptions::default());
    printer.names = Names::new(root, false, &mut printer.plans);
    let name = |value| {
        let mut text = String::new();
        printer.names.write(root.arena(), value, true, |part| text.push_str(part));
        text
    };
    values.into_iter().map(name).collect()
}

/// Prints `op` as it stands where it is: values defined around it have the names that they have there. Costs O(size of the isolated
/// operation around it), for the names.
///
/// # Errors
/// Those of `out`.
pub fn print_op_in_place(op: OpRef<'_>, options: &PrintOptions, out: &mut dyn io::Write) -> io::Result<()> {
    let scope = if op.is_stub() { op } else { OpRef::root(op.cx(), op.arena()) };
    let mut printer = AsmPrinter::new(op.cx(), PrintOptions { local_scope: true, ..options.clone() });
    printer.sink = Some(out);
    printer.implied_dialect = Some(op.cx().ident("builtin"));
    printer.names = Names::new(scope, options.names_all_at_once(), &mut printer.plans);
    printer.operation(op);
    printer.flush();
    printer.error.map_or(Ok(()), Err)
}

/// The text of each of these operations as it stands where it is, in the arena that `root` is the root of, like [`print_op_in_place`]. Costs
/// O(size of `root`) once.
pub fn op_texts(root: OpRef<'_>, ops: &[crate::OpId], options: &PrintOptions) -> Vec<String> {
    let mut printer = AsmPrinter::new(root.cx(), PrintOptions { local_scope: true, ..options.clone() });
    printer.implied_dialect = Some(root.cx().ident("builtin"));
    printer.names = Names::new(root, options.names_all_at_once(), &mut printer.plans);
    let text = |&op| {
        printer.operation(OpRef::new(root.cx(), root.arena(), op));
        std::mem::take(&mut printer.out).into_string()
    };
    ops.iter().map(text).collect()
}

/// The text of a type.
pub fn type_text(cx: &Context, ty: Type) -> String {
    if let Some(text) = types::simple_text(cx, ty) {
        return text;
    }
    text_of(cx, |p| p.ty(ty))
}

/// The text of an attribute.
pub fn attr_text(cx: &Context, attr: Attr) -> String {
    text_of(cx, |p| p.attr(attr))
}

/// The text of an attribute, and the keys of the resources that are named in it.
pub(crate) fn attr_text_with_resources(cx: &Context, attr: Attr) -> (String, Vec<Ident>) {
    let mut printer = AsmPrinter::new(cx, PrintOptions::default());
    printer.attr(attr);
    (printer.out.into_string(), printer.resources.into_iter().collect())
}

/// The text of a location, `loc(...)`.
pub fn loc_text(cx: &Context, loc: Loc) -> String {
    text_of(cx, |p| p.location(loc))
}

/// What `print` prints.
pub(crate) fn text_of(cx: &Context, print: impl FnOnce(&mut AsmPrinter<'_>)) -> String {
    let mut printer = AsmPrinter::new(cx, PrintOptions::default());
    print(&mut printer);
    printer.out.into_string()
}
