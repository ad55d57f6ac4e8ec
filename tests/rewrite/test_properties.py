"""What holds for every program: small programs made at random from a grammar of config idioms."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.tools import book, comments
from tfgpu.engine import analyse
from tfgpu.options import Options

IMPORTS = (
    ("import tensorflow as tf", "tf"),
    ("import tensorflow", "tensorflow"),
    ("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()", "tf"),
    ("import tensorflow.compat.v1 as tf1", "tf1"),
    ("import os, tensorflow as tf, sys", "tf"),
    ("try:\n>import tensorflow as tf\nexcept ImportError:\n>tf = None", "tf"),
    ("import tensorflow as tf; import numpy as np", "tf"),
)
SETTINGS = (
    ("allow_soft_placement", ("True", "False", "soft", "not strict", "read()", "a if b else c")),
    ("log_device_placement", ("True", "False", "FLAGS.log")),
    ("intra_op_parallelism_threads", ("0", "2", "threads", "count(1, 2)")),
    ("inter_op_parallelism_threads", ("1", "len(x)")),
    ("gpu_options.allow_growth", ("True", "False", "grow", "read_growth()")),
    ("gpu_options.per_process_gpu_memory_fraction", ("0.4", "0", "fraction")),
    ("gpu_options.visible_device_list", ("'0'", '"0,1"', "''", "str(hvd.rank())", "FLAGS.gpus")),
    ("gpu_options.allocator_type", ("'BFC'",)),
    ("graph_options.rewrite_options.constant_folding", ("1", "2", "0")),
    ("graph_options.optimizer_options.global_jit_level", ("1", "0")),
    ("placement_period", ("0", "5")),
)
NOISE = (
    "x = { 'a' :1 , 'b':[ 1,2 ] }",
    "print( 'text  with  # no comment' )",
    "y=( 1,\n   2 ,\n)",
    '"""config = tf.ConfigProto()"""',
    "z = 'größe'; w = 3",
    "def helper(a, *, b = 1): return a",
    "for _ in range(2): pass",
    "class Empty: ...",
    "u = 1 if x else 2 # trailing",
    "",
    "",
)
UNITS = ("    ", "  ", "\t", "   ")
ENDINGS = ("\n", "\r\n")
WORDS = st.sampled_from(("first", "options", "größe", "TODO: later", "tf.Session(config=c)"))


@dataclass(frozen=True)
class Program:
    """A program, and lines of it that have nothing to do with any config."""

    text: str
    noise: tuple[str, ...]


class Builder:
    """Draws the lines of one program; `>` stands for one level of indentation."""

    def __init__(self, draw: DrawFn) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.noise: list[str] = []
        self.comments = 0

    def choose(self, *items: str) -> str:
        return self.draw(st.sampled_from(items))

    def chance(self) -> bool:
        return self.draw(st.integers(0, 3)) == 0

    def comment(self) -> str:
        self.comments += 1
        return f"# {self.comments} {self.draw(WORDS)}"

    def add(self, depth: int, line: str) -> None:
        if self.chance():
            self.lines.append(">" * depth + self.comment())
        self.lines.append(">" * depth + line + (f"  {self.comment()}" if self.chance() else ""))
        if self.chance():
            self.lines.append("")

    def add_noise(self) -> None:
        line = self.choose(*NOISE)
        self.lines.extend(line.split("\n"))
        self.noise.append(line)

    def setting(self) -> tuple[str, str]:
        name, values = self.draw(st.sampled_from(SETTINGS))
        return name, self.draw(st.sampled_from(values))

    def constructor(self, tf: str) -> str:
        """Return a ConfigProto call with some settings as keywords, on one line or more."""
        groups: dict[str, list[str]] = {}
        for name, value in self.draw(
            st.lists(st.builds(self.setting), max_size=3, unique_by=lambda item: item[0])
        ):
            path, _, leaf = name.rpartition(".")
            groups.setdefault(path, []).append(f"{leaf}={value}")
        arguments = groups.pop("", [])
        for path, inner in groups.items():
            if path == "gpu_options":
                arguments.append(f"gpu_options={tf}.GPUOptions({', '.join(inner)})")
        if arguments and self.chance():
            body = "".join(f"\n    {item},  {self.comment()}" for item in arguments)
            return f"{tf}.ConfigProto({body}\n)"
        return f"{tf}.ConfigProto({', '.join(arguments)})"

    def assignments(self, depth: int) -> None:
        for _ in range(self.draw(st.integers(0, 3))):
            name, value = self.setting()
            line = f"config.{name} = {value}"
            kind = self.draw(st.integers(0, 5))
            if kind == 0:
                self.add(depth, "if grow:")
                self.add(depth + 1, line)
                if self.chance():
                    self.add(depth, "else:")
                    self.add(depth + 1, f"config.{name} = {value}")
            elif kind == 1:
                self.lines.append(">" * depth + f"if grow: {line}")
            elif kind == 2:
                self.lines.append(">" * depth + f"{line}; v = 1")
            elif kind == 3:
                self.add(depth, f"with open(name) as {self.choose('f', 'g')}:")
                self.add(depth + 1, line)
            else:
                self.add(depth, line)

    def session(self, depth: int, tf: str, config: str) -> None:
        extra = self.choose("", "graph=g, ", "'', ")
        name = "InteractiveSession" if self.draw(st.integers(0, 9)) == 9 else "Session"
        call = f"{tf}.{name}({extra}config={config})"
        kind = self.draw(st.integers(0, 5))
        if kind == 0:
            self.add(depth, f"with {call} as sess:")
            self.add(depth + 1, "sess.run(x)")
        elif kind == 1:
            self.add(depth, f"use({call}, 1)")
        elif kind == 2:
            self.add(depth, f"sess = {tf}.Session(")
            self.add(depth + 1, "graph=g,")
            self.add(depth + 1, f"config={config},")
            self.add(depth, ")")
        elif kind == 3:
            self.lines.append(">" * depth + f"sess = {call}; print(sess)")
        elif kind == 4 and self.chance():
            self.add(depth, f"sess = {tf}.Session()")
            self.add(depth, f"other = {call}")
        else:
            self.add(depth, f"sess = {call}")

    def one_config(self, tf: str, number: int) -> None:
        kind = self.draw(st.integers(0, 5))
        constructor = self.constructor(tf)
        if kind == 0 and "\n" not in constructor:
            self.session(0, tf, constructor)
        elif kind == 1 and "\n" not in constructor:
            self.add(0, f"def get_{number}(soft):")
            self.add(1, f"config = {constructor}")
            self.assignments(1)
            if self.chance():
                self.add(1, "if soft:")
                self.add(2, "return config")
                self.add(1, "print(soft)")
            self.add(1, "return config")
            self.session(0, tf, f"get_{number}(1)")
        elif kind == 2 and "\n" not in constructor:
            self.add(0, f"def run_{number}(soft):")
            self.add(1, f"config = {constructor}")
            self.assignments(1)
            self.session(1, tf, "config")
        else:
            first, *more = constructor.split("\n")
            self.lines += [f"config = {first}", *more]
            self.assignments(0)
            self.session(0, tf, "config")


@st.composite
def programs(draw: DrawFn) -> Program:
    builder = Builder(draw)
    if builder.chance():
        builder.lines.append('"""A program."""')
    head, tf = draw(st.sampled_from(IMPORTS))
    builder.lines.extend(head.split("\n"))
    builder.add_noise()
    for number in range(draw(st.sampled_from((1, 1, 1, 2)))):
        builder.one_config(tf, number)
        builder.add_noise()
    text = "\n".join(builder.lines).replace(">", draw(st.sampled_from(UNITS)))
    text += draw(st.sampled_from(("\n", "", "\n\n", "\n# end\n")))
    return Program(text.replace("\n", draw(st.sampled_from(ENDINGS))), tuple(builder.noise))


ALL: SearchStrategy[Options] = st.builds(
    Options,
    st.sampled_from(((1, 15), (2, 4))),
    unsafe_fixes=st.booleans(),
    keep_imports=st.booleans(),
)


@settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(programs(), ALL)
def test_every_program(program: Program, options: Options) -> None:
    before = program.text
    compile(before, "before", "exec")
    result = analyse(before, book(), options)
    after = result.new_text()
    if after is None:
        event("kept")
        return
    event("converted" if None in {item.kept_by for item in result.configs} else "imports only")
    compile(after, "after", "exec")
    # Nothing is lost, and nothing else is touched.
    assert comments(after) == comments(before)
    ending = "\r\n" if "\r\n" in before else "\n"
    assert ("\r\n" in after) is (ending == "\r\n")
    assert after.count("\r") == (after.count("\n") if ending == "\r\n" else 0)
    for lines in filter(None, program.noise):
        block = lines.replace("\n", ending)
        assert after.count(block) == before.count(block)
    # What is converted has no config left, and a second run finds nothing to do.
    if {item.kept_by for item in result.configs} == {None}:
        assert "ConfigProto(" not in _code(after)
    again = analyse(after, book(), options).new_text()
    assert again is None or again == after


def _code(text: str) -> str:
    """Return a program without its comments and strings of its own."""
    module = ast.parse(text)
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.unparse(module)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.text(alphabet="if x:\n\t ()[]{}=,.#'\"\\tfConfigProto()Session\r\x0c;", max_size=60))
def test_text_that_is_hardly_a_program(text: str) -> None:
    try:
        result = analyse(f"import tensorflow as tf\n{text}", book(), Options())
    except SyntaxError:
        return
    assert result.new_text() is None
