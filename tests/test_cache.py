"""The cache never changes what a run says, whatever changed, and whatever is in it."""

from __future__ import annotations

import hashlib
import os
import pickle
import random
import resource
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

import pytest

from tests.cli.tools import GROWTH, SHARED, command, environment, tfgpu, write
from tfgpu import results, workers
from tfgpu.cache import _clean, cached_run
from tfgpu.files.kinds import EVERY
from tfgpu.files.read import Module
from tfgpu.job import Job, no_watch
from tfgpu.options import Options
from tfgpu.pickled import dumps, loads
from tfgpu.program import switches
from tfgpu.program.projects import mark_of
from tfgpu.results import Result
from tfgpu.workers import Unit

USER = "import helper\n\nhelper.train()\n"
HELPER = GROWTH
# Takes the config of the helper to a call that nobody knows.
OTHER = "import tensorflow as tf\nimport helper\nsess = tf.Session(config=tf.ConfigProto())\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with a program of two files, and others; it is the current folder."""
    top = tmp_path / "tree"
    (top / ".git").mkdir(parents=True)
    write(top / "main.py", USER)
    write(top / "helper.py", HELPER)
    for number in range(25):
        write(top / "more" / f"m{number}.py", f"X = {number}\n")
    monkeypatch.chdir(top)
    return top


def audit(cache: Path, *options: str) -> str:
    done = tfgpu("audit", "--format", "json", "--cache-dir", str(cache), "--jobs", "1", *options)
    assert "cache" not in done.stderr, done.stderr
    return done.stdout


def test_a_second_run_reads_results_from_the_cache(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = audit(tmp_path / "cache")
    tables = tfgpu("inventory", "--cache-dir", str(tmp_path / "cache")).stdout
    diff = tfgpu("migrate", "--cache-dir", str(tmp_path / "cache")).stdout
    assert "+    for gpu in" in diff

    def refuse(*_: object) -> Iterator[None]:
        raise AssertionError("analysed again")

    monkeypatch.setattr("tfgpu.run.run", refuse)
    assert audit(tmp_path / "cache") == first
    assert tfgpu("inventory", "--cache-dir", str(tmp_path / "cache")).stdout == tables
    written = tfgpu("migrate", "--write", "--force", "--cache-dir", str(tmp_path / "cache"))
    assert written.exit_code == 0
    assert "set_memory_growth" in (tree / "helper.py").read_text()


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file": lambda top: write(top / "helper.py", HELPER.replace("True", "False")),
    "another file of the program": lambda top: write(top / "main.py", OTHER + USER),
    "a new file": lambda top: write(top / "new.py", GROWTH),
    "a file less": lambda top: (top / "main.py").unlink(),
    "what git ignores": lambda top: write(top / ".gitignore", "helper.py\n"),
    "the configuration": lambda top: write(top / "tfgpu.toml", 'ignore = ["TFG101"]\n'),
    "the configuration of a folder": lambda top: write(
        top.parent / "tfgpu.toml", 'exclude = ["helper.py"]\n'
    ),
    "where the project begins": lambda top: write(top / "more" / ".git", ""),
    "an unreadable file": lambda top: write(top / "bad.py", "import tensorflow\nx = = 1\n"),
    "a notebook": lambda top: write(top / "n.ipynb", '{"cells": [], "nbformat": 4}'),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_is_seen(tree: Path, tmp_path: Path, change: str) -> None:
    cache = tmp_path / "cache"
    audit(cache)
    CHANGES[change](tree)
    expected = tfgpu("audit", "--format", "json", "--no-cache", "--jobs", "1").stdout
    assert audit(cache) == expected
    assert audit(cache) == expected


def test_options_and_paths_are_told_apart(tree: Path, tmp_path: Path) -> None:
    for options in ([], ["--ignore", "TFG101"], ["--per-file"], ["--min-tf", "2.10"], [str(tree)]):
        known = [*options, "--format", "json", "--jobs", "1", "-q"]
        expected = tfgpu("audit", "--no-cache", *known).stdout
        for _ in range(2):
            done = tfgpu("audit", "--cache-dir", str(tmp_path / "cache"), *known)
            assert done.stdout == expected, options


class _Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("evil",)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "one bit": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "foreign": lambda data: b"something else\n" * 100,
    "another pickle": lambda data: pickle.dumps(_Evil()),
}


def only(cache: Path, kind: str) -> Path:
    """Return the file of a kind in a cache, without that of the whole run where it is another."""
    (run,), (units,) = cache.glob("*.run"), cache.glob("*.units")
    if kind == "run":
        return run
    run.unlink()
    return units


@pytest.mark.parametrize("kind", ["run", "units"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_is_ignored_with_a_line(
    tree: Path, tmp_path: Path, damage: str, kind: str
) -> None:
    cache = tmp_path / "cache"
    first = audit(cache)
    file = only(cache, kind)
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    done = tfgpu("audit", "--format", "json", "--cache-dir", str(cache), "--jobs", "1")
    assert done.stdout == first
    assert done.stderr.splitlines()[0] == f"cache ignored: {file} is damaged, or no cache of tfgpu"
    assert audit(cache) == first


def _classes(kind: Any, found: set[type]) -> set[type]:
    """Return the classes that a type consists of, those of fields included."""
    for part in get_args(kind):
        _classes(part, found)
    if isinstance(kind, type) and not get_args(kind) and kind not in found:
        found.add(kind)
        if hasattr(kind, "__dataclass_fields__"):
            names = {**vars(results), **vars(switches), "Module": Module}
            module = vars(sys.modules[kind.__module__])
            for hint in get_type_hints(kind, names | module).values():
                _classes(hint, found)
    return found


def test_whatever_a_result_can_hold_is_loaded_again() -> None:
    classes = _classes(workers._Kept, set()) - {UnionType}
    assert {results.Finding, results.Result} <= classes
    for kind in classes:
        if kind.__module__ not in ("builtins", "types"):
            assert list(loads(dumps(kind))) == [kind]


@pytest.mark.parametrize("kind", ["run", "units"])
def test_nothing_but_results_is_made_from_a_cache(tree: Path, tmp_path: Path, kind: str) -> None:
    cache = tmp_path / "cache"
    first = audit(cache)
    file = only(cache, kind)
    data = zlib.compress(pickle.dumps(_Evil()))
    file.write_bytes(b"tfgpu cache 2\n" + hashlib.blake2b(data, digest_size=24).digest() + data)
    done = tfgpu("audit", "--format", "json", "--cache-dir", str(cache), "--jobs", "1")
    assert done.stdout == first
    assert "cache ignored" in done.stderr
    assert not Path("evil").exists()


def test_a_folder_that_cannot_be_written_is_one_line(tree: Path, tmp_path: Path) -> None:
    write(tmp_path / "file", "")
    done = tfgpu("audit", "--cache-dir", str(tmp_path / "file" / "cache"))
    assert [line for line in done.stderr.splitlines() if "cache" in line] == [
        f"cache not written: {tmp_path / 'file' / 'cache'}: Not a directory"
    ]
    assert "helper.py" in done.stdout


PUTS: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a link to another file": lambda path: path.symlink_to("../tree/main.py"),
    "a link to nothing": lambda path: path.symlink_to("nothing"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a file without end": lambda path: os.truncate(write(path, ""), 2**40),
}


def test_a_link_that_was_added_decides(tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    write(tree / "run" / "train.py", "import conf\n\nprint(conf.config)\n")
    write(tree / "lib" / "conf.py", SHARED)
    first = audit(cache)
    (tree / "run" / "conf.py").symlink_to("../lib/conf.py")
    assert audit(cache) == audit(tmp_path / "other") != first
    (tree / "run" / "conf.py").unlink()
    assert audit(cache) == first


@pytest.mark.parametrize("kind", ["run", "units"])
@pytest.mark.parametrize("what", PUTS)
def test_whatever_stands_in_the_place_of_a_file(
    tree: Path, tmp_path: Path, what: str, kind: str
) -> None:
    cache = tmp_path / "cache"
    first = audit(cache)
    file = only(cache, kind)
    file.unlink()
    PUTS[what](file)
    done = tfgpu("audit", "--format", "json", "--cache-dir", str(cache), "--jobs", "1")
    assert done.stdout == first
    said = [line for line in done.stderr.splitlines() if "cache" in line]
    assert len(said) == (what != "a link to nothing") + (what == "a folder")
    assert (tree / "main.py").read_text() == USER


def test_links_that_lead_nowhere_do_not_end_the_cleaning(tmp_path: Path) -> None:
    names = [f"{number}{'a' * 47}.run" for number in range(3)]
    os.utime(write(tmp_path / names[0], "old"), (0, 0))
    (tmp_path / names[1]).symlink_to("nothing")
    (tmp_path / names[2]).symlink_to(names[2])
    _clean(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == names[1:]


def test_a_folder_of_somebody_keeps_all_that_is_no_cache(tmp_path: Path) -> None:
    others = ["train.py", "notes.old.txt", "model.run", ".env", f"{'z' * 48}.run"]
    own = [f"{'0' * 48}.run", f"{'f' * 48}.units", ".123-0a1b2c3d"]
    for name in (*others, *own):
        os.utime(write(tmp_path / name, "old"), (0, 0))
    _clean(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(others)


def test_a_folder_without_a_name_is_an_error(tree: Path) -> None:
    before = sorted(tree.iterdir())
    done = tfgpu("audit", "--cache-dir", "")
    assert done.exit_code == 2
    assert "'--cache-dir': the name is empty" in done.stderr
    assert sorted(tree.iterdir()) == before


def test_a_folder_behind_a_link_and_one_that_is_read_only(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    first = audit(tmp_path / "link")
    assert {file.suffix for file in (tmp_path / "real").iterdir()} == {".run", ".units"}
    (tmp_path / "real").chmod(0o500)
    try:
        assert audit(tmp_path / "link") == first
        write(tree / "helper.py", HELPER.replace("True", "False"))
        expected = tfgpu("audit", "--format", "json", "--no-cache", "--jobs", "1").stdout
        options = ("--format", "json", "--jobs", "1", "--cache-dir", str(tmp_path / "link"))
        done = tfgpu("audit", *options)
        assert done.stdout == expected
        lines = [line for line in done.stderr.splitlines() if "cache" in line]
        assert lines in ([], [f"cache not written: {tmp_path / 'link'}: Permission denied"])
    finally:
        (tmp_path / "real").chmod(0o700)


def test_a_run_that_files_change_under_is_not_kept(tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    job = Job(Options(), rewrite=False, kinds=EVERY)
    for _ in cached_run(["."], job, 1, no_watch, cache, print):
        write(tree / "helper.py", "X = 1\n")
    assert not list(cache.glob("*"))


def test_processes_share_a_folder(tree: Path, tmp_path: Path) -> None:
    expected = tfgpu("audit", "--format", "json", "--no-cache", "--jobs", "1").stdout
    options = ("audit", "--format", "json", "--jobs", "1", "--cache-dir", str(tmp_path / "cache"))
    running = [
        subprocess.Popen(
            command(*options), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    for process in running:
        printed, said = process.communicate(timeout=120)
        assert printed.decode() == expected
        assert b"cache" not in said
    assert sorted(file.suffix for file in (tmp_path / "cache").iterdir()) == [".run", ".units"]


def test_a_disk_that_is_full_is_one_line(tree: Path, tmp_path: Path) -> None:
    expected = audit(tmp_path / "cache")
    full = tmp_path / "full"
    done = subprocess.run(
        command("audit", "--format", "json", "--jobs", "1", "--cache-dir", str(full)),
        # Python would keep byte code that is cut off at the limit.
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        check=False,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )
    assert done.stdout.decode() == expected
    said = [line for line in done.stderr.decode().splitlines() if "cache" in line]
    assert said == [f"cache not written: {full}: File too large"]
    assert not list(full.iterdir())


def test_units_that_did_not_change_are_not_analysed_again(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        write(tree / f"alone{number}.py", GROWTH)
    audit(tmp_path / "cache")
    analysed: list[str] = []

    def note(unit: Unit, job: Job) -> list[Result]:
        analysed.extend(unit.files)
        return analyse(unit, job)

    analyse = workers._analyse
    monkeypatch.setattr(workers, "_analyse", note)
    write(tree / "alone2.py", "# another\n" + GROWTH)
    write(tree / "more" / "m3.py", "Y = 1\n")
    audit(tmp_path / "cache")
    assert analysed == ["./alone2.py"]
    write(tree / "main.py", "import os\n" + USER)
    audit(tmp_path / "cache")
    assert analysed == ["./alone2.py", "./helper.py", "./main.py"]


LINES = (
    "import tensorflow as tf\n",
    "import tensorflow.compat.v1 as tf\n",
    "import helper\n",
    "from helper import *\n",
    "from pack import part\n",
    "import sys; sys.path.append('pack')\n",
    "import importlib; importlib.import_module('main')\n",
    "helper.NAME = 1\n",
    "NAME = 2\n",
    "tf.enable_eager_execution()\n",
    "tf.Session()\n",
    "tf.slim = tf.contrib.slim\n",
    "import os; os.environ['CUDA_VISIBLE_DEVICES'] = '1'\n",
    "x = = 1\n",
    "def make(config):\n    return tf.Session(config=config)\n",
    "make(tf.ConfigProto(allow_soft_placement=True))\n",
    "# a comment\n",
    GROWTH,
)
NAMES = ("main.py", "helper.py", "pack/__init__.py", "pack/part.py", "pack/test_a.py", "other.py")


def _put(name: str, text: str) -> Callable[[Path, bool], object]:
    """Return what writes a file, or takes it away."""
    return lambda top, away: (
        (top / name).unlink(missing_ok=True) if away else write(top / name, text)
    )


# What decides without being a program's own text.
AROUND: dict[str, Callable[[Path, bool], object]] = {
    "nothing": lambda top, away: None,
    "configuration": _put("pyproject.toml", '[tool.tfgpu]\nignore = ["TFG101"]\n'),
    "configuration of a folder": _put("pack/tfgpu.toml", 'exclude = ["part.py"]\n'),
    "configuration around": _put("../tfgpu.toml", 'select = ["TFG1", "TFG9"]\n'),
    "what git ignores": _put("pack/.gitignore", "part.py\n"),
    "file outside": _put("../outside.py", SHARED),
    "link": lambda top, away: (
        (top / "link.py").unlink(missing_ok=True)
        if away or (top / "link.py").is_symlink()
        else (top / "link.py").symlink_to("../outside.py")
    ),
    "comment": _put("noted.py", SHARED.replace("\n", "  # tfgpu: ignore[TFG1] why\n")),
    "where a project begins": _put("pack/setup.py", ""),
    "launcher": _put("run.sh", "export CUDA_VISIBLE_DEVICES=1\npython main.py\n"),
}


@pytest.mark.parametrize("seed", range(4))
def test_any_edits_give_the_same_with_a_cache(tree: Path, tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(12):
        path = tree / choose.choice(NAMES)
        if path.exists() and choose.random() < 0.2:
            path.unlink()
        else:
            lines = path.read_text().splitlines(keepends=True) if path.exists() else []
            lines.insert(choose.randint(0, len(lines)), choose.choice(LINES))
            if len(lines) > 8:
                del lines[choose.randrange(len(lines))]
            write(path, "".join(lines))
        choose.choice(list(AROUND.values()))(tree, choose.random() < 0.3)
        mark_of.cache_clear()
        for words in (["audit", "--format", "json"], ["migrate"], ["inventory"]):
            expected = tfgpu(*words, "--no-cache", "--jobs", "1")
            done = tfgpu(*words, "--cache-dir", str(tmp_path / "cache"), "--jobs", "1")
            assert (done.stdout, done.stderr) == (expected.stdout, expected.stderr)
