//! `transform-preload-library`: named sequences from files, for schedules that come later.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dl_ir::bytecode::load_source;
use dl_ir::interfaces::function::ARG_ATTRS;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::symbol::{VISIBILITY, renamed_symbols, unique_name};
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, Ident, Loc, OpRef, Rewriter, clone_arena, verify};

use crate::script;

dl_ir::pass_options! {
    /// Options of [`PreloadLibrary`].
    pub struct PreloadLibraryOptions {
        /// Files with named sequences, and folders with such files
        paths "transform-library-paths": Vec<String> = Vec::new(),
    }
}

/// Loads named sequences. The schedules that a context runs later find them by their names.
#[derive(Clone, Default)]
pub struct PreloadLibrary {
    /// The options.
    pub options: PreloadLibraryOptions,
}

impl Pass for PreloadLibrary {
    const INFO: PassInfo =
        PassInfo::new("transform-preload-library", "Load named sequences for schedules").title("PreloadLibraryPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn initialize(&mut self, cx: &Context) -> PassResult {
        let files = files(&self.options.paths).map_err(|why| Diagnostic::error(Loc::UNKNOWN, why))?;
        cx.shared::<Library>().add(cx, &files)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        cx.preserve_all();
        Ok(())
    }
}

/// The files that `paths` name: files as they are, and of folders the `.mlir` files in them, by name.
fn files(paths: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in paths {
        let path = Path::new(path);
        if path.is_file() {
            files.push(path.to_path_buf());
        } else if path.is_dir() {
            let entries = path.read_dir().and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let entries = entries.map_err(|why| format!("error while opening files in '{}': {why}", path.display()))?;
            let found = entries.into_iter().map(|entry| entry.path());
            let start = files.len();
            files.extend(found.filter(|path| path.is_file() && path.extension().is_some_and(|ext| ext == "mlir")));
            files[start..].sort();
        } else {
            return Err(format!("'{}' is neither a file nor a directory", path.display()));
        }
    }
    Ok(files)
}

/// The named sequences that have been loaded into a context.
#[derive(Default)]
pub(crate) struct Library {
    loaded: Mutex<Loaded>,
}

#[derive(Default)]
struct Loaded {
    files: Vec<PathBuf>,
    module: Option<Arc<Arena>>,
}

impl Library {
    /// A module with all of them.
    pub(crate) fn get(&self) -> Option<Arc<Arena>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).module.clone()
    }

    /// Loads files, those that have not been loaded yet.
    fn add(&self, cx: &Context, files: &[PathBuf]) -> PassResult {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        for file in files {
            if loaded.files.contains(file) {
                continue;
            }
            let name = file.display().to_string();
            let text = std::fs::read(file).map_err(|why| {
                Diagnostic::error(Loc::UNKNOWN, format!("failed to open transform file: cannot read {name}: {why}"))
            })?;
            let module = load_source(cx, &cx.add_source(&name, text))?.module;
            verify::verify(cx, &module)?;
            let mut all = match &loaded.module {
                Some(module) => clone_arena(cx, module),
                None => script::empty(cx),
            };
            merge(cx, &mut all, &script::extract(OpRef::root(cx, &module)))?;
            loaded.module = Some(Arc::new(all));
            loaded.files.push(file.clone());
        }
        Ok(())
    }
}

/// Whether a symbol is known in its module alone.
fn is_private(op: OpRef<'_>) -> bool {
    op.attr(VISIBILITY).is_some_and(|attr| attr.as_str() == Some("private"))
}

/// Copies the symbols of `other` into `target`. A declaration and a definition of one name become one; a private symbol gets another name where
/// that is taken.
///
/// # Errors
/// Where two public definitions have one name, or a declaration does not fit the definition.
pub(crate) fn merge(cx: &Context, target: &mut Arena, other: &Arena) -> Result<(), Diagnostics> {
    let mut other = clone_arena(cx, other);
    rename_private(cx, target, &other);
    rename_private(cx, &mut other, target);
    let ids: Vec<_> = OpRef::root(cx, &other).region(0).ops().map(OpRef::id).collect();
    for id in ids {
        let op = OpRef::new(cx, &other, id);
        let name = op.symbol_name().unwrap_or_default();
        let root = OpRef::root(cx, target);
        let known = root.region(0).ops().find(|known| known.symbol_name() == Some(name));
        if let Some(known) = known {
            let (from, to) = match (script::is_external(op), script::is_external(known)) {
                (true, _) => (op, known),
                (false, true) => (known, op),
                (false, false) => {
                    let error = Diagnostic::error(known.loc(), format!("doubly defined symbol @{name}"));
                    return Err(error.note(op.loc(), "previously defined here").into());
                }
            };
            check_declaration(from, to)?;
            let (keeps, known) = (to == known, known.id());
            if keeps {
                continue;
            }
            Rewriter::new(cx, target).erase(known);
        }
        let Some(body) = Rewriter::new(cx, &mut other).take_child(id) else { continue };
        let region = OpRef::root(cx, target).region(0).id();
        let block = target.entry_block(region).expect("a module has a block");
        let mut rw = Rewriter::new(cx, target);
        rw.set_insertion_to_end(block);
        rw.insert_child(body, &[], &[]);
    }
    Ok(())
}

/// Whether the declaration `from` fits the definition `to`.
fn check_declaration(from: OpRef<'_>, to: OpRef<'_>) -> Result<(), Diagnostics> {
    let ty = |op: OpRef<'_>| op.attr("function_type").map(|ty| ty.id());
    if ty(from) != ty(to) {
        let given = to.attr("function_type").map(|ty| ty.to_string()).unwrap_or_default();
        let message = format!("external definition has a mismatching signature ({given})");
        return Err(Diagnostic::error(from.loc(), message).into());
    }
    let has = |op: OpRef<'_>, at: usize, name: &str| {
        let attrs = op.attr(ARG_ATTRS).and_then(|all| all.elements().nth(at));
        attrs.is_some_and(|attrs| attrs.entries().iter().any(|&(key, _)| op.cx().str(key) == name))
    };
    let arguments = from.attr("function_type").and_then(|ty| ty.as_type()).map_or(0, |ty| ty.inputs().len());
    for at in 0..arguments {
        let differs = |name| has(to, at, name) && !has(from, at, name);
        if differs("transform.consumed") || differs("transform.readonly") {
            let message = format!("external definition has mismatching consumption annotations for argument #{at}");
            return Err(Diagnostic::error(from.loc(), message).into());
        }
    }
    Ok(())
}

/// Gives private symbols of `module` that `other` has too names of their own.
fn rename_private(cx: &Context, module: &mut Arena, other: &Arena) {
    let names = |ir: &Arena| -> Vec<String> {
        let ops = OpRef::root(cx, ir).region(0).ops();
        ops.filter_map(|op| op.symbol_name().map(str::to_owned)).collect()
    };
    let taken = names(other);
    let ops: Vec<_> = OpRef::root(cx, module).region(0).ops().map(OpRef::id).collect();
    for id in ops {
        let op = OpRef::new(cx, module, id);
        let Some(name) = op.symbol_name().map(str::to_owned) else { continue };
        if !is_private(op) || script::is_external(op) || !taken.contains(&name) {
            continue;
        }
        let own = names(module);
        let new = unique_name(&name, |name| own.iter().chain(&taken).any(|known| known == name));
        let (old, new_ident) = (cx.ident(&name), cx.ident(&new));
        dl_ir::walk::for_each_arena(cx, module, &mut |cx, ir| rename_uses(cx, ir, old, new_ident));
        Rewriter::new(cx, module).set_attr(id, cx.ident("sym_name"), cx.string_attr(&new));
    }
}

/// Makes references to `old` in one arena references to `new`.
fn rename_uses(cx: &Context, ir: &mut Arena, old: Ident, new: Ident) {
    for op in dl_ir::walk::ops_in_arena(ir, Arena::ROOT) {
        let view = OpRef::new(cx, ir, op);
        if view.is_stub() {
            continue;
        }
        let changed = view
            .attrs()
            .filter_map(|(name, attr)| Some((name, renamed_symbols(attr, &|symbol| (symbol == old).then_some(new))?)));
        for (name, attr) in changed.collect::<Vec<_>>() {
            Rewriter::new(cx, ir).set_attr(op, name, attr);
        }
    }
}
