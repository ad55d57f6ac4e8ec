"""Places in files, as every report writes them."""

import pytest

from tfgpu.place import Place, place


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


def test_a_place_is_a_key_and_says_where_it_is() -> None:
    here = Place("a.ipynb", 2, 5, 3)
    assert {here: 1}[Place("a.ipynb", 2, 5, 3)] == 1
    assert str(here) == "a.ipynb:cell 3:2:5"
    assert str(Place("::error::.py", 1)) == "./::error::.py:1"
