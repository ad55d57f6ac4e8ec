"""What code of other languages sets in the environment: `setenv`, `os.Setenv`, `Sys.setenv`.

The calls are alike in all of them, and have the variable as a string: a search that leaves comments
out finds them, without a grammar of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfgpu.environment.model import Setting, Way
from tfgpu.environment.piece import LogicalLine, Piece
from tfgpu.files.kinds import Kind
from tfgpu.files.pattern import expression
from tfgpu.place import row_and_column
from tfgpu.texts.stored import without_comments

_STRING = r'"(?:\\.|[^"\\\n])*"'
_WHOLE = rf"(?:{_STRING}|`[^`]*`)(?=\s*(?:[,;)\]}}]|\n|\Z))"
_R_COMMENT = expression(rf"(?P<string>{_STRING}|'(?:\\.|[^'\\\n])*')|#[^\n]*")
_NAMED = expression(
    r"\b(?:setenv|_putenv_s|w?_?putenv_s|SetEnvironmentVariable[AW]?|Setenv|add_env|setEnv)\s*\(\s*"
    rf"L?\"(?P<name>\w+)\"\s*,\s*(?P<value>{_WHOLE}|[^,)\n]+(?:\([^)\n]*\))?)"
    r"|(?:\benvironment\s*\(\s*\)|\b\w*[eE]nv(?:ironment)?(?:Vars|Map|Variables)?)\s*"
    rf"(?:\.\s*(?:put|Add|add)\s*\(\s*\"(?P<put>\w+)\"\s*,\s*(?P<given>{_WHOLE}|[^,)\n]+)"
    rf"|\[\s*\"(?P<key>\w+)\"\s*\]\s*=(?!=)\s*(?P<text>{_WHOLE}|[^;\n]+))"
    # `putenv("X=0")`, `append(os.Environ(), "X=0")`, `{"X=0"}` of execve.
    r"|\"(?P<pair>\w+)=(?P<whole>(?:\\.|[^\"\\\n])*)\""
    # `Process(command, None, "X" -> "0")`.
    rf"|\"(?P<arrow>\w+)\"\s*(?:->|to\b)\s*(?P<target>{_WHOLE})"
)
_IN_R = expression(
    r"\b(?:Sys\.setenv|(?:local|with)_envvar|env\s*=\s*c)\s*\(((?:[^()]|\([^()]*\))*)\)"
)
_R_PAIR = expression(
    r"[\"'`]?\b(?P<name>[A-Z]\w+)[\"'`]?\s*=(?!=)\s*(?P<value>\"[^\"]*\"|'[^']*'|[^,()]+(?:\([^()]*\))?)"
)
_IN_PYTHON = expression(
    r"\benviron(?:\[\s*|\.setdefault\(\s*)(?P<quote>[\"'])(?P<name>\w+)(?P=quote)\s*(?:\]\s*=(?!=)|,)"
    r"[ \t]*(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\n;)]+)"
)
_FAR = 1_000
_PARTS = ("name", "value"), ("put", "given"), ("key", "text"), ("arrow", "target")


def setter_items(text: str, kind: Kind, names: frozenset[str]) -> Iterator[Setting]:
    """Yield the variables that code sets, of those that count."""
    if not any(name in text for name in names):
        return
    text = _without_r_comments(text) if kind is Kind.R else without_comments(text)
    file = LogicalLine(1, text)
    for found, name, value, end in _found(text, kind):
        if name in names:
            span, known = file.span(found, end), _literal(value)
            block = f"at {span.line - 1}"
            yield Setting(name, known, value.strip(), span, Way.PROCESS, block=block)


def python_settings(piece: Piece, names: frozenset[str]) -> Iterator[Setting]:
    """Yield the variables that Python in a here-document, or after `-c`, sets."""
    for found in _IN_PYTHON.finditer(piece.text):
        row, column = row_and_column(piece.text, found.start())
        before = piece.text[found.start() - column : found.start()]
        is_comment = before.lstrip().startswith("#")
        if found["name"] in names and not is_comment:
            span = piece.span((row, column), (row, column + len(found[0])))
            value = found["value"].strip()
            known = _literal(value) if value[:1] in "\"'" else None
            yield Setting(found["name"], known, value, span, Way.PROCESS, block=piece.block)


def _without_r_comments(text: str) -> str:
    return _R_COMMENT.sub(lambda found: found[0] if found["string"] else " " * len(found[0]), text)


def _found(text: str, kind: Kind) -> Iterator[tuple[int, str, str, int]]:
    """Yield where a setting starts, its name, its value as written, and where it ends."""
    if kind is Kind.R:
        for call in _IN_R.finditer(text):
            for pair in _R_PAIR.finditer(text, call.start(1), call.end(1)):
                yield pair.start(), pair["name"], pair["value"], pair.end()
        return
    for found in _NAMED.finditer(text):
        if found["pair"]:
            if _is_handed_on(text, found.start()):
                yield found.start(), found["pair"], f'"{found["whole"]}"', found.end()
            continue
        for name, value in _PARTS:
            if found[name]:
                yield found.start(), found[name], found[value], found.end()


def _is_handed_on(text: str, start: int) -> bool:
    """Tell whether `"X=0"` goes into an environment, and is not printed or looked for.

    What is called, or assigned to, in front of the brackets around it says so.
    """
    closed = 0
    for at in range(start - 1, max(start - _FAR, -1), -1):
        if text[at] in ")}]":
            closed += 1
        elif text[at] in "({[" and closed:
            closed -= 1
        elif text[at] in "({[":
            before = text[text.rfind("\n", 0, at) + 1 : at]
            return re.search(r"(?i)env", before) is not None
    return False


def _literal(text: str) -> str | None:
    """Return the value of a string, or of a number in R; None of what only the run tells."""
    text = text.strip()
    if len(text) > 1 and text[0] in "\"'`" and text[-1] == text[0]:
        return None if "\\" in text or "${" in text else text[1:-1]
    return text if re.fullmatch(r"-?\d+", text) else None
