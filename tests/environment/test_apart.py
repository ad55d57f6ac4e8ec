"""Two values of a variable contradict each other in one environment only."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, rules

ITEM = f"- {{name: {D}, value: "


def _contradictions(name: str, text: str) -> list[int]:
    return [line for line, rule in rules(name, text) if rule == "overwritten-variable"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "docker-compose.yml",
            f"services:\n a:\n  environment:\n   - {D}=0\n b:\n  environment:\n   - {D}=1\n",
        ),
        (
            "docker-compose.yml",
            f"services:\n a:\n  environment:\n   {D}: 0\n b:\n  environment:\n   {D}: 1\n",
        ),
        (
            "pod.yaml",
            f"spec:\n containers:\n - env:\n   {ITEM}'0'}}\n - env:\n   {ITEM}'1'}}\n",
        ),
        (
            "task.json",
            f'{{"a": [{{"environment": [{{"name": "{D}", "value": "0"}}]}},\n'
            f' {{"environment": [{{"name": "{D}", "value": "1"}}]}}]}}\n',
        ),
        (
            "launch.json",
            f'{{"configurations": [{{"env": {{"{D}": "0"}}}},\n {{"env": {{"{D}": "1"}}}}]}}\n',
        ),
        (".github/workflows/a.yml", f"env:\n {D}: 0\njobs:\n a:\n  env: {{{D}: 1}}\n"),
        (".gitlab-ci.yml", f"a:\n variables: {{{D}: 0}}\nb:\n variables: {{{D}: 1}}\n"),
        (".travis.yml", f"env:\n - {D}=0\n - {D}=1\n"),
        (".travis.yml", f"env:\n matrix:\n - {D}=0\n - {D}=1\n"),
        ("tox.ini", f"[testenv]\nsetenv =\n {D}=0\n[testenv:b]\nsetenv =\n {D}=1\n"),
        ("tox.ini", f"[testenv]\nsetenv =\n gpu: {D}=0\n cpu: {D}=1\n"),
        ("supervisord.conf", f"[program:a]\nenvironment={D}=0\n[program:b]\nenvironment={D}=1\n"),
        ("pyproject.toml", f"[tool.a.env]\n{D} = '0'\n[tool.b.env]\n{D} = '1'\n"),
        ("a.bat", f"if x (set {D}=0) else (set {D}=1)\n"),
        ("a.bat", f'if "%1"=="a" set {D}=0\nif "%1"=="b" set {D}=1\n'),
        ("a.bat", f"set {D}=0& python a.py & set {D}=1& python b.py\n"),
        ("a.bat", f"set {D}=0\nsetx {D} 1\n"),
        ("a.ps1", f"if ($x) {{ $env:{D}='0' }} else {{ $env:{D}='1' }}\n"),
        ("a.ps1", f"$env:{D}='0'; python a.py; $env:{D}='1'; python b.py\n"),
        ("a.sh", f"[ $1 = a ] && export {D}=0\n[ $1 = b ] && export {D}=1\n"),
        ("a.sh", f"[ $1 = a ] && export {D}=0 || export {D}=1\n"),
        ("a.sh", f"export {D}=0\ndocker exec -e {D}=1 box python a.py\n"),
    ],
)
def test_environments_that_are_apart(name: str, text: str) -> None:
    assert [rule for _, rule in rules(name, text)] == ["cuda-visible-devices"] * 2


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("docker-compose.yml", f"services:\n a:\n  environment:\n  - {D}=0\n  - {D}=1\n", 5),
        ("pod.yaml", f"containers:\n- env:\n  {ITEM}'0'}}\n  {ITEM}'1'}}\n", 4),
        (".travis.yml", f"env:\n global:\n - {D}=0\n - {D}=1\n", 4),
        ("a.bat", f"set {D}=0\nset {D}=1\npython a.py\n", 2),
        ("a.ps1", f"$env:{D}='0'; $env:{D}='1'\npython a.py\n", 1),
    ],
)
def test_one_environment(name: str, text: str, line: int) -> None:
    assert _contradictions(name, text) == [line]
