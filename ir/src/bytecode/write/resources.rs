//! Resources: the data of `dense_resource` attributes, and what tools keep in a file.

use super::emitter::Emitter;
use super::numbering::Numbering;
use super::strings::Strings;
use crate::bytecode::encoding::resource_kind;
use crate::text::{ExternalResource, ResourceValue};

/// The two sections: where the resources are, and the resources. With `elide`, only their names.
pub(super) fn sections(
    numbers: &Numbering<'_>,
    external: &[ExternalResource],
    strings: &mut Strings,
    elide: bool,
) -> (Emitter, Emitter) {
    let mut writer = Writer { data: Emitter::default(), group: Vec::new(), elide };
    let mut offsets = Emitter::default();
    offsets.varint(external.len() as u64);
    for each in external {
        for (key, value) in &each.entries {
            let kind = match value {
                ResourceValue::Bool(_) => resource_kind::BOOL,
                ResourceValue::Text(_) => resource_kind::STRING,
                ResourceValue::Blob(..) => resource_kind::BLOB,
            };
            writer.entry(key, kind, |data| match value {
                ResourceValue::Bool(value) => data.byte(u8::from(*value)),
                ResourceValue::Text(text) => data.varint(strings.number(text.as_bytes())),
                ResourceValue::Blob(alignment, bytes) => blob(data, *alignment, bytes),
            });
        }
        let owner = strings.number(each.owner.as_bytes());
        writer.finish_group(owner, strings, &mut offsets);
    }
    let cx = numbers.cx;
    for &key in &numbers.resources {
        let resource = cx.resource(key);
        writer.entry(cx.str(key), resource_kind::BLOB, |data| {
            if let Some(resource) = &resource {
                blob(data, resource.alignment, &resource.data);
            }
        });
    }
    if !numbers.resources.is_empty() {
        let builtin = numbers.dialects.get_index_of(&cx.ident("builtin")).unwrap_or(0);
        writer.finish_group(builtin as u64, strings, &mut offsets);
    }
    (offsets, writer.data)
}

struct Writer<'k> {
    data: Emitter,
    /// Key, size and kind of the entries of the current group.
    group: Vec<(&'k str, u64, u8)>,
    elide: bool,
}

impl<'k> Writer<'k> {
    fn entry(&mut self, key: &'k str, kind: u8, write: impl FnOnce(&mut Emitter)) {
        let start = self.data.bytes.len();
        if !self.elide {
            write(&mut self.data);
        }
        self.group.push((key, (self.data.bytes.len() - start) as u64, kind));
    }

    /// The head of the group: whose it is, how many entries, and each of them.
    fn finish_group(&mut self, owner: u64, strings: &mut Strings, offsets: &mut Emitter) {
        offsets.varint(owner);
        offsets.varint(self.group.len() as u64);
        for (key, size, kind) in self.group.drain(..) {
            offsets.varint(strings.number(key.as_bytes()));
            offsets.varint(size);
            offsets.byte(kind);
        }
    }
}

/// Alignment, size, padding, data. One that is no power of two is rounded up to one, which is as good.
fn blob(data: &mut Emitter, alignment: u32, bytes: &[u8]) {
    let alignment = u64::from(alignment.max(1)).next_power_of_two();
    data.varint(alignment);
    data.varint(bytes.len() as u64);
    data.align(alignment);
    data.bytes.extend_from_slice(bytes);
}
