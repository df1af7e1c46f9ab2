"""Kernels of the CPU pipeline against the machine's peak and NumPy's BLAS, interleaved in one process.

    python3 benches/kernels.py --dl-translate target/release/dl-translate [--cpu NAME] [--rounds N]

Each round times every contender once for a short while; the least of all times counts, since other processes only add. The peak is a
loop of multiply-adds on registers, compiled by clang. Needs NumPy and clang; one thread each.
"""

import argparse
import ctypes
import os
import subprocess
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np  # noqa: E402

PEAK = """
typedef float v __attribute__((vector_size(BYTES)));
double peak(long n) {
  v a[12], x, y; double s = 0;
  for (int l = 0; l < BYTES / 4; l++) { x[l] = 1.0000001f; y[l] = 1e-9f; }
  for (int i = 0; i < 12; i++) a[i] = x * (float)i;
  for (long j = 0; j < n; j++) {
    _Pragma("clang loop unroll(full)")
    for (int i = 0; i < 12; i++) a[i] = __builtin_elementwise_fma(a[i], x, y);
    __asm__ volatile("" : "+v"(a[0]), "+v"(a[1]), "+v"(a[2]), "+v"(a[3]), "+v"(a[4]), "+v"(a[5]), "+v"(a[6]),
                          "+v"(a[7]), "+v"(a[8]), "+v"(a[9]), "+v"(a[10]), "+v"(a[11]));
  }
  for (int i = 0; i < 12; i++) s += a[i][0];
  return s;
}
"""


def product(m, n, k, transposed=False):
    rhs = f"tensor<{n}x{k}xf32>" if transposed else f"tensor<{k}x{n}xf32>"
    maps = "indexing_maps = [affine_map<(m,n,k) -> (m,k)>, affine_map<(m,n,k) -> (n,k)>, affine_map<(m,n,k) -> (m,n)>]"
    return f"""
func.func @f(%a: tensor<{m}x{k}xf32>, %b: {rhs}) -> tensor<{m}x{n}xf32> attributes {{llvm.emit_c_interface}} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %c = linalg.matmul {maps if transposed else ""}
    ins(%a, %b : tensor<{m}x{k}xf32>, {rhs}) outs(%start : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}
"""


class MemRef(ctypes.Structure):
    """A memref of rank 2, as compiled code takes it."""

    _fields_ = [
        ("allocated", ctypes.c_void_p),
        ("aligned", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * 2),
        ("strides", ctypes.c_int64 * 2),
    ]

    @classmethod
    def of(cls, array):
        pair = ctypes.c_int64 * 2
        return cls(array.ctypes.data, array.ctypes.data, 0, pair(*array.shape), pair(array.shape[1], 1))


def aligned(shape, rng):
    """Random numbers at a cache line."""
    count = int(np.prod(shape))
    raw = np.empty(count + 16, np.float32)
    skip = (-raw.ctypes.data % 64) // 4
    array = raw[skip : skip + count].reshape(shape)
    array[...] = rng.standard_normal(shape, dtype=np.float32)
    return array


def compile_kernel(options, folder, number, text):
    source, library = f"{folder}/{number}.mlir", f"{folder}/{number}.so"
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    command = [options.dl_translate, source, "--emit=shared", "-o", library]
    if options.cpu:
        command.append(f"--target-cpu={options.cpu}")
    subprocess.run(command, check=True)
    return ctypes.CDLL(library)._mlir_ciface_f


def least(call, seconds):
    """The least processor time of a call, of as many as fit."""
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.thread_time()
        call()
        best = min(best, time.thread_time() - begin)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dl-translate", required=True)
    parser.add_argument("--cpu")
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--vector-bytes", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--shapes", default="256x256x256,512x512x512,1024x1024x1024,250x250x250,500x500x500,"
                        "197x197x64,16x1024x1024,128x768x768,1x1024x1024,8x512x512T,512x512x512T")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/peak.c", "w", encoding="utf-8") as file:
            file.write(PEAK)
        subprocess.run([options.clang, "-O3", "-march=native", "-shared", "-fPIC", f"-DBYTES={options.vector_bytes}",
                        f"{folder}/peak.c", "-o", f"{folder}/peak.so"], check=True)
        peak = ctypes.CDLL(f"{folder}/peak.so").peak
        peak.restype, peak.argtypes = ctypes.c_double, [ctypes.c_long]
        peak_work = 100_000 * 12 * options.vector_bytes / 4 * 2
        print(f"{'m x n x k':>18} {'ms':>9} {'NumPy ms':>9} {'peak':>6} {'GFLOP/s':>8} {'% of peak':>9}  error")
        for number, shape in enumerate(options.shapes.split(",")):
            transposed = shape.endswith("T")
            m, n, k = map(int, shape.rstrip("T").split("x"))
            kernel = compile_kernel(options, folder, number, product(m, n, k, transposed))
            a, b = aligned((m, k), rng), aligned((n, k) if transposed else (k, n), rng)
            result = MemRef()
            refs = [ctypes.byref(x) for x in (result, MemRef.of(a), MemRef.of(b))]
            out = np.empty((m, n), np.float32)
            rhs = b.T if transposed else b

            def ours():
                kernel(*refs)
                free(result.allocated)

            kernel(*refs)
            got = np.ctypeslib.as_array(ctypes.cast(result.aligned, ctypes.POINTER(ctypes.c_float)), (m, n))
            error = np.abs(got - a.astype(np.float64) @ rhs).max()
            free(result.allocated)
            best = [float("inf")] * 3
            for _ in range(options.rounds):
                calls = (ours, lambda: np.matmul(a, rhs, out=out), lambda: peak(100_000))
                best = [min(old, least(call, options.seconds)) for old, call in zip(best, calls)]
            work, top = 2 * m * n * k, peak_work / best[2] / 1e9
            rate = work / best[0] / 1e9
            print(f"{shape:>18} {best[0] * 1e3:9.4f} {best[1] * 1e3:9.4f} {top:6.1f} {rate:8.1f} {100 * rate / top:9.1f}  {error:.1e}",
                  flush=True)


if __name__ == "__main__":
    main()
