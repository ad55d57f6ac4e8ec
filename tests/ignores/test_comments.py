"""Comments to tfgpu: where they are found, and which lines they are about."""

from __future__ import annotations

import pytest

from tests.tools import source
from tfgpu.ignores.comments import Comment, line_comments, python_comments


def about(text: str) -> list[tuple[int, int]]:
    return [(item.first, item.last) for item in python_comments(source(text))]


def only(comments: list[Comment]) -> Comment:
    (comment,) = comments
    return comment


@pytest.mark.parametrize(
    ("comment", "rules", "whole_file"),
    [
        ("# tfgpu: ignore[allow-growth] a reason", ("allow-growth",), False),
        ("# tfgpu: ignore[allow-growth]", ("allow-growth",), False),
        ("#tfgpu:ignore[ TFG1 ,allow-growth ]", ("TFG1", "allow-growth"), False),
        ("# tfgpu: ignore [TFG101]: reason", ("TFG101",), False),
        ("# tfgpu: ignore-file[TFG7] reason", ("TFG7",), True),
        ("# noqa: E501  # tfgpu: ignore[TFG1]  # pylint: disable=x", ("TFG1",), False),
    ],
)
def test_understood(comment: str, rules: tuple[str, ...], whole_file: bool) -> None:
    found = only(python_comments(f"x = 1  {comment}\n"))
    assert (found.rules, found.whole_file) == (rules, whole_file)


@pytest.mark.parametrize(
    "comment",
    ["# tfgpu: ignore", "# tfgpu: ignore[]", "# tfgpu: ignore[a,]", "# tfgpu: ignore[a", "# tfgpu:",
     "# tfgpu: ignore allow-growth", "# tfgpu: ingore[a]", "# tfgpu: ignore-files[a]",
     "# tfgpu: noqa", "# tfgpu: ignore[a, , b]"],
)  # fmt: skip
def test_not_understood(comment: str) -> None:
    assert only(python_comments(f"x = 1  {comment}\n")).rules is None


@pytest.mark.parametrize(
    "text",
    ["x = '# tfgpu: ignore[a]'\n", "'''\n# tfgpu: ignore[a]\n'''\n", "x = 1  # tfgpu ignore[a]\n",
     "x = 1  # a tfgpu: ignore[a]\n", ""],
)  # fmt: skip
def test_none(text: str) -> None:
    assert python_comments(text) == []


def test_the_place_is_that_of_the_comment_itself() -> None:
    found = only(python_comments("größe = 1  # noqa  # tfgpu: ignore[a] why  # more\n"))
    assert (found.line, found.column, found.end_column) == (1, 20, 42)


class TestLines:
    def test_behind_a_statement(self) -> None:
        assert about("x = 1\ny = 2  # tfgpu: ignore[a]\nz = 3\n") == [(2, 2)]

    def test_on_any_line_of_a_statement(self) -> None:
        for line in range(4):
            lines = ["f(", "    1,", "    2,", ")"]
            lines[line] += "  # tfgpu: ignore[a]"
            assert about("x = 1\n" + "\n".join(lines) + "\ny = 2\n") == [(2, 5)]

    def test_alone_inside_a_statement(self) -> None:
        assert about("f(\n    # tfgpu: ignore[a]\n    1,\n)\n") == [(1, 4)]

    def test_alone_above_a_statement_with_other_lines_between(self) -> None:
        assert about("# tfgpu: ignore[a]\n\n# another\nf(\n  1)\ng()\n") == [(4, 5)]

    def test_a_header_and_not_its_block(self) -> None:
        text = "with f() as g:  # tfgpu: ignore[a]\n    x = 1\n"
        assert about(text) == [(1, 1)]
        assert about("@d\ndef f(\n    a,  # tfgpu: ignore[a]\n):\n    pass\n") == [(2, 4)]

    def test_above_the_first_statement_of_a_block(self) -> None:
        assert about("if x:\n    # tfgpu: ignore[a]\n    y = 1\nz = 2\n") == [(3, 3)]

    def test_a_string_of_several_lines_and_a_backslash(self) -> None:
        text = "f('''\n\n''')  # tfgpu: ignore[a]\nx = 1 + \\\n    2  # tfgpu: ignore[b]\n"
        assert about(text) == [
            (1, 3), (4, 5),
        ]  # fmt: skip

    def test_at_the_end_of_the_file(self) -> None:
        assert about("x = 1\n# tfgpu: ignore[a]") == [(2, 2)]
        assert about("x = 1  # tfgpu: ignore[a]") == [(1, 1)]

    @pytest.mark.parametrize("end", ["\r\n", "\r"])
    def test_other_line_endings(self, end: str) -> None:
        text = end.join(["x = 1", "# tfgpu: ignore[a]", "y = f(", ")", ""])
        found = only(python_comments(text))
        assert (found.line, found.first, found.last) == (2, 3, 4)

    def test_what_is_no_python_further_down(self) -> None:
        assert about("x = 1  # tfgpu: ignore[a]\ny = (\n") == [(1, 1)]


class TestOtherFiles:
    def test_behind_and_above_a_line(self) -> None:
        text = (
            "export A=1  # tfgpu: ignore[a] why\n# tfgpu: ignore[b]\n\n# more\nRUN x \\\n  y\nz\n"
        )
        found = line_comments(text)
        assert [(item.line, item.first, item.last, item.rules) for item in found] == [
            (1, 1, 1, ("a",)),
            (2, 5, 6, ("b",)),
        ]
        assert (found[0].column, found[0].end_column) == (13, 35)

    def test_a_comment_between_lines_that_go_on(self) -> None:
        found = only(line_comments("RUN a \\\n# tfgpu: ignore[a]\n  b\n"))
        assert (found.first, found.last) == (1, 3)

    def test_another_mark(self) -> None:
        found = only(line_comments('{\n  // tfgpu: ignore[a]\n  "x": 1\n}\n', "//"))
        assert (found.line, found.first, found.rules) == (2, 3, ("a",))

    @pytest.mark.parametrize("text", ["x#tfgpu: ignore[a]\n", "tfgpu: x\n", "x\n"])
    def test_none(self, text: str) -> None:
        assert line_comments(text) == []
