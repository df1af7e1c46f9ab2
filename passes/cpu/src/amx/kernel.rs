//! Kernels: products whose sums stay in registers, through loops where there are some, and which registers those are.

use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Context, Definition, OpId, OpRef, ValueId, ValueRef};
use dl_machine::Machine;
use dl_scf::{ForOp, YieldOp};
use dl_vector::ExtractOp;
use rustc_hash::{FxHashMap, FxHashSet};

use super::product::{Factor, Product, Shape};

/// Registers, those of sums, and the first of those of either factor.
const REGISTERS: usize = 8;
pub(super) const SUMS: u8 = 4;
const LEFT: u8 = SUMS;
const RIGHT: u8 = 6;

/// What each register holds, if anything.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Configuration(pub(super) [Option<Shape>; REGISTERS]);

impl Configuration {
    /// Whether `register` holds this from now on: it does not if it holds something else.
    fn set(&mut self, register: u8, shape: Shape) -> bool {
        let held = self.0[usize::from(register)].get_or_insert(shape);
        *held == shape
    }

    /// What serves both, if anything does.
    pub(super) fn merged(mut self, other: &Self) -> Option<Self> {
        let mut shapes = other.0.iter().zip(0..).filter_map(|(shape, register)| Some((register, (*shape)?)));
        shapes.all(|(register, shape)| self.set(register, shape)).then_some(self)
    }
}

/// Products that share a configuration.
#[derive(Clone, Default, Debug)]
pub(super) struct Kernel {
    /// The outermost of the loops that carry the sums; none where each sum is of one product.
    pub(super) root: Option<OpId>,
    /// The products in program order.
    pub(super) products: Vec<Product>,
    /// The register of each value that is in one: sums, and what the factors' reads give.
    pub(super) registers: FxHashMap<ValueId, u8>,
    /// The values that are there in the end.
    pub(super) sums: Vec<ValueId>,
    pub(super) configuration: Configuration,
    /// The first of the reads, of those in one block.
    first_read: Option<OpId>,
    lefts: u8,
    rights: u8,
}

impl Kernel {
    /// The first operation of it, in the block that it begins in.
    pub(super) fn first(&self) -> Option<OpId> {
        self.root.or(self.first_read)
    }

    /// The kernel with one more product without a loop. `None` where it has nothing in common with the others, or no registers are left.
    fn with(&self, cx: &Context, ir: &Arena, product: &Product) -> Option<Self> {
        let is_shared = |other: &Product| {
            ir.block_of(other.op) == ir.block_of(product.op)
                && (other.left.read == product.left.read || other.right.read == product.right.read)
        };
        let register = u8::try_from(self.products.len()).ok().filter(|&register| register < SUMS)?;
        let is_one = self.products.is_empty() || self.products.iter().any(is_shared);
        (self.root.is_none() && is_one).then_some(())?;
        let mut with = self.clone();
        with.sums.push(product.result);
        with.add(cx, ir, product, register).then_some(with)
    }

    /// Whether all of it is before `op`, or elsewhere.
    fn is_done_before(&self, ir: &Arena, op: OpId) -> bool {
        let last = self.root.or_else(|| self.products.last().map(|product| product.op));
        let around = last.and_then(|last| ir.ancestor_in_block(last, ir.block_of(op)?));
        around.is_none_or(|around| ir.is_before_in_block(around, op))
    }

    /// Adds a product to a sum that is in `register`. Whether there are registers for its factors.
    fn add(&mut self, cx: &Context, ir: &Arena, product: &Product, register: u8) -> bool {
        let read = |factor: &Factor| OpRef::new(cx, ir, factor.read).result(0).id();
        let mut assign = |value: ValueId, count: &mut u8, first: u8, shape: Shape| {
            let register = *self.registers.entry(value).or_insert_with(|| {
                *count += 1;
                first + *count - 1
            });
            *count <= 2 && self.configuration.set(register, shape)
        };
        let block = ir.block_of(product.op);
        for read in [product.left.read, product.right.read] {
            if ir.block_of(read) != block {
                return false;
            }
            if self.first_read.is_none_or(|first| ir.block_of(first) == block && ir.is_before_in_block(read, first)) {
                self.first_read = Some(read);
            }
        }
        let fits = assign(read(&product.left), &mut self.lefts, LEFT, product.left.shape)
            && assign(read(&product.right), &mut self.rights, RIGHT, product.right.shape)
            && self.configuration.set(register, product.shape);
        self.registers.insert(product.result, register);
        self.products.push(*product);
        fits
    }

    /// The kernel of the sums that a loop carries, all of which are of products. `None` where it is not one.
    fn of_loop(cx: &Context, ir: &Arena, root: OpId, products: &FxHashMap<OpId, Product>) -> Option<Self> {
        let mut kernel = Self { root: Some(root), ..Self::default() };
        let mut pending = vec![root];
        let results: Vec<ValueId> = ir.results(root).collect();
        if results.is_empty() || results.len() > usize::from(SUMS) {
            return None;
        }
        if !OpRef::new(cx, ir, root).operands().iter().skip(3).all(is_zero) {
            return None;
        }
        let mut first: Option<Vec<u8>> = Some((0..SUMS).take(results.len()).collect());
        while let Some(each) = pending.pop() {
            let each = OpRef::new(cx, ir, each).cast::<ForOp<'_>>()?;
            let inits = each.0.operands().iter().skip(3);
            let carried: Vec<u8> = match first.take() {
                Some(carried) => carried,
                None => inits.map(|init| kernel.registers.get(&init.id()).copied()).collect::<Option<_>>()?,
            };
            let body = each.region().entry()?;
            for ((argument, result), &register) in body.args().skip(1).zip(each.0.results().iter()).zip(&carried) {
                once(argument)?;
                kernel.registers.insert(argument.id(), register);
                kernel.registers.insert(result.id(), register);
            }
            for op in body.ops() {
                if let Some(product) = products.get(&op.id()) {
                    let &register = kernel.registers.get(&product.sum)?;
                    once(op.result(0))?;
                    kernel.add(cx, ir, product, register).then_some(())?;
                } else if op.is::<ForOp<'_>>() {
                    pending.push(op.id());
                    op.results().iter().try_for_each(once)?;
                }
            }
        }
        // Each loop hands on what it was handed, in the same register.
        for op in ops_in_arena(ir, root) {
            let Some(end) = OpRef::new(cx, ir, op).cast::<YieldOp<'_>>() else { continue };
            let each = end.0.parent().filter(|each| each.is::<ForOp<'_>>())?;
            for (value, result) in end.0.operands().iter().zip(each.results().iter()) {
                (kernel.registers.get(&value.id())? == kernel.registers.get(&result.id())?).then_some(())?;
            }
        }
        kernel.sums = results;
        Some(kernel)
    }
}

/// The kernels of an arena, in program order. Each result of one is used by `vector.extract` of rows only, in the block of the kernel and before
/// the next one. Cost O(operations).
pub(super) fn kernels(cx: &Context, ir: &Arena, machine: &Machine) -> Vec<Kernel> {
    let all = ops_in_arena(ir, Arena::ROOT);
    let products: Vec<Product> = all.iter().filter_map(|&op| Product::of(OpRef::new(cx, ir, op), machine)).collect();
    let by_op: FxHashMap<OpId, Product> = products.iter().map(|product| (product.op, *product)).collect();
    let mut seen = FxHashSet::default();
    let mut found: Vec<Kernel> = Vec::new();
    for product in &products {
        let sum = ValueRef::new(cx, ir, product.sum);
        if let Some(root) = root(sum) {
            if seen.insert(root) {
                found.extend(Kernel::of_loop(cx, ir, root, &by_op));
            }
            continue;
        }
        if !is_zero(sum) {
            continue;
        }
        let joined = found.last().and_then(|last| last.with(cx, ir, product));
        let joined = joined.map(|kernel| (kernel, found.pop()));
        let before = found.last();
        let is_later = |read: OpId| before.is_none_or(|last| last.is_done_before(ir, read));
        let is_later = is_later(product.left.read) && is_later(product.right.read);
        found.extend(match joined {
            Some((kernel, _)) if is_later => Some(kernel),
            Some((_, last)) => last,
            None => Kernel::default().with(cx, ir, product).filter(|_| is_later),
        });
    }
    let next: Vec<Option<OpId>> = found.iter().skip(1).map(Kernel::first).chain([None]).collect();
    let mut next = next.into_iter();
    found.retain(|kernel| {
        let next = next.next().flatten();
        kernel.sums.iter().all(|&sum| is_taken_apart(ValueRef::new(cx, ir, sum), kernel, next))
    });
    found
}

/// Whether the rows of a sum, and nothing else of it, are taken in its block, before the kernel `next`.
fn is_taken_apart(sum: ValueRef<'_>, kernel: &Kernel, next: Option<OpId>) -> bool {
    let ir = sum.arena();
    let block = kernel.first().and_then(|first| ir.block_of(first));
    sum.uses().all(|(user, _)| {
        let is_row = user.cast::<ExtractOp<'_>>().is_some_and(|row| {
            row.0.num_operands() == 1 && row.0.result(0).ty().shape().is_some_and(|shape| shape.len() == 1)
        });
        let is_before = |next: OpId| {
            let around = block.and_then(|block| ir.ancestor_in_block(next, block));
            around.is_none_or(|around| ir.is_before_in_block(user.id(), around))
        };
        is_row && user.block().map(|block| block.id()) == block && next.is_none_or(is_before)
    })
}

/// The outermost loop that a sum is carried through, if one is.
fn root(sum: ValueRef<'_>) -> Option<OpId> {
    let (mut sum, mut root) = (sum, None);
    while let Definition::Argument(_) = sum.definition() {
        let body = sum.owner_block()?;
        let each = body.parent_op()?.cast::<ForOp<'_>>()?;
        let at = body.args().position(|argument| argument == sum)?;
        root = Some(each.0.id());
        // After the induction variable; operands are two bounds and the step before.
        sum = each.0.operands().iter().nth(at.checked_sub(1)? + 3)?;
    }
    root
}

fn is_zero(value: ValueRef<'_>) -> bool {
    let constant = value.constant().and_then(|constant| constant.splat_value());
    constant.is_some_and(|number| number.as_int() == Some(0) || number.as_f64() == Some(0.0))
}

fn once(value: ValueRef<'_>) -> Option<()> {
    let mut uses = value.uses();
    uses.next()?;
    uses.next().is_none().then_some(())
}
