"""What an analysis asks about files is noted: a question that is not would outlive its answer."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

from tfgpu.files.pattern import Pattern
from tfgpu.program.asked import Asked
from tfgpu.program.modules import Modules

ARGUMENTS: dict[str, object] = {
    "path": "pkg/a.py",
    "importer": "pkg/a.py",
    "dotted": "pkg.b",
    "paths": ["pkg/a.py"],
    "beside": (),
    "more": {"c.py": b"import pkg.a\n"},
    "words": (b"import",),
    "others": (b"nothing",),
    "pattern": Pattern((b"import",)),
}


def questions() -> Iterator[object]:
    for name, _ in inspect.getmembers(Modules, inspect.isfunction):
        is_plain = not isinstance(inspect.getattr_static(Modules, name), staticmethod)
        if not name.startswith("_") and is_plain:
            yield pytest.param(name, id=name)


@pytest.mark.parametrize("name", [*questions()])
def test_a_question_is_noted_or_cannot_be_asked(name: str) -> None:
    files = {
        "pkg/__init__.py": b"",
        "pkg/a.py": b"from pkg import b\nimport sys\n",
        "pkg/b.py": b"from pkg import a\nx = 1\n",
    }
    asked = Asked(Modules(files))
    method = getattr(asked, name)
    parameters = [ARGUMENTS[item] for item in inspect.signature(method).parameters]
    try:
        answer = method(*parameters)
        if isinstance(answer, Iterator):
            list(answer)
    except AttributeError:
        return
    assert asked.questions
