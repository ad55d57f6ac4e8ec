"""Whose methods are called: those of models of Keras, or of estimators, share names with others."""

from __future__ import annotations

import ast

from tfgpu.code.held import is_held
from tfgpu.code.origins import UNKNOWN, Origins
from tfgpu.code.when import When
from tfgpu.flow.callees import Callees

# What has methods named as those of models, and works without TensorFlow.
_NO_SESSION = ("keras.preprocessing.", "keras.datasets.")
# What has methods named as those of models, and gets its session.
_OTHERS = ("tf.train.", "tf.summary.", "tf.saved_model.", "tf.Session", "tf.InteractiveSession")


def made_by(
    method: ast.Attribute, beginnings: tuple[str, ...], origins: Origins, callees: Callees
) -> When:
    """Tell whether the object of a method is made by one of some modules."""
    if callees.classes.member(method):
        return When.NEVER  # A function of the files, whose calls are seen.
    answers = set()
    for origin in origins.of(method.value):
        if isinstance(origin, ast.ClassDef) or origin == UNKNOWN or is_held(origin):
            answers.add(When.MAYBE)
        elif origin.startswith((*_NO_SESSION, *_OTHERS)):
            answers.add(When.NEVER)
        elif origin.startswith(beginnings):
            answers.add(When.ALWAYS)
        else:
            is_other = not origin.startswith(("tf.", "keras"))
            answers.add(When.NEVER if is_other else When.MAYBE)
    return answers.pop() if len(answers) == 1 else When.MAYBE
