"""Which method calls are calls of a tf.data.Dataset: `.map`, `.filter` and the like are common."""

from __future__ import annotations

import ast
import re

from tfgpu.code.canonical import canonical
from tfgpu.code.origins import UNKNOWN, Origin, Origins
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.files.pattern import expression

# What makes datasets, as canonical names: the beginning of one, or the whole.
_MAKERS = ("tf.data.", "tf.contrib.data.", "tf.python.data.")
_FUNCTIONS = frozenset(
    [
        "keras.preprocessing.image_dataset_from_directory",
        "keras.preprocessing.text_dataset_from_directory",
        "keras.preprocessing.timeseries_dataset_from_array",
        "keras.utils.image_dataset_from_directory",
        "keras.utils.text_dataset_from_directory",
        "keras.utils.timeseries_dataset_from_array",
    ]
)
# Packages that hand out datasets of tf.data, beside TensorFlow's own names.
_PACKAGES = ("tensorflow_datasets", "tensorflow_io", "tfds")
# Methods that return a dataset again.
_AGAIN = frozenset(
    [
        "apply", "batch", "bucket_by_sequence_length", "cache", "choose_from_datasets",
        "concatenate", "enumerate", "filter", "flat_map", "group_by_window", "interleave", "map",
        "options", "padded_batch", "prefetch", "ragged_batch", "rebatch", "repeat",
        "sample_from_datasets", "shard", "shuffle", "skip", "snapshot", "sparse_batch", "take",
        "take_while", "unbatch", "unique", "window", "with_options", "zip",
    ]
)  # fmt: skip
# Packages with methods of these names whose objects, and all that comes of them, are others.
_OTHERS = frozenset(
    [
        "cudf", "dask", "databricks", "django", "h5py", "mars", "matplotlib", "modin", "numpy",
        "pandas", "PIL", "pl", "polars", "pyarrow", "pyspark", "scipy", "sklearn", "sqlalchemy",
        "torch", "torchtext", "torchvision", "vaex", "xarray",
    ]
)  # fmt: skip
# The same of executors and pools, whose results may be anything.
_BUILTIN = ("object", "dict", "list", "tuple", "str", "Exception")
_POOLS = frozenset(
    ["billiard", "concurrent", "gevent", "ipyparallel", "joblib", "loky", "multiprocess",
     "multiprocessing", "pathos", "ray"]
)  # fmt: skip
_TAKEN = expression(r"\[\]|\)\.(?!__enter__)|^builtins\.\w+\.")
_CALL = expression(r"\.(\w+)\(\)")


class Datasets:
    """The calls of methods of datasets in some files."""

    def __init__(self, tree: Tree, symbols: Symbols, origins: Origins) -> None:
        self._tree = tree
        self._symbols = symbols
        self._origins = origins

    def is_method(self, method: ast.Attribute, unknown: When) -> When:
        """Tell whether an attribute is a method of a dataset: `x.map` of any `x`.

        `unknown` is the answer for objects that are not known: where no file uses tf.data, none of
        them is a dataset.
        """
        if self._symbols.paths(method):
            return When.NEVER  # A function of a module, by its name.
        answers = {
            self._of(origin, method, unknown) for origin in self._origins.of(method.value)
        } or {When.MAYBE}
        if answers == {When.ALWAYS}:
            return When.ALWAYS
        return When.NEVER if answers == {When.NEVER} else When.MAYBE

    def _of(self, origin: Origin, method: ast.Attribute, unknown: When) -> When:
        if isinstance(origin, ast.ClassDef):
            return self._of_class(origin, method, unknown, frozenset())
        if origin == UNKNOWN:
            return unknown
        return self._of_path(origin, unknown)

    def _of_path(self, origin: str, unknown: When) -> When:
        package = re.split(r"[.(\[]", origin, maxsplit=1)[0]
        if origin.startswith(_MAKERS) or origin.partition("(")[0] in _FUNCTIONS:
            _, _, rest = origin.partition("()")
            methods = _CALL.findall(rest)
            if "".join(f".{name}()" for name in methods) == rest and _AGAIN.issuperset(methods):
                return When.ALWAYS
            return When.MAYBE
        if package in _OTHERS:
            return When.NEVER
        if package in _POOLS:
            return unknown if _TAKEN.search(origin) else When.NEVER
        if package == "builtins":
            # What is taken out of a list may be anything.
            return unknown if _TAKEN.search(origin) else When.NEVER
        if package in _PACKAGES:
            return When.MAYBE
        return unknown

    def _of_class(
        self,
        owner: ast.ClassDef,
        method: ast.Attribute,
        unknown: When,
        seen: frozenset[ast.ClassDef],
    ) -> When:
        """Tell whether objects of a class of the files have a method from tf.data."""
        if method.attr in self._tree.scope(owner.body[0]).bindings or owner in seen:
            return When.NEVER
        found = When.NEVER
        for base in owner.bases:
            answer = self._of_base(base, method, unknown, seen | {owner})
            if answer is not When.NEVER:
                found = answer
                break
        return found

    def _of_base(
        self,
        base: ast.expr,
        method: ast.Attribute,
        unknown: When,
        seen: frozenset[ast.ClassDef],
    ) -> When:
        variable = self._symbols.variable(base)
        bindings = variable[0].bindings[variable[1]] if variable is not None else []
        if len(bindings) == 1 and isinstance(bindings[0].node, ast.ClassDef):
            return self._of_class(bindings[0].node, method, unknown, seen)
        names = {canonical(path) for path in self._symbols.paths(base)}
        if names and all(name.startswith(_MAKERS) for name in names):
            return When.ALWAYS
        if names and all(name.partition(".")[0] in (*_OTHERS, *_POOLS, "abc") for name in names):
            return When.NEVER
        if isinstance(base, ast.Name) and variable is None and base.id in _BUILTIN:
            return When.NEVER
        return unknown
