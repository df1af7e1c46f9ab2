//! What a rewrite may change of what others can see: nothing but what was undefined or poison.

use std::fmt;

use dl_ir::interp::Value;
use dl_ir::number::float;
use dl_ir::{FloatKind, OpRef, walk};

use crate::observe::{Ending, Observation};

/// What came of a comparison.
#[derive(Debug)]
pub enum Verdict {
    /// The run before was defined, and the one after does the same.
    Same,
    /// The run before was undefined.
    Free,
    /// One of the runs is not known.
    Unknown(String),
    /// They differ.
    Differs(String),
}

/// How close floats must be.
#[derive(Clone, Copy, Default, Debug)]
pub struct Closeness {
    /// Signs of zero do not count.
    signless_zero: bool,
    /// A difference of so much, relative to the larger one, does not count.
    relative: f64,
    /// Sums may be put together in any way, so that nothing is known of floats.
    reassociated: bool,
}

impl Closeness {
    /// As the operations of `function` allow: by their fast-math flags, and where they compute elementary functions.
    pub fn of(function: OpRef<'_>) -> Self {
        let mut close = Self::default();
        for op in walk::pre_order(function) {
            for (_, attr) in op.attrs() {
                let text = attr.to_string();
                if !text.contains("fastmath") {
                    continue;
                }
                close.signless_zero |= text.contains("nsz") || text.contains("fast>");
                close.reassociated |= text.contains("reassoc") || text.contains("fast>");
                if ["arcp", "contract", "afn"].iter().any(|flag| text.contains(flag)) {
                    close.relative = 1e-2;
                }
            }
            // Whether a sum begins with zero or with its negative is not said, nor which of them is the greater.
            close.signless_zero |= matches!(
                op.name(),
                "vector.reduction"
                    | "vector.contract"
                    | "arith.maxnumf"
                    | "arith.minnumf"
                    | "llvm.intr.maxnum"
                    | "llvm.intr.minnum"
            );
            if op.name().starts_with("math.") || op.name().starts_with("complex.") {
                close.relative = close.relative.max(1e-5);
            }
        }
        close
    }

    fn floats(self, kind: FloatKind, a: u128, b: u128) -> bool {
        if a == b || self.reassociated || float::is_nan(kind, a) && float::is_nan(kind, b) {
            return true;
        }
        if self.signless_zero && float::is_zero(kind, a) && float::is_zero(kind, b) {
            return true;
        }
        let (x, y) = (float::to_f64(kind, a), float::to_f64(kind, b));
        self.relative > 0.0 && (x - y).abs() <= self.relative * x.abs().max(y.abs())
    }

    /// The distance of complex numbers counts, not that of their parts. What arithmetic makes of infinities and NaN is left open.
    fn complex(self, before: &[Value; 2], after: &[Value; 2]) -> bool {
        let part = |value: &Value| value.as_float().map(|(kind, bits)| float::to_f64(kind, bits));
        let (Some(a), Some(b)) = (part(&before[0]).zip(part(&before[1])), part(&after[0]).zip(part(&after[1]))) else {
            return before.iter().zip(after).all(|(a, b)| self.values(a, b));
        };
        let (distance, size) = ((a.0 - b.0).hypot(a.1 - b.1), a.0.hypot(a.1));
        let open = self.relative > 0.0 && !size.is_finite();
        open || self.relative > 0.0 && distance <= self.relative * size
            || before.iter().zip(after).all(|(a, b)| self.values(a, b))
    }

    fn values(self, before: &Value, after: &Value) -> bool {
        match (before, after) {
            (Value::Poison, _) => true,
            (Value::Int(a), Value::Int(b)) => a == b,
            (&Value::Float(kind, a), &Value::Float(of, b)) => kind == of && self.floats(kind, a, b),
            (Value::Complex(a), Value::Complex(b)) => self.complex(a, b),
            (Value::Array(a), Value::Array(b)) => {
                let same = a.elements().iter().zip(b.elements()).all(|(a, b)| self.values(a, b));
                a.shape() == b.shape() && same
            }
            (Value::Array(a), Value::Poison) => a.elements().iter().all(Value::is_poison),
            (Value::Function(a), Value::Function(b)) => a == b,
            // What only a dialect knows cannot be looked into.
            (Value::Other(_), Value::Other(_)) => true,
            _ => false,
        }
    }

    /// How the lists, of `what`, differ.
    fn lists(self, what: fmt::Arguments<'_>, before: &[Value], after: &[Value]) -> Option<Verdict> {
        if before.len() != after.len() {
            return Some(Verdict::Differs(format!("{what}: {} values become {}", before.len(), after.len())));
        }
        let at = before.iter().zip(after).position(|(before, after)| !self.values(before, after))?;
        if is_opaque(&before[at]) || is_opaque(&after[at]) {
            return Some(Verdict::Unknown("unsupported: a look into a value that only a dialect knows".to_owned()));
        }
        Some(Verdict::Differs(format!("{what} #{at}: {} becomes {}", show(&before[at]), show(&after[at]))))
    }
}

fn is_opaque(value: &Value) -> bool {
    match value {
        Value::Other(_) => true,
        Value::Array(array) => array.elements().iter().any(is_opaque),
        _ => false,
    }
}

/// Whether `after` may stand for `before`.
pub fn compare(before: &Observation, after: &Observation, close: Closeness) -> Verdict {
    match (&before.ending, &after.ending) {
        (Ending::Undefined(_), _) => return Verdict::Free,
        (Ending::Unknown(why), _) | (_, Ending::Unknown(why)) => return Verdict::Unknown(why.clone()),
        (_, Ending::Undefined(why)) => return Verdict::Differs(format!("it ends in undefined behaviour: {why}")),
        (Ending::Aborted(a), Ending::Aborted(b)) if a == b => {}
        (Ending::Values(a), Ending::Values(b)) => {
            if let Some(verdict) = close.lists(format_args!("result"), a, unpacked(a, b)) {
                return verdict;
            }
        }
        (a, b) => return Verdict::Differs(format!("the end {a:?} becomes {b:?}")),
    }
    if before.events.len() != after.events.len() {
        let (a, b) = (before.events.len(), after.events.len());
        return Verdict::Differs(format!("{a} unknown operations run before, {b} after"));
    }
    for (a, b) in before.events.iter().zip(&after.events) {
        if a.name != b.name {
            return Verdict::Differs(format!("'{}' runs instead of '{}'", b.name, a.name));
        }
        let what = format_args!("what '{}' is given", a.name);
        if let Some(verdict) = close.lists(what, &a.values, &b.values) {
            return verdict;
        }
    }
    if before.printed != after.printed {
        return Verdict::Differs(format!("it prints {:?} instead of {:?}", after.printed, before.printed));
    }
    for (name, held) in &before.memory {
        let Some((_, now)) = after.memory.iter().find(|(other, _)| other == name) else { continue };
        if !close.values(held, now) {
            return Verdict::Differs(format!("{name} holds {} instead of {}", show(now), show(held)));
        }
    }
    Verdict::Same
}

/// Several results become one struct on the way to the `llvm` dialect.
fn unpacked<'v>(before: &[Value], after: &'v [Value]) -> &'v [Value] {
    match after {
        [Value::Array(fields)] if before.len() > 1 && fields.elements().len() == before.len() => fields.elements(),
        _ => after,
    }
}

/// At most 24 elements of it.
pub(crate) fn show(value: &Value) -> String {
    let Value::Array(array) = value else { return value.to_string() };
    let elements: Vec<String> = array.elements().iter().take(24).map(show).collect();
    format!("{:?} [{}]", array.shape(), elements.join(", "))
}
