#!/usr/bin/env python3
"""Times ONNX models compiled by dl-run against ONNX Runtime and OpenVINO, in turn and on the same inputs.

    python3 benches/compare/models.py --dl-run target/release/dl-run MODEL.onnx...

The inputs of MODEL.onnx are MODEL.in0.npy, MODEL.in1.npy and so on, beside it. In each round every side runs for --seconds; the least time of a
call counts, and the ratio is the median over the rounds of ours over the best peer's. A peer that is not installed, or does not take the model, is
left out. `error` is the largest difference to ONNX Runtime's results over the largest of these.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np


def least(call, seconds):
    """The least time of a call in milliseconds, of as many as fit."""
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return 1e3 * min(times)


def onnx_runtime(model, inputs, threads):
    """A call, and the results of it."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    session = ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for argument, value in zip(session.get_inputs(), inputs):
        binding.bind_cpu_input(argument.name, value)
    for result in session.get_outputs():
        binding.bind_output(result.name)
    session.run_with_iobinding(binding)
    results = [value.copy() for value in binding.copy_outputs_to_cpu()]
    return lambda: session.run_with_iobinding(binding), results


def openvino(model, inputs, threads):
    """A call, and no results."""
    import openvino as ov

    config = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"}
    request = ov.Core().compile_model(str(model), "CPU", config).create_infer_request()
    request.infer(inputs, share_inputs=True)
    return request.infer, None


def ours(dl_run, model, inputs, threads, seconds, folder, results):
    """What dl-run reports, and the error of its results."""
    command = [dl_run, model, f"--threads={threads}", "--benchmark", "--benchmark-format=json"]
    command += [f"--benchmark-min-time={seconds}"] + [f"--input=@{path}" for path in inputs]
    outputs = [folder / f"{at}.npy" for at in range(len(results or [0]))]
    command += [f"--output=@{path}" for path in outputs]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{model}: {done.stderr.strip()}")
    error = 0.0
    for path, expected in zip(outputs, results or []):
        actual, expected = np.load(path).astype(np.float64), expected.astype(np.float64)
        error = max(error, np.abs(actual - expected).max() / max(np.abs(expected).max(), 1e-30))
    return json.loads(done.stdout), error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--dl-run", default="target/release/dl-run")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5)
    args = parser.parse_args()
    print("| model | ms | ONNX Runtime ms | OpenVINO ms | ratio | error | compile ms | peak MiB |")
    print("|---|---|---|---|---|---|---|---|")
    ratios = []
    for model in args.models:
        paths = sorted(model.parent.glob(f"{model.stem}.in[0-9]*.npy"), key=lambda path: int(path.name.split(".in")[-1][:-4]))
        inputs = [np.load(path) for path in paths]
        peers, results = {}, None
        for name, start in (("onnxruntime", onnx_runtime), ("openvino", openvino)):
            try:
                peers[name], values = start(model, inputs, args.threads)
                results = values or results
            except Exception as error:  # Peers fail in ways of their own; which, is told.
                print(f"{model.stem}: {name}: {str(error).splitlines()[0]}")
        times = {name: [] for name in ["ours", *peers]}
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(args.rounds):
                report, error = ours(args.dl_run, model, paths, args.threads, args.seconds, pathlib.Path(folder), results)
                times["ours"].append(report["min_ms"])
                for name, call in peers.items():
                    times[name].append(least(call, args.seconds))
        best = [min(times[name][at] for name in peers) for at in range(args.rounds)] if peers else []
        ratio = statistics.median(mine / peer for mine, peer in zip(times["ours"], best)) if best else float("nan")
        ratios.append(ratio)
        figure = lambda name: f"{min(times[name]):.3f}" if times.get(name) else "-"
        print(
            f"| {model.stem} | {figure('ours')} | {figure('onnxruntime')} | {figure('openvino')} | {ratio:.2f} | {error:.0e} "
            f"| {report['compile_ms']:.0f} | {report['peak_rss_mb']:.0f} |",
            flush=True,
        )
    print(f"\ngeometric mean of the ratios: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()
