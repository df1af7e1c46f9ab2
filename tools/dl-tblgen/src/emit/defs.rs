//! Attributes and types with parameters.

use indexmap::IndexMap;

use super::layout::quoted;
use super::{Emitter, formats};
use crate::cpp;
use crate::model::{EnumRef, Format, Param, ParameterizedDef, Presence};
use crate::names;

impl Emitter<'_> {
    /// The file of the dialect's attributes or types. `what` says which.
    pub(super) fn defs(
        &self,
        defs: &[ParameterizedDef],
        class: &str,
        what: &str,
        summaries: &IndexMap<String, String>,
    ) -> Option<String> {
        if defs.is_empty() {
            return None;
        }
        let mut text = String::new();
        for def in defs {
            text += &self.def(def, class, what, summaries);
            text.push('\n');
        }
        let all: Vec<String> = defs.iter().map(|def| format!("&{}", self.constant(def))).collect();
        let plural = format!("{}S", if what == "type" { "TYPE" } else { "ATTR" });
        text +=
            &format!("/// The {what}s of the dialect.\npub static {plural}: &[&{class}] = &[{}];\n", all.join(", "));

        let mut uses = format!("//! {}s of the dialect.\n\n", if what == "type" { "Type" } else { "Attribute" });
        let names: Vec<&str> = [class, "ParamDef", "ParamKind"]
            .into_iter()
            .filter(|n| text.contains(&format!("{n}::")) || n == &class)
            .collect();
        if text.contains("Cow::") {
            uses += "use std::borrow::Cow;\n\n";
        }
        uses += &format!("use dl_ir::typedef::{{{}}};\n", names.join(", "));
        let enums = self.dialect.enums.iter().map(|e| names::constant_case(&e.name.class));
        let enums: Vec<String> = enums.filter(|e| text.contains(&format!("Enum(&{e})"))).collect();
        if !enums.is_empty() {
            uses += &format!("\nuse super::enums::{{{}}};\n", enums.join(", "));
        }
        Some(format!("{uses}\n{text}"))
    }

    fn def(&self, def: &ParameterizedDef, class: &str, what: &str, summaries: &IndexMap<String, String>) -> String {
        self.enter(def.position.as_ref());
        let short = def.name.split_once('.').map_or(def.name.as_str(), |(_, short)| short);
        let summary = self.summary(summaries, if what == "type" { "types" } else { "attrs" }, short);
        let params: Vec<String> = def.params.iter().map(|p| self.param(p, &def.name)).collect();
        let (name, quoted_summary, params) = (quoted(&def.name), quoted(&summary), params.join(", "));
        let value = match &def.format {
            Format::Generic if def.params.is_empty() => {
                format!("{class}::plain({name}, {quoted_summary})")
            }
            Format::Generic | Format::Custom => {
                format!("{class}::custom({name}, {quoted_summary}, const {{ &[{params}] }})")
            }
            Format::Declarative(format) => {
                let format = quoted(&formats::one_line(format));
                format!("{class}::declarative({name}, {quoted_summary}, const {{ &[{params}] }}, {format})")
            }
        };
        format!("/// {summary}\npub static {}: {class} = {value};\n", self.constant(def))
    }

    fn param(&self, param: &Param, of: &str) -> String {
        let name = quoted(&param.name);
        let place = format!("parameter '{}' of {of}", param.name);
        let by_class = param.class.as_ref().and_then(|class| self.tables.params.get(class));
        let by_class = by_class.map(|kind| kind.replace('@', &param.name));
        let kind = by_class.or_else(|| self.param_kind(&cpp::normalize(&param.cpp_type))).unwrap_or_else(|| {
            self.problem(format!("no entry in [params] for `{}`, needed by {place}", cpp::normalize(&param.cpp_type)));
            String::new()
        });
        match &param.presence {
            Presence::Required => format!("ParamDef::required({name}, {kind})"),
            Presence::Optional | Presence::OptionalDefault(_) => {
                format!("ParamDef::optional({name}, {kind})")
            }
            Presence::Default(default) => {
                let text = self.tables.defaults.get(&format!("{of}.{}", param.name)).unwrap_or_else(|| default.clone());
                format!("ParamDef::with_default({name}, {kind}, {})", quoted(&text))
            }
        }
    }

    /// The kind of a parameter of the C++ class `class`.
    fn param_kind(&self, class: &str) -> Option<String> {
        if let Some(kind) = self.tables.params.get(class) {
            return Some(kind);
        }
        if let Some(element) = class.strip_prefix("ArrayRef<").and_then(|c| c.strip_suffix('>')) {
            return self.param_kind(&cpp::normalize(element)).map(|kind| format!("ParamKind::Array(&{kind})"));
        }
        if let Some(value) = class.strip_prefix("std::optional<").and_then(|c| c.strip_suffix('>')) {
            return self.param_kind(&cpp::normalize(value));
        }
        let last = cpp::last_name(class);
        if let Some(def) = self.dialect.attrs.iter().find(|def| def.class == last) {
            return Some(format!("ParamKind::AttrOf(Cow::Borrowed({}))", quoted(&def.name)));
        }
        let of = self.dialect.enums.iter().find(|e| e.name.class == last)?;
        let of = EnumRef { namespace: of.name.namespace.clone(), class: of.name.class.clone() };
        Some(format!("ParamKind::Enum(&{})", self.enum_path(&of)))
    }

    /// The name of the constant: that of the class, without the name of the dialect.
    fn constant(&self, def: &ParameterizedDef) -> String {
        let class = def.class.strip_prefix(&self.dialect.name.to_uppercase()).unwrap_or(&def.class);
        names::constant_case(class) + "_DEF"
    }
}
