"""Lets a program of TensorFlow 1 run on TensorFlow 2: `tensorflow` stands for `compat.v1`.

Only the program sees it. What is installed beside TensorFlow (Keras, TensorFlow's own modules) was
written for the version that is there, and gets that.
"""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType
from typing import Any


class Gone(AttributeError):
    """TensorFlow 2 has no such name, not even in compat.v1."""


class TensorFlow1(ModuleType):
    """The module `tensorflow` as version 1 had it, for the program; as it is, for packages."""

    def __init__(self, package: ModuleType) -> None:
        super().__init__("tensorflow", package.__doc__)
        self._package = package
        self._v1: Any = importlib.import_module("tensorflow.compat.v1")
        # `import tensorflow.keras` finds the Keras of compat.v1 first.
        self.__path__ = [*self._v1.__path__, *package.__path__]
        self.__file__ = package.__file__
        self.__spec__ = package.__spec__
        self.__version__ = package.__version__

    def __getattr__(self, name: str) -> Any:
        if name == "compat" or is_installed(sys._getframe(1).f_code.co_filename):
            return getattr(self._package, name)
        try:
            return getattr(self._v1, name)
        except AttributeError:
            module = sys.modules.get("tensorflow." + name)
            if module is not None:
                return module
            raise Gone(
                f"tf.{name}: TensorFlow {self.__version__} has no such name, not even in "
                "tf.compat.v1"
            ) from None


def is_installed(path: str) -> bool:
    """Tell whether a file belongs to an installed package or to Python, not to a program."""
    return (
        "/site-packages/" in path
        or "/dist-packages/" in path
        or path.startswith((sys.base_prefix + "/lib/", "<frozen"))
    )


def is_own(path: str, root: str) -> bool:
    """Tell whether a file is the program's own; an environment may stand in its folder."""
    return path.startswith(root.rstrip(os.sep) + os.sep) and not is_installed(path)


def become_tensorflow1(package: ModuleType) -> ModuleType:
    """Return what the program gets for `tensorflow`; version 2's behaviour is off from now on."""
    alias = TensorFlow1(package)
    alias._v1.disable_v2_behavior()
    keep_eager_context_out()
    return alias


def keep_eager_context_out() -> None:
    """Do not let graph code initialise the eager context, which TensorFlow 1 did not have.

    A Saver that writes shards (every MonitoredSession makes one) asks whether a device is a custom
    one. Version 2 initialises the eager context to answer, and that makes the GPUs before the
    program's session does: the session's own settings of GPUs would come too late.
    """
    context: Any = importlib.import_module("tensorflow.python.eager.context")
    is_custom_device = context.is_custom_device

    def asked(name: str) -> bool:
        """Answer; without an eager context there are no custom devices."""
        return bool(context.context()._context_handle) and bool(is_custom_device(name))

    context.is_custom_device = asked
