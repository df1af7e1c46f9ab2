#!/usr/bin/env python3
"""Times ONNX models compiled by dl-run against other tools, in turn and on the same inputs.

    python3 benches/compare/models.py --dl-run target/release/dl-run MODEL.onnx...
    python3 benches/compare/models.py --peers onnxruntime,openvino,iree,xla,tvm,numpy MODEL.onnx...

The inputs of MODEL.onnx are MODEL.in0.npy, MODEL.in1.npy and so on, beside it. In each round every side runs for --seconds on the same --threads
CPUs; the least time of a call counts, and the ratio is the median over the rounds of ours over the best peer's. A peer that is not installed, or does
not take the model, is left out. `error` is the largest difference to ONNX Runtime's results over the largest of these. Times in parentheses are
what a tool took to compile, dl-run's without the cache.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

import numpy as np

import peers

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
    parser.add_argument("--peers", default="onnxruntime,openvino", help=f"of {', '.join(peers.ALL)}")
    args = parser.parse_args()
    names = args.peers.split(",")
    if unknown := set(names) - set(peers.ALL):
        parser.error(f"no peer is called {unknown.pop()}: there are {', '.join(peers.ALL)}")
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-args.threads :])
    print(f"| model | ms | {' | '.join(f'{name} ms' for name in names)} | ratio | error | peak MiB |")
    print("|---" * (len(names) + 5) + "|")
    ratios = []
    for model in args.models:
        paths = sorted(model.parent.glob(f"{model.stem}.in[0-9]*.npy"), key=lambda path: int(path.name.split(".in")[-1][:-4]))
        inputs = [np.load(path) for path in paths]
        started, times, results = {}, {"ours": []}, None
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name in names:
                try:
                    started[name] = peers.ALL[name](model, paths, inputs, args.threads, folder)
                    results = results or started[name].results
                    times[name] = []
                except Exception as error:  # Peers fail in ways of their own; which, is told.
                    print(f"{model.stem}: {name}: {(str(error).splitlines() or [type(error).__name__])[0]}")
            for _ in range(args.rounds):
                report, error = ours(args.dl_run, model, paths, args.threads, args.seconds, folder, results)
                times["ours"].append(report["min_ms"])
                for name, peer in started.items():
                    times[name].append(peer.least(args.seconds))
        best = [min(times[name][at] for name in started) for at in range(args.rounds)] if started else []
        ratio = statistics.median(mine / peer for mine, peer in zip(times["ours"], best)) if best else float("nan")
        ratios.append(ratio)
        compiled = {"ours": report["compile_ms"], **{name: peer.compile_ms for name, peer in started.items()}}
        figure = lambda name: f"{min(times[name]):.3f} ({compiled[name]:.0f})" if name in times else "-"
        print(
            f"| {model.stem} | {' | '.join(map(figure, ['ours', *names]))} | {ratio:.2f} | {error:.0e} | {report['peak_rss_mb']:.0f} |",
            flush=True,
        )
    print(f"\ngeometric mean of the ratios: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()
