//! Loading of plugins.
//!
//! What a plugin was built for is read from the file, as data. Only when that fits is the library loaded, so that no code of a library
//! that does not fit ever runs.

use std::path::{Path, PathBuf};

use dl_plugin::{Label, Registering, Registry, fingerprint};
use libloading::Library;
use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};

use crate::extensions::similar_files;

/// Loads the plugin `name`, a file or a name to look for in `DL_PLUGIN_PATH`, once.
///
/// # Errors
/// What is wrong with it; nothing has been added then.
pub fn load(tool: &str, name: &str, registry: &mut Registry) -> Result<(), String> {
    let file = find(name)?;
    let label = read_label(&file)?;
    if let Err(mismatch) = label.check(&Label::of_tool(tool)) {
        let Label { name, version, .. } = &label;
        let file = file.display();
        return Err(format!("the plugin '{name}' {version} in '{file}' was not built for this {tool}:\n{mismatch}"));
    }
    let plugin = format!("{} {}", label.name, label.version);
    if registry.plugins().iter().any(|known| known.plugin == plugin) {
        return Ok(());
    }
    enter(&file, &label, plugin, registry)
}

/// Loads the library and has it add what it brings.
#[expect(unsafe_code, reason = "runs code of a library that was chosen while the tool runs")]
fn enter(file: &Path, label: &Label, plugin: String, registry: &mut Registry) -> Result<(), String> {
    let shown = file.display();
    // SAFETY: Initializers of the library run. It is a plugin, built from the sources of this tool by the same compiler, and what else it does
    // then is up to whoever asked for it.
    let library =
        unsafe { Library::new(file) }.map_err(|error| format!("cannot load the plugin '{shown}': {error}"))?;
    // Types, passes and patterns of the plugin are all over the process from here on: it stays.
    let library: &'static Library = Box::leak(Box::new(library));
    let missing = |error| format!("cannot load the plugin '{shown}': {error}");
    // SAFETY: `declare_plugin!`, which wrote the label, gives both functions these types.
    let (own_fingerprint, register) = unsafe {
        let fingerprint = library.get::<extern "C" fn() -> u64>(b"dl_plugin_fingerprint").map_err(missing)?;
        (fingerprint, library.get::<extern "C" fn(&mut Registering<'_>)>(b"dl_plugin_register").map_err(missing)?)
    };
    if own_fingerprint() != fingerprint() {
        return Err(format!(
            "the plugin '{}' in '{shown}' was built with other versions of the libraries that dl uses; copy 'Cargo.lock' of the \
             checkout of dl beside its 'Cargo.toml' and build it again",
            label.name
        ));
    }
    let mut registering = Registering { registry, label: plugin, panic: None };
    register(&mut registering);
    match registering.panic {
        None => Ok(()),
        Some(why) => Err(format!("the plugin '{}' in '{shown}' panicked when it was loaded: {why}", label.name)),
    }
}

/// The file that `name` means.
fn find(name: &str) -> Result<PathBuf, String> {
    let file = Path::new(name);
    if file.is_file() {
        return Ok(file.to_owned());
    }
    if file.is_dir() {
        return Err(format!("cannot open the plugin '{name}': it is a folder"));
    }
    if name.contains(['/', '\\']) {
        return Err(format!("cannot open the plugin '{name}': there is no such file{}", similar_files(file)));
    }
    let path = std::env::var_os("DL_PLUGIN_PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).filter(|folder| !folder.as_os_str().is_empty()).collect();
    let library = libloading::library_filename(name.replace('-', "_"));
    let candidates = folders.iter().flat_map(|folder| [folder.join(name), folder.join(&library)]);
    candidates.into_iter().find(|file| file.is_file()).ok_or_else(|| {
        let hint = similar_files(file);
        if folders.is_empty() {
            return format!(
                "cannot open the plugin '{name}': there is no such file{hint}, and DL_PLUGIN_PATH is not set"
            );
        }
        let library = library.to_string_lossy();
        format!("cannot open the plugin '{name}': there is no such file{hint}, and no '{library}' in DL_PLUGIN_PATH")
    })
}

/// The label in a library, by the symbol that names it.
fn read_label(file: &Path) -> Result<Label, String> {
    let shown = file.display();
    let bytes = std::fs::read(file)
        .map_err(|error| format!("cannot open the plugin '{shown}': {}", crate::files::reason(&error)))?;
    let damaged =
        |error: object::Error| format!("'{shown}' is no plugin: it is no shared library, or a part of one ({error})");
    let library = object::File::parse(&*bytes).map_err(damaged)?;
    // What the loader of the system would map must be there: it does not look itself.
    for segment in library.segments() {
        segment.data().map_err(damaged)?;
    }
    let not_a_plugin = || format!("'{shown}' is no plugin: it has no line 'dl_plugin::declare_plugin!(...)'");
    let mut symbols = library.dynamic_symbols().chain(library.symbols());
    let is_label = |name: &str| name.trim_start_matches('_') == "DL_PLUGIN_LABEL";
    let symbol = symbols.find(|symbol| symbol.is_definition() && symbol.name().is_ok_and(is_label));
    let address = symbol.ok_or_else(not_a_plugin)?.address();
    let data = library.segments().find_map(|segment| segment.data_range(address, Label::SIZE as u64).ok().flatten());
    Label::read(data.ok_or_else(not_a_plugin)?).ok_or_else(|| {
        format!("the plugin '{shown}' was built for a version of dl that this tool does not know; build it again")
    })
}
