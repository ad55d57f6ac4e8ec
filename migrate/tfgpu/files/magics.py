"""IPython's own lines in notebook cells: replaced by Python that parses, and put back.

What IPython makes of a line decides: `%magic`, `!command`, `?name` and `name?` where a statement
begins, `x = %magic` and `x = !command`, and cells that begin with `%%magic`.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from keyword import iskeyword

from tfgpu.dataclass import dataclass
from tfgpu.files.cells import WRITES_VARIABLE
from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import SourceError

# Cell magics that run the cell as Python in the notebook's own process.
_PYTHON_CELLS = frozenset(
    ["capture", "debug", "lprun", "memit", "mprun", "prun", "time", "timeit", "snakeviz"]
)
# Line magics whose argument is Python code.
_PYTHON_LINES = _PYTHON_CELLS | {
    "page", "pdef", "pdoc", "pfile", "pinfo", "pinfo2", "psource", "store", "xdel",
}  # fmt: skip
# Line magics that run a file, or cells again, in the notebook's own process, or make it a cell.
_RUN_FILES = frozenset(["run", "edit", "ed", "macro", "recall", "rep", "rerun", "load", "loadpy"])
# Line magics that import a module: an extension, of which IPython calls a function, or any.
_EXTENSIONS = frozenset(["load_ext", "reload_ext"])
_IMPORTS = "aimport"
# The function of an extension that IPython calls.
_ENTERS = "load_ipython_extension"
# Line magics that list the variables.
_LISTS = frozenset(["who", "who_ls", "whos", "reset_selective"])
# Line magics that write a variable CUDA reads, or one whose name is filled in.
_WRITES = expression(r"[ \t]*%+(?:set_)?env[ \t]+(?:CUDA_[^=\s]*[ \t]*[=\s][ \t]*\S|[^=\s]*[${])")
# What sets a variable, or names a file that the cell is written to, as text that stands in a string
# of Python as it is.
_SAID = expression(
    r"[ \t]*(%(?:set_)?env[ \t]+\w+(?:[ \t]*=|[ \t]+\S)[^\"\\\n]*?"
    r"|%%(?:write)?file[ \t][^\"\\\n]*?)[ \t]*\r?\n?"
)
_MAGIC = expression(r"[ \t]*[%!?]")
_HELP = expression(r"[ \t]*%{0,2}[A-Za-z_*][\w*.]*(?:\[[^\]\n]*\])?\?\??[ \t]*;?[ \t]*\r?\n?")
_TARGET = r"[A-Za-z_][\w.]*(?:\[[^\]\n]*\])?"
_ASSIGNED = expression(rf"[ \t]*(?P<targets>{_TARGET}(?:[ \t]*,[ \t]*{_TARGET})*[ \t]*=)[ \t]*[%!]")
_CELL_MAGIC = expression(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?P<magic>%%(?P<name>\w+)[^\n]*\n?)")
_LINE_MAGIC = expression(r"[ \t]*%+(?P<name>\w+)(?P<rest>.*)", re.DOTALL)
_BOUND = expression(rf"[ \t]*(?P<targets>{_TARGET}[ \t]*=)(?!=)")
# `-n1 -r 3`, in front of the code that a magic runs.
_OPTIONS = expression(r"^(?:[ \t]*-\w+(?:[ \t]*=?[ \t]*\d+)?)+(?=[ \t]|$)")
_FILLED_IN = expression(r"\{([^{}]*)\}|\$([A-Za-z_]\w*)")
_NAME = expression(r"(?<![\w.])[A-Za-z_]\w*")
_MODULE = expression(r"[A-Za-z_][\w.]*")
_BETWEEN = expression(r"[,\s]+")
_OF_TENSORFLOW = expression(r"\b(?:tensorflow|keras)\b")


_TOKEN = expression(
    r"""\#[^\n]* | (?P<quotes>'''|\"\"\"|'|") | (?P<open>[(\[{]) | (?P<close>[)\]}])"""
    r"""| (?P<joined>\\\r?\n) | (?P<end>\n)""",
    re.VERBOSE,
)
_STRING_ENDS = {
    quotes: expression(rf"(?:\\.|(?!{quotes}).)*(?P<closed>{quotes})?", re.DOTALL)
    for quotes in ("'''", '"""')
} | {
    quote: expression(rf"(?:\\.|[^\\{quote}\n])*(?P<closed>{quote})?", re.DOTALL) for quote in "'\""
}


@dataclass(frozen=True, slots=True)
class Magic:
    """A line of IPython's, or several that are one: the cell, the first line in it, the text."""

    cell: int
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Mask:
    """Python that replaces lines of a cell, without its indentation; both without line end."""

    python: str
    original: str


@dataclass(slots=True)
class Masked:
    """The source of a cell as Python, with what was hidden in it."""

    text: str
    masks: list[Mask]
    magics: list[Magic]


class Masker:
    """Hides the magics of the cells of one notebook; `mark` is found nowhere in them.

    `known` are the names that Python code of the notebook uses: one that a magic uses too is
    passed to the Python that replaces it, so that it counts as used in a way that is not known.
    """

    def __init__(self, mark: str, known: frozenset[str]) -> None:
        self._mark = mark
        self._known = known
        self._count = 0

    def mask(self, source: str, cell: int) -> Masked:
        """Return a cell as Python of as many lines.

        Raises:
            SourceError: a string or bracket is not closed in the cell.
        """
        masked = Masked("", [], [])
        position = 0
        if found := _CELL_MAGIC.match(source):
            start = found.start("magic")
            python = found["name"] in _PYTHON_CELLS
            end = found.end() if python else len(source)
            masked.text = source[:start]
            self._hide(source[start:end], found["magic"], masked, cell)
            position = end
        while position < len(source):
            end, closed = _end(source, position)
            text = source[position:end]
            found_bound = _ASSIGNED.match(text)
            if _MAGIC.match(text) or _HELP.fullmatch(text):
                self._hide(text, text, masked, cell)
            elif found_bound:
                magic = text[found_bound.end("targets") :]
                self._hide(text, magic, masked, cell, found_bound["targets"])
            else:
                if not closed:
                    line = source.count("\n", 0, position) + 1
                    raise SourceError("a string or bracket is not closed in its cell", line, cell)
                masked.text += text
            position = end
        return masked

    def stand_in(self, source: str) -> str:
        """Return as many lines of Python for a cell in another language, which use its names."""
        self._count += 1
        breaks = "\n" * source.count("\n")
        string = f'"""{self._mark} {self._count}{breaks}"""'
        return f"IPython({', '.join([string, *self._names(source)])})"

    def _hide(self, text: str, magic: str, masked: Masked, cell: int, targets: str = "") -> None:
        line = masked.text.count("\n") + 1
        masked.magics.append(Magic(cell, line, text))
        original = text.removesuffix("\n").removesuffix("\r")
        indent = original[: len(original) - len(original.lstrip(" \t"))]
        self._count += 1
        breaks = "\n" * original.count("\n")
        saying = _SAID.fullmatch(magic)
        said = f" {saying[1]}" if saying is not None else ""
        string = f'"""{self._mark} {self._count}{said}{breaks}"""'
        found = _LINE_MAGIC.match(magic)
        name = found["name"] if found else ""
        if found and not targets and name in _PYTHON_LINES:
            bound = _BOUND.match(found["rest"])
            targets = bound["targets"] if bound else ""
        imports, runs = _loaded(magic)
        names = [] if imports else self._used(magic)
        if imports.endswith(_ENTERS):
            names.append(_ENTERS)
        python = string
        if runs:
            python = f"{targets} execfile({string})".lstrip()
        elif _WRITES.match(magic):
            python = f"{targets} {WRITES_VARIABLE}({', '.join(['IPython', string, *names])})"
            python = python.lstrip()
        elif names or targets:
            python = f"{targets} IPython({', '.join([string, *names])})".lstrip()
        if imports:
            python = f"{imports}; {python}"
        masked.masks.append(Mask(python, original[len(indent) :]))
        masked.text += indent + python + text[len(original) :]

    def _used(self, magic: str) -> list[str]:
        """Return the names of the notebook's code that a magic uses."""
        found = _LINE_MAGIC.match(magic)
        if found and found["name"] in _LISTS:
            return ["dir()"]
        if _HELP.fullmatch(magic) or magic.lstrip().startswith("?"):
            return self._names(magic)
        if found and found["name"] in _PYTHON_LINES:
            return self._parts(found["rest"])
        code = " ".join(f"{item[1] or ''} {item[2] or ''}" for item in _FILLED_IN.finditer(magic))
        return self._names(code)

    def _parts(self, code: str) -> list[str]:
        """Return what code uses: names, and calls without their arguments, `tf.Session()`."""
        names = self._names(code)
        bare = _OPTIONS.sub("", code).strip()
        tree = _parsed(bare)
        if tree is None:
            return names
        found = [node for node in ast.walk(tree) if isinstance(node, ast.Call | ast.Attribute)]
        for node in found:
            if isinstance(node, ast.Call):
                node.args, node.keywords = [], []
        used = filter(self._names, map(ast.unparse, found))
        return list(dict.fromkeys([*names, *used]))

    def _names(self, code: str) -> list[str]:
        """Return the names in a piece of code that the notebook's code uses."""
        found = dict.fromkeys(_NAME.findall(code))
        return [name for name in found if name in self._known and not iskeyword(name)]


def _parsed(code: str) -> ast.Module | None:
    """Return the syntax tree of code that a magic runs, None where it is no Python."""
    with warnings.catch_warnings():
        # Invalid escapes and the like are the user's, and no news here.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code)
        except (SyntaxError, ValueError, RecursionError):
            return None


def _loaded(magic: str) -> tuple[str, bool]:
    """Return the imports that a magic is, in the notebook's own process, as statements.

    Also tell whether it runs a file there, or imports in a way that these do not say.
    """
    found = _LINE_MAGIC.match(magic)
    rest = _OPTIONS.sub("", found["rest"]).strip() if found else ""
    while found and found["name"] in _PYTHON_LINES and (inner := _LINE_MAGIC.match(rest)):
        found, rest = inner, _OPTIONS.sub("", inner["rest"]).strip()
    name = found["name"] if found else ""
    if name in _EXTENSIONS:
        rest = f"from {rest} import {_ENTERS}"
    elif name == _IMPORTS:
        rest = f"import {', '.join(filter(_MODULE.fullmatch, _BETWEEN.split(rest)))}"
    elif name not in _PYTHON_LINES:
        return "", name in _RUN_FILES
    tree = _parsed(rest)
    if tree is None:
        return "", name not in _PYTHON_LINES and _FILLED_IN.search(rest) is not None
    imports = [
        ast.unparse(one) for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)
    ]
    if not imports:
        return "", False
    # One of TensorFlow cannot be switched there.
    if len(imports) < len(tree.body) or any(map(_OF_TENSORFLOW.search, imports)):
        return "", True
    return "; ".join(imports), False


def _end(source: str, position: int) -> tuple[int, bool]:
    """Return where the magic or the statements that begin at a position end."""
    line = source.find("\n", position) + 1 or len(source)
    if not (_MAGIC.match(source, position) or _ASSIGNED.match(source, position)):
        if _HELP.fullmatch(source, position, line):
            return line, True
        return statement_end(source, position)
    while line < len(source) and source[max(line - 3, 0) : line].rstrip("\r\n").endswith("\\"):
        line = source.find("\n", line) + 1 or len(source)
    return line, True


def unmask(text: str, masks: list[Mask]) -> str | None:
    """Put the magics of a cell back into its new text; None where one is gone or was changed."""
    for mask in masks:
        found = list(_lines_of(mask.python, text))
        if len(found) != 1:
            return None
        text = text[: found[0]] + mask.original + text[found[0] + len(mask.python) :]
    return text


def _lines_of(part: str, text: str) -> Iterator[int]:
    """Yield where a part of a text begins that stands in lines of its own."""
    start = text.find(part)
    while start >= 0:
        end = start + len(part)
        before = text[text.rfind("\n", 0, start) + 1 : start]
        if not before.strip(" \t") and text[end : end + 2].removeprefix("\r")[:1] in ("", "\n"):
            yield start
        start = text.find(part, end)


def statement_end(text: str, start: int) -> tuple[int, bool]:
    """Return where the line of statements that begins at `start` ends, after its line feed.

    Also tell whether all its strings and brackets are closed there.
    """
    depth = 0
    closed = True
    position = start
    while found := _TOKEN.search(text, position):
        position = found.end()
        if quotes := found["quotes"]:
            string = _STRING_ENDS[quotes].match(text, position)
            assert string is not None
            position = string.end()
            closed = closed and (string["closed"] is not None or len(quotes) == 1)
        elif found["open"]:
            depth += 1
        elif found["close"]:
            depth = max(depth - 1, 0)
        elif found["end"] and not depth:
            return position, closed
        elif found["joined"] and position == len(text):
            return position, False
    return len(text), closed and not depth and not text.endswith("\\", start)
