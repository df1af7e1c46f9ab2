//! The cost model: which tile, and what is packed.
//!
//! A tile of `rows` times `vectors` registers stays in registers while the reduced loops run. Each step of them loads a vector for each of the
//! `vectors`, broadcasts a scalar for each of the `rows`, and multiplies and adds all pairs.
//!
//! * Registers: the accumulators, the vectors of the step and two more must fit, or values spill; four more where loops
//!   are nested, and where something is done with the sums: its constants stay in registers throughout.
//! * Two multiply-adds a cycle with a latency of four need eight of them under way; so small tiles wait.
//! * Two loads a cycle: a tile with few multiply-adds for each load waits for those.
//! * Rows of the scalar input that lie a multiple of 4 KiB apart share a set of the first-level cache, and must fit its ways.
//! * A panel of the packed input, all of the depth times the columns of a tile, must fit five eighths of the second-level cache. Where it does not fit
//!   as much of the first-level one, each tile reads it from the second, which gives a vector in two cycles: with few rows, a tile waits for that.
//!
//! Among the tiles that may be, the one with the least estimated time for the whole nest is taken: edges count as what they cost.
//!
//! Where each row reads its own vectors and a small window slides over the rows, as in a depthwise convolution, neighbouring rows read the same: the
//! window is unrolled for a column of rows, and each vector is loaded once for all of them.
//!
//! Packing copies an input once, so that what a tile reads is adjacent. It must be where the input changes along the vectors by more than
//! one element, and pays where rows of it are far apart and each panel is read often.

use std::ops::Range;

use dl_ir::Context;
use dl_ir::affine::{AffineExpr, AffineStore};
use dl_machine::Machine;

use super::ahead::{self, Ahead};
use super::group::{Group, factor};
use super::narrow;
use super::shape::{Access, Along, Contraction};
use super::tiles;

/// Fewest uses of a panel for which copying an input that could be read where it is pays.
const USES_THAT_PAY: u64 = 48;

/// Fewest uses of a panel for which an input is copied that cannot be read where it is.
const USES_THAT_NEED: u64 = 4;

/// The same where inner products would need no copy: element by element, which is slow; by squares; and by squares of an input that takes at most this share of the
/// second-level cache. On a Zen 5, of 64 KiB 16 rows took 0.65 of the time of inner products, of 1 MiB 32 rows as long, and of 4 MiB 16 rows 1.15 of it.
const USES_THAT_BEAT_DOTS: u64 = 128;
const USES_OF_SQUARES_THAT_BEAT_DOTS: u64 = 32;
const USES_OF_NEAR_SQUARES_THAT_BEAT_DOTS: u64 = 8;
const NEAR_SHARE: u64 = 4;

/// Cycles from a multiply-add to the next that uses its result, and how many start in a cycle; loads that start in a cycle.
const LATENCY: f64 = 4.0;
const PIPES: f64 = 2.0;
const LOADS: f64 = 2.0;

/// Registers besides the accumulators and the vectors of a step. Where loops are nested, values are moved ahead over the inner one, and two more
/// keep them from being spilled. An epilogue has values like that too, its constants; where there are few registers, a smaller tile costs more.
const SPARE: u64 = 2;
const NESTED_SPARE: u64 = 4;
const MANY_REGISTERS: u32 = 32;

/// Steps that are made one behind the other where registers are spare.
const STEPS_AT_ONCE: u64 = 2;

/// Most elements of a window that is unrolled, and most rows that it is unrolled for.
const WINDOW: u64 = 25;
const WINDOW_ROWS: u64 = 8;

/// The part of a cache that a panel may take.
const PANEL_SHARE: f64 = 0.625;

/// Cycles in which the second-level cache gives a vector. A convolution of bytes by tiles of 2x4, which asks for one in a cycle, waited for two and more on a Zen 3.
const CYCLES_OF_SECOND_LEVEL: f64 = 2.0;

/// The share of the second-level cache, as a divisor, that weights take at most which are used in each iteration of outer loops, and those that
/// each thread fetches for itself then. Weights of 216 KiB took 2 threads twice the time so, of 96 KiB 0.9 of it, of 24 KiB 0.55.
const INSIDE_SHARE: u64 = 4;
const THREADS_SHARE: u64 = 16;

/// Fewest panels for each thread where these share them out.
const PANELS_OF_A_THREAD: u64 = 4;

/// Bytes that the last-level cache gives in a cycle, with room for others that use it; and one that is larger than so many bytes: such are spread over
/// the many cores that share them.
const BYTES_OF_LAST_LEVEL: f64 = 2.5;
const BYTES_OF_LARGE_LAST_LEVEL: f64 = 1.5;
const LARGE_LAST_LEVEL: u64 = 32 << 20;

/// Fewest rows of a block in the second-level cache; the same for each element of a vector where every block packs all columns anew, which took longer than the last-level
/// cache did with 66 rows of vectors of eight; and fewest times that rows are read for which that pays.
const LEAST_ROW_BLOCK: u64 = 64;
const LEAST_ROW_BLOCK_TO_FILL: u64 = 32;
const READS_THAT_PAY: u64 = 8;

/// Bytes of a page, and of the stride at which addresses share a set of a first-level cache.
const PAGE: i64 = 4096;

/// How a contraction is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Elements of a vector.
    pub lanes: u64,
    /// The tile.
    pub tile: Tile,
    /// The input that is packed into panels before.
    pub pack: Option<usize>,
    /// How many rows are done for all columns before the next: a multiple of those of the tile.
    pub row_block: Option<u64>,
    /// The instruction that takes products in groups, if there is one.
    pub group: Option<Group>,
    /// What steps of a tile ask for ahead.
    pub ahead: Option<Ahead>,
    /// The input that is widened before.
    pub widen: Option<usize>,
    /// Whether the reduced loops, a small window, are unrolled.
    pub unrolled: bool,
    /// How many parts the depth goes by in.
    pub parts: u64,
    /// Steps of the innermost reduced loop that are made one behind the other, where there are several.
    pub at_once: u64,
    /// Whether all panels go by in each iteration of the outer loops, also of those that do not change them.
    pub panels_inside: bool,
    /// The innermost of the outer loops, where a tile of matrix registers has the rows of two of its iterations.
    pub stacked: Option<usize>,
    /// Whether each panel that is filled has memory of its own, so that threads share them out.
    pub panels_apart: bool,
    /// Which columns it is for, where that is not all.
    pub columns: Option<Range<u64>>,
    /// The plan for those that are left.
    pub narrow: Option<Box<Self>>,
}

impl Plan {
    /// Columns whose groups a vector of a panel has.
    pub(super) fn columns_of_vector(&self) -> u64 {
        if self.group.as_ref().is_some_and(Group::is_of_steps) { 1 } else { self.lanes }
    }

    /// A tile, and nothing else.
    pub(super) fn plain(lanes: u64, tile: Tile) -> Self {
        let (pack, row_block, group, ahead, widen) = (None, None, None, None, None);
        let (parts, at_once) = (1, 1);
        Self {
            lanes,
            tile,
            pack,
            row_block,
            group,
            ahead,
            widen,
            unrolled: false,
            parts,
            at_once,
            panels_inside: false,
            stacked: None,
            panels_apart: false,
            columns: None,
            narrow: None,
        }
    }
}

/// The shape of a tile: rows, and vectors in each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tile {
    /// Number of rows.
    pub rows: u64,
    /// Number of vectors in a row.
    pub vectors: u64,
}

/// What the choice of a tile depends on, in elements. `None` is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Extent of the loop of the rows.
    pub rows: Option<u64>,
    /// Extent of the loop of the vectors.
    pub columns: Option<u64>,
    /// Product of the extents of the reduced loops.
    pub depth: Option<u64>,
    /// Bits of an element of the result.
    pub element_bits: u32,
    /// Whether rows of the scalar input are a multiple of 4 KiB apart.
    pub rows_share_a_set: bool,
    /// Whether the vectors change along the rows, so that each row loads its own.
    pub vectors_by_row: bool,
    /// Number of inputs that are read along the vectors: 1 or 2.
    pub vector_inputs: u64,
    /// Whether several loops are summed over, one in the other.
    pub nested: bool,
    /// Whether something is done with each sum before it is stored.
    pub epilogue: bool,
    /// Whether the depth can go by in two parts.
    pub divides: bool,
}

/// What else there is to a contraction.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Around {
    /// Whether inner products are another way to compute it.
    pub dots: bool,
    /// Whether something is done with each sum before it is stored.
    pub epilogue: bool,
    /// Whether sums that are not complete can wait where the result is to be.
    pub keeps_sums: bool,
}

/// The plan for a contraction. `None` where it is better left to loops: the CPU has no vectors, an input would have to be copied for too few
/// uses, or the types do not fit.
pub fn choose(cx: &Context, machine: &Machine, of: &Contraction, element_bits: u32, around: Around) -> Option<Plan> {
    let affine = cx.affine();
    let lanes = u64::from(machine.lanes(element_bits));
    if lanes < 2 {
        return None;
    }
    let along: Vec<usize> = (0..2).filter(|&at| of.inputs[at].along_vector != Along::Constant).collect();
    if along.is_empty() {
        return None;
    }
    let mut pack = packed(affine, machine, of, element_bits, lanes, around.dots).ok()?;
    let group = Group::of(cx, machine, of).filter(|group| pack == Some(group.packed) || serves(affine, of, group));
    if let Some(group) = group {
        pack = Some(group.packed);
    }
    let depends = |input: &Access, at: Option<usize>| at.is_some_and(|at| input.depends_on(affine, at));
    let scalar = of.inputs.iter().find(|input| input.along_vector == Along::Constant);
    let bytes = |input: &Access| {
        let bits = cx.ty(input.element).int_or_float_width()?;
        input.stride(affine, of.row?)?.checked_mul(i64::from(bits / 8))
    };
    let mut problem = Problem {
        rows: of.row.map_or(Some(1), |row| of.extent(row)),
        columns: of.extent(of.vector),
        depth: of.volume(&of.reduced).map(|depth| depth.div_ceil(group.map_or(1, |group| group.size))),
        element_bits,
        rows_share_a_set: scalar.and_then(bytes).is_some_and(|stride| stride != 0 && stride % PAGE == 0),
        vectors_by_row: along.iter().any(|&at| depends(&of.inputs[at], of.row)),
        vector_inputs: along.len() as u64,
        nested: of.reduced.iter().filter(|&&at| of.extent(at) != Some(1)).count() > 1,
        epilogue: around.epilogue,
        divides: pack.is_none() && ahead::can_divide(of, group.as_ref(), around.keeps_sums),
    };
    let window = window_tile(affine, machine, of, &problem).filter(|_| group.is_none());
    let narrow =
        narrow::choose(affine, of, machine, lanes, around.keeps_sums).filter(|_| group.is_none() && window.is_none());
    let full = narrow.as_ref().and_then(|narrow| Some(narrow.columns.as_ref()?.start));
    match full {
        Some(0) => return narrow,
        Some(_) => problem.columns = full,
        None => {}
    }
    let tiled = group.is_some_and(|group| group.tiled.is_some());
    let matrix = tiled.then(|| tiles::tile(&problem, lanes));
    let tile = matrix.or(window).or_else(|| tile(machine, &problem))?;
    // Each panel of columns would widen the broadcast input again.
    let again = of.extent(of.vector).is_none_or(|columns| columns > tile.vectors * lanes);
    let is_narrow = |at: usize| of.inputs[at].element != factor(cx, of, group, at);
    let widen = (0..2).find(|&at| of.inputs[at].along_vector == Along::Constant && is_narrow(at)).filter(|_| again);
    let fills = pack.is_some_and(|at| of.inputs[at].constant.is_none());
    let stays = pack.is_none() && stays_in_first_level(affine, machine, of, &problem, tile, &along);
    let row_block = match &narrow {
        _ if stays => Some(rows_of_block(tile, narrow.as_ref())),
        Some(narrow) => row_block_with(machine, &problem, tile, narrow, fills),
        None => row_block(machine, &problem, tile, fills),
    };
    let unrolled = window.is_some();
    let panels_inside = pack.is_some_and(|at| !unrolled && go_inside(cx, machine, of, &of.inputs[at]));
    // Values of both steps are moved ahead.
    let pairs = !tiled && registers(&problem, tile) + NESTED_SPARE <= u64::from(machine.vector_registers);
    let at_once = if pairs { STEPS_AT_ONCE } else { 1 };
    let panels_apart = fills && threads_share_panels(machine, &problem, lanes * tile.vectors);
    let (columns, narrow) = (full.map(|full| 0..full), narrow.map(Box::new));
    let plain = Plan::plain(lanes, tile);
    let plan = Plan {
        pack,
        row_block,
        group,
        widen,
        unrolled,
        at_once,
        panels_inside,
        panels_apart,
        columns,
        narrow,
        ..plain
    };
    let stacked = of.outer.last().copied().filter(|&at| tiled && tiles::can_stack(of, &problem, plan.pack, affine, at));
    Some(ahead::planned(cx, machine, of, &Plan { stacked, ..plan }, around.keeps_sums))
}

/// The tile where a small window slides over the rows: as many of them as leave each element of the window a register, those evened out; one
/// vector of each.
fn window_tile(affine: &AffineStore, machine: &Machine, of: &Contraction, problem: &Problem) -> Option<Tile> {
    let (row, rows, window) = (of.row?, problem.rows?, of.volume(&of.reduced)?);
    let slides = |input: &Access| {
        let mixes =
            |&index: &AffineExpr| affine.is_function_of_dim(index, row as u32) && affine.dim_position(index).is_none();
        input.along_vector == Along::Adjacent && input.indices.iter().any(mixes)
    };
    if window > WINDOW || problem.vector_inputs != 1 || !of.inputs.iter().any(slides) {
        return None;
    }
    let registers = u64::from(machine.vector_registers);
    let most = registers.saturating_sub(window + SPARE).max(registers / 4).clamp(1, WINDOW_ROWS);
    let tiles = rows.div_ceil(most);
    Some(Tile { rows: rows.div_ceil(tiles), vectors: 1 })
}

/// Whether all panels of `weights` are better used in each iteration of the outer loops: they stay in the second-level cache, and the result, which
/// would be written in so many passes, does not. Or threads share out the outermost loop: where it is the same in one operation and the next, each finds
/// in its own cache what it has written, for which small weights come to all of them.
fn go_inside(cx: &Context, machine: &Machine, of: &Contraction, weights: &Access) -> bool {
    let bytes = |access: &Access, loops: &[usize]| {
        of.volume(loops)?.checked_mul(u64::from(cx.ty(access.element).int_or_float_width()?) / 8)
    };
    let loops_of_weights: Vec<usize> = of.reduced.iter().copied().chain([of.vector]).collect();
    let loops_of_result: Vec<usize> = of.outer.iter().copied().chain(of.row).chain([of.vector]).collect();
    let (of_weights, of_result) = (bytes(weights, &loops_of_weights), bytes(&of.result, &loops_of_result));
    let stay =
        |share: u64| weights.constant.is_some() && of_weights.is_some_and(|bytes| bytes <= machine.l2.size / share);
    let threads = u64::from(machine.cores);
    stay(INSIDE_SHARE) && of_result.is_some_and(|bytes| bytes > machine.l2.size / 2)
        || stay(THREADS_SHARE) && threads > 1 && of.volume(&of.outer).is_some_and(|count| count >= threads)
}

/// Whether all that is read along the vectors, several tiles of it, stays in the first-level cache where it lies: then rows go by one tile after the other, for all
/// columns each, and each row of the result is written from end to end. Rows of it that lie 4 KiB apart share a set: 1024x1024x8 took 0.26 ms panel by panel, and takes 0.12.
fn stays_in_first_level(
    affine: &AffineStore,
    machine: &Machine,
    of: &Contraction,
    problem: &Problem,
    tile: Tile,
    along: &[usize],
) -> bool {
    let (&[at], false, Some(columns)) = (along, problem.vectors_by_row, problem.columns) else { return false };
    let bytes =
        problem.depth.and_then(|depth| depth.checked_mul(columns)?.checked_mul(u64::from(problem.element_bits / 8)));
    let by_loop = of.inputs[at].is_by_loops(affine);
    let several = columns > tile.vectors * u64::from(machine.lanes(problem.element_bits));
    by_loop && several && bytes.is_some_and(|bytes| bytes <= machine.l1d.size)
}

/// Whether there are enough panels of `width` columns for threads to share them out evenly. 48x2048x256 took two threads 0.165 ms while one of them filled each panel, and takes 0.106.
fn threads_share_panels(machine: &Machine, problem: &Problem, width: u64) -> bool {
    let threads = u64::from(machine.cores);
    threads > 1 && problem.columns.is_some_and(|columns| columns / width >= PANELS_OF_A_THREAD * threads)
}

/// Rows that go by for all columns before the next: a tile, or several where columns are left that take more rows at once.
fn rows_of_block(tile: Tile, narrow: Option<&Plan>) -> u64 {
    narrow.map_or(tile.rows, |narrow| narrow.tile.rows.next_multiple_of(tile.rows))
}

/// Whether copying an input into groups pays: often enough for each panel, or once for all.
fn serves(affine: &AffineStore, of: &Contraction, group: &Group) -> bool {
    let input = &of.inputs[group.packed];
    let by_loop = input.is_by_loops(affine);
    let by_row = of.row.is_some_and(|row| input.depends_on(affine, row));
    let uses = of.row.map_or(Some(1), |row| of.extent(row));
    by_loop && !by_row && (input.constant.is_some() || uses.is_none_or(|uses| uses >= USES_THAT_NEED))
}

/// An input would have to be packed, and it does not pay.
struct DoesNotPay;

/// The input to pack, if any.
fn packed(
    affine: &AffineStore,
    machine: &Machine,
    of: &Contraction,
    element_bits: u32,
    lanes: u64,
    dots: bool,
) -> Result<Option<usize>, DoesNotPay> {
    let strided: Vec<usize> = (0..2).filter(|&at| of.inputs[at].along_vector == Along::Strided).collect();
    if strided.len() > 1 {
        return Err(DoesNotPay);
    }
    let at = strided.first().copied().or_else(|| {
        let mut adjacent = (0..2).filter(|&at| of.inputs[at].along_vector == Along::Adjacent);
        adjacent.next().filter(|_| adjacent.next().is_none())
    });
    let Some(at) = at else { return Ok(None) };
    let input = &of.inputs[at];
    let is_strided = !strided.is_empty();
    let refuse = || if is_strided { Err(DoesNotPay) } else { Ok(None) };
    // A panel is by loops: where an index mixes some, or a row reads its own, copying would multiply the data.
    if !input.is_by_loops(affine) || of.row.is_some_and(|row| input.depends_on(affine, row)) {
        return refuse();
    }
    let sharing = of.row.into_iter().chain(of.outer.iter().copied()).filter(|&outer| !input.depends_on(affine, outer));
    let sharing: Vec<usize> = sharing.collect();
    let uses = if sharing.is_empty() { Some(1) } else { of.volume(&sharing) };
    let columns = of.extent(of.vector);
    // One panel lies in the order in which it is read, but for gaps. With those, 50x50x2000 came from 87 to 92 % of the peak of a Zen 5; where masks are vectors, it takes longer.
    let reads_over_gaps = input.constant.is_none() && machine.vector_registers >= MANY_REGISTERS;
    let is_one_panel =
        |columns| columns <= 4 * lanes && (columns % lanes == 0 || columns >= 2 * lanes && reads_over_gaps);
    let one_panel = !is_strided && columns.is_some_and(is_one_panel);
    // Packing costs nothing when running, and puts what is read in the order in which it is read.
    if input.constant.is_some() && !one_panel {
        return Ok(Some(at));
    }
    let bytes = of.volume(&of.reduced).zip(columns).map(|(k, n)| k.saturating_mul(n) * u64::from(element_bits / 8));
    if is_strided {
        let needed = match bytes {
            _ if !dots => USES_THAT_NEED,
            Some(bytes) if bytes <= machine.l2.size / NEAR_SHARE => USES_OF_NEAR_SQUARES_THAT_BEAT_DOTS,
            Some(_) => USES_OF_SQUARES_THAT_BEAT_DOTS,
            None => USES_THAT_BEAT_DOTS,
        };
        return if uses.is_none_or(|uses| uses >= needed) { Ok(Some(at)) } else { Err(DoesNotPay) };
    }
    let in_first_level = bytes.is_some_and(|bytes| bytes <= machine.l1d.size);
    // One vector beside a few columns waits for loads, and for twice as many where it crosses cache lines: 200x17x600 came from 76 to 82 %.
    let waits = columns.is_some_and(|columns| columns > lanes && columns < 2 * lanes);
    let pays = uses.is_none_or(|uses| uses >= USES_THAT_PAY) && !one_panel && (waits || !in_first_level);
    Ok(pays.then_some(at))
}

/// The tile with the least estimated time. `None` where no tile fits the registers.
pub fn tile(machine: &Machine, problem: &Problem) -> Option<Tile> {
    let lanes = u64::from(machine.lanes(problem.element_bits));
    let parts = if problem.divides { ahead::MOST_PARTS as f64 } else { 1.0 };
    let fits_cache = |tile: &Tile| panel(problem, lanes, *tile) / parts <= machine.l2.size as f64 * PANEL_SHARE;
    let legal: Vec<Tile> = candidates(problem, lanes).filter(|tile| is_legal(machine, problem, *tile)).collect();
    let fitting: Vec<Tile> = legal.iter().copied().filter(fits_cache).collect();
    let narrowest = legal.iter().map(|tile| tile.vectors.min(2)).min()?;
    let among: Vec<Tile> = if fitting.is_empty() {
        legal.into_iter().filter(|t| t.vectors <= narrowest.max(2)).collect()
    } else {
        fitting
    };
    let timed = among.into_iter().map(|tile| (time(machine, problem, lanes, tile), tile));
    timed
        .min_by(|(a, first), (b, second)| {
            let wide = |tile: &Tile| (tile.vectors, tile.rows);
            a.total_cmp(b).then_with(|| wide(second).cmp(&wide(first)))
        })
        .map(|(_, tile)| tile)
}

/// Bytes of all of the depth times the columns of a tile.
fn panel(problem: &Problem, lanes: u64, tile: Tile) -> f64 {
    problem.depth.unwrap_or(1024) as f64 * (tile.vectors * lanes * u64::from(problem.element_bits / 8)) as f64
}

/// Tiles that are no larger than the problem.
fn candidates(problem: &Problem, lanes: u64) -> impl Iterator<Item = Tile> {
    let most_rows = problem.rows.unwrap_or(u64::MAX).clamp(1, 14);
    let most_vectors = problem.columns.unwrap_or(u64::MAX).div_ceil(lanes).clamp(1, 8);
    (1..=most_rows).flat_map(move |rows| {
        let widest = if rows <= 2 { most_vectors } else { most_vectors.min(4) };
        (1..=widest).map(move |vectors| Tile { rows, vectors })
    })
}

/// Registers of the accumulators of a tile and of the vectors of a step.
fn registers(problem: &Problem, tile: Tile) -> u64 {
    let operands = if problem.vectors_by_row { problem.vector_inputs.max(2) } else { tile.vectors };
    tile.rows * tile.vectors + operands
}

/// Whether a tile stays in registers, and its rows in the first-level cache.
fn is_legal(machine: &Machine, problem: &Problem, tile: Tile) -> bool {
    let kept = problem.nested || (problem.epilogue && machine.vector_registers >= MANY_REGISTERS);
    let spare = if kept { NESTED_SPARE } else { SPARE };
    let in_registers = registers(problem, tile) + spare <= u64::from(machine.vector_registers);
    let ways = !problem.rows_share_a_set || tile.rows + 2 <= u64::from(machine.l1d.ways);
    in_registers && (ways || tile.rows == 1)
}

/// Cycles for one step of the reduced loops on a tile, whose vectors come from the second-level cache or are in the first.
fn step(problem: &Problem, tile: Tile, from_second_level: bool) -> f64 {
    let vectors = tile.vectors * if problem.vectors_by_row { tile.rows } else { 1 };
    let scalars = if problem.vector_inputs == 2 { tile.vectors } else { tile.rows };
    let loads = (vectors + scalars) as f64;
    let products = (tile.rows * tile.vectors) as f64;
    let fetched = if from_second_level { vectors as f64 * CYCLES_OF_SECOND_LEVEL } else { 0.0 };
    // Loads compete a little even where they are not what is waited for.
    (products / PIPES).max(loads / LOADS).max(fetched).max(LATENCY) + loads * 0.02
}

/// Estimated cycles for all rows and columns.
fn time(machine: &Machine, problem: &Problem, lanes: u64, tile: Tile) -> f64 {
    // What is not known is taken to be long, and without edges.
    let rows = problem.rows.unwrap_or(tile.rows * 64);
    let columns = problem.columns.unwrap_or(tile.vectors * lanes * 64).div_ceil(lanes);
    let depth = problem.depth.unwrap_or(256) as f64;
    let from_second_level = panel(problem, lanes, tile) > machine.l1d.size as f64 * PANEL_SHARE;
    let one = |rows: u64, vectors: u64| {
        if rows == 0 || vectors == 0 {
            return 0.0;
        }
        let tile = Tile { rows, vectors };
        // Each accumulator is made and stored; a tile has some instructions around it.
        depth * step(problem, tile, from_second_level) + (rows * vectors) as f64 * 1.5 + 12.0
    };
    let scale = if problem.rows.is_none() { 1.0 / rows as f64 } else { 1.0 }
        * if problem.columns.is_none() { 1.0 / columns as f64 } else { 1.0 };
    let (full_rows, last_rows) = (rows / tile.rows, rows % tile.rows);
    let (full_columns, last_columns) = (columns / tile.vectors, columns % tile.vectors);
    let column = |vectors: u64| full_rows as f64 * one(tile.rows, vectors) + one(last_rows, vectors);
    scale * (full_columns as f64 * column(tile.vectors) + column(last_columns))
}

/// Bytes of a row of the broadcast input, at least one.
fn bytes_of_row(problem: &Problem) -> Option<u64> {
    Some(problem.depth?.checked_mul(u64::from(problem.element_bits / 8))?.max(1))
}

/// Blocks of rows, so that what is read of them stays in a quarter of the last-level cache, in a third of it where `fills` says that each block fills all panels anew, or, for a tile that
/// reads too much of it, in half of the second-level cache; in a third where two panels lie there, too, as those that are asked for ahead. `None` where all rows do.
fn row_block(machine: &Machine, problem: &Problem, tile: Tile, fills: bool) -> Option<u64> {
    let (rows, row) = problem.rows.zip(bytes_of_row(problem))?;
    let element = u64::from(problem.element_bits / 8);
    let lanes = u64::from(machine.lanes(problem.element_bits));
    let columns = tile.vectors * lanes;
    // A step reads an element of each row, and takes a cycle for so many vectors of it.
    let (bytes, share) = if machine.l3.size > LARGE_LAST_LEVEL && !fills {
        (BYTES_OF_LARGE_LAST_LEVEL, 3)
    } else {
        (BYTES_OF_LAST_LEVEL, 2)
    };
    let reads_much = element as f64 * PIPES / tile.vectors as f64 > bytes;
    let reads_often = problem.columns.is_none_or(|all| all / columns.max(1) >= READS_THAT_PAY);
    let in_second_level = machine.l2.size / share / row;
    let least = if fills { LEAST_ROW_BLOCK_TO_FILL * lanes } else { LEAST_ROW_BLOCK };
    let in_last_level = machine.l3.size.max(machine.l2.size) / row;
    let most = if reads_much && reads_often && in_second_level >= least {
        in_second_level
    } else if fills && !reads_much {
        // Another block fills all panels once more. Of 2048 rows of 8 KiB two blocks came to 97 % of the peak of a Zen 5, and one to 96.
        in_last_level / 3
    } else {
        in_last_level / 4
    };
    let most = most.max(tile.rows);
    if rows <= most {
        return None;
    }
    let blocks = rows.div_ceil(most);
    Some(rows.div_ceil(blocks).next_multiple_of(tile.rows))
}

/// The same where columns are left that read all rows once more: so that these stay in half of the second-level cache, unless each block would fill several panels anew.
/// 1024x33x1024 came from 87 to 90 % of the peak of a Zen 5, where those columns are last.
fn row_block_with(machine: &Machine, problem: &Problem, tile: Tile, narrow: &Plan, fills: bool) -> Option<u64> {
    let block = row_block(machine, problem, tile, fills);
    let (rows, columns) = problem.rows.zip(problem.columns)?;
    if fills && columns > tile.vectors * u64::from(machine.lanes(problem.element_bits)) {
        return block;
    }
    let near = (machine.l2.size / 2 / bytes_of_row(problem)?).max(rows_of_block(tile, Some(narrow)));
    let near = (near / tile.rows * tile.rows).min(block.unwrap_or(u64::MAX));
    (near < rows).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(rows: u64, columns: u64, depth: u64) -> Problem {
        Problem {
            rows: Some(rows),
            columns: Some(columns),
            depth: Some(depth),
            element_bits: 32,
            rows_share_a_set: false,
            vectors_by_row: false,
            vector_inputs: 1,
            nested: false,
            epilogue: false,
            divides: false,
        }
    }

    fn chosen(cpu: &str, problem: &Problem) -> (u64, u64) {
        let tile = tile(&dl_machine::named(cpu).unwrap(), problem).unwrap();
        (tile.rows, tile.vectors)
    }

    #[test]
    fn large_products_use_all_registers() {
        // 24 accumulators, 4 vectors, 2 more: 30 of 32.
        assert_eq!(chosen("znver5", &product(1020, 1024, 1024)), (6, 4));
        // 12 accumulators, 2 vectors, 2 more: 16 of 16.
        assert_eq!(chosen("haswell", &product(1020, 1024, 256)), (6, 2));
        assert_eq!(chosen("cortex-a72", &product(1020, 1024, 256)), (6, 4));
    }

    #[test]
    fn an_epilogue_keeps_registers() {
        // 28 accumulators, 2 vectors and 2 more are all of 32; four more leave room for 13 rows at most.
        let image = product(14, 384, 64);
        assert_eq!(chosen("znver5", &image), (14, 2));
        let (rows, vectors) = chosen("znver5", &Problem { epilogue: true, ..image });
        assert!(rows * vectors + vectors + 4 <= 32, "{rows}x{vectors}");
        // 16 registers are few.
        let image = product(1020, 1024, 256);
        assert_eq!(chosen("haswell", &Problem { epilogue: true, ..image }), (6, 2));
    }

    #[test]
    fn a_panel_fits_the_second_level_cache() {
        // 64 columns of depth 3072 are 768 KiB, 48 are 576 KiB: of 1 MiB, 640 KiB may be taken.
        let (_, vectors) = chosen("znver5", &product(1024, 1024, 3072));
        assert!(vectors <= 3, "{vectors}");
    }

    #[test]
    fn a_panel_from_the_second_level_cache_has_rows_to_wait_for() {
        // Pairs of 576 bytes: four vectors are 36 KiB, two 18. Four rows of two have as many products as two of four.
        let image = Problem { nested: true, ..product(56, 64, 288) };
        assert_eq!(chosen("znver3", &image), (4, 2));
        assert_eq!(chosen("znver3", &Problem { depth: Some(72), ..image }), (2, 4));
    }

    #[test]
    fn rows_of_one_set_fit_the_ways() {
        let problem = Problem { rows_share_a_set: true, ..product(1024, 1024, 1024) };
        let narrow = dl_machine::named("cortex-a72").unwrap();
        assert_eq!(narrow.l1d.ways, 2);
        assert_eq!(tile(&narrow, &problem).unwrap().rows, 1);
    }

    #[test]
    fn tiles_do_not_reach_over_the_end() {
        assert_eq!(chosen("znver5", &product(1, 1024, 1024)).0, 1);
        assert_eq!(chosen("znver5", &product(64, 16, 64)).1, 1);
        let dynamic = Problem { rows: None, columns: None, depth: None, ..product(1, 1, 1) };
        assert_eq!(chosen("znver5", &dynamic), (6, 4));
    }

    #[test]
    fn no_vectors_no_tile() {
        let machine = dl_machine::named("generic-rv64").unwrap();
        assert_eq!(machine.lanes(32), 0);
    }

    #[test]
    fn many_rows_are_blocked() {
        let machine = dl_machine::named("znver5").unwrap();
        let tile = Tile { rows: 6, vectors: 4 };
        assert_eq!(row_block(&machine, &product(1024, 1024, 1024), tile, false), None);
        assert_eq!(row_block(&machine, &product(2048, 2048, 2048), tile, false), Some(1026));
        assert_eq!(row_block(&machine, &product(2048, 2048, 2048), tile, true), Some(1026));
        assert_eq!(row_block(&machine, &product(1536, 1536, 1536), tile, true), None);
        // Two vectors of 128 bits: all rows would come 128 times from the last-level cache. 128 rows are half of the second-level one.
        let narrow = machine.with_features("-avx,-avx2,-avx512f,-avx512vl").unwrap();
        let tile = Tile { rows: 6, vectors: 2 };
        assert_eq!(row_block(&narrow, &product(1024, 1024, 1024), tile, true), Some(132));
        assert_eq!(row_block(&narrow, &product(1024, 32, 1024), tile, true), None);
        // Vectors of 256 bits: 64 rows are too few to pack for, and enough where the columns are packed already.
        let machine = dl_machine::named("znver3").unwrap();
        assert_eq!(row_block(&machine, &product(1024, 1024, 1024), tile, true), None);
        assert_eq!(row_block(&machine, &product(1024, 1024, 1024), tile, false), Some(66));
    }

    #[test]
    fn rows_come_from_the_second_level_where_the_last_is_large() {
        let machine = dl_machine::named("sapphirerapids").unwrap();
        let tile = Tile { rows: 6, vectors: 4 };
        // 170 rows of 4 KiB are a third of 2 MiB.
        assert_eq!(row_block(&machine, &product(1024, 1024, 1024), tile, false), Some(150));
        assert_eq!(row_block(&machine, &product(256, 256, 256), tile, false), None);
        // Weights of eight panels pay, those of seven do not.
        assert_eq!(row_block(&machine, &product(1024, 448, 1024), tile, false), None);
        assert_eq!(row_block(&machine, &product(1024, 1024, 1024), tile, true), None);
    }

    #[test]
    fn blocks_are_not_too_small_to_pack_for() {
        let machine = dl_machine::named("haswell").unwrap();
        let tile = Tile { rows: 6, vectors: 2 };
        // 32 rows of 4 KiB would be half of 256 KiB.
        let expected = machine.l3.size / 4 / 4096;
        assert!(row_block(&machine, &product(10_000, 1024, 1024), tile, true).unwrap() > expected / 2);
    }
}
