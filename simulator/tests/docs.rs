//! The files that `docs/accelerator.md` shows are those in `examples/accelerator`, and take the cycles that its rules say.

mod support;

use std::fs;
use std::path::Path;

use dl_simulator::{Machine, Program, Simulation};

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(path)).unwrap()
}

#[test]
fn blocks_are_files() {
    let docs = read("docs/accelerator.md");
    for (language, path) in [("toml", "examples/accelerator/first.toml"), ("text", "examples/accelerator/first.dlasm")]
    {
        let block = docs.split(&format!("```{language} {path}\n")).nth(1).and_then(|rest| rest.split("```").next());
        assert_eq!(block, Some(read(path).as_str()), "{path}");
    }
}

/// Every field of the examples is described.
#[test]
fn fields_are_described() {
    let docs = read("docs/accelerator.md");
    for name in ["edge-8", "tile-16", "matrix-128", "mesh-4"] {
        for line in read(&format!("simulator/targets/{name}.toml")).lines() {
            let Some((field, _)) = line.split_once(" = ") else { continue };
            assert!(docs.contains(&format!("`{field}`")), "{field}");
        }
    }
}

/// Calculated by hand. Loads: 8 cycles of start-up each, the second from cycle 1; 16 bytes, of which 8 go before the second begins and the rest at half
/// speed, until 11; 32 bytes, one cycle's worth until 11 and the rest until 14, plus 30. Weights 44 to 48 and 48 to 52, the second stream until 54,
/// drained at 60. Store: 8, 32 bytes in 4, 30.
#[test]
fn the_first_program_takes_its_time() {
    let machine = Machine::parse(&read("examples/accelerator/first.toml")).unwrap();
    let program = Program::from_text(&read("examples/accelerator/first.dlasm")).unwrap();
    assert_eq!(Simulation::new(&machine, &program).unwrap().time().cycles, 60 + 8 + 4 + 30);
}
