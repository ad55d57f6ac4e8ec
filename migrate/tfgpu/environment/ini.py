"""Reads INI and TOML: the variables that tox, pytest, supervisor and their kin set, and commands.

`tox.ini`, `setup.cfg`, `pytest.ini`, `supervisord.conf`, `pyproject.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfgpu.dataclass import replace
from tfgpu.environment.model import AS_OUTSIDE, LIKE_NAME, Item, Setting, Span, Way
from tfgpu.environment.piece import lines_of
from tfgpu.environment.shell import read_shell

_NAME = LIKE_NAME.pattern
_KEY = re.compile(r"([A-Za-z][\w.-]*)[ \t]*[=:][ \t]*")
_SETS = frozenset(["setenv", "set_env", "env", "environment", "raw_env"])
_PASSES = frozenset(["passenv", "pass_env"])
_COMMANDS = frozenset(
    [
        "command",
        "commands",
        "commands_pre",
        "commands_post",
        "cmd",
        "exec",
        "list_dependencies_command",
    ]
)
# `gpu,linux: X = 0` of tox, `D:X=0` of pytest-env.
_PAIR = re.compile(rf"[ \t]*(?:[\w{{}},!.-]+:[ \t]*)*({_NAME})[ \t]*=[ \t]*(.*?)[ \t]*$")
_LIST = re.compile(rf"({_NAME})=(\"[^\"]*\"|'[^']*'|[^,\s]*)")
_DEFAULT = re.compile(r"\{env:\w+:([^{}]*)\}")
_TOML = re.compile(
    rf"(?P<comment>#[^\n]*)|(?P<long>\"{{3}}.*?\"{{3}}|'{{3}}.*?'{{3}})"
    rf"|(?<![\w.-])[\"']?(?P<name>{_NAME})[\"']?[ \t]*=[ \t]*"
    r"(?:\{[^}\n]{0,200}?\bvalue[ \t]*=[ \t]*)?"
    r"(?P<value>\"(?!\"\")(?:\\.|[^\"\\\n])*\"|'(?!'')[^'\n]*'|-?\d+)"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*')",
    re.DOTALL,
)


def read_ini(text: str, names: frozenset[str]) -> list[Item]:
    """Return what an INI file sets and what its commands set."""
    return list(_ini_items(text, names, 1))


def _ini_items(text: str, names: frozenset[str], first: int) -> Iterator[Item]:
    key, section = "", ""
    for number, line in enumerate(text.split("\n"), first):
        stripped = line.strip()
        if not stripped or stripped[0] in "#;":
            continue
        if line[:1] == "[":
            key, section = "", line
            continue
        found = None if line[:1] in " \t" and key else _KEY.match(stripped)
        start = len(line) - len(line.lstrip())
        if found is not None:
            key, start = found[1].lower(), start + found.end()
        body = " " * start + line[start:]
        block = f"{section} {key}"
        if key in _SETS:
            yield from _settings(body, number, key, block)
        elif key in _PASSES:
            for word in re.finditer(_NAME, body):
                if word[0] in names:
                    span = Span(number, word.start() + 1, number, word.end() + 1)
                    yield Setting(word[0], None, AS_OUTSIDE, span, Way.CHILD, block=block)
        elif key in _COMMANDS:
            yield from read_shell(lines_of(body, number, block), names)


def _settings(body: str, number: int, key: str, block: str) -> Iterator[Setting]:
    pairs = list(_LIST.finditer(body)) if key == "environment" else []
    pair = _PAIR.match(body)
    if not pairs and pair is not None:
        pairs = [pair]
        # Where it holds for some environments only, another one does not replace it.
        block += body[: pair.start(1)].strip()
    for found in pairs:
        text = found[2].strip("\"'") if key == "environment" or found[2][:1] in "\"'" else found[2]
        known = None if re.search(r"\{\w|%\(|\$", text) else text
        default = _DEFAULT.fullmatch(text)
        span = Span(number, found.start(1) + 1, number, found.end(2) + 1)
        yield Setting(
            found[1], known, text, span, Way.CHILD, default[1] if default else None, block
        )


def read_toml(text: str, names: frozenset[str]) -> list[Item]:
    """Return what a TOML file sets and what the commands in it set."""
    return list(_toml_items(text, names))


def _toml_items(text: str, names: frozenset[str]) -> Iterator[Item]:
    for found in _TOML.finditer(text):
        number = text.count("\n", 0, found.start()) + 1
        begin = text.rfind("\n", 0, found.start()) + 1
        column = found.start() - begin + 1
        if found["long"]:
            inside = found["long"][3:-3]
            yield from _ini_items(inside, names, number)
        elif found["name"] in names:
            value = found["value"].strip("\"'")
            span = Span(number, column, number, column + len(found[0]))
            yield Setting(
                found["name"], _known(value), value, span, Way.CHILD, block=f"at {number}"
            )
        elif string := found["string"] or found["value"]:
            place = column + len(found[0]) - len(string) + 1
            pair = re.fullmatch(rf"(?:[RD]:)*({_NAME})=([^ ]*)", string[1:-1])
            if pair is not None:
                span = Span(number, place, number, place + len(string) - 2)
                yield Setting(
                    pair[1], _known(pair[2]), pair[2], span, Way.CHILD, block=f"at {number}"
                )
            elif " " in string:
                piece = lines_of(string[1:-1].replace('\\"', "' "), number, f"at {number}")
                yield from read_shell(replace(piece, starts=((number, place),)), names)


def _known(value: str) -> str | None:
    return None if "$" in value or "{" in value else value
