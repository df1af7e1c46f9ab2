//! Examples: reading them, and whether they show what they are to show.

use dl_ir::diagnostics::{ColorChoice, Renderer};
use dl_ir::text::{parse_attribute, parse_source};
use dl_ir::walk::pre_order;
use dl_ir::{Context, OpRef, verify};

/// What an example is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The operation of this name.
    Op(String),
    /// The type of this name, without `!`.
    Type(String),
    /// The attribute of this name, without `#`.
    Attr(String),
    /// Whatever stands on the page of `builtin`, whose types and attributes have no names.
    Other,
}

/// An example on a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// What it is of.
    pub subject: Subject,
    /// The text.
    pub text: String,
}

/// The examples of a page: its `mlir` blocks, each of what the heading before it names.
pub fn blocks(page: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut subject = Subject::Other;
    let mut block: Option<String> = None;
    for line in page.lines() {
        match &mut block {
            Some(text) if line == "```" => {
                examples.push(Example { subject: subject.clone(), text: std::mem::take(text) });
                block = None;
            }
            Some(text) => {
                text.push_str(line);
                text.push('\n');
            }
            None if line == "```mlir" => block = Some(String::new()),
            None => {
                if let Some(heading) = line.strip_prefix("### ") {
                    subject = subject_of(heading);
                }
            }
        }
    }
    examples
}

fn subject_of(heading: &str) -> Subject {
    let name = heading.split('`').nth(1).unwrap_or_default();
    match (heading.split('`').next().unwrap_or_default(), name.chars().next()) {
        ("", Some(_)) => Subject::Op(name.to_owned()),
        ("Type ", Some('!')) => Subject::Type(name[1..].to_owned()),
        ("Attribute ", Some('#')) => Subject::Attr(name[1..].to_owned()),
        _ => Subject::Other,
    }
}

impl Example {
    /// Reads and verifies the example. What dialects that are not registered define may be in its attributes if `cx` allows that, but
    /// no operation of theirs.
    ///
    /// # Errors
    /// What is wrong with the text, or that its subject is not in it.
    pub fn check(&self, cx: &Context) -> Result<(), String> {
        match &self.subject {
            Subject::Op(name) => check_module(cx, &self.text, name),
            Subject::Type(_) | Subject::Attr(_) | Subject::Other => self.check_attr(cx),
        }
    }

    /// Reads it as an attribute, which types are as well.
    fn check_attr(&self, cx: &Context) -> Result<(), String> {
        let text = self.text.trim_end();
        parse_attribute(cx, text).map_err(|error| Renderer::new(cx, ColorChoice::Never).render(&error))?;
        let (start, name) = match &self.subject {
            Subject::Type(name) => ('!', name),
            Subject::Attr(name) => ('#', name),
            Subject::Op(_) | Subject::Other => return Ok(()),
        };
        // `#gpu<dim x>` is one of `gpu.dim`, as `#gpu.dim<x>` would be.
        let forms = [format!("{start}{name}"), format!("{start}{}", name.replacen('.', "<", 1))];
        let ends = |rest: &str| rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && !"_.".contains(c));
        if forms.iter().any(|form| text.strip_prefix(form.as_str()).is_some_and(ends)) {
            Ok(())
        } else {
            Err(format!("expected an example of `{start}{name}`, but it is `{text}`"))
        }
    }
}

fn check_module(cx: &Context, text: &str, op: &str) -> Result<(), String> {
    let render = |diagnostics: &dl_ir::Diagnostics| {
        let renderer = Renderer::new(cx, ColorChoice::Never);
        diagnostics.iter().map(|diagnostic| renderer.render(diagnostic)).collect::<String>()
    };
    let source = cx.add_source(op, text);
    let parsed = parse_source(cx, &source).map_err(|errors| render(&errors))?;
    verify::verify(cx, &parsed.module).map_err(|errors| render(&errors))?;
    let ops = || pre_order(OpRef::root(cx, &parsed.module));
    if let Some(unknown) = ops().find(|other| other.def().is_none()) {
        return Err(format!("`{}` is not registered", unknown.name()));
    }
    if ops().any(|other| other.name() == op) { Ok(()) } else { Err(format!("`{op}` is not in its example")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(subject: Subject, text: &str) -> Example {
        Example { subject, text: text.to_owned() }
    }

    #[test]
    fn blocks_belong_to_the_heading_before() {
        let page = "# `x`\n```mlir\na\n```\n### `d.op`\n```text\nb\n```\n```mlir\nc\nd\n```\n### Type `!d.t`\n```mlir\ne\n```\n";
        let expected = [
            example(Subject::Other, "a\n"),
            example(Subject::Op("d.op".into()), "c\nd\n"),
            example(Subject::Type("d.t".into()), "e\n"),
        ];
        assert_eq!(blocks(page), expected);
    }

    #[test]
    fn an_example_must_be_right_and_to_the_point() {
        let cx = crate::standard().context();
        let check = |subject, text| example(subject, text).check(&cx);
        let op = |text| check(Subject::Op("func.return".into()), text);
        assert_eq!(op("func.func @f() { return }"), Ok(()));
        assert_eq!(op("func.func private @f()"), Err("`func.return` is not in its example".to_owned()));
        assert!(op("func.func @f() { retrun }").unwrap_err().contains("error"));
        assert!(op("func.func @f() -> i32 { return }").unwrap_err().contains("error"));
        let ptr = |text| check(Subject::Type("llvm.ptr".into()), text);
        assert_eq!(ptr("!llvm.ptr<3>"), Ok(()));
        assert_eq!(ptr("!llvm.void"), Err("expected an example of `!llvm.ptr`, but it is `!llvm.void`".to_owned()));
    }
}
