"""Kernels of the CPU pipeline against the machine's peak and NumPy's BLAS, interleaved in one process.

    python3 benches/kernels.py --dl-translate target/release/dl-translate [--cpu NAME] [--rounds N]

Each round times every contender once for a short while, and the peak, a loop of multiply-adds on registers compiled by clang, before and after ours. The
least of all times counts, since other processes only add; the share of the peak is the median over the rounds, since the clock changes between
them. A product that takes a few microseconds, as long as Python and the clock, goes by several times in each of our calls. Needs NumPy and clang; one thread each.
"""

import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np  # noqa: E402

# Multiplications and additions of a call from Python, at least, where a product has fewer.
LEAST_WORK = 20_000_000

PEAK = r"""
#include <immintrin.h>
#include <stdlib.h>
// Calls a kernel so many times. What it allocates its result in is the first field of that.
void repeat(void (*kernel)(void **, void *, void *), void **result, void *left, void *right, long times) {
  for (; times > 0; times--) {
    kernel(result, left, right);
    free(*result);
  }
}
// As many sums as registers hold: instructions for dot products take six cycles, and two start in each.
#define KEEP(a) __asm__ volatile("" : "+v"((a)[0]), "+v"((a)[1]), "+v"((a)[2]), "+v"((a)[3]), "+v"((a)[4]), "+v"((a)[5]), \
                                      "+v"((a)[6]), "+v"((a)[7]), "+v"((a)[8]), "+v"((a)[9]), "+v"((a)[10]), "+v"((a)[11]))
#define LOOP(NAME, TYPE, STEP) \
double NAME(long n) { \
  TYPE a[SUMS], x, y; \
  for (int i = 0; i < sizeof x; i++) ((char *)&x)[i] = ((char *)&y)[i] = 0; \
  for (int i = 0; i < SUMS; i++) a[i] = x; \
  __asm__ volatile("" : "+v"(x), "+v"(y)); \
  for (long j = 0; j < n; j++) { \
    _Pragma("clang loop unroll(full)") \
    for (int i = 0; i < SUMS; i++) a[i] = STEP; \
    _Pragma("clang loop unroll(full)") \
    for (int i = 0; i < SUMS; i += 12) KEEP(a + i); \
  } \
  double sum = 0; \
  for (int i = 0; i < SUMS; i++) sum += *(char *)&a[i]; \
  return sum; \
}
typedef float v __attribute__((vector_size(BYTES)));
LOOP(peak_f32, v, __builtin_elementwise_fma(a[i], x, y))
#if BYTES == 64 && defined(__AVX512BF16__)
LOOP(peak_bf16, __m512, _mm512_dpbf16_ps(a[i], (__m512bh)x, (__m512bh)y))
#endif
#if BYTES == 64 && defined(__AVX512VNNI__)
LOOP(peak_i8, __m512i, _mm512_dpbusd_epi32(a[i], x, y))
#endif
// Integers of 16 bits, which bytes are widened to where there is no instruction for them: products of pairs and a sum.
#if BYTES == 32 && defined(__AVX2__)
LOOP(peak_words, __m256i, _mm256_add_epi32(a[i], _mm256_madd_epi16(a[i], y)))
#endif
// Matrix registers: four of sums, two for either factor, of 16 rows of 64 bytes each. Linux gives them to a process that asks.
#include <unistd.h>
#include <sys/syscall.h>
#define TILES(NAME, STEP) \
double NAME(long n) { \
  struct { unsigned char palette, start, reserved[14]; unsigned short bytes[16]; unsigned char rows[16]; } shapes = {1}; \
  for (int i = 0; i < 8; i++) shapes.bytes[i] = 64, shapes.rows[i] = 16; \
  if (syscall(SYS_arch_prctl, 0x1023, 18)) return 0; \
  _tile_loadconfig(&shapes); \
  _tile_zero(0); _tile_zero(1); _tile_zero(2); _tile_zero(3); _tile_zero(4); _tile_zero(5); _tile_zero(6); _tile_zero(7); \
  for (long j = 0; j < n; j++) { STEP(0, 4, 6); STEP(1, 4, 7); STEP(2, 5, 6); STEP(3, 5, 7); } \
  _tile_release(); \
  return 0; \
}
#ifdef __AMX_INT8__
TILES(peak_i8_matrix, _tile_dpbusd)
#endif
#ifdef __AMX_BF16__
TILES(peak_bf16_matrix, _tile_dpbf16ps)
#endif
"""

# Operations of a step of the loop on matrix registers.
MATRIX = {"peak_i8_matrix": 4 * 16 * 16 * 64 * 2, "peak_bf16_matrix": 4 * 16 * 16 * 32 * 2}

# Products a lane in a step of the other loops.
PRODUCTS = {"peak_f32": 1, "peak_bf16": 2, "peak_i8": 4, "peak_words": 2}

# Types of the operands and of the result, and what the peak of products of them is: the first of these that this machine has.
TYPES = {
    "f32": ("f32", "f32", "f32", ["peak_f32"]),
    "f16": ("f16", "f16", "f32", ["peak_f32"]),
    "bf16": ("bf16", "bf16", "f32", ["peak_bf16_matrix", "peak_bf16", "peak_f32"]),
    "s8": ("i8", "i8", "i32", ["peak_i8_matrix", "peak_i8", "peak_words"]),
    "u8": ("i8", "i8", "i32", ["peak_i8_matrix", "peak_i8", "peak_words"]),
}


class Product:
    """`m x n x k`, then T for a transposed right side, C for a constant one, and a type of TYPES after a colon."""

    def __init__(self, text):
        shape, _, self.kind = text.partition(":")
        self.kind = self.kind or "f32"
        self.constant, self.transposed = "C" in shape, "T" in shape
        self.m, self.n, self.k = map(int, shape.strip("TC").split("x"))
        self.left, self.right, self.out, self.peaks = TYPES[self.kind]
        self.rhs_shape = (self.n, self.k) if self.transposed else (self.k, self.n)

    def operands(self, rng):
        """The left and the right side: as they lie in memory, and as numbers."""

        def make(shape, element, unsigned):
            if element == "i8":
                array = aligned(shape, np.uint8 if unsigned else np.int8)
                array[...] = rng.integers(0 if unsigned else -128, 256 if unsigned else 128, shape)
                return array, array.astype(np.float32)
            values = rng.standard_normal(shape, dtype=np.float32)
            if element == "bf16":
                array = aligned(shape, np.uint16)
                array[...] = values.view(np.uint32) >> 16
                return array, (array.astype(np.uint32) << 16).view(np.float32)
            array = aligned(shape, {"f32": np.float32, "f16": np.float16}[element])
            array[...] = values
            return array, array.astype(np.float32)

        left = make((self.m, self.k), self.left, self.kind == "u8")
        return left, make(self.rhs_shape, self.right, False)

    def program(self, rhs):
        """The program; `rhs` is the right side where that is constant."""
        zero = "0.0" if self.out == "f32" else "0"
        lhs, out = f"tensor<{self.m}x{self.k}x{self.left}>", f"tensor<{self.m}x{self.n}x{self.out}>"
        right = f"tensor<{self.rhs_shape[0]}x{self.rhs_shape[1]}x{self.right}>"
        b = "(n,k)" if self.transposed else "(k,n)"
        if self.out == "i32":
            widen, times, plus = ("arith.extui" if self.kind == "u8" else "arith.extsi"), "arith.muli", "arith.addi"
            casts = f"%x = {widen} %p : i8 to i32\n  %y = arith.extsi %q : i8 to i32"
        else:
            times, plus = "arith.mulf", "arith.addf"
            casts = "\n  ".join(f"%{wide} = arith.extf %{narrow} : {self.left} to f32" for wide, narrow in ("xp", "yq"))
        x, y = ("%p", "%q") if self.left == self.out else ("%x", "%y")
        constant = f'%b = arith.constant dense<"0x{rhs.tobytes().hex()}"> : {right}' if self.constant else ""
        return f"""
func.func @f(%a: {lhs}{"" if self.constant else f", %b: {right}"}) -> {out} attributes {{llvm.emit_c_interface}} {{
  {constant}
  %zero = arith.constant {zero} : {self.out}
  %empty = tensor.empty() : {out}
  %start = linalg.fill ins(%zero : {self.out}) outs(%empty : {out}) -> {out}
  %c = linalg.generic {{
    indexing_maps = [affine_map<(m,n,k) -> (m,k)>, affine_map<(m,n,k) -> {b}>, affine_map<(m,n,k) -> (m,n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  }} ins(%a, %b : {lhs}, {right}) outs(%start : {out}) {{
  ^bb0(%p: {self.left}, %q: {self.right}, %r: {self.out}):
  {"" if self.left == self.out else casts}
  %t = {times} {x}, {y} : {self.out}
  %s = {plus} %r, %t : {self.out}
  linalg.yield %s : {self.out}
  }} -> {out}
  return %c : {out}
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


def aligned(shape, dtype):
    """An array at a cache line."""
    count, size = int(np.prod(shape)), np.dtype(dtype).itemsize
    raw = np.empty(count * size + 64, np.uint8)
    skip = -raw.ctypes.data % 64
    return raw[skip : skip + count * size].view(dtype).reshape(shape)


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
        # The clock of a virtual machine stands still at times.
        best = min(best, time.thread_time() - begin or best)
    return best


def vector_bytes():
    """Bytes of a vector register of this machine."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = next((line.split() for line in file if line.startswith("flags")), [])
    return 64 if "avx512f" in flags else 32 if "avx2" in flags else 16


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dl-translate", required=True)
    parser.add_argument("--cpu")
    parser.add_argument("--clang", default=shutil.which("clang") or "clang-22")
    parser.add_argument("--vector-bytes", type=int, default=vector_bytes())
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--shapes", default="256x256x256,256x256x256C,512x512x512,512x512x512C,1024x1024x1024,"
                        "1024x1024x1024C,2048x2048x2048C,250x250x250,500x500x500C,197x197x64,197x768x768C,16x1024x1024C,"
                        "128x768x3072C,1x1024x1024C,8x512x512T,512x512x512T,1024x1024x1024:f16,1024x1024x1024C:bf16,"
                        "1024x1024x1024:bf16,1024x1024x1024C:u8,1024x1024x1024C:s8,1024x1024x1024:s8")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/peak.c", "w", encoding="utf-8") as file:
            file.write(PEAK)
        sums = 24 if options.vector_bytes == 64 else 12
        subprocess.run([options.clang, "-O3", "-march=native", "-shared", "-fPIC", f"-DBYTES={options.vector_bytes}", f"-DSUMS={sums}",
                        f"{folder}/peak.c", "-o", f"{folder}/peak.so"], check=True)
        peaks = ctypes.CDLL(f"{folder}/peak.so")
        peaks.repeat.argtypes, peaks.repeat.restype = [ctypes.c_void_p] * 4 + [ctypes.c_long], None
        print(f"{'m x n x k':>22} {'ms':>9} {'NumPy f32':>9} {'peak':>6} {'Gop/s':>7} {'% of peak':>9}  relative error")
        for number, text in enumerate(options.shapes.split(",")):
            case = Product(text)
            name = next(name for name in case.peaks if hasattr(peaks, name))
            peak = getattr(peaks, name)
            peak.restype, peak.argtypes = ctypes.c_double, [ctypes.c_long]
            # As long as the product would take at the peak: the clock is higher in short bursts.
            work, step = 2 * case.m * case.n * case.k, MATRIX.get(name) or sums * options.vector_bytes // 4 * 2 * PRODUCTS[name]
            steps = max(1000, work // step)
            (a, left), (b, right) = case.operands(rng)
            kernel = compile_kernel(options, folder, number, case.program(b))
            result = MemRef()
            # A constant is in the kernel, which does not look at it here.
            refs = [ctypes.byref(x) for x in (result, MemRef.of(a), MemRef.of(b))]
            times = max(1, LEAST_WORK // work)
            out = np.empty((case.m, case.n), np.float32)
            right = right.T if case.transposed else right

            def at_peak():
                peak(steps * times)

            def ours():
                peaks.repeat(kernel, *refs, times)

            kernel(*refs)
            element = ctypes.c_float if case.out == "f32" else ctypes.c_int32
            got = np.ctypeslib.as_array(ctypes.cast(result.aligned, ctypes.POINTER(element)), (case.m, case.n))
            want = left.astype(np.float64) @ right
            error = np.abs(got - want).max() / np.abs(want).max()
            free(result.allocated)
            best, shares = [float("inf")] * 3, []
            for _ in range(options.rounds):
                calls = (at_peak, ours, at_peak, lambda: np.matmul(left, right, out=out))
                before, own, after, numpy = (least(call, options.seconds) for call in calls)
                own /= times
                best = [min(old, new) for old, new in zip(best, (own, numpy, min(before, after)))]
                shares.append(work / own / (steps * times * step / ((before + after) / 2)))
            top, rate, share = steps * times * step / best[2] / 1e9, work / best[0] / 1e9, statistics.median(shares)
            print(f"{text:>22} {best[0] * 1e3:9.4f} {best[1] * 1e3:9.4f} {top:6.0f} {rate:7.1f} {100 * share:9.1f}  {error:.1e}",
                  flush=True)


if __name__ == "__main__":
    main()
