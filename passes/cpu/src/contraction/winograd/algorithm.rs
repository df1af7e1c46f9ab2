//! The numbers of Winograd's minimal filtering F(m, 3): `m` neighbours of a convolution with three taps in `m + 2` multiplications.
//!
//! ```text
//! y = Aᵀ ((G g) ∘ (Bᵀ d))        in two dimensions: Y = Aᵀ ((G g Gᵀ) ∘ (Bᵀ d B)) A
//! ```
//!
//! The matrices follow from points at which polynomials are evaluated and interpolated (Toom and Cook): 0, infinity, and pairs `±p`. What the
//! points are decides how far rounding goes: those of F(4, 3) here, 3/4 and 3/2, leave a fifth of the error that the usual 1 and 2 do, at the
//! same cost. Measured on normally distributed numbers, 576 products a sum, largest error over the largest result: direct 9e-7, F(2, 3) 3e-7,
//! F(4, 3) 1.6e-6.
//!
//! Values for `+p` and `-p` are the sum and the difference of an even and an odd part. So each transform is a product of two matrices with few
//! entries, and most of those are 1.

/// A matrix, by rows.
pub(super) type Matrix = Vec<Vec<f64>>;

/// Taps of the filter along a dimension.
pub(super) const TAPS: usize = 3;

/// The most elements of the input that results of an algorithm depend on, along a dimension.
const MOST_INPUTS: usize = 6;

/// F(m, 3).
#[derive(Clone, Debug)]
pub(super) struct Algorithm {
    /// Results computed at once along a dimension.
    pub(super) outputs: usize,
    /// `G`, of `outputs + 2` rows.
    pub(super) filter: Vec<[f64; TAPS]>,
    /// `Bᵀ` as matrices to multiply by one after the other.
    pub(super) input: [Matrix; 2],
    /// `Aᵀ`, likewise.
    pub(super) output: [Matrix; 2],
}

impl Algorithm {
    /// F(`outputs`, 3); `None` but for 2 and 4.
    pub(super) fn of(outputs: usize) -> Option<Self> {
        let pairs: &[f64] = match outputs {
            2 => &[1.0],
            4 => &[0.75, 1.5],
            _ => return None,
        };
        Some(Self { outputs, filter: filter(pairs), input: input(pairs), output: output(pairs, outputs) })
    }

    /// Elements of the input that `outputs` results depend on, along a dimension.
    pub(super) fn inputs(&self) -> usize {
        self.outputs + TAPS - 1
    }

    /// `G g Gᵀ` of several filters: `each` gets the number of an element, by rows, and it of each filter.
    pub(super) fn transform_filter<const FILTERS: usize>(
        &self,
        g: &[[[f64; FILTERS]; TAPS]; TAPS],
        mut each: impl FnMut(usize, [f64; FILTERS]),
    ) {
        let mut rows = [[[0.0; FILTERS]; TAPS]; MOST_INPUTS];
        for x in 0..TAPS {
            self.multiply_by_filter([&g[0][x], &g[1][x], &g[2][x]], |y, values| rows[y][x] = values);
        }
        for (y, [a, b, c]) in rows.iter().enumerate().take(self.inputs()) {
            self.multiply_by_filter([a, b, c], |x, values| each(y * self.inputs() + x, values));
        }
    }

    /// `G g` of several filters along one dimension. Rows for `+p` and `-p` differ in the sign of the odd part alone; the first and the last have one entry.
    fn multiply_by_filter<const FILTERS: usize>(
        &self,
        [a, b, c]: [&[f64; FILTERS]; TAPS],
        mut each: impl FnMut(usize, [f64; FILTERS]),
    ) {
        let [first, pairs @ .., _] = &self.filter[..] else { return };
        each(0, a.map(|a| first[0] * a));
        for (number, row) in (1..).step_by(2).zip(pairs.iter().step_by(2)) {
            let even: [f64; FILTERS] = std::array::from_fn(|filter| row[0] * a[filter] + row[2] * c[filter]);
            each(number, std::array::from_fn(|filter| even[filter] + row[1] * b[filter]));
            each(number + 1, std::array::from_fn(|filter| even[filter] - row[1] * b[filter]));
        }
        each(self.filter.len() - 1, *c);
    }
}

/// All of these but number `without`.
fn others(pairs: &[f64], without: Option<usize>) -> impl Iterator<Item = f64> {
    pairs.iter().enumerate().filter(move |&(at, _)| Some(at) != without).map(|(_, &q)| q)
}

/// The coefficients of `Π (x² - q²)` for all points `q` but number `without`, lowest power first.
fn product(pairs: &[f64], without: Option<usize>) -> Vec<f64> {
    let mut product = vec![1.0];
    for q in others(pairs, without) {
        let mut next = vec![0.0; product.len() + 2];
        for (at, &coefficient) in product.iter().enumerate() {
            next[at] -= q * q * coefficient;
            next[at + 2] += coefficient;
        }
        product = next;
    }
    product
}

/// The value of that at `x`.
fn product_at(pairs: &[f64], without: Option<usize>, x: f64) -> f64 {
    others(pairs, without).map(|q| x * x - q * q).product()
}

/// `G`: the filter as a polynomial at each point, over what the polynomial of the other points is there.
fn filter(pairs: &[f64]) -> Vec<[f64; TAPS]> {
    let at = |x: f64, over: f64| std::array::from_fn(|power| x.powi(power as i32) / over);
    let mut rows = vec![at(0.0, product_at(pairs, None, 0.0))];
    for (number, &p) in pairs.iter().enumerate() {
        let over = 2.0 * p * p * product_at(pairs, Some(number), p);
        rows.extend([at(p, over), at(-p, over)]);
    }
    rows.push(std::array::from_fn(|tap| f64::from(tap == TAPS - 1)));
    rows
}

/// `Bᵀ`: first even and odd parts, then their sums and differences.
fn input(pairs: &[f64]) -> [Matrix; 2] {
    let size = 2 * pairs.len() + 2;
    let row = |coefficients: &[f64], shift: usize| {
        let mut row = vec![0.0; size];
        row[shift..shift + coefficients.len()].copy_from_slice(coefficients);
        row
    };
    let all = product(pairs, None);
    let mut parts = vec![row(&all, 0)];
    let mut sums = vec![unit(size, 0)];
    for (at, &p) in pairs.iter().enumerate() {
        let rest = product(pairs, Some(at));
        parts.extend([row(&rest, 2), row(&rest, 1)]);
        let mut sum = unit(size, 2 * at + 1);
        let mut difference = sum.clone();
        (sum[2 * at + 2], difference[2 * at + 2]) = (p, -p);
        sums.extend([sum, difference]);
    }
    parts.push(row(&all, 1));
    sums.push(unit(size, size - 1));
    [parts, sums]
}

/// `Aᵀ`: first sums and differences of the values of a pair, then those times powers of the point.
fn output(pairs: &[f64], outputs: usize) -> [Matrix; 2] {
    let size = 2 * pairs.len() + 2;
    let mut sums = vec![unit(size, 0)];
    for at in 0..pairs.len() {
        let mut sum = unit(size, 2 * at + 1);
        let mut difference = sum.clone();
        (sum[2 * at + 2], difference[2 * at + 2]) = (1.0, -1.0);
        sums.extend([sum, difference]);
    }
    sums.push(unit(size, size - 1));
    let row = |power: usize| {
        let mut row = vec![0.0; size];
        row[0] = f64::from(power == 0);
        for (at, &p) in pairs.iter().enumerate() {
            row[2 * at + 1 + power % 2] = p.powi(power as i32);
        }
        row[size - 1] = f64::from(power == outputs - 1);
        row
    };
    [sums, (0..outputs).map(row).collect()]
}

/// Row `at` of the matrix that changes nothing.
fn unit(size: usize, at: usize) -> Vec<f64> {
    (0..size).map(|column| f64::from(column == at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(stages: &[Matrix], values: &[f64]) -> Vec<f64> {
        stages.iter().fold(values.to_vec(), |values, matrix| {
            matrix.iter().map(|row| row.iter().zip(&values).map(|(a, b)| a * b).sum()).collect()
        })
    }

    fn transposed(matrix: &[Vec<f64>]) -> Matrix {
        (0..matrix[0].len()).map(|at| matrix.iter().map(|row| row[at]).collect()).collect()
    }

    fn apply_twice(stages: &[Matrix], values: &Matrix) -> Matrix {
        let once: Matrix = transposed(values).iter().map(|column| apply(stages, column)).collect();
        transposed(&once).iter().map(|row| apply(stages, row)).collect()
    }

    /// Small integers, so that F(2, 3) is exact and F(4, 3) nearly so in double precision.
    fn numbers(count: usize, seed: usize) -> Vec<f64> {
        (0..count).map(|at| ((at * at * 7 + at * 3 + seed) % 17) as f64 - 8.0).collect()
    }

    /// `G g Gᵀ`, by rows.
    fn transformed(algorithm: &Algorithm, g: &[[[f64; 1]; TAPS]; TAPS]) -> Vec<f64> {
        let mut elements = vec![0.0; algorithm.inputs().pow(2)];
        algorithm.transform_filter(g, |at, [element]| elements[at] = element);
        elements
    }

    #[test]
    fn results_are_those_of_the_direct_sum() {
        for outputs in [2, 4] {
            let algorithm = Algorithm::of(outputs).unwrap();
            let size = algorithm.inputs();
            let d: Matrix = numbers(size * size, 1).chunks(size).map(<[f64]>::to_vec).collect();
            let g = numbers(9, 5);
            let g = [[[g[0]], [g[1]], [g[2]]], [[g[3]], [g[4]], [g[5]]], [[g[6]], [g[7]], [g[8]]]];
            let u = transformed(&algorithm, &g);
            let v = apply_twice(&algorithm.input, &d).concat();
            let products: Vec<f64> = u.iter().zip(&v).map(|(u, v)| u * v).collect();
            let y = apply_twice(&algorithm.output, &products.chunks(size).map(<[f64]>::to_vec).collect());
            for (row, line) in y.iter().enumerate() {
                for (column, &actual) in line.iter().enumerate() {
                    let window = (0..9).map(|at| d[row + at / 3][column + at % 3] * g[at / 3][at % 3][0]);
                    let expected: f64 = window.sum();
                    assert!((actual - expected).abs() < 1e-9, "F({outputs}, 3): expected {expected}, got {actual}");
                }
            }
        }
    }

    #[test]
    fn the_smaller_one_is_that_of_the_literature() {
        // Lavin and Gray 2016, up to the signs of rows that meet in a product.
        let algorithm = Algorithm::of(2).unwrap();
        let whole = |stages: &[Matrix; 2], size: usize| {
            transposed(&(0..size).map(|at| apply(stages, &unit(size, at))).collect::<Vec<_>>())
        };
        let b = [[-1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]];
        assert_eq!(whole(&algorithm.input, 4), b.map(Vec::from).to_vec());
        assert_eq!(whole(&algorithm.output, 4), [[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]].map(Vec::from).to_vec());
        let g = [[-1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]];
        assert_eq!(algorithm.filter, g.to_vec());
    }

    /// Normally distributed numbers, nearly: sums of twelve from a linear congruential generator.
    struct Normal(u64);

    impl Normal {
        fn next(&mut self) -> f32 {
            let mut uniform = || {
                self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (self.0 >> 40) as f32 / (1_u64 << 24) as f32
            };
            (0..12).map(|_| uniform()).sum::<f32>() - 6.0
        }
    }

    /// The stages on numbers of single precision, each operation rounded as the program does.
    fn rounded(stages: &[Matrix; 2], tile: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let multiply = |values: Vec<f32>| {
            stages.iter().fold(values, |values, matrix| {
                let sum =
                    |row: &Vec<f64>| row.iter().zip(&values).fold(0.0, |sum, (&a, &b)| (a as f32).mul_add(b, sum));
                matrix.iter().map(sum).collect()
            })
        };
        let turned = |tile: &[Vec<f32>]| -> Vec<Vec<f32>> {
            (0..tile[0].len()).map(|at| multiply(tile.iter().map(|row| row[at]).collect())).collect()
        };
        turned(&turned(tile))
    }

    #[test]
    fn errors_are_bounded() {
        const CHANNELS: usize = 64;
        for (outputs, bound) in [(2, 5e-7), (4, 2.5e-6)] {
            let algorithm = Algorithm::of(outputs).unwrap();
            let size = algorithm.inputs();
            let mut normal = Normal(1);
            let (mut error, mut largest) = (0.0_f64, 0.0_f64);
            for _ in 0..100 {
                let mut sums = vec![vec![0.0_f32; size]; size];
                let mut expected = vec![vec![0.0_f64; outputs]; outputs];
                for _ in 0..CHANNELS {
                    let d: Vec<Vec<f32>> = (0..size).map(|_| (0..size).map(|_| normal.next()).collect()).collect();
                    let g: [[[f64; 1]; TAPS]; TAPS] =
                        [(); TAPS].map(|()| [(); TAPS].map(|()| [f64::from(normal.next() / 16.0)]));
                    let (u, v) = (transformed(&algorithm, &g), rounded(&algorithm.input, &d));
                    for (sum, (u, v)) in sums.iter_mut().flatten().zip(u.into_iter().zip(v.into_iter().flatten())) {
                        *sum = (u as f32).mul_add(v, *sum);
                    }
                    for (at, sum) in expected.iter_mut().flatten().enumerate() {
                        let (row, column) = (at / outputs, at % outputs);
                        *sum += (0..9)
                            .map(|tap| f64::from(d[row + tap / 3][column + tap % 3]) * g[tap / 3][tap % 3][0])
                            .sum::<f64>();
                    }
                }
                for (actual, expected) in
                    rounded(&algorithm.output, &sums).iter().flatten().zip(expected.iter().flatten())
                {
                    error = error.max((f64::from(*actual) - expected).abs());
                    largest = largest.max(expected.abs());
                }
            }
            assert!(error / largest < bound, "F({outputs}, 3): {:.1e}", error / largest);
            assert!(error / largest > bound / 20.0, "F({outputs}, 3) is better than it says: {:.1e}", error / largest);
        }
    }

    #[test]
    fn only_sizes_with_known_points() {
        assert!([0, 1, 3, 5, 6].into_iter().all(|outputs| Algorithm::of(outputs).is_none()));
    }
}
