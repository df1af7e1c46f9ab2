//! Interfaces.

use dl_ir::interfaces::{BranchOp, CallOp as CallInterface, Callee, FunctionOp, SymbolUser};
use dl_ir::symbol::SymbolTable;
use dl_ir::{Attr, AttrRef, Diagnostic, OpId, OpRef, OpView, Operands, Rewriter, Type, TypeRef, ValueId};
use smallvec::SmallVec;

use crate::{AddressOfOp, AliasOp, CallOp, GlobalOp, IFuncOp, LLVMFuncOp, types};

pub(crate) struct Function;

impl FunctionOp for Function {
    fn inputs(&self, op: OpRef<'_>) -> SmallVec<[Type; 8]> {
        self.function_type(op).and_then(types::func_parts).map(|(_, args, _)| args.into()).unwrap_or_default()
    }

    fn results(&self, op: OpRef<'_>) -> SmallVec<[Type; 4]> {
        let result = self.function_type(op).and_then(types::func_parts).map(|(result, ..)| result);
        result.filter(|&ty| !types::is_void(op.cx().ty(ty))).into_iter().collect()
    }

    fn allows_public_declarations(&self) -> bool {
        true
    }

    fn type_with(&self, op: OpRef<'_>, inputs: &[Type], results: &[Type]) -> Type {
        let cx = op.cx();
        let result = results.first().copied().unwrap_or_else(|| types::void_type(cx));
        let variadic = self.function_type(op).is_some_and(types::is_variadic_func);
        types::func_type(cx, result, inputs, variadic)
    }
}

/// Calls of `llvm.call` and `llvm.invoke`: the callee is a symbol, or the first operand.
pub(crate) struct Call;

impl CallInterface for Call {
    fn callee<'a>(&self, op: OpRef<'a>) -> Option<Callee<'a>> {
        match op.attr("callee") {
            Some(symbol) => Some(Callee::Symbol(symbol)),
            None => op.operand_group(0).get(0).map(Callee::Value),
        }
    }

    fn arguments<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        let operands = op.operand_group(0);
        let skip = usize::from(op.attr("callee").is_none()).min(operands.len());
        operands.slice(skip, operands.len() - skip)
    }
}

/// Branches whose successors have one operand definition each, from number `first` on.
pub(crate) struct Branch {
    pub(crate) first: usize,
}

impl BranchOp for Branch {
    fn successor_operands<'a>(&self, op: OpRef<'a>, index: usize) -> Operands<'a> {
        op.operand_group(self.first + index)
    }

    fn set_successor_operands(&self, rw: &mut Rewriter<'_>, op: OpId, index: usize, values: &[ValueId]) {
        rw.set_operand_group(op, self.first + index, values);
    }

    fn taken_successor(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize> {
        match op.num_successors() {
            1 => Some(0),
            _ if op.is::<crate::CondBrOp<'_>>() => {
                let condition = op.cx().attr(operands.first().copied().flatten()?).as_bool()?;
                Some(usize::from(!condition))
            }
            _ => None,
        }
    }
}

/// Branches whose successors from number `direct` on share an operand definition, which an attribute divides.
pub(crate) struct GroupedBranch {
    /// Successors that have an operand definition of their own: the default of a switch.
    pub(crate) direct: usize,
    /// The operand definition of the first successor.
    pub(crate) first: usize,
    /// The attribute with the lengths.
    pub(crate) sizes: &'static str,
}

impl GroupedBranch {
    /// Where the operands of grouped successor `index` start, and how many there are.
    fn range(&self, op: OpRef<'_>, index: usize) -> (usize, usize) {
        let mut sizes =
            op.attr(self.sizes).into_iter().flat_map(AttrRef::dense_ints).map(|n| usize::try_from(n).unwrap_or(0));
        let start = sizes.by_ref().take(index).sum();
        (start, sizes.next().unwrap_or(0))
    }
}

impl BranchOp for GroupedBranch {
    fn successor_operands<'a>(&self, op: OpRef<'a>, index: usize) -> Operands<'a> {
        if index < self.direct {
            return op.operand_group(self.first + index);
        }
        let all = op.operand_group(self.first + self.direct);
        let (start, len) = self.range(op, index - self.direct);
        if start + len <= all.len() { all.slice(start, len) } else { all.slice(0, 0) }
    }

    fn all_successor_operands<'a>(&self, op: OpRef<'a>) -> SmallVec<[Operands<'a>; 2]> {
        let direct = (0..self.direct).map(|index| op.operand_group(self.first + index));
        let all = op.operand_group(self.first + self.direct);
        let sizes = op.attr(self.sizes).into_iter().flat_map(AttrRef::dense_ints);
        let mut start = 0;
        let grouped = sizes.map(|len| {
            let len = usize::try_from(len).unwrap_or(0);
            start += len;
            if start <= all.len() { all.slice(start - len, len) } else { all.slice(0, 0) }
        });
        let missing = std::iter::repeat(all.slice(0, 0));
        direct.chain(grouped).chain(missing).take(op.num_successors()).collect()
    }

    fn set_successor_operands(&self, rw: &mut Rewriter<'_>, op: OpId, index: usize, values: &[ValueId]) {
        if index < self.direct {
            rw.set_operand_group(op, self.first + index, values);
            return;
        }
        let (cx, view, grouped) = (rw.cx(), rw.op(op), index - self.direct);
        let (start, len) = self.range(view, grouped);
        let mut all = view.operand_group(self.first + self.direct).ids().into_vec();
        let mut sizes: Vec<i32> =
            view.attr(self.sizes).into_iter().flat_map(AttrRef::dense_ints).map(|n| n as i32).collect();
        all.splice(start..start + len, values.iter().copied());
        sizes[grouped] = values.len() as i32;
        rw.set_operand_group(op, self.first + self.direct, &all);
        rw.set_attr(op, cx.ident(self.sizes), cx.dense_i32_array(&sizes));
    }

    fn taken_successor(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize> {
        let flag = op.cx().attr(operands.first().copied().flatten()?);
        let values = op.attr("case_values").and_then(AttrRef::dense_values);
        let case = values.and_then(|mut values| values.position(|value| value == flag));
        Some(case.map_or(0, |at| at + 1))
    }
}

/// The operands that `op`, a branch of this dialect, passes to each of its successors.
pub(crate) fn passed_to_all(op: OpRef<'_>) -> SmallVec<[Operands<'_>; 2]> {
    op.interface::<dyn BranchOp>().map(|branch| branch.all_successor_operands(op)).unwrap_or_default()
}

/// A call names a function of a type that fits.
pub(crate) struct CallSymbol;

impl SymbolUser for CallSymbol {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic> {
        let view = CallOp::wrap(op);
        let Some(name) = view.callee().and_then(AttrRef::as_flat_symbol) else { return Ok(()) };
        let Some(callee) = table.get(name) else {
            return Err(op.error(format_args!("'{name}' does not reference a symbol in the current scope")));
        };
        let callable = callee.is::<LLVMFuncOp<'_>>() || callee.is::<AliasOp<'_>>() || callee.is::<IFuncOp<'_>>();
        if !callable {
            return Err(op.error(format_args!("'{name}' does not reference a valid LLVM function, IFunc, or alias")));
        }
        verify_call_location(op, callee)?;
        let Some(ty) = callee.attr("function_type").and_then(AttrRef::as_type) else {
            return Ok(());
        };
        verify_call_type(op, ty, Call.arguments(op))
    }
}

/// What describes `function` for debuggers.
pub(crate) fn subprogram(function: OpRef<'_>) -> Option<Attr> {
    let cx = function.cx();
    let all = cx.fused_metadata(function.loc());
    all.into_iter().find(|&metadata| cx.attr(metadata).is_dialect_attr("llvm.di_subprogram"))
}

/// A call that can be inlined from one described function into another has a location.
fn verify_call_location(op: OpRef<'_>, callee: OpRef<'_>) -> Result<(), Diagnostic> {
    let is_described = |function: OpRef<'_>| subprogram(function).is_some();
    let is_inlinable = callee.cast::<LLVMFuncOp<'_>>().is_some_and(|function| !function.is_declaration());
    let caller = op.parent().filter(|parent| parent.interface::<dyn FunctionOp>().is_some());
    if op.loc().is_unknown() && is_inlinable && is_described(callee) && caller.is_some_and(is_described) {
        let message = "inlinable function call in a function with a DISubprogram location must have a debug location";
        return Err(Diagnostic::error(op.loc(), message));
    }
    Ok(())
}

fn verify_call_type(op: OpRef<'_>, ty: TypeRef<'_>, args: Operands<'_>) -> Result<(), Diagnostic> {
    let Some((result, inputs, variadic)) = types::func_parts(ty) else { return Ok(()) };
    let cx = op.cx();
    if variadic && op.attr("var_callee_type").is_none() {
        return Err(op.error("missing var_callee_type attribute for vararg call"));
    }
    if args.len() < inputs.len() || (args.len() > inputs.len() && !variadic) {
        return Err(op.error(format_args!(
            "incorrect number of operands ({}) for callee (expecting: {})",
            args.len(),
            inputs.len()
        )));
    }
    for (i, (arg, &input)) in args.iter().zip(&inputs).enumerate() {
        if arg.ty() != input {
            return Err(op.error(format_args!(
                "operand type mismatch for operand {i}: '{}' != '{}'",
                arg.ty(),
                cx.ty(input)
            )));
        }
    }
    let result = Some(cx.ty(result)).filter(|&result| !types::is_void(result));
    match (result, op.num_results()) {
        (None, 1) => Err(op.error("calling function with void result must not produce values")),
        (Some(_), 0) => Err(op.error("expected function call to produce a value")),
        (Some(result), 1) if op.result(0).ty() != result => {
            Err(op.error(format_args!("result type mismatch: '{}' != '{result}'", op.result(0).ty())))
        }
        _ => Ok(()),
    }
}

/// `llvm.mlir.addressof` names a global, a function or an alias.
pub(crate) struct AddressOfSymbol;

impl SymbolUser for AddressOfSymbol {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic> {
        let name = AddressOfOp::wrap(op).global_name().as_flat_symbol().unwrap_or_default();
        let found = table.get(name);
        let named = |op: &OpRef<'_>| {
            op.is::<GlobalOp<'_>>() || op.is::<LLVMFuncOp<'_>>() || op.is::<AliasOp<'_>>() || op.is::<IFuncOp<'_>>()
        };
        let Some(symbol) = found.filter(named) else {
            return Err(op.error(
                "must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or 'llvm.mlir.ifunc'",
            ));
        };
        let space = symbol.attr_or_default("addr_space").and_then(AttrRef::as_int).unwrap_or(0);
        if symbol.is::<GlobalOp<'_>>() && types::address_space(op.result(0).ty()).map(i64::from) != Some(space) {
            return Err(op.error("pointer address space must match address space of the referenced global or alias"));
        }
        Ok(())
    }
}
