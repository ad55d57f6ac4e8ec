"""Python code that commands run: `python -c "..."` and here-documents, in scripts and in texts.

Each piece of such code is a script of its own, of which no file holds anything else. Where a quote,
or a here-document, has no end, the code ends with its line.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice

from tfgpu.code.parse import parse
from tfgpu.files.kinds import Kind
from tfgpu.files.pattern import Pattern, expression
from tfgpu.program.installed import code_of_entries, may_install
from tfgpu.program.written import may_write

# The kinds of files, beside Python, that have commands.
KINDS = frozenset(
    {
        Kind.SHELL, Kind.DOCKERFILE, Kind.MAKEFILE, Kind.INI, Kind.TOML, Kind.CSH, Kind.FISH,
        Kind.BATCH, Kind.POWERSHELL, Kind.YAML, Kind.UNIT,
    }
)  # fmt: skip
# Python, by its name or in a variable: `python3.7`, `$(PYTHON)`, `{envpython}`, `%(py)s`; a hole
# stands for `sys.executable`.
_PYTHON = r"(?:(?<![\w.])\w{0,20}(?i:py(?:thon)?)[\w.]*[)}\"'s]{0,3}|\{\})"
_OPTIONS = r"(?:,?[ \t]+(?:-[WX][ \t]+[^-\s]\S*|[\"']?-[\w=-]+[\"']?)){0,8}?"
_BLANK = r"(?:[ \t]|\\\r?\n)"
# What follows the dash of `-c`, or of `-Ic`: with it stand options of Python that have no value.
_C = "[bBdEhiIOPqRsSuvVx]*c"
# Compiled when first asked, like the next one: few files need them.
_COMMAND = rf"{_PYTHON}{_OPTIONS},?{_BLANK}+[\"']?-{_C}[\"']?,?{_BLANK}*"
# The words of a command as items of a list of YAML, up to the one behind `-c`.
_LISTED = rf"{_PYTHON}[ \t]*\n[ \t]*-[ \t]+[\"']?-{_C}[\"']?[ \t]*\n(?P<indent>[ \t]*)-[ \t]+"
# The option as it stands in each of them.
_DASH_C = expression(rf"[\s\"']-{_C}")
_BLOCK = expression(r"[|>][-+\d]*[ \t]*\n")
# What opens a here-document.
_HERE = expression(r"<<-?[ \t]*\\?[\"']?([A-Za-z_]\w*)")
# A command whose name is in a variable, which may be that of Python: `$1 - <<END`.
_IN_VARIABLE = expression(r"[ \t]*\"?\$[\w{(]")
_MAY_RUN = Pattern(
    (),
    rb"<<-?[ \t]*[\\\"']*[A-Za-z_]",
    rb"-(?<=[\s\"']-)%s[\"']?,?[\"'\\\s]" % _C.encode(),
    # Python that reads its code from a pipe.
    rb"executable(?:,\s*[\"']-[\"'])?,?\s*\]",
    rb"python(?<=[\"']python)[\d.]*[\"'](?:,\s*[\"']-[\"'])?,?\s*\]",
)
# What a run fills in.
_FILLED = expression(r"\$?\{\{?[^{}\n]*\}\}?|\$\([^()\n]*\)|\$\w+|%\(\w+\)s|%[sdr]")
_OPENINGS = ("$'", "''", '\\"', "'", '"')
# What ends a word that is in no quotes.
_ENDS = frozenset(";)&|,]`")
_PLAIN = expression(r"[^\s;)&|,\]`'\"\\$]+")
_MOST_PARTS = 20
_ESCAPE = expression(r"\\(\r?\n|[\"\\$`])")


def may_run_code(data: bytes) -> bool:
    """Tell whether a file may have commands that run code, or write a module."""
    return may_install(data) or _may_have_commands(data)


def _may_have_commands(data: bytes) -> bool:
    """Tell whether a file may start Python with code (`python -c`), or write a module."""
    return b"import" in data and bool(_MAY_RUN.search(data) or may_write(data))


def code_of_commands(data: bytes, is_python: bool) -> Iterator[tuple[int, str]]:
    """Yield the code that the commands in a file run, each with the line that it begins in."""
    if not may_run_code(data):
        return
    text = data.decode("utf-8", "replace")
    if may_install(data):
        yield from code_of_entries(text)
    if not _may_have_commands(data):
        return
    found = _of_python(text) if is_python else _of_text(text)
    for line, code in found:
        if "import" in code:
            yield line, _readable(code)


def _of_text(text: str) -> Iterator[tuple[int, str]]:
    """Yield the code that commands in a text run."""
    if _DASH_C.search(text) is not None:
        ends = [match.start() for match in re.finditer("\n", text)]
        for match in re.finditer(_COMMAND, text):
            yield bisect_left(ends, match.start()) + 1, _argument(text, match.end())
        for match in re.finditer(_LISTED, text):
            yield bisect_left(ends, match.start()) + 1, _item(text, match.end(), match["indent"])
    if "<<" in text:
        yield from _documents(text.split("\n"))
        for match in re.finditer(rf"{_PYTHON}[^\n<]{{0,40}}<<<[ \t]*", text):
            yield text.count("\n", 0, match.start()) + 1, _argument(text, match.end())


def _documents(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the here-documents of commands that name Python, or a module that they write."""
    ends: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        ends.setdefault(line.strip(), []).append(number)
    behind = 0
    for number, line in enumerate(lines):
        if number < behind or "<<" not in line:
            continue
        for match in _HERE.finditer(line):
            closing = ends.get(match[1], [])
            at = bisect_right(closing, number)
            code = "\n".join(lines[number + 1 : closing[at]]) if at < len(closing) else ""
            is_python = "py" in line.lower()
            if code and (is_python or (_IN_VARIABLE.match(line) and _parses(code))):
                behind = closing[at] + 1
                yield number + 1, code
                break


def _item(text: str, start: int, indent: str) -> str:
    """Return the item of a list of YAML that begins at a place."""
    block = _BLOCK.match(text, start)
    if block is not None:
        lines = re.compile(rf"(?:{indent}[ \t]+\S[^\n]*(?:\n|$)|[ \t]*\n)*").match(
            text, block.end()
        )
        return "" if lines is None else lines[0]
    if text[start : start + 1] in ("'", '"'):
        return _argument(text, start)
    return text[start:].partition("\n")[0]


def _argument(text: str, start: int) -> str:
    """Return the code in the argument that begins at a place."""
    parts = list(islice(_parts(text, start), _MOST_PARTS))
    codes = ["".join(parts[:end]) for end in range(len(parts), 0, -1)]
    # A quote behind a string may be the end of what is around the command.
    return next((code for code in codes if _read(code) is not None), "".join(codes[-1:]))


def _parts(text: str, start: int) -> Iterator[str]:
    """Yield the strings and words, without a blank between, of an argument that begins there."""
    at, is_first = start, True
    while at < len(text) and not text[at].isspace() and text[at] not in _ENDS:
        opening = next((one for one in _OPENINGS if text.startswith(one, at)), "")
        behind = text[at + 2 : at + 3]
        if opening == "''" and (not is_first or behind in ("", " ", "\n", "'", '"')):
            at += 2
            continue
        is_first = False
        if not opening:
            word = _PLAIN.match(text, at)
            yield word[0] if word is not None else text[at]
            at = word.end() if word is not None else at + 1
            continue
        inner = at + len(opening)
        end = _closing(text, inner, opening)
        if end < 0:
            yield _line(text, inner)
            return
        yield _unquoted(text[inner:end], opening)
        at = end + len(opening.lstrip("$"))


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
        if isinstance(node, ast.BinOp):
            # A sum is read as a whole; what a text is filled in has the text for itself.
            parts = {node.left, node.right} if isinstance(node.op, ast.Add) else {node}
            left_out |= {part for part in parts if isinstance(part, ast.BinOp)}
    for node in nodes:
        value = None if node in left_out else _text_of(node)
        if value is None or "import" not in value:
            continue
        line = getattr(node, "lineno", 0)
        if _parses(_dedented(_FILLED.sub("_", value))):
            yield line, value
        else:
            yield from ((line, code) for _, code in _of_text(value))


def _text_of(node: ast.AST) -> str | None:
    """Return a text that is written there, with holes for what a run fills in."""
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        return "".join(map(str, parts))
    texts: list[str | None] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
        texts += [_text_of(node.right)] if isinstance(node.op, ast.Add) else []
        node = node.left
    if texts:
        texts.append(_text_of(node))
        return "".join(text or "{}" for text in reversed(texts)) if any(texts) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        given, between = node.args[0], node.func.value
        if (
            node.func.attr == "join"
            and isinstance(given, ast.List | ast.Tuple)
            and isinstance(between, ast.Constant)
            and isinstance(between.value, str)
        ):
            return between.value.join(_text_of(item) or "{}" for item in given.elts)
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def _readable(code: str) -> str:
    """Return code as Python reads it, each statement in a line of its own.

    What is no code as a whole has another end: of that its first line counts.
    """
    first = code.partition("\n")[0]
    return _read(code) or _read(first) or first


def _read(code: str) -> str | None:
    """Return code without the indentation of what it stands in; None where it is no Python."""
    first, _, rest = code.partition("\n")
    for spelling in (code, _dedented(code), f"{first}\n{_dedented(rest)}"):
        for filled in (spelling, spelling.replace("$$", "$"), _FILLED.sub("_", spelling)):
            if _parses(filled):
                return ast.unparse(parse(filled))
    return None


def _dedented(code: str) -> str:
    import textwrap  # noqa: PLC0415 - few files have code in texts

    return textwrap.dedent(code)


def _parses(code: str) -> bool:
    try:
        parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
