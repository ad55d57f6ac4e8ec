"""Places in files, as every report writes them."""

import pytest

from tfgpu.place import place


@pytest.mark.parametrize(
    ("line", "column", "cell", "text"),
    [
        (0, 0, 0, "a.py"),
        (3, 0, 0, "a.py:3"),
        (3, 5, 0, "a.py:3:5"),
        (2, 5, 3, "a.py:cell 3:2:5"),
        (0, 0, 3, "a.py:cell 3"),
    ],
)
def test_what_is_not_known_is_left_out(line: int, column: int, cell: int, text: str) -> None:
    assert place("a.py", line, column, cell) == text


def test_no_line_is_a_command_to_github() -> None:
    assert place("::error::.py", 1) == "./::error::.py:1"
