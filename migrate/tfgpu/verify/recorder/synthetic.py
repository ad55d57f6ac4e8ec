"""Data for a program whose files are not there: zeros of the shape and type that it declares.

A placeholder gets zeros where what is fed comes from a missing file, or where nothing is fed; a
dataset that reads missing files is replaced by one that gives zeros of its element's shapes. What
Python code reads from a missing file is a stand-in (see `stubs.py`), whose shape nobody knows. The
variables of a missing checkpoint are initialised as the program would.
"""

from __future__ import annotations

import builtins
import importlib
import io
import json
import os
import pickle
import re
import sys
from collections.abc import Callable
from typing import Any

from .alias import is_own
from .stubs import Stub, note_values
from .zeros import sizes, zeros

_UNFED = re.compile(r"feed a value for placeholder tensor '([^']+)'")
_READERS = ("TFRecordDatasetV2", "TextLineDatasetV2", "FixedLengthRecordDatasetV2")
_NUMPY_READS = ("load", "loadtxt", "genfromtxt", "fromfile")
_NUMPY_MAKES = ("array", "asarray", "asanyarray")
# Elements of a list that are looked at.
_FIRST = 100
# Placeholders that are fed in one run at most.
_MOST = 100


class Synthetic:
    """Makes data where a program has none, and tells for what.

    Stand-ins that are fed get it in any case, files that are missing where that was asked for.
    """

    def __init__(self, observer: Any) -> None:
        self._observer = observer
        self._files = bool(observer.job["synthetic"])
        self._told: set[str] = set()
        if not observer.job["stubs"]:  # else they are noted already
            note_values(observer)
        if self._files:
            self._watch_files()

    def _tell(self, what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            self._observer.stream.write("synthetic", what=what)

    # --- files that Python reads ---

    def _watch_files(self) -> None:
        opened = builtins.open

        def open(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
            own = is_own(sys._getframe(1).f_code.co_filename, self._observer.root)
            if own and set(mode) <= set("rbtU") and self._is_missing(file):
                return self._stand_in(file)
            return opened(file, mode, *args, **options)

        builtins.open = io.open = open
        for module, name in ((pickle, "load"), (json, "load")):
            setattr(module, name, _passing(getattr(module, name)))

    def numpy(self) -> None:
        """Watch what numpy reads; TensorFlow has imported it."""
        numpy: Any = importlib.import_module("numpy")
        for name in _NUMPY_MAKES:
            setattr(numpy, name, _making(getattr(numpy, name)))
        if self._files:
            for name in _NUMPY_READS:
                setattr(numpy, name, self._reading(getattr(numpy, name)))

    def _reading(self, read: Callable[..., Any]) -> Callable[..., Any]:
        def reads(file: Any, *args: Any, **options: Any) -> Any:
            if isinstance(file, Stub) or self._is_missing(file):
                return self._stand_in(file)
            return read(file, *args, **options)

        return reads

    def _is_missing(self, file: Any) -> bool:
        return isinstance(file, (str, bytes, os.PathLike)) and not os.path.exists(file)

    def _stand_in(self, file: Any) -> Stub:
        name = "a stand-in" if isinstance(file, Stub) else os.fsdecode(file)
        self._tell(f"file {name}")
        return Stub(f"contents of {name}")

    # --- TensorFlow ---

    def watch(self) -> None:
        """Watch what TensorFlow's sessions are fed, and what its datasets read."""
        self.numpy()
        self._watch_feeds()
        if self._files:
            self._watch_datasets()
            self._watch_checkpoints()

    def _watch_feeds(self) -> None:
        session: Any = importlib.import_module("tensorflow.python.client.session").BaseSession
        errors: Any = importlib.import_module("tensorflow.python.framework.errors")
        run = session.run

        def run_(
            this: Any,
            fetches: Any,
            feed_dict: Any = None,
            options: Any = None,
            run_metadata: Any = None,
        ) -> Any:
            fed = {key: self._fed(this, key, value) for key, value in (feed_dict or {}).items()}
            for _ in range(_MOST if self._files else 0):
                try:
                    return run(this, fetches, fed or None, options, run_metadata)
                except errors.InvalidArgumentError as error:
                    unfed = _UNFED.search(str(error))
                    if unfed is None:
                        raise
                    tensor = this.graph.get_tensor_by_name(f"{unfed[1]}:0")
                    fed[tensor] = self._zeros(tensor.dtype, tensor.shape, tensor.name)
            return run(this, fetches, fed, options, run_metadata)

        session.run = run_

    def _fed(self, session: Any, key: Any, value: Any) -> Any:
        if not _holds_stub(value):
            return value
        tensor = session.graph.as_graph_element(key, allow_operation=False)
        return self._zeros(tensor.dtype, tensor.shape, tensor.name)

    def _zeros(self, kind: Any, shape: Any, name: str) -> Any:
        self._tell(f"{name}: {kind.base_dtype.name}{sizes(shape)}")
        return zeros(kind, shape)

    def _watch_checkpoints(self) -> None:
        saver: Any = importlib.import_module("tensorflow.python.training.saver").Saver
        v1: Any = importlib.import_module("tensorflow.compat.v1")
        restore = saver.restore

        def restores(this: Any, sess: Any, save_path: Any) -> None:
            if not isinstance(save_path, Stub) and save_path and self._has_checkpoint(save_path):
                restore(this, sess, save_path)
                return
            self._tell(f"checkpoint {save_path}")
            with sess.graph.as_default():  # a finalized one takes no new operation
                sess.run([one.initializer for one in v1.global_variables()])

        saver.restore = restores

    def _has_checkpoint(self, path: Any) -> bool:
        names = [os.fspath(path) + end for end in ("", ".index", ".meta")]
        return any(map(os.path.exists, names)) or "://" in names[0]

    def _watch_datasets(self) -> None:
        readers: Any = importlib.import_module("tensorflow.python.data.ops.readers")
        ops: Any = importlib.import_module("tensorflow.python.data.ops.dataset_ops")
        for name in _READERS:
            self._watch_reader(getattr(readers, name))
        for name in ("make_one_shot_iterator", "make_initializable_iterator"):
            for kind in (ops.DatasetV1, ops.DatasetV2):
                if name in vars(kind):
                    setattr(kind, name, self._iterating(getattr(kind, name), ops))
        ops.DatasetV2.__iter__ = self._iterating(ops.DatasetV2.__iter__, ops)

    def _watch_reader(self, kind: Any) -> None:
        made = kind.__init__

        def __init__(this: Any, filenames: Any, *args: Any, **options: Any) -> None:
            made(this, filenames, *args, **options)
            names = [filenames] if isinstance(filenames, (str, bytes)) else filenames
            if isinstance(names, (list, tuple)) and any(map(self._is_missing, names)):
                this._tfgpu_missing = True

        kind.__init__ = __init__

    def _iterating(self, make: Callable[..., Any], ops: Any) -> Callable[..., Any]:
        def makes(dataset: Any, *args: Any, **options: Any) -> Any:
            if _reads_missing(dataset):
                dataset = self._dataset(dataset, ops)
            return make(dataset, *args, **options)

        return makes

    def _dataset(self, dataset: Any, ops: Any) -> Any:
        """Return a dataset of the same elements, which are zeros and have no end."""
        nest: Any = importlib.import_module("tensorflow.python.data.util.nest")
        v1: Any = importlib.import_module("tensorflow.compat.v1")
        kinds, shapes = (
            getattr(v1.data, f"get_output_{what}")(dataset) for what in ("types", "shapes")
        )
        flat = [nest.flatten(one) for one in (kinds, shapes)]

        def value(kind: Any, shape: Any) -> Any:
            return v1.constant(self._zeros(kind, shape, "dataset"), kind)

        values = list(map(value, *flat))
        base = ops.DatasetV1 if isinstance(dataset, ops.DatasetV1) else ops.DatasetV2
        return base.from_tensors(nest.pack_sequence_as(kinds, values)).repeat()


def _passing(load: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function that reads a file give a stand-in for what is in one."""

    def loads(file: Any, *args: Any, **options: Any) -> Any:
        return file if isinstance(file, Stub) else load(file, *args, **options)

    return loads


def _making(make: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function that makes an array give a stand-in for what holds one."""

    def makes(*args: Any, **options: Any) -> Any:
        if args and _holds_stub(args[0]):
            return Stub("an array")
        return make(*args, **options)

    return makes


def _holds_stub(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_stub, value[:_FIRST]))
    return isinstance(value, Stub) or _is_array_of_stubs(value)


def _is_array_of_stubs(value: Any) -> bool:
    first = next(iter(getattr(value, "flat", ())), None)
    return isinstance(first, Stub)


def _reads_missing(dataset: Any) -> bool:
    waiting = [dataset]
    while waiting:
        one = waiting.pop()
        if getattr(one, "_tfgpu_missing", False):
            return True
        waiting += one._inputs()
        inner = getattr(one, "_dataset", None)
        waiting += [inner] if inner is not None else []
    return False
