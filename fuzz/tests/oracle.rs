//! Random programs before and after passes, by `dl_fuzz::campaign`. `cargo xtask oracle` goes on for as long as it is told to.

use std::thread;
use std::time::Duration;

use dl_fuzz::Lab;
use dl_fuzz::campaign::{Campaign, Results};
use dl_fuzz::generate::Level;
use dl_fuzz::targets::Target;

/// How many programs run on every build, on each of two threads.
const PROGRAMS: u64 = 1_000;

fn campaign(seed: u64, programs: u64) -> Campaign {
    Campaign {
        seed,
        programs,
        time: Duration::from_mins(10),
        levels: Level::ALL.to_vec(),
        passes: Vec::new(),
        reduce: false,
    }
}

#[test]
fn generated_programs_are_correct() {
    let (mut lab, campaign) = (Lab::new(), campaign(7, 300));
    let verify = Target::find("verify").expect("there is such a target");
    for number in 0..campaign.programs {
        let text = campaign.input(&lab, number);
        verify.run(&mut lab, text.as_bytes()).unwrap_or_else(|finding| panic!("{finding}\n{text}"));
        assert!(lab.accepts(text.as_bytes()), "this program is rejected:\n{text}");
    }
}

#[test]
fn passes_do_not_change_what_programs_do() {
    let threads = [11, 12].map(|seed| thread::spawn(move || campaign(seed, PROGRAMS).run(&mut |_| {})));
    for results in threads.map(|thread| thread.join().expect("findings are caught")) {
        let found: Vec<String> = results
            .failures
            .iter()
            .map(|(what, failure)| format!("{what}\n{}\n{}", failure.finding, failure.input))
            .collect();
        assert!(found.is_empty(), "{}", found.join("\n\n"));
        assert!(judged(&results) > PROGRAMS, "hardly a run could be compared:\n{}", results.text());
    }
}

fn judged(results: &Results) -> u64 {
    results.summary.passes.values().map(|tally| tally.same).sum()
}
