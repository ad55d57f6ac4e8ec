"""Makefiles, .env files and systemd units."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, G, rules, said, settings, values


@pytest.mark.parametrize(
    ("line", "value", "way"),
    [
        (f"export {D} = 0", "0", "exported"),
        (f"export {D}=0", "0", "exported"),
        (f"export {D} := 0,1  # two", "0,1", "exported"),
        (f"override export {D} = 0", "0", "exported"),
        (f"train: export {D} = 0", "0", "exported"),
        (f"train test: export {D} := 0", "0", "exported"),
        (f"{D} = 0\nexport {D}", "0", "exported"),
        (f"{D} = 0\nexport", "0", "exported"),
        (f"{D} = 0", "0", "assigned"),
        (f"{D} = 0\na:\n\tpython --gpu $({D})", "0", "file"),
        (f"export {D} ?= 0", None, "exported"),
        (f"export {D} += ,1", None, "exported"),
        (f"export {D} != free-gpu", None, "exported"),
        (f"export {D} = $(GPU)", None, "exported"),
        (f"a:\n\t@{D}=0 python x.py", "0", "command"),
        (f"a:\n\t-{D}=0 python x.py", "0", "command"),
        (f"a:\n\tcd x && \\\n\t  {D}=0 python x.py", "0", "command"),
        (f"a:\n\tfor i in 0 1; do {D}=$$i python x.py; done", None, "command"),
        (f"a:\n\t{D}=$(GPU) python x.py", None, "command"),
        (f"define run\n\t{D}=0 python x.py\nendef", "0", "command"),
        (f"ifdef X\nexport {D} = 0\nendif", "0", "exported"),
    ],
)
def test_makefiles(line: str, value: str | None, way: str) -> None:
    assert [(item[2], item[3]) for item in settings("Makefile", line + "\n")] == [(value, way)]


@pytest.mark.parametrize(
    "line", [f"# export {D} = 0", f"a: # {D}=0", f"\t{D}", f"$(info {D}=0)", f"include {D}"]
)
def test_what_sets_nothing_in_a_makefile(line: str) -> None:
    assert values("Makefile", line + "\n") == []


def test_a_default_of_make() -> None:
    (found,) = said("Makefile", f"export {D} ?= 0\n")
    assert found == (1, 8, "cuda-visible-devices", f"{D}=0: 0 unless something else is given")


def test_a_variable_of_make_that_no_recipe_sees() -> None:
    assert rules("Makefile", f"{D} = 0\na:\n\tpython x.py\n") == [(1, "not-exported")]


def test_places_in_a_recipe() -> None:
    text = f"a: b\n\t@cd x && \\\n\t  {D}=0 python x.py\n"
    assert said("Makefile", text)[0][:2] == (3, 4)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (f"{D}=0", "0"),
        (f"{D}=", ""),
        (f'{D}="0,1"', "0,1"),
        (f"{D}='0,1' # two", "0,1"),
        (f"export {D}=0", "0"),
        (f"{D}=$GPU", None),
        (f"{D}=${{GPU:-0}}", None),
        (f"{D}='$GPU'", "$GPU"),
    ],
)
def test_files_of_variables(line: str, value: str | None) -> None:
    assert values(".env", f"# {D}=9\nA=1\n{line}\nB=2\n") == [value]


def test_what_sets_nothing_in_a_file_of_variables() -> None:
    assert values(".env", f"{D}\n='x\n'\n# {D}=1\n") == []


def test_blanks_in_a_file_of_variables() -> None:
    assert rules(".env", f"{D} = 0\nA = 1\n") == [
        (1, "cuda-visible-devices"),
        (1, "blanks-in-file"),
    ]


def test_places_in_a_file_of_variables() -> None:
    text = f"\n\n  A=1\n\n  {D}=0\n{D}=1\n"
    assert [item[:3] for item in said("gpu.env", text + "\n")][-3:] == [
        (3, 3, "cuda-visible-devices"),
        (4, 1, "cuda-visible-devices"),
        (4, 1, "overwritten-variable"),
    ]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (f"Environment={D}=0", "0"),
        (f'Environment="{D}=0,1"', "0,1"),
        (f"Environment=\"A=x y\" '{D}=0' B=1", "0"),
        (f"Environment = A=1 \\\n  {D}=0", "0"),
        (f"Environment={D}=%i", None),
        (f"ExecStart=/usr/bin/env {D}=0 python x.py", "0"),
        (f"ExecStart=-/usr/bin/env {D}=0 python x.py", "0"),
        (f"ExecStartPre=/bin/sh -c '{D}=0 python x.py'", "0"),
    ],
)
def test_units(line: str, value: str | None) -> None:
    assert values("a.service", f"[Service]\n; {D}=9\n# {D}=9\n{line}\n") == [value]


@pytest.mark.parametrize(
    "line", [f"Description={D}=0", f"#Environment={D}=0", f'Environment="{D}=0', "Environment=A"]
)
def test_what_sets_nothing_in_a_unit(line: str) -> None:
    assert values("a.service", f"[Service]\n{line}\n") == []


def test_a_unit_with_two_values() -> None:
    text = f"[Service]\nEnvironment={D}=0 {G}=true\nEnvironment={D}=1\n"
    assert rules("a.service", text) == [
        (2, "cuda-visible-devices"),
        (2, "force-gpu-allow-growth"),
        (3, "cuda-visible-devices"),
        (3, "overwritten-variable"),
    ]
    assert said("a.service", "[Service]\nExecStart=docker run --gpus all x\n")[0][:2] == (2, 29)
