//! `arith-emulate-wide-int`: integers of twice the supported width, by arithmetic on their halves.

mod arithmetic;
mod casts;
mod constant;
mod halves;
mod shifts;

use std::sync::Arc;

use dl_arith::{
    AndIOp, Build, CmpIOp, CmpIPredicate, ExtSIOp, ExtUIOp, IndexCastOp, IndexCastUIOp, OrIOp, SelectOp, XOrIOp,
};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted, TypeConverter,
    convert_function_types,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Context, Diagnostic, OpId, Type, ValueId};

use halves::Halves;

dl_ir::pass_options! {
    /// Options of [`ArithEmulateWideInt`].
    pub struct EmulateWideIntOptions {
        /// Widest integer type supported by the target
        widest_int_supported "widest-int-supported": u32 = 32,
    }
}

/// Makes integers of twice the supported width vectors of two halves, the low one first, in `arith`, `func` and `vector.print`. Wider ones
/// take several runs.
#[derive(Clone, Default)]
pub struct ArithEmulateWideInt {
    /// The options.
    pub options: EmulateWideIntOptions,
}

impl Pass for ArithEmulateWideInt {
    const INFO: PassInfo =
        PassInfo::new("arith-emulate-wide-int", "Emulate 2*N-bit integer operations using N-bit operations")
            .title("ArithEmulateWideInt");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let width = checked_width(cx, self.options.widest_int_supported)?;
        let mut converter = converter(width);
        converter.refuse_casts();
        let converter = Arc::new(converter);
        let (mut patterns, mut target) = (ConversionPatterns::new(), ConversionTarget::new());
        emulate(&converter, width, &mut patterns, &mut target);
        target.legal_dialects(&["vector"]);
        convert_function_types(&["func.func"], &PASSED_ON, &converter, &mut patterns, &mut target);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// Operations that pass values on.
const PASSED_ON: [&str; 3] = ["func.call", "func.return", "vector.print"];

/// The width, if integers of twice as many bits can be emulated.
///
/// # Errors
/// Where it is no power of two.
pub fn checked_width(cx: &PassCx<'_>, width: u32) -> Result<u32, Diagnostic> {
    if width.is_power_of_two() && width > 1 {
        return Ok(width);
    }
    Err(cx
        .root()
        .error("the widest supported integer must have a number of bits that is a power of two, and at least 2"))
}

/// Makes `arith` on integers that `converter` converts illegal, and adds the patterns that emulate it.
pub fn emulate(
    converter: &Arc<TypeConverter>,
    width: u32,
    patterns: &mut ConversionPatterns,
    target: &mut ConversionTarget,
) {
    patterns.add(converter, Wide { width });
    let legal = Arc::clone(converter);
    target.dynamic_dialect("arith", move |op| legal.is_legal_op(op));
}

/// Integers of up to `width` bits stay, those of twice as many become vectors; wider ones have no type. Tensors and memrefs stay. Rules that are
/// added go first.
pub fn converter(width: u32) -> TypeConverter {
    let mut converter = value_converter(width);
    converter.rule(|_, cx, ty| (cx.ty(ty).is_tensor() || cx.ty(ty).is_memref()).then_some(ty));
    converter
}

/// The same without an answer for tensors and memrefs.
pub fn value_converter(width: u32) -> TypeConverter {
    let mut converter = TypeConverter::new();
    converter.rule(move |_, cx, ty| {
        let view = cx.ty(ty);
        if view.is_tensor() || view.is_memref() {
            return None;
        }
        match view.element_or_self().int_width().filter(|_| view.element_or_self().is_integer()) {
            Some(bits) if bits > width => halves_of(cx, ty, bits, width),
            _ => Some(ty),
        }
    });
    converter
}

/// The vector of halves.
fn halves_of(cx: &Context, ty: Type, bits: u32, width: u32) -> Option<Type> {
    let view = cx.ty(ty);
    if bits != 2 * width || view.is_scalable_vector() {
        return None;
    }
    let shape: Vec<i64> = view.shape().unwrap_or_default().iter().copied().chain([2]).collect();
    Some(cx.vector_type(&shape, cx.int_type(width)))
}

/// Any operation of `arith` on wide integers.
struct Wide {
    width: u32,
}

impl ConversionPattern for Wide {
    const NAME: &'static str = "arith-emulate-wide-int";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        if view.info().dialect() != "arith" || view.num_results() != 1 {
            return Err(NoMatch("not an operation of arith with one result"));
        }
        let (name, loc) = (view.name().to_owned(), view.loc());
        let old_type = view.result(0).ty().id();
        let ty = rw.convert_type(old_type)?;
        if name == "arith.constant" {
            let value = constant::halves_of_constant(view, ty).ok_or(NoMatch("unhandled constant attribute"))?;
            rw.replace_with(op, dl_arith::constant_state(cx, value, loc));
            return Ok(());
        }
        let predicate = view.cast::<CmpIOp<'_>>().and_then(|cmp| CmpIPredicate::from_attr(cmp.predicate()));
        let old: Vec<ValueId> = view.operands().ids().into_iter().collect();
        let new: Vec<ValueId> = operands.all().into_iter().collect();
        let is_wide = ty != old_type;
        let of_index = view.num_operands() > 0 && view.operand(0).ty().element_or_self().is_index();
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let mut h = Halves { b: &mut b, width: self.width };
        let h = &mut h;
        let extreme = |h: &mut Halves<'_, '_, '_>, predicate| {
            // Comparison and choice are converted in turn.
            let better = h.compare(predicate, old[0], old[1]);
            h.b.value::<SelectOp<'_>>(&[better, old[0], old[1]], old_type)
        };
        let value = match (name.as_str(), new.as_slice()) {
            ("arith.addi", &[x, y]) => arithmetic::add(h, ty, x, y),
            ("arith.subi", &[x, y]) => arithmetic::sub(h, ty, x, y),
            ("arith.muli", &[x, y]) => arithmetic::mul(h, ty, x, y),
            ("arith.andi", &[x, y]) => arithmetic::bitwise::<AndIOp<'_>>(h, ty, x, y),
            ("arith.ori", &[x, y]) => arithmetic::bitwise::<OrIOp<'_>>(h, ty, x, y),
            ("arith.xori", &[x, y]) => arithmetic::bitwise::<XOrIOp<'_>>(h, ty, x, y),
            ("arith.shli", &[x, y]) => shifts::left(h, ty, x, y),
            ("arith.shrui", &[x, y]) => shifts::right_unsigned(h, ty, x, y),
            ("arith.shrsi", &[x, y]) => shifts::right_signed(h, old_type, [old[0], old[1]], [x, y]),
            ("arith.maxui", _) => extreme(h, CmpIPredicate::Ugt),
            ("arith.maxsi", _) => extreme(h, CmpIPredicate::Sgt),
            ("arith.minui", _) => extreme(h, CmpIPredicate::Ult),
            ("arith.minsi", _) => extreme(h, CmpIPredicate::Slt),
            ("arith.cmpi", &[x, y]) => arithmetic::compare(h, predicate.ok_or(NoMatch("no predicate"))?, x, y),
            ("arith.select", &[condition, x, y]) if is_wide => arithmetic::select(h, ty, condition, x, y),
            ("arith.extsi", &[x]) => casts::extend_signed(h, ty, x),
            ("arith.extui", &[x]) => casts::extend_unsigned(h, ty, x),
            ("arith.trunci", &[x]) if !is_wide => casts::truncate(h, ty, x),
            ("arith.index_cast", &[x]) if of_index => casts::of_index::<IndexCastOp<'_>, ExtSIOp<'_>>(h, old_type, x),
            ("arith.index_castui", &[x]) if of_index => {
                casts::of_index::<IndexCastUIOp<'_>, ExtUIOp<'_>>(h, old_type, x)
            }
            ("arith.index_cast", &[x]) => casts::to_index::<IndexCastOp<'_>>(h, ty, x),
            ("arith.index_castui", &[x]) => casts::to_index::<IndexCastUIOp<'_>>(h, ty, x),
            ("arith.sitofp", _) => casts::signed_to_float(h, ty, old[0]),
            ("arith.uitofp", &[x]) => casts::unsigned_to_float(h, ty, x)?,
            ("arith.fptosi", &[x]) => casts::float_to_signed(h, old_type, x)?,
            ("arith.fptoui", &[x]) => casts::float_to_unsigned(h, ty, x)?,
            _ => return Err(NoMatch("not emulated")),
        };
        rw.replace(op, &[value]);
        Ok(())
    }
}
