"""ONNX models as functions in jax, for the operations of the models that models.py is run on. Meaning and defaults of the operations are those of the
ONNX specification, opset 17."""

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from jax import lax
from onnx import numpy_helper


def load(path):
    """A function of `weights` and the inputs of the model that gives a list of its results, and the weights."""
    graph = onnx.load(str(path)).graph
    constants = {value.name: numpy_helper.to_array(value) for value in graph.initializer}
    # Those that say what an operation does, like shapes, must be known when jax compiles it.
    weights = {name: value for name, value in constants.items() if value.dtype.kind != "i" or value.size > 64}
    known = {name: value for name, value in constants.items() if name not in weights}
    for node in graph.node:
        if node.op_type not in OPERATIONS:
            raise NotImplementedError(f"unsupported: {node.op_type}")

    def function(given, *inputs):
        values = {"": None, **known, **dict(zip(weights, given))}
        values.update(zip([value.name for value in graph.input if value.name not in constants], inputs))
        for node in graph.node:
            attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
            attributes["results"] = len(node.output)
            results = OPERATIONS[node.op_type](attributes, *(values[name] for name in node.input))
            results = results if isinstance(results, (list, tuple)) else [results]
            values.update(zip(node.output, results))
        return [values[result.name] for result in graph.output]

    return function, list(weights.values())


def broadcast_along(value, axis, rank):
    """A scale or zero point: one for each index along `axis`."""
    if value is None or value.ndim == 0:
        return value
    return value.reshape([-1 if at == axis % rank else 1 for at in range(rank)])


def conv(attributes, x, w, bias=None):
    spatial = x.ndim - 2
    pads = attributes.get("pads", [0] * (2 * spatial))
    y = lax.conv_general_dilated(
        x,
        w,
        attributes.get("strides", [1] * spatial),
        list(zip(pads[:spatial], pads[spatial:])),
        rhs_dilation=attributes.get("dilations", [1] * spatial),
        feature_group_count=attributes.get("group", 1),
    )
    return y if bias is None else y + broadcast_along(bias, 1, y.ndim)


def gemm(attributes, a, b, c=None):
    a = a.T if attributes.get("transA") else a
    b = b.T if attributes.get("transB") else b
    y = attributes.get("alpha", 1.0) * (a @ b)
    return y if c is None else y + attributes.get("beta", 1.0) * c


def layer_norm(attributes, x, scale, bias=None):
    axes = tuple(range(attributes.get("axis", -1) % x.ndim, x.ndim))
    centered = x - x.mean(axes, keepdims=True)
    y = centered * lax.rsqrt((centered * centered).mean(axes, keepdims=True) + attributes.get("epsilon", 1e-5)) * scale
    return y if bias is None else y + bias


def lstm(attributes, x, w, r, bias=None, lengths=None, h=None, c=None, peepholes=None):
    if lengths is not None or peepholes is not None or attributes.get("direction", b"forward") != b"forward":
        raise NotImplementedError("unsupported: an LSTM but one plain one, forward")
    size = attributes["hidden_size"]
    state = jnp.zeros((x.shape[1], size), x.dtype)
    h, c = (state if start is None else start[0] for start in (h, c))
    gates = x @ w[0].T + (0 if bias is None else bias[0, : 4 * size] + bias[0, 4 * size :])

    def step(carry, gates):
        h, c = carry
        i, o, f, g = jnp.split(gates + h @ r[0].T, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    (h, c), all_h = lax.scan(step, (h, c), gates)
    return all_h[:, None], h[None], c[None]


def max_pool(attributes, x):
    spatial = x.ndim - 2
    pads = attributes.get("pads", [0] * (2 * spatial))
    window = (1, 1, *attributes["kernel_shape"])
    strides = (1, 1, *attributes.get("strides", [1] * spatial))
    padding = [(0, 0), (0, 0), *zip(pads[:spatial], pads[spatial:])]
    return lax.reduce_window(x, -jnp.inf, lax.max, window, strides, padding)


def quantize(attributes, x, scale, zero=None):
    axis = attributes.get("axis", 1)
    zero = jnp.uint8(0) if zero is None else zero
    limits = jnp.iinfo(zero.dtype)
    y = jnp.round(x / broadcast_along(scale, axis, x.ndim)) + broadcast_along(zero, axis, x.ndim).astype(x.dtype)
    return jnp.clip(y, limits.min, limits.max).astype(zero.dtype)


def dequantize(attributes, x, scale, zero=None):
    axis = attributes.get("axis", 1)
    y = x.astype(jnp.int32)
    y = y if zero is None else y - broadcast_along(zero, axis, x.ndim).astype(jnp.int32)
    return y.astype(scale.dtype) * broadcast_along(scale, axis, x.ndim)


def reshape(attributes, x, shape):
    shape = [x.shape[at] if size == 0 else int(size) for at, size in enumerate(np.asarray(shape))]
    return x.reshape(shape)


def split(attributes, x, sizes=None):
    axis = attributes.get("axis", 0)
    if sizes is None:
        return jnp.split(x, attributes["results"], axis)
    return jnp.split(x, np.cumsum(np.asarray(sizes))[:-1], axis)


def flatten(attributes, x):
    axis = attributes.get("axis", 1)
    return x.reshape(int(np.prod(x.shape[:axis])), -1)


OPERATIONS = {
    "Add": lambda _, a, b: a + b,
    "Cast": lambda attributes, x: x.astype(onnx.helper.tensor_dtype_to_np_dtype(attributes["to"])),
    "Clip": lambda _, x, low=None, high=None: jnp.clip(x, low, high),
    "Concat": lambda attributes, *x: jnp.concatenate(x, attributes["axis"]),
    "Conv": conv,
    "DequantizeLinear": dequantize,
    "Div": lambda _, a, b: a / b,
    "Erf": lambda _, x: lax.erf(x),
    "Flatten": flatten,
    "Gemm": gemm,
    "GlobalAveragePool": lambda _, x: x.mean(tuple(range(2, x.ndim)), keepdims=True),
    "LSTM": lstm,
    "LayerNormalization": layer_norm,
    "MatMul": lambda _, a, b: jnp.matmul(a, b),
    "Max": lambda _, *x: jnp.stack(jnp.broadcast_arrays(*x)).max(0) if len(x) > 2 else jnp.maximum(*x),
    "MaxPool": max_pool,
    "Mul": lambda _, a, b: a * b,
    "Pow": lambda _, a, b: a**b,
    "QuantizeLinear": quantize,
    "Relu": lambda _, x: jnp.maximum(x, 0),
    "Reshape": reshape,
    "Sigmoid": lambda _, x: jax.nn.sigmoid(x),
    "Softmax": lambda attributes, x: jax.nn.softmax(x, attributes.get("axis", -1)),
    "Split": split,
    "Sub": lambda _, a, b: a - b,
    "Tanh": lambda _, x: jnp.tanh(x),
    "Transpose": lambda attributes, x: jnp.transpose(x, attributes.get("perm")),
    "Where": lambda _, condition, a, b: jnp.where(condition, a, b),
}
