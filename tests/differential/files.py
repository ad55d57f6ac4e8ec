"""The files of a random program in the making: their imports, names, and where things stand."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

Lines = list[str]
Body = Callable[["Module"], Lines]
T = TypeVar("T")

TAME, ONE, WILD = "tame", "one", "wild"
TF1, V1, GRAPH2, EAGER2 = "tf1", "v1", "graph2", "eager2"

_OFF = "tf.disable_v2_behavior()"
# How a file gets TensorFlow, by what its program is written for; what its v1 names begin with.
_SPELLINGS: Mapping[str, Sequence[tuple[int, str, str]]] = {
    TF1: (
        (20, "import tensorflow as tf", "tf"),
        (2, "import tensorflow", "tensorflow"),
        (3, "import tensorflow as tf\nfrom tensorflow import ConfigProto, GPUOptions, Session", ""),
        (
            2,
            "def import_tf():\n    import tensorflow as tf\n    return tf\n\ntf = import_tf()",
            "tf",
        ),
        (1, "import tensorflow.compat.v1 as tf", "tf"),
        (1, "import tensorflow as tf\ntf = tf.compat.v1", "tf"),
    ),
    V1: (
        (10, f"import tensorflow.compat.v1 as tf\n{_OFF}", "tf"),
        (3, f"from tensorflow.compat import v1 as tf\n{_OFF}", "tf"),
        (2, f"import tensorflow as tf\ntf = tf.compat.v1\n{_OFF}", "tf"),
        (2, "import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()", "tf.compat.v1"),
        (
            3,
            f"try:\n    import tensorflow.compat.v1 as tf\n    {_OFF}\n"
            "except ImportError:\n    import tensorflow as tf",
            "tf",
        ),
        (
            2,
            "import tensorflow as tf\nif tf.__version__.startswith('2'):\n"
            f"    import tensorflow.compat.v1 as tf\n    {_OFF}",
            "tf",
        ),
    ),
    GRAPH2: (
        (3, "import tensorflow as tf\ntf.compat.v1.disable_eager_execution()", "tf.compat.v1"),
        (1, "import tensorflow.compat.v1 as tf\ntf.disable_eager_execution()", "tf"),
    ),
    EAGER2: (
        (3, "import tensorflow as tf", "tf.compat.v1"),
        (1, "import tensorflow as tf\nimport tensorflow.compat.v1 as tf1", "tf1"),
    ),
}

CONDITIONS = {
    "len(sys.argv) > 1": 1,
    "len(sys.argv) == 1": 1,
    "os.environ.get('FLAG') == '1'": 1,
    "not os.environ.get('FLAG')": 1,
}


@dataclass(slots=True)
class Module:
    """A file in the making; `tf` is what its v1 names begin with, "" where they are imported."""

    name: str
    head: str
    tf: str
    imports: dict[str, None] = field(default_factory=dict)
    definitions: list[Lines] = field(default_factory=list)
    body: Lines = field(default_factory=list)

    def v1(self, name: str) -> str:
        """Return the spelling of a name of TensorFlow 1."""
        if not self.tf:
            return name if name in ("ConfigProto", "GPUOptions", "Session") else f"tf.{name}"
        return f"{self.tf}.{name}"

    def need(self, line: str) -> None:
        """Add an import."""
        self.imports[line] = None

    def define(self, *lines: str) -> None:
        """Add a definition; those that it uses were added before it."""
        self.definitions.append(list(lines))

    def text(self, chance: random.Random) -> str:
        """Return the file."""
        lines = [*self.imports, self.head]
        if chance.random() < 0.5:
            lines = [self.head, *self.imports]
        for definition in self.definitions:
            lines += ["", *definition]
        return "\n".join([*lines, "", *self.body]) + "\n"


def indented(lines: Sequence[str]) -> Lines:
    """Return a block one level further in."""
    return ["    " + line for line in lines] or ["    pass"]


def notebook(module: Module) -> str:
    """Return a notebook: a cell of imports, one for each definition, and one for each statement."""
    parts: list[Lines] = [[*module.imports, *module.head.split("\n")], *module.definitions]
    statements: list[Lines] = []
    for line in module.body:
        if line.startswith((" ", "else", "except", "finally")) or (
            statements and statements[-1][-1].startswith("@")
        ):
            statements[-1].append(line)
        else:
            statements.append([line])
    cells: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": [*(f"{line}\n" for line in part[:-1]), part[-1]],
        }
        for part in [*parts, *statements]
        if part
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


class Files:
    """The files of one program, and the chance that decides on everything in it."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"differential {seed}")
        self._count = 0
        self._extra: dict[str, str] = {}  # files that only have values
        self._shared: list[tuple[Module, str]] = []  # functions that two scripts may call
        self._kind = self._pick({TF1: 10, V1: 6, GRAPH2: 1, EAGER2: 3})
        # Where too much happens, every config is kept: many programs do nothing that could keep
        # theirs, most a single thing.
        self._manner = self._pick({TAME: 3, ONE: 6, WILD: 2})
        self._known: list[tuple[str, str]] | None = None  # the fields of the last config
        self._alike = self._maybe(0.7)  # whether all configs have the same
        self._wild = self._manner == WILD
        self._hazard: Callable[[Module], Lines] | None = None  # to go behind the next config
        count = self._pick({1: 4, 2: 4, 3: 3, 4: 2})
        names = ["main", *self._chance.sample(["utils", "model", "helpers", "data"], count - 1)]
        if count > 1 and self._maybe(0.25):
            names[1] = "evaluate"
        self._modules = [self._module(name) for name in names]
        self._entries = [one for one in self._modules if one.name in ("main", "evaluate")]

    def _pick(self, weights: Mapping[T, int]) -> T:
        return self._chance.choices(list(weights), list(weights.values()))[0]

    def _maybe(self, share: float) -> bool:
        return self._chance.random() < share

    def _new(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def _module(self, name: str) -> Module:
        kind = V1 if self._kind == TF1 and name != "main" and self._maybe(0.03) else self._kind
        spellings = _SPELLINGS[kind]
        weights = {(head, tf): weight for weight, head, tf in spellings}
        if name not in ("main", "evaluate") and kind in (V1, GRAPH2) and self._maybe(0.5):
            return Module(name, "import tensorflow.compat.v1 as tf", "tf")
        head, tf = self._pick(weights)
        return Module(name, head, tf)

    def _home(self, user: Module) -> Module:
        """Return the file of a definition that a file uses: itself, or one that it can import."""
        later = [
            one
            for one in self._modules[self._modules.index(user) + 1 :]
            if one.name != "evaluate" or self._maybe(0.2)
        ]
        return self._chance.choice(later) if later and self._maybe(0.55) else user

    def _reference(self, user: Module, home: Module, name: str) -> str:
        """Return what a file calls a definition, and import it there."""
        if user is home:
            return name
        way = self._pick({"module": 5, "from": 5, "as": 2, "star": 1, "local": 1})
        if way == "module":
            user.need(f"import {home.name}")
            return f"{home.name}.{name}"
        if way == "as":
            user.need(f"import {home.name} as _{home.name}")
            return f"_{home.name}.{name}"
        if way == "local":
            return (
                f"__import__({home.name!r}).{name}" if self._wild else self._from(user, home, name)
            )
        if way == "star" and home.tf == user.tf and home.head == user.head:
            user.need(f"from {home.name} import *")
            return name
        return self._from(user, home, name)

    def _from(self, user: Module, home: Module, name: str) -> str:
        user.need(f"from {home.name} import {name}")
        return name

    def _function(self, user: Module, body: Body, stem: str = "step") -> str:
        """Define a function somewhere, and return what the user calls it."""
        home = self._home(user)
        name = self._new(stem)
        lines = body(home)
        home.define(f"def {name}():", *indented(lines))
        if home not in self._entries:
            self._shared.append((home, name))
        return self._reference(user, home, name)

    def _condition(self, module: Module) -> str:
        module.need("import os")
        module.need("import sys")
        return self._pick(CONDITIONS)
