//! Default values of attributes as attribute text.

use super::Emitter;
use crate::cpp;
use crate::model::{Attr, ConstraintKind, Enum, EnumCase, EnumRef, Form, Format};

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
        let kind = &attr.constraint.kind;
        let (ConstraintKind::Attr(form) | ConstraintKind::Number(form) | ConstraintKind::Flag(form)) = kind else {
            return None;
        };
        match form {
            Form::Enum(of) | Form::NamedEnum(of, _) => {
                let of = self.enumeration(of)?;
                Some(format!("{} : i{}", case(of, value)?.value, of.width))
            }
            Form::Dialect(name) => self.enum_attr_text(name, value),
            Form::Class(class) => self.enum_attr_text(self.attr_of_class(class)?, value),
            Form::DenseArray(element) if value == "{}" => Some(format!("array<{element}>")),
            Form::Array if value == "{}" => Some("[]".to_owned()),
            Form::Typed(call) if value.parse::<i64>().is_ok() => {
                Some(format!("{value} : {}", self.tables.types.get(&cpp::normalize(call))?))
            }
            Form::Any if value.starts_with('{') && attr.constraint.summary.contains("elements attribute") => {
                let numbers = value.trim_matches(['{', '}', ' ']).split(", ");
                let numbers: Option<Vec<i64>> =
                    numbers.map(|n| n.strip_prefix("static_cast<int64_t>(")?.strip_suffix(')')?.parse().ok()).collect();
                let numbers = numbers?;
                let first = numbers.first().filter(|first| numbers.iter().all(|n| n == *first))?;
                Some(format!("dense<{first}> : tensor<{}xi64>", numbers.len()))
            }
            _ if value == "true" || value == "false" => Some(value.to_owned()),
            _ => None,
        }
    }

    /// The attribute `name`, which holds the case of an enumeration that the C++ `value` means.
    fn enum_attr_text(&self, name: &str, value: &str) -> Option<String> {
        let def = self.dialect.attrs.iter().find(|def| def.name == name);
        let only_param = def.and_then(|def| if let [param] = &def.params[..] { Some(&param.cpp_type) } else { None });
        let holds = |e: &&Enum| only_param.is_some_and(|param| cpp::last_name(param) == e.name.class);
        let enums = &self.dialect.enums;
        let of = enums.iter().find(|e| e.attr.as_deref() == Some(name)).or_else(|| enums.iter().find(holds))?;
        let keyword = &case(of, value)?.keyword;
        let in_brackets = match def.map(|def| &def.format) {
            Some(Format::Declarative(format)) => format.trim_start().starts_with("`<`"),
            // An attribute of another dialect: nearly all are written so, and the round trip of the text tells.
            _ => true,
        };
        Some(match name.split_once('.') {
            Some((dialect, mnemonic)) if !in_brackets => {
                format!("#{dialect}<{mnemonic} {keyword}>")
            }
            _ => format!("#{name}<{keyword}>"),
        })
    }

    fn enumeration(&self, of: &EnumRef) -> Option<&Enum> {
        self.dialect.enums.iter().find(|e| e.name == *of)
    }
}

/// The case that the C++ `value` names; `{}` is zero.
fn case<'e>(of: &'e Enum, value: &str) -> Option<&'e EnumCase> {
    let symbol = cpp::last_name(value);
    let found = of.cases.iter().find(|case| case.symbol == symbol);
    found.or_else(|| of.cases.iter().find(|case| value == "{}" && case.value == 0))
}
