//! What a kernel computes, and how much memory it touches.

use dl_ir::effects::effects_of;
use dl_ir::interfaces::{LoopLike, ViewLike};
use dl_ir::opdef::Effects;
use dl_ir::{DYNAMIC, FloatKind, OpDefinition, OpRef, Trait, TypeRef, ValueId, ValueRef};
use dl_linalg::LinalgOp;
use dl_llvm::CallIntrinsicOp;
use dl_vector::ContractionOp;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::parallel::element_access;

/// Iterations of a loop of which no number is known, for telling what a kernel does most.
const UNKNOWN_TRIPS: u64 = 16;

/// Arithmetic operations of each element that an operation computes, where it is not one: a fused multiply-add is two, and an elementary function as
/// many as `math-approximate` makes of it.
const OPERATIONS: [(&str, u64); 13] = [
    ("math.fma", 2),
    ("vector.fma", 2),
    ("math.exp", 14),
    ("math.exp2", 12),
    ("math.expm1", 20),
    ("math.log", 20),
    ("math.log2", 20),
    ("math.log10", 20),
    ("math.log1p", 24),
    ("math.tanh", 22),
    ("math.erf", 26),
    ("math.sin", 20),
    ("math.cos", 20),
];

/// Element-wise operations that move values and compute nothing.
const MOVES: [&str; 6] =
    ["arith.select", "arith.bitcast", "arith.extui", "arith.extsi", "arith.trunci", "arith.index_cast"];

/// What the operations of a kernel come to.
#[derive(Default)]
pub(super) struct Cost {
    /// Arithmetic operations by type of element.
    arithmetic: IndexMap<String, u64, FxBuildHasher>,
    /// Bytes read and bytes written of each buffer that was there before, and its size where it is known.
    buffers: IndexMap<(ValueId, bool), (u64, Option<u64>), FxBuildHasher>,
    /// Elements that are computed or written with vectors, or one by one.
    pub(super) vector: u64,
    pub(super) scalar: u64,
    /// Elements that calls copy.
    pub(super) copied: u64,
    /// Whether some loop runs a number of times that is not known.
    is_unknown: bool,
    /// Which operations work element by element, and how often.
    pub(super) one_by_one: IndexMap<String, u64, FxBuildHasher>,
}

impl Cost {
    /// The cost of some operations with all that is in them. Takes O(operations).
    pub(super) fn of<'a>(kernel: &(impl Iterator<Item = OpRef<'a>> + Clone)) -> Self {
        let mut cost = Self::default();
        let mut pending: Vec<(OpRef<'a>, u64)> = kernel.clone().map(|op| (op, 1)).collect();
        let is_inside = |value: ValueRef<'a>| kernel.clone().any(|op| value.is_defined_in(op));
        while let Some((op, times)) = pending.pop() {
            if let Some(nest) = LinalgOp::of(op) {
                cost.add_nest(nest, times, &is_inside);
                continue;
            }
            if op.name() == dl_memref::CopyOp::NAME {
                for (at, memref) in op.operands().iter().enumerate() {
                    let elements = cost.points(memref.ty().shape().unwrap_or(&[])).saturating_mul(times);
                    cost.copied = cost.copied.saturating_add(elements);
                    cost.touch(memref, at == 1, elements, &is_inside);
                }
                continue;
            }
            cost.add(op, times, &is_inside);
            let times = times.saturating_mul(cost.trips(op));
            pending.extend(op.regions().flat_map(|region| region.ops()).map(|inner| (inner, times)));
        }
        cost
    }

    /// Arithmetic operations by type, the most first; none where they cannot be known.
    pub(super) fn operations(&self) -> Option<Vec<(String, u64)>> {
        let mut counts: Vec<(String, u64)> = self.arithmetic.iter().map(|(ty, &count)| (ty.clone(), count)).collect();
        counts.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        (!self.is_unknown).then_some(counts)
    }

    /// Bytes of buffers that are read or written, each buffer no more than once for either; none where they cannot be known.
    pub(super) fn bytes(&self) -> Option<u64> {
        let bytes = |&(touched, size): &(u64, Option<u64>)| size.map_or(touched, |size| touched.min(size));
        (!self.is_unknown).then(|| self.buffers.values().map(bytes).fold(0, u64::saturating_add))
    }

    /// How often what is in `op` runs.
    fn trips(&mut self, op: OpRef<'_>) -> u64 {
        let Some(each) = op.interface::<dyn LoopLike>() else { return 1 };
        let Some(dims) = each.dims(op) else {
            self.is_unknown = true;
            return UNKNOWN_TRIPS;
        };
        let trips = dims.iter().map(|dim| {
            let ((lower, upper), step) = dim.lower.constant().zip(dim.upper.constant()).zip(dim.step.constant())?;
            Some(u64::try_from(upper.saturating_sub(lower)).unwrap_or(0).div_ceil(u64::try_from(step).ok()?.max(1)))
        });
        let trips = trips.map(|trips| {
            self.is_unknown |= trips.is_none();
            trips.unwrap_or(UNKNOWN_TRIPS)
        });
        trips.fold(1, u64::saturating_mul)
    }

    /// Number of points of a shape.
    fn points(&mut self, shape: &[i64]) -> u64 {
        let extents = shape.iter().map(|&extent| {
            self.is_unknown |= extent == DYNAMIC;
            u64::try_from(extent).unwrap_or(UNKNOWN_TRIPS)
        });
        extents.fold(1, u64::saturating_mul)
    }

    /// A nest that is still one, which becomes loops over elements.
    fn add_nest<'a>(&mut self, nest: LinalgOp<'a>, times: u64, is_inside: &dyn Fn(ValueRef<'a>) -> bool) {
        let points = self.points(&nest.static_loop_ranges().unwrap_or_else(|| vec![DYNAMIC])).saturating_mul(times);
        for op in nest.body().into_iter().flat_map(|body| body.ops()) {
            self.compute(op, points);
        }
        let first_init = nest.inits().start();
        for (at, operand) in nest.op().operands().iter().enumerate().filter(|(_, operand)| operand.ty().is_memref()) {
            if nest.reads_operand(at) {
                self.touch(operand, false, points, is_inside);
            }
            if at >= first_init {
                self.weigh("linalg", operand.ty().element_or_self(), 1, points);
                self.touch(operand, true, points, is_inside);
            }
        }
    }

    /// An operation without what is in it.
    fn add<'a>(&mut self, op: OpRef<'a>, times: u64, is_inside: &dyn Fn(ValueRef<'a>) -> bool) {
        let Some((base, _, extents)) = element_access(op) else { return self.compute(op, times) };
        let lanes = extents.iter().fold(1, |all, &extent| all * u64::try_from(extent).unwrap_or(1));
        let memref = op.operand(base);
        let writes = effects_of(op).is_some_and(|effects| effects.contains(Effects::WRITE));
        if writes && !memref.ty().element_or_self().is_index() {
            self.weigh(op.name(), memref.ty(), lanes, times);
        }
        self.touch(memref, writes, times.saturating_mul(lanes), is_inside);
    }

    /// The arithmetic of one operation.
    fn compute(&mut self, op: OpRef<'_>, times: u64) {
        if op.is::<CallIntrinsicOp<'_>>() {
            return self.add_products(op, times);
        }
        if op.is::<ContractionOp<'_>>() {
            return self.add_contraction(op, times);
        }
        let is_arithmetic = op.has_trait(&Trait::Elementwise) || op.name() == "vector.fma";
        let (true, Some(result)) = (is_arithmetic && op.num_operands() > 0, op.results().get(0)) else { return };
        let element = result.ty().element_or_self();
        if element.is_index() || element.is_integer_of(1) || !element.is_int_or_index_or_float() {
            return;
        }
        let lanes = lanes(result.ty());
        self.weigh(op.name(), result.ty(), lanes, times);
        if MOVES.contains(&op.name()) {
            return;
        }
        let each = OPERATIONS.iter().find(|(name, _)| *name == op.name()).map_or(1, |(_, each)| *each);
        self.count(element.to_string(), each.saturating_mul(lanes).saturating_mul(times));
    }

    /// An instruction that adds up products of neighbours: of small numbers as many as lie in the vectors, each with its sum.
    fn add_products(&mut self, op: OpRef<'_>, times: u64) {
        let factor = op.operands().iter().nth(1).map(ValueRef::ty);
        let Some(factor) = factor.filter(|ty| ty.is_vector()) else { return };
        let intrinsic = op.attr("intrin").and_then(|name| name.as_str()).unwrap_or_default();
        // Bytes are handed over in lanes of 32 bits.
        let (ty, count) = match factor.element_or_self().int_or_float_width() {
            Some(32) if intrinsic.contains("vpdpbusd") => ("i8".to_owned(), lanes(factor).saturating_mul(4)),
            _ => (factor.element_or_self().to_string(), lanes(factor)),
        };
        self.vector = self.vector.saturating_add(count.saturating_mul(times));
        self.count(ty, count.saturating_mul(2).saturating_mul(times));
    }

    /// A contraction of vectors, each product with its sum: of small numbers, where it is they that are widened for it. Of bytes and of `bf16` it is what
    /// matrix registers compute.
    fn add_contraction(&mut self, op: OpRef<'_>, times: u64) {
        let affine = op.cx().affine();
        let maps =
            op.attr("indexing_maps").into_iter().flat_map(|maps| maps.elements()).filter_map(|map| map.as_affine_map());
        let mut extents: IndexMap<Option<u32>, u64, FxBuildHasher> = IndexMap::default();
        for (map, operand) in maps.zip(op.operands().iter()) {
            for (&dim, &extent) in affine.map(map).results.iter().zip(operand.ty().shape().unwrap_or_default()) {
                extents.insert(affine.dim_position(dim), extent.unsigned_abs());
            }
        }
        let products = extents.values().copied().fold(times, u64::saturating_mul);
        self.vector = self.vector.saturating_add(products);
        let factor = op.operand(0);
        let widened = factor.defining_op().filter(|op| op.name().starts_with("arith.ext")).map(|op| op.operand(0));
        let element = widened.unwrap_or(factor).ty().element_or_self();
        let is_small = element.is_integer_of(8) || element.float_kind() == Some(FloatKind::BF16);
        let ty = if is_small { format!("matrix of {element}") } else { element.to_string() };
        self.count(ty, products.saturating_mul(2));
    }

    fn count(&mut self, ty: String, operations: u64) {
        let entry = self.arithmetic.entry(ty).or_default();
        *entry = entry.saturating_add(operations);
    }

    /// Elements of a value that is computed, or of a buffer that is written, at a time.
    fn weigh(&mut self, name: &str, ty: TypeRef<'_>, lanes: u64, times: u64) {
        if lanes > 1 || ty.is_vector() {
            self.vector = self.vector.saturating_add(lanes.saturating_mul(times));
        } else {
            self.scalar = self.scalar.saturating_add(times);
            let entry = self.one_by_one.entry(name.to_owned()).or_default();
            *entry = entry.saturating_add(times);
        }
    }

    /// Elements of a buffer that are read or written; one of the kernel itself stays in the caches.
    fn touch<'a>(
        &mut self,
        memref: ValueRef<'a>,
        writes: bool,
        elements: u64,
        is_inside: &dyn Fn(ValueRef<'a>) -> bool,
    ) {
        let buffer = buffer(memref);
        if is_inside(buffer) {
            return;
        }
        let width = buffer.ty().element_or_self();
        let width = width.int_or_float_width().map_or(8, |bits| u64::from(bits).div_ceil(8));
        let shape = buffer.ty().shape().filter(|shape| !shape.contains(&DYNAMIC));
        let size =
            shape.map(|shape| shape.iter().fold(width, |all, &extent| all.saturating_mul(extent.unsigned_abs())));
        let entry = self.buffers.entry((buffer.id(), writes)).or_insert((0, size));
        entry.0 = entry.0.saturating_add(elements.saturating_mul(width));
    }
}

/// Elements of a vector; one of anything else.
fn lanes(ty: TypeRef<'_>) -> u64 {
    let shape = ty.shape().filter(|_| ty.is_vector()).unwrap_or(&[]);
    shape.iter().fold(1, |all, &extent| all.saturating_mul(extent.unsigned_abs()))
}

/// The buffer behind views that show a part of it or its elements in another order; a place in an arena of buffers is one.
fn buffer(value: ValueRef<'_>) -> ValueRef<'_> {
    let mut value = value;
    while let Some(op) = value.defining_op().filter(|op| op.name() != dl_memref::ViewOp::NAME) {
        let Some(view) = op.interface::<dyn ViewLike>().filter(|view| view.dest(op) == value) else { break };
        value = view.source(op);
    }
    value
}
