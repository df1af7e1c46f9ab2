//! Globals as bytes.

use cranelift_module::DataDescription;
use dl_ir::attributes::DenseElement;
use dl_ir::{AttrData, AttrRef, Diagnostic, OpRef, RegionRef, TypeRef};
use dl_llvm::{layout, types as llvm};

use crate::constants::is_plain;
use crate::function::{INVALID, Outcome, unsupported};
use crate::unit::Unit;

/// The least alignment of a global: a vector register.
const ALIGNMENT: u64 = 16;
/// The largest global: what code reaches from anywhere in its own module.
const LARGEST: u64 = (1 << 31) - 1;

/// A global as data: its bytes, and the addresses in it.
///
/// # Errors
/// What is not supported, at its place.
pub(crate) fn contents<'a>(unit: &mut Unit<'a>, op: OpRef<'a>) -> Result<DataDescription, Diagnostic> {
    let refuse = |what: String| unsupported(op, &what);
    let ty = op.attr("global_type").and_then(AttrRef::as_type);
    let ty = ty.ok_or_else(|| refuse(INVALID.to_owned()))?;
    let size = layout::size(ty).map_err(refuse)?;
    if size > LARGEST {
        return Err(refuse(format!("a global of {size} bytes")));
    }
    let size = size as usize;
    let mut data = DataDescription::new();
    let alignment = op.attr("alignment").and_then(AttrRef::as_int).unwrap_or(0).max(0).unsigned_abs();
    let alignment = alignment.max(ALIGNMENT);
    if !alignment.is_power_of_two() || alignment > 4096 {
        return Err(refuse(format!("a global that is aligned to {alignment} bytes")));
    }
    data.set_align(alignment);
    if let Some(value) = op.attr("value") {
        let is_zero = matches!(value.data(), AttrData::DenseElements { data, .. }
            if data.is_splat() && data.bytes().iter().all(|&byte| byte == 0));
        if is_zero {
            data.define_zeroinit(size);
            return Ok(data);
        }
        let mut bytes = bytes_of(value, ty).map_err(refuse)?;
        bytes.resize(size, 0);
        data.define(bytes.into());
        return Ok(data);
    }
    let initial = Initializer { unit, data: &mut data, bytes: vec![0; size] }.run(op)?;
    data.define(initial.into());
    Ok(data)
}

/// The bytes of type `ty` that an attribute stands for.
pub(crate) fn bytes_of(value: AttrRef<'_>, ty: TypeRef<'_>) -> Outcome<Vec<u8>> {
    let size = usize::try_from(layout::size(ty)?).map_err(|_| INVALID)?;
    let mut bytes = vec![0; size];
    write(value, ty, &mut bytes)?;
    Ok(bytes)
}

fn write(value: AttrRef<'_>, ty: TypeRef<'_>, out: &mut [u8]) -> Outcome<()> {
    let cx = ty.cx();
    let refuse = || format!("the constant {value} of type '{ty}'");
    match value.data() {
        AttrData::Unit => Ok(()),
        AttrData::Integer { value: number, .. } => {
            let number = match ty.int_width() {
                Some(width) if width != number.width() => number.sext_or_trunc(width),
                _ => number.clone(),
            };
            let mut bytes = Vec::new();
            number.write_le_bytes(&mut bytes);
            put(out, 0, &bytes).ok_or_else(refuse)
        }
        AttrData::Float { .. } => put(out, 0, &value.number_bytes().ok_or_else(refuse)?).ok_or_else(refuse),
        AttrData::String { value: text, .. } => put(out, 0, text).ok_or_else(refuse),
        AttrData::Array(_) => {
            let elements: Vec<AttrRef<'_>> = value.elements().collect();
            if let Some(members) = llvm::struct_members(ty) {
                for (at, (&element, &member)) in elements.iter().zip(&members).enumerate() {
                    let start = layout::member(ty, at)?.1 as usize;
                    write(element, cx.ty(member), out.get_mut(start..).ok_or_else(refuse)?)?;
                }
                return Ok(());
            }
            let (element, _) = llvm::array_parts(ty).ok_or_else(refuse)?;
            let step = layout::size(cx.ty(element))? as usize;
            for (at, &part) in elements.iter().enumerate() {
                write(part, cx.ty(element), out.get_mut(at * step..).ok_or_else(refuse)?)?;
            }
            Ok(())
        }
        AttrData::DenseResource { key, .. } => {
            let resource = cx.resource(*key).ok_or_else(refuse)?;
            put(out, 0, &resource.data).ok_or_else(refuse)
        }
        AttrData::DenseElements { ty: own, data } => {
            if is_plain(value, ty) && !data.is_splat() && data.bytes().len() == out.len() {
                out.copy_from_slice(data.bytes());
                return Ok(());
            }
            let element = cx.ty(*own).element_type().and_then(DenseElement::of).ok_or_else(refuse)?;
            let numbers = element.count as usize;
            let (count, size) = (cx.ty(*own).num_elements().ok_or_else(refuse)? as usize, element.bytes() / numbers);
            let mut at = 0;
            spread(ty, &mut 0, &mut |start, leaf| {
                // A complex number is two.
                let (index, part) = (at / numbers, at % numbers);
                let whole = if index < count { data.element(index, element.bytes()) } else { &[] };
                let bytes = whole.get(part * size..(part + 1) * size).unwrap_or_default();
                at += 1;
                // Truth values of a vector are bits.
                match start {
                    Place::Byte(start) => {
                        let size = (leaf as usize).min(bytes.len());
                        put(out, start, &bytes[..size])
                    }
                    Place::Bit(bit) => {
                        let byte = out.get_mut(bit / 8)?;
                        *byte |= (bytes.first()? & 1) << (bit % 8);
                        Some(())
                    }
                }
            })?
            .ok_or_else(refuse)
        }
        _ => Err(refuse()),
    }
}

/// Where a number lies.
enum Place {
    Byte(usize),
    Bit(usize),
}

/// Calls `visit` for each number in a value of type `ty`, with its place and its size in bytes.
fn spread(ty: TypeRef<'_>, start: &mut usize, visit: &mut dyn FnMut(Place, u64) -> Option<()>) -> Outcome<Option<()>> {
    let cx = ty.cx();
    let base = *start;
    if let Some((element, count)) = llvm::array_parts(ty) {
        let step = layout::size(cx.ty(element))? as usize;
        for at in 0..count as usize {
            if spread(cx.ty(element), &mut (base + at * step), visit)?.is_none() {
                return Ok(None);
            }
        }
        return Ok(Some(()));
    }
    if let Some(members) = llvm::struct_members(ty) {
        for (at, &member) in members.iter().enumerate() {
            let mut inner = base + layout::member(ty, at)?.1 as usize;
            if spread(cx.ty(member), &mut inner, visit)?.is_none() {
                return Ok(None);
            }
        }
        return Ok(Some(()));
    }
    if let Some(element) = ty.element_type().filter(|_| ty.is_vector()) {
        let count = ty.num_elements().ok_or(INVALID)? as usize;
        let size = layout::size(element)?;
        let is_bit = element.is_integer_of(1);
        for at in 0..count {
            let place = if is_bit { Place::Bit(8 * base + at) } else { Place::Byte(base + at * size as usize) };
            if visit(place, size).is_none() {
                return Ok(None);
            }
        }
        return Ok(Some(()));
    }
    Ok(visit(Place::Byte(base), layout::size(ty)?))
}

fn put(out: &mut [u8], at: usize, bytes: &[u8]) -> Option<()> {
    out.get_mut(at..at + bytes.len())?.copy_from_slice(bytes);
    Some(())
}

/// The region that makes the initial value of a global, run here: constants put together, and addresses.
struct Initializer<'u, 'a, 'd> {
    unit: &'u mut Unit<'a>,
    data: &'d mut DataDescription,
    bytes: Vec<u8>,
}

impl<'a> Initializer<'_, 'a, '_> {
    fn run(mut self, global: OpRef<'a>) -> Result<Vec<u8>, Diagnostic> {
        let mut ops = global.regions().flat_map(RegionRef::ops);
        let last = ops.find(|op| op.name() == "llvm.return" && op.num_operands() == 1);
        let value = last.and_then(|last| last.operand(0).defining_op());
        let value = value.ok_or_else(|| unsupported(global, INVALID))?;
        self.place(value, 0)?;
        Ok(self.bytes)
    }

    /// Puts what `op` defines at byte `at`. Insertions are a chain, which is followed without recursion.
    fn place(&mut self, op: OpRef<'a>, at: usize) -> Result<(), Diagnostic> {
        let mut chain = Vec::new();
        let mut current = op;
        while current.name() == "llvm.insertvalue" {
            chain.push(current);
            let Some(before) = current.operand(0).defining_op() else { break };
            current = before;
        }
        self.place_one(current, at)?;
        for insert in chain.into_iter().rev() {
            let refuse = |what: String| unsupported(insert, &what);
            let mut ty = insert.result(0).ty();
            let mut offset = at;
            for index in insert.attr("position").into_iter().flat_map(AttrRef::dense_ints) {
                let cx = ty.cx();
                if let Some((element, _)) = llvm::array_parts(ty) {
                    ty = cx.ty(element);
                    offset += layout::size(ty).map_err(refuse)? as usize * index as usize;
                } else {
                    let (member, start) = layout::member(ty, index as usize).map_err(refuse)?;
                    (ty, offset) = (cx.ty(member), offset + start as usize);
                }
            }
            let value = insert.operand(1).defining_op();
            self.place(value.ok_or_else(|| unsupported(insert, INVALID))?, offset)?;
        }
        Ok(())
    }

    fn place_one(&mut self, op: OpRef<'a>, at: usize) -> Result<(), Diagnostic> {
        let refuse = |what: String| unsupported(op, &what);
        match op.name() {
            "llvm.mlir.zero" | "llvm.mlir.undef" | "llvm.mlir.poison" => Ok(()),
            "llvm.mlir.constant" => {
                let value = op.attr("value").ok_or_else(|| refuse(INVALID.to_owned()))?;
                let bytes = bytes_of(value, op.result(0).ty()).map_err(refuse)?;
                put(&mut self.bytes, at, &bytes).ok_or_else(|| refuse(INVALID.to_owned()))
            }
            "llvm.mlir.addressof" => {
                let name = op.attr("global_name").and_then(AttrRef::as_flat_symbol).unwrap_or_default();
                if let Ok((id, _)) = self.unit.declared(name) {
                    let function = self.unit.module.declare_func_in_data(id, self.data);
                    self.data.write_function_addr(at as u32, function);
                    return Ok(());
                }
                let id = self.unit.data_id(name).ok_or_else(|| refuse(INVALID.to_owned()))?;
                let global = self.unit.module.declare_data_in_data(id, self.data);
                self.data.write_data_addr(at as u32, global, 0);
                Ok(())
            }
            other => Err(refuse(format!("'{other}' in the initial value of a global"))),
        }
    }
}
