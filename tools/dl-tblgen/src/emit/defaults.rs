//! Default values of attributes as attribute text.

use super::Emitter;
use crate::cpp;
use crate::model::{Attr, ConstraintKind, Enum, EnumRef, Form, Format};

impl Emitter<'_> {
    /// The attribute that the C++ `value` means as default of `attr`.
    pub(super) fn default_text(&self, op: &str, attr: &Attr, value: &str) -> String {
        let value = cpp::normalize(value);
        let place = format!("{op}.{}", attr.name);
        if let Some(text) = self.tables.defaults.get(&place) {
            return text;
        }
        self.known_default(attr, &value).unwrap_or_else(|| {
            self.problem(format!("no entry in [defaults] for `{place}`, which is `{value}`"));
            String::new()
        })
    }

    fn known_default(&self, attr: &Attr, value: &str) -> Option<String> {
        let ConstraintKind::Attr(form) = &attr.constraint.kind else { return None };
        let case = |of: &Enum| {
            let symbol = cpp::last_name(value);
            let found = of.cases.iter().find(|case| case.symbol == symbol);
            found.or_else(|| of.cases.iter().find(|case| value == "{}" && case.value == 0)).cloned()
        };
        match form {
            Form::Enum(of) | Form::NamedEnum(of, _) => {
                let of = self.enumeration(of)?;
                Some(format!("{} : i{}", case(of)?.value, of.width))
            }
            Form::Dialect(name) => {
                let of = self.dialect.enums.iter().find(|e| e.attr.as_ref() == Some(name))?;
                let keyword = case(of)?.keyword;
                let in_brackets = match self.dialect.attrs.iter().find(|def| def.name == *name).map(|def| &def.format) {
                    Some(Format::Declarative(format)) => format.trim_start().starts_with("`<`"),
                    // An attribute of another dialect: nearly all are written so, and the round trip of the text tells.
                    _ => true,
                };
                Some(match name.split_once('.') {
                    Some((dialect, mnemonic)) if !in_brackets => format!("#{dialect}<{mnemonic} {keyword}>"),
                    _ => format!("#{name}<{keyword}>"),
                })
            }
            Form::DenseArray(element) if value == "{}" => Some(format!("array<{element}>")),
            Form::Any if value == "{}" && attr.constraint.summary.contains("array attribute") => Some("[]".to_owned()),
            Form::Typed(call) if value.parse::<i64>().is_ok() => {
                Some(format!("{value} : {}", self.tables.types.get(&cpp::normalize(call))?))
            }
            _ if value == "true" || value == "false" => Some(value.to_owned()),
            _ => None,
        }
    }

    fn enumeration(&self, of: &EnumRef) -> Option<&Enum> {
        self.dialect.enums.iter().find(|e| e.name == *of)
    }
}
