//! Passes on generated programs, judged by execution.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use dl_oracle::Summary;
use fastrand::Rng;

use crate::Lab;
use crate::corpus::PIPELINE;
use crate::generate::{Level, pipeline, program};
use crate::guard::catch;
use crate::minimize::minimize;
use crate::targets::{Finding, Target, oracle};

/// What to try, and for how long.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// Where the random numbers begin.
    pub seed: u64,
    /// Most programs.
    pub programs: u64,
    /// Longest time.
    pub time: Duration,
    /// Kinds of programs.
    pub levels: Vec<Level>,
    /// Passes, each alone; any pipelines of all passes if it is empty.
    pub passes: Vec<String>,
    /// Whether inputs that fail are made smaller, which takes long.
    pub reduce: bool,
}

/// An input that fails: a program with its pipeline in the first line.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The input, as small as it could be made.
    pub input: String,
    /// What is wrong.
    pub finding: Finding,
    /// How many programs failed in the same way.
    pub times: u64,
}

/// What came of it.
#[derive(Default, Debug)]
pub struct Results {
    /// How many programs were run.
    pub programs: u64,
    /// How much was judged.
    pub summary: Summary,
    /// What is wrong, the first input for each pass and kind.
    pub failures: BTreeMap<String, Failure>,
}

impl Campaign {
    /// Input number `number`.
    pub fn input(&self, lab: &Lab, number: u64) -> String {
        let mut rng = Rng::with_seed(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let level = self.levels[number as usize % self.levels.len().max(1)];
        let pipeline = pipeline(lab.passes(), &self.passes, &mut rng);
        format!("{PIPELINE}{pipeline}\n{}", program(level, &mut rng))
    }

    /// Runs it; `progress` is called now and then.
    pub fn run(&self, progress: &mut dyn FnMut(&Results)) -> Results {
        let (start, mut lab, mut results) = (Instant::now(), Lab::new(), Results::default());
        while results.programs < self.programs && start.elapsed() < self.time && !self.levels.is_empty() {
            let input = self.input(&lab, results.programs);
            results.programs += 1;
            let mut judged = Summary::default();
            let outcome = catch(|| {
                judged = oracle::judge(&mut lab, input.as_bytes())?;
                Ok(())
            });
            results.summary.add(judged);
            if let Err(finding) = outcome {
                lab = Lab::new();
                self.note(&mut results, input, finding);
            }
            if results.programs % 100 == 0 {
                progress(&results);
            }
        }
        results
    }

    fn note(&self, results: &mut Results, input: String, finding: Finding) {
        let key = format!("{}: {}", finding.what, finding.details.lines().next().unwrap_or_default());
        if let Some(failure) = results.failures.get_mut(&key) {
            failure.times += 1;
            return;
        }
        let (input, finding) = if self.reduce { reduced(input, finding) } else { (input, finding) };
        results.failures.insert(key, Failure { input, finding, times: 1 });
    }
}

/// A smaller input that fails in the same way.
fn reduced(input: String, finding: Finding) -> (String, Finding) {
    let Some(target) = Target::find("oracle") else { return (input, finding) };
    let mut lab = Lab::new();
    let mut last = finding;
    let smaller = minimize(input.as_bytes(), |bytes| {
        let found = catch(|| target.run(&mut lab, bytes)).err();
        if let Some(found) = &found {
            last.clone_from(found);
        }
        found
    });
    (String::from_utf8_lossy(&smaller).into_owned(), last)
}

impl Results {
    /// A table of passes, and why runs could not be judged.
    pub fn text(&self) -> String {
        let mut text =
            format!("{} programs\n{:44} {:>9} {:>9} {:>9}\n", self.programs, "pass", "same", "undefined", "unknown");
        for (pass, tally) in &self.summary.passes {
            // Strings can be written to.
            let _ = writeln!(text, "{pass:44} {:>9} {:>9} {:>9}", tally.same, tally.free, tally.unknown);
        }
        let mut reasons: Vec<_> = self.summary.unknown.iter().collect();
        reasons.sort_by_key(|&(_, times)| std::cmp::Reverse(*times));
        for (why, times) in reasons.into_iter().take(20) {
            let _ = writeln!(text, "{times:>9} unknown: {why}");
        }
        text
    }
}
