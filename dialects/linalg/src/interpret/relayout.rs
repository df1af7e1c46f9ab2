//! `pack` and `unpack`: the same elements in tiles.

use dl_ir::interfaces::index_list::mixed;
use dl_ir::interp::{Array, Machine, Odometer, Outcome, Shape, Step, Value};
use dl_ir::{AttrRef, Diagnostic};

fn ints(step: Step<'_, '_>, name: &str) -> Vec<i64> {
    step.op.attr(name).into_iter().flat_map(AttrRef::dense_ints).collect()
}

/// How an index of the packed tensor is one of the plain tensor.
struct Tiling {
    /// For each outer dimension of the packed tensor, the dimension of the plain one.
    outer: Vec<usize>,
    /// For each inner dimension, the dimension of the plain tensor that it tiles, and the size of a tile.
    inner: Vec<(usize, i64)>,
}

impl Tiling {
    /// The tiling of a tensor of `rank` dimensions; its dynamic tile sizes are operand definition `group`.
    fn of(step: Step<'_, '_>, rank: usize, group: usize) -> Result<Self, Diagnostic> {
        let tiles = mixed(&ints(step, "static_inner_tiles"), step.op.operand_group(group));
        let tiles = step.mixed(&tiles, group)?;
        if let Some(tile) = tiles.iter().find(|&&tile| tile <= 0) {
            return Err(step.undefined(format_args!("tiles of size {tile}")));
        }
        let order = ints(step, "outer_dims_perm");
        let outer =
            if order.is_empty() { (0..rank).collect() } else { order.iter().map(|&dim| dim as usize).collect() };
        let inner = ints(step, "inner_dims_pos").iter().map(|&dim| dim as usize).zip(tiles).collect();
        Ok(Self { outer, inner })
    }

    /// The index of the plain tensor for one of the packed tensor. It may be past the end, where the last tile is not full.
    fn plain(&self, packed: &[i64]) -> Shape {
        let (outer, inner) = packed.split_at(self.outer.len());
        let mut index = Shape::from_elem(0, outer.len());
        for (&dim, &at) in self.outer.iter().zip(outer) {
            index[dim] = at;
        }
        for (&(dim, tile), &at) in self.inner.iter().zip(inner) {
            index[dim] = index[dim] * tile + at;
        }
        index
    }

    /// That a packed tensor of this shape has the tiles of a plain one, all of them, and is as large where there are none.
    fn check(&self, step: Step<'_, '_>, plain: &[i64], packed: &[i64]) -> Result<(), Diagnostic> {
        let (outer, inner) = packed.split_at(self.outer.len());
        let tile = |dim: usize| self.inner.iter().find(|(tiled, _)| *tiled == dim).map_or(1, |&(_, tile)| tile);
        let tiles = self.inner.iter().map(|&(_, tile)| tile).eq(inner.iter().copied());
        let enough = self.outer.iter().zip(outer).all(|(&dim, &count)| {
            let needed = (i128::from(plain[dim]) + i128::from(tile(dim)) - 1) / i128::from(tile(dim));
            let is_tiled = self.inner.iter().any(|(tiled, _)| *tiled == dim);
            if is_tiled { i128::from(count) >= needed } else { count == plain[dim] }
        });
        if tiles && enough {
            return Ok(());
        }
        Err(step.undefined(format_args!("a tensor of shape {plain:?} packed as {packed:?}")))
    }
}

/// What is past the end of the source is the padding value; without one, there must be nothing past it.
pub(super) fn pack<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, dest) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?);
    let tiling = Tiling::of(step, source.shape().len(), 3)?;
    tiling.check(step, source.shape(), dest.shape())?;
    let padding = step.group(2).first();
    let mut result = step.defined(Array::filled(dest.shape(), &Value::Poison))?;
    let mut indices = Odometer::new(dest.shape());
    for element in result.elements_mut() {
        let Some(index) = indices.next() else { break };
        *element = match (source.get(&tiling.plain(index)), padding) {
            (Ok(inside), _) => inside.clone(),
            (Err(_), Some(padding)) => padding.clone(),
            (Err(_), None) => return Err(step.undefined("a tile that is not full, and no padding value")),
        };
    }
    Ok(result.into())
}

/// What is past the end of the destination is dropped.
pub(super) fn unpack<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, dest) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?);
    let tiling = Tiling::of(step, dest.shape().len(), 2)?;
    tiling.check(step, dest.shape(), source.shape())?;
    let mut result = (**dest).clone();
    let (mut indices, mut elements) = (Odometer::new(source.shape()), source.elements().iter());
    while let (Some(index), Some(element)) = (indices.next(), elements.next()) {
        if let Ok(position) = result.position(&tiling.plain(index)) {
            result.elements_mut()[position] = element.clone();
        }
    }
    Ok(result.into())
}
