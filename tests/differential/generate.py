"""Random programs of one to four files that configure GPUs as TensorFlow 1 programs do.

`program(seed)` is the same program for the same seed. A program does a few things in a row (its
steps): sessions with configs, plain sessions, writes to the environment, forks, questions about
devices, input pipelines. A step stands where it is, or in a function or class of any of the files,
and is reached by one of many spellings.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tests.differential.runner import Entry, Program

Lines = list[str]
Body = Callable[["Module"], Lines]
T = TypeVar("T")

TF1, V1, GRAPH2, EAGER2 = "tf1", "v1", "graph2", "eager2"
_DEPTH = 2  # of steps reached through each other

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


class Maker:
    """Makes one program."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"differential {seed}")
        self._count = 0
        self._shared: list[tuple[Module, str]] = []  # functions that two scripts may call
        self._kind = self._pick({TF1: 10, V1: 6, GRAPH2: 1, EAGER2: 3})
        # Most programs are tame: what nobody does between a config and its session, they do not.
        self._wild = self._chance.random() < 0.5
        count = self._pick({1: 4, 2: 4, 3: 3, 4: 2})
        names = ["main", *self._chance.sample(["utils", "model", "helpers", "data"], count - 1)]
        if count > 1 and self._maybe(0.25):
            names[1] = "evaluate"
        self._modules = [self._module(name) for name in names]
        self._entries = [one for one in self._modules if one.name in ("main", "evaluate")]

    def make(self) -> Program:
        """Return the program."""
        for entry in self._entries:
            self._script(entry)
        files = {f"{one.name}.py": one.text(self._chance) for one in self._modules}
        entries = [Entry("main.py")]
        entries += [Entry(f"{one.name}.py") for one in self._entries[1:]]
        if self._maybe(0.4):
            entries.append(Entry("main.py", ["1"], {"FLAG": "1"}))
        tensorflow1 = self._kind == TF1
        entries = [
            Entry(one.script, one.argv, one.variables, tensorflow1=tensorflow1) for one in entries
        ]
        main = self._modules[0]
        if "if __name__" not in files["main.py"] and self._maybe(0.15):
            del files["main.py"]
            files["main.ipynb"] = _notebook(main)
            entries = [
                Entry(one.script.replace("main.py", "main.ipynb"), (), one.variables, tensorflow1)
                for one in entries
                if not one.argv
            ]
        return Program(files, entries)

    # --- chance ---

    def _pick(self, weights: Mapping[T, int]) -> T:
        return self._chance.choices(list(weights), list(weights.values()))[0]

    def _maybe(self, share: float) -> bool:
        return self._chance.random() < share

    def _new(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    # --- files ---

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

    # --- a script ---

    def _script(self, entry: Module) -> None:
        lines: Lines = []
        for _ in range(self._pick({1: 3, 2: 5, 3: 4, 4: 1} if self._wild else {1: 5, 2: 3, 3: 1})):
            lines += self._step(entry, _DEPTH if self._wild else 1)
        if self._maybe(0.2):
            lines += self._mode(entry)
        layout = self._pick({"flat": 5, "main": 4, "class": 1})
        if layout == "main":
            entry.define("def main():", *indented(lines))
            lines = ["if __name__ == '__main__':", "    main()"]
        elif layout == "class":
            name = self._new("App")
            entry.define(f"class {name}:", "    def run(self):", *indented(indented(lines)))
            lines = [f"{name}().run()"]
        entry.body += lines

    def _step(self, module: Module, depth: int) -> Lines:
        """Return something that a program does, there or elsewhere."""
        if depth > 0 and self._maybe(0.55):
            return self._reached(module, depth)
        return self._guarded(module, self._plain_step(module))

    def _plain_step(self, module: Module) -> Lines:
        kinds: dict[Callable[[Module], Lines], int] = {
            self._configured: 12,
            self._session: 4 if self._wild else 1,
            self._environment: 2 if self._wild else 1,
            self._fork: 1,
            self._question: 2,
            self._dataset: 1,
            self._mode: 2,
        }
        if self._kind == EAGER2:
            kinds[self._eager] = 3
        return self._pick(kinds)(module)

    def _guarded(self, module: Module, lines: Lines) -> Lines:
        """Put a step under a condition, into a loop or a try, or leave it as it is."""
        way = self._pick({"": 14, "if": 2, "else": 1, "for": 1, "try": 2, "finally": 1})
        if way == "if":
            return [f"if {self._condition(module)}:", *indented(lines)]
        if way == "else":
            return [
                f"if {self._condition(module)}:",
                '    print("skipped")',
                "else:",
                *indented(lines),
            ]
        if way == "for":
            return ["for _ in range(2):", *indented(lines)]
        if way == "try":
            return [
                "try:",
                *indented(lines),
                "except Exception as error:",
                "    print(type(error).__name__)",
            ]
        if way == "finally":
            return ["try:", *indented(lines), "finally:", '    print("done")']
        return lines

    def _condition(self, module: Module) -> str:
        module.need("import os")
        module.need("import sys")
        return self._pick(
            {
                "len(sys.argv) > 1": 2,
                "len(sys.argv) == 1": 2,
                "os.environ.get('FLAG') == '1'": 2,
                "not os.environ.get('FLAG')": 2,
            }
        )

    # --- how a step is reached ---

    def _reached(self, module: Module, depth: int) -> Lines:
        if self._shared and self._maybe(0.2):
            home, name = self._chance.choice(self._shared)
            if self._modules.index(home) > self._modules.index(module):
                return [f"{self._reference(module, home, name)}()"]

        def body(home: Module) -> Lines:
            return self._step(home, depth - 1)

        if self._maybe(0.5 if self._wild else 0.9):
            return self._guarded(module, [f"{self._function(module, body)}()"])
        if self._maybe(0.4):
            return self._by_class(module, body)
        if self._maybe(0.15):
            return self._by_import(module, body)
        return self._by_value(module, self._function(module, body))

    def _by_import(self, module: Module, body: Body) -> Lines:
        """Do a step while a file is imported."""
        later = [one for one in self._modules[1:] if one not in self._entries]
        later = [one for one in later if self._modules.index(one) > self._modules.index(module)]
        if not later:
            return body(module)
        home = self._chance.choice(later)
        home.define(*body(home))
        return [f"import {home.name}"]

    def _by_value(self, module: Module, name: str) -> Lines:
        """Call a function otherwise than by its name."""
        new = self._new
        way = self._chance.randrange(24)
        if way == 0:
            alias = new("alias")
            return [f"{alias} = {name}", f"{alias}()"]
        if way == 1:
            return [f"{{'go': {name}}}['go']()"]
        if way == 2:
            return [f"list(map(lambda _: {name}(), [0]))"]
        if way == 3:
            return [f"[go() for go in ({name},)]"]
        if way == 4:
            module.need("import functools")
            return [f"functools.partial({name})()"]
        if way == 5:
            module.need("import threading")
            thread = new("thread")
            return [
                f"{thread} = threading.Thread(target={name})",
                f"{thread}.start()",
                f"{thread}.join()",
            ]
        if way == 6:
            call = new("call")
            module.define(f"def {call}(callback, *rest):", "    return callback(*rest)")
            return [f"{call}({name})"]
        if way == 7:
            hooks = new("HOOKS")
            module.define(f"{hooks} = []")
            return [f"{hooks}.append({name})", f"for hook in {hooks}:", "    hook()"]
        if way == 8:
            now = new("now")
            module.define(f"def {now}(function):", "    function()", "    return function")
            return [f"@{now}", f"def {new('decorated')}():", f"    {name}()"]
        if way == 9:
            steps = new("steps")
            module.define(f"def {steps}():", "    yield 1", f"    {name}()", "    yield 2")
            return [f"for _ in {steps}():", "    print('item')"]
        if way == 10:
            module.need("import asyncio")
            work = new("work")
            module.define(
                f"async def {work}():",
                "    await asyncio.sleep(0)",
                f"    {name}()",
            )
            return [f"asyncio.run({work}())"]
        if way == 11:
            module.need("from concurrent.futures import ThreadPoolExecutor")
            return [
                "with ThreadPoolExecutor(1) as pool:",
                f"    pool.submit({name}).result()",
            ]
        if way == 12:
            module.need("import contextlib")
            return [
                "with contextlib.ExitStack() as stack:",
                f"    stack.callback({name})",
            ]
        if way == 13:
            module.need("import contextlib")
            block = new("block")
            module.define(
                "@contextlib.contextmanager", f"def {block}():", f"    {name}()", "    yield"
            )
            return [f"with {block}():", "    print('inside')"]
        if way == 14:
            return [f"sorted([1], key=lambda _: {name}() or 0)"]
        if way == 15:
            return [f"next(iter(lambda: {name}() or 1, None))"]
        if way == 16:
            return [f"(lambda go={name}: go())()"]
        if way == 17 and "." not in name:
            return [f"globals()[{name!r}]()"]
        if way == 18 and "." in name and "(" not in name:
            base, _, last = name.rpartition(".")
            return [f"getattr({base}, {last!r})()"]
        if way == 19:
            return [f"_ = {name}() if {self._condition(module)} else {name}()"]
        if way == 20:
            return [f"(None or {name})()"]
        if way == 21:
            wrap = new("wrap")
            module.need("import functools")
            module.define(
                f"def {wrap}(function):",
                "    @functools.wraps(function)",
                "    def inner(*rest):",
                "        return function(*rest)",
                "    return inner",
            )
            return [f"{wrap}({name})()"]
        if way == 22:
            return [f"exec({name + '()'!r})"] if "." not in name else [f"{name}()"]
        return [f"if {name}() is None:", "    print('none')"]

    def _by_class(self, module: Module, body: Body) -> Lines:
        """Do a step in a method that a class calls by itself."""
        home = self._home(module)
        lines = indented(indented(body(home)))
        name = self._new("Thing")
        new = self._reference(module, home, name)
        way = self._chance.randrange(12)
        methods = (
            ("__init__(self)", f"{new}()"),
            ("run(self)", f"{new}().run()"),
            ("__call__(self)", f"{new}()()"),
            ("__len__(self)", f"len({new}())"),
            ("__str__(self)", f"print({new}())"),
            ("__getitem__(self, key)", f"{new}()[0]"),
            ("__getattr__(self, name)", f"{new}().anything"),
            ("__eq__(self, other)", f"print({new}() == 1)"),
        )
        if way < len(methods):
            head, use = methods[way]
            tail = {"__len__": ["        return 0"], "__str__": ["        return 'thing'"]}
            lines += tail.get(head.partition("(")[0], [])
            if way == 0 and self._maybe(0.5):
                base = self._new("Base")
                home.define(f"class {base}:", f"    def {head}:", *lines)
                derived = ["    pass"]
                if self._maybe(0.5):
                    derived = ["    def __init__(self):", "        super().__init__()"]
                home.define(f"class {name}({base}):", *derived)
            elif way == 1 and self._maybe(0.4):
                base = self._new("Base")
                home.define(f"class {base}:", "    def run(self):", "        self.step()")
                home.define(f"class {name}({base}):", "    def step(self):", *lines)
            else:
                home.define(f"class {name}:", f"    def {head}:", *lines)
            return [use]
        if way == 8:
            home.define(f"class {name}:", "    @property", "    def value(self):", *lines)
            return [f"print({new}().value)"]
        if way == 9:
            home.define(
                f"class {name}:",
                "    def __enter__(self):",
                *lines,
                "        return self",
                "    def __exit__(self, *error):",
                "        return None",
            )
            return [f"with {new}():", "    print('entered')"]
        if way == 10:
            home.define(
                f"class {name}:", "    def __iter__(self):", *lines, "        return iter([1])"
            )
            return [f"for _ in {new}():", "    print('item')"]
        home.define(
            f"class {name}:", "    @staticmethod", "    def go():", *lines, "    @classmethod",
            "    def start(cls):", "        cls.go()",
        )  # fmt: skip
        return [f"{new}.start()"]

    # --- configs ---

    def _fields(self, module: Module) -> tuple[dict[str, str], dict[str, str], Lines]:
        """Return fields of a config, those of its GPU options, and statements on `config`."""
        top: dict[str, str] = {}
        gpu: dict[str, str] = {}
        more: Lines = []
        for _ in range(self._pick({0: 1, 1: 6, 2: 5, 3: 2})):
            kind = self._pick(
                {
                    "growth": 12, "fraction": 6, "list": 5, "gpus": 4, "cpus": 2, "soft": 7,
                    "log": 3, "inter": 2, "intra": 2, "jit": 2, "grappler": 1, "virtual": 1,
                    "kept": 1,
                }
            )  # fmt: skip
            if kind == "growth":
                gpu["allow_growth"] = self._bool(module, 0.9)
            elif kind == "fraction":
                gpu["per_process_gpu_memory_fraction"] = self._number(module, "0.5", "0.25")
            elif kind == "list":
                gpu["visible_device_list"] = self._text(module)
            elif kind == "gpus":
                count = self._pick({0: 3, 1: 3})
                top["device_count"] = f"{{'GPU': {count}}}"
            elif kind == "cpus":
                top["device_count"] = f"{{'CPU': {self._pick({1: 1, 2: 2})}}}"
            elif kind == "soft":
                top["allow_soft_placement"] = self._bool(module, 0.9)
            elif kind == "log":
                top["log_device_placement"] = self._bool(module, 0.6)
            elif kind == "inter":
                threads = self._pick({"3": 4, "5": 2, "-1": 1})
                top["inter_op_parallelism_threads"] = threads
            elif kind == "intra":
                top["intra_op_parallelism_threads"] = self._number(module, "2", "3")
            elif kind == "jit":
                level = module.v1("OptimizerOptions.ON_1")
                more = [f"config.graph_options.optimizer_options.global_jit_level = {level}"]
            elif kind == "grappler":
                module.need("from tensorflow.core.protobuf import rewriter_config_pb2")
                more = [
                    "config.graph_options.rewrite_options.constant_folding = "
                    "rewriter_config_pb2.RewriterConfig.OFF"
                ]
            elif kind == "virtual":
                more = [
                    "config.gpu_options.experimental.virtual_devices.add("
                    f"memory_limit_mb=[{self._pick({'1024': 1, '1024, 512': 1})}])"
                ]
            else:
                more = [
                    self._pick(
                        {
                            "config.operation_timeout_in_ms = 60000": 1,
                            "config.graph_options.place_pruned_graph = True": 1,
                            "config.experimental.use_numa_affinity = True": 1,
                        }
                    )
                ]
        return top, gpu, more

    def _bool(self, module: Module, share: float) -> str:
        if self._maybe(0.85):
            return str(self._maybe(share))
        return self._condition(module)

    def _number(self, module: Module, one: str, other: str) -> str:
        if self._maybe(0.8):
            return one
        return f"({one} if {self._condition(module)} else {other})"

    def _text(self, module: Module) -> str:
        text = self._pick({"'0'": 6, "'1'": 5, "'0,1'": 2, "'1,0'": 1, "''": 1})
        if self._maybe(0.8):
            return text
        return f"({text} if {self._condition(module)} else '0')"

    def _build(self, module: Module, name: str) -> Lines:
        """Return statements that make a config, in a variable."""
        top, gpu, more = self._fields(module)
        proto, options = module.v1("ConfigProto"), module.v1("GPUOptions")
        keywords = ", ".join(f"{key}={value}" for key, value in gpu.items())
        way = self._pick({"keywords": 4, "fields": 5, "variable": 2, "copy": 1, "merge": 1})
        lines: Lines = []
        if way == "keywords":
            given = [f"{key}={value}" for key, value in top.items()]
            given += [f"gpu_options={options}({keywords})"] if gpu else []
            lines = [f"config = {proto}({', '.join(given)})"]
        elif way == "variable" and gpu:
            given = [f"{key}={value}" for key, value in top.items()]
            lines = [
                f"gpu_options = {options}({keywords})",
                f"config = {proto}({', '.join([*given, 'gpu_options=gpu_options'])})",
            ]
        else:
            lines = [f"config = {proto}()"]
            for key, value in top.items():
                if key == "device_count":
                    kind, count = value.strip("{}").split(": ")
                    lines.append(f"config.device_count[{kind}] = {count}")
                elif way == "merge":
                    lines.append(f"config.MergeFrom({proto}({key}={value}))")
                else:
                    lines.append(f"config.{key} = {value}")
            if way == "copy" and gpu:
                lines.append(f"config.gpu_options.CopyFrom({options}({keywords}))")
            elif way == "merge" and gpu:
                lines.append(f"config.gpu_options.MergeFrom({options}({keywords}))")
            else:
                lines += [f"config.gpu_options.{key} = {value}" for key, value in gpu.items()]
        return [line.replace("config", name, 1) if name != "config" else line
                for line in [*lines, *more]]  # fmt: skip

    def _config(self, module: Module) -> tuple[Lines, str]:
        """Return statements in front of a session, and the expression of its config."""
        way = self._pick({"here": 8, "helper": 5, "global": 3, "inline": 2, "class": 1})
        if way == "inline":
            top, gpu, more = self._fields(module)
            if not more:
                given = [f"{key}={value}" for key, value in top.items()]
                inner = ", ".join(f"{key}={value}" for key, value in gpu.items())
                given += [f"gpu_options={module.v1('GPUOptions')}({inner})"] if gpu else []
                return [], f"{module.v1('ConfigProto')}({', '.join(given)})"
        if way == "helper":
            home, name = self._home(module), self._new("make_config")
            home.define(
                f"def {name}():", *indented(self._build(home, "config")), "    return config"
            )
            return [], f"{self._reference(module, home, name)}()"
        if way == "global":
            home, name = self._home(module), self._new("CONFIG")
            home.define(*self._build(home, "config"), f"{name} = config")
            return [], self._reference(module, home, name)
        if way == "class":
            home, name = self._home(module), self._new("Settings")
            lines = indented(indented(self._build(home, "config")))
            home.define(
                f"class {name}:", "    def __init__(self):", *lines, "        self.config = config"
            )
            return [], f"{self._reference(module, home, name)}().config"
        name = self._new("config") if self._maybe(0.3) else "config"
        return self._build(module, name), name

    # --- sessions ---

    def _configured(self, module: Module) -> Lines:
        """Return a session with a config, and its use."""
        way = self._pick(
            {
                "call": 8, "with": 8, "helper": 4, "class": 4, "parameter": 2, "interactive": 1,
                "monitored": 2, "supervisor": 1, "keras": 2, "creator": 1, "late": 2, "pair": 1,
                "graph": 1,
            }
        )  # fmt: skip
        if way == "helper":
            return self._by_helper(module)
        if way == "class":
            return self._trainer(module)
        if way == "late":
            return self._late(module)
        lines, config = self._config(module)
        session = module.v1("Session")
        if way == "parameter":
            home, name = self._home(module), self._new("open_session")
            home.define(
                f"def {name}(config=None):", f"    return {home.v1('Session')}(config=config)"
            )
            session = self._reference(module, home, name)
            way = "call"
        if way == "call":
            made = [*lines, f"sess = {session}(config={config})", *self._use(module)]
            return self._in_graph(made + (["sess.close()"] if self._maybe(0.3) else []))
        if way == "with":
            return self._in_graph(
                [*lines, f"with {session}(config={config}) as sess:", *indented(self._use(module))]
            )
        if way == "graph":
            return [
                *lines,
                f"with {module.v1('Graph')}().as_default() as graph:",
                f"    with {session}(graph=graph, config={config}) as sess:",
                *indented(indented(self._use(module))),
            ]
        if way == "pair":
            pair = f"{session}(config={config}) as sess, {session}() as other"
            return self._in_graph([*lines, f"with {pair}:", *indented(self._use(module))])
        if way == "interactive":
            made = [*lines, f"sess = {module.v1('InteractiveSession')}(config={config})"]
            return self._in_graph([*made, *self._use(module), "sess.close()"])
        if way == "keras":
            keras = module.v1("keras.backend")
            made = [*lines, f"{keras}.set_session({session}(config={config}))"]
            return self._in_graph([*made, f"sess = {keras}.get_session()", *self._use(module)])
        return self._in_graph([*lines, *self._managed(module, way, config)])

    def _managed(self, module: Module, way: str, config: str) -> Lines:
        """Return a session that something else makes, its graph being its own."""
        opened = {
            "monitored": f"{module.v1('train.MonitoredTrainingSession')}(config={config})",
            "creator": f"{module.v1('train.MonitoredSession')}(session_creator="
            f"{module.v1('train.ChiefSessionCreator')}(config={config}))",
            "supervisor": f"{module.v1('train.Supervisor')}(logdir=None)"
            f".managed_session(config={config})",
        }[way]
        return [
            f"with {module.v1('Graph')}().as_default():",
            f"    step = {module.v1('train.get_or_create_global_step')}()",
            f"    with {opened} as sess:",
            "        print(sess.run(step))",
        ]

    def _in_graph(self, lines: Lines) -> Lines:
        """Put a session into a graph of its own where the program is eager."""
        if self._kind != EAGER2:
            return lines
        return ["with tf.Graph().as_default():", *indented(lines)]

    def _use(self, module: Module) -> Lines:
        """Return what a program does with `sess`."""
        tf = module.tf or "tf"
        way = self._pick({"run": 5, "gpu": 3, "devices": 2, "variable": 1, "none": 1})
        if way == "run":
            lines = [f"print(sess.run({tf}.constant(1.0) + 2.0))"]
        elif way == "gpu":
            lines = [
                f"with {tf}.device('/device:GPU:1'):",
                f"    there = {tf}.constant([1.0]) + {tf}.ones([1])",
                "try:",
                "    print(sess.run(there).shape)",
                "except Exception as error:",
                "    print(type(error).__name__)",
            ]
        elif way == "devices":
            return ["print([device.name for device in sess.list_devices()])"]
        elif way == "variable":
            lines = [
                f"state = {module.v1('Variable')}(1.0, use_resource=True)",
                "sess.run(state.initializer)",
                "print(sess.run(state).shape)",
            ]
        else:
            return ["print(sess.graph is not None)"]
        return ["with sess.graph.as_default():", *indented(lines)]

    def _by_helper(self, module: Module) -> Lines:
        """Return a session that a helper makes, and its use."""
        home, name = self._home(module), self._new("get_session")
        lines, config = self._config(home)
        session = home.v1("Session")
        if self._maybe(0.3):
            home.define(
                f"def {name}():", *indented(lines),
                f"    sess = {session}(config={config})", "    return sess",
            )  # fmt: skip
        else:
            home.define(
                f"def {name}():", *indented(lines), f"    return {session}(config={config})"
            )
        made = self._reference(module, home, name)
        if self._maybe(0.5):
            return self._in_graph([f"with {made}() as sess:", *indented(self._use(module))])
        return self._in_graph([f"sess = {made}()", *self._use(module)])

    def _trainer(self, module: Module) -> Lines:
        """Return a class with a config in its constructor and a session in a method."""
        home, name = self._home(module), self._new("Trainer")
        lines, config = self._config(home)
        session = home.v1("Session")
        init = ["def __init__(self):", *indented([*lines, f"self.config = {config}"])]
        use = self._use(home)
        way = self._pick({"with": 3, "property": 1, "init": 2, "enter": 1, "base": 1})
        made = f"{session}(config=self.config)"
        body = ["def train(self):", *indented([f"with {made} as sess:", *indented(use)])]
        call = "trainer.train()"
        if way == "property":
            body = ["@property", "def sess(self):", f"    return {made}",
                    "def train(self):", *indented(["sess = self.sess", *use])]  # fmt: skip
        elif way == "init":
            init = ["def __init__(self):",
                    *indented([*lines, f"self.sess = {session}(config={config})"])]  # fmt: skip
            body = ["def train(self):", *indented(["sess = self.sess", *use])]
        elif way == "enter":
            body = ["def __enter__(self):", f"    self.sess = {made}", "    return self.sess",
                    "def __exit__(self, *error):", "    self.sess.close()"]  # fmt: skip
            call = ""
        if way == "base":
            base = self._new("Base")
            home.define(f"class {base}:", *indented(init))
            home.define(f"class {name}({base}):", *indented(body))
        else:
            home.define(f"class {name}:", *indented([*init, *body]))
        new = f"{self._reference(module, home, name)}()"
        if not call:
            return self._in_graph([f"with {new} as sess:", *indented(self._use(module))])
        return self._in_graph([f"trainer = {new}", *self._between(module), call])

    def _late(self, module: Module) -> Lines:
        """Return a session some steps behind its config."""
        lines, config = self._config(module)
        name = self._new("kept")
        made = [f"{name} = {config}", *self._between(module)]
        made += [f"sess = {module.v1('Session')}(config={name})", *self._use(module)]
        return self._in_graph([*lines, *made])

    def _between(self, module: Module) -> Lines:
        """Return what a program does between a config and its session."""
        if not self._maybe(0.6 if self._wild else 0.2):
            return []
        kinds: dict[Callable[[Module], Lines], int] = {
            self._session: 3 if self._wild else 0,
            self._environment: 2 if self._wild else 0,
            self._fork: 2 if self._wild else 0,
            self._question: 1,
            self._mode: 1,
        }
        chosen = self._pick(kinds)
        if self._maybe(0.5):
            return chosen(module)
        name = self._function(module, chosen)
        return self._by_value(module, name) if self._wild else [f"{name}()"]

    def _session(self, module: Module) -> Lines:
        """Return a session without a config, spelled somehow."""
        session = module.v1("Session")
        way = self._chance.randrange(16)
        lines: Lines = []
        if way == 1:
            made = f"{module.v1('InteractiveSession')}()"
        elif way == 2:
            made = f"getattr({module.tf or 'tf'}, 'Session')()"
        elif way == 3:
            made = f"{{'session': {session}}}['session']()"
        elif way == 4:
            name = self._new("MySession")
            module.define(f"class {name}({session}):", "    pass")
            made = f"{name}()"
        elif way == 5:
            module.need("import functools")
            made = f"functools.partial({session})()"
        elif way == 6:
            made = f"(lambda: {session}())()"
        elif way == 7:
            name = self._new("build")
            module.define(f"def {name}(kind):", "    return kind()")
            made = f"{name}({session})"
        elif way == 8:
            lines = [f"Opened = {session}"]
            made = "Opened()"
        elif way == 9:
            made = f"{module.v1('keras.backend')}.get_session()"
        elif way == 10:
            name = self._new("Case")
            module.define(
                f"class {name}({module.v1('test.TestCase')}):",
                "    def runTest(self):",
                "        with self.session() as sess:",
                *indented(indented(indented(self._use(module)))),
            )
            return self._in_graph([f"{name}().runTest()"])
        elif way == 11:
            return self._managed(module, "monitored", "None")
        elif way == 12:
            made = f"{session}(config=None)"
        else:
            made = f"{session}()"
        if self._maybe(0.5):
            return self._in_graph([*lines, f"with {made} as sess:", *indented(self._use(module))])
        return self._in_graph([*lines, f"sess = {made}", *self._use(module)])

    # --- what else a program does ---

    def _environment(self, module: Module) -> Lines:
        """Return a write to the environment."""
        module.need("import os")
        name, value = self._pick(
            {
                ("CUDA_VISIBLE_DEVICES", "1"): 4,
                ("CUDA_VISIBLE_DEVICES", "0"): 2,
                ("CUDA_VISIBLE_DEVICES", "1,0"): 1,
                ("CUDA_VISIBLE_DEVICES", "-1"): 1,
                ("TF_FORCE_GPU_ALLOW_GROWTH", "true"): 2,
                ("TF_FORCE_GPU_ALLOW_GROWTH", "false"): 1,
            }
        )
        way = self._chance.randrange(7)
        if way == 0:
            return [f"os.environ.update({{{name!r}: {value!r}}})"]
        if way == 1:
            cut = self._chance.randrange(2, len(name) - 2)
            return [f"name = {name[:cut]!r} + {name[cut:]!r}", f"os.environ[name] = {value!r}"]
        if way == 2:
            return [f"os.environ.setdefault({name!r}, {value!r})"]
        if way == 3:
            home, function = self._home(module), self._new("select")
            home.need("import os")
            home.define(f"def {function}(value):", f"    os.environ[{name!r}] = str(value)")
            return [f"{self._reference(module, home, function)}({value!r})"]
        if way == 4:
            module.need("import sys")
            return [f"os.environ[{name!r}] = sys.argv[1] if len(sys.argv) > 1 else {value!r}"]
        return [f"os.environ[{name!r}] = {value!r}"]

    def _fork(self, module: Module) -> Lines:
        """Return a child that makes a session of its own."""

        def body(home: Module) -> Lines:
            session = home.v1("Session")
            home.need("import signal")
            return [
                "signal.alarm(5)",
                f"with {session}(graph={home.v1('Graph')}()) as sess:",
                "    print([(one.name, one.memory_limit_bytes) for one in sess.list_devices()],",
                "          flush=True)",
            ]

        child = self._function(module, body, "child")
        if self._maybe(0.7):
            module.need("import multiprocessing")
            process = f"multiprocessing.get_context('fork').Process(target={child})"
            return [
                f"process = {process}",
                "process.start()",
                "process.join()",
                "print('child', process.exitcode)",
            ]
        module.need("import os")
        return [
            "child_id = os.fork()",
            "if child_id == 0:",
            "    try:",
            f"        {child}()",
            "        os._exit(0)",
            "    finally:",
            "        os._exit(1)",
            "print('child', os.waitpid(child_id, 0)[1])",
        ]

    def _question(self, module: Module) -> Lines:
        """Return a question about devices."""
        tf = module.tf or "tf"
        way = self._pick({"available": 4, "physical": 4, "name": 2, "local": 1, "logical": 1})
        if way == "available":
            return [f"print({tf}.test.is_gpu_available())"]
        if way == "physical":
            return [f"print(len({tf}.config.list_physical_devices('GPU')))"]
        if way == "name":
            return [f"print({tf}.test.gpu_device_name())"]
        if way == "local":
            module.need("from tensorflow.python.client import device_lib")
            return ["print([one.name for one in device_lib.list_local_devices()])"]
        return [f"print(len({tf}.config.list_logical_devices('GPU')))"]

    def _dataset(self, module: Module) -> Lines:
        """Return an input pipeline."""
        tf = module.tf or "tf"
        way = self._pick({"range": 4, "map": 2, "generator": 1, "function": 1})
        data = f"{tf}.data.Dataset.range(3)"
        if way == "function":
            return [f"double = {tf}.function(lambda value: value * 2)", "print(callable(double))"]
        if way == "map":
            data += ".map(lambda value: value + 1)"
        elif way == "generator":
            data = f"{tf}.data.Dataset.from_generator(lambda: iter([1, 2]), {tf}.int64)"
        return [f"dataset = {data}.batch(2)", "print(dataset is not None)"]

    def _mode(self, module: Module) -> Lines:
        """Return something that shows whether the program is eager."""
        tf = module.tf or "tf"
        home = self._home(module)
        if home is module or self._maybe(0.5):
            return [f"print({tf}.executing_eagerly())"]
        name = self._new("mode")
        home.define(f"def {name}():", f"    return {home.tf or 'tf'}.executing_eagerly()")
        return [f"print({self._reference(module, home, name)}())"]

    def _eager(self, module: Module) -> Lines:
        """Return something that runs at once in TensorFlow 2."""
        del module
        return self._pick(
            {
                "print((tf.constant(1.0) + 1).numpy())": 4,
                "weights = tf.Variable([1.0])": 2,
                "print(tf.function(lambda: tf.constant(2.0))().numpy())": 2,
                "print([x.numpy() for x in tf.data.Dataset.range(2).map(lambda x: x + 1)])": 1,
            }
        ).splitlines()


def _notebook(module: Module) -> str:
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


def program(seed: int) -> Program:
    """Return the program of a seed."""
    return Maker(seed).make()
