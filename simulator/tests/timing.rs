//! Cycles of small programs, calculated by hand from the rules in `docs/accelerator.md`.

mod support;

use dl_simulator::timing::{Limit, Report, Unit, to_html};
use dl_simulator::{Machine, Simulation};
use support::{program, tiny};

const HEADER: &str = "program p\nmemory sp\nmemory acc\nbuffer x input i8[256]\nbuffer w input i8[256]\nbuffer y output i8[256]\nbuffer z output i32[64]\ncore 0\n";

fn report(machine: &Machine, body: &str) -> Report {
    let program = program(&format!("{HEADER}{body}"));
    Simulation::new(machine, &program).unwrap_or_else(|fault| panic!("{fault}")).trace()
}

fn cycles(machine: &Machine, body: &str) -> u64 {
    report(machine, body).cycles
}

/// When each span of a unit begins and ends.
fn spans(report: &Report, unit: Unit) -> Vec<(u64, u64)> {
    report.spans.iter().filter(|span| span.unit == unit).map(|span| (span.start, span.end)).collect()
}

const LOAD_64: &str = "load t0 i8[1x1x64] sp+0[64,64,1] from x+0[64,64,1]\n";

/// Start-up 10, 64 bytes at 8 a cycle, latencies of DRAM (20) and scratchpad (2).
#[test]
fn a_transfer() {
    assert_eq!(cycles(&tiny(&[]), LOAD_64), 10 + 8 + 20 + 2);
}

/// A run of 4 bytes takes 16 of DRAM: 4 runs are 64 bytes, 8 cycles where the engine alone would need 2.
#[test]
fn short_runs_cost_bursts() {
    let machine = tiny(&[("latency = 20", "latency = 20\nburst = 16")]);
    let report = report(&machine, "load i8[1x4x4] sp+0[4,4,1] from x+0[64,64,1]\n");
    assert_eq!(report.cycles, 10 + 8 + 22);
    // Six of the eight cycles are more than the engine needs.
    assert!((report.memories[0].slowed - 6.0).abs() < 1e-3);
}

/// Two loads on one engine: the second begins when the first has moved its bytes; latencies overlap. It is issued in cycle 1.
#[test]
fn an_engine_moves_one_thing_at_a_time() {
    let body = format!("{LOAD_64}load t1 i8[1x1x64] sp+256[64,64,1] from w+0[64,64,1]\n");
    let report = report(&tiny(&[]), &body);
    assert_eq!(spans(&report, Unit::Dma(0)), [(0, 10), (10, 18), (18, 28), (28, 36)]);
    assert_eq!(report.cycles, 36 + 22);
    assert_eq!(report.lower_bound.cycles, 16);
    assert_eq!(report.lower_bound.limit, Limit::Dma);
}

/// Two engines share the 8 bytes a cycle of DRAM. The first moves alone from 10 to 11 (8 bytes); 56 bytes at 4 a cycle take until 25. The second has moved
/// 56 by then and needs a cycle more for the rest.
#[test]
fn engines_share_bandwidth() {
    let body = format!("{LOAD_64}load t1 i8[1x1x64] sp+256[64,64,1] from w+0[64,64,1]\n");
    let report = report(&tiny(&[("engines = 1", "engines = 2")]), &body);
    assert_eq!(spans(&report, Unit::Dma(0)), [(0, 10), (10, 25)]);
    assert_eq!(spans(&report, Unit::Dma(1)), [(1, 11), (11, 26)]);
    assert_eq!(report.cycles, 26 + 22);
    // Half speed for both from 11 to 25.
    assert!((report.memories[0].slowed - 14.0).abs() < 1e-3);
    assert_eq!(report.lower_bound.limit, Limit::Dram);
}

const PRODUCT: &str = "matmul t1 i8*i8->i32 8x4x4 acc+0[16] = sp+0[4] * sp+256[4]\n";

/// Weights: 4 cycles. Eight rows: 8. Fill and drain of 4 x 4: 6.
#[test]
fn a_product() {
    let report = report(&tiny(&[]), PRODUCT);
    assert_eq!(spans(&report, Unit::Preload), [(0, 4)]);
    assert_eq!(spans(&report, Unit::Matrix), [(4, 12)]);
    assert_eq!(report.cycles, 12 + 6);
    // 128 products on 16 cells.
    assert_eq!((report.lower_bound.cycles, report.lower_bound.limit), (8, Limit::Matrix));
}

/// While one streams, the next one's weights are loaded; sums pass through in order, so that accumulating waits for nothing.
#[test]
fn weights_load_behind_the_stream() {
    let second = "matmul t2 i8*i8->i32 8x4x4 acc+0[16] += sp+32[4] * sp+512[4]\n";
    let overlapping = report(&tiny(&[]), &format!("{PRODUCT}{second}"));
    // The preload registers are free from when the first one streams.
    assert_eq!(spans(&overlapping, Unit::Preload), [(0, 4), (4, 12)]);
    assert_eq!(spans(&overlapping, Unit::Matrix), [(4, 12), (12, 20)]);
    assert_eq!(overlapping.cycles, 26);
    // With one set of registers, nothing overlaps: 4 + 8 + 6, twice.
    let single = tiny(&[("double-buffered = true", "double-buffered = false")]);
    assert_eq!(cycles(&single, &format!("{PRODUCT}{second}")), 36);
}

/// Weights that the unit holds are not loaded again.
#[test]
fn resident_weights() {
    let second = "matmul t2 i8*i8->i32 8x4x4 acc+128[16] = sp+32[4] * sp+256[4] resident\n";
    assert_eq!(cycles(&tiny(&[]), &format!("{PRODUCT}{second}")), 4 + 8 + 8 + 6);
    let single = tiny(&[("double-buffered = true", "double-buffered = false")]);
    assert_eq!(cycles(&single, &format!("{PRODUCT}{second}")), (4 + 8 + 6) + (8 + 6));
}

/// Output-stationary: 8 terms stream in 8 cycles, 4 rows of sums leave in 4, fill and drain 6; old sums are loaded in 4 before.
#[test]
fn an_output_stationary_product() {
    let machine = tiny(&[("weight-stationary", "output-stationary")]);
    let product = |sign: &str| format!("matmul t1 i8*i8->i32 4x4x8 acc+0[16] {sign} sp+0[8] * sp+256[4]\n");
    assert_eq!(cycles(&machine, &product("=")), 8 + 4 + 6);
    assert_eq!(cycles(&machine, &product("+=")), 4 + 8 + 4 + 6);
}

/// Both operands in one bank: the weights of the second product take 4 bytes a cycle of it, and so do the rows of the first one that stream meanwhile. A
/// bank of 6 bytes a cycle lets both go at three quarters of their speed.
#[test]
fn banks_are_shared() {
    let machine = tiny(&[("bandwidth = 16", "bandwidth = 6")]);
    let in_one_bank = "matmul i8*i8->i32 8x4x4 acc+0[16] = sp+0[4] * sp+64[4]\nmatmul i8*i8->i32 8x4x4 acc+128[16] = sp+128[4] * sp+192[4]\n";
    let found = report(&machine, in_one_bank);
    // The first weights have the bank for themselves, 4 cycles. The second ones take 4 / 0.75, 6 in whole cycles, by when 4.5 rows have passed; 3.5 are left.
    assert_eq!(spans(&found, Unit::Preload), [(0, 4), (4, 14)]);
    assert_eq!(spans(&found, Unit::Matrix), [(4, 14), (14, 22)]);
    let apart = in_one_bank.replace("sp+64", "sp+256").replace("sp+192", "sp+512");
    assert_eq!(spans(&report(&machine, &apart), Unit::Matrix), [(4, 12), (12, 20)]);
}

/// 8 x 4 elements, 4 lanes: 8 cycles and a latency of 5; a multiplication takes two cycles for each.
#[test]
fn vectors() {
    let op = |name: &str| format!("{name} i8 8x4 sp+0[4,1] = sp+256[4,1] sp+512[4,1]\n");
    assert_eq!(cycles(&tiny(&[]), &op("add")), 8 + 5);
    assert_eq!(cycles(&tiny(&[]), &op("mul")), 16 + 5);
}

/// A result of the array is used when it has drained: the second one waits from cycle 1 to 18, for its operand and not for its unit.
#[test]
fn hazards_are_interlocked() {
    let relu = "relu i32->i8 8x4 sp+512[4,1] = acc+0[16,4]\n";
    let found = report(&tiny(&[]), &format!("{PRODUCT}{relu}"));
    assert_eq!(spans(&found, Unit::Vector), [(18, 26)]);
    assert_eq!(found.cycles, 26 + 5);
    assert_eq!(found.cores[0].queues[1].hazard, 17);
    // Other sums are no reason to wait.
    let other = relu.replace("acc+0", "acc+256");
    assert_eq!(spans(&report(&tiny(&[]), &format!("{PRODUCT}{other}")), Unit::Vector), [(1, 9)]);
}

/// A product that waits for what it needs: 40 cycles for the first transfer, 18 after it for the second, whose latency overlaps nothing.
#[test]
fn tokens_are_waited_for() {
    let body = format!(
        "{LOAD_64}load t1 i8[1x1x64] sp+256[64,64,1] from w+0[64,64,1]\n\
         matmul t2 i8*i8->i32 8x4x4 acc+0[16] = sp+0[4] * sp+256[4] after t0 t1\n\
         store i32[1x8x4] z+0[16,16,4] from acc+0[16,16,4] after t2\n"
    );
    let found = report(&tiny(&[]), &body);
    assert_eq!(spans(&found, Unit::Preload), [(58, 62)]);
    // 128 bytes at 8 a cycle, from accumulator (3) to DRAM (20).
    assert_eq!(found.cycles, 58 + 18 + 10 + 16 + 23);
    assert_eq!(found.cores[0].queues[1].token, 58 - 2);
    assert_eq!(found.cores[0].queues[2].token, 76 - 3);
}

/// A token stands for all before it in its queue: the short second transfer, on an engine of its own, is done long before the first.
#[test]
fn tokens_are_in_order() {
    let machine =
        tiny(&[("engines = 1", "engines = 2"), ("bandwidth = 8\nlatency = 20", "bandwidth = 64\nlatency = 20")]);
    let body = "load i8[1x1x240] sp+0[1,1,1] from x+0[1,1,1]\nload t1 i8[1x1x8] sp+512[1,1,1] from w+0[1,1,1]\n\
                relu i8->i8 2x4 sp+768[4,1] = sp+512[4,1] after t1\n";
    let found = report(&machine, body);
    // 10 + 240 / 8 + 22.
    assert_eq!(spans(&found, Unit::Vector), [(62, 64)]);
}

/// A queue with one place: while the second transfer waits in it, the third cannot be issued, nor the product behind it.
#[test]
fn full_queues_stop_issue() {
    let machine = |depth: &str| tiny(&[("[dma]", &format!("[queues]\nload = {depth}\n[dma]"))]);
    let body = format!(
        "{LOAD_64}load i8[1x1x64] sp+64[64,64,1] from x+0[64,64,1]\nload i8[1x1x64] sp+128[64,64,1] from x+0[64,64,1]\n\
         relu i8->i8 2x4 sp+768[4,1] = sp+512[4,1]\n"
    );
    // The second transfer starts at 18.
    assert_eq!(spans(&report(&machine("1"), &body), Unit::Vector), [(19, 21)]);
    assert_eq!(spans(&report(&machine("8"), &body), Unit::Vector), [(3, 5)]);
}

/// `wait` holds back everything behind it.
#[test]
fn wait_stops_issue() {
    let body = format!("{LOAD_64}wait after t0\nrelu i8->i8 2x4 sp+768[4,1] = sp+512[4,1]\n");
    assert_eq!(spans(&report(&tiny(&[]), &body), Unit::Vector), [(41, 43)]);
}

/// Core 1 is a step away from DRAM, 7 cycles; core 0 waits for it at the barrier, which takes 5.
#[test]
fn cores_meet_at_barriers() {
    let machine = tiny(&[("[dma]", "[cores]\ncolumns = 2\nhop-latency = 7\nbarrier-latency = 5\n[dma]")]);
    let work = "load i8[1x1x64] sp+0[64,64,1] from x+0[64,64,1]\nbarrier\nrelu i8->i8 2x4 sp+768[4,1] = sp+512[4,1]\n";
    let found = report(&machine, &format!("{work}core 1\n{work}"));
    // Both move 64 bytes from cycle 10 on at half the speed: until 26; then 20 + 2 and a step of 7; then 5.
    let starts: Vec<u64> = found.spans.iter().filter(|span| span.unit == Unit::Vector).map(|span| span.start).collect();
    assert_eq!(starts, [26 + 22 + 7 + 5; 2]);
    assert_eq!(found.cycles, 60 + 2 + 5);
}

/// The page has a line for each unit with its spans, the texts of instructions, and nothing that the place of an instruction could break out of.
#[test]
fn a_timeline_is_a_page() {
    let machine = tiny(&[]);
    let program = program(&format!("{HEADER}{} at \"</script>:1:2\"\n", LOAD_64.trim_end()));
    let report = Simulation::new(&machine, &program).unwrap().trace();
    let page = to_html(&program, &report);
    assert!(page.contains(r#"{"name":"core 0 dma 0","core":0,"spans":[[0,10,0],[10,18,0]]}"#), "{page}");
    assert!(page.contains(r#""cycles":40,"#), "{page}");
    assert!(page.contains(r#"load t0 i8[1x1x64] sp+0[64,64,1] from x+0[64,64,1] at \"\u003c/script>:1:2\""#), "{page}");
    assert_eq!(page.matches("</script>").count(), 1);
}
