//! The operations: what they look like.

use dl_ir::constraints::{ELEMENTS_ATTR, FLAT_SYMBOL_REF_ATTR, SYMBOL_NAME_ATTR, TYPE_ATTR};
use dl_ir::opdef::TypeConstraint;
use dl_ir::{OpDefinition, OpEntry};

/// Arrays of 64-bit floats, of known or unknown shape.
pub static ARRAY: TypeConstraint = TypeConstraint::new("array of 64-bit floats", |ty| {
    ty.is_tensor() && ty.element_type().is_some_and(|element| element.float_kind() == Some(dl_ir::FloatKind::F64))
});

dl_ir::op! {
    /// A function: `toy.func @f(%x: tensor<*xf64>) -> tensor<*xf64> { ... }`.
    FuncOp = "toy.func" {
        attrs: [sym_name "sym_name": Required(SYMBOL_NAME_ATTR), function_type "function_type": Required(TYPE_ATTR)],
        regions: [body: Any()],
        traits: [IsolatedFromAbove, Symbol, AffineScope, AutomaticAllocationScope],
        format: custom,
    }

    /// Calls a function: `%y = toy.call @f(%x) : (tensor<*xf64>) -> tensor<*xf64>`.
    CallOp = "toy.call" {
        operands: [arguments: Variadic(ARRAY)],
        attrs: [callee "callee": Required(FLAT_SYMBOL_REF_ATTR)],
        results: [values: Variadic(ARRAY)],
        format: "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, results)",
    }

    /// Ends a function with its results.
    ReturnOp = "toy.return" {
        operands: [values: Variadic(ARRAY)],
        traits: [Pure, Terminator, ReturnLike, HasParent("toy.func")],
        format: "attr-dict ($values^ `:` type($values))?",
    }

    /// A constant: `%x = toy.constant dense<[1.0, 2.0]> : tensor<2xf64>`.
    ConstantOp = "toy.constant" {
        attrs: [value "value": Required(ELEMENTS_ATTR)],
        results: [result: Single(ARRAY)],
        traits: [Pure, ConstantLike, AllTypesMatch("value", "result")],
        format: "$value attr-dict",
    }

    /// The same array with more or less of its shape known: `%y = toy.cast %x : tensor<2x3xf64> to tensor<*xf64>`.
    CastOp = "toy.cast" {
        operands: [x: Single(ARRAY)],
        results: [result: Single(ARRAY)],
        traits: [Pure],
        format: "$x attr-dict `:` type($x) `to` type($result)",
    }

    /// Sums of elements.
    AddOp = "toy.add" {
        operands: [x: Single(ARRAY), y: Single(ARRAY)],
        results: [result: Single(ARRAY)],
        traits: [Pure, Commutative],
        format: "$x `,` $y attr-dict `:` functional-type(operands, results)",
    }

    /// Products of elements.
    MulOp = "toy.mul" {
        operands: [x: Single(ARRAY), y: Single(ARRAY)],
        results: [result: Single(ARRAY)],
        traits: [Pure, Commutative],
        format: "$x `,` $y attr-dict `:` functional-type(operands, results)",
    }

    /// The matrix product.
    MatmulOp = "toy.matmul" {
        operands: [x: Single(ARRAY), y: Single(ARRAY)],
        results: [result: Single(ARRAY)],
        traits: [Pure],
        format: "$x `,` $y attr-dict `:` functional-type(operands, results)",
    }

    /// The array with its dimensions in the opposite order.
    TransposeOp = "toy.transpose" {
        operands: [x: Single(ARRAY)],
        results: [result: Single(ARRAY)],
        traits: [Pure],
        format: "$x attr-dict `:` functional-type(operands, results)",
    }
}

/// All operations.
pub static OPS: &[OpEntry] = &[
    FuncOp::ENTRY,
    CallOp::ENTRY,
    ReturnOp::ENTRY,
    ConstantOp::ENTRY,
    CastOp::ENTRY,
    AddOp::ENTRY,
    MulOp::ENTRY,
    MatmulOp::ENTRY,
    TransposeOp::ENTRY,
];
