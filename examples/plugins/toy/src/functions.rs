//! Functions, calls, and how a call becomes the body of what it calls.

use dl_ir::interfaces::{
    CallOp as CallInterface, DirectCall, FunctionOp, InlineSite, Inlining, SymbolUser, function, verify_call,
};
use dl_ir::symbol::SymbolTable;
use dl_ir::{Diagnostic, DialectBuilder, OpRef, OpView, Operands};

use crate::{CallOp, FuncOp, ReturnOp};

pub(crate) fn register(b: &mut DialectBuilder) {
    b.inlining(&Rules);
    b.on::<FuncOp<'_>>()
        .parse(function::parse_function)
        .print(function::print_function)
        .verify(function::verify_function)
        .interface::<dyn FunctionOp>(Box::new(Function));
    b.on::<CallOp<'_>>()
        .interface::<dyn CallInterface>(Box::new(DirectCall))
        .interface::<dyn SymbolUser>(Box::new(Callee));
    b.on::<ReturnOp<'_>>().verify(verify_return);
}

struct Function;

impl FunctionOp for Function {}

/// A call has the arguments and results of the function that it names.
struct Callee;

impl SymbolUser for Callee {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic> {
        let Some(name) = CallOp::wrap(op).callee().as_flat_symbol() else { return Ok(()) };
        let Some(function) = table.get(name).filter(|callee| callee.is::<FuncOp<'_>>()) else {
            return Err(op.error(format_args!("'{name}' is no function of toy")));
        };
        verify_call(op, &Function.inputs(function), &Function.results(function))
    }
}

/// A function returns what its type says.
fn verify_return(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(function) = op.parent() else { return Ok(()) };
    let (expected, got) = (Function.results(function), op.operands().types());
    if expected[..] == got[..] {
        return Ok(());
    }
    let list = |types: &[dl_ir::Type]| {
        let types: Vec<String> = types.iter().map(|&ty| format!("'{}'", op.cx().ty(ty))).collect();
        if types.is_empty() { "nothing".to_owned() } else { types.join(", ") }
    };
    Err(op.error(format_args!("expected to return {}, but got {}", list(&expected), list(&got))))
}

/// All of the language may stand anywhere.
struct Rules;

impl Inlining for Rules {
    fn allows_call(&self, _: &InlineSite<'_>) -> bool {
        true
    }

    fn allows_region(&self, _: &InlineSite<'_>) -> bool {
        true
    }

    fn allows_op(&self, _: OpRef<'_>, _: &InlineSite<'_>) -> bool {
        true
    }

    fn returned<'a>(&self, terminator: OpRef<'a>) -> Option<Operands<'a>> {
        terminator.is::<ReturnOp<'_>>().then(|| terminator.operands())
    }
}
