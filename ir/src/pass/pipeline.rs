//! The text form of pipelines.

use std::ops::Range;

use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

use super::manager::{Anchor, PassManager};
use super::options::parse_options;
use super::registry::PassRegistry;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, closest};
use crate::location::{Loc, Source};

#[derive(pest_derive::Parser)]
#[grammar = "pass/pipeline.pest"]
struct Grammar;

/// Deepest nesting of brackets: the grammar is recursive.
const MAX_DEPTH: usize = 200;

/// What a pipeline from the command line is called in messages.
const COMMAND_LINE: &str = "<pipeline>";

/// Parses a whole pipeline, `builtin.module(...)`: the manager of the outermost operation. `//` and `#` begin comments, which end
/// with the line, save among options.
///
/// # Errors
/// At the place in the text, which becomes a source of the context.
pub fn parse_pipeline(cx: &Context, registry: &PassRegistry, text: &str) -> Result<PassManager, Diagnostic> {
    parse_pipeline_file(cx, registry, COMMAND_LINE, text)
}

/// The same for the text of the file `name`.
///
/// # Errors
/// As [`parse_pipeline`].
pub fn parse_pipeline_file(
    cx: &Context,
    registry: &PassRegistry,
    name: &str,
    text: &str,
) -> Result<PassManager, Diagnostic> {
    let source = cx.add_source(name, text.as_bytes());
    let elements = parse(&source, text)?;
    let unwrapped = |at: usize| {
        let message = "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'";
        Diagnostic::error(source.loc(at), message)
    };
    let mut elements = elements.into_iter();
    let Some(outer) = elements.next() else { return Err(unwrapped(0)) };
    let element = Element::new(&outer);
    let Some(nested) = element.nested else { return Err(unwrapped(outer.as_span().start())) };
    if let Some(extra) = elements.next() {
        return Err(unwrapped(extra.as_span().start()));
    }
    let mut pm = PassManager::new(Anchor::new(element.name));
    Builder { cx, registry, source: &source, depth: 0 }.fill(&mut pm, nested)?;
    Ok(pm)
}

/// Parses a list of passes and nested pipelines, `canonicalize,func.func(cse)`, and adds them to `pm`.
///
/// # Errors
/// At the place in the text, which becomes a source of the context.
pub fn parse_pipeline_items(
    cx: &Context,
    registry: &PassRegistry,
    text: &str,
    pm: &mut PassManager,
) -> Result<(), Diagnostic> {
    let source = cx.add_source(COMMAND_LINE, text.as_bytes());
    let elements = parse(&source, text)?;
    Builder { cx, registry, source: &source, depth: 0 }.fill(pm, elements)
}

/// The elements of the outermost list.
fn parse<'t>(source: &Source, text: &'t str) -> Result<Vec<Pair<'t, Rule>>, Diagnostic> {
    check_brackets(source, text)?;
    let mut pairs = Grammar::parse(Rule::pipeline, text).map_err(|error| syntax_error(source, text, &error))?;
    let pipeline = pairs.next().expect("the grammar gives one pipeline");
    let list = pipeline.into_inner().find(|pair| pair.as_rule() == Rule::list);
    Ok(list.map(elements).unwrap_or_default())
}

/// The elements of a list.
fn elements(list: Pair<'_, Rule>) -> Vec<Pair<'_, Rule>> {
    list.into_inner().filter(|pair| pair.as_rule() == Rule::element).collect()
}

fn syntax_error(source: &Source, text: &str, error: &pest::error::Error<Rule>) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let wants_name = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => {
            positives.iter().any(|rule| matches!(rule, Rule::name | Rule::element | Rule::list))
        }
        ErrorVariant::CustomError { .. } => false,
    };
    let expected = if wants_name { "a pass or operation name" } else { "',' or ')' after a pass" };
    let message = match text[at..].chars().next() {
        Some(found) => format!("expected {expected}, but got '{found}'"),
        None => format!("expected {expected} at the end of the pipeline"),
    };
    Diagnostic::error(source.loc(at), message)
}

/// Brackets are matched, and not too deep for a recursive grammar.
fn check_brackets(source: &Source, text: &str) -> Result<(), Diagnostic> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut quote: Option<(usize, char)> = None;
    let mut in_comment = false;
    for (at, c) in text.char_indices() {
        if in_comment {
            in_comment = c != '\n';
            continue;
        }
        let among_options = open.iter().any(|(_, c)| *c == '{');
        match (quote, c) {
            (Some((_, q)), _) => {
                if q == c {
                    quote = None;
                }
            }
            // Quotes have a meaning among options only.
            (None, '\'' | '"') if among_options => quote = Some((at, c)),
            // So have comments everywhere else.
            (None, '#') if !among_options => in_comment = true,
            (None, '/') if !among_options && text[at..].starts_with("//") => in_comment = true,
            (None, '(' | '{') => open.push((at, c)),
            (None, ')' | '}') => {
                let (opening, kind) = if c == ')' { ('(', "parentheses") } else { ('{', "braces") };
                if !matches!(open.pop(), Some((_, o)) if o == opening) {
                    let message =
                        format!("encountered extra closing '{c}' creating unbalanced {kind} while parsing pipeline");
                    return Err(Diagnostic::error(source.loc(at), message));
                }
            }
            (None, _) => {}
        }
        if open.len() > MAX_DEPTH {
            return Err(Diagnostic::error(source.loc(at), "unsupported: a pipeline that is nested this deep"));
        }
    }
    if let Some((at, _)) = quote {
        return Err(Diagnostic::error(source.loc(at), "missing closing quote while processing pass options"));
    }
    match open.last() {
        None => Ok(()),
        Some(&(at, '(')) => {
            let message = "expected ')': encountered unbalanced parentheses while parsing pipeline";
            Err(Diagnostic::error(source.loc(text.len()), message).note(source.loc(at), "opened here"))
        }
        Some(&(at, _)) => Err(Diagnostic::error(source.loc(at), "missing closing '}' while processing pass options")),
    }
}

/// Name and parts of one element.
struct Element<'t> {
    name: &'t str,
    options: Option<(usize, &'t str)>,
    nested: Option<Vec<Pair<'t, Rule>>>,
}

impl<'t> Element<'t> {
    fn new(pair: &Pair<'t, Rule>) -> Self {
        let mut element = Self { name: "", options: None, nested: None };
        for part in pair.clone().into_inner() {
            match part.as_rule() {
                Rule::name => element.name = part.as_str(),
                Rule::options => {
                    let body = part.into_inner().next();
                    element.options = body.map(|body| (body.as_span().start(), body.as_str()));
                }
                _ => {
                    let list = part.into_inner().find(|pair| pair.as_rule() == Rule::list);
                    element.nested = Some(list.map(elements).unwrap_or_default());
                }
            }
        }
        element
    }
}

/// Turns elements into passes.
struct Builder<'a> {
    cx: &'a Context,
    registry: &'a PassRegistry,
    source: &'a Source,
    /// How many named pipelines stand around: one that names itself would not end.
    depth: usize,
}

impl Builder<'_> {
    fn fill(&self, pm: &mut PassManager, elements: Vec<Pair<'_, Rule>>) -> Result<(), Diagnostic> {
        for pair in elements {
            let at = pair.as_span().start();
            let element = Element::new(&pair);
            if let Some(nested) = element.nested {
                if nested.is_empty() {
                    let end = self.loc(pair.as_span().end() - 1);
                    return Err(Diagnostic::error(end, "expected a pass or operation name, but got ')'"));
                }
                self.fill(pm.nest(Anchor::new(element.name)), nested)?;
                continue;
            }
            let (options_at, options) = element.options.unwrap_or((at, ""));
            self.add(pm, element.name, at, options, options_at)?;
        }
        Ok(())
    }

    fn add(
        &self,
        pm: &mut PassManager,
        name: &str,
        at: usize,
        options: &str,
        options_at: usize,
    ) -> Result<(), Diagnostic> {
        let option_error = |(message, range): (String, Range<usize>)| {
            let note = format!("failed to add `{name}` with options `{options}`");
            Diagnostic::error(self.loc(options_at + range.start), message).note(self.loc(at), note)
        };
        if let Some(registered) = self.registry.find_pass(name) {
            let mut pass = registered.make();
            match pass.options() {
                Some(own) => parse_options(own, options).map_err(option_error)?,
                None => parse_options(&mut super::options::NoOptions, options).map_err(option_error)?,
            }
            if let (Some(needed), Anchor::Op(own)) = (registered.info.anchor, pm.anchor())
                && needed != own
            {
                let message = format!(
                    "Can't add pass '{}' restricted to '{needed}' on a PassManager intended to run on '{own}', did you \
                     intend to nest?",
                    registered.info.title
                );
                let nested = format!("as in '{needed}({name})'");
                return Err(Diagnostic::error(self.loc(at), message).note(self.loc(at), nested));
            }
            let note = |error: Diagnostic| error.note(self.loc(at), format!("in the options of '{name}'"));
            pass.resolve(self.cx, self.registry).map_err(note)?;
            pm.add_boxed(pass);
            return Ok(());
        }
        if let Some(pipeline) = self.registry.find_pipeline(name) {
            let text = pipeline.expand(options).map_err(option_error)?;
            assert!(self.depth < MAX_DEPTH, "the pipeline '{name}' names itself");
            let inner = Builder { cx: self.cx, registry: self.registry, source: self.source, depth: self.depth + 1 };
            return inner.expand(pm, &text).map_err(|d| d.note(self.loc(at), format!("in the pipeline '{name}'")));
        }
        let message = format!("'{name}' does not refer to a registered pass or pass pipeline");
        let error = Diagnostic::error(self.loc(at), message);
        Err(match closest(name, self.registry.names()) {
            Some(known) => error.note(self.loc(at), format!("did you mean '{known}'?")),
            None => error,
        })
    }

    /// Adds the passes of a named pipeline. Faults in its text are its author's; they have no place in the user's text.
    fn expand(&self, pm: &mut PassManager, text: &str) -> Result<(), Diagnostic> {
        let text_error = || Diagnostic::error(Loc::UNKNOWN, format!("'{text}' is not a pass pipeline"));
        let pairs = Grammar::parse(Rule::pipeline, text).map_err(|_| text_error())?;
        let list = pairs.flatten().find(|pair| pair.as_rule() == Rule::list);
        self.fill(pm, list.map(elements).unwrap_or_default())
    }

    fn loc(&self, at: usize) -> Loc {
        if self.depth == 0 { self.source.loc(at) } else { Loc::UNKNOWN }
    }
}

/// Key and value of each option in the inside of `{...}`, with the range of the key.
#[expect(clippy::type_complexity, reason = "read by one caller")]
pub(super) fn split_options(text: &str) -> Result<Vec<(Range<usize>, &str, Option<&str>)>, (String, Range<usize>)> {
    let depth = text.matches(['(', '{']).count();
    if depth > MAX_DEPTH {
        return Err(("unsupported: options that are nested this deep".to_owned(), 0..text.len()));
    }
    let pairs = Grammar::parse(Rule::option_list, text).map_err(|error| {
        let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
        ("expected options of the form 'name=value'".to_owned(), at..at)
    })?;
    let list = pairs.into_iter().next().expect("the grammar gives one list");
    let options = list.into_inner().filter(|pair| pair.as_rule() == Rule::option);
    Ok(options
        .map(|option| {
            let has_value = option.as_str().contains('=');
            let mut parts = option.into_inner();
            let key = parts.next().expect("an option has a key");
            let value = parts.next().map(|value| match value.as_rule() {
                Rule::bare => value.as_str(),
                _ => value.into_inner().next().map_or("", |text| text.as_str()),
            });
            let span = key.as_span();
            (span.start()..span.end(), key.as_str(), value.or(has_value.then_some("")))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};

    crate::pass_options! {
        /// Options of [`Shrink`].
        struct ShrinkOptions {
            /// Which parts.
            parts "parts": Vec<String> = Vec::new(),
            /// How often.
            times "times": i64 = 1,
        }
    }

    #[derive(Clone, Default)]
    struct Shrink(ShrinkOptions);

    impl Pass for Shrink {
        const INFO: PassInfo = PassInfo::new("shrink", "Make it smaller");
        fn options(&mut self) -> Option<&mut dyn PassOptions> {
            Some(&mut self.0)
        }
        fn run(&mut self, _: &mut PassCx<'_>) -> PassResult {
            Ok(())
        }
    }

    #[derive(Clone, Default)]
    struct OnFunctions;

    impl Pass for OnFunctions {
        const INFO: PassInfo = PassInfo::new("on-functions", "Change functions").on("func.func");
        fn run(&mut self, _: &mut PassCx<'_>) -> PassResult {
            Ok(())
        }
    }

    fn registry() -> PassRegistry {
        let mut registry = PassRegistry::new();
        registry.pass::<Shrink>().pass::<OnFunctions>();
        registry.pipeline("twice", "Shrink two times", "shrink,func.func(shrink{times=2})");
        registry.pipeline_with("many", "Shrink often", |options: &ShrinkOptions| {
            format!("shrink{{times={}}}", options.times)
        });
        registry
    }

    /// The pipeline printed again, or `column: message`.
    fn check(text: &str) -> String {
        let cx = Context::new();
        match parse_pipeline(&cx, &registry(), text) {
            Ok(pm) => pm.text(),
            Err(error) => format!("{}: {}", cx.file_position(error.loc).expect("a place").column, error.message),
        }
    }

    #[test]
    fn pipelines_print_again() {
        assert_eq!(check("builtin.module()"), "builtin.module()");
        assert_eq!(
            check(" builtin.module( func.func(shrink , shrink{ times=3  parts=a,b }) , any(shrink) ) "),
            "builtin.module(func.func(shrink{ times=1},shrink{parts={a,b} times=3}),any(shrink{ times=1}))"
        );
        let apart = "builtin.module(func.func(on-functions),func.func(on-functions))";
        assert_eq!(check(apart), apart);
        let printed = check("any(shrink{parts=\"x y\"})");
        assert_eq!(printed, "any(shrink{parts={{x y}} times=1})");
        assert_eq!(check(&printed), printed);
    }

    #[test]
    fn comments_end_with_the_line() {
        let text = "# what it is for: ((\nbuiltin.module( // outside\n  shrink, # first, or (\n  shrink{parts=a#b,//c}// last\n)\n#";
        assert_eq!(check(text), "builtin.module(shrink{ times=1},shrink{parts={a#b,//c} times=1})");
        assert_eq!(
            check("builtin.module(shrink // )"),
            "27: expected ')': encountered unbalanced parentheses while parsing pipeline"
        );
    }

    #[test]
    fn named_pipelines_expand() {
        assert_eq!(
            check("builtin.module(twice,many{times=7})"),
            "builtin.module(shrink{ times=1},func.func(shrink{ times=2}),shrink{ times=7})"
        );
    }

    #[test]
    fn faults_have_a_place() {
        for (text, expected) in [
            ("", "1: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'"),
            ("builtin.module(shrnk)", "16: 'shrnk' does not refer to a registered pass or pass pipeline"),
            ("builtin.module(shrink", "22: expected ')': encountered unbalanced parentheses while parsing pipeline"),
            (
                "builtin.module(shrink))",
                "23: encountered extra closing ')' creating unbalanced parentheses while parsing pipeline",
            ),
            ("builtin.module(shrink,)", "23: expected a pass or operation name, but got ')'"),
            ("builtin.module(any(),shrink)", "20: expected a pass or operation name, but got ')'"),
            ("builtin.module(,shrink)", "16: expected a pass or operation name, but got ','"),
            ("builtin.module(any(shrink)any(shrink))", "27: expected ',' or ')' after a pass, but got 'a'"),
            ("builtin.module(shrink{times=x})", "23: for the --times option: 'x' value invalid for long argument!"),
            ("builtin.module(shrink{times=1 tims=2})", "31: no such option tims, did you mean 'times'?"),
            (
                "builtin.module(shrink{times=1)",
                "30: encountered extra closing ')' creating unbalanced parentheses while parsing pipeline",
            ),
            ("builtin.module(shrink{parts='a})", "29: missing closing quote while processing pass options"),
            ("builtin.module(many{tims=2})", "21: no such option tims, did you mean 'times'?"),
            (
                "builtin.module(),shrink",
                "18: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'",
            ),
            (
                "builtin.module(on-functions)",
                "16: Can't add pass 'on-functions' restricted to 'func.func' on a PassManager intended to run on \
                 'builtin.module', did you intend to nest?",
            ),
        ] {
            assert_eq!(check(text), expected, "for {text}");
        }
        let deep = format!("{}shrink{}", "any(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(check(&deep), "804: unsupported: a pipeline that is nested this deep");
    }

    proptest::proptest! {
        /// Whatever is written, it is a fault with a place or a pipeline that reads back.
        #[test]
        fn any_text_is_a_pipeline_or_a_fault(parts in proptest::collection::vec(proptest::sample::select(&[
            "builtin.module", "any", "shrink", "twice", "many", "(", ")", "{", "}", ",", "=", " ", "'", "\"", "#", "//", "\n",
            "times", "parts", "3", "a b", "[",
        ][..]), 0..24)) {
            for text in [parts.concat(), format!("any(shrink{{{}}})", parts.concat())] {
                let printed = check(&text);
                let is_fault = printed.split_once(": ").is_some_and(|(column, _)| column.parse::<u32>().is_ok());
                if !is_fault {
                    proptest::prop_assert_eq!(check(&printed), printed, "for {}", text);
                }
            }
        }
    }
}
