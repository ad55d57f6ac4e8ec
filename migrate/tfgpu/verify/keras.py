"""Which Keras a program runs on: that of its TensorFlow, or Keras 2 where it needs sessions.

Keras 3 has no sessions. A program of TensorFlow 1 with Keras runs on tf_keras (Keras 2) where that
is installed, and so does a version of it in which no code with Keras is new: its migration, or
settings by hand. A rewrite of that code without sessions runs on the Keras that its user has: that
of the TensorFlow at hand, unless the environment says TF_USE_LEGACY_KERAS.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

from tfgpu.verify.observation import Observation
from tfgpu.verify.programs import Prepared
from tfgpu.verify.simgpu.target import find_target

# Keras 3 came with this version.
_KERAS_3 = (2, 16)


def needs_keras_2(program: Prepared, before: Prepared | None = None) -> bool:
    """Tell whether a program needs Keras 2; `before` is the one that it is compared with, if any.

    Only what stands for a program of TensorFlow 1 gets what its user does not have by default; so
    does one that takes sessions of Keras from `tensorflow.compat.v1`, which has them with Keras 2.
    """
    if before is None:
        return program.keras and (program.tensorflow1 or program.keras2)
    shared = program.keras and (program.graphs or not program.own_keras)
    return needs_keras_2(before) and (program.migrated or shared)


def has_keras_2(python: str) -> bool:
    """Tell whether an interpreter has Keras 2 beside a TensorFlow with Keras 3."""
    version = tuple(map(int, find_target(python).version.split(".")[:2]))
    return version >= _KERAS_3 and has_module(python, "tf_keras")


def has_module(python: str, module: str) -> bool:
    """Tell whether an interpreter has a module, without importing it."""
    code = f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"
    return subprocess.run([python, "-c", code], check=False).returncode == 0


def notes_on_keras(before: Observation, after: Observation) -> Iterator[str]:
    """Yield which Keras two legs had, where it is not that of their TensorFlow."""
    if before.legacy_keras and after.legacy_keras:
        yield (
            "both legs ran on tf_keras (Keras 2): Keras 3 has no sessions; where they run, "
            "TF_USE_LEGACY_KERAS=1 makes it TensorFlow's Keras, from which the program has to "
            "import what it imports from keras"
        )
    elif before.legacy_keras:
        yield (
            "before ran on tf_keras (Keras 2), since Keras 3 has no sessions; after has none, and "
            f"its Keras, if it uses one, was that of TensorFlow {after.tensorflow}"
        )
    elif after.legacy_keras:
        yield (
            f"before ran on the Keras that it finds beside TensorFlow {before.tensorflow}, after "
            "on tf_keras (Keras 2), as with TF_USE_LEGACY_KERAS=1"
        )
