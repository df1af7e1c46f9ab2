//! `ensure-debug-info-scope-on-llvm-func`: functions that debuggers can find.

use std::path::Path;

use dl_ir::attributes::AttrData;
use dl_ir::location::LocData;
use dl_ir::pass::{OptionValue, Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::text::parse_attribute;
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Attr, Context, Diagnostic, Loc, OpRef, Rewriter};
use dl_llvm::LLVMFuncOp;

/// How much debug information LLVM is to write.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum EmissionKind {
    /// Nothing.
    None,
    /// All there is.
    Full,
    /// Lines of instructions.
    #[default]
    LineTablesOnly,
    /// Lines of instructions as directives in assembly.
    DebugDirectivesOnly,
}

impl EmissionKind {
    const ALL: [(Self, &'static str); 4] = [
        (Self::None, "None"),
        (Self::Full, "Full"),
        (Self::LineTablesOnly, "LineTablesOnly"),
        (Self::DebugDirectivesOnly, "DebugDirectivesOnly"),
    ];

    /// As it is written in the attribute.
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

impl OptionValue for EmissionKind {
    const KIND: &'static str = "value";
    const CHOICES: &'static [(&'static str, &'static str)] = &[
        ("None", "None"),
        ("Full", "Full"),
        ("LineTablesOnly", "LineTablesOnly (default)"),
        ("DebugDirectivesOnly", "DebugDirectivesOnly"),
    ];

    fn parse(text: Option<&str>) -> Result<Self, String> {
        let text = text.ok_or_else(|| "requires a value".to_owned())?;
        let found = Self::ALL.iter().find(|(_, name)| *name == text).map(|(kind, _)| *kind);
        found.ok_or_else(|| format!("Cannot find option named '{text}'!"))
    }

    fn print(&self) -> Option<String> {
        Some(self.name().to_owned())
    }
}

dl_ir::pass_options! {
    /// Options of [`EnsureDebugInfoScope`].
    pub struct DebugInfoScopeOptions {
        /// Emission kind to generate debug info
        emission_kind "emission-kind": EmissionKind = EmissionKind::default(),
    }
}

/// Gives each `llvm.func` that has none a subprogram: the file and line that it comes from, and for definitions a compile unit, which is that of the
/// module if it has one. Operations that come from another file than their function get a scope that says so.
#[derive(Clone, Default)]
pub struct EnsureDebugInfoScope {
    /// The options.
    pub options: DebugInfoScopeOptions,
}

impl Pass for EnsureDebugInfoScope {
    const INFO: PassInfo = PassInfo::new(
        "ensure-debug-info-scope-on-llvm-func",
        "Materialize LLVM debug info subprogram attribute on every LLVMFuncOp",
    )
    .title("DIScopeForLLVMFuncOpPass")
    .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let templates = Templates::new(cx.ctx, self.options.emission_kind)?;
        let loc = cx.root().loc();
        let mut unit = metadata(cx.ctx, loc, COMPILE_UNIT);
        let mut add = |cx: &Context, ir: &mut Arena| {
            if OpRef::root(cx, ir).is::<LLVMFuncOp<'_>>() {
                add_scopes(cx, ir, &templates, &mut || *unit.get_or_insert_with(|| templates.compile_unit(cx, loc)));
            }
        };
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut add);
        cx.preserve::<dl_ir::dominance::Dominance>();
        Ok(())
    }
}

const COMPILE_UNIT: &str = "llvm.di_compile_unit";
const SUBPROGRAM: &str = "llvm.di_subprogram";

/// Attributes with all that is always the same, parsed once.
struct Templates {
    compile_unit: Attr,
    definition: Attr,
    declaration: Attr,
    block_in_file: Attr,
}

impl Templates {
    fn new(cx: &Context, kind: EmissionKind) -> Result<Self, Diagnostic> {
        let file = "<\"\" in \"\">";
        let subprogram = |flags: &str| {
            let ty = "<callingConvention = DW_CC_normal>";
            let text = format!("#{SUBPROGRAM}<line = 1, scopeLine = 1, subprogramFlags = {flags}, type = {ty}>");
            parse_attribute(cx, &text)
        };
        let compile_unit = format!(
            "#{COMPILE_UNIT}<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = {file}, producer = \"MLIR\", \
             isOptimized = true, emissionKind = {}>",
            kind.name()
        );
        let block = format!("#llvm.di_lexical_block_file<scope = #llvm.di_file{file}, discriminator = 0>");
        Ok(Self {
            compile_unit: parse_attribute(cx, &compile_unit)?,
            definition: subprogram("\"Definition|Optimized\"")?,
            declaration: subprogram("Optimized")?,
            block_in_file: parse_attribute(cx, &block)?,
        })
    }

    /// A new compile unit for what comes from `loc`.
    fn compile_unit(&self, cx: &Context, loc: Loc) -> Attr {
        let file = file_attr(cx, place(cx, loc).as_ref());
        with_params(cx, self.compile_unit, &[(0, distinct(cx)), (2, file)])
    }

    /// A subprogram for a function of this name from `loc`.
    fn subprogram(&self, cx: &Context, name: &str, loc: Loc, unit: Option<Attr>) -> Attr {
        let at = place(cx, loc);
        let (file, name) = (file_attr(cx, at.as_ref()), cx.string_attr(name));
        let template = if unit.is_some() { self.definition } else { self.declaration };
        let line = at.map_or(1, |(_, line)| i64::from(line));
        let line = cx.attr(cx.attr(template).params()[8]).ty().map_or(file, |ty| cx.int_attr(ty.id(), line));
        let mut params = vec![(4, file), (5, name), (6, name), (7, file), (8, line), (9, line)];
        params.extend(unit.into_iter().flat_map(|unit| [(2, distinct(cx)), (3, unit)]));
        with_params(cx, template, &params)
    }
}

/// `attr` with other parameters at some places.
fn with_params(cx: &Context, attr: Attr, changes: &[(usize, Attr)]) -> Attr {
    let view = cx.attr(attr);
    let mut params = view.params().to_vec();
    for &(at, value) in changes {
        params[at] = value;
    }
    let AttrData::Dialect { name, .. } = view.data() else { return attr };
    cx.dialect_attr(cx.str(*name), &params)
}

/// An attribute that is equal to itself only.
fn distinct(cx: &Context) -> Attr {
    cx.intern_attr(AttrData::Distinct { id: cx.fresh_distinct(), referenced: cx.unit_attr() })
}

/// Gives the function at the root of `ir` a subprogram, and what is in it scopes.
fn add_scopes(cx: &Context, ir: &mut Arena, templates: &Templates, unit: &mut dyn FnMut() -> Attr) {
    let function = OpRef::root(cx, ir);
    let (loc, name) = (function.loc(), function.symbol_name().unwrap_or(""));
    let is_definition = function.regions().any(|region| !region.is_empty());
    let subprogram = metadata(cx, loc, SUBPROGRAM);
    let scope = subprogram.unwrap_or_else(|| templates.subprogram(cx, name, loc, is_definition.then(unit)));
    let own_file = place(cx, loc).map(|(file, _)| file);
    if subprogram.is_none() {
        let fused = cx.intern_loc(LocData::Fused { locs: [loc].into(), metadata: Some(scope) });
        Rewriter::new(cx, ir).set_loc(Arena::ROOT, fused);
    }
    // `None` for what comes from nowhere, or from the file of the function.
    let scoped = |loc: Loc| {
        let at = place(cx, loc).filter(|(file, _)| Some(file) != own_file.as_ref())?;
        let block = with_params(cx, templates.block_in_file, &[(0, scope), (1, file_attr(cx, Some(&at)))]);
        Some(cx.intern_loc(LocData::Fused { locs: [loc].into(), metadata: Some(block) }))
    };
    for op in ops_in_arena(ir, Arena::ROOT).into_iter().skip(1) {
        let loc = OpRef::new(cx, ir, op).loc();
        let new = match cx.loc_data(loc) {
            Some(&LocData::CallSite { callee, caller }) => {
                scoped(callee).map(|callee| cx.intern_loc(LocData::CallSite { callee, caller }))
            }
            _ => scoped(loc),
        };
        if let Some(new) = new {
            Rewriter::new(cx, ir).set_loc(op, new);
        }
    }
}

/// The metadata of this kind in `loc`.
fn metadata(cx: &Context, loc: Loc, name: &str) -> Option<Attr> {
    cx.fused_metadata(loc).into_iter().find(|&attr| cx.attr(attr).is_dialect_attr(name))
}

/// The first file and line in `loc`; of a call, where the caller is.
fn place(cx: &Context, loc: Loc) -> Option<(String, u32)> {
    let mut pending = vec![loc];
    while let Some(loc) = pending.pop() {
        match cx.loc_data(loc) {
            Some(LocData::Name { child, .. }) => pending.push(*child),
            Some(LocData::CallSite { caller, .. }) => pending.push(*caller),
            Some(LocData::Fused { locs, .. }) => pending.extend(locs.iter().rev()),
            Some(LocData::FileRange { file, start, .. }) => return Some((cx.str(*file).to_owned(), start.0)),
            None => {
                if let Some(at) = cx.file_position(loc) {
                    return Some((at.file, at.line));
                }
            }
        }
    }
    None
}

/// A file with its folder.
fn file_attr(cx: &Context, at: Option<&(String, u32)>) -> Attr {
    let path = at.map(|(file, _)| Path::new(file));
    let name = path.and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or("<unknown>");
    let folder = path.and_then(Path::parent).and_then(Path::to_str).unwrap_or("");
    cx.dialect_attr("llvm.di_file", &[cx.string_attr(name), cx.string_attr(folder)])
}
