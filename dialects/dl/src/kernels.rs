//! `dl.kernels`: the kernels of a lowered program, for whoever reports on them.
//!
//! `dl-list-kernels` writes the table as an attribute of the module, [`NAME`]: an array with a dictionary for each kernel. A kernel is known by its
//! place in the array; code that is to be timed says that number to the runtime.

use dl_ir::{Attr, AttrRef, Context, OpRef};

/// The name of the module's attribute.
pub const NAME: &str = "dl.kernels";

/// A loop nest of a program, or several in a row that come from one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// The function that it is in.
    pub function: String,
    /// What it comes from: the name of a node, else `file:line`; empty where that is not known.
    pub name: String,
    /// Arithmetic operations of one run by type of element, a fused multiply-add being two. None where an extent is not known.
    pub operations: Option<Vec<(String, u64)>>,
    /// Bytes of buffers that one run reads and writes, each byte once for either. None where an extent is not known.
    pub bytes: Option<u64>,
    /// What its code is like.
    pub form: Form,
}

/// What the code of a kernel is like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// It computes with vectors.
    Vector,
    /// It is a call that copies memory.
    Copy,
    /// It has too few elements for vectors to matter.
    Small,
    /// It computes element by element, for this reason.
    Scalar(String),
}

impl Form {
    /// The name in the table.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Copy => "copy",
            Self::Small => "small",
            Self::Scalar(_) => "scalar",
        }
    }
}

/// The attribute that holds the table.
pub fn attr(cx: &Context, kernels: &[Kernel]) -> Attr {
    let size = |value: u64| cx.int_attr(cx.int_type(64), i64::try_from(value).unwrap_or(i64::MAX));
    let row = |kernel: &Kernel| {
        let mut entries = vec![
            (cx.ident("form"), cx.string_attr(kernel.form.name())),
            (cx.ident("function"), cx.string_attr(&kernel.function)),
            (cx.ident("name"), cx.string_attr(&kernel.name)),
        ];
        if let Some(bytes) = kernel.bytes {
            entries.push((cx.ident("bytes"), size(bytes)));
        }
        if let Some(operations) = &kernel.operations {
            let counts: Vec<_> = operations.iter().map(|(ty, count)| (cx.ident(ty), size(*count))).collect();
            entries.push((cx.ident("operations"), cx.dictionary_attr(&counts)));
        }
        if let Form::Scalar(why) = &kernel.form {
            entries.push((cx.ident("why"), cx.string_attr(why)));
        }
        cx.dictionary_attr(&entries)
    };
    let rows: Vec<Attr> = kernels.iter().map(row).collect();
    cx.array_attr(&rows)
}

/// The kernels of a module; `None` where it has no table, or one that is not understood.
pub fn of_module(module: OpRef<'_>) -> Option<Vec<Kernel>> {
    table(module.attr(NAME)?)
}

fn table(attr: AttrRef<'_>) -> Option<Vec<Kernel>> {
    attr.elements().map(kernel).collect()
}

fn kernel(row: AttrRef<'_>) -> Option<Kernel> {
    let text = |name: &str| row.get(name)?.as_str().map(str::to_owned);
    let size = |attr: AttrRef<'_>| u64::try_from(attr.as_int()?).ok();
    let form = match text("form")?.as_str() {
        "vector" => Form::Vector,
        "copy" => Form::Copy,
        "small" => Form::Small,
        "scalar" => Form::Scalar(text("why")?),
        _ => return None,
    };
    let operations = row.get("operations").map(|counts| {
        let count = |&(ty, count)| Some((row.cx().str(ty).to_owned(), size(row.cx().attr(count))?));
        counts.entries().iter().map(count).collect::<Option<Vec<_>>>()
    });
    Some(Kernel {
        function: text("function")?,
        name: text("name")?,
        operations: match operations {
            Some(counts) => Some(counts?),
            None => None,
        },
        bytes: row.get("bytes").and_then(size),
        form,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_holds_all_that_is_said_of_kernels() {
        let full = Kernel {
            function: "main".to_owned(),
            name: "a \"node\"".to_owned(),
            operations: Some(vec![("f32".to_owned(), 12), ("i8".to_owned(), 3)]),
            bytes: Some(64),
            form: Form::Vector,
        };
        let form = |form| Kernel { form, ..full.clone() };
        let unknown = Kernel { operations: None, bytes: None, ..form(Form::Scalar("no reason".to_owned())) };
        let kernels = [unknown, form(Form::Copy), form(Form::Small), full.clone()];
        let cx = Context::new();
        assert_eq!(table(cx.attr(attr(&cx, &kernels))).as_deref(), Some(&kernels[..]));
        let other = cx.array_attr(&[cx.string_attr("vector")]);
        assert_eq!(table(cx.attr(other)), None);
    }
}
