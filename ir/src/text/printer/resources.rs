//! The metadata at the end of a file: the data of the `dense_resource` attributes in it, and what tools keep there.

use super::AsmPrinter;
use crate::text::parser::{ExternalResource, ResourceValue};

impl AsmPrinter<'_> {
    /// `{-# dialect_resources: {...}, external_resources: {...} #-}`: what attributes refer to and the context has, and
    /// `external`. Nothing where there is neither.
    pub(super) fn file_metadata(&mut self, external: &[ExternalResource]) {
        let cx = self.cx;
        let keys = std::mem::take(&mut self.resources);
        let blobs = keys.into_iter().filter_map(|key| Some((key, cx.resource(key)?)));
        let blobs: Vec<_> = blobs.filter(|(_, blob)| self.shows_blob(blob.data.len())).collect();
        let shown = |value: &ResourceValue| match value {
            ResourceValue::Blob(_, data) => self.shows_blob(data.len()),
            ResourceValue::Text(text) => self.shows_text(text.len() + 2),
            ResourceValue::Bool(_) => true,
        };
        let external: Vec<_> = external
            .iter()
            .map(|group| (&group.owner, group.entries.iter().filter(|(_, value)| shown(value)).collect::<Vec<_>>()))
            .filter(|(_, entries)| !entries.is_empty())
            .collect();
        if blobs.is_empty() && external.is_empty() {
            return;
        }
        self.text("\n{-#\n");
        if !blobs.is_empty() {
            self.text("  dialect_resources: {\n    builtin: {\n");
            self.separated(blobs, ",\n", |p, (key, blob)| {
                p.resource_key(cx.str(key));
                p.blob(blob.alignment, &blob.data);
            });
            self.text(if external.is_empty() { "\n    }\n  }\n" } else { "\n    }\n  },\n" });
        }
        if !external.is_empty() {
            self.text("  external_resources: {\n");
            self.separated(external, ",\n", |p, (owner, entries)| {
                p.text("    ");
                p.keyword_or_string(owner);
                p.text(": {\n");
                p.separated(entries, ",\n", |p, (key, value)| {
                    p.resource_key(key);
                    p.resource_value(value);
                });
                p.text("\n    }");
            });
            self.text("\n  }\n");
        }
        self.text("#-}\n");
    }

    /// Whether a blob of so many bytes is shown: its text has two digits for each byte of it and its alignment, `0x` and quotes.
    fn shows_blob(&self, bytes: usize) -> bool {
        self.shows_text((bytes + 4) * 2 + 4)
    }

    fn shows_text(&self, len: usize) -> bool {
        self.options.elide_resources_larger_than.is_none_or(|limit| len as u64 <= limit)
    }

    fn resource_key(&mut self, key: &str) {
        self.text("      ");
        self.keyword_or_string(key);
        self.text(": ");
    }

    fn resource_value(&mut self, value: &ResourceValue) {
        match value {
            ResourceValue::Bool(value) => self.text(if *value { "true" } else { "false" }),
            ResourceValue::Text(text) => self.string(text.as_bytes()),
            ResourceValue::Blob(alignment, data) => self.blob(*alignment, data),
        }
    }

    fn blob(&mut self, alignment: u32, data: &[u8]) {
        self.text("\"0x");
        self.out.push_hex(&alignment.to_le_bytes());
        self.out.push_hex(data);
        self.char('"');
    }
}
