#!/usr/bin/env python3
"""Writes the models of this folder: python3 make.py. Needs numpy and onnx.

Each folder is laid out as the node tests of the onnx package are. Expected outputs are computed here with NumPy, in double precision, and
not by an implementation of ONNX.
"""

import math
import pathlib

import numpy as np
from onnx import AttributeProto, TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent
FLOAT, INT64, UINT8 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.UINT8
rng = np.random.default_rng(7)


def floats(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def save(name, nodes, inputs, outputs, weights=None, functions=(), domains=(), opset=17, tensors=()):
    """Inputs and outputs: name -> (element type, declared shape, value)."""
    infos = lambda table: [helper.make_tensor_value_info(n, ty, shape) for n, (ty, shape, _) in table.items()]
    constants = [numpy_helper.from_array(w, n) for n, w in (weights or {}).items()]
    graph = helper.make_graph(nodes, name, infos(inputs), infos(outputs), constants + list(tensors))
    opsets = [helper.make_opsetid("", opset)] + [helper.make_opsetid(d, 1) for d in domains]
    model = helper.make_model(graph, opset_imports=opsets, functions=list(functions), ir_version=8)
    model.producer_name = ""
    folder = HERE / name
    data = folder / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for kind, table in (("input", inputs), ("output", outputs)):
        for i, (n, (_, _, value)) in enumerate(table.items()):
            (data / f"{kind}_{i}.pb").write_bytes(numpy_helper.from_array(value, n).SerializeToString())


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def mlp():
    x, w1, b1, w2 = floats(3, 5), floats(6, 5), floats(6), floats(6, 4)
    nodes = [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["h"], "hidden", transB=1),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("MatMul", ["r", "w2"], ["s"]),
        helper.make_node("Softmax", ["s"], ["y"], axis=-1),
    ]
    y = softmax(np.maximum(x.astype(float) @ w1.T + b1, 0) @ w2).astype(np.float32)
    save("dynamic_batch", nodes, {"x": (FLOAT, ["batch", 5], x)}, {"y": (FLOAT, ["batch", 4], y)}, {"w1": w1, "b1": b1, "w2": w2})


def attention():
    """Heads are split by shapes that are computed in the graph."""
    heads, size = 2, 4
    x, w = floats(2, 3, 8), floats(8, 24)
    ints = lambda *v: np.array(v, np.int64)
    weights = {"w": w, "zero": ints(0), "one": ints(1), "rest": ints(heads, size), "flat": ints(8), "scale": np.float32(math.sqrt(size))}
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Gather", ["shape", "zero"], ["batch"], axis=0),
        helper.make_node("Gather", ["shape", "one"], ["length"], axis=0),
        helper.make_node("Concat", ["batch", "length", "rest"], ["split"], axis=0),
        helper.make_node("Concat", ["batch", "length", "flat"], ["merged"], axis=0),
        helper.make_node("MatMul", ["x", "w"], ["qkv"]),
        helper.make_node("Split", ["qkv"], ["q", "k", "v"], axis=2),
    ]
    for n, perm in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
        nodes.append(helper.make_node("Reshape", [n, "split"], [n + "s"]))
        nodes.append(helper.make_node("Transpose", [n + "s"], [n + "t"], perm=perm))
    nodes += [
        helper.make_node("MatMul", ["qt", "kt"], ["scores"]),
        helper.make_node("Div", ["scores", "scale"], ["scaled"]),
        helper.make_node("Softmax", ["scaled"], ["p"], axis=-1),
        helper.make_node("MatMul", ["p", "vt"], ["mixed"]),
        helper.make_node("Transpose", ["mixed"], ["back"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["back", "merged"], ["y"]),
    ]
    q, k, v = np.split(x.astype(float) @ w, 3, -1)
    split = lambda t: t.reshape(2, 3, heads, size).transpose(0, 2, 1, 3)
    p = softmax(split(q) @ split(k).transpose(0, 1, 3, 2) / math.sqrt(size))
    y = (p @ split(v)).transpose(0, 2, 1, 3).reshape(2, 3, 8).astype(np.float32)
    save("dynamic_attention", nodes, {"x": (FLOAT, ["batch", "length", 8], x)}, {"y": (FLOAT, ["batch", "length", 8], y)}, weights)


def convolution():
    x, w, bias = floats(1, 2, 5, 5), floats(3, 2, 3, 3), floats(3)
    scale, shift, mean, var = floats(3), floats(3), floats(3), np.abs(floats(3)) + 1
    nodes = [
        helper.make_node("Conv", ["x", "w", "bias"], ["c"], pads=[1, 1, 1, 1], strides=[2, 2]),
        helper.make_node("BatchNormalization", ["c", "scale", "shift", "mean", "var"], ["n"]),
        helper.make_node("MaxPool", ["n"], ["m"], kernel_shape=[2, 2]),
        helper.make_node("GlobalAveragePool", ["m"], ["a"]),
        helper.make_node("Flatten", ["a"], ["y"]),
    ]
    padded = np.pad(x.astype(float), ((0, 0), (0, 0), (1, 1), (1, 1)))
    c = np.zeros((1, 3, 3, 3))
    for f in range(3):
        for i in range(3):
            for j in range(3):
                c[0, f, i, j] = (padded[0, :, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3] * w[f]).sum() + bias[f]
    of_channels = lambda t: t.reshape(1, 3, 1, 1)
    n = (c - of_channels(mean)) / np.sqrt(of_channels(var) + 1e-5) * of_channels(scale) + of_channels(shift)
    m = np.array([[[[n[0, f, i : i + 2, j : j + 2].max() for j in range(2)] for i in range(2)] for f in range(3)]])
    y = m.mean((2, 3)).astype(np.float32)
    weights = dict(w=w, bias=bias, scale=scale, shift=shift, mean=mean, var=var)
    save("convolution", nodes, {"x": (FLOAT, [1, 2, 5, 5], x)}, {"y": (FLOAT, [1, 3], y)}, weights)


def lstm():
    x, w, r, bias = floats(4, 2, 3), floats(1, 20, 3), floats(1, 20, 5), floats(1, 40)
    nodes = [helper.make_node("LSTM", ["x", "w", "r", "bias"], ["y", "h", "c"], hidden_size=5)]
    h = c = np.zeros((2, 5))
    states = []
    for step in x.astype(float):
        i, o, f, z = np.split(step @ w[0].T + h @ r[0].T + bias[0, :20] + bias[0, 20:], 4, -1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(z)
        h = sigmoid(o) * np.tanh(c)
        states.append(h)
    single = lambda t: t.astype(np.float32)
    outputs = {
        "y": (FLOAT, ["length", 1, 2, 5], single(np.array(states)[:, None])),
        "h": (FLOAT, [1, 2, 5], single(h[None])),
        "c": (FLOAT, [1, 2, 5], single(c[None])),
    }
    save("lstm", nodes, {"x": (FLOAT, ["length", 2, 3], x)}, outputs, dict(w=w, r=r, bias=bias))


def loop():
    """x doubles as long as its sum is below 100, ten times at most."""
    x = np.array([1.0, 2.5], np.float32)
    value = lambda n, ty, shape: helper.make_tensor_value_info(n, ty, shape)
    body = helper.make_graph(
        [
            helper.make_node("Add", ["v", "v"], ["w"]),
            helper.make_node("ReduceSum", ["w"], ["s"], keepdims=0),
            helper.make_node("Less", ["s", "limit"], ["more"]),
            helper.make_node("Identity", ["s"], ["sum"]),
        ],
        "body",
        [value("i", INT64, []), value("go", TensorProto.BOOL, []), value("v", FLOAT, [2])],
        [value("more", TensorProto.BOOL, []), value("w", FLOAT, [2]), value("sum", FLOAT, [])],
    )
    nodes = [helper.make_node("Loop", ["count", "", "x"], ["y", "sums"], "doubling", body=body)]
    y, sums = x.copy(), []
    while True:
        y = y + y
        sums.append(y.sum())
        if y.sum() >= 100:
            break
    weights = {"count": np.array(10, np.int64), "limit": np.array(100, np.float32)}
    outputs = {"y": (FLOAT, [2], y), "sums": (FLOAT, ["n"], np.array(sums, np.float32))}
    save("loop", nodes, {"x": (FLOAT, [2], x)}, outputs, weights)


def function():
    """A local function with an attribute, and two contrib forms."""
    x, w = floats(2, 3), floats(4, 3)
    leak = helper.make_node("LeakyRelu", ["a"], ["b"])
    leak.attribute.append(AttributeProto(name="alpha", ref_attr_name="slope", type=AttributeProto.FLOAT))
    leaky = helper.make_function("own", "Leaky", ["a"], ["b"], [leak], [helper.make_opsetid("", 17)], ["slope"])
    nodes = [
        helper.make_node("Leaky", ["x"], ["l"], domain="own", slope=0.25),
        helper.make_node("FusedMatMul", ["l", "w"], ["m"], domain="com.microsoft", transB=1, alpha=2.0),
        helper.make_node("Gelu", ["m"], ["y"], domain="com.microsoft"),
    ]
    m = 2 * np.where(x < 0, 0.25 * x, x).astype(float) @ w.T
    y = (m / 2 * (1 + np.vectorize(math.erf)(m / math.sqrt(2)))).astype(np.float32)
    save("function", nodes, {"x": (FLOAT, [2, 3], x)}, {"y": (FLOAT, [2, 4], y)}, {"w": w}, [leaky], ["own", "com.microsoft"])


def quantized():
    x, w = floats(2, 4), floats(4, 3)
    scale, zero, of_w = np.float32(0.05), np.uint8(128), np.float32(0.02)
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["q"]),
        helper.make_node("MatMulInteger", ["q", "w", "zero"], ["s"]),
        helper.make_node("Cast", ["s"], ["f"], to=FLOAT),
        helper.make_node("Mul", ["f", "factor"], ["y"]),
    ]
    wq = np.clip(np.rint(w / of_w), -128, 127).astype(np.int8)
    q = np.clip(np.rint(x / scale) + 128, 0, 255).astype(np.int64)
    y = ((q - 128) @ wq.astype(np.int64) * float(scale * of_w)).astype(np.float32)
    weights = {"scale": scale, "zero": zero, "w": wq, "factor": np.float32(scale * of_w)}
    save("quantized", nodes, {"x": (FLOAT, [2, 4], x)}, {"y": (FLOAT, [2, 3], y)}, weights)


def small_types():
    """4 bits, an odd number of them among the weights, and floats of 8."""
    x, scales, w = floats(2, 3, 5), np.float32([0.1, 0.3, 0.5]), rng.integers(-8, 8, (3, 5))
    zeros = np.int64([-3, 0, 7])
    packed = lambda name, values: helper.make_tensor(name, TensorProto.INT4, values.shape, values.flatten().tolist())
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "scales", "zeros"], ["q"], axis=1),
        helper.make_node("DequantizeLinear", ["q", "scales", "zeros"], ["d"], axis=1),
        helper.make_node("DequantizeLinear", ["w", "scale"], ["dw"]),
        helper.make_node("Add", ["d", "dw"], ["y"]),
        helper.make_node("Mul", ["x", "large"], ["wide"]),
        helper.make_node("Cast", ["wide"], ["f8"], to=TensorProto.FLOAT8E4M3FN),
        helper.make_node("Cast", ["f8"], ["z"], to=FLOAT),
    ]
    s, zero = scales.astype(float)[:, None], zeros[:, None]
    y = (np.clip(np.rint(x / scales[:, None]) + zero, -8, 7) - zero) * s + w * 0.25
    # 4 bits of exponent with bias 7, 3 of fraction; in order, so that the number of one that is even has an even last bit.
    numbers = np.array([(f / 8 if e == 0 else 1 + f / 8) * 2.0 ** (max(e, 1) - 7) for e in range(16) for f in range(8)][:-1])
    wide = (x * np.float32(500)).astype(float)
    distance = np.abs(np.abs(wide)[..., None] - numbers)
    nearest = np.argmin(distance + np.arange(127) % 2 * 1e-12, -1)
    z = np.copysign(numbers[nearest], wide)
    weights = {"scales": scales, "scale": np.float32(0.25), "large": np.float32(500)}
    outputs = {"y": (FLOAT, [2, 3, 5], y.astype(np.float32)), "z": (FLOAT, [2, 3, 5], z.astype(np.float32))}
    save("small_types", nodes, {"x": (FLOAT, [2, 3, 5], x)}, outputs, weights, opset=21, tensors=[packed("zeros", zeros), packed("w", w)])


def corners():
    """A region of interest without a use, ranges and norms of zero, NaN in order, and padding that takes away more than there is."""
    nan, inf = math.nan, math.inf
    single = lambda *v: np.array(v, np.float32)
    image, zeros, mixed = floats(1, 1, 4, 4), np.zeros((2, 3), np.float32), single(2, nan, 3, -inf, nan, inf, 2)
    vectors, short, long, pads = np.stack([zeros[0], single(3, 0, 4)]), single(1, 2, 3), single(1, 2, 3, 4, 5), np.int64([-6, 2])
    weights = dict(roi=single(0, 0, 0, 0, 1, 1, 0.5, 0.5), scales=single(1, 1, 2, 2), all=np.int64([7]), some=np.int64([3]))
    weights |= dict(before=np.int64([2, -4]), further=np.int64([2, -6]), behind=np.int64([-3, 3]))
    nodes = [
        helper.make_node("Resize", ["image", "roi", "scales"], ["resized"]),
        helper.make_node("DynamicQuantizeLinear", ["zeros"], ["q", "scale", "zero"]),
        helper.make_node("TopK", ["mixed", "all"], ["falling", "falling_at"]),
        helper.make_node("TopK", ["mixed", "all"], ["rising", "rising_at"], largest=0),
        helper.make_node("TopK", ["mixed", "some"], ["largest", "largest_at"]),
        helper.make_node("LpNormalization", ["vectors"], ["by_sum"], p=1),
        helper.make_node("LpNormalization", ["vectors"], ["by_root"], p=2),
        helper.make_node("Pad", ["short", "before"], ["padded"]),
        helper.make_node("Pad", ["long", "further"], ["padded_long"]),
        helper.make_node("Pad", ["long", "pads"], ["padded_late"]),
        helper.make_node("Pad", ["long", "behind"], ["wrapped"], mode="wrap"),
    ]
    # NumPy sorts NaN behind all numbers too. Of equal elements, the first comes first both ways.
    up = np.argsort(mixed, kind="stable")
    down = len(mixed) - 1 - np.argsort(mixed[::-1], kind="stable")[::-1]
    inputs = {
        "image": (FLOAT, [1, 1, 4, 4], image),
        "zeros": (FLOAT, ["rows", 3], zeros),
        "mixed": (FLOAT, [7], mixed),
        "vectors": (FLOAT, [2, 3], vectors),
        "short": (FLOAT, [3], short),
        "long": (FLOAT, ["length"], long),
        "pads": (INT64, [2], pads),
    }
    outputs = {
        "resized": (FLOAT, [1, 1, 8, 8], image.repeat(2, 2).repeat(2, 3)),
        "q": (UINT8, ["rows", 3], np.zeros((2, 3), np.uint8)),
        # The standard divides by zero; this is what ONNX Runtime answers.
        "scale": (FLOAT, [], np.float32(1)),
        "zero": (UINT8, [], np.uint8(0)),
        "falling": (FLOAT, [7], mixed[down]),
        "falling_at": (INT64, [7], down),
        "rising": (FLOAT, [7], mixed[up]),
        "rising_at": (INT64, [7], up),
        "largest": (FLOAT, [3], mixed[down[:3]]),
        "largest_at": (INT64, [3], down[:3]),
        "by_sum": (FLOAT, [2, 3], np.stack([zeros[0], single(3, 0, 4) / 7])),
        "by_root": (FLOAT, [2, 3], np.stack([zeros[0], single(3, 0, 4) / 5])),
        "padded": (FLOAT, [1], single(0)),
        "padded_long": (FLOAT, ["a"], single(0)),
        "padded_late": (FLOAT, ["b"], single(0)),
        "wrapped": (FLOAT, ["c"], single(4, 5, 4, 5, 4)),
    }
    save("corners", nodes, inputs, outputs, weights, opset=19)


def late_broadcast():
    """Extents that are 1, and others that are equal, as only the inputs tell."""
    value = lambda *shape: (FLOAT, [f"n{next(names)}" for _ in shape], floats(*shape))
    names = iter(range(100))
    inputs = {"row": value(1, 3), "column": value(4, 1), "whole": value(4, 3), "known": (FLOAT, [4, 3], floats(4, 3))}
    inputs |= {"one": value(1, 2, 3), "many": value(4, 3, 2), "single": value(1), "to": (INT64, [2], np.int64([1, 3]))}
    row, column, whole, known, one, many, single, _ = (v for _, _, v in inputs.values())
    weights = floats(3, 2)
    nodes = [
        helper.make_node("Add", ["row", "column"], ["sum"]),
        helper.make_node("Mul", ["sum", "whole"], ["product"]),
        helper.make_node("Sub", ["column", "known"], ["difference"]),
        helper.make_node("Less", ["row", "whole"], ["less"]),
        helper.make_node("Where", ["less", "column", "row"], ["chosen"]),
        helper.make_node("Max", ["row", "column", "known"], ["largest"]),
        helper.make_node("MatMul", ["one", "many"], ["matrices"]),
        helper.make_node("Gemm", ["known", "weights", "single"], ["affine"]),
        helper.make_node("Expand", ["column", "shape"], ["expanded"]),
        helper.make_node("Expand", ["column", "to"], ["expanded_late"]),
    ]
    results = {
        "product": (row + column) * whole,
        "difference": column - known,
        "chosen": np.where(row < whole, column, row),
        "largest": np.maximum(np.maximum(row, column), known),
        "matrices": one @ many,
        "affine": known @ weights + single,
        "expanded": np.broadcast_to(column, (4, 3)),
        "expanded_late": np.broadcast_to(column, (4, 3)),
    }
    outputs = {name: (FLOAT, [f"m{next(names)}" for _ in y.shape], np.ascontiguousarray(y)) for name, y in results.items()}
    save("late_broadcast", nodes, inputs, outputs, {"shape": np.int64([4, 3]), "weights": weights})


def late_extents():
    """Nothing read backwards, sums along a dimension, and a product with what is transposed, where only the inputs tell extents."""
    none, x, k = floats(0), floats(4, 3), floats(2, 3)
    ints = lambda *v: np.array(v, np.int64)
    weights = {"zero": ints(0), "far": ints(-10), "back": ints(-1), "by_two": ints(-2), "axis": np.array(1, np.int64), "k": k}
    nodes = [
        helper.make_node("Slice", ["none", "zero", "far", "zero", "back"], ["nothing"]),
        helper.make_node("Slice", ["empty", "zero", "far", "zero", "by_two"], ["nothing_late"]),
        helper.make_node("Slice", ["x", "back", "far", "zero", "by_two"], ["every_other"]),
        helper.make_node("CumSum", ["x", "axis"], ["sums"]),
        helper.make_node("CumSum", ["x", "axis"], ["sums_from_behind"], exclusive=1, reverse=1),
        helper.make_node("Gemm", ["k", "x"], ["product"], transB=1),
    ]
    inputs = {"none": (FLOAT, [0], none), "empty": (FLOAT, ["n"], none), "x": (FLOAT, ["p", "q"], x)}
    outputs = {
        "nothing": (FLOAT, [0], none),
        "nothing_late": (FLOAT, ["m"], none),
        "every_other": (FLOAT, ["r", "q"], np.ascontiguousarray(x[::-2])),
        "sums": (FLOAT, ["p", "q"], np.cumsum(x.astype(float), 1).astype(np.float32)),
        "sums_from_behind": (FLOAT, ["p", "q"], np.stack([x[:, 1] + x[:, 2], x[:, 2], 0 * x[:, 2]], 1)),
        "product": (FLOAT, [2, "p"], (k.astype(float) @ x.T).astype(np.float32)),
    }
    save("late_extents", nodes, inputs, outputs, weights)


for build in (mlp, attention, convolution, lstm, loop, function, quantized, small_types, corners, late_broadcast, late_extents):
    build()
