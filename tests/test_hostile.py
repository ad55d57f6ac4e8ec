"""A tree as nobody would want it: each trap is one clear line, and the others are still done."""

from __future__ import annotations

import os
import re
import resource
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.tools import GROWTH, GROWTH_AFTER, started, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files and names of POSIX")

LARGE = 200 * 2**20


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _bytes(data: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


def _large(path: Path) -> None:
    with path.open("wb") as file:
        file.write(GROWTH.encode())
        file.truncate(LARGE)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))


def _read_only(path: Path) -> None:
    path.write_text(GROWTH)
    path.chmod(0o444)


# Each is made at its name; what is said of it, if it is found by walking, and if it is named.
Trap = tuple[Callable[[Path], None], str, str]


def _always(make: Callable[[Path], None], reason: str) -> Trap:
    return make, reason, reason


TRAPS: dict[str, Trap] = {
    "loop": (_link("."), "a symbolic link to a folder around it; not followed", ""),
    "self.py": (
        _link("self.py"),
        "a symbolic link that leads to itself",
        "Too many levels of symbolic links",
    ),
    "out.py": (_link("../outside.py"), "", "a symbolic link out of its folder; not changed"),
    "nowhere.py": (_link("missing"), "", "No such file or directory"),
    "pipe.py": (os.mkfifo, "", "not a regular file"),
    "device.py": (_link("/dev/zero"), "", "not a regular file"),
    "socket.py": (_socket, "", "not a regular file"),
    "large.py": _always(_large, "200.0 MiB; files above 64 MiB are not read"),
    "nul.py": _always(
        _bytes(GROWTH.encode() + b"\0"),
        "not valid Python 3: a NUL byte, which no source code has",
    ),
    "bytes.py": _always(_bytes(b"# ConfigProto\nx = '\xff'\n"), "byte 0xff is not utf-8"),
    "utf16.py": _always(
        _bytes(GROWTH.encode("utf-16")), "UTF-16, which Python does not read: save it as UTF-8"
    ),
    "brackets.py": _always(
        _bytes(b"ConfigProto\nx = " + b"[" * 100_000 + b"]" * 100_000 + b"\n"),
        "not valid Python 3: too many nested parentheses",
    ),
    "chain.py": _always(
        _bytes(GROWTH.encode() + b"x = " + b" and ".join([b"a"] * 20_000) + b"\n"),
        "cannot be rewritten, and was not changed: too deeply nested",
    ),
    "digits.ipynb": _always(
        _bytes(b'{"nbformat": 4, "cells": [], "ConfigProto": ' + b"9" * 5000 + b"}"),
        "a number of thousands of digits, which is not read",
    ),
    "formfeed.py": _always(
        _bytes(b"class A:\n    \x0c    a = 1\n" + GROWTH.encode()),
        "cannot be rewritten, and was not changed: a form feed stands in front of a statement",
    ),
    "Dockerfile": _always(
        _bytes(b"FROM x\nENV CUDA_VISIBLE_DEVICES=0\nCMD " + b"[" * 100_000 + b"\n"), ""
    ),
    "digits.sh": _always(_bytes(b"CUDA_VISIBLE_DEVICES=" + b"9" * 5000 + b" python a.py\n"), ""),
    "readonly.py": _always(_read_only, "read-only; not changed"),
}
GOOD = ["a.py", "z.py", "two\nlines.py", os.fsdecode(b"caf\xe9.py"), "\x1b[31mred.py", "-.py"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with every trap, and one good file of every name beside them."""
    top = tmp_path_factory.mktemp("hostile")
    write(top / "outside.py", GROWTH)
    write(top / "folder" / "b.py", GROWTH)
    (top / "tree").mkdir()
    before = Path.cwd()
    os.chdir(top)  # the name of a socket is short
    try:
        for name, (make, *_) in TRAPS.items():
            make(top / "tree" / name)
        (top / "tree" / "outside").symlink_to("../folder")
    finally:
        os.chdir(before)
    yield top
    (top / "tree" / "large.py").unlink()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_walk(tree: Path, jobs: str) -> None:
    for name in GOOD:
        write(tree / "tree" / name, GROWTH)
    done = started("migrate", "--write", "--jobs", jobs, "tree", folder=tree)
    assert done.returncode == 2
    assert errors(done.stderr) == {
        f"tree/{name}": walk for name, (_, walk, _) in TRAPS.items() if walk
    }
    assert {(tree / "tree" / name).read_text() for name in GOOD} == {GROWTH_AFTER}
    assert (tree / "outside.py").read_text() == GROWTH
    assert (tree / "folder" / "b.py").read_text() == GROWTH
    assert not list(tree.rglob(".tfgpu-*"))


@pytest.mark.parametrize("name", sorted(TRAPS.keys() - {"loop"}))
def test_one_that_is_named(tree: Path, name: str) -> None:
    good = write(tree / "tree" / "good.py", GROWTH)
    done = started("migrate", "--write", f"tree/{name}", "tree/good.py", folder=tree)
    reason = TRAPS[name][2]
    assert errors(done.stderr) == ({f"tree/{name}": reason} if reason else {})
    assert good.read_text() == GROWTH_AFTER
    assert (tree / "outside.py").read_text() == GROWTH
    good.unlink()


@pytest.mark.parametrize("name", ["missing.py", "self.py", "pipe.py", "large.py", "bytes.py"])
@pytest.mark.parametrize("options", [(), ("--no-cache",)])
def test_one_that_another_file_imports(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    reason = "No such file or directory"
    if name in TRAPS:
        make, _, reason = TRAPS[name]
        make(tmp_path / name)
    write(tmp_path / "a.py", f"import {name[:-3]}\n{GROWTH}")
    done = started("audit", *options, "--format", "concise", "a.py", name, folder=tmp_path)
    assert done.returncode == 3
    assert errors(done.stderr) == {name: reason}
    # What it does is not known: it is not taken for a file that does nothing.
    assert b"TFG965" in done.stdout


@pytest.mark.parametrize(
    ("module", "files"),
    [
        ("odd/b\udcff.py", {"a.py": "from odd import *\n", "odd/__init__.py": "__all__ = ['b']\n"}),
        ("odd\udcff/b.py", {"a.py": "import sys\nsys.path.append('odd')\nimport b\n"}),
        (
            "odd/b\udcff.py",
            {
                "a.py": "import c\n",
                "c.py": "from odd import *\ngo()\n",
                "odd/__init__.py": "__all__ = [name for name in names()]\n",
            },
        ),
    ],
)
def test_a_module_whose_name_is_not_utf8(
    module: str, files: dict[str, str], tmp_path: Path
) -> None:
    for name, text in files.items():
        write(tmp_path / name, text + GROWTH)
    write(tmp_path / module, GROWTH)
    done = started("audit", "--no-cache", folder=tmp_path)
    assert done.returncode == 1, done.stderr


def test_all_can_be_audited(tree: Path) -> None:
    good = write(tree / "tree" / "good.py", GROWTH)
    done = started("audit", "tree", folder=tree)
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
    assert b"tree/Dockerfile:2:" in done.stdout
    assert b"tree/good.py:" in done.stdout
    good.unlink()


def test_a_large_file_takes_no_memory(tree: Path) -> None:
    with memory(LARGE):
        done = started("audit", "tree/large.py", folder=tree)
    assert errors(done.stderr) == {"tree/large.py": "200.0 MiB; files above 64 MiB are not read"}


@contextmanager
def memory(most: int) -> Iterator[None]:
    """Limit the memory of the processes that are started meanwhile."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (max(most, 0), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def errors(talk: bytes) -> dict[str, str]:
    """Return what is said of each file that failed; there is nothing but lines."""
    assert b"Traceback" not in talk
    found = re.findall(rb"^error: ([^:]+?)(?::\d+)?: (.*)$", talk, re.M)
    return {path.decode(): reason.decode().partition(" (<unknown>")[0] for path, reason in found}
