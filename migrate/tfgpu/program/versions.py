"""Which programs of a run are written for TensorFlow 2, read from the bytes of their files."""

from __future__ import annotations

import re
from functools import cached_property

from tfgpu.program.modules import Modules

# What runs eagerly, or configures TensorFlow 2, however TensorFlow is called.
_TENSORFLOW2 = re.compile(
    rb"\bGradientTape\(|@(?:tf\w*|tensorflow)\.function\b"
    rb"|\b(?:tf\w*|tensorflow)\.(?:function\(|config\.\w)"
)
# What only TensorFlow 1 has, or what turns eager execution on or off by itself.
_TENSORFLOW1 = re.compile(
    rb"\b(?:tf\w*|tensorflow)\.(?:app|contrib|placeholder)\b"
    rb"|\b(?:en|dis)able_(?:eager_execution|v2_behavior)\b"
)


class Versions:
    """Tells which files programs of TensorFlow 2 run, too.

    `disable_v2_behavior()` in one of those would turn eager execution off under the program.
    """

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def runs_eagerly(self, path: str) -> bool:
        """Tell whether a file is part of a program that is written for TensorFlow 2."""
        return path in self._eager

    @cached_property
    def _eager(self) -> frozenset[str]:
        modules = self._modules
        tops = [path for path in modules.paths if not modules.importers(path)]
        return frozenset().union(*(self._eager_program(top) for top in tops))

    def _eager_program(self, top: str) -> frozenset[str]:
        """Return the files of a program, none where it is a program of TensorFlow 1."""
        files = self._modules.closure(top)
        texts = [data for path in files if b"tensorflow" in (data := self._modules.code(path))]
        if not any(map(_TENSORFLOW2.search, texts)) or self._is_tensorflow1(top):
            return frozenset()
        return files

    def _is_tensorflow1(self, path: str) -> bool:
        return _TENSORFLOW1.search(self._modules.code(path)) is not None
