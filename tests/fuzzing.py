"""Files as nobody wrote them: mutations of real ones, and what holds whatever is in them."""

from __future__ import annotations

import io
import random
import re
import tokenize
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.cli.tools import ROOT
from tests.tools import book
from tfgpu.code.parse import parse
from tfgpu.files.kinds import Kind
from tfgpu.files.sieve import holds_any
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.results import Result
from tfgpu.rulebook.tokens import tokens

# A line with nothing to change, laid out as no formatter would: it must come out as it went in.
_MARK = "zz_{number} = [ 1,2 ,3 ]   ;zz = ( 'ä' ,)\t # mark {number}"
_MARKED = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*(zz_\d+ = [^\r\n]*(?:\r\n|\r|\n)?)")
_TOKEN = re.compile(r"[^\W\d]\w*|\d+|\s+|\"[^\"\n]*\"|'[^'\n]*'|[^\w\s]")
_NOISE = (
    b"\0", b"\xff", b"\x0c", b"\r", b"\t", b"\\", b"\\\n", b"#", b"'", b'"""', b"(", b")", b":",
    b"\n", b";", b"\xef\xbb\xbf", "\u2028".encode(), "ä".encode(), b"\x1a", b"if x: ", b"lambda: ",
    b"f'{", b"# coding: latin-1\n", b"await ", b"del ", b"global config\n", b"return ", b"=None",
    b" and ", b"*",
)  # fmt: skip

Mutation = Callable[[bytes, bytes, random.Random], bytes]


def sources() -> list[bytes]:
    """Return what the rules' examples and the fixtures begin from."""
    examples = [
        example.before.encode()
        for rule in book().rules
        for example in rule.examples
        if example.path.endswith(".py")
    ]
    return examples + [path.read_bytes() for path in sorted((ROOT / "fixtures").rglob("*.py"))]


def _bytes(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Put something odd in, or take some bytes out."""
    at = chance.randint(0, len(data))
    if chance.random() < 0.3:
        return data[:at] + data[at + chance.randint(1, 20) :]
    return data[:at] + chance.choice(_NOISE) + data[at:]


def _lines(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Take a line out, double it, exchange two, or move some."""
    lines = data.splitlines(keepends=True) or [b""]
    one, two = (chance.randrange(len(lines)) for _ in range(2))
    kind = chance.randrange(4)
    if kind == 0:
        del lines[one]
    elif kind == 1:
        lines.insert(two, lines[one])
    elif kind == 2:
        lines[one], lines[two] = lines[two], lines[one]
    else:
        moved = lines[one : one + 3]
        del lines[one : one + 3]
        lines[two:two] = moved
    return b"".join(lines)


def _tokens(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Take a token out, double it, or put one of another file in its place."""
    found = _TOKEN.findall(data.decode("utf-8", "surrogateescape")) or [""]
    strangers = _TOKEN.findall(other.decode("utf-8", "surrogateescape")) or [""]
    at = chance.randrange(len(found))
    found[at] = chance.choice(["", found[at] * 2, chance.choice(strangers), chance.choice(found)])
    return "".join(found).encode("utf-8", "surrogateescape")


def _depth(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Indent lines below a statement, or by something else, or not at all."""
    lines = data.splitlines(keepends=True)
    start = chance.randint(0, len(lines))
    end = min(len(lines), start + chance.choice([1, 3, 10, len(lines)]))
    kind = chance.randrange(3)
    if kind == 0:
        unit = chance.choice([b"    ", b"  ", b"\t"])
        head = chance.choice(
            [b"if x:\n", b"try:\n", b"def f():\n", b"for x in y:\n", b"class C:\n"]
        )
        body = [unit + line for line in lines[start:end]]
        tail = [b"except E:\n", unit + b"pass\n"] if head == b"try:\n" else []
        lines[start:end] = [head, *body, *tail]
    elif kind == 1:
        lines[start:end] = [line.replace(b"    ", b"\t") for line in lines[start:end]]
    else:
        lines[start:end] = [line.lstrip(b" ") for line in lines[start : start + 1]]
    return b"".join(lines)


def _comments(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Add comments at the ends of lines and between them."""
    lines = data.splitlines()
    for number, line in enumerate(lines):
        if chance.random() < 0.2:
            lines[number] = line + b"  # note %d" % number
        elif chance.random() < 0.1:
            indent = line[: len(line) - len(line.lstrip())]
            lines[number] = indent + b"# above %d\n" % number + line
    return b"\n".join(lines) + b"\n"


def _endings(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Change line endings: of all lines, or of some."""
    ending = chance.choice([b"\r\n", b"\r", b"\n\n", b"\r\n\r\n", b" \n", b"\x0c\n"])
    if chance.random() < 0.5:
        return data.replace(b"\n", ending)
    return b"".join(
        line.replace(b"\n", ending) if chance.random() < 0.3 else line
        for line in data.splitlines(keepends=True)
    )


def _encodings(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Write a file in another encoding, with or without saying so."""
    encoding = chance.choice(["latin-1", "cp1252", "utf-8-sig", "utf-16", "shift_jis", "koi8-r"])
    text = data.decode("utf-8", "replace")
    if chance.random() < 0.7:
        text = f"# -*- coding: {encoding.removesuffix('-sig')} -*-\n{text}"
    return text.encode(encoding, "replace")


def _splice(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Put a part of another file into one, at a line or anywhere."""
    ours, theirs = data.splitlines(keepends=True), other.splitlines(keepends=True)
    if chance.random() < 0.3:
        return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]
    at, start = chance.randint(0, len(ours)), chance.randint(0, len(theirs))
    part = theirs[start : start + chance.choice([1, 2, 5, 1000])]
    return b"".join([*ours[:at], *part, *ours[at:]])


def _marks(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Put lines in that have nothing to do with any config."""
    lines = data.splitlines(keepends=True)
    for number in range(chance.randint(1, 5)):
        at = chance.randint(0, len(lines))
        below = lines[at] if at < len(lines) else b""
        indent = below[: len(below) - len(below.lstrip(b" \t"))]
        ending = b"\r\n" if below.endswith(b"\r\n") else b"\n"
        lines.insert(at, indent + _MARK.format(number=number).encode() + ending)
    return b"".join(lines)


# Those that mostly leave a program are taken more often.
MUTATIONS: Sequence[Mutation] = (
    _bytes, _lines, _tokens, _depth, _splice, _endings, _encodings,
    _lines, _depth, _comments, _comments, _comments, _marks, _marks, _marks,
)  # fmt: skip


def mutated(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Return a file after one to four mutations; `other` is one to take parts from."""
    for _ in range(chance.choice([1, 1, 1, 2, 2, 3, 4])):
        data = chance.choice(MUTATIONS)(data, other, chance)
    return data


def options(chance: random.Random) -> Options:
    """Return options of a migration."""
    lowest = chance.choice([(2, 4), (2, 4), (1, 15)])
    return Options(lowest, unsafe_fixes=chance.random() < 0.3, keep_imports=chance.random() < 0.2)


def check(data: bytes, chosen: Options, path: str = "a.py") -> str:
    """Check what holds for every file; return what became of it: failed, kept or changed.

    Raises:
        AssertionError: something does not hold.
        Exception: tfgpu itself failed.
    """
    result = _migrated(path, data, chosen)
    if result.reason is not None:
        assert "\n" not in result.reason
        assert result.new is None
        return "failed"
    if result.new is None:
        return "kept"
    again = _migrated(path, result.new, chosen)
    assert again.reason is None, again.reason
    assert again.new is None, "a second run changes the file again"
    if path.endswith(".py"):
        assert result.source is not None
        assert again.source is not None
        _check_python(result.source.text, again.source.text)
    return "changed"


def _migrated(path: str, data: bytes, chosen: Options) -> Result:
    return process({path: data}, Job(chosen, rewrite=True), book())[0]


def _check_python(before: str, after: str) -> None:
    parse(after)
    try:
        comments = _comments_of(before)
    except (IndentationError, tokenize.TokenError):
        comments = (
            Counter()
        )  # form feeds that `tokenize` takes for indentation, and Python does not
    lost = comments - _comments_of(after) if comments else None
    assert not lost, f"comments are gone: {lost}"
    assert _MARKED.findall(after) == _MARKED.findall(before), "other lines changed"


def _comments_of(text: str) -> Counter[str]:
    # A lone carriage return ends a line for Python, not for `tokenize`.
    tokens = tokenize.generate_tokens(io.StringIO(text, newline=None).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def corpus(folders: Sequence[Path], most: int) -> list[bytes]:
    """Return the Python files below folders that tfgpu would look into, up to a size."""
    files = (path for folder in folders for path in sorted(folder.rglob("*.py")))
    read = (path.read_bytes() for path in files if path.is_file())
    words = tokens(Kind.PYTHON, book())
    return [data for data in read if len(data) <= most and holds_any(data, words)]
