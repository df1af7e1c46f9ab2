//! `convert-vector-to-amx`: products of small matrices in the matrix registers of x86.
//!
//! ```text
//! %sum = scf.for ... iter_args(%s = zeros) -> vector<16x16xi32> {        ldtilecfg, tilezero 0
//!   %a = vector.transfer_read %A ... : vector<16x64xi8>                  scf.for ... {
//!   %b = vector.transfer_read %B ... : vector<16x64xi8>                    tileloadd 4, %A; tileloadd 6, %B
//!   %next = vector.contract %a, %b, %s    // groups of neighbours   =>     tdpbssd 0, 4, 6
//!   scf.yield %next                                                      }
//! }                                                                      tilestored 0, memory on the stack
//! %row = vector.extract %sum[0]                                          %row = vector.load
//! ```
//!
//! * [`product`] tells which contractions an instruction computes,
//! * [`kernel`] which of them share registers, and gives those out,
//! * [`emit`] makes the instructions,
//! * [`grant`] has the program ask its operating system for the registers.
//!
//! A register holds matrices of one shape until all of them are configured anew, which takes as long as a dozen products. So the configuration is
//! loaded outside of all loops in which there is no other; what runs there in the same function must not touch the registers, so no call.
//! Registers are named here, as the back end of LLVM lets each of them hold one shape only in a function.

mod emit;
mod grant;
mod kernel;
mod product;

use dl_dl::target;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::{for_each_arena, ops_in_arena};
use dl_ir::{Arena, Context, OpId, OpRef, Rewriter};
use dl_machine::Machine;
use dl_scf::ForOp;

use self::emit::Emitter;
use self::kernel::{Configuration, Kernel, kernels};

/// Computes products of matrices in matrix registers.
#[derive(Clone, Copy, Default)]
pub struct ConvertVectorToAmx;

impl Pass for ConvertVectorToAmx {
    const INFO: PassInfo =
        PassInfo::new("convert-vector-to-amx", "Compute contractions of vectors in the matrix registers of x86")
            .title("ConvertVectorToAMX")
            .on("builtin.module")
            .statistics(&[("num-kernels", "Number of kernels in matrix registers")]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let machine = target::of_module(cx.root())
            .ok_or_else(|| cx.root().error("expected the attribute 'dl.target' of the module; see dl-attach-target"))?;
        let mut count = 0;
        if machine.has_byte_tiles() || machine.has_bf16_tiles() {
            for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| count += convert(cx, ir, &machine));
        }
        if count == 0 {
            cx.preserve_all();
            return Ok(());
        }
        grant::define(cx);
        cx.count("num-kernels", count);
        Ok(())
    }
}

/// Converts the kernels of one arena: how many there are.
fn convert(cx: &Context, ir: &mut Arena, machine: &Machine) -> u64 {
    let found = kernels(cx, ir, machine);
    let sites = sites(cx, ir, &found);
    let mut rw = Rewriter::new(cx, ir);
    let mut emitter = Emitter::new(&mut rw);
    let (mut count, mut configured) = (0, Vec::new());
    for (kernel, (site, configuration)) in found.iter().zip(sites) {
        let Some((first, last)) = emitter.kernel(kernel) else { continue };
        count += 1;
        match site {
            Some(site) if configured.contains(&site) => {}
            Some(site) => {
                configured.push(site);
                emitter.configure(&configuration, site, site);
            }
            None => emitter.configure(&configuration, first, last),
        }
    }
    if count > 0 {
        grant::request(&mut rw);
    }
    count
}

/// For each kernel the outermost loop around it in which one configuration serves all, if there is one, and the configuration.
fn sites(cx: &Context, ir: &Arena, kernels: &[Kernel]) -> Vec<(Option<OpId>, Configuration)> {
    let site = |kernel: &Kernel| {
        let (mut site, mut configuration) = (None, kernel.configuration);
        let Some(mut at) = kernel.first() else { return (site, configuration) };
        while let Some(around) = OpRef::new(cx, ir, at).parent().filter(|around| around.is::<ForOp<'_>>()) {
            let inside = kernels.iter().filter(|other| other.first().is_some_and(|first| around.is_ancestor_of(first)));
            let merged = inside.map(|other| &other.configuration).try_fold(configuration, Configuration::merged);
            let Some(merged) = merged.filter(|_| !calls(around)) else { break };
            (site, configuration, at) = (Some(around.id()), merged, around.id());
        }
        (site, configuration)
    };
    kernels.iter().map(site).collect()
}

/// Whether something is called in a loop, which may use the registers.
fn calls(around: OpRef<'_>) -> bool {
    let all = ops_in_arena(around.arena(), around.id());
    all.into_iter().any(|op| {
        matches!(OpRef::new(around.cx(), around.arena(), op).name(), "func.call" | "func.call_indirect" | "llvm.call")
    })
}
