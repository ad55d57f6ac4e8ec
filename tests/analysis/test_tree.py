"""Scopes, guards and positions of a parsed file."""

from __future__ import annotations

import ast

import pytest

from tests.tools import book, source
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.flow.collect import collect


def tree(text: str) -> Tree:
    """Return a parsed program."""
    text = source(text)
    return Tree(ast.parse(text), text)


def named(parsed: Tree, name: str) -> ast.Name:
    """Return the last use of a name that is read."""
    return [node for node in parsed.names[name] if isinstance(node.ctx, ast.Load)][-1]


BLOCKS = """
    if test:
        a
        with lock:
            b
    elif other:
        c
    else:
        d
    for item in items:
        e
    else:
        f
    try:
        g
    except Error:
        h
    else:
        i
    finally:
        j
    match value:
        case 1:
            k
        case 2:
            l
    def function():
        while m:
            n
    class Class:
        if test:
            o
    p
    """


def fields(parsed: Tree, name: str) -> list[str]:
    """Return the guards around a name: type of statement and field."""
    return [f"{type(node).__name__}.{part}" for node, part in parsed.guards(named(parsed, name))]


@pytest.mark.parametrize(
    ("name", "guards"),
    [
        ("a", ["If.body"]),
        ("b", ["If.body"]),
        ("c", ["If.orelse", "If.body"]),
        ("d", ["If.orelse", "If.orelse"]),
        ("e", ["For.body"]),
        ("f", ["For.orelse"]),
        ("g", ["Try.body"]),
        ("h", ["Try.handlers", "ExceptHandler.body"]),
        ("i", ["Try.orelse"]),
        ("j", ["Try.finalbody"]),
        ("k", ["Match.cases", "match_case.body"]),
        ("n", ["While.body"]),
        ("p", []),
    ],
)
def test_guards(name: str, guards: list[str]) -> None:
    assert fields(tree(BLOCKS), name) == guards


def test_guards_of_a_class_body_run_with_the_module() -> None:
    assert fields(tree(BLOCKS), "o")[-1] == "If.body"


@pytest.mark.parametrize(
    ("one", "other", "exclusive"),
    [
        ("a", "c", True),
        ("b", "d", True),
        ("c", "d", True),
        ("a", "b", False),
        ("a", "p", False),
        ("e", "f", False),
        ("g", "h", False),
        ("a", "e", False),
        ("a", "n", False),
        ("p", "p", False),
    ],
)
def test_exclusive(one: str, other: str, exclusive: bool) -> None:
    parsed = tree(BLOCKS)
    first, second = named(parsed, one), named(parsed, other)
    assert parsed.exclusive(first, second) is exclusive
    assert parsed.exclusive(second, first) is exclusive


def test_in_loop() -> None:
    parsed = tree(BLOCKS)
    assert parsed.in_loop(named(parsed, "e"))
    assert parsed.in_loop(named(parsed, "n"))
    assert not parsed.in_loop(named(parsed, "a"))


def owner(text: str, name: str) -> str | None:
    """Return the kind and name of the scope that owns the last read of a name."""
    parsed = tree(text)
    node = named(parsed, name)
    scope = parsed.owner(name, parsed.scope(node))
    return None if scope is None else getattr(scope.node, "name", scope.kind)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = 1\nx\n", "module"),
        ("x\n", None),
        ("def f():\n    x = 1\n    x\n", "f"),
        ("x = 1\ndef f():\n    x\n", "module"),
        ("def f(x):\n    x\n", "f"),
        ("def f(*x):\n    x\n", "f"),
        ("def f(**x):\n    x\n", "f"),
        ("def f(*, x):\n    x\n", "f"),
        ("x = 1\ndef f(y=x):\n    pass\n", "module"),
        ("x = 1\ndef f(*, y=x):\n    pass\n", "module"),
        ("x = 1\n@x\ndef f(x):\n    pass\n", "module"),
        ("x = 1\ndef f(x) -> x:\n    pass\n", "module"),
        ("x = 1\nclass A(x):\n    x = 2\n", "module"),
        ("x = 1\nclass A(metaclass=x):\n    x = 2\n", "module"),
        ("class A:\n    x = 1\n    x\n", "A"),
        ("class A:\n    x = 1\n    def f(self):\n        x\n", None),
        ("x = 1\nclass A:\n    x = 2\n    def f(self):\n        x\n", "module"),
        ("def f():\n    global x\n    x = 1\n    x\n", "module"),
        ("def f():\n    global x\n    x\n", None),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n        x\n", "f"),
        ("def f():\n    x = 1\n    def g():\n        x\n", "f"),
        ("x = 1\n[x for x in y]\n", "function"),
        ("x = 1\nlambda x: x\n", "function"),
        ("import x.y\nx\n", "module"),
        ("import y as x\nx\n", "module"),
        ("from y import x\nx\n", "module"),
        ("for x in y: x\n", "module"),
        ("with y as x: x\n", "module"),
        ("try: pass\nexcept E as x: x\n", "module"),
        ("match y:\n    case [1, *x]: x\n", "module"),
        ("match y:\n    case {1: 2, **x}: x\n", "module"),
        ("match y:\n    case 1 as x: x\n", "module"),
        ("(x := 1)\nx\n", "module"),
        ("async def f():\n    x = 1\n    x\n", "f"),
    ],
)
def test_owner_of_a_name(text: str, found: str | None) -> None:
    assert owner(text, "x") == found


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("x = 1\nx: int = 2\nx\n", ["assign", "assign"]),
        ("x: int\nx\n", ["other"]),
        ("x, y = 1, 2\nx\n", ["other"]),
        ("x += 1\nx\n", ["other"]),
        ("del x\nx\n", ["other"]),
        ("def x(): pass\nx\n", ["def"]),
        ("class x: pass\nx\n", ["class"]),
        ("def f(x):\n    x\n", ["param"]),
        ("import x\nx\n", ["import"]),
        ("x = 1\ndef f():\n    global x\n    x = 2\nx\n", ["assign", "assign"]),
    ],
)
def test_kinds_of_bindings(text: str, kinds: list[str]) -> None:
    parsed = tree(text)
    assert [binding.kind for binding in parsed.bindings(named(parsed, "x"))] == kinds


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("import a.b\na.c.d\n", {"a.c.d"}),
        ("import a.b as x\nx.c\n", {"a.b.c"}),
        ("from a import b\nb.c\n", {"a.b.c"}),
        ("from a.b import c as x\nx\n", {"a.b.c"}),
        ("from . import a\na.b\n", {".a.b"}),
        ("from ..p import a\na.b\n", {"..p.a.b"}),
        ("import a\nx = a.b\nx.c\n", {"a.b.c"}),
        ("try:\n    import a\nexcept E:\n    import b as a\na.c\n", {"a.c", "b.c"}),
        ("try:\n    import a\nexcept E:\n    a = None\na.c\n", {"a.c"}),
        ("import a\na = 1\na.c\n", set()),
        ("def f(a):\n    return a.b\n", set()),
        ("a.b\n", set()),
        ("f().b\n", set()),
        ("x = x\nx.b\n", set()),
        ("from tensorflow import *\nSession\n", {"tensorflow.Session"}),
        ("from other import *\nSession\n", set()),
    ],
)
def test_paths_of_an_expression(text: str, paths: set[str]) -> None:
    parsed = tree(text)
    last = parsed.module.body[-1]
    if isinstance(last, ast.FunctionDef):
        last = last.body[-1]
    assert isinstance(last, ast.Expr | ast.Return)
    assert last.value is not None
    assert Symbols(parsed).paths(last.value) == paths


def test_positions_count_characters() -> None:
    parsed = tree("x = 'äöü'; y = größe\n")
    assert parsed.position(named(parsed, "größe")) == (1, 16)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_without_their_endings(ending: str) -> None:
    text = f"x = 1{ending}y = größe{ending}"
    parsed = Tree(ast.parse(text), text)
    assert [parsed.line(1), parsed.line(2)] == ["x = 1", "y = größe"]
    assert parsed.source(named(parsed, "größe")) == "größe"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("f( 1,2 )", "f( 1,2 )"),
        ("f(1,\n  2)", "f(1, 2)"),
        ("'ä' + x", "'ä' + x"),
        ("'''a\nb'''", "'a\\nb'"),
    ],
)
def test_source_of_an_expression(text: str, written: str) -> None:
    parsed = tree(text)
    statement = parsed.module.body[0]
    assert isinstance(statement, ast.Expr)
    assert parsed.source(statement.value) == written


def test_a_deep_file_does_not_exhaust_the_stack() -> None:
    depth = 90
    text = "".join(f"{' ' * n}if x{n}:\n" for n in range(depth)) + " " * depth + "y\n"
    parsed = Tree(ast.parse(text), text)
    assert len(parsed.guards(named(parsed, "y"))) == depth


def test_what_an_analysis_finds_out_stays_with_it() -> None:
    text = source(
        """
        import tensorflow as tf


        def make(config=None):
            if config is None:
                config = tf.ConfigProto(allow_soft_placement=True)
            return tf.Session(config=config)


        make()
        """
    )
    tree = Tree(ast.parse(text), text)
    mine = tree.for_analysis()
    node = tree.statement(tree.attributes["ConfigProto"][0])
    assert len(tree.guards(node)) == 1
    collect(mine, book())
    assert mine.guards(node) == ()
    assert len(tree.guards(node)) == 1
    assert len(tree.for_analysis().guards(node)) == 1
