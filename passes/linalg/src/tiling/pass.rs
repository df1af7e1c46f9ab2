//! The passes `linalg-tile` and `linalg-tile-and-fuse`.

use dl_ir::interfaces::{LoopKind, Tiling};
use dl_ir::pass::{OptionValue, Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{Arena, Context, OpId, OpRef, Rewriter};

use super::fuse::fuse_producers;
use super::loops::{LoopType, tile};

dl_ir::pass_options! {
    /// Options of [`Tile`] and [`TileAndFuse`].
    pub struct TileOptions {
        /// The loops that run over the tiles
        loop_type "loop-type": LoopType = LoopType::For,
        /// Extents of a tile along each loop, outermost first; 0 and loops that are left out run whole
        tile_sizes "tile-sizes": Vec<i64> = Vec::new(),
    }
}

impl OptionValue for LoopType {
    const KIND: &'static str = "value";
    const CHOICES: &'static [(&'static str, &'static str)] = &[
        ("for", "a nest of scf.for"),
        ("forall", "one scf.forall; operations whose tiles depend on one another stay"),
    ];

    fn parse(text: Option<&str>) -> Result<Self, String> {
        match text.unwrap_or_default() {
            "for" => Ok(Self::For),
            "forall" => Ok(Self::Forall),
            other => Err(format!("Cannot find option named '{other}'!")),
        }
    }

    fn print(&self) -> Option<String> {
        Some(Self::CHOICES[usize::from(*self == Self::Forall)].0.to_owned())
    }
}

/// Puts each operation that knows its tiles into loops over them.
#[derive(Clone, Default)]
pub struct Tile {
    /// The options.
    pub options: TileOptions,
}

impl Pass for Tile {
    const INFO: PassInfo = PassInfo::new("linalg-tile", "Compute operations tile by tile").statistics(STATISTICS);

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        run(cx, &self.options, false)
    }
}

/// Puts each operation that knows its tiles, and whose results no other such operation reads, into loops over them, and computes in these loops
/// what the tiles read, where nothing else does.
#[derive(Clone, Default)]
pub struct TileAndFuse {
    /// The options.
    pub options: TileOptions,
}

impl Pass for TileAndFuse {
    const INFO: PassInfo = PassInfo::new("linalg-tile-and-fuse", "Compute operations and their operands tile by tile")
        .statistics(STATISTICS);

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        run(cx, &self.options, true)
    }
}

const STATISTICS: &[(&str, &str)] = &[
    ("num-tiled", "Number of operations tiled"),
    ("num-fused", "Number of producers computed in the loops of their consumers"),
];

fn run(cx: &mut PassCx<'_>, options: &TileOptions, fuses: bool) -> PassResult {
    if options.tile_sizes.iter().any(|&size| size < 0) {
        return Err(cx.root().error("expected tile-sizes not to be negative").into());
    }
    let (mut tiled, mut fused) = (0, 0);
    dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
        let (more_tiled, more_fused) = tile_arena(cx, ir, options, fuses);
        tiled += more_tiled;
        fused += more_fused;
    });
    cx.count("num-tiled", tiled);
    cx.count("num-fused", fused);
    Ok(())
}

fn tile_arena(cx: &Context, ir: &mut Arena, options: &TileOptions, fuses: bool) -> (u64, u64) {
    let mut rw = Rewriter::new(cx, ir);
    let (mut tiled, mut fused) = (0, 0);
    // Users come first: what they fuse need not be tiled.
    for op in dl_ir::walk::ops_in_arena(rw.ir(), Arena::ROOT).into_iter().rev() {
        if !rw.ir().is_live(op) || rw.op(op).interface::<dyn Tiling>().is_none() || (fuses && is_read_by_other(&rw, op))
        {
            continue;
        }
        let Ok(done) = tile(&mut rw, op, &options.tile_sizes, options.loop_type) else { continue };
        tiled += 1;
        if fuses {
            fused += fuse_producers(&mut rw, &done, is_worth_it) as u64;
        }
    }
    (tiled, fused)
}

/// Whether a result of `op` is read by an operation of its block that knows its tiles.
fn is_read_by_other(rw: &Rewriter<'_>, op: OpId) -> bool {
    let view = rw.op(op);
    let reads = |user: OpRef<'_>| user.interface::<dyn Tiling>().is_some() && user.block() == view.block();
    view.results().iter().any(|result| result.uses().any(|(user, _)| reads(user)))
}

/// Whether to compute a producer inside the loops of its consumer: it has no other user, and what several tiles read of it is computed without a
/// reduction.
fn is_worth_it(producer: OpRef<'_>, read_again: bool) -> bool {
    let uses = producer.results().iter().flat_map(|result| result.uses()).count();
    let tiling = producer.interface::<dyn Tiling>();
    let adds_up = tiling.is_none_or(|tiling| tiling.loops(producer).contains(&LoopKind::Reduction));
    uses == 1 && !(read_again && adds_up)
}
