//! The functions that are called, as text. They are private, and linked once.

use dl_ir::symbol::SymbolTable;
use dl_ir::{Arena, Loc, OpRef, Rewriter, TypeRef, walk};

/// `b^p` of integers by squaring. Negative powers are zero but of 1 and -1, and a division by zero of 0.
const INTEGER_POWER: &str = "
func.func private @NAME(%b: $0, %p: $0) -> $0 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
  %zero = arith.constant 0 : $0
  %one = arith.constant 1 : $0
  %minus_one = arith.constant -1 : $0
  %p_zero = arith.cmpi eq, %p, %zero : $0
  cf.cond_br %p_zero, ^to_zero, ^not_to_zero
^to_zero:
  return %one : $0
^not_to_zero:
  %p_negative = arith.cmpi sle, %p, %zero : $0
  cf.cond_br %p_negative, ^negative, ^loop(%one, %b, %p : $0, $0, $0)
^negative:
  %b_zero = arith.cmpi eq, %b, %zero : $0
  cf.cond_br %b_zero, ^of_zero, ^not_of_zero
^of_zero:
  %undefined = arith.divsi %one, %zero : $0
  return %undefined : $0
^not_of_zero:
  %b_one = arith.cmpi eq, %b, %one : $0
  cf.cond_br %b_one, ^of_one, ^not_of_one
^of_one:
  return %one : $0
^not_of_one:
  %b_minus_one = arith.cmpi eq, %b, %minus_one : $0
  cf.cond_br %b_minus_one, ^of_minus_one, ^less_than_one
^of_minus_one:
  %p_bit = arith.andi %p, %one : $0
  %p_odd = arith.cmpi ne, %p_bit, %zero : $0
  cf.cond_br %p_odd, ^odd, ^even
^odd:
  return %minus_one : $0
^even:
  return %one : $0
^less_than_one:
  return %zero : $0
^loop(%result: $0, %base: $0, %power: $0):
  %bit = arith.andi %power, %one : $0
  %is_odd = arith.cmpi ne, %bit, %zero : $0
  cf.cond_br %is_odd, ^multiply, ^halve(%result : $0)
^multiply:
  %product = arith.muli %result, %base : $0
  cf.br ^halve(%product : $0)
^halve(%next: $0):
  %half = arith.shrui %power, %one : $0
  %done = arith.cmpi eq, %half, %zero : $0
  cf.cond_br %done, ^end, ^square
^end:
  return %next : $0
^square:
  %squared = arith.muli %base, %base : $0
  cf.br ^loop(%next, %squared, %half : $0, $0, $0)
}
";

/// `b^p` of a float and an integer by squaring. The least integer has no opposite: its power is that of the greatest, times `b`.
const FLOAT_POWER: &str = "
func.func private @NAME(%b: $0, %p: $1) -> $0 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
  %one = arith.constant 1.0 : $0
  %p_0 = arith.constant 0 : $1
  %p_1 = arith.constant 1 : $1
  %p_min = arith.constant MIN : $1
  %p_max = arith.constant MAX : $1
  %p_zero = arith.cmpi eq, %p, %p_0 : $1
  cf.cond_br %p_zero, ^to_zero, ^not_to_zero
^to_zero:
  return %one : $0
^not_to_zero:
  %is_negative = arith.cmpi sle, %p, %p_0 : $1
  %is_min = arith.cmpi eq, %p, %p_min : $1
  %opposite = arith.subi %p_0, %p : $1
  %positive = arith.select %is_negative, %opposite, %p : $1
  %start = arith.select %is_min, %p_max, %positive : $1
  cf.br ^loop(%one, %b, %start : $0, $0, $1)
^loop(%result: $0, %base: $0, %power: $1):
  %bit = arith.andi %power, %p_1 : $1
  %is_odd = arith.cmpi ne, %bit, %p_0 : $1
  cf.cond_br %is_odd, ^multiply, ^halve(%result : $0)
^multiply:
  %product = arith.mulf %result, %base : $0
  cf.br ^halve(%product : $0)
^halve(%next: $0):
  %half = arith.shrui %power, %p_1 : $1
  %done = arith.cmpi eq, %half, %p_0 : $1
  cf.cond_br %done, ^exit(%next : $0), ^square
^square:
  %squared = arith.mulf %base, %base : $0
  cf.br ^loop(%next, %squared, %half : $0, $0, $1)
^exit(%power_of: $0):
  cf.cond_br %is_min, ^once_more, ^invert(%power_of : $0)
^once_more:
  %more = arith.mulf %power_of, %b : $0
  cf.br ^invert(%more : $0)
^invert(%upright: $0):
  cf.cond_br %is_negative, ^inverse, ^end(%upright : $0)
^inverse:
  %inverted = arith.divf %one, %upright : $0
  cf.br ^end(%inverted : $0)
^end(%last: $0):
  return %last : $0
}
";

/// The number of zero bits before the first one: how often a number can be shifted left until it is negative.
const LEADING_ZEROS: &str = "
func.func private @NAME(%x: $0) -> $0 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
  %width = arith.constant WIDTH : $0
  %zero = arith.constant 0 : $0
  %is_zero = arith.cmpi eq, %x, %zero : $0
  %count = scf.if %is_zero -> ($0) {
    scf.yield %width : $0
  } else {
    %first = arith.constant 1 : index
    %one = arith.constant 1 : $0
    %end = arith.constant WIDTH : index
    %none = arith.constant 0 : $0
    %last:2 = scf.for %i = %first to %end step %first iter_args(%shifted = %x, %n = %none) -> ($0, $0) {
      %is_negative = arith.cmpi slt, %shifted, %zero : $0
      %next:2 = scf.if %is_negative -> ($0, $0) {
        scf.yield %shifted, %n : $0, $0
      } else {
        %more = arith.addi %n, %one : $0
        %left = arith.shli %shifted, %one : $0
        scf.yield %left, %more : $0, $0
      }
      scf.yield %next#0, %next#1 : $0, $0
    }
    scf.yield %last#1 : $0
  }
  return %count : $0
}
";

/// A function for operands of some types.
pub(super) struct Function {
    name: String,
    text: String,
}

impl Function {
    /// That for an operation on scalars; `None` where its operands are of other types than numbers.
    pub(super) fn of(operation: &str, types: &[TypeRef<'_>]) -> Option<Self> {
        let names: Vec<String> = types.iter().map(ToString::to_string).collect();
        let width = types.last()?.int_width()?;
        let (name, text) = match operation {
            "math.ipowi" => (format!("__mlir_math_ipowi_{}", names[0]), INTEGER_POWER.to_owned()),
            "math.fpowi" => {
                let (least, greatest) = extremes(width);
                let text = FLOAT_POWER.replace("MIN", &least).replace("MAX", &greatest).replace("$1", &names[1]);
                (format!("__mlir_math_fpowi_{}_{}", names[0], names[1]), text)
            }
            "math.ctlz" => {
                let text = LEADING_ZEROS.replace("WIDTH : $0", &format!("{} : $0", wrapped(width)));
                (format!("__mlir_math_ctlz_{}", names[0]), text.replace("WIDTH", &width.to_string()))
            }
            _ => return None,
        };
        let text = text.replace("NAME", &name).replace("$0", &names[0]);
        Some(Self { name, text })
    }

    /// Its name.
    pub(super) fn name(&self) -> String {
        self.name.clone()
    }

    /// Defines it at the end of the module.
    ///
    /// # Panics
    /// When the text of a function here is wrong.
    pub(super) fn define(&self, rw: &mut Rewriter<'_>) {
        let cx = rw.cx();
        let source = cx.add_source("math-to-funcs", self.text.as_bytes());
        let mut parsed = dl_ir::text::parse_source(cx, &source).expect("the text of a function is right").module;
        let found = SymbolTable::new(OpRef::root(cx, &parsed)).get(&self.name).map(|op| op.id());
        let function = found.expect("the text defines the function");
        let mut body = Rewriter::new(cx, &mut parsed).take_child(function).expect("functions are isolated");
        let loc = rw.op(Arena::ROOT).loc();
        forget_source(cx, &mut body, loc);
        if let Some(block) = rw.op(Arena::ROOT).region(0).entry() {
            let block = block.id();
            rw.set_insertion_to_end(block);
        }
        rw.insert_child(body, &[], &[]);
    }
}

/// Gives all operations one location.
fn forget_source(cx: &dl_ir::Context, ir: &mut Arena, loc: Loc) {
    for op in walk::ops_in_arena(ir, Arena::ROOT) {
        Rewriter::new(cx, ir).set_loc(op, loc);
    }
    Rewriter::new(cx, ir).forget_arg_locs();
}

/// The number of bits, as an integer of so many bits can hold it.
fn wrapped(width: u32) -> u64 {
    if width < 32 { u64::from(width) & ((1 << width) - 1) } else { u64::from(width) }
}

/// The least and the greatest signed integer of a width.
fn extremes(width: u32) -> (String, String) {
    let least = dl_ir::number::ApInt::min_signed(width);
    let greatest = dl_ir::number::ApInt::max_signed(width);
    let text = |value: &dl_ir::number::ApInt| {
        let mut text = String::new();
        value.write_signed(&mut text);
        text
    };
    (text(&least), text(&greatest))
}
