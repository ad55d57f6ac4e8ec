"""Syntax that only a newer Python has: the line says what may be, and not more."""

from __future__ import annotations

import sys

import pytest

from tfgpu.files.newer import newer_python
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process

NEWER = [
    ((3, 11), "try:\n    pass\nexcept* OSError:\n    pass"),
    ((3, 12), "type X = int"),
    ((3, 12), "type X[T] = list[T]"),
    ((3, 12), "async def f[T](x): pass"),
    ((3, 12), "class A[T]: pass"),
    ((3, 12), 'x = f"{a["b"]}"'),
    ((3, 12), "x = f\"{'\\n'.join(a)}\""),
    ((3, 12), "x = f'''{a # b\n}'''"),
    ((3, 12), 'x = f"a {\n  b\n} c"'),
    ((3, 14), "try:\n    pass\nexcept OSError, ValueError, KeyError:\n    pass"),
    ((3, 14), 'x = [\n    t"a{b}"]'),
    ((3, 14), "x = Rt'{a}'"),
    ((3, 15), "lazy from a import b"),
    ((3, 15), "[*x for x in y]"),
]
BROKEN = ["x = = 1", "x = (", "class A(B) pass", "x = 'it' 5", "f(a='t', b= = 1)", "type(x) = = 3"]


def error_of(text: str) -> SyntaxError:
    with pytest.raises(SyntaxError) as caught:
        compile(text, "", "exec")
    return caught.value


@pytest.mark.parametrize(("version", "text"), NEWER)
def test_what_may_be_of_a_newer_python(version: tuple[int, int], text: str) -> None:
    if sys.version_info >= version:
        pytest.skip("this Python has it")
    assert newer_python(error_of(text)) == "{}.{}".format(*version)


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_broken(text: str) -> None:
    assert not newer_python(error_of(text))


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python has it")
@pytest.mark.parametrize("extra", [True, False])
def test_the_error_of_a_file(extra: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tfgpu.process.is_installed", lambda: extra)
    text = b"def f(a=(ConfigProto)): pass\nx = t'{a}'\n"
    job = Job(Options(), rewrite=False)
    (result,) = process({"a.py": text}, job, job.book(["a.py"]))
    assert result.line == 2
    assert result.reason == (
        "not valid Python 3: invalid syntax (if it is syntax of Python 3.14, run tfgpu on that; "
        "this is {}.{})".format(*sys.version_info)
    )
