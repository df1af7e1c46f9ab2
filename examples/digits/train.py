#!/usr/bin/env python3
"""Train the digit classifier and write it as MLIR, with its held-out images and reference answers.

The network has 64-128-64-10 units with ReLU between the layers and a softmax at the end. It is trained on the first
1,437 images of the UCI digits that ship with scikit-learn; the last 360 are held out. Pixels are scaled to [0, 1].

Written next to this script:

    mlp.mlir     @classify, linalg on tensors, the trained weights as f32 constants
    images.npy   the held-out images, 360x64 float32
    labels.npy   their labels, 360 int64
    probs.npy    reference probabilities, 360x10 float64: the forward pass in double precision with the f32 weights

The seed is fixed. Another version of scikit-learn or NumPy may still train slightly different weights, so the four
files are committed together and belong together.
"""

import argparse
import pathlib

import numpy as np
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

TRAINING_IMAGES = 1437
HIDDEN_LAYERS = (128, 64)
EPOCHS = 60
NOISE = 0.3
SEED = 0


def shifted(images, columns):
    """The images moved right by one column (`columns` = 1) or left (-1), the edge filled with zeros."""
    padded = np.pad(images.reshape(-1, 8, 8), ((0, 0), (0, 0), (1, 1)))
    return padded[:, :, 1 - columns : 9 - columns].reshape(-1, 64)


def train(images, labels):
    """Fit the network; return one (weight, bias) pair of float32 arrays per layer, weights as inputs x outputs.

    The held-out images are not in the hands that wrote most of the training images. Moving those sideways and adding
    fresh Gaussian noise in every epoch is worth about three points of held-out accuracy.
    """
    rng = np.random.default_rng(SEED)
    images = np.concatenate([images] + [shifted(images, columns) for columns in (-1, 1)]).astype(np.float64)
    labels = np.tile(labels, 3)
    model = MLPClassifier(HIDDEN_LAYERS, activation="relu", alpha=1e-3, batch_size=64, random_state=SEED)
    for _ in range(EPOCHS):
        model.partial_fit(images + rng.normal(0.0, NOISE, images.shape), labels, classes=range(10))
    return [(w.astype(np.float32), b.astype(np.float32)) for w, b in zip(model.coefs_, model.intercepts_)]


def forward(layers, images):
    """The reference: class probabilities in double precision."""
    x = images.astype(np.float64)
    for weight, bias in layers[:-1]:
        x = np.maximum(x @ weight.astype(np.float64) + bias.astype(np.float64), 0.0)
    weight, bias = layers[-1]
    logits = x @ weight.astype(np.float64) + bias.astype(np.float64)
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def tensor(array):
    """The type of an f32 array."""
    return f"tensor<{'x'.join(map(str, array.shape))}xf32>"


def dense(array):
    """An f32 array as an elements attribute: its little-endian bytes in hexadecimal."""
    return f'dense<"0x{array.astype("<f4").tobytes().hex().upper()}"> : {tensor(array)}'


HEADER = """\
// Handwritten digits, 64-128-64-10: {hidden} and a softmax.
// Written by train.py; the weights come first, the program follows them.

#elementwise = affine_map<(image, unit) -> (image, unit)>
#per_unit = affine_map<(image, unit) -> (unit)>
#per_image = affine_map<(image, unit) -> (image)>
"""

ENTRY = """
// Class probabilities of a batch of 8x8 images with pixels in [0, 1], one image a row.
func.func @classify(%images: tensor<?x{inputs}xf32>) -> tensor<?x{classes}xf32> {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %batch = tensor.dim %images, %c0 : tensor<?x{inputs}xf32>
"""

LINEAR = """
  // Layer {n}: {inputs} to {units}.
  %w{n} = arith.constant #w{n}
  %b{n} = arith.constant #b{n}
  %empty{n} = tensor.empty(%batch) : {out}
  %init{n} = linalg.fill ins(%zero : f32) outs(%empty{n} : {out}) -> {out}
  %product{n} = linalg.matmul
      ins(%{input}, %w{n} : tensor<?x{inputs}xf32>, tensor<{inputs}x{units}xf32>)
      outs(%init{n} : {out}) -> {out}
  %sum{n} = linalg.generic {{
      indexing_maps = [#elementwise, #per_unit, #elementwise],
      iterator_types = ["parallel", "parallel"]}}
      ins(%product{n}, %b{n} : {out}, tensor<{units}xf32>) outs(%empty{n} : {out}) {{
  ^bb0(%x: f32, %bias: f32, %out: f32):
    %r = arith.addf %x, %bias : f32
    linalg.yield %r : f32
  }} -> {out}
"""

RELU = """\
  %act{n} = linalg.generic {{
      indexing_maps = [#elementwise, #elementwise],
      iterator_types = ["parallel", "parallel"]}}
      ins(%sum{n} : {out}) outs(%empty{n} : {out}) {{
  ^bb0(%x: f32, %out: f32):
    %r = arith.maximumf %x, %zero : f32
    linalg.yield %r : f32
  }} -> {out}
"""

SOFTMAX = """
  // Softmax over the units of each image, shifted by the largest so that no exponential overflows.
  %row = tensor.empty(%batch) : tensor<?xf32>
  %max_init = linalg.fill ins(%lowest : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {{
      indexing_maps = [#elementwise, #per_image],
      iterator_types = ["parallel", "reduction"]}}
      ins(%sum{n} : {out}) outs(%max_init : tensor<?xf32>) {{
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  }} -> tensor<?xf32>
  %shifted = linalg.generic {{
      indexing_maps = [#elementwise, #per_image, #elementwise],
      iterator_types = ["parallel", "parallel"]}}
      ins(%sum{n}, %max : {out}, tensor<?xf32>) outs(%empty{n} : {out}) {{
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.subf %x, %m : f32
    linalg.yield %r : f32
  }} -> {out}
  %exp = linalg.generic {{
      indexing_maps = [#elementwise, #elementwise],
      iterator_types = ["parallel", "parallel"]}}
      ins(%shifted : {out}) outs(%empty{n} : {out}) {{
  ^bb0(%x: f32, %out: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  }} -> {out}
  %total_init = linalg.fill ins(%zero : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %total = linalg.generic {{
      indexing_maps = [#elementwise, #per_image],
      iterator_types = ["parallel", "reduction"]}}
      ins(%exp : {out}) outs(%total_init : tensor<?xf32>) {{
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  }} -> tensor<?xf32>
  %probs = linalg.generic {{
      indexing_maps = [#elementwise, #per_image, #elementwise],
      iterator_types = ["parallel", "parallel"]}}
      ins(%exp, %total : {out}, tensor<?xf32>) outs(%empty{n} : {out}) {{
  ^bb0(%x: f32, %t: f32, %out: f32):
    %r = arith.divf %x, %t : f32
    linalg.yield %r : f32
  }} -> {out}
  return %probs : {out}
}}
"""


def module(layers):
    """The whole program as text."""
    text = [HEADER.format(hidden="two ReLU layers, a linear one")]
    for n, (weight, bias) in enumerate(layers, 1):
        text.append(f"#w{n} = {dense(weight)}\n#b{n} = {dense(bias)}\n")
    text.append(ENTRY.format(inputs=layers[0][0].shape[0], classes=layers[-1][0].shape[1]))
    value = "images"
    for n, (weight, _) in enumerate(layers, 1):
        inputs, units = weight.shape
        names = dict(n=n, input=value, inputs=inputs, units=units, out=f"tensor<?x{units}xf32>")
        text.append(LINEAR.format(**names))
        text.append((RELU if n < len(layers) else SOFTMAX).format(**names))
        value = f"act{n}"
    return "".join(text)


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, default=here, help="folder to write to (default: this one)")
    out = parser.parse_args().out

    digits = load_digits()
    images = (digits.data / 16.0).astype(np.float32)
    labels = digits.target.astype(np.int64)
    layers = train(images[:TRAINING_IMAGES], labels[:TRAINING_IMAGES])
    images, labels = images[TRAINING_IMAGES:], labels[TRAINING_IMAGES:]
    probs = forward(layers, images)

    out.mkdir(parents=True, exist_ok=True)
    (out / "mlp.mlir").write_text(module(layers))
    np.save(out / "images.npy", images)
    np.save(out / "labels.npy", labels)
    np.save(out / "probs.npy", probs)
    right = int((probs.argmax(axis=1) == labels).sum())
    print(f"held-out accuracy: {right}/{len(labels)} = {right / len(labels):.2%}")


if __name__ == "__main__":
    main()
