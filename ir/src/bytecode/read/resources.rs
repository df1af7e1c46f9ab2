//! Resources: the data of `dense_resource` attributes, and what tools keep in a file.

use super::cursor::{Cursor, Fault, Read};
use super::dialects::{FileDialect, read_group};
use super::strings::Strings;
use crate::bytecode::encoding::resource_kind;
use crate::context::{Context, Resource};
use crate::entity::Ident;
use crate::text::{ExternalResource, ResourceValue};

/// The resources that attributes refer to by number.
#[derive(Default)]
pub(super) struct Resources {
    keys: Vec<Ident>,
}

impl Resources {
    /// The key of the resource that is referred to at `cursor`.
    pub(super) fn at(&self, cursor: &mut Cursor<'_>) -> Read<Ident> {
        let index = cursor.varint()?;
        let key = usize::try_from(index).ok().and_then(|index| self.keys.get(index));
        key.copied().ok_or_else(|| cursor.fault(format!("invalid resource handle index: {index}")))
    }
}

/// Reads the two sections, which come together or not at all. Data of the `builtin` dialect goes into the context; what belongs to
/// tools is handed back.
pub(super) fn read<'b>(
    cx: &Context,
    strings: &Strings<'b>,
    dialects: &[FileDialect<'b>],
    data: Option<Cursor<'b>>,
    offsets: Option<Cursor<'b>>,
) -> Read<(Resources, Vec<ExternalResource>)> {
    let (mut data, mut offsets) = match (data, offsets) {
        (None, None) => return Ok((Resources::default(), Vec::new())),
        (Some(data), Some(offsets)) => (data, offsets),
        (None, Some(_)) => {
            return Err(Fault::new("unexpected resource offset section when resource section is not present"));
        }
        (Some(_), None) => {
            return Err(Fault::new("expected resource offset section when resource section is present"));
        }
    };
    let mut external = Vec::new();
    for _ in 0..offsets.varint()? {
        let owner = offsets.varint()?;
        let owner = strings.name(&offsets, owner)?.to_owned();
        let mut entries = Vec::new();
        read_group_entries(strings, &mut offsets, &mut data, |key, kind, content| {
            entries.push((key.to_owned(), external_value(strings, kind, content)?));
            Ok(())
        })?;
        external.push(ExternalResource { owner, entries });
    }
    let mut keys = Vec::new();
    while !offsets.is_empty() {
        let mut ahead = offsets;
        let (dialect, _) = read_group(dialects, &mut ahead)?;
        offsets.varint()?;
        let name = dialects[dialect].name;
        dialects[dialect].check_known(cx)?;
        if name != "builtin" {
            let message = match cx.dialect(name) {
                None => format!("dialect '{name}' is unknown"),
                Some(_) => format!("unexpected resources for dialect '{name}'"),
            };
            return Err(offsets.fault(message));
        }
        read_group_entries(strings, &mut offsets, &mut data, |key, kind, content| {
            let key = cx.ident(key);
            keys.push(key);
            // Without data it is a mere declaration.
            if content.is_empty() {
                return Ok(());
            }
            if kind != resource_kind::BLOB {
                let message = format!("expected a blob resource entry, but found a {} entry instead", word(kind));
                return Err(content.fault(message));
            }
            let (alignment, data) = blob(content)?;
            cx.set_resource(key, Resource { alignment, data: data.into() });
            Ok(())
        })?;
    }
    Ok((Resources { keys }, external))
}

/// The entries of a group: key, size of the data, kind.
fn read_group_entries<'b>(
    strings: &Strings<'b>,
    offsets: &mut Cursor<'b>,
    data: &mut Cursor<'b>,
    mut each: impl FnMut(&'b str, u8, &mut Cursor<'b>) -> Read<()>,
) -> Read<()> {
    for _ in 0..offsets.varint()? {
        let key = offsets.varint()?;
        let key = strings.name(offsets, key)?;
        let size = offsets.varint()?;
        let kind = offsets.byte()?;
        let mut content = data.sub(size)?;
        each(key, kind, &mut content)?;
        content.expect_end(|| format!("unexpected trailing bytes in resource entry '{key}'"))?;
    }
    Ok(())
}

fn external_value(strings: &Strings<'_>, kind: u8, content: &mut Cursor<'_>) -> Read<ResourceValue> {
    Ok(match kind {
        resource_kind::BLOB => {
            let (alignment, data) = blob(content)?;
            ResourceValue::Blob(alignment, data.into())
        }
        resource_kind::BOOL => ResourceValue::Bool(content.byte()? != 0),
        resource_kind::STRING => {
            let text = strings.at(content)?;
            ResourceValue::Text(String::from_utf8_lossy(text).into_owned())
        }
        _ => return Err(content.fault(format!("unknown resource kind: {kind}"))),
    })
}

fn word(kind: u8) -> &'static str {
    match kind {
        resource_kind::BLOB => "blob",
        resource_kind::BOOL => "bool",
        resource_kind::STRING => "string",
        _ => "unknown",
    }
}

/// Alignment, size, padding, data.
fn blob<'b>(content: &mut Cursor<'b>) -> Read<(u32, &'b [u8])> {
    let alignment = content.varint()?;
    let size = content.varint()?;
    // An alignment of 0 asks for nothing.
    content.align(alignment.max(1))?;
    let Ok(alignment) = u32::try_from(alignment) else {
        return Err(content.fault(format!("unsupported: a resource with an alignment of {alignment} bytes")));
    };
    Ok((alignment, content.take(size)?))
}
