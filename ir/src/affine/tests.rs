mod facts;

use proptest::prelude::*;

use super::*;

/// Reads the text of an expression with the precedence of MLIR: `*`, `mod` and the divisions before `+` and `-`, a sign first.
struct Reader<'a> {
    store: &'a AffineStore,
    tokens: std::iter::Peekable<std::vec::IntoIter<String>>,
}

impl<'a> Reader<'a> {
    fn new(store: &'a AffineStore, text: &str) -> Self {
        let mut tokens: Vec<String> = Vec::new();
        let mut in_word = false;
        for c in text.chars() {
            let word = c.is_ascii_alphanumeric();
            match (word && in_word, c) {
                (true, _) => tokens.last_mut().unwrap().push(c),
                (false, ' ') => {}
                (false, '>' | '=') if matches!(tokens.last().map(String::as_str), Some("-" | "=" | ">" | "<")) => {
                    tokens.last_mut().unwrap().push(c);
                }
                (false, _) => tokens.push(c.into()),
            }
            in_word = word;
        }
        Self { store, tokens: tokens.into_iter().peekable() }
    }

    fn accept(&mut self, token: &str) -> bool {
        self.tokens.next_if(|t| t == token).is_some()
    }

    fn sum(&mut self) -> AffineExpr {
        let mut expr = self.product();
        loop {
            if self.accept("+") {
                let rhs = self.product();
                expr = self.store.add(expr, rhs);
            } else if self.accept("-") {
                let rhs = self.product();
                expr = self.store.sub(expr, rhs);
            } else {
                return expr;
            }
        }
    }

    fn product(&mut self) -> AffineExpr {
        let mut expr = self.operand();
        loop {
            let op = match self.tokens.peek().map(String::as_str) {
                Some("*") => AffineOp::Mul,
                Some("mod") => AffineOp::Mod,
                Some("floordiv") => AffineOp::FloorDiv,
                Some("ceildiv") => AffineOp::CeilDiv,
                _ => return expr,
            };
            self.tokens.next();
            let rhs = self.operand();
            expr = self.store.binary(op, expr, rhs);
        }
    }

    fn operand(&mut self) -> AffineExpr {
        let token = self.tokens.next().unwrap();
        match token.as_str() {
            "-" => {
                let expr = self.operand();
                self.store.neg(expr)
            }
            "(" => {
                let expr = self.sum();
                assert!(self.accept(")"));
                expr
            }
            word => match word.split_at(1) {
                ("d", position) => self.store.dim(position.parse().unwrap()),
                ("s", position) => self.store.symbol(position.parse().unwrap()),
                _ => self.store.constant(word.parse().unwrap()),
            },
        }
    }

    fn inputs(&mut self) -> (u32, u32) {
        let mut count = |open, close| {
            let mut count = 0;
            if self.accept(open) {
                while !self.accept(close) {
                    count += u32::from(!self.accept(",") && self.tokens.next().is_some());
                }
            }
            count
        };
        (count("(", ")"), count("[", "]"))
    }

    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut elements = Vec::new();
        assert!(self.accept("("));
        while !self.accept(")") {
            elements.push(element(self));
            self.accept(",");
        }
        elements
    }
}

fn read_map(store: &AffineStore, text: &str) -> AffineMap {
    let mut reader = Reader::new(store, text);
    let (dims, symbols) = reader.inputs();
    assert!(reader.accept("->"));
    let results = reader.list(Reader::sum);
    store.intern_map(dims, symbols, results)
}

fn read_set(store: &AffineStore, text: &str) -> IntegerSet {
    let mut reader = Reader::new(store, text);
    let (dims, symbols) = reader.inputs();
    assert!(reader.accept(":"));
    let constraints = reader.list(|reader| {
        let lhs = reader.sum();
        let relation = reader.tokens.next().unwrap();
        let rhs = reader.sum();
        let (lhs, rhs) = if relation == "<=" { (rhs, lhs) } else { (lhs, rhs) };
        Constraint { expr: store.sub(lhs, rhs), is_equality: relation == "==" }
    });
    store.intern_set(dims, symbols, constraints)
}

fn map_text(store: &AffineStore, map: AffineMap) -> String {
    let mut out = String::new();
    store.print_map(map, &mut out);
    out
}

fn set_text(store: &AffineStore, set: IntegerSet) -> String {
    let mut out = String::new();
    store.print_set(set, &mut out);
    out
}

fn expr_text(store: &AffineStore, expr: AffineExpr) -> String {
    let mut out = String::new();
    store.print_expr(expr, &mut out);
    out
}

#[test]
fn maps_print_as_in_mlir() {
    let store = AffineStore::default();
    for (source, expected) in facts::MAPS {
        let map = read_map(&store, source);
        assert_eq!(map_text(&store, map), *expected, "{source}");
    }
}

#[test]
fn maps_simplify_as_in_mlir() {
    let store = AffineStore::default();
    for (source, expected) in facts::SIMPLIFIED {
        let map = read_map(&store, source);
        assert_eq!(map_text(&store, store.simplify_map(map)), *expected, "{source}");
    }
}

#[test]
fn sets_print_as_in_mlir() {
    let store = AffineStore::default();
    for (source, expected) in facts::SETS {
        assert_eq!(set_text(&store, read_set(&store, source)), *expected, "{source}");
    }
}

#[test]
fn overflow_leaves_expressions_as_they_are() {
    let store = AffineStore::default();
    let max = "9223372036854775807";
    for text in [
        format!("(d0) -> (d0 + {max} + 1)"),
        format!("(d0) -> ((d0 * {max}) * 2)"),
        format!("(d0) -> (d0 * {max} + d0)"),
        format!("(d0) -> ({max} + 1)"),
        format!("(d0) -> ({max} * 2)"),
    ] {
        assert_eq!(map_text(&store, read_map(&store, &text)), text);
    }
    let min = store.constant(i64::MIN);
    let quotient = store.floordiv(min, store.constant(-1));
    assert_eq!(store.constant_value(quotient), None);
    assert_eq!(store.eval_expr(quotient, &[], &[]), None);
    assert_eq!(expr_text(&store, store.add(store.dim(0), min)), "d0 - -9223372036854775808");
}

#[test]
fn undefined_operations_have_no_value() {
    let store = AffineStore::default();
    for text in ["d0 mod 0", "d0 mod -2", "d0 floordiv 0", "d0 ceildiv 0", "d0 mod s0", "d0 floordiv s0", "d0 + s1"] {
        let expr = Reader::new(&store, text).sum();
        assert_eq!(store.eval_expr(expr, &[7], &[0]), None, "{text}");
    }
    assert_eq!(AffineOp::Mod.eval(-7, 4), Some(1));
    assert_eq!((AffineOp::FloorDiv.eval(-7, 2), AffineOp::CeilDiv.eval(-7, 2)), (Some(-4), Some(-3)));
    assert_eq!((AffineOp::FloorDiv.eval(7, -2), AffineOp::CeilDiv.eval(7, -2)), (Some(-4), Some(-3)));
}

/// Chains are as deep as a file says.
#[test]
fn deep_expressions_need_no_deep_stack() {
    const DEPTH: u32 = 100_000;
    let store = AffineStore::default();
    let four = store.constant(4);
    let mut sum = store.dim(0);
    for i in 1..DEPTH {
        sum = store.add(sum, store.mul(store.dim(i), four));
    }
    let mut nest = store.dim(0);
    for i in 0..DEPTH {
        nest = store.add_constant(store.floordiv(nest, store.constant(2 + i64::from(i % 2))), 1);
    }
    let mut overflowing = store.dim(0);
    for _ in 0..DEPTH {
        overflowing = store.add_constant(overflowing, i64::MAX);
    }
    store.add(overflowing, store.dim(1));
    let ones = vec![1; DEPTH as usize];
    assert_eq!(store.eval_expr(sum, &ones, &[]), Some(4 * i64::from(DEPTH) - 3));
    assert_eq!(store.eval_expr(nest, &ones, &[]), Some(1));
    assert!(expr_text(&store, sum).len() > DEPTH as usize * 4);
    assert!(expr_text(&store, nest).starts_with("(((("));
    let divided = store.floordiv(sum, four);
    assert_eq!(store.eval_expr(divided, &ones, &[]), Some(i64::from(DEPTH) - 1));
    assert_eq!(store.modulo(sum, four), store.modulo(store.dim(0), four));
    let form = store.linear_form(sum, DEPTH, 0).unwrap();
    assert_eq!((form.dims[0], form.dims[77], form.constant), (1, 4, 0));
    let shifted = store.shift_dims_in_expr(sum, 1, 0);
    assert_eq!((store.max_dim(shifted), store.is_function_of_dim(shifted, 0)), (Some(DEPTH), false));
    store.simplify_expr(nest, 1, 0);
}

/// Shared parts are visited once: as a tree this expression has 2^64 nodes.
#[test]
fn shared_parts_are_visited_once() {
    let store = AffineStore::default();
    let mut expr = store.dim(0);
    for _ in 0..64 {
        let (half, rest) = (store.floordiv(expr, store.constant(2)), store.modulo(expr, store.constant(2)));
        expr = store.add(half, rest);
    }
    assert_eq!(store.eval_expr(expr, &[1000], &[]), Some(1));
    let replaced = store.replace_in_expr(expr, &[store.symbol(0)], &[]);
    assert!(store.is_symbolic_or_constant(replaced));
    assert_eq!(store.eval_expr(replaced, &[], &[1000]), Some(1));
}

#[test]
fn kinds_of_maps() {
    let store = AffineStore::default();
    let map = |text| read_map(&store, text);
    assert_eq!(store.identity_map(2), map("(d0, d1) -> (d0, d1)"));
    assert_eq!(store.minor_identity_map(3, 2), map("(d0, d1, d2) -> (d1, d2)"));
    assert_eq!(store.permutation_map(&[2, 0, 1]), Some(map("(d0, d1, d2) -> (d2, d0, d1)")));
    assert_eq!((store.permutation_map(&[0, 0]), store.permutation_map(&[1])), (None, None));
    assert_eq!(store.multi_dim_map(3, &[2, 0]), Some(map("(d0, d1, d2) -> (d2, d0)")));
    assert_eq!(store.constant_map(4), map("() -> (4)"));
    assert_eq!(store.single_constant_result(store.constant_map(4)), Some(4));
    assert_eq!(store.constant_results(map("(d0) -> (1, 2)")), Some(vec![1, 2]));
    assert_eq!(store.result_positions(map("(d0, d1) -> (d1, d1)")), Some(vec![1, 1]));

    // identity, minor identity, permutation, projected permutation, the same with zeros
    for (text, expected) in [
        ("() -> ()", [true, true, true, true, true]),
        ("(d0, d1) -> (d0, d1)", [true, true, true, true, true]),
        ("(d0, d1) -> (d1, d0)", [false, false, true, true, true]),
        ("(d0, d1) -> (d1)", [false, true, false, true, true]),
        ("(d0, d1) -> (d0)", [false, false, false, true, true]),
        ("(d0, d1) -> (0, d0)", [false, false, false, false, true]),
        ("(d0, d1) -> (d0, d0)", [false; 5]),
        ("(d0) -> (d0, 0)", [false; 5]),
        ("(d0) -> (d0 + 1)", [false; 5]),
        ("(d0, d1)[s0] -> (d1, d0)", [false; 5]),
    ] {
        let map = map(text);
        let got = [
            store.is_identity(map),
            store.is_minor_identity(map),
            store.is_permutation(map),
            store.is_projected_permutation(map, false),
            store.is_projected_permutation(map, true),
        ];
        assert_eq!(got, expected, "{text}");
    }
}

#[test]
fn maps_from_maps() {
    let store = AffineStore::default();
    let map = |text| read_map(&store, text);
    assert_eq!(
        store.compose(map("(d0, d1)[s0] -> (d0 + s0, d1 * 2)"), map("(d0)[s0] -> (d0 floordiv 2, d0 + s0)")),
        Some(map("(d0)[s0, s1] -> (d0 floordiv 2 + s0, (d0 + s1) * 2)"))
    );
    assert_eq!(store.compose(map("(d0) -> (d0)"), map("() -> ()")), None);
    assert_eq!(store.shift_dims(map("(d0, d1) -> (d0, d1)"), 2, 1), map("(d0, d1, d2, d3) -> (d0, d3)"));
    assert_eq!(store.shift_symbols(map("()[s0] -> (s0)"), 1, 0), map("()[s0, s1] -> (s1)"));
    assert_eq!(store.sub_map(map("(d0) -> (d0, 1, 2)"), &[2, 0]), Some(map("(d0) -> (2, d0)")));
    assert_eq!(store.sub_map(map("(d0) -> (d0)"), &[1]), None);
    assert_eq!(
        store.concat(&[map("(d0)[s0] -> (d0 + s0)"), map("(d0, d1)[s0] -> (d1 + s0)")]),
        map("(d0, d1)[s0, s1] -> (d0 + s0, d1 + s1)")
    );
    assert_eq!(store.inverse_permutation(map("(d0, d1) -> (d1, d0 + d1, d0)")), Some(map("(d0, d1, d2) -> (d2, d0)")));
    assert_eq!(store.inverse_permutation(map("(d0, d1, d2) -> (d2, d0, d1)")), store.permutation_map(&[1, 2, 0]));
    assert_eq!(store.inverse_permutation(map("(d0, d1) -> (d0)")), None);
    assert_eq!(
        store.inverse_projected_permutation(map("(d0, d1, d2) -> (d2, 0)")),
        Some(map("(d0, d1) -> (0, 0, d0)"))
    );
    assert_eq!(store.project_dims(map("(d0, d1, d2) -> (d2 + d0)"), &[true]), map("(d0, d1) -> (d1)"));
    assert_eq!(
        store.drop_unused_dims(&[map("(d0, d1, d2) -> (d2)"), map("(d0, d1, d2) -> (d0)")]),
        [map("(d0, d1) -> (d1)"), map("(d0, d1) -> (d0)")]
    );
    assert_eq!(store.drop_unused_symbols(&[map("(d0)[s0, s1] -> (d0 + s1)")]), [map("(d0)[s0] -> (d0 + s0)")]);
    assert!(store.map_is_function_of_dim(map("(d0, d1) -> (5, d1)"), 1));
    assert!(!store.map_is_function_of_dim(map("(d0, d1) -> (5, d1)"), 0));
    assert!(store.map_is_function_of_symbol(map("()[s0] -> (s0)"), 0));
    assert_eq!(store.eval_map(map("(d0)[s0] -> (d0 + s0, 7)"), &[1], &[2]), Some(vec![3, 7]));
    assert_eq!(store.eval_map(map("(d0)[s0] -> (d0 + s0, 7)"), &[1], &[]), None);
}

#[test]
fn linear_and_strided_forms() {
    let store = AffineStore::default();
    let expr = |text| Reader::new(&store, text).sum();
    assert_eq!(
        store.linear_form(expr("(d0 + d1 * 3) * 2 + s0 * 5 - d0 + 7"), 2, 1),
        Some(LinearForm { dims: vec![1, 6], symbols: vec![5], constant: 7 })
    );
    for text in ["d0 mod 2", "d0 * s0", "d2", "s1", "(d0 * 9223372036854775807 + s0) * 2"] {
        assert_eq!(store.linear_form(expr(text), 2, 1), None, "{text}");
    }
    let form = store.strided_form(expr("d0 * (s0 * 2) + (d1 + 3) * s0 + s1 mod 4 + 1"), 3).unwrap();
    let strides: Vec<_> = form.strides.iter().map(|stride| expr_text(&store, *stride)).collect();
    assert_eq!(strides, ["s0 * 2", "s0", "0"]);
    assert_eq!(store.eval_expr(form.offset, &[], &[10, 7]), Some(34));
    assert_eq!(store.strided_form(expr("d0 floordiv 2"), 1), None);
}

#[test]
fn sets_are_simplified_one_constraint_at_a_time() {
    let store = AffineStore::default();
    let simplified = |text| set_text(&store, store.simplify_set(read_set(&store, text)));
    assert_eq!(simplified("(d0) : (d0 >= 0, 5 >= 0, d0 >= 0)"), "(d0) : (d0 >= 0)");
    assert_eq!(simplified("(d0)[s0] : (d0 >= 0, -1 >= 0)"), "(d0)[s0] : (1 == 0)");
    assert_eq!(simplified("(d0) : (d0 - d0 == 0)"), "(d0) : (0 == 0)");
    assert!(store.is_empty_set(read_set(&store, "(d0) : (1 == 0)")));

    let triangle = read_set(&store, "(d0, d1)[s0] : (d0 >= 0, d1 - d0 >= 0, s0 - d1 == 0)");
    assert_eq!(store.set_contains(triangle, &[1, 3], &[3]), Some(true));
    assert_eq!(store.set_contains(triangle, &[4, 3], &[3]), Some(false));
    assert_eq!(store.set_contains(triangle, &[1, 3], &[4]), Some(false));
    assert_eq!(store.set_contains(triangle, &[1], &[4]), None);
    let moved = store.replace_in_set(triangle, &[store.dim(1), store.constant(3)], &[store.constant(3)], 2, 0);
    assert_eq!(set_text(&store, moved), "(d0, d1) : (d1 >= 0, -d1 + 3 >= 0, 0 == 0)");
}

/// A tree to build with the store and to evaluate without it.
#[derive(Clone, Debug)]
enum Tree {
    Dim(u32),
    Symbol(u32),
    Constant(i64),
    Binary(AffineOp, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn build(&self, store: &AffineStore) -> AffineExpr {
        match self {
            Self::Dim(position) => store.dim(*position),
            Self::Symbol(position) => store.symbol(*position),
            Self::Constant(value) => store.constant(*value),
            Self::Binary(op, lhs, rhs) => store.binary(*op, lhs.build(store), rhs.build(store)),
        }
    }

    fn eval(&self, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        let (op, lhs, rhs) = match self {
            Self::Dim(position) => return Some(dims[*position as usize]),
            Self::Symbol(position) => return Some(symbols[*position as usize]),
            Self::Constant(value) => return Some(*value),
            Self::Binary(op, lhs, rhs) => (op, lhs.eval(dims, symbols)?, rhs.eval(dims, symbols)?),
        };
        // The definitions, by way of exact division in `f64`: the values in these tests are small.
        let quotient = lhs as f64 / rhs as f64;
        match op {
            AffineOp::Add => Some(lhs + rhs),
            AffineOp::Mul => Some(lhs * rhs),
            AffineOp::Mod => (rhs > 0).then(|| lhs - rhs * quotient.floor() as i64),
            AffineOp::FloorDiv => (rhs != 0).then(|| quotient.floor() as i64),
            AffineOp::CeilDiv => (rhs != 0).then(|| quotient.ceil() as i64),
        }
    }
}

const DIMS: u32 = 3;
const SYMBOLS: u32 = 2;

fn trees() -> impl Strategy<Value = Tree> {
    let constants = || (-8i64..=8).prop_map(Tree::Constant);
    let symbolic = prop_oneof![(0..SYMBOLS).prop_map(Tree::Symbol), constants(), constants()];
    let leaves = prop_oneof![2 => (0..DIMS).prop_map(Tree::Dim), 1 => symbolic.clone()];
    leaves.prop_recursive(5, 24, 2, move |inner| {
        let binary = |op, a, b| Tree::Binary(op, Box::new(a), Box::new(b));
        prop_oneof![
            3 => (inner.clone(), inner.clone()).prop_map(move |(a, b)| binary(AffineOp::Add, a, b)),
            2 => (inner.clone(), symbolic.clone(), any::<bool>())
                .prop_map(move |(a, b, swap)| if swap { binary(AffineOp::Mul, b, a) } else { binary(AffineOp::Mul, a, b) }),
            1 => (inner.clone(), symbolic.clone()).prop_map(move |(a, b)| binary(AffineOp::Mod, a, b)),
            1 => (inner.clone(), symbolic.clone()).prop_map(move |(a, b)| binary(AffineOp::FloorDiv, a, b)),
            1 => (inner, symbolic.clone()).prop_map(move |(a, b)| binary(AffineOp::CeilDiv, a, b)),
        ]
    })
}

fn points() -> impl Strategy<Value = ([i64; DIMS as usize], [i64; SYMBOLS as usize])> {
    (any::<[i8; 3]>(), any::<[i8; 2]>()).prop_map(|(d, s)| (d.map(i64::from), s.map(|v| i64::from(v % 20))))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Where a tree has a value, its expression has the same one, simplified or not.
    #[test]
    fn simplification_preserves_values(tree in trees(), (dims, symbols) in points()) {
        let store = AffineStore::default();
        let expr = tree.build(&store);
        let simplified = store.simplify_expr(expr, DIMS, SYMBOLS);
        if let Some(value) = tree.eval(&dims, &symbols) {
            prop_assert_eq!(store.eval_expr(expr, &dims, &symbols), Some(value), "{}", expr_text(&store, expr));
            prop_assert_eq!(store.eval_expr(simplified, &dims, &symbols), Some(value), "{}", expr_text(&store, simplified));
            let divisor = store.known_divisor(expr);
            prop_assert!(value.unsigned_abs().is_multiple_of(divisor), "{} does not divide {}", divisor, value);
        }
    }

    /// Printing and reading gives an expression with the same text and the same values.
    #[test]
    fn text_round_trips(tree in trees(), (dims, symbols) in points()) {
        let store = AffineStore::default();
        let text = expr_text(&store, tree.build(&store));
        let again = Reader::new(&store, &text).sum();
        if let Some(value) = tree.eval(&dims, &symbols) {
            prop_assert_eq!(store.eval_expr(again, &dims, &symbols), Some(value), "{}", text);
        }
    }

    /// A composed map gives what its two parts give one after the other.
    #[test]
    fn composition_is_evaluation_in_turn(
        outer in proptest::collection::vec(trees(), 2), inner in proptest::collection::vec(trees(), DIMS as usize),
        (dims, symbols) in points(), (_, more) in points()
    ) {
        let store = AffineStore::default();
        let map = |trees: &[Tree]| store.intern_map(DIMS, SYMBOLS, trees.iter().map(|t| t.build(&store)).collect::<Vec<_>>());
        let composed = store.compose(map(&outer), map(&inner)).unwrap();
        let middle: Option<Vec<_>> = inner.iter().map(|t| t.eval(&dims, &symbols)).collect();
        // Stay where the reference's arithmetic is exact.
        if let Some(middle) = middle.filter(|m| m.iter().all(|v| v.abs() < 1 << 20))
            && let Some(expected) = outer.iter().map(|t| t.eval(&middle, &more)).collect::<Option<Vec<_>>>()
        {
            let all = [more, symbols].concat();
            prop_assert_eq!(store.eval_map(composed, &dims, &all), Some(expected));
        }
    }

    /// A linear form has the values of its expression.
    #[test]
    fn linear_forms_preserve_values(tree in trees(), (dims, symbols) in points()) {
        let store = AffineStore::default();
        let expr = tree.build(&store);
        if let (Some(form), Some(value)) = (store.linear_form(expr, DIMS, SYMBOLS), tree.eval(&dims, &symbols)) {
            let dot = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<i64>();
            prop_assert_eq!(dot(&form.dims, &dims) + dot(&form.symbols, &symbols) + form.constant, value);
        }
        if let (Some(form), Some(value)) = (store.strided_form(expr, DIMS), tree.eval(&dims, &symbols)) {
            let term = |e, factor| store.eval_expr(e, &[], &symbols).map(|v| v * factor);
            let strides: Option<i64> = form.strides.iter().zip(&dims).map(|(s, d)| term(*s, *d)).sum();
            prop_assert_eq!(strides.zip(term(form.offset, 1)).map(|(a, b)| a + b), Some(value));
        }
    }
}
