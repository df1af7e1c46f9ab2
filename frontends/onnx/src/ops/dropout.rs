//! `Dropout`: while a model is trained, elements are left out at random.

use super::{Operator, many};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::literal::{Literal, count};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[many("Dropout", 7, dropout)];

fn dropout(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let input = node.input(0)?;
    let is_training = node.known_ints(2, "training_mode")?.is_some_and(|known| known == [1]);
    if is_training {
        let ratio = node.known_floats(1, "ratio")?.and_then(|known| known.first().copied()).unwrap_or(0.5);
        require!((0.0..1.0).contains(&ratio), "a ratio of {ratio}");
        if ratio > 0.0 {
            return train(b, node, input, ratio);
        }
    }
    if !node.has_output(1) {
        return Ok(vec![input.clone()]);
    }
    let mask = b.filled(&input.dims, Element::Bool, 1.0)?;
    let mask = b.tensor(mask, input.dims.iter().copied(), Element::Bool);
    Ok(vec![input.clone(), mask])
}

/// Most elements of which some are left out: which, is a constant of the program.
const MAX_RANDOM: usize = 1 << 24;

/// The elements for which a random number is not below `ratio`, made larger by as much as is left out, and which they are. The seed decides.
fn train(b: &mut Builder<'_, '_>, node: &Node<'_>, input: &Tensor, ratio: f64) -> Outcome<Vec<Tensor>> {
    require!(node.has("seed"), "unsupported: training without a seed");
    let seed = u32::try_from(node.int("seed", 0)?).map_err(|_| "a seed that is no number of 32 bits")?;
    let shape = input.expect_static_dims("training with a tensor")?;
    let total = count(&shape)?;
    require!(total <= MAX_RANDOM, "unsupported: training with {total} elements");
    let mut random = Random::new(seed);
    let kept: Vec<i64> = (0..total).map(|_| i64::from(random.uniform() >= ratio)).collect();
    let mask = Tensor::literal(Literal::of_ints(Element::Bool, &shape, &kept)?);
    let e = input.element;
    let output = b.map(&[input, &mask], e, |b, args| {
        let ty = e.ty(b.cx());
        let (scale, zero) = (b.number(ty, 1.0 / (1.0 - ratio)), b.number(ty, 0.0));
        let scaled = b.mul(args[0], scale);
        Ok(b.select(args[1], scaled, zero))
    })?;
    Ok(vec![output, mask])
}

/// Words of the state.
const WORDS: usize = 624;

/// The random numbers of NumPy's `RandomState`, by which ONNX defines its tests: the Mersenne Twister of Matsumoto and Nishimura (1998).
struct Random {
    state: [u32; WORDS],
    next: usize,
}

impl Random {
    fn new(seed: u32) -> Self {
        let mut state = [seed; WORDS];
        for at in 1..WORDS {
            let before = state[at - 1];
            state[at] = (before ^ (before >> 30)).wrapping_mul(1_812_433_253).wrapping_add(at as u32);
        }
        Self { state, next: WORDS }
    }

    /// 32 random bits.
    fn word(&mut self) -> u32 {
        if self.next == WORDS {
            self.twist();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// The next state.
    fn twist(&mut self) {
        for at in 0..WORDS {
            let joined = (self.state[at] & 0x8000_0000) | (self.state[(at + 1) % WORDS] & 0x7fff_ffff);
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[at] = self.state[(at + 397) % WORDS] ^ (joined >> 1) ^ odd;
        }
        self.next = 0;
    }

    /// A number from 0 to below 1, a multiple of 2⁻⁵³.
    fn uniform(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 2_f64.powi(26) + f64::from(low)) * 2_f64.powi(-53)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // From NumPy 2.4: np.random.RandomState(seed).random_sample(...).
    #[test]
    fn numbers_are_those_of_numpy() {
        let numbers = |seed: u32, at: usize| {
            let mut random = Random::new(seed);
            (0..=at).map(|_| random.uniform()).last().unwrap()
        };
        assert!((numbers(0, 0) - 0.548_813_503_927_324_8).abs() < 1e-16);
        assert!((numbers(0, 2) - 0.602_763_376_071_643_9).abs() < 1e-16);
        assert!((numbers(0, 999) - 0.677_141_144_111_424_1).abs() < 1e-16);
        assert!((numbers(u32::MAX, 0) - 0.097_632_028_994_013_8).abs() < 1e-16);
    }
}
