//! Functions that can be called, and what they take and return.

use std::fmt;

use dl_dl::interface::{self, Port};
use dl_ir::diagnostics::did_you_mean;
use dl_ir::interfaces::FunctionOp;
use dl_ir::types::{DYNAMIC, FloatKind, Signedness, TypeData};
use dl_ir::{Diagnostic, Diagnostics, Loc, OpRef, RegionRef, Type, TypeRef};
use dl_runtime::call::EntryPoint;
use dl_runtime::{ArgType, Array, DType, Signature};
use dl_tools_support::messages;

/// A function to call.
pub(crate) struct Entry {
    /// Its name.
    pub(crate) name: String,
    /// Its type, as it is before it is lowered.
    pub(crate) signature: Signature,
    /// What its arguments and results are called outside; empty where the program does not say.
    pub(crate) inputs: Vec<String>,
    pub(crate) results: Vec<String>,
    /// Whether each argument is a memref, which the function may write to.
    is_memref: Vec<bool>,
    /// Whether the elements of each argument are integers of which nothing says whether they have a sign.
    is_signless: Vec<bool>,
}

/// What a function says of an argument or result, by its number.
type PortOf = fn(OpRef<'_>, usize) -> Port<'_>;

impl Entry {
    /// The function `name` of a module. Without a name, its only one, else `main`.
    ///
    /// # Errors
    /// That there is no such function, or that it takes or returns what cannot be handed over.
    pub(crate) fn find(module: OpRef<'_>, name: Option<&str>) -> Result<Self, Diagnostics> {
        let callable: Vec<_> = module
            .regions()
            .flat_map(RegionRef::ops)
            .filter(|op| is_callable(*op))
            .filter_map(|op| Some((op.symbol_name()?, op)))
            .collect();
        let names: Vec<_> = callable.iter().map(|&(name, _)| name).collect();
        let known = match names.as_slice() {
            [] => "the program defines no public function".to_owned(),
            names => format!("the program defines {}", names.join(", ")),
        };
        let found = match name {
            Some(wanted) => callable.iter().find(|(name, _)| *name == wanted),
            None if callable.len() == 1 => callable.first(),
            None => callable.iter().find(|(name, _)| *name == "main"),
        };
        match (found, name) {
            (Some(&(name, op)), _) => Self::of(name, op).map_err(Into::into),
            (None, Some(name)) => {
                let hint = did_you_mean(name, names);
                let error = Diagnostic::error(Loc::UNKNOWN, format!("no public function '{name}'{hint}"));
                Err(error.note(Loc::UNKNOWN, known).into())
            }
            (None, None) => {
                let error = Diagnostic::error(Loc::UNKNOWN, "expected '--entry=NAME'");
                Err(error.note(Loc::UNKNOWN, known).into())
            }
        }
    }

    fn of(name: &str, op: OpRef<'_>) -> Result<Self, Diagnostic> {
        let cx = op.cx();
        let function = op.interface::<dyn FunctionOp>();
        let inputs = function.map(|function| function.inputs(op)).unwrap_or_default();
        let results = function.map(|function| function.results(op)).unwrap_or_default();
        let convert = |what: &str, types: &[Type], port: PortOf| {
            let convert = |(i, &ty): (usize, &Type)| {
                let (number, ty) = (i + 1, cx.ty(ty));
                let mut arg =
                    arg_type(ty).ok_or_else(|| refuse(op, format_args!("{what} {number} of '{name}'"), ty))?;
                if port(op, i).unsigned {
                    make_unsigned(&mut arg);
                }
                Ok(arg)
            };
            types.iter().enumerate().map(convert).collect::<Result<Vec<_>, _>>()
        };
        let signature = Signature {
            inputs: convert("argument", &inputs, interface::argument)?,
            results: convert("result", &results, interface::result)?,
        };
        let is_signless = |(at, &ty): (usize, &Type)| {
            cx.ty(ty).element_or_self().is_signless_integer() && interface::argument(op, at).name.is_none()
        };
        let names = |count: usize, port: PortOf| {
            (0..count).map(|at| port(op, at).name.unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        Ok(Self {
            name: name.to_owned(),
            inputs: names(inputs.len(), interface::argument),
            results: names(results.len(), interface::result),
            signature,
            is_memref: inputs.iter().map(|&ty| cx.ty(ty).is_memref()).collect(),
            is_signless: inputs.iter().enumerate().map(is_signless).collect(),
        })
    }

    /// What a back end needs to know of it to make it callable.
    pub(crate) fn point(&self) -> EntryPoint {
        EntryPoint { name: self.name.clone(), signature: self.signature.clone() }
    }

    /// Checks the number of outputs that are asked for, if any are.
    ///
    /// # Errors
    /// That it is not the number of values there are.
    pub(crate) fn check_output_count(&self, outputs: usize) -> Result<(), Diagnostics> {
        let results = &self.signature.results;
        let values = if results.is_empty() { self.memref_arguments().count() } else { results.len() };
        if outputs == 0 || outputs == values {
            return Ok(());
        }
        let types: Vec<String> = results.iter().map(ToString::to_string).collect();
        let what = match (values, results.is_empty()) {
            (0, _) => "no outputs".to_owned(),
            (1, true) => "1 output (its memref argument)".to_owned(),
            (_, true) => format!("{values} outputs (its memref arguments)"),
            (1, false) => format!("1 output ({})", types.join(", ")),
            (_, false) => format!("{values} outputs ({})", types.join(", ")),
        };
        Err(messages::error(format!("function '{}': expected {what}, got {outputs}", self.name)))
    }

    /// Takes unsigned arrays where the type says nothing of a sign, and bytes for floats of 8 bits, which files do not tell apart.
    pub(crate) fn accept_unsigned(&mut self, arguments: &[Array]) {
        let expected = self.signature.inputs.iter_mut().zip(&self.is_signless);
        for ((expected, &is_signless), argument) in expected.zip(arguments) {
            let (ArgType::MemRef { dtype, .. } | ArgType::Scalar(dtype)) = expected;
            let is_unsigned = is_signless && unsigned(*dtype) == Some(argument.dtype());
            if is_unsigned || argument.dtype() == DType::U8 && dtype.is_f8() {
                *dtype = argument.dtype();
            }
        }
    }

    /// The values to hand out after a call: the results, or those memref arguments that a function without results may have
    /// written to.
    pub(crate) fn values_after_call(&self, results: Vec<Array>, arguments: Vec<Array>) -> Vec<Array> {
        if !self.signature.results.is_empty() {
            return results;
        }
        let is_memref: Vec<bool> = self.is_memref.clone();
        arguments.into_iter().zip(is_memref).filter_map(|(array, memref)| memref.then_some(array)).collect()
    }

    fn memref_arguments(&self) -> impl Iterator<Item = usize> {
        self.is_memref.iter().enumerate().filter_map(|(i, &memref)| memref.then_some(i))
    }
}

/// Whether `op` is a function that can be called from outside. The C wrapper of another function is none.
fn is_callable(op: OpRef<'_>) -> bool {
    let is_wrapper = op.symbol_name().is_some_and(|name| name.starts_with("_mlir_ciface_"));
    let can_be = op.visibility() == "public" && !is_wrapper;
    can_be && op.interface::<dyn FunctionOp>().is_some_and(|function| !function.is_declaration(op))
}

/// That `what` has a type that cannot be handed over.
fn refuse(op: OpRef<'_>, what: fmt::Arguments<'_>, ty: TypeRef<'_>) -> Diagnostic {
    let message = format!("unsupported: {what} has type '{ty}', which cannot be handed over");
    let error = Diagnostic::error(op.loc(), message);
    if !ty.is_dialect_type("llvm.ptr") && !ty.is_dialect_type("llvm.struct") {
        return error;
    }
    error.note(
        Loc::UNKNOWN,
        "a lowered function does not say what its pointers point to; run the program as it was before",
    )
}

/// How a value of this type is handed over; `None` if it cannot be.
fn arg_type(ty: TypeRef<'_>) -> Option<ArgType> {
    match ty.data() {
        TypeData::RankedTensor { shape, element, encoding: None } => memref(ty.cx().ty(*element), shape),
        TypeData::MemRef { shape, element, layout: None, space: None } => memref(ty.cx().ty(*element), shape),
        _ => dtype(ty).map(ArgType::Scalar),
    }
}

fn memref(element: TypeRef<'_>, shape: &[i64]) -> Option<ArgType> {
    let extent = |&extent: &i64| {
        if extent == DYNAMIC { Some(None) } else { usize::try_from(extent).ok().map(Some) }
    };
    let shape = shape.iter().map(extent).collect::<Option<_>>()?;
    Some(ArgType::MemRef { dtype: dtype(element)?, shape })
}

/// The element type of arrays that stands for a scalar type. Integers without a sign are signed.
fn dtype(ty: TypeRef<'_>) -> Option<DType> {
    let unsigned = matches!(ty.data(), TypeData::Integer { signedness: Signedness::Unsigned, .. });
    Some(match (ty.int_width(), unsigned) {
        (Some(1), _) => DType::Bool,
        (Some(8), false) => DType::I8,
        (Some(16), false) => DType::I16,
        (Some(32), false) => DType::I32,
        (Some(64), false) => DType::I64,
        (Some(8), true) => DType::U8,
        (Some(16), true) => DType::U16,
        (Some(32), true) => DType::U32,
        (Some(64), true) => DType::U64,
        (Some(_), _) => return None,
        (None, _) if ty.is_index() => DType::I64,
        (None, _) => match ty.float_kind()? {
            FloatKind::F8E4M3FN => DType::F8E4M3FN,
            FloatKind::F8E4M3FNUZ => DType::F8E4M3FNUZ,
            FloatKind::F8E5M2 => DType::F8E5M2,
            FloatKind::F8E5M2FNUZ => DType::F8E5M2FNUZ,
            FloatKind::F16 => DType::F16,
            FloatKind::BF16 => DType::BF16,
            FloatKind::F32 => DType::F32,
            FloatKind::F64 => DType::F64,
            _ => return None,
        },
    })
}

/// Integers that turn out to be unsigned.
fn make_unsigned(arg: &mut ArgType) {
    let (ArgType::MemRef { dtype, .. } | ArgType::Scalar(dtype)) = arg;
    *dtype = unsigned(*dtype).unwrap_or(*dtype);
}

/// The unsigned type of the same size.
fn unsigned(dtype: DType) -> Option<DType> {
    match dtype {
        DType::I8 => Some(DType::U8),
        DType::I16 => Some(DType::U16),
        DType::I32 => Some(DType::U32),
        DType::I64 => Some(DType::U64),
        _ => None,
    }
}
