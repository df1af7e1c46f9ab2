//! The types of a function's values, and how what was drawn for one type is handed to a function that a pass gave another.

use std::collections::BTreeMap;

use dl_ir::interfaces::{CallOp, Callee, FunctionOp};
use dl_ir::interp::{Array, Cells, Lifetime, MemRef, Memory, Odometer, Shape, Value, num_elements, row_major};
use dl_ir::{Context, DYNAMIC, Loc, OpRef, Type, TypeRef, walk};
use dl_llvm::types::struct_members;

use crate::draw::Draw;
use crate::observe::snapshot;
use crate::refine::show;

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Types of the arguments.
    pub args: Vec<Type>,
    /// Types of the results.
    pub results: Vec<Type>,
    /// Whether arguments of one type are the same memory now and then.
    pub aliased: bool,
    /// Whether operations of unknown meaning may write to memory that they are handed: not in a function with a clone, which it may share memory with, also
    /// where the clone is gone afterwards.
    pub written: bool,
    /// What the functions that are called answer, by name. Without an entry it is what a call has as results.
    pub called: BTreeMap<String, Vec<Type>>,
}

impl Signature {
    /// That of `function`. Without a body there are no arguments.
    pub fn of(function: OpRef<'_>) -> Self {
        let interface = function.interface::<dyn FunctionOp>();
        Self {
            args: function
                .region(0)
                .entry()
                .into_iter()
                .flat_map(|block| block.args())
                .map(|arg| arg.ty().id())
                .collect(),
            results: interface.map(|interface| interface.results(function).to_vec()).unwrap_or_default(),
            aliased: true,
            written: !walk::pre_order(function).any(|op| op.name() == "bufferization.clone"),
            called: BTreeMap::new(),
        }
    }

    /// That of `function` of `root` before a pass, which may take different arguments for different memory, as MLIR's analysis of affine
    /// accesses does, and may give all functions other types.
    pub(crate) fn before_pass(root: OpRef<'_>, function: OpRef<'_>) -> Self {
        let called = walk::pre_order(root).filter_map(|op| {
            let Callee::Symbol(callee) = op.interface::<dyn CallOp>()?.callee(op)? else { return None };
            let results = op.results().iter().map(|result| result.ty().id()).collect();
            Some((callee.as_flat_symbol()?.to_owned(), results))
        });
        Self { aliased: false, called: called.collect(), ..Self::of(function) }
    }
}

/// What a function answers to the call `at`: `values` of types `then`, as the results that the call has now.
///
/// # Errors
/// That there is no way from one type to the other.
pub(crate) fn answers(
    values: Vec<Value>,
    then: &[Type],
    at: OpRef<'_>,
    memory: &mut Memory,
) -> Result<Vec<Value>, String> {
    let cx = at.cx();
    let adapted = |values: Vec<Value>, now: &[TypeRef<'_>], memory: &mut Memory| -> Result<Vec<Value>, String> {
        let types = then.iter().map(|&ty| cx.ty(ty)).zip(now);
        values.into_iter().zip(types).map(|(value, (then, &now))| adapt(value, then, now, memory)).collect()
    };
    let now: Vec<TypeRef<'_>> = at.results().iter().map(|result| result.ty()).collect();
    if now.len() == then.len() {
        return adapted(values, &now, memory);
    }
    let members: Option<Vec<TypeRef<'_>>> = match now[..] {
        [one] => struct_members(one).map(|members| members.iter().map(|&ty| cx.ty(ty)).collect()),
        _ => None,
    };
    match members {
        Some(members) if members.len() == then.len() => {
            let members = adapted(values, &members, memory)?;
            Ok(vec![Array::new(&[members.len() as i64], members).into()])
        }
        _ => Err("unsupported: a call with another number of results than before".to_owned()),
    }
}

/// What `function` gets in run number `run`: drawn for the types of `signature`, then brought to those that it has. An argument of a type
/// may be the same memory as the one before it.
///
/// # Errors
/// That there are no such values, or no way from one type to the other.
pub(crate) fn arguments(
    signature: &Signature,
    function: OpRef<'_>,
    run: u64,
    memory: &mut Memory,
) -> Result<Vec<Value>, String> {
    let (mut draw, mut args) = (Draw::new(run), Vec::<Value>::new());
    let now = Signature::of(function).args;
    if now.len() != signature.args.len() {
        return Err("unsupported: a function with another number of arguments than before".to_owned());
    }
    for (at, &then) in signature.args.iter().enumerate() {
        let ty = function.cx().ty(then);
        let alias =
            at.checked_sub(1).filter(|&before| signature.aliased && signature.args[before] == then && run % 8 == 4);
        let alias = alias.map(|before| args[before].clone()).filter(|_| ty.is_memref());
        let value = match alias {
            Some(same) => same,
            None => adapt(draw.value(ty, memory)?, ty, function.cx().ty(now[at]), memory)?,
        };
        args.push(value);
    }
    Ok(args)
}

/// What a function of `signature` is given in run number `run`, as text.
pub(crate) fn given(cx: &Context, signature: &Signature, run: u64) -> Vec<String> {
    let (mut draw, mut memory) = (Draw::new(run), Memory::default());
    let types = signature.args.iter().map(|&ty| cx.ty(ty));
    let shown = types.map(|ty| match draw.value(ty, &mut memory) {
        Ok(value) => show(&snapshot(&value, Some(ty), &memory)),
        Err(why) => why,
    });
    shown.collect()
}

/// `value` of type `then` as one of type `now`: a tensor is put into memory, an index is an integer.
fn adapt(value: Value, then: TypeRef<'_>, now: TypeRef<'_>, memory: &mut Memory) -> Result<Value, String> {
    match &value {
        _ if then == now => Ok(value),
        Value::Array(array) if then.is_ranked_tensor() && now.is_memref() => in_memory(array, now, memory),
        Value::Int(int) if then.is_index() && now.int_width() == Some(int.width()) => Ok(value),
        _ => Err(format!("unsupported: a value of type '{then}' that becomes one of type '{now}'")),
    }
}

/// A buffer of type `ty` that holds what `array` does.
fn in_memory(array: &Array, ty: TypeRef<'_>, memory: &mut Memory) -> Result<Value, String> {
    let shape: Shape = array.shape().into();
    let layout = ty.strided_layout().filter(|_| ty.has_rank()).ok_or("unsupported: a buffer of unknown layout")?;
    let strides: Shape = (layout.strides.iter().zip(&row_major(&shape)))
        .map(|(&known, &packed)| if known == DYNAMIC { packed } else { known })
        .collect();
    let offset = if layout.offset == DYNAMIC { 0 } else { layout.offset };
    let reach = shape.iter().zip(&strides).map(|(&extent, &stride)| (extent.max(1) - 1).checked_mul(stride.max(0)));
    let len = reach.fold(offset.checked_add(1), |sum, part| sum?.checked_add(part?));
    let len = num_elements(&[len.ok_or("unsupported: a buffer so large")?])?;
    let buffer = memory.allocate(len, Lifetime::Heap, Loc::UNKNOWN)?;
    let memref = MemRef { buffer, offset, shape: shape.clone(), strides, cells: Cells::Whole };
    let (mut indices, mut elements) = (Odometer::new(&shape), array.elements().iter());
    while let Some(index) = indices.next() {
        memory.write(&memref, index, elements.next().cloned())?;
    }
    Ok(memref.into())
}
