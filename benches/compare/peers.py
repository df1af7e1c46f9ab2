"""The tools that models.py compares dl-run with. Each is a class: an instance has compiled a model for a number of threads, knows how long that took
(`compile_ms`) and, if it tells them, the `results`; `least(seconds)` is the least time of a call in milliseconds. What is not installed raises
ImportError or FileNotFoundError; what a tool does not take raises its own error."""

import importlib
import json
import os
import pathlib
import subprocess
import sys
import time


class InProcess:
    """A tool that is called here: `call` runs the model once."""

    results = None

    def least(self, seconds):
        """As many calls as fit, three at least."""
        times, end = [], time.perf_counter() + seconds
        while len(times) < 3 or time.perf_counter() < end:
            begin = time.perf_counter()
            self.call()
            times.append(time.perf_counter() - begin)
        return 1e3 * min(times)

    def compiled_since(self, begin):
        self.compile_ms = 1e3 * (time.perf_counter() - begin)


class OnnxRuntime(InProcess):
    def __init__(self, model, paths, inputs, threads, folder):
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        begin = time.perf_counter()
        session = ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self.compiled_since(begin)
        binding = session.io_binding()
        for argument, value in zip(session.get_inputs(), inputs):
            binding.bind_cpu_input(argument.name, value)
        for result in session.get_outputs():
            binding.bind_output(result.name)
        session.run_with_iobinding(binding)
        self.results = [value.copy() for value in binding.copy_outputs_to_cpu()]
        self.call = lambda: session.run_with_iobinding(binding)


class OpenVino(InProcess):
    def __init__(self, model, paths, inputs, threads, folder):
        import openvino as ov

        config = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"}
        begin = time.perf_counter()
        request = ov.Core().compile_model(str(model), "CPU", config).create_infer_request()
        self.compiled_since(begin)
        request.infer(inputs, share_inputs=True)
        self.call = request.infer


class Xla(InProcess):
    """jax, by way of `onnx_in_jax`. The memory of results is given back to the next call."""

    def __init__(self, model, paths, inputs, threads, folder):
        os.environ["JAX_PLATFORMS"] = "cpu"
        if threads == 1:
            os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
        import jax
        import onnx_in_jax

        function, weights = onnx_in_jax.load(model)
        weights = [jax.device_put(weight) for weight in weights]
        inputs = [jax.device_put(value) for value in inputs]
        shapes = jax.eval_shape(function, weights, *inputs)
        begin = time.perf_counter()
        donating = jax.jit(lambda old, weights, *inputs: function(weights, *inputs), donate_argnums=0, keep_unused=True)
        self.old = [jax.numpy.zeros(shape.shape, shape.dtype) for shape in shapes]
        compiled = donating.lower(self.old, weights, *inputs).compile()
        self.compiled_since(begin)

        def call():
            self.old = jax.block_until_ready(compiled(self.old, weights, *inputs))

        self.call = call


class Tvm(InProcess):
    """Relax with its default pipeline, without tuning."""

    def __init__(self, model, paths, inputs, threads, folder):
        os.environ["TVM_NUM_THREADS"] = str(threads)
        import onnx
        import tvm
        from tvm import relax
        from tvm.relax.frontend.onnx import from_onnx
        from tvm.target import codegen

        begin = time.perf_counter()
        target = tvm.target.Target({"kind": "llvm", "mcpu": codegen.llvm_get_system_cpu(), "num-cores": threads})
        compiled = tvm.compile(from_onnx(onnx.load(str(model))), target=target)
        self.compiled_since(begin)
        library = folder / f"{model.stem}.tvm.so"
        compiled.export_library(str(library))
        main = relax.VirtualMachine(tvm.runtime.load_module(str(library)), tvm.cpu())["main"]
        arguments = [tvm.runtime.tensor(value) for value in inputs]
        self.call = lambda: main(*arguments)


class Numpy(InProcess):
    """NumPy's BLAS: models of one product."""

    def __init__(self, model, paths, inputs, threads, folder):
        import numpy as np
        import onnx
        from onnx import numpy_helper

        graph = onnx.load(str(model)).graph
        if [node.op_type for node in graph.node] != ["MatMul"]:
            raise ValueError("a product only")
        constants = [numpy_helper.to_array(value).copy() for value in graph.initializer]
        left, right = [*inputs, *constants]
        result = np.empty((left.shape[0], right.shape[1]), left.dtype)
        self.compile_ms = 0.0
        self.call = lambda: np.matmul(left, right, out=result)


class Iree:
    """IREE's own benchmark of what its compiler made, in a process of its own. The import of the model is not in `compile_ms`."""

    results = None

    def __init__(self, model, paths, inputs, threads, folder):
        importlib.import_module("iree.compiler")
        self.tools = pathlib.Path(sys.executable).parent
        program, module = folder / f"{model.stem}.mlir", folder / f"{model.stem}.vmfb"
        self.run("iree-import-onnx", model, "-o", program, "--opset-version=17")
        options = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"]
        options += ["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3", "--iree-opt-data-tiling=true"]
        begin = time.perf_counter()
        self.run("iree-compile", program, "-o", module, *options)
        self.compile_ms = 1e3 * (time.perf_counter() - begin)
        import onnx

        entry = onnx.load(str(model), load_external_data=False).graph.name
        device = ["--device=local-sync"] if threads == 1 else ["--device=local-task", f"--task_topology_group_count={threads}"]
        self.arguments = [f"--module={module}", f"--function={entry}", *device, *(f"--input=@{path}" for path in paths)]

    def run(self, tool, *arguments):
        done = subprocess.run([self.tools / tool, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(next((line for line in done.stderr.splitlines() if "error" in line), f"{tool} failed"))
        return done.stdout

    def least(self, seconds):
        options = ["--benchmark_format=json", f"--benchmark_min_time={seconds / 5}s", "--benchmark_repetitions=5"]
        text = self.run("iree-benchmark-module", *self.arguments, *options)
        units = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}
        runs = json.loads(text[text.index("{") :])["benchmarks"]
        return min(run["real_time"] * units[run["time_unit"]] for run in runs if run["run_type"] == "iteration")


ALL = {"onnxruntime": OnnxRuntime, "openvino": OpenVino, "iree": Iree, "xla": Xla, "tvm": Tvm, "numpy": Numpy}
