//! What a plugin may bring besides dialects of its own and passes: `tests/plugins.rs` builds and loads it.

use dl_interpreter::{Interpreter, Options};
use dl_ir::interp::{Memory, Value, Values};
use dl_ir::{Diagnostics, Dialect, DialectBuilder, OpDefinition, OpRef, RegionRef};
use dl_plugin::{Registry, Runner, Simulated, Simulation, Simulator, Tensor, Translation};

dl_plugin::declare_plugin!(register);

fn register(registry: &mut Registry) {
    registry.dialect(Box::new(Math));
    dl_passes_arith::register(&mut registry.passes);
    registry.translation(Translation {
        name: "names",
        description: "Names of functions",
        pipeline: "builtin.module(inline)",
        write: names,
    });
    registry.runner(Runner { name: "careful", pipeline: "builtin.module(convert-math-to-funcs)", call });
    registry.simulator(Simulator { name: "adder", description: "Adds what the program says", simulate });
}

dl_ir::op! {
    /// Only the plugin has it.
    MarkOp = "math.mark" {
        traits: [Pure],
    }

    /// Nobody can read it.
    SpillOp = "math.spill" {}
}

struct Math;

impl Dialect for Math {
    fn namespace(&self) -> &str {
        "math"
    }

    fn register(&self, b: &mut DialectBuilder) {
        dl_math::Math.register(b);
        b.ops(&[MarkOp::ENTRY, SpillOp::ENTRY]);
        b.on::<SpillOp<'_>>().parse(|_, _| panic!("no ink"));
    }
}

fn names(module: OpRef<'_>) -> Result<Vec<u8>, Diagnostics> {
    let functions = module.regions().flat_map(RegionRef::ops).filter_map(|op| op.symbol_name());
    Ok(functions.map(|name| format!("{name}\n")).collect::<String>().into_bytes())
}

fn call(module: OpRef<'_>, function: OpRef<'_>, args: &[Value], _: &mut Memory) -> Result<Values, Diagnostics> {
    if args.iter().any(|arg| arg.as_memref().is_some()) {
        return Err(function.error("unsupported: memrefs").into());
    }
    Interpreter::new(module, Options::default()).run(function, args).results.map_err(Diagnostics::from)
}

/// The program is a byte, which is added to each byte of the input; the description of the machine is how long that takes.
fn simulate(asked: &Simulation<'_>) -> Result<Simulated, String> {
    let &[add] = asked.program else {
        return Err(format!("expected a program of one byte, but got {}", asked.program.len()));
    };
    let outputs = asked.inputs.iter().flatten().map(|input| {
        let bytes = input.bytes.iter().map(|byte| byte.wrapping_add(add)).collect();
        Tensor { bytes, ..input.clone() }
    });
    let outputs = if add == 255 {
        vec![Tensor { dtype: "uint8".to_owned(), shape: vec![usize::MAX / 2], bytes: Vec::new() }]
    } else {
        outputs.collect()
    };
    Ok(Simulated { outputs, report: format!("cycles {}", asked.target.unwrap_or("unknown\n")) })
}
