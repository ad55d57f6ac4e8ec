"""The diff of `tfgpu migrate`, applied, gives what `tfgpu migrate --write` writes."""

from __future__ import annotations

import codecs
import contextlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest

from tests.cli.tools import GROWTH, GROWTH_AFTER, SHARED, command, environment, started, write

# For each encoding text that it has, with bytes that mean something else in others.
ENCODINGS = {
    "utf-8": "grüße ☃ é",
    "latin-1": "grüße \x85 \xa0",
    "cp1252": "grüße € „“",
    "gbk": "中文 增长",
    "shift_jis": "ソ表 日本語",
    "euc_jp": "日本語",
    "iso2022_jp": "日本語 ソ表",
    "utf-7": "grüße + ☃",
    "koi8-r": "память",
}
ENDINGS = {"lf": "\n", "crlf": "\r\n"}
# Characters that end a line for Python's `splitlines`, and not for git.
BREAKS = "x = 'a\x0bb\x0cc\x1cd\x1de\x1ef'\n\x0c\n"
NAMES = (
    "a b.py", " a.py", "trail .py", "a\nb.py", "t\tb.py", 'a b"c\'.py', "a\\b.py", "\x1b[31mred.py",
    "中.py", "-x.py", "[x]*.py", "%s{}.py", "a:1:2.py", "d/d/d.py", os.fsdecode(b"a\xff.py"),
)  # fmt: skip
TOOLS = [
    pytest.param(
        tool, marks=pytest.mark.skipif(shutil.which(tool[0]) is None, reason=f"needs {tool[0]}")
    )
    for tool in (["git", "apply"], ["patch", "-p1", "--binary"])
]


def contents() -> dict[str, bytes]:
    """Return files of all encodings and line endings, with a config each."""
    found = {}
    for (encoding, words), (ending, newline) in product(ENCODINGS.items(), ENDINGS.items()):
        for name, code, end in (("", GROWTH, "\n"), ("-open", GROWTH, ""), ("-last", SHARED, "")):
            text = f"# coding: {encoding}\n# {words}\n{BREAKS}{code.rstrip()}  # {words}{end}"
            found[f"{encoding}/{ending}{name}.py"] = text.replace("\n", newline).encode(encoding)
    separators = "y = '\u2028\u2029\x85'\n"
    found["separators.py"] = (separators + GROWTH).encode()
    found["mark.py"] = codecs.BOM_UTF8 + GROWTH.encode()
    found["mark-open.py"] = codecs.BOM_UTF8 + SHARED.rstrip().encode()
    found["mixed.py"] = GROWTH.replace("\n", "\r\n", 3).encode()
    return found


def trees(folder: Path, files: Mapping[str, bytes]) -> tuple[Path, Path]:
    """Return two trees of the same files."""
    for name, data in files.items():
        write(folder / "one" / name, data)
    return folder / "one", shutil.copytree(folder / "one", folder / "two")


def state(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files of a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def migrated(folder: Path, *paths: str) -> bytes:
    """Return the diff of a migration."""
    done = started("migrate", "--no-cache", *paths, folder=folder)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def applied(tool: list[str], diff: bytes, folder: Path) -> None:
    """Apply a diff in a folder."""
    done = subprocess.run(tool, input=diff, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode(errors="replace")


@pytest.mark.parametrize("tool", TOOLS)
def test_files_of_any_encoding_and_line_ending(tool: list[str], tmp_path: Path) -> None:
    files = contents()
    one, two = trees(tmp_path, files)
    applied(tool, migrated(one), one)
    migrated(two, "--write")
    assert state(one) == state(two)
    assert not {name for name, data in state(one).items() if data == files[name]}


@pytest.mark.parametrize("tool", TOOLS)
def test_files_of_any_name(tool: list[str], tmp_path: Path) -> None:
    one, two = trees(tmp_path, dict.fromkeys(NAMES, GROWTH.encode()))
    applied(tool, migrated(one), one)
    migrated(two, "--write")
    assert state(one) == state(two) == dict.fromkeys(NAMES, GROWTH_AFTER.encode())


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    "named", ["pkg/a.py", "./pkg//a.py", "pkg", "../one/pkg/a.py", "/", "link.py"]
)
def test_the_way_to_a_file_does_not_matter(tool: list[str], named: str, tmp_path: Path) -> None:
    one, _ = trees(tmp_path, {"pkg/a.py": GROWTH.encode()})
    (one / "link.py").symlink_to("pkg/a.py")
    diff = migrated(one, str(one / "pkg" / "a.py") if named == "/" else named)
    assert diff.startswith(b"--- a/pkg/a.py\n+++ b/pkg/a.py\n")
    applied(tool, diff, one)
    assert (one / "pkg" / "a.py").read_text() == GROWTH_AFTER


@pytest.mark.parametrize("tool", TOOLS)
def test_in_a_folder_of_a_repository(tool: list[str], tmp_path: Path) -> None:
    one, _ = trees(tmp_path, {"here/pkg/a.py": GROWTH.encode(), "here/here/a.py": GROWTH.encode()})
    subprocess.run(["git", "init", "-q"], cwd=one, check=True)
    # Without -p1 git would take `here/here` for the folder from the top of the repository.
    tool = [*tool, "-p1"] if tool[0] == "git" else tool
    applied(tool, migrated(one / "here"), one / "here")
    assert set(state(one / "here").values()) == {GROWTH_AFTER.encode()}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_file_elsewhere_is_patched_from_the_root(tool: list[str], tmp_path: Path) -> None:
    one, two = trees(tmp_path, {"a.py": GROWTH.encode()})
    applied(tool, migrated(one, "../two/a.py"), Path("/"))
    assert (two / "a.py").read_text() == GROWTH_AFTER


def test_a_terminal_gets_characters_and_colours(tmp_path: Path) -> None:
    write(tmp_path / "a.py", f"# coding: latin-1\n# grüße\n{GROWTH}".encode("latin-1"))
    ours, theirs = os.openpty()
    line = command("migrate", "--no-cache", "-q", "a.py")
    with subprocess.Popen(
        line, stdout=theirs, stderr=subprocess.DEVNULL, cwd=tmp_path, env=environment()
    ) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # what Linux says at the end
            while data := os.read(ours, 2**16):
                shown += data
        os.close(ours)
    assert process.returncode == 0
    assert " # grüße" in shown.decode()
    assert b"\x1b[31m-import tensorflow as tf" in shown
