"""Says which lines of code make the eager context in graph mode, each in a fork of this process.

Usage: python makes_context.py < LINES. Writes True or False for each line, or the error of one.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

os.environ.update(TF_USE_LEGACY_KERAS="1", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")

import numpy as np
import tensorflow
import tensorflow.compat.v1 as tf
from tensorflow.python.eager import context

tf.disable_v2_behavior()
keras = tensorflow.keras


def dense() -> Any:
    return tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])


def fit(*callbacks: object) -> None:
    model = dense()
    model.compile("sgd", "mse")
    model.fit(np.zeros([4, 2]), np.zeros([4, 1]), verbose=0, callbacks=list(callbacks))


def run(line: str) -> str:
    """Return whether a line has made the context, or its error."""
    names = {**globals(), "d": tempfile.mkdtemp()}
    try:
        exec(line, names)
    except Exception as error:
        # The allocator of a CPU counts on some machines only; to be asked it is made on all.
        if "stats" not in str(error):
            return f"{type(error).__name__}: {error}"
    made = context._context
    return str(made is not None and made._context_handle is not None)


def main() -> None:
    for line in sys.stdin.read().splitlines():
        reads, writes = os.pipe()
        if not os.fork():
            try:
                os.write(writes, run(line).encode())
            finally:
                os._exit(0)
        os.close(writes)
        with os.fdopen(reads) as pipe:
            print(pipe.read().replace("\n", " "), flush=True)
        os.wait()


if __name__ == "__main__":
    main()
