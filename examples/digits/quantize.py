#!/usr/bin/env python3
"""Makes the classifier of mlp.mlir work on 8-bit integers and on bf16, for accelerators, with the results that NumPy gives.

Each tensor has one scale. Scales of activations are the largest value over the training images; weights and activations are symmetric. Sums are
exact in 32 bits; what follows is float32 arithmetic, rounded to nearest even, as ONNX's QuantizeLinear has it.
"""

import pathlib
import re

import numpy as np
from sklearn.datasets import load_digits

BATCH = 24
TRAINING_IMAGES = 1437

HEADER = """\
// Handwritten digits, 64-128-64-10, {what}, for a batch of {batch} images.
// Written by quantize.py; the weights come first, the program follows them.

#elementwise = affine_map<(image, unit) -> (image, unit)>
#per_unit = affine_map<(image, unit) -> (unit)>
#per_image = affine_map<(image, unit) -> (image)>
"""

INT8_ENTRY = """
// Logits of {batch} images of 8x8 pixels from 0 to 16, in units of {unit!r}.
func.func @classify(%images: tensor<{batch}x64xi8>) -> tensor<{batch}x10xi8> {{
  %zero = arith.constant 0 : i32
  %highest = arith.constant 127.0 : f32
"""

INT8_LAYER = """
  // Layer {n}: {inputs} to {units}.
  %w{n} = arith.constant #w{n}
  %b{n} = arith.constant #b{n}
  %scale{n} = arith.constant {scale} : f32
  %lowest{n} = arith.constant {lowest} : f32
  %empty{n} = tensor.empty() : tensor<{batch}x{units}xi32>
  %init{n} = linalg.fill ins(%zero : i32) outs(%empty{n} : tensor<{batch}x{units}xi32>) -> tensor<{batch}x{units}xi32>
  %product{n} = linalg.matmul
      ins(%{input}, %w{n} : tensor<{batch}x{inputs}xi8>, tensor<{inputs}x{units}xi8>)
      outs(%init{n} : tensor<{batch}x{units}xi32>) -> tensor<{batch}x{units}xi32>
  %narrow{n} = tensor.empty() : tensor<{batch}x{units}xi8>
  %act{n} = linalg.generic {{
      indexing_maps = [#elementwise, #per_unit, #elementwise],
      iterator_types = ["parallel", "parallel"]}}
      ins(%product{n}, %b{n} : tensor<{batch}x{units}xi32>, tensor<{units}xi32>) outs(%narrow{n} : tensor<{batch}x{units}xi8>) {{
  ^bb0(%x: i32, %bias: i32, %out: i8):
    %sum = arith.addi %x, %bias : i32
    %float = arith.sitofp %sum : i32 to f32
    %scaled = arith.mulf %float, %scale{n} : f32
    %rounded = math.roundeven %scaled : f32
    %above = arith.maximumf %rounded, %lowest{n} : f32
    %inside = arith.minimumf %above, %highest : f32
    %r = arith.fptosi %inside : f32 to i8
    linalg.yield %r : i8
  }} -> tensor<{batch}x{units}xi8>
"""

BF16_ENTRY = """
// Class probabilities of {batch} images of 8x8 pixels in [0, 1].
func.func @classify(%images: tensor<{batch}x64xf32>) -> tensor<{batch}x10xf32> {{
  %zero = arith.constant 0.0 : f32
  %narrow0 = tensor.empty() : tensor<{batch}x64xbf16>
  %act0 = linalg.generic {{
      indexing_maps = [#elementwise, #elementwise],
      iterator_types = ["parallel", "parallel"]}}
      ins(%images : tensor<{batch}x64xf32>) outs(%narrow0 : tensor<{batch}x64xbf16>) {{
  ^bb0(%x: f32, %out: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  }} -> tensor<{batch}x64xbf16>
"""

BF16_LAYER = """
  // Layer {n}: {inputs} to {units}.
  %w{n} = arith.constant #w{n}
  %b{n} = arith.constant #b{n}
  %empty{n} = tensor.empty() : tensor<{batch}x{units}xf32>
  %init{n} = linalg.fill ins(%zero : f32) outs(%empty{n} : tensor<{batch}x{units}xf32>) -> tensor<{batch}x{units}xf32>
  %product{n} = linalg.matmul
      ins(%{input}, %w{n} : tensor<{batch}x{inputs}xbf16>, tensor<{inputs}x{units}xbf16>)
      outs(%init{n} : tensor<{batch}x{units}xf32>) -> tensor<{batch}x{units}xf32>
  %narrow{n} = tensor.empty() : tensor<{batch}x{units}x{stored}>
  %act{n} = linalg.generic {{
      indexing_maps = [#elementwise, #per_unit, #elementwise],
      iterator_types = ["parallel", "parallel"]}}
      ins(%product{n}, %b{n} : tensor<{batch}x{units}xf32>, tensor<{units}xf32>) outs(%narrow{n} : tensor<{batch}x{units}x{stored}>) {{
  ^bb0(%x: f32, %bias: f32, %out: {stored}):
    %sum = arith.addf %x, %bias : f32
{body}  }} -> tensor<{batch}x{units}x{stored}>
"""

RELU_BF16 = """\
    %above = arith.maximumf %sum, %zero : f32
    %r = arith.truncf %above : f32 to bf16
    linalg.yield %r : bf16
"""

PLAIN_F32 = """\
    linalg.yield %sum : f32
"""


def layers(text):
    """Weights and biases of mlp.mlir."""
    found = {}
    for name, data, shape in re.findall(r'#([wb]\d) = dense<"0x([0-9A-F]+)"> : tensor<([0-9x]+)xf32>', text):
        extents = [int(extent) for extent in shape.split("x")]
        found[name] = np.frombuffer(bytes.fromhex(data), "<f4").reshape(extents)
    return [(found[f"w{n}"], found[f"b{n}"]) for n in range(1, len(found) // 2 + 1)]


def dense(array, element):
    """An elements attribute: its little-endian bytes in hexadecimal."""
    shape = "x".join(map(str, array.shape))
    return f'dense<"0x{array.tobytes().hex().upper()}"> : tensor<{shape}x{element}>'


def bf16(array):
    """Rounded to the nearest bf16, ties to even, as float32."""
    bits = array.astype("<f4").view(np.uint32)
    rounded = bits + 0x7FFF + ((bits >> 16) & 1)
    return (rounded & 0xFFFF0000).astype(np.uint32).view(np.float32)


def scales(model, images):
    """The scale of each layer's output: symmetric, for the largest value."""
    x, found = images, []
    for n, (weight, bias) in enumerate(model):
        x = x @ weight + bias
        if n + 1 < len(model):
            x = np.maximum(x, 0)
        found.append(np.float32(np.abs(x).max() / 127))
    return found


def int8_model(model, outputs):
    """The integer model as text, and as layers of weights, biases and factors."""
    text, program, steps = [], [], []
    step = np.float32(1 / 16)
    for n, ((weight, bias), out) in enumerate(zip(model, outputs), 1):
        unit = np.float32(np.abs(weight).max() / 127)
        w = np.rint(weight / unit).astype(np.int8)
        b = np.rint(bias / (step * unit)).astype("<i4")
        factor = np.float32(step * unit / out)
        relu = n < len(model)
        text.append(f"#w{n} = {dense(w, 'i8')}\n#b{n} = {dense(b, 'i32')}\n")
        bits = f"0x{factor.view(np.uint32):08X}"
        program.append(
            INT8_LAYER.format(
                n=n, batch=BATCH, inputs=w.shape[0], units=w.shape[1], input="images" if n == 1 else f"act{n - 1}",
                scale=bits, lowest="0.0" if relu else "-128.0",
            )
        )
        steps.append((w, b, factor, 0 if relu else -128))
        step = out
    text.append(INT8_ENTRY.format(batch=BATCH, unit=float(outputs[-1])))
    end = f"  return %act{len(model)} : tensor<{BATCH}x10xi8>\n}}\n"
    return HEADER.format(what="on 8-bit integers", batch=BATCH) + "".join(text + program) + end, steps


def bf16_model(model, softmax):
    """The bf16 model as text."""
    text, program = [], [BF16_ENTRY.format(batch=BATCH)]
    for n, (weight, bias) in enumerate(model, 1):
        last = n == len(model)
        upper = (bf16(weight).view(np.uint32) >> 16).astype("<u2")
        text.append(f"#w{n} = {dense(upper, 'bf16')}\n#b{n} = {dense(bias.astype('<f4'), 'f32')}\n")
        program.append(
            BF16_LAYER.format(
                n=n, batch=BATCH, inputs=weight.shape[0], units=weight.shape[1], input=f"act{n - 1}",
                stored="f32" if last else "bf16", body=PLAIN_F32 if last else RELU_BF16,
            )
        )
    softmax = softmax.replace("%sum3", "%act3").replace("tensor<?", f"tensor<{BATCH}").replace("(%batch)", "()")
    program.append("  %lowest = arith.constant 0xFF800000 : f32\n" + softmax)
    return HEADER.format(what="with products of bf16", batch=BATCH) + "".join(text + program)


def main():
    here = pathlib.Path(__file__).resolve().parent
    source = (here / "mlp.mlir").read_text()
    model = layers(source)
    digits = load_digits()
    training = (digits.data[:TRAINING_IMAGES] / 16).astype(np.float32)
    pixels = digits.data[TRAINING_IMAGES:][:BATCH].astype(np.int8)

    text, steps = int8_model(model, scales(model, training))
    (here / "mlp-int8.mlir").write_text(text)
    x = pixels
    for w, b, factor, lowest in steps:
        sums = (x.astype(np.int32) @ w.astype(np.int32) + b).astype(np.float32)
        x = np.clip(np.rint(sums * factor), lowest, 127).astype(np.int8)
    np.save(here / "pixels.npy", pixels)
    np.save(here / "logits-int8.npy", x)

    # The softmax is that of the float model.
    softmax = source[source.index("\n  // Softmax over the units") :]
    (here / "mlp-bf16.mlir").write_text(bf16_model(model, softmax))
    labels = digits.target[TRAINING_IMAGES:][:BATCH]
    print(f"int8: {(x.argmax(axis=1) == labels).sum()} of {BATCH} right")


if __name__ == "__main__":
    main()
