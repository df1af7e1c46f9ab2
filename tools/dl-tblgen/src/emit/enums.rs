//! Enumerations as `enum_attr!` items.

use super::Emitter;
use super::layout::quoted;
use crate::model::{ConstraintKind, Enum, Form};
use crate::names;

impl Emitter<'_> {
    /// The file of the enumerations that belong to the dialect or that only it uses.
    pub(super) fn enum_definitions(&self) -> Option<String> {
        let used = self.enums.borrow().clone();
        let mine = |e: &&Enum| match self.owner(&e.name.namespace) {
            Some(owner) => owner == self.dialect.name,
            None => used.contains(&e.name.class),
        };
        let enums: Vec<&Enum> = self.dialect.enums.iter().filter(mine).collect();
        if enums.is_empty() {
            return None;
        }
        let items: Vec<String> = enums.iter().map(|e| self.enum_item(e)).collect();
        let mut text = format!("//! Enumerations and bit sets.\n\ndl_ir::enum_attr! {{\n{}}}\n", items.join("\n"));
        let names: Vec<String> = enums.iter().map(|e| format!("&{}", names::constant_case(&e.name.class))).collect();
        text += &format!(
            "\n/// The enumerations of the dialect.\npub static ENUMS: &[&dl_ir::opdef::EnumDef] = &[{}];\n",
            names.join(", ")
        );
        Some(text)
    }

    /// Whether an operation has the enumeration itself as property, rather than an attribute that holds it.
    fn is_stored_as_integer(&self, e: &Enum) -> bool {
        let mut forms = self.dialect.ops.iter().flat_map(|op| &op.attrs).map(|attr| &attr.constraint.kind);
        forms.any(|kind| match kind {
            ConstraintKind::Attr(form) | ConstraintKind::Number(form) => {
                matches!(form, Form::Enum(of) | Form::NamedEnum(of, _) if *of == e.name)
            }
            ConstraintKind::Type { .. } | ConstraintKind::Flag(_) => false,
        })
    }

    fn enum_item(&self, e: &Enum) -> String {
        self.enter(e.position.as_ref());
        let summary = self.summary(&self.summaries.enums, "enums", &e.name.class);
        let constant = names::constant_case(&e.name.class);
        let storage = match &e.attr {
            Some(name) if !self.is_stored_as_integer(e) => format!("Dialect({})", quoted(name)),
            _ => format!("Integer({})", e.width),
        };
        let head = match &e.separator {
            Some(separator) => {
                format!("bits {}: {constant}, {storage}, {}", names::camel_case(&e.name.class), quoted(separator))
            }
            None => format!("enum {}: {constant}, {storage}", names::camel_case(&e.name.class)),
        };
        let mut text = format!("    /// {summary}\n    {head} {{\n");
        for case in &e.cases {
            let symbol = case.symbol.trim_matches('_');
            let name = if e.separator.is_some() { names::constant_case(symbol) } else { names::variant(symbol) };
            text += &format!("        {name} = {} {},\n", number(case.value, e.width), quoted(&case.keyword));
        }
        text + "    }\n"
    }
}

/// The bits of `value` as a literal that is easy to read.
fn number(value: i64, width: u32) -> String {
    let group = |digits: &str, size: usize| {
        let groups = digits.as_bytes().rchunks(size).rev().map(|group| String::from_utf8_lossy(group).into_owned());
        groups.collect::<Vec<_>>().join("_")
    };
    if value >= 0 {
        let digits = value.to_string();
        return if digits.len() < 5 { digits } else { group(&digits, 3) };
    }
    let bits = if width < 64 { value.cast_unsigned() & ((1 << width) - 1) } else { value.cast_unsigned() };
    format!("0x{}", group(&format!("{bits:x}"), 4))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers() {
        assert_eq!(number(1024, 32), "1024");
        assert_eq!(number(262_144, 32), "262_144");
        assert_eq!(number(-1, 64), "0xffff_ffff_ffff_ffff");
        assert_eq!(number(-1, 32), "0xffff_ffff");
    }
}
