"""Whatever a file holds: no crash, and places that are in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.environment.reading import D, G
from tests.tools import book
from tfgpu.environment.magics import read_magic
from tfgpu.files.kinds import EVERY, REWRITTEN, kind_of
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.rulebook.model import Example

NAMES = [
    "a.sh", "Dockerfile", "Makefile", ".env", "a.service", "a.yml", "launch.json", "a.slurm",
]  # fmt: skip
PIECES = [
    D, G, "=", "=0", "= 0", "\n", "\t", " ", "export ", "'", '"', "\\", "\\\n", "$", "${X:-0}",
    "{{ x }}", "{% if %}", "- ", ": ", "env:", "run: |\n", "#", "#SBATCH --gres=gpu:1", "<<EOF\n",
    "EOF\n", "ENV ", "RUN ", "ARG ", "[", "]", "{", "}", "(", ")", "`", "&&", ";", "|", ">", "&x ",
    "*x", "docker run --gpus all ", "-e ", "bash -c ", "é", "\u200b", "\r\n", "\r", "//", "/*",
    "Environment=", "nvidia.com/gpu: 1", "limits:", "name: ", "value: ", "CMD [", ",", "?=", "!!",
    "\u2028", "\x0b", "define x\n", "\U0001f600",
]  # fmt: skip


def _examples() -> Iterator[Example]:
    for rule in book().rules:
        for example in rule.examples:
            if kind_of(example.path) not in REWRITTEN:
                yield example


def _check(name: str, data: bytes) -> None:
    job = Job(Options(), rewrite=False, kinds=EVERY)
    (result,) = process({name: data}, job, book())
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    for finding in result.findings:
        assert 1 <= finding.line <= len(lines)
        assert finding.column >= 1
        assert finding.end_line >= finding.line
        text = lines[finding.line - 1].decode("utf-8", "replace").removeprefix("\ufeff")
        assert finding.snippet == text
        assert finding.column <= len(text) + 1


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(NAMES), st.lists(st.sampled_from(PIECES), max_size=30))
def test_any_mixture_of_pieces(name: str, pieces: list[str]) -> None:
    _check(name, "".join(pieces).encode())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_mutated_examples(data: st.DataObject) -> None:
    example = data.draw(st.sampled_from(list(_examples())))
    text = example.before.encode()
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        new = data.draw(st.sampled_from([*PIECES, ""])).encode()
        text = text[:start] + new + text[end:]
    _check(example.path, text)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(NAMES), st.binary(max_size=80))
def test_any_bytes(name: str, data: bytes) -> None:
    _check(name, D.encode() + b"=" + data)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, "%env ", "!", "%%bash\n"]), max_size=12))
def test_any_magic(pieces: list[str]) -> None:
    read_magic("".join(pieces), 1, book().variable_names)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "opening", ["(", "{", "[", "$(", "${", "((", "- ", "if true; then ", '"$(']
)
def test_deep_nesting(name: str, opening: str) -> None:
    _check(name, (opening * 3_000 + f" {D}=0").encode())
