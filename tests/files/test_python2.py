"""Python 2: read as Python 3 of the same lines, and written back."""

from __future__ import annotations

import ast
import sys

import pytest

from tests.tools import source
from tfgpu.files.pyfile import Source, SourceError
from tfgpu.files.python2 import (
    NotPython2Error,
    Python2,
    as_python3,
    is_installed,
    looks_like_python2,
    to_python3,
)

SYNTAX = [
    ("print 'a', b", "print('a', b)"),
    ("print 1; print >>log, 'a'; print", "print(1); print('a', file=log); print()"),
    ("print 'a',", "print('a', end=' ')"),
    ("if a <> b: pass", "if a != b: pass"),
    ("a = `b`", "a = repr(b)"),
    ("a = 0777 + 10L", "a = 0o777 + 10"),
    ("a = ur'\\d'", "a = r'\\d'"),
    ("exec 'a = 1' in b", "exec('a = 1', b)"),
    ("raise ValueError, 'a'", "raise ValueError('a')"),
    ("try:\n  a\nexcept ValueError, error:\n  b", "try:\n  a\nexcept ValueError as error:\n  b"),
    (
        "try:\n  a\nexcept OSError, (b, c):\n  d",
        "try:\n  a\nexcept OSError as xxx_todo_changeme:\n  (b, c) = xxx_todo_changeme.args; d",
    ),
    ("def f(a, (b, c)):\n    d", "def f(a, xxx_todo_changeme):\n    (b, c) = xxx_todo_changeme; d"),
    ("if a:\n\tprint 1\n        print 2", "if a:\n        print(1)\n        print(2)"),
    ("if a:\n\tb = '''\n\t'''\n        c = 1", "if a:\n        b = '''\n\t'''\n        c = 1"),
    ("from __future__ import print_function\nprint(a, file=b)\nexec 'a'", None),
]  # fmt: skip


def python2(text: str, fix: bool = False) -> Python2:
    """Return a text as a module of Python 2."""
    return as_python3(Source(text, "utf-8", False), fix)


@pytest.mark.parametrize(("before", "after"), SYNTAX)
def test_syntax_becomes_that_of_python_3(before: str, after: str | None) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(before)
    text = to_python3(before)
    ast.parse(text)
    assert text == (after if after is not None else before.replace("exec 'a'", "exec('a')"))


@pytest.mark.parametrize("before", [before for before, _ in SYNTAX])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_that_stay_are_given_back(before: str, end: str) -> None:
    text = f"{before}\nx = 1\n# end\n".replace("\n", end)
    module = python2(text)
    assert module.shown(module.text) == text
    new = module.text.replace("x = 1", f"y = 2{end}z = 3")
    assert module.shown(new) == text.replace("x = 1", f"y = 2{end}z = 3")
    assert module.encode(new) == module.shown(new).encode()
    assert python2(text, fix=True).shown(new) == new


def test_statements_that_are_python_2_are_not_changed() -> None:
    module = python2("x = 1\nprint tf.Session(config=x)\n")
    with pytest.raises(SourceError, match="in the syntax of Python 2") as caught:
        module.shown("print(tf.Session())\n")
    assert caught.value.line == 2


def test_what_python_2_reads_differently_is_refused() -> None:
    module = python2("print 1\nx = 1\n")
    for new in ("print(1)\nprint(1, 2)\n", "print(1)\nx = \n"):
        with pytest.raises(SourceError, match="cannot be kept as it is") as caught:
            module.shown(new)
        assert caught.value.line == 2


def test_new_lines_are_indented_as_the_file_is() -> None:
    text = "if a:\n\tprint 1\n        b = 2\n\tc = 3\n"
    module = python2(text)
    new = module.text.replace("        c = 3", "        d = 4\n        if d:\n            e = 5")
    assert module.shown(new) == text.replace("\tc = 3", "\td = 4\n\tif d:\n            e = 5")


def test_the_last_line_of_spaces_among_tabs_may_go() -> None:
    text = "if a:\n\tprint 1\n        b = 2\n\tc = 3\n"
    module = python2(text)
    assert module.shown(module.text.replace("        b = 2\n", "")) == "if a:\n\tprint 1\n\tc = 3\n"


@pytest.mark.parametrize("text", ["x = = 1", "x = (1", "if a:\nb"])
def test_what_is_no_python_2_either(text: str) -> None:
    with pytest.raises(NotPython2Error):
        to_python3(text)


@pytest.mark.parametrize("body", ["for a in b:\n        pass", "if a:\n        pass"])
def test_no_statement_is_put_in_front_of_a_block(body: str) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(to_python3(f"def f((a, b)):\n    {body}"))


def test_columns_and_lines_are_those_of_the_file() -> None:
    module = python2(
        source("""
        print 1; x = 1
        y = 2
        if y:
        \tz = 1
                print z
    """)
    )
    assert module.seen(1, 11) == ("print 1; x = 1", 1)
    assert module.seen(1, 3) == ("print 1; x = 1", 3)
    assert module.seen(2, 3) is None
    assert module.seen(4, 9) == ("\tz = 1", 2)


def test_a_module_is_what_it_is_in_the_file() -> None:
    module = as_python3(Source("print 1", "utf-8", True), fix=False)
    assert module.encoding == "utf-8"
    assert module.cells.place(1) == (0, 1)
    assert module.encode(module.text) == b"\xef\xbb\xbfprint 1"


@pytest.mark.parametrize("text", [before for before, _ in SYNTAX])
def test_what_looks_like_python_2(text: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        ast.parse(text)
    assert looks_like_python2(caught.value, text)


def test_what_does_not() -> None:
    with pytest.raises(SyntaxError) as caught:
        ast.parse("x = (1")
    assert not looks_like_python2(caught.value, "x = (1")


def test_it_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_installed()
    to_python3.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "fissix"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fissix", None)
    assert not is_installed()
    with pytest.raises(ImportError):
        to_python3("print 1")
