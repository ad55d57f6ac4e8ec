"""Python code that commands run: `python -c "..."` and here-documents, in scripts and in texts.

Each piece of such code is a script of its own, of which no file holds anything else. Where a quote,
or a here-document, has no end, the code ends with its line.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator

from tfgpu.code.parse import parse
from tfgpu.files.kinds import Kind
from tfgpu.files.pattern import Pattern
from tfgpu.program.written import may_write

# The kinds of files, beside Python, that have commands.
KINDS = frozenset(
    {
        Kind.SHELL, Kind.DOCKERFILE, Kind.MAKEFILE, Kind.INI, Kind.TOML, Kind.CSH, Kind.FISH,
        Kind.BATCH, Kind.POWERSHELL, Kind.YAML, Kind.UNIT,
    }
)  # fmt: skip
# Python, by its name or in a variable: `python3.7`, `$(PYTHON)`, `{envpython}`, `%(py)s`.
_PYTHON = r"(?<![\w.])\w{0,20}(?i:py(?:thon)?)[\w.]*[)}\"'s]{0,3}"
_OPTIONS = r"(?:,?[ \t]+(?:-[WX][ \t]+[^-\s]\S*|[\"']?-[\w=-]+[\"']?))*?"
_BLANK = r"(?:[ \t]|\\\r?\n)"
_COMMAND = re.compile(rf"{_PYTHON}{_OPTIONS},?{_BLANK}+[\"']?-[A-Za-z]*c[\"']?,?{_BLANK}*")
_HERE = re.compile(
    rf"{_PYTHON}[^\n;|&<]{{0,400}}<<-?[ \t]*\\?[\"']?(\w+)[^\n]*\n"
    r"(?P<code>(?:[^\n]*\n)*?)[ \t]*\1[ \t]*(?:\n|$)"
)
_MAY_RUN = Pattern((b"<<",), rb"-[A-Za-z]*c[\"']?,?[\"'\\\s]")
# What a run fills in.
_FILLED = re.compile(r"\$?\{\{?[^{}\n]*\}\}?|\$\([^()\n]*\)|\$\w+|%\(\w+\)s|%[sdr]")
_OPENINGS = ("$'", "''", '\\"', "'", '"')
# What ends a word that is in no quotes.
_ENDS = frozenset(";)&|,]`")
_ESCAPE = re.compile(r"\\(\r?\n|[\"\\$`])")


def code_of_commands(data: bytes, is_python: bool) -> Iterator[tuple[int, str]]:
    """Yield the code that the commands in a file run, each with the line that it begins in."""
    if b"import" not in data or not (_MAY_RUN.search(data) or (is_python and may_write(data))):
        return
    text = data.decode("utf-8", "replace")
    found = _of_python(text) if is_python else _of_text(text)
    for line, code in found:
        if "import" in code:
            yield line, _readable(code)


def _of_text(text: str) -> Iterator[tuple[int, str]]:
    """Yield the code that commands in a text run."""
    for match in _COMMAND.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, _argument(text, match.end())
    for match in _HERE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match["code"]


def _argument(text: str, start: int) -> str:
    """Return the argument that begins at a place: strings and words without a blank between."""
    found, at = "", start
    while at < len(text) and not text[at].isspace():
        opening = next((one for one in _OPENINGS if text.startswith(one, at)), "")
        if opening == "''" and (found or text[at + 2 : at + 3] in ("", " ", "\n", "'", '"')):
            at += 2
            continue
        if not opening:
            if text[at] in _ENDS:
                break
            found, at = found + text[at], at + 1
            continue
        inner = at + len(opening)
        end = _closing(text, inner, opening)
        if end < 0:
            return found + _line(text, inner)
        found += _unquoted(text[inner:end], opening)
        at = end + len(opening.lstrip("$"))
    return found


def _closing(text: str, start: int, quote: str) -> int:
    """Return where a string ends; -1 where it does not."""
    if quote not in ('"', "$'"):
        return text.find(quote, start)
    while True:
        end = text.find(quote[-1], start)
        before = text[start:end]
        if end < 0 or (len(before) - len(before.rstrip("\\"))) % 2 == 0:
            return end
        start = end + 1


def _line(text: str, start: int) -> str:
    """Return the rest of a line, with those that it goes on in."""
    match = re.compile(r"(?:[^\\\n]|\\.|\\\n)*", re.DOTALL).match(text, start)
    return match[0] if match is not None else ""


def _unquoted(part: str, quote: str) -> str:
    """Return what a string is without its escapes."""
    if quote == "$'":
        return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), part)
    if quote == '"':
        return _ESCAPE.sub(lambda found: "" if found[1].endswith("\n") else found[1], part)
    return part


def _of_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield the code that texts of a Python file are, and that the commands in them run."""
    try:
        module = parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    nodes = list(ast.walk(module))
    left_out = {part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    left_out |= {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        value = None if node in left_out else _text_of(node)
        if value is None or "import" not in value:
            continue
        line = getattr(node, "lineno", 0)
        if _parses(textwrap.dedent(_FILLED.sub("_", value))):
            yield line, value
        else:
            yield from ((line, code) for _, code in _of_text(value))


def _text_of(node: ast.AST) -> str | None:
    """Return a text that is written there, with holes for what a run fills in."""
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        return "".join(map(str, parts))
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def _readable(code: str) -> str:
    """Return code as Python reads it: without the indentation of what it stands in.

    What is no code as a whole has another end: of that its first line counts.
    """
    first, _, rest = code.partition("\n")
    spellings = (code, textwrap.dedent(code), f"{first}\n{textwrap.dedent(rest)}", first)
    for spelling in spellings:
        for filled in (spelling, spelling.replace("$$", "$"), _FILLED.sub("_", spelling)):
            if _parses(filled):
                # Each statement in a line of its own: so imports are looked for.
                return ast.unparse(parse(filled))
    return first


def _parses(code: str) -> bool:
    try:
        parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
