//! Every fold and every canonicalization pattern, checked by execution: see `dl_fuzz::judge`.

use std::fmt::Write as _;

use dl_fuzz::corpus;
use dl_fuzz::judge::{Explorer, Report};

#[test]
fn probe() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let per: u64 = std::env::var("PER").map_or(10, |x| x.parse().unwrap());
    let mut report = Report::default();
    let mut out = String::new();
    let seeds = corpus::seeds("rewrites").unwrap();
    let start = std::time::Instant::now();
    let mut explorer = Explorer::new(&seeds);
    println!("SETUP {:?}", start.elapsed());
    for seed in &seeds {
        if !seed.name.contains(&only) { continue; }
        let start = std::time::Instant::now();
        let r = explorer.seed(seed, 16);
        if start.elapsed().as_millis() > 300 { let _ = writeln!(out, "SLOW {} {:?}", seed.name, start.elapsed()); }
        for w in &r.wrong { let _ = writeln!(out, "WRONG {}: {w}", seed.name); }
        report.add(r);
    }
    println!("SEEDS {:?}", start.elapsed());
    let registered = explorer.registered();
    let ops: std::collections::BTreeSet<String> = registered.iter().map(|r| match r {
        dl_fuzz::judge::Rewrite::Fold(o) | dl_fuzz::judge::Rewrite::Pattern(_, o) | dl_fuzz::judge::Rewrite::Erase(o) => o.clone() }).collect();
    let from: u64 = std::env::var("FROM").map_or(0, |x| x.parse().unwrap());
    for op in &ops {
        if !op.contains(&only) && !only.contains("/") { continue; }
        let (mut made, start) = (0, std::time::Instant::now());
        for number in from..from + per {
            let mut got = None;
 if std::env::var("TRACE").is_ok() { println!("TRYING {op} {number}"); }
 let c = dl_fuzz::guard::catch(|| { got = explorer.small(op, number, 16); Ok(()) });
 if let Err(e) = c { let _ = writeln!(out, "WRONG PANIC {op} {number} {e}"); explorer = Explorer::new(&seeds); continue }
 let Some(r) = got else { continue };
            made += 1;
            for w in &r.wrong { let _ = writeln!(out, "WRONG {op} #{number}: {w}"); }
            report.add(r);
        }
        println!("MADE {made} {op} {:?}", start.elapsed());
    }
    println!("{out}");
    for r in &registered { if !Explorer::is_judged(&report, r) { println!("MISSING {r}"); } }
    for (k, v) in report.judged { println!("JUDGED {v} {k}"); }
    for (k, v) in report.unknown { println!("UNKNOWN {v} {k}"); }
    println!("TOTAL {:?}", start.elapsed());
}
