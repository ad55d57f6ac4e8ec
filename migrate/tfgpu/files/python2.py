"""Reads Python 2: it is parsed as a Python 3 text with the same lines, and turned back.

The Python 3 text is what is analysed and rewritten. Of the result, lines that stayed are those of
the file again; a change to what only Python 2 knows is refused.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from tfgpu.dataclass import dataclass
from tfgpu.files.cells import Cells
from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import SourceError
from tfgpu.files.read import Module

MISSING = "Python 2 code: install tfgpu[py2] to have it read"
_TRY = "try tfgpu migrate --fix-python2"
# What changes syntax alone. What gives names and calls their meaning in Python 3 is left out.
_FIXERS = [
    f"fissix.fixes.fix_{name}"
    for name in (
        "except", "exec", "ne", "numliterals", "print", "raise", "repr", "throw", "tuple_params",
    )
]  # fmt: skip
# The line by which fissix unpacks a parameter or an exception that was a tuple.
_UNPACKING = expression(r"[ \t]*\S.* = xxx_todo_changeme\d*(?:\.args)?\r?")
_MESSAGE = expression(r"'(?:print|exec)'|parenthesized|leading zeros|decimal literal")
_LOOKS = expression(
    r"^[ \t]*(?:print |exec |except \w+, \w+:|raise \w+, |def \w+\(.*\()|<>|`|\b[uU][rR]['\"]",
    re.MULTILINE,
)
_INDENT = expression(r"[ \t]*")


def is_installed() -> bool:
    """Tell whether the extra that reads Python 2 is there."""
    from importlib.util import find_spec  # noqa: PLC0415 - few need it

    return find_spec("fissix") is not None


def looks_like_python2(error: SyntaxError, text: str) -> bool:
    """Tell whether what Python 3 cannot parse is likely to be Python 2."""
    return isinstance(error, TabError) or bool(_MESSAGE.search(error.msg) or _LOOKS.search(text))


class NotPython2Error(Exception):
    """The text is not Python 2 either, or cannot be written in Python 3 line by line."""


@dataclass(frozen=True, slots=True)
class Python2:
    """A module in Python 2. `text` is its Python 3; `fix` tells that this is to be written."""

    inner: Module
    text: str
    fix: bool

    @property
    def encoding(self) -> str:
        """The encoding of the file."""
        return self.inner.encoding

    @property
    def cells(self) -> Cells:
        """The cells of the file."""
        return self.inner.cells

    def shown(self, text: str) -> str:
        """Return what the file says with a new text, which is Python 3.

        Raises:
            SourceError: the new text cannot be put into the file.
        """
        return self.inner.shown(self._back(text))

    def encode(self, text: str) -> bytes:
        """Return the bytes of the file with a new text, which is Python 3.

        Raises:
            SourceError: the new text cannot be put into the file.
        """
        return self.inner.encode(self._back(text))

    def seen(self, line: int, column: int) -> tuple[str, int] | None:
        """Return a line as the file has it, with a column of the text in it, 1 if not known."""
        ours, theirs = _line(self.text, line), _line(self.inner.text, line)
        if ours == theirs:
            return self.inner.seen(line, column)
        if ours[: column - 1] == theirs[: column - 1]:
            return theirs, column
        if ours.lstrip() == theirs.lstrip():
            return theirs, max(column - len(ours) + len(theirs), 1)
        return theirs, 1

    def _back(self, text: str) -> str:
        """Return a new text in Python 2, or as it is if that is what is to be written."""
        if text == self.text:
            return self.inner.text
        if self.fix:
            return text
        restored = _restored(text.split("\n"), self.text.split("\n"), self.inner.text.split("\n"))
        new = "\n".join(line for line, _ in restored)
        try:
            read = to_python3(new)
        except NotPython2Error:
            read = self.text  # the first line that changes is the place
        wanted, found = _expanded(text), _expanded(read)
        if found != wanted:
            lines = zip(wanted.split("\n"), found.split("\n"), restored, strict=False)
            number = next((number for ours, theirs, (_, number) in lines if ours != theirs), 0)
            raise SourceError(f"Python 2 code that cannot be kept as it is; {_TRY}", number)
        return new


def _line(text: str, number: int) -> str:
    return text.split("\n")[number - 1].removesuffix("\r")


def _restored(new: list[str], converted: list[str], original: list[str]) -> list[tuple[str, int]]:
    """Return new lines with those that stayed as they are in the original, each with its place.

    Raises:
        SourceError: a line that goes or changes is Python 2 in more than its indentation.
    """
    result: list[tuple[str, int]] = []
    indents: dict[str, str] = {}
    from difflib import SequenceMatcher  # noqa: PLC0415 - for few files

    for tag, i1, i2, j1, j2 in SequenceMatcher(None, converted, new, autojunk=False).get_opcodes():
        for number in range(i1, i2):
            ours, theirs = converted[number], original[number]
            if tag != "equal" and ours.lstrip() != theirs.lstrip():
                reason = f"would change a statement in the syntax of Python 2; {_TRY}"
                raise SourceError(reason, number + 1)
            indents[_indent(ours)] = _indent(theirs)
        if tag == "equal":
            result += zip(original[i1:i2], range(i1 + 1, i2 + 1), strict=True)
        else:
            place = min(i1 + 1, len(original))
            result += [
                (indents.get(_indent(line), _indent(line)) + line.lstrip(" \t"), place)
                for line in new[j1:j2]
            ]
    return result


def _indent(line: str) -> str:
    found = _INDENT.match(line)
    return found[0] if found else ""


def as_python3(module: Module, fix: bool) -> Python2:
    """Return a module of Python 2 as Python 3.

    Raises:
        NotPython2Error: it is not Python 2, or cannot be written in Python 3 line by line.
        ImportError: fissix is not installed.
    """
    return Python2(module, to_python3(module.text), fix)


@lru_cache(maxsize=128)
def to_python3(text: str) -> str:
    """Return Python 2 code in the syntax of Python 3, with the same number of lines.

    Raises:
        NotPython2Error: it is not Python 2, or cannot be written in Python 3 line by line.
        ImportError: fissix is not installed.
    """
    from fissix.pgen2.parse import ParseError  # noqa: PLC0415 - an extra, and slow to import
    from fissix.pgen2.tokenize import TokenError  # noqa: PLC0415
    from fissix.refactor import RefactoringTool  # noqa: PLC0415

    try:
        tree = RefactoringTool(_FIXERS).refactor_string(text + "\n", "")
    except (ParseError, TokenError, SyntaxError, RecursionError, ValueError) as error:
        raise NotPython2Error(str(error)) from error
    for leaf in tree.leaves():
        # Such a string has no other form where it names characters by number.
        if (
            leaf.value[:2].lower() == "ur"
            and leaf.value[2:3] in ("'", '"')
            and "\\u" not in leaf.value
        ):
            leaf.value = leaf.value[1:]
    new = _with_tabs_expanded(_joined(str(tree).removesuffix("\n")))
    if new.count("\n") != text.count("\n"):  # pragma: no cover - of no code that is known
        raise NotPython2Error("its lines cannot be kept in Python 3")
    return new


def _joined(text: str) -> str:
    """Put the lines that fissix added in front of the ones below them."""
    result: list[str] = []
    added = ""
    for line in text.split("\n"):
        if _UNPACKING.fullmatch(line):
            added += line.strip() + "; " if added else line.rstrip() + "; "
        else:
            result.append(added + line.lstrip(" \t") if added else line)
            added = ""
    return "\n".join(result)


def _with_tabs_expanded(text: str) -> str:
    """Indent statements by spaces, as Python 2 counts tabs, where Python 3 refuses to."""
    try:
        ast.parse(text)
    except TabError:
        return _expanded(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return text


def _expanded(text: str) -> str:
    """Indent statements by spaces, as Python 2 counts tabs."""
    from tfgpu.files.magics import statement_end  # noqa: PLC0415 - few need it

    result = []
    position = 0
    while position < len(text):
        end, _ = statement_end(text, position)
        indent = _indent(text[position:end])
        result.append(indent.expandtabs(8) + text[position + len(indent) : end])
        position = end
    return "".join(result)
