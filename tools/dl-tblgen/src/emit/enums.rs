//! Enumerations as `enum_attr!` items.

use super::Emitter;
use super::layout::quoted;
use crate::model::Enum;
use crate::names;

impl Emitter<'_> {
    /// The file of the enumerations that belong to the dialect or that only it uses.
    pub(super) fn enum_definitions(&self) -> Option<String> {
        let used = self.enums.borrow().clone();
        let mine = |e: &&Enum| match self.owner(&e.name.namespace) {
            Some(owner) => owner == self.dialect.name,
            None => used.contains(&e.name.class),
        };
        let items: Vec<String> = self.dialect.enums.iter().filter(mine).map(|e| self.enum_item(e)).collect();
        if items.is_empty() {
            return None;
        }
        Some(format!("//! Enumerations and bit sets.\n\ndl_ir::enum_attr! {{\n{}}}\n", items.join("\n")))
    }

    fn enum_item(&self, e: &Enum) -> String {
        let summary = self.summary(&self.summaries.enums, "enums", &e.name.class);
        let constant = names::constant_case(&e.name.class);
        let storage = match &e.attr {
            Some(name) => format!("Dialect({})", quoted(name)),
            None => format!("Integer({})", e.width),
        };
        let head = match &e.separator {
            Some(separator) => {
                format!("bits {}: {constant}, {storage}, {}", names::camel_case(&e.name.class), quoted(separator.trim()))
            }
            None => format!("enum {}: {constant}, {storage}", names::camel_case(&e.name.class)),
        };
        let mut text = format!("    /// {summary}\n    {head} {{\n");
        for case in &e.cases {
            let symbol = case.symbol.trim_matches('_');
            let name = if e.separator.is_some() { names::constant_case(symbol) } else { names::camel_case(symbol) };
            text += &format!("        {name} = {} {},\n", case.value, quoted(&case.keyword));
        }
        text + "    }\n"
    }
}
