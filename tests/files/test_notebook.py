"""Notebooks: read as one module, edited in place."""

from __future__ import annotations

import ast
import difflib
import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.files.notebooks import notebook, read, sources
from tfgpu.files.notebook import MAX_NOTEBOOK_BYTES, read_notebook
from tfgpu.files.pyfile import MAX_BYTES, SourceError


def changed_lines(before: str, after: str) -> list[str]:
    """Return the lines that go and those that come, without indentation."""
    lines = list(difflib.ndiff(before.split("\n"), after.split("\n")))
    return [f"{mark} {line[2:].strip()}" for mark in "-+" for line in lines if line[0] == mark]


class TestReading:
    def test_the_cells_are_one_module_in_order(self) -> None:
        module = read(notebook("import os\nx = 1", "y = 2\n", "z = 3"))
        tree = ast.parse(module.text)
        code = [ast.unparse(node) for node in tree.body if not isinstance(node, ast.Expr)]
        assert code == ["import os", "x = 1", "y = 2", "z = 3"]

    def test_places_count_all_cells(self) -> None:
        module = read(notebook("a = 1\nb = 2", "c = 3"))
        lines = module.text.split("\n")
        assert module.cells.place(lines.index("b = 2") + 1) == (2, 2)
        assert module.cells.place(lines.index("c = 3") + 1) == (3, 1)
        assert module.cells.words(lines.index("c = 3") + 1) == "1 of cell 3"

    def test_nbformat_3(self) -> None:
        cell = {
            "cell_type": "code",
            "input": ["a = 1\n", "b = 2"],
            "language": "python",
            "outputs": [],
        }
        other = {"cell_type": "code", "input": "x <- 1", "language": "R", "outputs": []}
        sheets = [
            {"cells": [{"cell_type": "heading", "source": "T"}, cell]},
            {"cells": [other, cell]},
        ]
        text = json.dumps({"metadata": {"name": ""}, "nbformat": 3, "worksheets": sheets}, indent=2)
        module = read(text)
        assert module.cells.numbers == (2, 4)
        new = module.shown(module.text.replace("b = 2", "b = 3", 1))
        assert changed_lines(text, new) == ['- "b = 2"', '+ "b = 3"']
        assert json.loads(new)["worksheets"][0]["cells"][1]["input"] == ["a = 1\n", "b = 3"]

    @pytest.mark.parametrize(
        "metadata",
        [
            {"kernelspec": {"language": "R", "name": "ir"}},
            {"language_info": {"name": "julia"}},
            {"kernelspec": {"language": "python"}, "language_info": {"name": "scala"}},
        ],
    )
    def test_other_kernels_are_not_read(self, metadata: dict[str, Any]) -> None:
        assert read(notebook("x <- 1", **metadata)).text == ""

    @pytest.mark.parametrize(
        "metadata",
        [{}, {"kernelspec": {"name": "python2"}}, {"language_info": {"name": "ipython"}}],
    )
    def test_kernels_of_python(self, metadata: dict[str, Any]) -> None:
        assert read(notebook("x = 1", **metadata)).text == "x = 1"

    def test_cells_of_another_language_are_not_read(self) -> None:
        document = json.loads(notebook("x = 1", "echo"))
        document["cells"][2]["metadata"] = {"vscode": {"languageId": "shellscript"}}
        assert read(json.dumps(document)).text == "x = 1"

    def test_a_byte_order_mark_stays(self) -> None:
        data = b"\xef\xbb\xbf" + notebook("x = 1").encode()
        module = read_notebook(data)
        assert module.bom
        assert module.encode(module.text) == data
        assert module.encode("x = 2") == data.replace(b"x = 1", b"x = 2")

    def test_large_outputs_are_no_obstacle(self) -> None:
        document = json.loads(notebook("x = 1"))
        document["cells"][1]["outputs"][0]["text"] = "\\" * (2 * MAX_BYTES)
        text = json.dumps(document)
        assert read(text).shown("x = 2") == text.replace("x = 1", "x = 2")


class TestFailures:
    @pytest.mark.parametrize(
        ("text", "reason", "line", "cell"),
        [
            ('{\n "cells": [', "not valid JSON: Expecting value", 2, 0),
            ('{\n "cells": [\n', "not valid JSON: Expecting value", 2, 0),
            ("[]", "JSON, but no notebook", 0, 0),
            ('{"nbformat": "4"}', "JSON, but no notebook", 0, 0),
            ('{"nbformat": 4}', "a notebook without cells", 0, 0),
            ('{"nbformat": 3}', "a notebook without cells", 0, 0),
            ('{"nbformat": 3, "worksheets": [{}]}', "a notebook without cells", 0, 0),
            ('{"nbformat": 4, "cells": {}}', "JSON, but no notebook", 0, 0),
            ('{"nbformat": 4, "cells": [1]}', "JSON, but no notebook", 0, 0),
            (
                '{"nbformat": 4, "cells": [{"cell_type": "code"}]}',
                "a code cell without source", 0, 1,
            ),
            (
                '{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}',
                "a code cell without source", 0, 1,
            ),
            ("[" * 200_000, "too deeply nested", 0, 0),
        ],
    )  # fmt: skip
    def test_one_clear_line(self, text: str, reason: str, line: int, cell: int) -> None:
        with pytest.raises(SourceError) as caught:
            read(text)
        assert (str(caught.value), caught.value.line, caught.value.cell) == (reason, line, cell)

    def test_half_a_character(self) -> None:
        text = notebook("a = 1", "b = 2\nx = '?'").replace("'?'", "'\\ud800'")
        with pytest.raises(SourceError, match="a character that is half of one") as caught:
            read(text)
        assert (caught.value.cell, caught.value.line) == (3, 2)

    def test_bytes_that_are_not_utf_8(self) -> None:
        with pytest.raises(SourceError, match="not UTF-8") as caught:
            read_notebook(b'{\n"\xff')
        assert caught.value.line == 2

    def test_code_has_the_limit_that_files_have(self) -> None:
        with pytest.raises(SourceError, match="of code; above 4 MiB it is not parsed"):
            read(notebook("#" * (MAX_BYTES + 1)))

    def test_a_notebook_has_a_limit(self) -> None:
        with pytest.raises(SourceError, match="notebooks above 128 MiB are not read"):
            read_notebook(b" " * (MAX_NOTEBOOK_BYTES + 1))

    @pytest.mark.parametrize("source", ["a = 1\nx = (", 'a = 1\nx = """', "a = 1\nx = 1 + \\"])
    def test_a_cell_that_does_not_end(self, source: str) -> None:
        module = read(notebook("b = 1", source, "c = b"))
        assert module.broken is not None
        assert "not closed in its cell" in str(module.broken)
        assert (module.broken.cell, module.broken.line) == (3, 2)
        assert [part.text for part in module.parts()][::2] == ["b = 1", "c = b"]


class TestWriting:
    @pytest.mark.parametrize("lists", [True, False])
    @pytest.mark.parametrize("indent", [None, 1, 4])
    def test_only_changed_lines_change(self, lists: bool, indent: int | None) -> None:
        text = notebook("a = 1\nb = '\u00e9'\nc = 3", "d = 4", lists=lists, indent=indent)
        module = read(text)
        new = module.shown(module.text.replace("a = 1\n", 'a = "two"\n'))
        old_line, new_line = ("a = 1\\n", 'a = \\"two\\"\\n')
        assert new == text.replace(old_line, new_line)
        assert sources(new) == ["a = \"two\"\nb = '\u00e9'\nc = 3", "d = 4"]

    def test_lines_come_and_go(self) -> None:
        text = notebook("a = 1\nb = 2\nc = 3", "d = 4")
        module = read(text)
        new = module.shown(
            module.text.replace("b = 2\n", "x = 1\ny = 2\n").replace("d = 4", "d = 4\ne")
        )
        assert changed_lines(text, new) == [
            '- "b = 2\\n",', '- "d = 4"',
            '+ "x = 1\\n",', '+ "y = 2\\n",', '+ "d = 4\\n",', '+ "e"',
        ]  # fmt: skip

    def test_the_last_line_goes(self) -> None:
        text = notebook("a = 1\nb = 2", "c = 3")
        module = read(text)
        new = module.shown(module.text.replace("\nb = 2", ""))
        assert sources(new) == ["a = 1", "c = 3"]
        assert changed_lines(text, new) == ['- "a = 1\\n",', '- "b = 2"', '+ "a = 1"']

    def test_an_empty_cell_stays(self) -> None:
        for lists in (True, False):
            text = notebook("a = 1", "b = 2", lists=lists)
            module = read(text)
            assert sources(module.shown(module.text.replace("b = 2", ""))) == ["a = 1", ""]

    def test_an_empty_cell_is_filled(self) -> None:
        for lists in (True, False):
            module = read(notebook("", "b = 2", lists=lists))
            assert sources(module.shown("a = 'x'" + module.text)) == ["a = 'x'", "b = 2"]

    def test_escapes_of_lines_that_stay(self) -> None:
        source = '["a = \'\\u00e9\\u00E9\\/\\t\'\\n", "b\\n", "c = \'\\ud83d\\ude00\'"]'
        text = f'{{"nbformat": 4, "cells": [{{"source": {source}, "cell_type": "code"}}]}}'
        module = read(text)
        assert module.text == "a = '\u00e9\u00e9/\t'\nb\nc = '\U0001f600'"
        new = module.shown(module.text.replace("b", "x = '\u00e9'"))
        assert new == text.replace('"b\\n"', "\"x = '\\u00e9'\\n\"")

    def test_a_list_that_is_not_split_into_lines(self) -> None:
        source = '["a\\nb", "c\\n", "", "d\\u000a",\n   "e"]'
        text = f'{{"nbformat": 4, "cells": [{{"source": {source}, "cell_type": "code"}}]}}'
        module = read(text)
        assert module.text == "a\nbc\nd\ne"
        expected = '["a\\nb", "c\\n",\n   "x\\n",\n   "e"]'
        assert module.shown("a\nbc\nx\ne") == text.replace(source, expected)
        assert "".join(json.loads(module.shown("a\nbc\nd"))["cells"][0]["source"]) == "a\nbc\nd"

    def test_new_code_that_lost_a_cell_is_refused(self) -> None:
        module = read(notebook("a = 1", "b = 2"))
        with pytest.raises(SourceError, match="cannot be split into cells"):
            module.shown("a = 1\nb = 3")

    def test_cells_that_moved_are_refused(self) -> None:
        module = read(notebook("a = 1", "b = 2", "c = 3"))
        lines = module.text.split("\n")
        lines[1], lines[3] = lines[3], lines[1]
        with pytest.raises(SourceError, match="cannot be split into cells"):
            module.shown("\n".join(lines))

    def test_code_that_looks_like_the_line_between_cells(self) -> None:
        one = read(notebook("a = 1", "b = 2"))
        between = one.text.split("\n")[1]
        module = read(notebook(f"a = 1\n{between}", "b = 2"))
        new = module.shown(module.text.replace("b = 2", "b = 3"))
        assert sources(new) == [f"a = 1\n{between}", "b = 3"]


_LINES = st.lists(
    st.sampled_from(
        ["a = 1", "", "# \u00e9", 'x = "\\n"', "\tb", "%matplotlib inline", "!ls \\", "c\r"]
    ),
    max_size=6,
)
_CELLS = st.lists(_LINES.map("\n".join), min_size=1, max_size=4)


@given(_CELLS, st.booleans(), st.sampled_from([None, 1, 2]), st.booleans())
def test_any_notebook_is_given_back(
    cells: list[str], lists: bool, indent: int | None, escaped: bool
) -> None:
    text = notebook(*cells, lists=lists, indent=indent)
    if escaped:
        text = text.replace("\u00e9", "\\u00e9")
    module = read(text)
    assert module.encode(module.text) == text.encode()
    for number in range(len(cells)):
        assert module.cells.numbers[number] == number + 2


@given(_CELLS, st.data())
def test_a_new_line_changes_one_cell_and_no_other_line(
    cells: list[str], data: st.DataObject
) -> None:
    assume(any(cells))
    text = notebook(*cells)
    module = read(text)
    lines = module.text.split("\n")
    place = data.draw(st.sampled_from([*module.cells.starts]))
    number = module.cells.starts.index(place)
    assume(cells[number])
    new = module.shown("\n".join([*lines[: place - 1], "new = '\u00e9'", *lines[place - 1 :]]))
    expected = list(cells)
    expected[number] = "new = '\u00e9'\n" + cells[number]
    assert sources(new) == expected
    assert [line for line in changed_lines(text, new) if line[0] == "-"] == []


@given(_CELLS, _CELLS)
def test_any_new_sources_are_written(cells: list[str], others: list[str]) -> None:
    count = min(len(cells), len(others))
    plain = [
        [line.replace("%", "#").replace("!", "#") for line in part] for part in (cells, others)
    ]
    before, after = ([source.strip("\n\\") for source in part[:count]] for part in plain)
    old, new = read(notebook(*before)), read(notebook(*after))
    assert sources(old.shown(new.text)) == after
