//! A program as it is written: its text so far, and the values that can be used next.

use std::fmt::{self, Write as _};

use fastrand::Rng;

use super::types::{Kind, Scalar, Ty};

/// A program in the making.
pub(super) struct Writer<'r> {
    pub(super) rng: &'r mut Rng,
    text: String,
    indent: usize,
    names: usize,
    /// The values in scope.
    pub(super) values: Vec<(String, Ty)>,
    /// How many more operations may be written, about.
    pub(super) budget: usize,
    /// Whether elementary functions may be used, which are known to some digits only.
    pub(super) elementary: bool,
    /// Functions that can be called: name, arguments, results.
    pub(super) functions: Vec<(String, Vec<Ty>, Vec<Ty>)>,
}

impl<'r> Writer<'r> {
    pub(super) fn new(rng: &'r mut Rng) -> Self {
        let elementary = rng.u8(..8) == 0;
        Self {
            rng,
            text: String::new(),
            indent: 0,
            names: 0,
            values: Vec::new(),
            budget: 0,
            elementary,
            functions: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// A line of text.
    pub(super) fn line(&mut self, line: fmt::Arguments<'_>) {
        let indent = self.indent * 2;
        // Strings can be written to.
        let _ = writeln!(self.text, "{:indent$}{line}", "");
    }

    /// A name that no value has.
    pub(super) fn fresh(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    /// An operation with one result of type `ty`, which can be used from now on.
    pub(super) fn define(&mut self, ty: Ty, op: fmt::Arguments<'_>) -> String {
        self.budget = self.budget.saturating_sub(1);
        let name = self.fresh();
        self.line(format_args!("{name} = {op}"));
        self.values.push((name.clone(), ty));
        name
    }

    /// What is written by `body` between lines, indented; its values are out of scope afterwards.
    pub(super) fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.values.len();
        self.indent += 1;
        let result = body(self);
        self.indent -= 1;
        self.values.truncate(before);
        result
    }

    /// What is written by `body`, where nothing defined outside can be used.
    pub(super) fn isolated<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::take(&mut self.values);
        let result = body(self);
        self.values = outside;
        result
    }

    /// Whether `one_in` chances in one come true.
    pub(super) fn chance(&mut self, one_in: u32) -> bool {
        self.rng.u32(..one_in) == 0
    }

    /// One of several.
    pub(super) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.rng.usize(..from.len())]
    }

    /// A value in scope of a type that `accepts` takes, late ones a little more often than early ones.
    pub(super) fn find(&mut self, accepts: impl Fn(&Ty) -> bool) -> Option<(String, Ty)> {
        let fitting: Vec<&(String, Ty)> = self.values.iter().filter(|(_, ty)| accepts(ty)).collect();
        let count = fitting.len();
        let at = self.rng.usize(..count.max(1)).max(if self.rng.bool() { self.rng.usize(..count.max(1)) } else { 0 });
        fitting.get(at).map(|&found| found.clone())
    }

    /// A value of type `ty`: one in scope, mostly, or a constant.
    pub(super) fn value(&mut self, ty: &Ty) -> String {
        if !self.chance(6)
            && let Some((name, _)) = self.find(|other| other == ty)
        {
            return name;
        }
        match ty {
            Ty::Scalar(scalar) => self.constant(*scalar),
            Ty::Shaped { kind: Kind::MemRef, .. } => self.buffer(ty),
            Ty::Shaped { .. } => self.elements(ty),
        }
    }

    /// A value of type `ty` that is in scope. The first choice for results, so that what is computed matters.
    pub(super) fn result(&mut self, ty: &Ty) -> String {
        match self.values.iter().rev().find(|(_, other)| other == ty) {
            Some((name, _)) if !self.rng.u8(..4).eq(&0) => name.clone(),
            _ => self.value(ty),
        }
    }

    /// The text of a number.
    pub(super) fn number(&mut self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Int(1) => self.rng.bool().to_string(),
            Scalar::Int(width) => {
                let edge = 1_i64 << (width - 1).min(62);
                let small = self.rng.i64(-3..10);
                (*self.pick(&[small, small, small, 0, 1, -1, edge - 1, 1 - edge, 7, 64]))
                    .clamp(-edge, edge - 1)
                    .to_string()
            }
            Scalar::Index => self.rng.i64(0..8).to_string(),
            Scalar::F32 | Scalar::F64 => {
                let small = f64::from(self.rng.i8(-16..16)) / 4.0;
                format!("{:?}", self.pick(&[small, small, 0.0, 1.0, -0.0, 0.5, 1e6]))
            }
        }
    }

    /// A scalar constant.
    pub(super) fn constant(&mut self, scalar: Scalar) -> String {
        let number = self.number(scalar);
        match scalar {
            Scalar::Int(1) => self.define(Ty::I1, format_args!("arith.constant {number}")),
            _ => self.define(Ty::Scalar(scalar), format_args!("arith.constant {number} : {scalar}")),
        }
    }

    /// The index `number` as a value.
    pub(super) fn index(&mut self, number: i64) -> String {
        self.define(Ty::INDEX, format_args!("arith.constant {number} : index"))
    }

    /// A constant tensor or vector.
    fn elements(&mut self, ty: &Ty) -> String {
        if matches!(ty, Ty::Shaped { dynamic: true, .. }) {
            let Ty::Shaped { shape, element, .. } = ty else { unreachable!("it was matched") };
            let known = self.elements(&Ty::tensor(shape, *element));
            let from = Ty::tensor(shape, *element);
            return self.define(ty.clone(), format_args!("tensor.cast {known} : {from} to {ty}"));
        }
        let count: i64 = ty.shape().iter().product();
        let text = if count <= 12 && self.rng.bool() {
            self.nested_list(ty.shape(), ty.element())
        } else {
            self.number(ty.element())
        };
        let text = if count == 0 { String::new() } else { text };
        self.define(ty.clone(), format_args!("arith.constant dense<{text}> : {ty}"))
    }

    fn nested_list(&mut self, shape: &[i64], element: Scalar) -> String {
        let Some((&first, rest)) = shape.split_first() else { return self.number(element) };
        let parts: Vec<String> = (0..first).map(|_| self.nested_list(rest, element)).collect();
        format!("[{}]", parts.join(", "))
    }

    /// New memory, filled with a number.
    fn buffer(&mut self, ty: &Ty) -> String {
        let value = self.constant(ty.element());
        let op = if self.rng.bool() { "alloc" } else { "alloca" };
        let name = match ty {
            Ty::Shaped { shape, dynamic: true, .. } => {
                let extent = self.index(shape[0]);
                self.define(ty.clone(), format_args!("memref.{op}({extent}) : {ty}"))
            }
            _ => self.define(ty.clone(), format_args!("memref.{op}() : {ty}")),
        };
        self.line(format_args!("linalg.fill ins({value} : {}) outs({name} : {ty})", ty.element()));
        name
    }

    /// Some index below `extent`, which is not 0.
    pub(super) fn index_below(&mut self, extent: i64) -> String {
        match self.find(|ty| *ty == Ty::INDEX) {
            Some((index, _)) if self.rng.u8(..3) > 0 => {
                let extent = self.index(extent);
                self.define(Ty::INDEX, format_args!("arith.remui {index}, {extent} : index"))
            }
            _ => {
                let number = self.rng.i64(0..extent);
                self.index(number)
            }
        }
    }

    /// Indices into `shape`, between commas. `None` if it has no elements.
    pub(super) fn indices(&mut self, shape: &[i64]) -> Option<String> {
        if shape.contains(&0) {
            return None;
        }
        let indices: Vec<String> = shape.iter().map(|&extent| self.index_below(extent)).collect();
        Some(indices.join(", "))
    }
}

/// `items`, each written by `show`, between commas.
pub(super) fn list<T>(items: &[T], show: impl FnMut(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}
