"""Scripts of csh, fish, Windows' command prompt and PowerShell."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, rules, said, settings, values


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("a.csh", f"setenv {D} 0,1", ["0,1"]),
        ("a.csh", f'if ( $x ) setenv   {D}   "1"', ["1"]),
        ("a.csh", f"setenv {D} $GPU", [None]),
        ("a.csh", f"env {D}=2 python x.py", ["2"]),
        (".cshrc", f"setenv {D} 0 # one", ["0"]),
        ("a.csh", f"# setenv {D} 0\nset x = {D}", []),
        ("a.csh", f"unsetenv {D}", [None]),
        ("a.fish", f"set -gx {D} 0", ["0"]),
        ("a.fish", f"set -x {D} '1,0'", ["1,0"]),
        ("a.fish", f"set --export {D} $argv[1]", [None]),
        ("a.fish", f"set {D} 0\n# set -x {D} 0", []),
        ("a.bat", f"set {D}=0", ["0"]),
        ("a.bat", f'@set "{D}=0,1"', ["0,1"]),
        ("a.cmd", f"set {D}=0 && python x.py", ["0 "]),
        ("a.bat", f"set {D}=%1", [None]),
        ("a.bat", f"setx {D} 1", ["1"]),
        ("a.bat", f"SET {D.lower()}=1", ["1"]),
        ("a.bat", f'if "%1"=="gpu" set {D}=0\nif not defined GPU set {D}=-1', ["0", "-1"]),
        ("a.bat", f"if /i %MODE% equ gpu if exist a.txt @set {D}=0", ["0"]),
        ("a.bat", f'if "%1"=="gpu" echo you may set {D}=0', []),
        ("a.bat", f"rem set {D}=0\n:: set {D}=0\necho %{D}%", []),
        ("a.ps1", f'$env:{D} = "0,1"', ["0,1"]),
        ("a.ps1", f"$Env:{D}=0; python x.py", ["0"]),
        ("a.ps1", f"if ($x) {{ ${{env:{D}}} = '1' }}", ["1"]),
        ("a.ps1", f"$env:{D} = $gpu", [None]),
        ("a.ps1", f'[Environment]::SetEnvironmentVariable("{D}", "0", "User")', ["0"]),
        ("a.ps1", f"Set-Item -Path Env:{D} -Value 2", ["2"]),
        ("a.ps1", f'# $env:{D} = "0"\n<# $env:{D} = "1" #>\nif ($env:{D} -eq "0") {{}}', []),
    ],
)
def test_variables_of_other_shells(name: str, line: str, found: list[str | None]) -> None:
    assert values(name, f"{line}\n") == found


def test_a_shell_is_told_by_its_first_line() -> None:
    assert rules("run.sh", f"#!/bin/tcsh\nsetenv {D} 0\n") == [(2, "cuda-visible-devices")]


@pytest.mark.parametrize("name", ["a.csh", "a.fish", "a.bat", "a.ps1"])
def test_commands_of_other_shells(name: str) -> None:
    assert [item[1] for item in settings(name, "docker run --gpus all image\n")] == [
        "docker --gpus"
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.bat", f"if x (\n set {D}=0\n) else (\n set {D}=1\n)\n"),
        ("a.ps1", f"if ($x) {{\n $env:{D}='0'\n}} else {{\n $env:{D}='1'\n}}\n"),
    ],
)
def test_branches_do_not_contradict_each_other(name: str, text: str) -> None:
    assert {rule for _, rule in rules(name, text)} == {"cuda-visible-devices"}


def test_places_in_other_shells() -> None:
    assert said("a.csh", f"setenv {D} 0\n")[0][:2] == (1, 8)
    assert said("a.fish", f"set -gx {D} 0\n")[0][:2] == (1, 9)
    assert said("a.bat", f"@set {D}=0\n")[0][:2] == (1, 6)
    assert said("a.ps1", f"$env:{D} = 0\n")[0][:2] == (1, 1)
