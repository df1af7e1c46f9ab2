//! The metadata at the end of a file: the data of the `dense_resource` attributes in it.

use super::AsmPrinter;
use crate::text::strings;

impl AsmPrinter<'_> {
    /// `{-# dialect_resources: {...} #-}`, where an attribute refers to data that the context has.
    pub(super) fn file_metadata(&mut self) {
        let cx = self.cx;
        let limit = self.options.elide_resources_larger_than.unwrap_or(u64::MAX);
        let keys = std::mem::take(&mut self.resources);
        let blobs = keys.into_iter().filter_map(|key| Some((key, cx.resource(key)?)));
        // The text of a blob: quotes, `0x`, and two digits for each byte of alignment and data.
        let shown: Vec<_> =
            blobs.filter(|(_, blob)| (blob.data.len() as u64 + 4) * 2 + 4 <= limit).collect();
        if shown.is_empty() {
            return;
        }
        self.text("\n{-#\n  dialect_resources: {\n    builtin: {\n");
        self.separated(shown, ",\n", |p, (key, blob)| {
            p.text("      ");
            p.keyword_or_string(cx.str(key));
            p.text(": \"0x");
            for byte in blob.alignment.to_le_bytes().iter().chain(&*blob.data) {
                strings::push_hex(*byte, &mut p.out);
            }
            p.char('"');
        });
        self.text("\n    }\n  }\n#-}\n");
    }
}
