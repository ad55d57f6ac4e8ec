"""Where statements end, without parsing them."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tfgpu.files.magics import statement_end


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("a = 1\nb = 2\n", "a = 1\n"),
        ("a = (1,\n  2)\nb\n", "a = (1,\n  2)\n"),
        ("a = '''(\n'''\nb\n", "a = '''(\n'''\n"),
        ('a = """\\"""(\n"""\nb\n', 'a = """\\"""(\n"""\n'),
        ("a = '(' # (\nb\n", "a = '(' # (\n"),
        ("a = 1 + \\\n  2\nb\n", "a = 1 + \\\n  2\n"),
        ("a = 1 + \\\r\n  2\r\nb\n", "a = 1 + \\\r\n  2\r\n"),
        ("a = 'it\\'s ('\nb\n", "a = 'it\\'s ('\n"),
        ("a = 'open (\nb\n", "a = 'open (\n"),
        ("a)\nb\n", "a)\n"),
        ("", ""),
    ],
)
def test_end(text: str, first: str) -> None:
    assert statement_end(text, 0) == (len(first), True)


@pytest.mark.parametrize(
    "text", ["a = (1,\n", "a = '''\n", "a = 1 + \\", "a = 1 + \\\n", 'a = "" """']
)
def test_what_is_not_closed(text: str) -> None:
    assert statement_end(text, 0) == (len(text), False)


_PARTS = st.sampled_from(["a", " ", "\n", "'", '"', '"""', "(", ")", "\\", "#", "=", "1", "f'{a}'"])


@given(st.lists(_PARTS, max_size=12).map("".join))
def test_statements_of_valid_code_end_where_python_says(text: str) -> None:
    text += "\n"
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    # Python's tree ends before an empty line, or a comment, that a backslash continues to.
    assume(not re.search(r"\\\n *(?:#[^\n]*)?\n", text))
    ends, position = set(), 0
    while position < len(text):
        position, closed = statement_end(text, position)
        assert closed
        ends.add(text.count("\n", 0, position))
    assert {node.end_lineno for node in tree.body} <= ends
    for node in tree.body:
        assert ends.isdisjoint(range(node.lineno, node.end_lineno or 0))
