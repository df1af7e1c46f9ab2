//! Every fold and every canonicalization pattern, checked by execution: see `dl_fuzz::judge`.

use std::fmt::Write as _;

use dl_fuzz::judge::Judge;
use dl_fuzz::{Lab, corpus};

#[test]
fn probe() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut judged = std::collections::BTreeMap::new();
    let mut unknown = std::collections::BTreeMap::new();
    let mut out = String::new();
    for seed in corpus::seeds("rewrites").unwrap() {
        if !seed.name.contains(&only) { continue; }
        let mut cx = dl_tools::Registry::standard().context();
        cx.allow_unregistered(true);
        cx.set_threading(false);
        let source = cx.add_source(&seed.name, &seed.bytes);
        let Ok(parsed) = dl_ir::bytecode::load_source(&cx, &source) else { continue };
        let mut module = parsed.module;
        if dl_ir::verify::verify(&cx, &module).is_err() { continue }
        let mut judge = Judge::new(&cx, 16);
        let start = std::time::Instant::now();
        judge.check(&mut module);
        if start.elapsed().as_millis() > 500 { let _ = writeln!(out, "SLOW {} {:?}", seed.name, start.elapsed()); }
        for (k, v) in judge.report.judged { *judged.entry(k).or_insert(0) += v; }
        for (k, v) in judge.report.unknown { *unknown.entry(k).or_insert(0) += v; }
        for w in judge.report.wrong { let _ = writeln!(out, "WRONG {}: {w}", seed.name); }
    }
    println!("{out}");
    for (k, v) in judged { println!("JUDGED {v} {k}"); }
    for (k, v) in unknown { println!("UNKNOWN {v} {k}"); }
    let _ = Lab::new();
}
