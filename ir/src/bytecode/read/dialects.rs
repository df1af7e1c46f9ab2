//! The dialect section: which dialects the file uses, and which of their operations.

use super::cursor::{Cursor, Fault, Read};
use super::strings::Strings;
use crate::bytecode::encoding::{Section, version};
use crate::context::Context;
use crate::entity::OpName;
use crate::opdef::Trait;

/// A dialect of the file.
pub(super) struct FileDialect<'b> {
    pub(super) name: &'b str,
    /// What its own version is, in its own encoding.
    version: Option<Cursor<'b>>,
}

/// An operation name of the file.
pub(super) struct FileOp {
    pub(super) name: OpName,
    /// Whether it was registered where the file was written, which decides how its properties are encoded. Not known before
    /// version 5.
    pub(super) was_registered: bool,
    /// Whether it owns an arena here.
    pub(super) is_isolated: bool,
}

/// Reads the section.
pub(super) fn read<'b>(
    cx: &Context,
    version: u32,
    strings: &Strings<'b>,
    mut section: Cursor<'b>,
) -> Read<(Vec<FileDialect<'b>>, Vec<FileOp>)> {
    let count = section.varint()?;
    let mut dialects = Vec::with_capacity(section.capacity(count));
    for _ in 0..count {
        dialects.push(read_dialect(version, strings, &mut section)?);
    }
    let mut ops = Vec::new();
    if version >= version::ELIDED_ARGUMENT_LOCATIONS {
        let count = section.varint()?;
        ops.reserve(section.capacity(count));
    }
    while !section.is_empty() {
        let (dialect, count) = read_group(&dialects, &mut section)?;
        for _ in 0..count {
            let (name, was_registered) =
                if version >= version::PROPERTIES { section.varint_with_flag()? } else { (section.varint()?, true) };
            let name = strings.name(&section, name)?;
            ops.push(resolve(cx, &dialects[dialect], name, was_registered, &section)?);
        }
    }
    Ok((dialects, ops))
}

fn read_dialect<'b>(version: u32, strings: &Strings<'b>, section: &mut Cursor<'b>) -> Read<FileDialect<'b>> {
    let (name, is_versioned) =
        if version >= version::DIALECT_VERSIONS { section.varint_with_flag()? } else { (section.varint()?, false) };
    let name = strings.name(section, name)?;
    let mut version = None;
    if is_versioned {
        let (kind, content) = section.section()?;
        if kind != Section::DialectVersions {
            return Err(section.fault("expected dialect version section"));
        }
        version = Some(content);
    }
    Ok(FileDialect { name, version })
}

/// The head of a group of entries of one dialect: the number of the dialect, and how many there are.
pub(super) fn read_group(dialects: &[FileDialect<'_>], section: &mut Cursor<'_>) -> Read<(usize, u64)> {
    let index = section.varint()?;
    let Some(index) = usize::try_from(index).ok().filter(|&index| index < dialects.len()) else {
        return Err(section.fault(format!("invalid dialect index: {index}")));
    };
    Ok((index, section.varint()?))
}

impl FileDialect<'_> {
    /// That its operations, types and attributes may be made. No dialect here has versions; of one that is not registered, nothing is
    /// looked into that could depend on its version.
    pub(super) fn check_known(&self, cx: &Context) -> Result<(), Fault> {
        let is_registered = cx.dialect(self.name).is_some();
        if !is_registered && !cx.allows_unregistered() {
            return Err(Fault::new(format!(
                "dialect '{}' is unknown. If this is intended, please call allowUnregisteredDialects() on the \
                 MLIRContext, or use -allow-unregistered-dialect with the MLIR tool used",
                self.name
            )));
        }
        match &self.version {
            Some(version) if is_registered && !version.is_empty() => Err(version.fault(format!(
                "unsupported: the file states a version of dialect '{}', which has none here",
                self.name
            ))),
            _ => Ok(()),
        }
    }
}

fn resolve(
    cx: &Context,
    dialect: &FileDialect<'_>,
    name: &str,
    was_registered: bool,
    section: &Cursor<'_>,
) -> Read<FileOp> {
    dialect.check_known(cx)?;
    // A name without a dialect is its own dialect.
    let full = if name.is_empty() { dialect.name.to_owned() } else { format!("{}.{name}", dialect.name) };
    if full.is_empty() || full.contains('\0') {
        return Err(section.fault("an operation name is empty or has a null character in it"));
    }
    let op = cx.op_name(&full);
    let info = cx.op_info(op);
    if !info.is_registered()
        && !cx.allows_unregistered()
        && let Some(dialect) = cx.dialect(dialect.name)
        && !dialect.allows_unknown_ops
    {
        let message = format!("unregistered operation '{full}' found in dialect ('{}')", dialect.namespace);
        return Err(section.fault(message));
    }
    Ok(FileOp { name: op, was_registered, is_isolated: info.has_trait(&Trait::IsolatedFromAbove) })
}
