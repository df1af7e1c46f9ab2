//! The metadata at the end of a file: `{-# dialect_resources: {...}, external_resources: {...} #-}`.
//!
//! Resources of the `builtin` dialect are the data of `dense_resource` attributes and go into the context. External ones
//! are for tools and are handed out with the module.

use super::{OpParser, Parsed, TokenKind};
use crate::context::Resource;
use crate::location::Loc;
use crate::text::strings;

/// A group of external resources: what one tool keeps in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalResource {
    /// Whose they are: `mlir_reproducer`.
    pub owner: String,
    /// Key and value of each, in order.
    pub entries: Vec<(String, ResourceValue)>,
}

/// The value of an external resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResourceValue {
    /// `true` or `false`.
    Bool(bool),
    /// A string that is not a blob.
    Text(String),
    /// `"0x..."`: alignment, then bytes.
    Blob(u32, Vec<u8>),
}

impl OpParser<'_> {
    /// `{-# ... #-}`.
    ///
    /// # Errors
    /// An unknown key, or what is wrong with an entry.
    pub(crate) fn parse_file_metadata(&mut self) -> Parsed<()> {
        self.advance();
        if self.consume_if(TokenKind::FileMetadataEnd) {
            return Ok(());
        }
        loop {
            let loc = self.loc();
            let Some(key) = self.parse_optional_any_keyword() else {
                return Err(self.syntax_error("expected identifier key in file metadata dictionary"));
            };
            self.parse_colon()?;
            match key {
                "dialect_resources" => {
                    self.parse_groups(|p, name, loc| p.parse_dialect_resources(&name, loc))?;
                }
                "external_resources" => {
                    self.parse_groups(|p, name, _| p.parse_external_resources(name))?;
                }
                _ => {
                    return Err(self.syntax_error_at(loc, format!("unknown key '{key}' in file metadata dictionary")));
                }
            }
            if !self.parse_optional_comma() {
                return self.expect(TokenKind::FileMetadataEnd, "expected '#-}' to close file metadata");
            }
        }
    }

    /// `{name: {...}, name: {...}}`.
    fn parse_groups(&mut self, mut group: impl FnMut(&mut Self, String, Loc) -> Parsed<()>) -> Parsed<()> {
        self.parse_comma_separated(super::Delimiter::Braces, |p| {
            let loc = p.loc();
            let name = p.parse_entry_key()?;
            p.parse_colon()?;
            group(p, name, loc)
        })
    }

    fn parse_entry_key(&mut self) -> Parsed<String> {
        let key = self.parse_resource_key()?;
        Ok(self.cx().str(key).to_owned())
    }

    fn parse_dialect_resources(&mut self, dialect: &str, loc: Loc) -> Parsed<()> {
        let cx = self.cx();
        if cx.dialect(dialect).is_none() {
            return Err(self.syntax_error_at(loc, format!("dialect '{dialect}' is unknown")));
        }
        if dialect != "builtin" {
            return Err(self.syntax_error_at(loc, format!("unexpected 'resource' section for dialect '{dialect}'")));
        }
        self.parse_comma_separated(super::Delimiter::Braces, |p| {
            let key = p.parse_resource_key()?;
            p.parse_colon()?;
            let loc = p.loc();
            let fault = || format!("expected hex string blob for key '{}'", cx.str(key));
            let Some(bytes) = p.parse_optional_string_bytes().and_then(|text| strings::parse_hex(&text)) else {
                return Err(p.syntax_error_at(loc, fault()));
            };
            let Some((alignment, data)) = blob(bytes) else {
                return Err(p.syntax_error_at(loc, fault() + " to encode alignment in first 4 bytes"));
            };
            p.check_alignment(alignment, cx.str(key), loc)?;
            cx.set_resource(key, Resource { alignment, data: data.into() });
            Ok(())
        })
    }

    fn parse_external_resources(&mut self, owner: String) -> Parsed<()> {
        let mut entries = Vec::new();
        self.parse_comma_separated(super::Delimiter::Braces, |p| {
            let key = p.parse_entry_key()?;
            p.parse_colon()?;
            let loc = p.loc();
            let value = match p.parse_optional_string()? {
                Some(text) => match strings::parse_hex(text.as_bytes()).and_then(blob) {
                    Some((alignment, bytes)) => {
                        p.check_alignment(alignment, &key, loc)?;
                        ResourceValue::Blob(alignment, bytes)
                    }
                    None => ResourceValue::Text(text),
                },
                None => match p.parse_optional_keyword_of(&["true", "false"]) {
                    Some(word) => ResourceValue::Bool(word == "true"),
                    None => {
                        return Err(p.expected("expected 'true', 'false' or a string as the value of a resource"));
                    }
                },
            };
            entries.push((key, value));
            Ok(())
        })?;
        self.external_resources.push(ExternalResource { owner, entries });
        Ok(())
    }

    /// Checks the alignment of the blob at `loc`: 0 says nothing of it.
    fn check_alignment(&mut self, alignment: u32, key: &str, loc: Loc) -> Parsed<()> {
        self.require(alignment == 0 || alignment.is_power_of_two(), loc, || {
            format!(
                "expected hex string blob for key '{key}' to encode alignment in first 4 bytes, but got non-power-of-2 value: \
                 {alignment}"
            )
        })
    }
}

/// Alignment and data of a blob: four bytes of alignment, little endian, come first.
fn blob(mut bytes: Vec<u8>) -> Option<(u32, Vec<u8>)> {
    let alignment = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?);
    bytes.drain(..4);
    Some((alignment, bytes))
}
