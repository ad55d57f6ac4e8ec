"""INI and TOML: tox, pytest-env, supervisor, poe."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, G, rules, settings, values


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"[testenv]\nsetenv =\n    PY = 1\n    {D} = 0\n", ["0"]),
        (f"[testenv]\nset_env = {D}=-1\n", ["-1"]),
        (f"[testenv]\nset_env =\n    {D} = 0  # the first\n", ["0"]),
        (f"[testenv]\nsetenv =\n    gpu: {D}=0\n    cpu: {D}=-1\n", ["0", "-1"]),
        (f"[testenv]\nsetenv = {D}={{env:{D}:1}}\n", [None]),
        (f"[testenv]\npassenv = HOME {D}\n", [None]),
        (f"[testenv]\ncommands =\n    env {D}=2 pytest\n", ["2"]),
        (f"[tool:pytest]\nenv =\n    D:{D}=\n", [""]),
        (f'[program:x]\nenvironment=A="x",{D}="0,1"\n', ["0,1"]),
        (f"[x]\n# setenv = {D}=0\n; env = {D}=0\ndescription = {D}=0\n", []),
    ],
)
def test_ini(text: str, found: list[str | None]) -> None:
    assert values("tox.ini", text) == found
    assert {rule for _, rule in rules("setup.cfg", text)} <= {"cuda-visible-devices"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f'[tool.pytest_env]\n{D} = "0"\n', ["0"]),
        (f'[tool.pytest_env]\n{D} = {{ value = "1", skip_if_set = true }}\n', ["1"]),
        (f"[tool.pytest_env]\n{D} = true\n", [None]),
        (f'[tool.pytest.ini_options]\nenv = ["A=1", "D:{D}=-1"]\n', ["-1"]),
        (f'[tool.tox.env_run_base]\nset_env = {{ {D} = "0" }}\n', ["0"]),
        (f'[tool.tox]\nlegacy_tox_ini = """\n[testenv]\nsetenv =\n    {D} = 5\n"""\n', ["5"]),
        (f'[tool.poe.tasks]\ntrain = "env {D}=7 python train.py"\n', ["7"]),
        (
            f'[tool.poe.tasks.train]\ncmd = "env {D}=7 python a.py"\nhelp = "{D}=8 is faster"\n',
            ["7"],
        ),
        (f'description = "{D}=0 python train.py"\n', []),
        (f'a = {{ description = "{D}=0", script = "{D}=1 python a.py" }}\n', ["1"]),
        (f'[x]\n# {D} = "0"\ntext = "see {D}"\n', []),
    ],
)
def test_toml(text: str, found: list[str | None]) -> None:
    assert values("pyproject.toml", text) == found


def test_supervisor_and_direnv() -> None:
    text = f"[program:x]\nenvironment={G}=true\ncommand=/usr/bin/env {D}=3 python x.py\n"
    assert [item[:3] for item in settings("supervisord.conf", text)] == [
        (2, G, "true"),
        (3, D, "3"),
    ]
    assert values(".envrc", f"export {D}=0\n") == ["0"]
