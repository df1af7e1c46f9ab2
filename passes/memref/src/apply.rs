//! Affine formulas over indices that are constants or values.

use dl_affine::AffineApplyOp;
use dl_affine::compose::compose;
use dl_arith::Build;
use dl_ir::OpId;
use dl_ir::ValueId;
use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::Index;

/// The value of `expr`, whose symbols are `inputs` in order: a constant, one of the inputs, or the result of an `affine.apply` into which those
/// that compute the inputs are merged. `anchor` is an operation near by. `None` where a constant overflows or is undefined.
pub(crate) fn apply(b: &mut Build<'_, '_>, anchor: OpId, expr: AffineExpr, inputs: &[Index]) -> Option<Index> {
    let cx = b.cx();
    let affine = cx.affine();
    let mut values: Vec<ValueId> = Vec::new();
    let mut replacements = Vec::with_capacity(inputs.len());
    for &input in inputs {
        replacements.push(match input {
            Index::Static(constant) => affine.constant(constant),
            Index::Value(value) => {
                if let Some(constant) = b.value_constant(value) {
                    affine.constant(constant)
                } else {
                    values.push(value);
                    affine.symbol(values.len() as u32 - 1)
                }
            }
        });
    }
    let map = affine.intern_map(0, inputs.len() as u32, [expr]);
    let map = affine.replace_dims_and_symbols(map, &[], &replacements, 0, values.len() as u32);
    let (map, operands) = compose(b.op(anchor), map, values.iter().map(|&value| b.value_ref(value)));
    let operands: Vec<ValueId> = operands.iter().map(|value| value.id()).collect();
    if let Some(constants) = affine.constant_results(map) {
        return constants.first().copied().map(Index::Static);
    }
    let &[result] = &*affine.map(map).results else { return None };
    let dims = affine.map(map).num_dims;
    let only = affine.dim_position(result).or_else(|| affine.symbol_position(result).map(|symbol| symbol + dims));
    if let Some(only) = only {
        return operands.get(only as usize).copied().map(Index::Value);
    }
    let map = cx.affine_map_attr(map);
    Some(Index::Value(b.value_with::<AffineApplyOp<'_>>(&operands, cx.index_type(), &[("map", map)])))
}

/// What formulas need to know of values.
trait Known {
    fn value_constant(&self, value: ValueId) -> Option<i64>;
    fn value_ref(&self, value: ValueId) -> dl_ir::ValueRef<'_>;
}

impl Known for Build<'_, '_> {
    fn value_constant(&self, value: ValueId) -> Option<i64> {
        self.value_ref(value).constant().and_then(dl_ir::AttrRef::as_int)
    }

    fn value_ref(&self, value: ValueId) -> dl_ir::ValueRef<'_> {
        dl_ir::ValueRef::new(self.cx(), self.ir(), value)
    }
}
