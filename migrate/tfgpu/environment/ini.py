"""Reads INI, TOML, systemd units and `.env`: the variables that they set, and their commands.

`tox.ini`, `setup.cfg`, `pytest.ini`, `supervisord.conf`, `pyproject.toml`; of units `Environment=`,
and the commands of `ExecStart=` and its kin; `.env` as docker compose and python-dotenv read it.
"""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator

from tfgpu.dataclass import replace
from tfgpu.environment.command import default_of
from tfgpu.environment.model import AS_OUTSIDE, LIKE_NAME, Item, Setting, Span, Trouble, Way
from tfgpu.environment.piece import LogicalLine, lines_of, logical_lines
from tfgpu.environment.shell import read_shell
from tfgpu.environment.starters import ASSIGNMENT
from tfgpu.files.pattern import expression

_NAME = LIKE_NAME.pattern
_KEY = expression(r"([A-Za-z][\w.-]*)[ \t]*[=:][ \t]*")
_SETS = frozenset(["setenv", "set_env", "env", "environment", "raw_env"])
# tox leaves out what is behind `#`; others take it for a part of the value.
_OF_TOX = frozenset(["setenv", "set_env"])
_COMMENT = expression(r"\s*(?<!\\)#.*")
_PASSES = frozenset(["passenv", "pass_env"])
_COMMANDS = frozenset(
    ["command", "commands", "commands_pre", "commands_post", "cmd", "exec",
     "list_dependencies_command"]
)  # fmt: skip
# `gpu,linux: X = 0` of tox, `D:X=0` of pytest-env.
_PAIR = expression(rf"[ \t]*(?:[\w{{}},!.-]+:[ \t]*)*({_NAME})[ \t]*=[ \t]*(.*?)[ \t]*$")
_LIST = expression(rf"({_NAME})=(\"[^\"]*\"|'[^']*'|[^,\s]*)")
_DEFAULT = expression(r"\{env:\w+:([^{}]*)\}")
_TOML = expression(
    rf"(?P<comment>#[^\n]*)|(?P<long>\"{{3}}.*?\"{{3}}|'{{3}}.*?'{{3}})"
    rf"|(?<![\w.-])[\"']?(?P<name>{_NAME})[\"']?[ \t]*=[ \t]*"
    r"(?:\{[^}\n]{0,200}?\bvalue[ \t]*=[ \t]*)?"
    r"(?P<value>\"(?!\"\")(?:\\.|[^\"\\\n])*\"|'(?!'')[^'\n]*'|-?\d+|true\b|false\b)"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*')",
    re.DOTALL,
)
# Keys of texts for people; any other may name a task, whose text is a command.
_PROSE = frozenset(
    ["description", "summary", "help", "doc", "title", "message", "comment", "epilog"]
)
_UNIT_KEY = expression(r"[ \t]*(\w+)[ \t]*=[ \t]*", re.ASCII)
_EXEC_PREFIX = expression(r"[-@:+!|]*")
_BLANKS = expression(rf"\s*(?:export\s+)?({_NAME})(?:\s+=|=[ \t]+\S)")


def read_ini(text: str, names: frozenset[str], first: int = 1) -> Iterator[Item]:
    """Yield what an INI file sets and what its commands set; `first` is the number of its line."""
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
        if key in _OF_TOX:
            body = _COMMENT.sub("", body)
        block = f"{section} {key}"
        if key in _SETS:
            yield from _settings(body, number, key, block)
        elif key in _PASSES:
            for word in re.finditer(_NAME, body):
                if word[0] in names:
                    span = Span(number, word.start() + 1, number, word.end() + 1)
                    yield Setting(word[0], None, AS_OUTSIDE, span, Way.CHILD, block=block)
        elif key in _COMMANDS:
            yield from read_shell(replace(lines_of(body, number, block), ends=True), names)


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


def read_toml(text: str, names: frozenset[str]) -> Iterator[Item]:
    """Yield what a TOML file sets and what the commands in it set."""
    file = LogicalLine(1, text)
    for found in _TOML.finditer(text):
        number, column = file.place(found.start())
        if found["long"]:
            yield from read_ini(found["long"][3:-3], names, number)
        elif found["name"] in names:
            value = found["value"].strip("\"'")
            span = Span(number, column, number, column + len(found[0]))
            # What takes a Boolean may write `true` or `True`.
            known = None if found["value"] in ("true", "false") else _known(value)
            yield Setting(found["name"], known, value, span, Way.CHILD, block=f"at {number}")
        elif (found["name"] or "").lower() in _PROSE:
            continue
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


def read_unit(text: str, names: frozenset[str]) -> Iterator[Item]:
    """Yield what a unit sets for its processes."""
    for line in logical_lines(text, comments=True):
        found = _UNIT_KEY.match(line.text)
        if found is None or line.text.lstrip().startswith((";", "#")):
            continue
        if found[1] == "Environment":
            yield from _unit_pairs(line, found.end())
        elif found[1].startswith("Exec"):
            prefix = _EXEC_PREFIX.match(line.text, found.end())
            start = prefix.end() if prefix is not None else found.end()
            body = " " * start + line.text[start:]
            block = f"exec {line.number}"
            yield from read_shell(lines_of(body, line.number, block), names)


def _unit_pairs(line: LogicalLine, start: int) -> Iterator[Setting]:
    try:
        words = shlex.split(line.text[start:].replace("\\\n", " "))
    except ValueError:
        return
    for word in words:
        found = ASSIGNMENT.fullmatch(word)
        if found is None:
            continue
        row, column = line.place(line.text.find(f"{found[1]}=", start))
        span = Span(row, column, row, column + len(word))
        known = None if "%" in found[2] else found[2]
        yield Setting(found[1], known, found[2], span, Way.COMMAND, None, "unit")


def read_dotenv(text: str, names: frozenset[str]) -> Iterator[Item]:
    """Yield what a file of variables sets."""
    from dotenv.parser import parse_stream  # noqa: PLC0415 - only where there is such a file

    for binding in parse_stream(io.StringIO(text)):
        written = binding.original.string
        if binding.key is None or binding.error:
            continue
        lead = len(written) - len(written.lstrip())
        line, column = LogicalLine(binding.original.line, written).place(lead)
        body = written.strip().split("\n")[0]
        span = Span(line, column, line, column + len(body))
        blanks = _BLANKS.match(body)
        if blanks is not None and binding.key in names:
            yield Trouble("blanks-in-file", span, (("name", binding.key),))
        raw = binding.value
        if raw is None:
            continue
        single = body.partition("=")[2].lstrip().startswith("'")
        known = raw if single or "$" not in raw else None
        default = default_of(raw) if known is None else None
        yield Setting(binding.key, known, raw, span, Way.FILE, default, "file")
