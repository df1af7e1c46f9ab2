//! MLIR text in the `llvm` dialect to an LLVM module, through upstream's own parser, verifier and translation.

#![expect(unsafe_code, reason = "calls MLIR's C interface where melior has no wrapper")]

use std::{cell::RefCell, rc::Rc};

use melior::{
    Context,
    diagnostic::DiagnosticSeverity,
    dialect::{DialectHandle, DialectRegistry},
    ir::{
        Location, Module,
        operation::{OperationLike, WalkOrder, WalkResult},
    },
};
use mlir_sys::{
    MlirContext, MlirStringRef, mlirGetDialectHandle__dlti__, mlirModuleCreateParse, mlirTranslateModuleToLLVMIR,
};

use crate::{
    error::{Diagnostic, Error, Position, Result, Severity},
    module::LlvmModule,
    nesting::{self, MAX_NESTING},
};

/// What bytecode begins with.
const BYTECODE: [u8; 4] = *b"ML\xefR";
/// What MLIR calls a source text that was given no name.
const UNNAMED: &str = "-";
/// Diagnostics reported for one module at most.
const MAX_DIAGNOSTICS: usize = 20;

unsafe extern "C" {
    /// In `translation.cpp`.
    fn dl_mlir_register_translations(context: MlirContext);
}

impl LlvmModule {
    /// Translates MLIR, text or bytecode, that is lowered to the `llvm` dialect, as `mlir-translate --mlir-to-llvmir` does. Bytecode is read in a quarter of the
    /// time; how deeply it nests is for the caller to bound, by [`MAX_NESTING`].
    ///
    /// `source_name` stands for the text in diagnostics. Attributes of unknown dialects are ignored, being discardable; operations of
    /// unknown dialects are an error. Warnings go to the log (`tracing`).
    ///
    /// # Errors
    /// [`Error::Mlir`] with everything that MLIR had to say, in its order.
    pub fn from_mlir(source: impl Into<Vec<u8>>, source_name: &str) -> Result<Self> {
        let _span = tracing::info_span!("mlir-to-llvmir").entered();
        let context = Context::new_with_registry(&DialectRegistry::new(), false);
        DialectHandle::llvm().register_dialect(&context);
        // SAFETY: the handle is a constant of MLIR's. It is what gives a module its data layout.
        unsafe { DialectHandle::from_raw(mlirGetDialectHandle__dlti__()) }.register_dialect(&context);
        // SAFETY: the context is live.
        unsafe { dl_mlir_register_translations(context.to_raw()) };
        // Operations of other dialects in the generic form then parse, and all of them can be named instead of the first.
        context.set_allow_unregistered_dialects(true);

        let diagnostics = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&diagnostics);
        let source_name_for_sink = source_name.to_owned();
        let handler = context.attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push(convert(&diagnostic, &source_name_for_sink));
            true
        });
        let translated = translate(&context, source.into(), source_name);
        context.detach_diagnostic_handler(handler);

        let mut reported = diagnostics.take();
        let failure = match translated {
            Ok(module) => {
                for warning in reported {
                    tracing::warn!("{warning}");
                }
                return Ok(module);
            }
            Err(failure) => failure,
        };
        reported.truncate(MAX_DIAGNOSTICS);
        reported.extend(failure);
        if reported.is_empty() {
            reported.push(Diagnostic {
                severity: Severity::Error,
                position: None,
                message: format!("{source_name}: LLVM rejects the translated module"),
                notes: Vec::new(),
            });
        }
        Err(Error::Mlir(reported))
    }
}

/// Parses, checks and translates. Errors that are not in the returned list went to the context's diagnostic handler.
fn translate(
    context: &Context,
    source: Vec<u8>,
    source_name: &str,
) -> std::result::Result<LlvmModule, Vec<Diagnostic>> {
    let module = parse(context, source, source_name)?;
    let unsupported = unsupported_operations(context, &module, source_name);
    if !unsupported.is_empty() {
        return Err(unsupported);
    }
    LlvmModule::create(|llvm| {
        // SAFETY: both contexts and the module are live. The two crates declare the same C types separately, hence the casts.
        unsafe { mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), llvm.cast()).cast() }
    })
    .ok_or_else(Vec::new)
}

/// Reads, and lets go of the source, which is as large as what comes of it.
fn parse<'c>(
    context: &'c Context,
    source: Vec<u8>,
    source_name: &str,
) -> std::result::Result<Module<'c>, Vec<Diagnostic>> {
    let is_text = !source.starts_with(&BYTECODE);
    let source = if is_text { checked_text(source, source_name)? } else { source };
    // The zero after a text is no part of it.
    let length = source.len() - usize::from(is_text);
    let source_ref = MlirStringRef { data: source.as_ptr().cast(), length };
    // SAFETY: the context is live, and the source outlives the call, which is all that the parser asks.
    let module = unsafe { Module::from_option_raw(mlirModuleCreateParse(context.to_raw(), source_ref)) };
    module.ok_or_else(Vec::new)
}

/// The text with a zero after it, at which MLIR looks, if it has none in it and is not nested too deep.
fn checked_text(mut text: Vec<u8>, source_name: &str) -> std::result::Result<Vec<u8>, Vec<Diagnostic>> {
    let refused = |offset: usize, message: String| {
        let position = Some(position_of(&text, offset, source_name));
        Err(vec![Diagnostic { severity: Severity::Error, position, message, notes: Vec::new() }])
    };
    if let Some(offset) = nesting::too_deep(&text) {
        return refused(offset, format!("nested deeper than {MAX_NESTING} levels"));
    }
    if let Some(offset) = text.iter().position(|&byte| byte == 0) {
        return refused(offset, "unexpected zero byte".to_owned());
    }
    text.push(0);
    Ok(text)
}

/// A diagnostic for each operation that cannot become LLVM IR, up to [`MAX_DIAGNOSTICS`].
fn unsupported_operations(context: &Context, module: &Module<'_>, source_name: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        let name = operation.name();
        let name = name.as_string_ref().as_str().unwrap_or_default().to_owned();
        if !context.is_registered_operation(&name) || name == "builtin.unrealized_conversion_cast" {
            found.push(Diagnostic {
                severity: Severity::Error,
                position: position(operation.location(), source_name),
                message: unsupported(&name),
                notes: Vec::new(),
            });
        }
        if found.len() < MAX_DIAGNOSTICS { WalkResult::Advance } else { WalkResult::Interrupt }
    });
    found
}

/// The message about an operation that has no translation.
fn unsupported(operation: &str) -> String {
    format!("unsupported: '{operation}' op has no translation to LLVM IR; lower it to the llvm dialect first")
}

/// One of MLIR's diagnostics as ours.
pub(crate) fn convert(diagnostic: &melior::diagnostic::Diagnostic<'_>, source_name: &str) -> Diagnostic {
    let severity = match diagnostic.severity() {
        DiagnosticSeverity::Error => Severity::Error,
        DiagnosticSeverity::Warning => Severity::Warning,
        DiagnosticSeverity::Remark => Severity::Remark,
        DiagnosticSeverity::Note => Severity::Note,
    };
    let mut message = diagnostic.to_string().trim_end().to_owned();
    let mut notes = Vec::new();
    if let Some(operation) = unknown_dialect_operation(&message) {
        message = unsupported(operation);
    } else {
        for index in 0..diagnostic.note_count() {
            let Ok(note) = diagnostic.note(index) else { break };
            let note = convert(&note, source_name);
            // The source text, all of its constants included, is not worth repeating.
            if !note.message.starts_with("see current operation") {
                notes.push(note);
            }
        }
    }
    Diagnostic { severity, position: position(diagnostic.location(), source_name), message, notes }
}

/// The operation that the parser knows no dialect for, if that is what this message says.
fn unknown_dialect_operation(message: &str) -> Option<&str> {
    let rest = message.strip_prefix("Dialect `")?;
    let (_, operation) = rest.split_once("' not found for custom op '")?;
    operation.strip_suffix('\'')
}

/// The first source position within a location. Depth is bounded by what the parser accepts.
fn position(mut location: Location<'_>, source_name: &str) -> Option<Position> {
    loop {
        if location.is_file_line_col_range() {
            let file = location.file_line_col_range_filename();
            let file = file.as_string_ref().as_str().unwrap_or_default().to_owned();
            return Some(Position {
                file: if file == UNNAMED { source_name.to_owned() } else { file },
                line: location.file_line_col_range_start_line(),
                column: location.file_line_col_range_start_column(),
            });
        }
        location = if location.is_name() {
            location.name_child_location()
        } else if location.is_call_site() {
            location.call_site_callee()
        } else if location.is_fused() && location.fused_num_locations() > 0 {
            location.fused_location(0)
        } else {
            return None;
        }
    }
}

/// The line and column of the character at a byte offset.
fn position_of(text: &[u8], offset: usize, source_name: &str) -> Position {
    let lines = text[..offset].split(|&byte| byte == b'\n');
    let column = lines.clone().next_back().map_or(0, <[u8]>::len) + 1;
    Position { file: source_name.to_owned(), line: lines.count(), column }
}
