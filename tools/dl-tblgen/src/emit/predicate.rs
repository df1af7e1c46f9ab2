//! Predicates as Rust expressions.

use super::Emitter;
use crate::cpp;
use crate::model::Predicate;

impl Emitter<'_> {
    /// The closure for a predicate on types (`var` is `t`) or attributes (`a`).
    pub(super) fn closure(&self, predicate: &Predicate, var: &str, place: &str) -> String {
        match self.expression(predicate, var, "", place).text {
            always if always == "true" => "|_| true".to_owned(),
            text => format!("|{var}| {text}"),
        }
    }

    /// `predicate` on the variable `var`. `bind` is what the enclosing C++ calls that variable.
    fn expression(&self, predicate: &Predicate, var: &str, bind: &str, place: &str) -> Expression {
        match predicate {
            Predicate::And(children) => {
                let mut parts: Vec<Expression> = Vec::new();
                for child in children {
                    let part = self.expression(child, var, bind, place);
                    if part.text != "true" && !parts.iter().any(|p| p.text == part.text) {
                        parts.push(part);
                    }
                }
                match parts.len() {
                    0 => Expression { text: "true".to_owned(), level: Level::Unary },
                    1 => parts.remove(0),
                    _ => {
                        let texts = parts.into_iter().map(Expression::in_conjunction);
                        Expression { text: texts.collect::<Vec<_>>().join(" && "), level: Level::And }
                    }
                }
            }
            Predicate::Or(children) => {
                let mut parts: Vec<Expression> = Vec::new();
                for child in children {
                    let part = self.expression(child, var, bind, place);
                    if part.text == "true" {
                        return part;
                    }
                    if part.text != "false" && !parts.iter().any(|p| p.text == part.text) {
                        parts.push(part);
                    }
                }
                if parts.len() == 1 {
                    return parts.remove(0);
                }
                if parts.is_empty() {
                    return Expression { text: "false".to_owned(), level: Level::Unary };
                }
                let text = parts.into_iter().map(|p| p.text).collect::<Vec<_>>().join(" || ");
                Expression { text, level: Level::Or }
            }
            Predicate::Not(child) => {
                let child = self.expression(child, var, bind, place);
                let text =
                    if child.level == Level::Unary { format!("!{}", child.text) } else { format!("!({})", child.text) };
                Expression { text, level: Level::Unary }
            }
            Predicate::Leaf(text) => self.leaf(&cpp::normalize(text), var, place),
            Predicate::Subst { pattern, replacement, child } => {
                let replacement = cpp::normalize(replacement);
                if pattern == "$_self" && replacement == bind {
                    return self.expression(child, var, "", place);
                }
                self.wrapped(&replacement, child, var, place)
            }
            Predicate::Concat { prefix, child, suffix } => {
                self.wrapped(&cpp::normalize(&format!("{prefix}@{suffix}")), child, var, place)
            }
            Predicate::Enum(of) => {
                let path = self.enum_path(of);
                Expression { text: format!("leaves::is_case({var}, &{path})"), level: Level::Unary }
            }
        }
    }

    /// `child` on what the C++ `around` reaches from `var`.
    fn wrapped(&self, around: &str, child: &Predicate, var: &str, place: &str) -> Expression {
        let Some(wrap) = self.tables.wraps.get(around) else {
            self.problem(format!("no entry in [wraps] for `{around}`, needed by {place}"));
            return Expression { text: "false".to_owned(), level: Level::Unary };
        };
        let child = self.expression(child, &wrap.var, &wrap.bind, place);
        let text =
            if child.text == "true" { child.text } else { wrap.rust.replace("{}", var).replace('@', &child.text) };
        Expression { text, level: Level::Unary }
    }

    fn leaf(&self, text: &str, var: &str, place: &str) -> Expression {
        let found = match self.tables.leaves.get(text) {
            Some(found) => Some(found),
            None => self.isa(text),
        };
        let Some(found) = found else {
            self.problem(format!("no entry in [leaves] or [classes] for `{text}`, needed by {place}"));
            return Expression { text: "false".to_owned(), level: Level::Unary };
        };
        let text = found.replace("{}", var);
        let level = match () {
            () if text.contains(" || ") => Level::Or,
            () if text.contains(" && ") || text.contains(" == ") || text.contains(" > ") => Level::And,
            () => Level::Unary,
        };
        Expression { text, level }
    }

    /// The test for `isa<...>(...)`, also negated.
    fn isa(&self, text: &str) -> Option<String> {
        if let Some(negated) = text.strip_prefix('!') {
            return self
                .isa(negated)
                .map(|test| if test.contains(" || ") { format!("!({test})") } else { format!("!{test}") });
        }
        let (classes, subject) = cpp::isa(text)?;
        let tests: Option<Vec<String>> = classes.into_iter().map(|class| self.class_test(class)).collect();
        let test = tests?.join(" || ");
        if subject == "$_self" {
            return Some(test);
        }
        let wrap = self.tables.wraps.get(subject)?;
        Some(if test == "true" { test } else { wrap.rust.replace('@', &test.replace("{}", &wrap.var)) })
    }

    /// The test for a C++ class: from the table, or from the definition of a dialect's type, attribute or enumeration.
    fn class_test(&self, class: &str) -> Option<String> {
        if let Some(test) = self.tables.classes.get(class) {
            return Some(test);
        }
        if let Some((_, name)) = self.index.types.iter().find(|(c, _)| c == class) {
            return Some(format!("{{}}.is_dialect_type(\"{name}\")"));
        }
        if let Some((_, name)) = self.index.attrs.iter().find(|(c, _)| c == class) {
            return Some(format!("{{}}.is_dialect_attr(\"{name}\")"));
        }
        let (namespace, name) = class.rsplit_once("::")?;
        let of = self.dialect.enums.iter().find(|e| {
            e.name.namespace == namespace && name.strip_suffix("Attr").is_some_and(|name| name == e.name.class)
        })?;
        Some(format!("leaves::is_case({{}}, &{})", self.enum_path(&of.name)))
    }
}

/// A Rust expression and its outermost operator.
struct Expression {
    text: String,
    level: Level,
}

impl Expression {
    /// As an operand of `&&`.
    fn in_conjunction(self) -> String {
        if self.level == Level::Or { format!("({})", self.text) } else { self.text }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Or,
    And,
    Unary,
}
