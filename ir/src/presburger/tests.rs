//! Against enumeration: in a small box all points can be looked at.

use num_bigint::BigInt;
use proptest::prelude::*;

use super::{Linear, System};
use crate::affine::{AffineExpr, AffineOp, AffineStore, Constraint};

/// The points of `0..size` in `unknowns` dimensions.
fn points(unknowns: usize, size: i64) -> impl Iterator<Item = Vec<i64>> {
    let count = size.pow(unknowns as u32);
    (0..count).map(move |code| (0..unknowns as u32).map(|i| code / size.pow(i) % size).collect())
}

fn big(point: &[i64]) -> Vec<BigInt> {
    point.iter().map(|&x| x.into()).collect()
}

/// `0 <= x_i < size`, and the constraints.
fn boxed(unknowns: usize, size: i64, equalities: &[Linear], inequalities: &[Linear]) -> System {
    let mut system = System::new(unknowns);
    for i in 0..unknowns {
        let mut below = Linear::unknown(unknowns, i).complement();
        below.constant += size;
        system.add_inequality(Linear::unknown(unknowns, i)).add_inequality(below);
    }
    equalities.iter().for_each(|row| _ = system.add_equality(row.clone()));
    inequalities.iter().for_each(|row| _ = system.add_inequality(row.clone()));
    system
}

fn rows(unknowns: usize, most: usize) -> impl Strategy<Value = Vec<Linear>> {
    let row = (prop::collection::vec(-7_i64..8, unknowns), -20_i64..21).prop_map(|(c, k)| Linear::new(&c, k));
    prop::collection::vec(row, 0..=most)
}

#[test]
fn classic_gaps() {
    // 2x = 1 has a rational solution only; so has 27 <= 11x + 13y <= 45, -10 <= 7x - 9y <= 4 (Pugh's example).
    let mut odd = System::new(1);
    odd.add_equality(Linear::new(&[2], -1));
    assert_eq!(odd.is_empty(), Some(true));
    let mut gap = System::new(2);
    gap.add_inequality(Linear::new(&[11, 13], -27)).add_inequality(Linear::new(&[-11, -13], 45));
    gap.add_inequality(Linear::new(&[7, -9], 10)).add_inequality(Linear::new(&[-7, 9], 4));
    assert_eq!(gap.is_empty(), Some(true));
    // With more room there is (1, 1), where they are 24 and -2.
    let mut open = gap.clone();
    open.inequalities[0].constant += 3;
    assert_eq!(open.is_empty(), Some(false));
}

#[test]
fn without_bounds_there_is_always_room() {
    assert_eq!(System::new(0).is_empty(), Some(false));
    let mut system = System::new(2);
    system.add_inequality(Linear::new(&[3, -5], -1000)).add_equality(Linear::new(&[6, 10], -2));
    assert_eq!(system.is_empty(), Some(false));
    system.add_equality(Linear::new(&[6, 10], -3));
    assert_eq!(system.is_empty(), Some(true));
}

#[test]
fn numbers_may_be_of_any_size() {
    // max * x + y = 0 with 1 <= y <= max has x = -1, y = max.
    let mut system = System::new(2);
    system.add_equality(Linear::new(&[i64::MAX, 1], 0));
    system.add_inequality(Linear::new(&[0, 1], -1)).add_inequality(Linear::new(&[0, -1], i64::MAX));
    assert_eq!(system.is_empty(), Some(false));
    system.inequalities[1].constant -= 1;
    assert_eq!(system.is_empty(), Some(true));
}

#[test]
fn too_many_unknowns_are_no_crash() {
    assert_eq!(System::new(1000).is_empty(), None);
}

#[test]
fn sets_with_every_point() {
    let store = AffineStore::default();
    let d = store.dim(0);
    let rest = store.modulo(d, store.constant(4));
    // 0 <= d mod 4 <= 3, and 4 * (d floordiv 4) + d mod 4 = d.
    let again = store.add(store.mul_constant(store.floordiv(d, store.constant(4)), 4), rest);
    let always = [(rest, false), (store.add_constant(store.neg(rest), 3), false), (store.sub(again, d), true)];
    let set = set_of(&store, &always, 1);
    assert_eq!(store.has_every_point(set), Some(true));
    assert_eq!(store.simplify_set_as_system(set), store.intern_set(1, 0, []));
    let sometimes = set_of(&store, &[(store.add_constant(store.neg(rest), 2), false)], 1);
    assert_eq!((store.has_every_point(sometimes), store.has_no_point(sometimes)), (Some(false), Some(false)));
    // A product of inputs is not linear: nothing is known.
    let product = set_of(&store, &[(store.mul(d, d), false)], 1);
    assert_eq!((store.has_every_point(product), store.has_no_point(product)), (None, None));
    assert_eq!(store.simplify_set_as_system(product), product);
}

fn set_of(store: &AffineStore, constraints: &[(AffineExpr, bool)], dims: u32) -> crate::affine::IntegerSet {
    let constraints: Vec<_> = constraints.iter().map(|&(expr, is_equality)| Constraint { expr, is_equality }).collect();
    store.intern_set(dims, 0, constraints)
}

/// `0 <= d_i < size`.
fn box_of(store: &AffineStore, dims: u32, size: i64) -> Vec<(AffineExpr, bool)> {
    let bounds = |i| {
        let d = store.dim(i);
        [(d, false), (store.add_constant(store.neg(d), size - 1), false)]
    };
    (0..dims).flat_map(bounds).collect()
}

/// An expression in three dimensions, as a tree.
#[derive(Clone, Debug)]
enum Tree {
    Dim(u32),
    Sum(Box<Tree>, Box<Tree>),
    Times(Box<Tree>, i64),
    Divided(AffineOp, Box<Tree>, i64),
}

fn tree() -> impl Strategy<Value = Tree> {
    (0..3_u32).prop_map(Tree::Dim).prop_recursive(3, 8, 2, |inner| {
        let op = prop_oneof![Just(AffineOp::Mod), Just(AffineOp::FloorDiv), Just(AffineOp::CeilDiv)];
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Tree::Sum(a.into(), b.into())),
            (inner.clone(), -3_i64..4).prop_map(|(a, k)| Tree::Times(a.into(), k)),
            (op, inner, 1_i64..6).prop_map(|(op, a, k)| Tree::Divided(op, a.into(), k)),
        ]
    })
}

fn expr(store: &AffineStore, tree: &Tree) -> AffineExpr {
    match tree {
        Tree::Dim(i) => store.dim(*i),
        Tree::Sum(a, b) => store.add(expr(store, a), expr(store, b)),
        Tree::Times(a, k) => store.mul_constant(expr(store, a), *k),
        Tree::Divided(op, a, k) => store.binary(*op, expr(store, a), store.constant(*k)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A system is empty if no point of the box is in it.
    #[test]
    fn emptiness_is_exact(equalities in rows(3, 1), inequalities in rows(3, 4)) {
        let system = boxed(3, 6, &equalities, &inequalities);
        let found = points(3, 6).any(|point| system.contains(&big(&point)));
        prop_assert_eq!(system.is_empty(), Some(!found));
    }

    /// What is implied holds at all points, and what is not fails at one.
    #[test]
    fn implication_is_exact(inequalities in rows(2, 3), goal in rows(2, 1)) {
        let system = boxed(2, 7, &[], &inequalities);
        for goal in &goal {
            let inside: Vec<_> = points(2, 7).map(|p| big(&p)).filter(|p| system.contains(p)).collect();
            prop_assert_eq!(system.implies(goal), Some(inside.iter().all(|p| goal.value(p) >= BigInt::ZERO)));
            prop_assert_eq!(system.implies_equality(goal), Some(inside.iter().all(|p| goal.value(p) == BigInt::ZERO)));
        }
    }

    /// Each point of a system has its shadow in the projection; where that is exact, each shadow has a point.
    #[test]
    fn projections_lose_nothing(equalities in rows(3, 1), inequalities in rows(3, 3), unknown in 0_usize..3) {
        let system = boxed(3, 5, &equalities, &inequalities);
        let projection = system.without(unknown).expect("it is small");
        for shadow in points(2, 5) {
            let above = (0..5).any(|x| {
                let mut point = shadow.clone();
                point.insert(unknown, x);
                system.contains(&big(&point))
            });
            let inside = projection.system.contains(&big(&shadow));
            prop_assert!(inside || !above, "the shadow of a point is missing: {:?}", shadow);
            prop_assert!(above || !inside || !projection.is_exact, "no point above: {:?}", shadow);
        }
    }

    /// Affine sets with divisions: no point is the same as none found, and simplification changes no point.
    #[test]
    fn affine_sets(trees in prop::collection::vec((tree(), any::<bool>(), -6_i64..7), 1..4)) {
        let store = AffineStore::default();
        let mut constraints = box_of(&store, 3, 4);
        for (tree, is_equality, constant) in &trees {
            constraints.push((store.add_constant(expr(&store, tree), *constant), *is_equality));
        }
        let set = set_of(&store, &constraints, 3);
        let holds = |set, point: &[i64]| store.set_contains(set, point, &[]).expect("it is defined");
        let found = points(3, 4).any(|point| holds(set, &point));
        prop_assert_eq!(store.has_no_point(set), Some(!found));
        prop_assert_eq!(store.has_every_point(set), Some(false), "it is in a box");
        let simplified = store.simplify_set_as_system(set);
        for point in points(3, 6) {
            prop_assert_eq!(holds(simplified, &point), holds(set, &point), "{:?}", point);
        }
    }
}
