"""Assignments of shell that programs see, and ones that stay variables of the script."""

from __future__ import annotations

from time import monotonic

import pytest

from tests.environment.reading import D, G, rules

RUN = "python train.py"


def _not_exported(text: str) -> list[int]:
    return [line for line, rule in rules("a.sh", text) if rule == "not-exported"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{D}=1\n{RUN}\nexport {D}=2\n{RUN}\n", [1]),
        (f"{D}=1\n(export {D}=2; {RUN})\n{RUN}\n", [1]),
        (f"{D}=1\n{RUN}\n(export {D})\n", [1]),
        (f"{D}=1\n{RUN}\n{D}=2\nexport {D}\n{RUN}\n", [1]),
        (f"{D}=1\nunset {D}\nexport {D}\n{RUN}\n", [1]),
        (f"export {D}=0\nunset {D}\n{D}=1\n{RUN}\n", [3]),
        (f"export {D}=0\nif x; then\nunset {D}\n{D}=1\n{RUN}\nfi\n", [4]),
        (f"export -n {D}\n{D}=1\n{RUN}\n", [2]),
        (f"export {D}=0\ndeclare +x {D}\n{D}=1\n{RUN}\n", [3]),
        (f"(export {D}=0)\n{D}=1\n{RUN}\n", [2]),
        (f"({D}=0; {RUN})\nexport {D}\n{RUN}\n", [1]),
        (f"{D}=1\nset -a\n{RUN}\n", [1]),
        (f"set -a\n{D}=0\n{RUN}\nset +a\nunset {D}\n{D}=1\n{RUN}\n", [6]),
        (f"declare {D}=1\n{RUN}\n", [1]),
    ],
)
def test_what_programs_do_not_see(text: str, lines: list[int]) -> None:
    assert _not_exported(text) == lines


@pytest.mark.parametrize(
    "text",
    [
        f"{D}=1\nexport {D}\n{RUN}\n",
        f"{D}=1\ncd here\nnvidia-smi\nexport {D}\n{RUN}\n",
        f"{D}=1\nexport {D}=2\n{RUN}\n",
        f"{D}=1\n(export {D}; {RUN})\n{RUN}\n",
        f"export {D}=0\n{RUN}\n{D}=1\n{RUN}\n",
        f"export {D}\n{D}=1\n{RUN}\n",
        f"export {D}=0\n[ -n x ] && unset {D}\n{D}=1\n{RUN}\n",
        f"export {D}=0\n(unset {D}; {RUN})\n{D}=1\n{RUN}\n",
        f"if x; then\n{D}=1\nelse\n{D}=0\nfi\nexport {D}\n{RUN}\n",
        f"if x; then\nexport {D}=1\nelse\n{D}=0\nfi\n{RUN}\n",
        f"f() {{\nexport {D}\n}}\n{D}=1\nf\n{RUN}\n",
        f"f() {{\n{D}=1\n}}\nf\nexport {D}\n{RUN}\n",
        f"declare -x {D}\n{D}=1\n{RUN}\n",
        f"set -a\n{D}=1\n{RUN}\n",
        f"set -o allexport\n{D}=1\n{RUN}\n",
        f"{D}=1\n",
    ],
)
def test_what_programs_see(text: str) -> None:
    assert _not_exported(text) == []


def test_a_script_with_very_many_assignments() -> None:
    assert _not_exported(f"{D}=1\n{RUN}\n" * 300) == list(range(1, 600, 2))
    assert _not_exported(f"{D}=1\n{RUN}\n" * 300 + f"export {D}=2\n") == []


LOST = f"export {D}=1"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("Dockerfile", f"FROM x\nRUN {LOST}\n", 2),
        ("Dockerfile", f"FROM x\nRUN apt-get update && {LOST}\n", 2),
        ("Dockerfile", f"FROM x\nRUN {D}=1\n", 2),
        ("Dockerfile", f"FROM x\nRUN <<EOF\n{LOST}\nEOF\n", 3),
        ("Dockerfile", f'FROM x\nRUN ["bash", "-c", "{LOST}"]\n', 2),
        ("Makefile", f"a:\n\t{LOST}\n\t{RUN}\n", 2),
        ("Makefile", f"a:\n\t{D}=1\n\t{RUN}\n", 2),
        (".github/workflows/a.yml", f"steps:\n- run: {LOST}\n- run: {RUN}\n", 2),
        ("a.service", f"[Service]\nExecStartPre=/bin/sh -c '{LOST}'\n", 2),
        ("a.sh", f"bash -c '{LOST}'\n{RUN}\n", 1),
        ("a.sh", f"ssh host '{LOST}'\nssh host {RUN}\n", 1),
        ("a.sh", f"({LOST})\n{RUN}\n", 1),
        ("a.sh", f"bash <<EOF\n{LOST}\nEOF\n{RUN}\n", 2),
        ("a.py", f"import os\nos.system('{LOST}')\n", 2),
        ("a.py", f"import subprocess\nsubprocess.run('{LOST}', shell=True)\n", 2),
    ],
)
def test_what_is_gone_with_its_shell(name: str, text: str, line: int) -> None:
    assert rules(name, text) == [(line, "lost-with-shell")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Dockerfile", f"FROM x\nRUN {LOST} && {RUN}\n"),
        ("Dockerfile", f"FROM x\nRUN {LOST}; $CMD\n"),
        ("Dockerfile", f"FROM x\nRUN {LOST}; echo ${D} > /gpus\n"),
        ("Dockerfile", f"FROM x\nRUN echo '{LOST}' >> ~/.bashrc\n"),
        ("Dockerfile", f"FROM x\nRUN cat <<EOF >> ~/.bashrc\n{LOST}\nEOF\n"),
        ("Makefile", f"a:\n\t{LOST}; \\\n\t$(RUN)\n"),
        ("Makefile", f".ONESHELL:\na:\n\t{LOST}\n\t{RUN}\n"),
        (".github/workflows/a.yml", f"steps:\n- run: |\n    {LOST}\n    ${{{{ matrix.run }}}}\n"),
        (".gitlab-ci.yml", f"a:\n script:\n - {LOST}\n - {RUN}\n"),
        ("a.sh", f"eval '{LOST}'\n{RUN}\n"),
        ("a.sh", f"({LOST}; {RUN})\n"),
        ("a.sh", f"({LOST}; x=$({RUN}))\n"),
        ("a.sh", f"{LOST}\n"),
        ("a.py", f"import os\nos.system('{LOST}; ' + command)\n"),
    ],
)
def test_what_the_programs_of_a_shell_see(name: str, text: str) -> None:
    assert [rule for _, rule in rules(name, text)] == ["cuda-visible-devices"]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (f"{G}=1", "value-not-understood"),
        (f"{D}=[0]", "device-list-cut"),
        (f"{D}=0,0", "device-twice"),
    ],
)
def test_a_value_that_would_be_wrong_if_it_were_exported(line: str, wrong: str) -> None:
    assert rules("a.sh", f"{line}\n{RUN}\n") == [(1, wrong), (1, "not-exported")]
    assert rules("a.sh", f"{G}=true\n{RUN}\n") == [(1, "not-exported")]


def test_many_assignments_take_their_time_once() -> None:
    # Each is looked at by itself, not with all others.
    text = f"{D}=1\nexport {D}\n" * 5_000
    start = monotonic()
    assert _not_exported(text) == []
    assert monotonic() - start < 30
