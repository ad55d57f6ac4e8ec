"""Programs run before and after on a small model of TensorFlow: every session must be the same.

The model knows what was measured on real versions: GPU devices and thread pools are made by the
first session of a process; placement, logging and device counts belong to each session; a session
without a config takes what tf.config has set. Programs are made at random, and each is run with
every answer to its conditions.
"""

from __future__ import annotations

import itertools
import random
import sys
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from tests.tools import book
from tfgpu.engine import analyse
from tfgpu.options import Options

FLAGS = ("f0", "f1")
LIMIT = 60  # events of one run


class StopRunError(Exception):
    """TensorFlow would stop the program here, or it runs for too long."""


class Message:
    """A protobuf message: fields with defaults, parts that exist by themselves, copies."""

    parts: dict[str, type[Message]] = {}
    fields: dict[str, Any] = {}

    def __init__(self, **values: Any) -> None:
        self.__dict__["held"] = {name: part() for name, part in self.parts.items()}
        for name, value in values.items():
            if name in self.parts:
                if value is not None:
                    self.held[name].CopyFrom(value)
            elif name == "device_count":
                self.device_count.update(value)
            elif name not in self.fields:
                raise ValueError(name)
            elif value is not None:
                self.held[name] = value

    def __getattr__(self, name: str) -> Any:
        if name == "device_count":
            return self.held.setdefault(name, {})
        if name in self.fields:
            return self.held.get(name, self.fields[name])
        return self.held[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.fields:
            raise AttributeError(name)
        self.held[name] = value

    def MergeFrom(self, other: Message) -> None:
        for name, value in other.held.items():
            if isinstance(value, Message):
                self.held[name].MergeFrom(value)
            elif isinstance(value, dict):
                self.device_count.update(value)
            elif value:
                self.held[name] = value

    def CopyFrom(self, other: Message) -> None:
        held = other.held
        self.__init__()  # type: ignore[misc]
        copy = Message.__new__(Message)
        copy.__dict__["held"] = held
        self.MergeFrom(copy)


class GPUOptions(Message):
    fields = {"allow_growth": False, "visible_device_list": ""}


class ConfigProto(Message):
    parts = {"gpu_options": GPUOptions}
    fields = {
        "allow_soft_placement": False,
        "log_device_placement": False,
        "intra_op_parallelism_threads": 0,
    }


class Process:
    """One run of a program: the state of TensorFlow, and what can be seen of it."""

    def __init__(self) -> None:
        self.events: list[object] = []
        self.soft = self.log = self.growth = False
        self.threads = 0
        self.visible: tuple[int, ...] = (0, 1)
        self.grows: bool | None = None
        self.pool: int | None = None
        self.mapping: dict[int, int] = {}

    def note(self, item: object) -> None:
        if len(self.events) > LIMIT:
            raise StopRunError
        self.events.append(item)

    def read(self, value: object) -> object:
        self.note(("read", value))
        return value

    def session(self, target: str = "", graph: object = None, config: Any = None) -> object:
        """Make a session, and note its placement, logging, devices and the pools it runs on."""
        soft, log, growth, threads = self.soft, self.log, self.growth, self.threads
        visible = self.visible
        if config is not None:
            soft, log = bool(config.allow_soft_placement), bool(config.log_device_placement)
            growth = bool(config.gpu_options.allow_growth)
            threads = int(config.intra_op_parallelism_threads)
            ids = config.gpu_options.visible_device_list
            visible = tuple(int(part) for part in ids.split(",")) if ids else (0, 1)
            visible = visible[: config.device_count.get("GPU", 2)]
        return self.make(soft, log, growth, threads, visible)

    def interactive(self, target: str = "", graph: object = None, config: Any = None) -> object:
        if config is None:
            config = ConfigProto(gpu_options=GPUOptions(allow_growth=True))
        return self.session(target, graph, config)

    def make(
        self, soft: bool, log: bool, growth: bool, threads: int, visible: tuple[int, ...]
    ) -> object:
        if self.pool is None:
            self.pool = threads
        if visible and self.grows is None:
            self.grows = growth
        self.note((soft, log, visible, bool(visible) and self.grows, self.pool))
        for number, card in enumerate(visible):
            if self.mapping.setdefault(number, card) != card:
                raise StopRunError
        return object()

    def module(self) -> dict[str, ModuleType]:
        """Return `tensorflow` and what belongs to it, for `sys.modules`."""
        names = ("tensorflow", "tensorflow.compat", "tensorflow.compat.v1")
        modules = {name: ModuleType(name) for name in names}
        config: Any = ModuleType("config")
        config.list_physical_devices = lambda kind: [0, 1]
        config.set_soft_device_placement = lambda value: setattr(self, "soft", bool(value))
        config.set_visible_devices = self.set_visible
        config.experimental = ModuleType("experimental")
        config.experimental.set_memory_growth = lambda gpu, value: setattr(
            self, "growth", bool(value)
        )
        config.threading = ModuleType("threading")
        config.threading.set_intra_op_parallelism_threads = lambda value: setattr(
            self, "threads", int(value)
        )
        debugging: Any = ModuleType("debugging")
        debugging.set_log_device_placement = lambda value: setattr(self, "log", bool(value))
        for item in modules.values():
            module: Any = item
            module.ConfigProto, module.GPUOptions = ConfigProto, GPUOptions
            module.Session, module.InteractiveSession = self.session, self.interactive
            module.disable_v2_behavior = lambda: None
            module.config, module.debugging = config, debugging
            module.compat = modules["tensorflow.compat"]
        modules["tensorflow.compat"].v1 = modules["tensorflow.compat.v1"]  # type: ignore[attr-defined]
        return modules

    def set_visible(self, gpus: object, kind: str) -> None:
        self.visible = tuple(gpus) if isinstance(gpus, list) else (gpus,)  # type: ignore[assignment]


def run(text: str, answers: tuple[bool, ...]) -> list[object]:
    """Run a program and return all that can be seen of it."""
    process = Process()
    scope = {
        "__name__": "__main__",
        "read": process.read,
        **dict(zip(FLAGS, answers, strict=True)),
    }
    with mock.patch.dict(sys.modules, process.module()):
        try:
            exec(compile(text, "program", "exec"), scope)
        except StopRunError:
            process.events.append("stopped")
    return process.events


# Programs.


_STATEMENTS = (
    "build", "options", "plain", "if", "for", "call", "none", "alias", "return", "leave", "read",
)  # fmt: skip
_FEATURES = (*_STATEMENTS, "choice", "interactive", "loud", "visible", "count", "before")


class Writer:
    """Writes one random program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.depth = 0
        self.size = 0
        self.functions: list[tuple[str, bool]] = []
        self.loop = False
        self.inside = ""
        self.features = self.random.sample(_FEATURES, self.random.randint(1, 5))

    def pick(self, *items: str) -> str:
        return self.random.choice(items)

    def odds(self, of: int) -> bool:
        return self.random.randrange(of) == 0

    def add(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def value(self) -> str:
        values = ["True", "True", "False", "f0", "not f1"]
        if "loud" in self.features:
            values.append(f"read({self.random.randint(0, 1)})")
        if self.inside == "get":
            values.append("a")
        if self.loop:
            values.append("v")
        return self.pick(*values)

    def number(self) -> str:
        return self.pick("0", "1", "2", "len([f0])")

    def keyword(self) -> str:
        kind = self.random.randint(0, 5)
        if kind < 2 or (kind == 5 and "count" not in self.features):
            return f"allow_soft_placement={self.value()}"
        if kind == 2:
            return f"log_device_placement={self.value()}"
        if kind == 3:
            return f"intra_op_parallelism_threads={self.number()}"
        if kind == 4:
            return f"gpu_options=tf.GPUOptions(allow_growth={self.value()})"
        return f'device_count={{"GPU": {self.number()}}}'

    def build(self) -> str:
        keywords = {item.partition("=")[0]: item for item in (self.keyword(), self.keyword())}
        chosen = list(keywords.values())[: self.random.randint(0, 2)]
        return f"tf.ConfigProto({', '.join(chosen)})"

    def source(self) -> str:
        """Return an expression for a config."""
        kinds = [self.build()]
        kinds += [f"{name}({self.value()})" for name, gives in self.functions if gives]
        found = self.pick(*kinds)
        if "choice" in self.features and self.odds(2):
            found = f"{found} if {self.pick('f0', 'f1')} else {self.pick('None', self.build())}"
        return found

    def setting(self, name: str) -> None:
        kind = self.random.randint(0, 6)
        if kind < 2 or (kind == 5 and "count" not in self.features):
            self.add(f"{name}.allow_soft_placement = {self.value()}")
        elif kind == 2:
            self.add(f"{name}.log_device_placement = {self.value()}")
        elif kind == 3 or (kind == 6 and "visible" not in self.features):
            self.add(f"{name}.gpu_options.allow_growth = {self.value()}")
        elif kind == 4:
            self.add(f"{name}.intra_op_parallelism_threads = {self.number()}")
        elif kind == 5:
            self.add(f'{name}.device_count["GPU"] = {self.number()}')
        else:
            ids = self.pick("0", "0,1", "1", "")
            self.add(f"{name}.gpu_options.visible_device_list = '{ids}'")

    def session(self) -> None:
        rare = "interactive" in self.features and self.odds(2)
        name = "InteractiveSession" if rare else "Session"
        config = self.pick("c", "c", "c", self.source())
        if "choice" in self.features and self.odds(3):
            config = "c if f0 else None"
        kind = self.random.randint(0, 4)
        if kind == 0:
            self.add(f"with open_session(tf.{name}(config={config})):")
            self.nested()
        elif kind == 1 and "before" in self.features:
            self.add(f"read(1), tf.{name}(config={config})")
        else:
            self.add(f"s = tf.{name}(config={config})")

    def nested(self) -> None:
        self.depth += 1
        self.block(self.random.randint(1, 3))
        self.depth -= 1

    def block(self, count: int) -> None:
        for _ in range(count):
            self.statement()

    def statement(self) -> None:
        self.size += 1
        kinds = ["setting", "setting", "session"]
        kinds += [name for name in self.features if name in _STATEMENTS]
        kind = self.pick(*kinds) if self.size < 12 else "setting"
        deep = self.depth > 2
        if kind == "build":
            self.add(f"c = {self.source()}")
        elif kind == "options":
            self.add(f"o = tf.GPUOptions(allow_growth={self.value()})")
            self.add(self.pick("c = tf.ConfigProto(gpu_options=o)", "c.gpu_options.CopyFrom(o)"))
            if self.odds(4):
                self.add(f"o.allow_growth = {self.value()}")
        elif kind == "session":
            self.session()
        elif kind == "plain":
            self.add("s = tf.Session()")
        elif kind == "if" and not deep:
            self.add(f"if {self.pick('f0', 'f1', 'not f0')}:")
            self.nested()
            if self.odds(2):
                self.add("else:")
                self.nested()
        elif kind == "for" and not deep:
            before, self.loop = self.loop, True
            self.add("for v in (True, False):")
            self.nested()
            self.loop = before
        elif kind == "call" and self.functions:
            name, gives = self.random.choice(self.functions)
            self.add(f"{'c = ' if gives else ''}{name}({self.value()})")
        elif kind == "none":
            self.add("c = None")
        elif kind == "alias":
            self.add("d = c")
            self.setting("d")
        elif kind == "return" and self.inside:
            self.add(f"if {self.pick('f0', 'f1')}:")
            self.add("    return c" if self.inside == "get" else "    return")
        elif kind == "leave" and self.loop:
            self.add(f"if {self.pick('f0', 'v')}:")
            self.add("    " + self.pick("continue", "break"))
        elif kind == "read":
            self.add(f"read({self.random.randint(2, 3)})")
        else:
            self.setting("c")

    def function(self, gives: bool) -> None:
        name = f"{'get' if gives else 'run'}{len(self.functions)}"
        self.add(f"def {name}(a):")
        self.depth, self.inside, loop = 1, "get" if gives else "run", self.loop
        self.loop = False
        self.add(f"c = {self.source()}")
        self.block(self.random.randint(0, 3))
        if gives:
            self.add("return c")
        elif self.odds(2):
            self.session()
        self.depth, self.inside, self.loop = 0, "", loop
        self.functions.append((name, gives))


def program(seed: int) -> str:
    """Return the random program of a seed."""
    writer = Writer(seed)
    writer.add("import tensorflow as tf")
    writer.add("from contextlib import nullcontext as open_session")
    for _ in range(writer.random.randint(1, 2) if "call" in writer.features else 0):
        writer.function(writer.odds(2))
    if not writer.odds(5):
        writer.add(f"c = {writer.source()}")
    writer.block(writer.random.randint(1, 5))
    if writer.functions and writer.odds(2):
        name, gives = writer.random.choice(writer.functions)
        call = f"{name}({writer.value()})"
        writer.add(f"s = tf.Session(config={call})" if gives else call)
    writer.session()
    return "\n".join(writer.lines) + "\n"


def runs(text: str) -> list[list[object]] | None:
    """Return what every run of a program shows, None where one of them fails."""
    found = []
    for answers in itertools.product((False, True), repeat=len(FLAGS)):
        try:
            found.append(run(text, answers))
        except (NameError, AttributeError, TypeError):
            return None
    return found


def compared(text: str) -> bool:
    """Compare the runs of a program before and after; False where there is nothing to compare."""
    after = analyse(text, book(), Options()).new_text()
    before = runs(text) if after is not None else None
    if after is None or before is None:
        return False
    assert runs(after) == before, text
    return True


@pytest.mark.parametrize("part", range(8))
def test_sessions_are_the_same(part: int) -> None:
    seeds = range(part * 250, (part + 1) * 250)
    assert sum(compared(program(seed)) for seed in seeds) > 20


def test_the_model_tells_sessions_apart() -> None:
    text = "import tensorflow as tf\nread(1)\ns = tf.Session({})\nt = tf.Session()\n"
    plain = run(text.format(""), (True, True))
    assert plain == [("read", 1), *[(False, False, (0, 1), False, 0)] * 2]
    config = "config=tf.ConfigProto(allow_soft_placement=f0, device_count={'GPU': 1})"
    assert run(text.format(config), (True, True))[1] == (True, False, (0,), False, 0)
    assert run(text.format(config), (False, True))[1] == (False, False, (0,), False, 0)
    growth = "config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))"
    assert run(text.format(growth), (True, True))[2] == (False, False, (0, 1), True, 0)
