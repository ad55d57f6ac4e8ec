"""Reads the programs under `programs/`: one file, or a folder with a `program.toml`.

A file says in its docstring what it shows, and in comments how it is run, where that is not plain:

    # argv: --gpu 1
    # variables: CUDA_VISIBLE_DEVICES=1
    # gpus: sim:16GiB
    # tensorflow: 2            (the TensorFlow that it is written for; else its text decides)
    # expect: safe             (must be converted: see test_convert.py)
    # kept: 9                  (the lines of configs that stay all the same)

`program.toml` has `shows`, maybe `gpus`, `expect` and `kept` (as `path:line`), and a `[[run]]` for
each way to run it, with `script` and maybe `argv`, `variables` and `tensorflow`.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.differential.runner import GPUS, Entry, Program

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent / "programs"
_SETTING = re.compile(r"^# (argv|variables|gpus|tensorflow|expect|kept): (.+)$", re.M)


class Case(NamedTuple):
    """A program, its name (`class/name`), what it shows, and what is expected of it, if it says.

    `kept` are the configs (`path:line`) that stay all the same.
    """

    name: str
    shows: str
    program: Program
    expect: str = ""
    kept: tuple[str, ...] = ()


def cases(*classes: str) -> list[Case]:
    """Return the programs of these classes, of all of them where none is named."""
    folders = [FOLDER / name for name in classes] or [
        path for path in sorted(FOLDER.iterdir()) if path.is_dir()
    ]
    return [read(path) for folder in folders for path in _programs(folder)]


def _programs(folder: Path) -> list[Path]:
    """Return the programs of a class: its files, and its folders."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix in (".py", ".ipynb") or (path / "program.toml").is_file()
    )


@cache
def read(path: Path) -> Case:
    """Read one program."""
    name = path.relative_to(FOLDER).with_suffix("").as_posix()
    if path.is_dir():
        return _folder(name, path)
    text = path.read_bytes().decode()
    said = dict(_SETTING.findall(text))
    variables = dict(pair.split("=", 1) for pair in said.get("variables", "").split())
    entry = Entry(
        path.name, said.get("argv", "").split(), variables, _version(said.get("tensorflow"))
    )
    shows = (ast.get_docstring(ast.parse(text)) or "").strip()
    program = Program({path.name: text}, [entry], said.get("gpus", GPUS))
    kept = tuple(f"{path.name}:{line}" for line in said.get("kept", "").split())
    return Case(name, shows, program, said.get("expect", ""), kept)


def _folder(name: str, path: Path) -> Case:
    told: dict[str, Any] = tomllib.loads((path / "program.toml").read_text("utf-8"))
    entries = [
        Entry(
            run["script"],
            run.get("argv", []),
            run.get("variables", {}),
            _version(run.get("tensorflow")),
        )
        for run in told.get("run", [])
    ]
    files = {
        file.relative_to(path).as_posix(): file.read_bytes().decode()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name != "program.toml" and "__pycache__" not in file.parts
    }
    program = Program(files, entries, told.get("gpus", GPUS))
    return Case(name, told["shows"], program, told.get("expect", ""), tuple(told.get("kept", ())))


def _version(told: object) -> bool | None:
    """Return whether a program is for TensorFlow 1, None where it does not say."""
    return None if told is None else str(told) == "1"
