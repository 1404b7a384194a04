#!/usr/bin/env python3
"""make_keras: writes predict.mlir, trainable.safetensors and others.safetensors of tests/data/docs: a model of Keras on
JAX, exported as docs/interop.md shows it. Prints what tests/docs/pages_test.cc expects of it.

usage: tests/golden/make_keras.py FOLDER
"""
import os
import sys

os.environ["KERAS_BACKEND"] = "jax"
import jax
import keras
import numpy as np
import safetensors.numpy

os.chdir(sys.argv[1])
keras.utils.set_random_seed(0)
layers = keras.layers
model = keras.Sequential([keras.Input((2,)), layers.Dense(4, activation="tanh"), layers.BatchNormalization(),
                          layers.Dropout(0.5), layers.Dense(1)])
x = np.arange(6, dtype=np.float32).reshape(3, 2)

trainable = {v.path: v.value for v in model.trainable_variables}
others = {v.path: v.value for v in model.non_trainable_variables}

def predict(trainable, others, x):
    return model.stateless_call([trainable[v.path] for v in model.trainable_variables],
                                [others[v.path] for v in model.non_trainable_variables], x)[0]

with open("predict.mlir", "w") as file:
    file.write(jax.jit(predict, keep_unused=True).lower(trainable, others, x).as_text())
for name, weights in ("trainable", trainable), ("others", others):
    safetensors.numpy.save_file({path: np.asarray(value) for path, value in weights.items()}, name + ".safetensors")

print("predict", predict(trainable, others, x).ravel())
y = np.zeros((3, 1), np.float32)
for _ in range(2):
    value, gradient = jax.value_and_grad(lambda w: jax.numpy.mean((predict(w, others, x) - y) ** 2))(trainable)
    print("loss", value)
    trainable = jax.tree.map(lambda w, g: w - 0.01 * g, trainable, gradient)
