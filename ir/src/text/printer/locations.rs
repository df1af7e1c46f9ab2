//! Locations.

use super::aliases::Key;
use super::{AsmPrinter, guarded};
use crate::location::{Loc, LocData};

impl AsmPrinter<'_> {
    /// `loc(...)`, with the alias of the location if it has one.
    pub fn location(&mut self, loc: Loc) {
        if self.collector.is_some() {
            return self.visit(Key::Loc(loc));
        }
        if self.options.pretty_debug_info {
            return self.location_inside(loc);
        }
        self.text("loc(");
        if !self.alias(Key::Loc(loc)) {
            self.location_inside(loc);
        }
        self.char(')');
    }

    /// ` loc(...)` behind an operation, where locations are printed.
    pub(super) fn trailing_location(&mut self, loc: Loc) {
        // The collector has visited it before the operation.
        if self.options.debug_info && self.collector.is_none() {
            self.char(' ');
            self.location(loc);
        }
    }

    /// ` loc(...)` behind an argument, where locations are printed: never an alias itself.
    pub fn argument_location(&mut self, loc: Loc) {
        if !self.options.debug_info {
            return;
        }
        if self.collector.is_some() {
            return self.visit(Key::Loc(loc));
        }
        self.char(' ');
        self.location_body(loc);
    }

    /// `loc(...)`, never as an alias.
    pub(super) fn location_body(&mut self, loc: Loc) {
        if self.options.pretty_debug_info {
            return self.location_inside(loc);
        }
        self.text("loc(");
        self.location_inside(loc);
        self.char(')');
    }

    /// A location inside another: its alias if it has one.
    fn nested_location(&mut self, loc: Loc) {
        let key = Key::Loc(loc);
        if self.collector.is_some() {
            return self.visit(key);
        }
        if !self.alias(key) {
            guarded(|| self.location_inside(loc));
        }
    }

    /// What stands between the parentheses of `loc(...)`; for humans, the whole location.
    pub(super) fn location_inside(&mut self, loc: Loc) {
        let cx = self.cx;
        let pretty = self.options.pretty_debug_info;
        match cx.loc_data(loc) {
            None => match cx.file_position(loc) {
                Some(at) => self.file_position(at.file.as_bytes(), (at.line, at.column), (at.line, at.column)),
                None => self.text(if pretty { "[unknown]" } else { "unknown" }),
            },
            Some(LocData::FileRange { file, start, end }) => {
                self.file_position(cx.str(*file).as_bytes(), *start, *end);
            }
            Some(LocData::Name { name, child }) => {
                self.string(cx.str(*name).as_bytes());
                if !child.is_unknown() {
                    self.char('(');
                    self.nested_location(*child);
                    self.char(')');
                }
            }
            Some(LocData::CallSite { callee, caller }) => {
                self.text(if pretty { "" } else { "callsite(" });
                self.nested_location(*callee);
                let is_name = matches!(cx.loc_data(*callee), Some(LocData::Name { .. }));
                let is_file = match cx.loc_data(*caller) {
                    None => !caller.is_unknown(),
                    data => matches!(data, Some(LocData::FileRange { .. })),
                };
                self.text(if pretty && !(is_name && is_file) { "\n at " } else { " at " });
                self.nested_location(*caller);
                self.text(if pretty { "" } else { ")" });
            }
            Some(LocData::Fused { locs, metadata }) => {
                self.text(if pretty { "" } else { "fused" });
                if let Some(metadata) = metadata {
                    self.char('<');
                    self.attr(*metadata);
                    self.char('>');
                }
                self.char('[');
                self.comma_separated(locs, |p, &loc| p.nested_location(loc));
                self.char(']');
            }
        }
    }

    fn file_position(&mut self, file: &[u8], start: (u32, u32), end: (u32, u32)) {
        if self.options.pretty_debug_info {
            self.text(&String::from_utf8_lossy(file));
        } else {
            self.string(file);
        }
        self.position(":", start);
        if start != end {
            self.text(" to ");
            if start.0 == end.0 {
                self.char(':');
                self.int(i64::from(end.1));
            } else {
                self.position("", end);
            }
        }
    }

    fn position(&mut self, before: &str, (line, column): (u32, u32)) {
        self.text(before);
        self.int(i64::from(line));
        self.char(':');
        self.int(i64::from(column));
    }
}
