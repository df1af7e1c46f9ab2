#!/usr/bin/env python3
"""Networks of tests/Inputs/networks.mlir at full size, on described accelerators and on the CPU.

    python3 benches/compare/accelerators.py --dl-run target/release/dl-run [--machine FILE.toml]... [PART OF A NAME]...

Each network runs on the CPU, compiled to compute in the order that the program says (`cpu-pipeline{vectorize=false}`); as the CPU pipeline compiles it by default; and on
each machine (all of simulator/targets, if none is named) in the simulator, on the same random inputs. Results are compared with the first: `equal` is the share of
those that are the same to the last bit; `error` is the largest difference, in units of the last place of 8-bit integers, or over the largest result of floats. Fails
where a machine differs at all on an 8-bit network, where vectors, by which floats are added up in another order and functions approximated, make a difference of more than
two units, or where a network in bf16 is off by more than 2 %. Needs NumPy.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
IN_ORDER = "--pass-pipeline=builtin.module(cpu-pipeline{vectorize=false})"

# Of each network: extents of images and of padded images, then other extents, as they are and as they become; constants by name. Factors of sums grow
# smaller as there are more terms.
NETWORKS = {
    "resnet_int8": ({"8": "56", "10": "58"}, {"16": "64"}, {"scale": "0.00048828125"}),
    "mobilenet_int8": ({"6": "56", "8": "58"}, {"8": "24", "24": "144", "36": "3136"}, {}),
    "bert_int8": (
        {},
        {"12": "128", "16": "768", "32": "3072", "2": "12", "8": "64"},
        {"count": "768.0", "scale": "0.00015", "scores": "0.00004", "around": "0.0003", "inner": "0.00005"},
    ),
    "resnet_bf16": ({"6": "56", "8": "58"}, {"16": "64"}, {}),
    "mobilenet_bf16": ({"6": "56", "8": "58"}, {"8": "24", "24": "144"}, {}),
    "bert_bf16": ({}, {"12": "128", "16": "768", "32": "3072", "2": "12", "8": "64"}, {"count": "768.0"}),
}


def enlarge(text, images, others, constants):
    """The network with other extents: of 4-D tensors with a batch of one, the second and third are those of an image."""

    def shape(extents):
        if len(extents) == 4 and extents[0] == "1":
            rows = [images.get(extent, extent) for extent in extents[1:3]] if images else extents[1:3]
            return ["1", *rows, others.get(extents[3], extents[3])]
        if len(extents) == 4:
            return extents[:2] + [others.get(extent, extent) for extent in extents[2:]]
        if extents[:2] == ["3", "3"]:
            return extents[:2] + [others.get(extent, extent) for extent in extents[2:]]
        return [others.get(extent, extent) for extent in extents]

    def tensor(match):
        extents = match[1].rstrip("x").split("x")
        # The filters of bf16 networks are 1 x 1 x C x F.
        if extents[:2] == ["1", "1"]:
            extents = extents[:2] + [others.get(extent, extent) for extent in extents[2:]]
        else:
            extents = shape(extents)
        return "x".join(extents) + "x" + match[2]

    text = re.sub(r"\b((?:\d+x)+)(i8|i32|f32|bf16)\b", tensor, text)
    text = re.sub(r"output_shape \[([\d, ]+)\]", lambda m: f"output_shape [{', '.join(shape(m[1].split(', ')))}]", text)
    for name, value in constants.items():
        text = re.sub(rf"(%{name} = arith.constant )\S+", rf"\g<1>{value}", text)
    return text


def random_inputs(text, folder):
    """The options that pass random arrays of the types that the program says."""
    generator = np.random.default_rng(7)
    options = []
    for number, spec in enumerate(re.search(r"// INPUTS: (.*)", text)[1].split()):
        *extents, element = spec.split("x")
        kind = {"i8": np.int8, "i32": np.int32, "f32": np.float32}[element]
        array = generator.integers(-125, 126, [int(extent) for extent in extents]).astype(kind)
        path = folder / f"in{number}.npy"
        np.save(path, array)
        options.append(f"--input=@{path}")
    return options


def run(dl_run, program, how, inputs, output):
    begin = time.perf_counter()
    subprocess.run([dl_run, program, *how, *inputs, f"--output=@{output}"], check=True, cwd=ROOT)
    return np.load(output), time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dl-run", required=True)
    parser.add_argument("--machine", action="append", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    machines = options.machine or sorted((ROOT / "simulator" / "targets").glob("*.toml"))
    dl_run = str(pathlib.Path(options.dl_run).resolve())
    failed = False
    print(f"{'network':<16} {'machine':<12} {'equal':>12} {'error':>10} {'s':>8}", flush=True)
    for part in (ROOT / "tests" / "Inputs" / "networks.mlir").read_text().split("// -----"):
        name = re.search(r"func.func @(\w+)", part)[1]
        if name not in NETWORKS or (options.names and not any(wanted in name for wanted in options.names)):
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            text = enlarge(part, *NETWORKS[name])
            program = folder / f"{name}.mlir"
            program.write_text(text)
            inputs = random_inputs(text, folder)
            expected, seconds = run(dl_run, program, [IN_ORDER], inputs, folder / "expected.npy")
            print(f"{name:<16} {'in order':<12} {'':>12} {'':>10} {seconds:>8.1f}", flush=True)
            is_integer = expected.dtype == np.int8
            ways = {"cpu": []} | {machine.stem: [f"--target={machine}"] for machine in machines}
            for label, how in ways.items():
                actual, seconds = run(dl_run, program, how, inputs, folder / "actual.npy")
                error = np.abs(actual.astype(np.float64) - expected.astype(np.float64)).max()
                if not is_integer:
                    error /= max(np.abs(expected).max(), 1e-30)
                most = 0.02 if not is_integer else 2 if label == "cpu" else 0
                failed |= not error <= most
                equal = 100 * np.mean(actual == expected)
                print(f"{name:<16} {label:<12} {equal:>10.4f} % {error:>10.2g} {seconds:>8.1f}", flush=True)
    sys.exit("results differ" if failed else 0)


if __name__ == "__main__":
    main()
