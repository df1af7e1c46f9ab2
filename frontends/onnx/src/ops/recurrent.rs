//! Recurrent layers: LSTM, GRU and RNN.
//!
//! The inputs of all time steps are multiplied with their weights at once; a loop over time steps does the rest.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;

use super::activation::{relu, sigmoid, softplus};
use super::matmul::product;
use super::{Operator, many};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    many("GRU", 7, |b, n| layer(b, n, Cell::Gru)),
    many("LSTM", 7, |b, n| layer(b, n, Cell::Lstm)),
    many("RNN", 7, |b, n| layer(b, n, Cell::Rnn)),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Lstm,
    Gru,
    Rnn,
}

impl Cell {
    /// How many matrices of weights there are.
    const fn gates(self) -> usize {
        match self {
            Self::Lstm => 4,
            Self::Gru => 3,
            Self::Rnn => 1,
        }
    }

    /// The activation functions of one direction, where the node names none.
    const fn functions(self) -> &'static [&'static str] {
        match self {
            Self::Lstm => &["Sigmoid", "Tanh", "Tanh"],
            Self::Gru => &["Sigmoid", "Tanh"],
            Self::Rnn => &["Tanh"],
        }
    }
}

/// An activation function with what it is told.
#[derive(Clone)]
struct Function {
    name: String,
    alpha: Option<f64>,
    beta: Option<f64>,
}

impl Function {
    fn apply(&self, b: &mut Builder<'_, '_>, x: ValueId, e: Element) -> Outcome<ValueId> {
        let ty = e.ty(b.cx());
        let number =
            |b: &mut Builder<'_, '_>, value: Option<f64>, otherwise: f64| b.number(ty, value.unwrap_or(otherwise));
        Ok(match &self.name.to_ascii_lowercase()[..] {
            "sigmoid" => sigmoid(b, x, e),
            "tanh" => b.same("math.tanh", &[x]),
            "relu" => relu(b, x, e),
            "softplus" => softplus(b, x, e),
            "affine" => {
                let (alpha, beta) = (number(b, self.alpha, 1.0), number(b, self.beta, 0.0));
                let scaled = b.mul(alpha, x);
                b.add(scaled, beta)
            }
            "hardsigmoid" => {
                let (alpha, beta) = (number(b, self.alpha, 0.2), number(b, self.beta, 0.5));
                let (zero, one) = (b.number(ty, 0.0), b.number(ty, 1.0));
                let scaled = b.mul(alpha, x);
                let sum = b.add(scaled, beta);
                let low = b.max(sum, zero, e);
                b.min(low, one, e)
            }
            other => return Err(fault!("unsupported: activation function '{other}'")),
        })
    }
}

/// All that one direction needs.
struct Direction {
    backwards: bool,
    /// Of inputs, transposed: inputs × gates of all units.
    weights: Tensor,
    /// Of the state, transposed: units × gates of all units.
    recurrent: Tensor,
    /// Of inputs, then of the state.
    biases: [Option<Tensor>; 2],
    hidden: Tensor,
    cell: Option<Tensor>,
    /// Of input, output and forget gate.
    peepholes: Option<[Tensor; 3]>,
    functions: Vec<Function>,
}

/// What is the same for all directions.
struct Setting<'a> {
    cell: Cell,
    element: Element,
    units: i64,
    batch: Index,
    steps: Index,
    lengths: Option<&'a Tensor>,
    clip: Option<f64>,
    linear_before_reset: bool,
    input_forget: bool,
}

fn layer(b: &mut Builder<'_, '_>, node: &Node<'_>, cell: Cell) -> Outcome<Vec<Tensor>> {
    let batch_first = node.flag("layout", false)?;
    let input = node.input(0)?;
    require!(input.rank() == 3, "expected an input of rank 3, but got {}", input.rank());
    require!(input.element.is_float(), "expected an input of floats, but got {}", input.element.name());
    let input = if batch_first { b.transpose(input, &[1, 0, 2])? } else { input.clone() };
    let weights = node.input(2)?;
    require!(weights.rank() == 3, "expected a recurrence of rank 3, but got {}", weights.rank());
    let units = weights.dims[2].as_static().ok_or("unsupported: a number of units that is known only when running")?;
    let directions = match node.text("direction", "forward")? {
        "forward" => vec![false],
        "reverse" => vec![true],
        "bidirectional" => vec![false, true],
        other => return Err(fault!("attribute 'direction' is '{other}'")),
    };
    let lengths = node.optional(4);
    if let Some(lengths) = lengths {
        require!(lengths.rank() == 1, "expected lengths of rank 1, but got {}", lengths.rank());
    }
    let setting = Setting {
        cell,
        element: input.element,
        units,
        batch: input.dims[1],
        steps: input.dims[0],
        lengths,
        clip: if node.has("clip") { Some(node.float("clip", 0.0)?) } else { None },
        linear_before_reset: node.flag("linear_before_reset", false)?,
        input_forget: node.flag("input_forget", false)?,
    };
    let mut outputs = Vec::new();
    for (at, &backwards) in directions.iter().enumerate() {
        let direction = direction(b, node, &setting, at, backwards, directions.len(), batch_first)?;
        outputs.push(run(b, &input, &setting, &direction)?);
    }
    collect(b, &outputs, batch_first)
}

/// Results of directions: all states, the last one, and the last cell.
fn collect(b: &mut Builder<'_, '_>, outputs: &[Vec<Tensor>], batch_first: bool) -> Outcome<Vec<Tensor>> {
    let mut results = Vec::new();
    for at in 0..outputs[0].len() {
        let axis = usize::from(at == 0);
        let mut parts = Vec::new();
        for output in outputs {
            parts.push(b.unsqueeze(&output[at], &[axis])?);
        }
        let joined = b.concat(&parts, axis)?;
        // Steps × directions × batch × units, and directions × batch × units.
        results.push(match (batch_first, at) {
            (false, _) => joined,
            (true, 0) => b.transpose(&joined, &[2, 0, 1, 3])?,
            (true, _) => b.transpose(&joined, &[1, 0, 2])?,
        });
    }
    Ok(results)
}

fn direction(
    b: &mut Builder<'_, '_>,
    node: &Node<'_>,
    setting: &Setting<'_>,
    at: usize,
    backwards: bool,
    count: usize,
    batch_first: bool,
) -> Outcome<Direction> {
    let Setting { cell, element, units, batch, .. } = *setting;
    let own = |b: &mut Builder<'_, '_>, tensor: &Tensor, axis: usize, rank: usize| -> Outcome<Tensor> {
        require!(
            tensor.rank() == rank,
            "expected weights, biases and states of rank {rank}, but got {}",
            tensor.rank()
        );
        let part = b.part(tensor, axis, Index::Static(at as i64), Index::Static(1))?;
        b.squeeze(&part, &[axis])
    };
    let mut matrices = Vec::new();
    for input in [1, 2] {
        let matrix = own(b, node.input(input)?, 0, 3)?;
        matrices.push(b.transpose(&matrix, &[1, 0])?);
    }
    let all = Index::Static(units * cell.gates() as i64);
    b.same_extent(matrices[0].dims[1], all, "weights")?;
    b.same_extent(matrices[1].dims[1], all, "weights of the state")?;
    let mut biases = [None, None];
    if let Some(bias) = node.optional(3) {
        let bias = own(b, bias, 0, 2)?;
        let mut start = Index::Static(0);
        for half in &mut biases {
            *half = Some(b.part(&bias, 0, start, all)?);
            start = all;
        }
    }
    let mut states = Vec::new();
    for input in [5, 6] {
        states.push(if let Some(state) = node.optional(input) {
            own(b, state, usize::from(batch_first), 3)?
        } else {
            let dims = [batch, Index::Static(units)];
            let zeros = b.filled(&dims, element, 0.0)?;
            b.tensor(zeros, dims, element)
        });
    }
    let of_cell = states.pop().filter(|_| cell == Cell::Lstm);
    let hidden = states.pop().ok_or("no state")?;
    let peepholes = match node.optional(7).filter(|_| cell == Cell::Lstm) {
        Some(all) => {
            let all = own(b, all, 0, 2)?;
            let part =
                |b: &mut Builder<'_, '_>, gate: i64| b.part(&all, 0, Index::Static(gate * units), Index::Static(units));
            Some([part(b, 0)?, part(b, 1)?, part(b, 2)?])
        }
        None => None,
    };
    let functions = functions(node, cell, at, count)?;
    let [recurrent, weights] = [matrices.pop().ok_or("no weights")?, matrices.pop().ok_or("no weights")?];
    Ok(Direction { backwards, weights, recurrent, biases, hidden, cell: of_cell, peepholes, functions })
}

/// The activation functions of direction `at`.
fn functions(node: &Node<'_>, cell: Cell, at: usize, count: usize) -> Outcome<Vec<Function>> {
    let defaults = cell.functions();
    let names = node.texts("activations")?.unwrap_or_else(|| defaults.repeat(count));
    require!(names.len() == defaults.len() * count, "expected {} activation functions", defaults.len() * count);
    let (alphas, betas) = (node.floats("activation_alpha")?, node.floats("activation_beta")?);
    let own = at * defaults.len()..(at + 1) * defaults.len();
    Ok(own
        .map(|at| Function {
            name: names[at].to_owned(),
            alpha: alphas.as_ref().and_then(|list| list.get(at).copied()),
            beta: betas.as_ref().and_then(|list| list.get(at).copied()),
        })
        .collect())
}

/// All states, the last one, and the last cell of an LSTM.
fn run(b: &mut Builder<'_, '_>, input: &Tensor, setting: &Setting<'_>, direction: &Direction) -> Outcome<Vec<Tensor>> {
    let Setting { element: e, units, batch, steps, .. } = *setting;
    // Of all steps at once.
    let mut scores = product(b, input, &direction.weights, e)?;
    if let Some(bias) = &direction.biases[0] {
        scores = b.map(&[&scores, bias], e, |b, args| Ok(b.add(args[0], args[1])))?;
    }
    let state_dims = [batch, Index::Static(units)];
    let all_dims: Indices = [steps, batch, Index::Static(units)].into_iter().collect();
    let all = b.filled(&all_dims, e, 0.0)?;
    let mut inits = vec![all, b.value(&direction.hidden)?];
    if let Some(cell) = &direction.cell {
        inits.push(b.value(cell)?);
    }
    let results = b.for_loop(Index::Static(0), steps, &inits, |b, step, state| {
        let time = if direction.backwards {
            let last = b.index_sub(steps, Index::Static(1))?;
            b.index_sub(last, Index::Value(step))?
        } else {
            Index::Value(step)
        };
        let own = b.part(&scores, 0, time, Index::Static(1))?;
        let own = b.squeeze(&own, &[0])?;
        let hidden = b.tensor(state[1], state_dims, e);
        let cell = state.get(2).map(|&cell| b.tensor(cell, state_dims, e));
        let (mut next, mut next_cell) = step_of(b, setting, direction, &own, &hidden, cell.as_ref())?;
        let mut shown = next.clone();
        if let Some(lengths) = setting.lengths {
            // Past the end of a sequence the state stays, and what is shown is zero.
            shown = within(b, lengths, time, &next, None)?;
            next = within(b, lengths, time, &next, Some(&hidden))?;
            next_cell = match (next_cell, &cell) {
                (Some(next), Some(cell)) => Some(within(b, lengths, time, &next, Some(cell))?),
                (next, _) => next,
            };
        }
        let list = b.tensor(state[0], all_dims.iter().copied(), e);
        let sizes = [Index::Static(1), batch, Index::Static(units)];
        let list = b.insert(&shown, &list, &[time, Index::Static(0), Index::Static(0)], &sizes)?;
        let mut values = vec![b.value(&list)?, b.value(&next)?];
        if let Some(cell) = next_cell {
            values.push(b.value(&cell)?);
        }
        Ok(values)
    })?;
    let mut outputs = vec![b.tensor(results[0], all_dims, e)];
    outputs.extend(results[1..].iter().map(|&value| b.tensor(value, state_dims, e)));
    Ok(outputs)
}

/// The new state of those sequences that are longer than `time`; the old one, or zero, of the others.
fn within(
    b: &mut Builder<'_, '_>,
    lengths: &Tensor,
    time: Index,
    new: &Tensor,
    old: Option<&Tensor>,
) -> Outcome<Tensor> {
    let (e, of_lengths) = (new.element, lengths.element);
    let lengths = b.unsqueeze(lengths, &[1])?;
    let time = b.index(time);
    let inputs: Vec<&Tensor> = [&lengths, new].into_iter().chain(old).collect();
    b.map_to(&new.dims.clone(), &inputs, e, |b, args| {
        let length = b.cast_to_index(args[0], of_lengths);
        let runs = b.compare_ints("slt", time, length);
        let otherwise = match args.get(2) {
            Some(&old) => old,
            None => b.number(e.ty(b.cx()), 0.0),
        };
        Ok(b.select(runs, args[1], otherwise))
    })
}

/// The columns of one gate.
fn gate(b: &mut Builder<'_, '_>, tensor: &Tensor, gate: i64, units: i64) -> Outcome<Tensor> {
    b.part(tensor, tensor.rank() - 1, Index::Static(gate * units), Index::Static(units))
}

fn clipped(b: &mut Builder<'_, '_>, x: ValueId, e: Element, clip: Option<f64>) -> ValueId {
    let Some(clip) = clip else { return x };
    let (low, high) = (b.number(e.ty(b.cx()), -clip), b.number(e.ty(b.cx()), clip));
    let x = b.max(x, low, e);
    b.min(x, high, e)
}

/// State and cell after one step.
fn step_of(
    b: &mut Builder<'_, '_>,
    setting: &Setting<'_>,
    direction: &Direction,
    scores: &Tensor,
    hidden: &Tensor,
    cell: Option<&Tensor>,
) -> Outcome<(Tensor, Option<Tensor>)> {
    match (setting.cell, cell) {
        (Cell::Lstm, Some(cell)) => lstm(b, setting, direction, scores, hidden, cell).map(|(h, c)| (h, Some(c))),
        (Cell::Gru, _) => gru(b, setting, direction, scores, hidden).map(|h| (h, None)),
        _ => {
            let sums = sums(b, direction, scores, hidden)?;
            let e = sums.element;
            let next = b.map(&[&sums], e, |b, args| {
                let x = clipped(b, args[0], e, setting.clip);
                direction.functions[0].apply(b, x, e)
            })?;
            Ok((next, None))
        }
    }
}

/// What inputs, state and biases come to.
fn sums(b: &mut Builder<'_, '_>, direction: &Direction, scores: &Tensor, hidden: &Tensor) -> Outcome<Tensor> {
    let e = scores.element;
    let of_state = product(b, hidden, &direction.recurrent, e)?;
    let mut inputs = vec![scores, &of_state];
    inputs.extend(&direction.biases[1]);
    b.map(&inputs, e, |b, args| Ok(args[1..].iter().fold(args[0], |sum, &next| b.add(sum, next))))
}

/// `c' = f * c + i * g(z)`, `h' = o * h(c')`; gates are in the order i, o, f, c.
fn lstm(
    b: &mut Builder<'_, '_>,
    setting: &Setting<'_>,
    direction: &Direction,
    scores: &Tensor,
    hidden: &Tensor,
    cell: &Tensor,
) -> Outcome<(Tensor, Tensor)> {
    let (e, units, clip) = (setting.element, setting.units, setting.clip);
    let sums = sums(b, direction, scores, hidden)?;
    let gates = (0..4).map(|at| gate(b, &sums, at, units)).collect::<Outcome<Vec<Tensor>>>()?;
    let [f, g, h] = [&direction.functions[0], &direction.functions[1], &direction.functions[2]];
    let mut inputs = vec![&gates[0], &gates[2], &gates[3], cell];
    if let Some([of_input, _, of_forget]) = &direction.peepholes {
        inputs.extend([of_input, of_forget]);
    }
    let next_cell = b.map(&inputs, e, |b, args| {
        let (mut input, mut forget) = (args[0], args[1]);
        if let &[of_input, of_forget] = &args[4..] {
            let (a, c) = (b.mul(of_input, args[3]), b.mul(of_forget, args[3]));
            (input, forget) = (b.add(input, a), b.add(forget, c));
        }
        let input = clipped(b, input, e, clip);
        let input = f.apply(b, input, e)?;
        let forget = if setting.input_forget {
            let one = b.number(e.ty(b.cx()), 1.0);
            b.sub(one, input)
        } else {
            let forget = clipped(b, forget, e, clip);
            f.apply(b, forget, e)?
        };
        let new = clipped(b, args[2], e, clip);
        let new = g.apply(b, new, e)?;
        let (kept, added) = (b.mul(forget, args[3]), b.mul(input, new));
        Ok(b.add(kept, added))
    })?;
    let mut inputs = vec![&gates[1], &next_cell];
    if let Some([_, of_output, _]) = &direction.peepholes {
        inputs.push(of_output);
    }
    let next = b.map(&inputs, e, |b, args| {
        let mut output = args[0];
        if let Some(&of_output) = args.get(2) {
            let seen = b.mul(of_output, args[1]);
            output = b.add(output, seen);
        }
        let output = clipped(b, output, e, clip);
        let output = f.apply(b, output, e)?;
        let shown = h.apply(b, args[1], e)?;
        Ok(b.mul(output, shown))
    })?;
    Ok((next, next_cell))
}

/// `h' = (1 - z) * n + z * h`; gates are in the order z, r, h.
fn gru(
    b: &mut Builder<'_, '_>,
    setting: &Setting<'_>,
    direction: &Direction,
    scores: &Tensor,
    hidden: &Tensor,
) -> Outcome<Tensor> {
    let (e, units, clip) = (setting.element, setting.units, setting.clip);
    let [f, g] = [&direction.functions[0], &direction.functions[1]];
    let both = Index::Static(2 * units);
    let of_gates = b.part(&direction.recurrent, 1, Index::Static(0), both)?;
    let of_gates = product(b, hidden, &of_gates, e)?;
    let own = b.part(scores, 1, Index::Static(0), both)?;
    let bias = direction.biases[1].as_ref();
    let of_bias = bias.map(|bias| b.part(bias, 0, Index::Static(0), both)).transpose()?;
    let inputs: Vec<&Tensor> = [&own, &of_gates].into_iter().chain(&of_bias).collect();
    let gates = b.map(&inputs, e, |b, args| {
        let sum = args[1..].iter().fold(args[0], |sum, &next| b.add(sum, next));
        let sum = clipped(b, sum, e, clip);
        f.apply(b, sum, e)
    })?;
    let (update, reset) = (gate(b, &gates, 0, units)?, gate(b, &gates, 1, units)?);
    let weights = gate(b, &direction.recurrent, 2, units)?;
    let bias = bias.map(|bias| gate(b, bias, 2, units)).transpose()?;
    let scores = gate(b, scores, 2, units)?;
    let of_state = if setting.linear_before_reset {
        let of_state = product(b, hidden, &weights, e)?;
        let inputs: Vec<&Tensor> = [&reset, &of_state].into_iter().chain(&bias).collect();
        b.map(&inputs, e, |b, args| {
            let sum = args.get(2).map_or(args[1], |&bias| b.add(args[1], bias));
            Ok(b.mul(args[0], sum))
        })?
    } else {
        let kept = b.map(&[&reset, hidden], e, |b, args| Ok(b.mul(args[0], args[1])))?;
        let of_state = product(b, &kept, &weights, e)?;
        match &bias {
            Some(bias) => b.map(&[&of_state, bias], e, |b, args| Ok(b.add(args[0], args[1])))?,
            None => of_state,
        }
    };
    b.map(&[&scores, &of_state, &update, hidden], e, |b, args| {
        let sum = b.add(args[0], args[1]);
        let sum = clipped(b, sum, e, clip);
        let new = g.apply(b, sum, e)?;
        let one = b.number(e.ty(b.cx()), 1.0);
        let rest = b.sub(one, args[2]);
        let (fresh, kept) = (b.mul(rest, new), b.mul(args[2], args[3]));
        Ok(b.add(fresh, kept))
    })
}
