//! Simulators of plugins.

use dl_plugin::{Simulated, Simulation, Simulator, Tensor};
use dl_runtime::{Array, DType};
use dl_tools_support::files;

use crate::{Options, error, print, read_inputs, write_outputs};

/// Executes and times a program in the simulator.
pub(super) fn run(simulator: &Simulator, options: &Options) -> Result<(), String> {
    let (_, program) = files::read(&options.program).map_err(error)?;
    let target = options.target.as_ref().map(|file| {
        let (name, bytes) = files::read(file).map_err(error)?;
        String::from_utf8(bytes.clone()).map_err(|_| error(format!("'{name}' is not text")))
    });
    let target = target.transpose()?;
    let inputs = if options.timing_only { None } else { Some(read_inputs(options)?) };
    let simulation = Simulation {
        program: &program,
        target: target.as_deref(),
        inputs: inputs.map(|inputs| inputs.iter().map(to_tensor).collect()),
    };
    let Simulated { outputs, report } = (simulator.simulate)(&simulation).map_err(error)?;
    if !options.timing_only {
        let outputs = outputs.iter().enumerate().map(|(at, output)| {
            let why = |why: String| {
                error(format!("the simulator '{}' made no array of output {}: {why}", simulator.name, at + 1))
            };
            to_array(output).map_err(why)
        });
        write_outputs(&outputs.collect::<Result<Vec<_>, _>>()?, options)?;
    }
    if options.report || options.timing_only { print(&report) } else { Ok(()) }
}

fn to_tensor(array: &Array) -> Tensor {
    Tensor { dtype: array.dtype().to_string(), shape: array.shape().to_vec(), bytes: array.bytes().to_vec() }
}

fn to_array(Tensor { dtype, shape, bytes }: &Tensor) -> Result<Array, String> {
    let known = DType::ALL.into_iter().find(|known| known.name() == dtype);
    let known = known.ok_or_else(|| format!("unsupported: elements of type '{dtype}'"))?;
    Array::from_bytes(known, shape, bytes).map_err(|why| why.to_string())
}
