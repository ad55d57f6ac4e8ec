"""`tfgpu fleet`: each repository by itself, as rows of one dataset."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.tools import CLEAN, GROWTH, KEPT, command, environment, tfgpu, write
from tests.fleet.tools import git, repository, rows, waiting_server
from tfgpu import __version__
from tfgpu.fleet.rows import TABLES
from tfgpu.fleet.sources import Source, sources
from tfgpu.fleet.work import Settings, examine

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two repositories, one of them in a folder of its own."""
    folder = tmp_path_factory.mktemp("clones")
    repository(folder / "kept", KEPT)
    repository(folder / "group" / "growth", GROWTH)
    (folder / "notes").mkdir()
    return folder


def test_every_row_says_whose_it_is(clones: Path, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    data = tmp_path / "data"
    done = tfgpu("fleet", str(clones), f"file://{clones}/kept", "--dataset", str(data), "--parquet")
    assert done.exit_code == 0, done.stderr
    states = {row["repository"]: row["state"] for row in rows(data, "repositories")}
    kept, growth, url = f"{clones}/kept", f"{clones}/group/growth", f"file://{clones}/kept"
    assert states == {kept: "blocked", growth: "ready", url: "blocked"}
    commits = {
        kept: git(clones / "kept", "rev-parse", "HEAD"),
        growth: git(clones / "group" / "growth", "rev-parse", "HEAD"),
    }
    commits[url] = commits[kept]
    for table, columns in TABLES.items():
        found = rows(data, table)
        assert found == pq.read_table(data / f"{table}.parquet").to_pylist()
        for row in found:
            assert list(row) == list(columns)
            assert row["commit"] == commits[row["repository"]]
            assert row["tfgpu"] == __version__
            assert all(isinstance(row[name], kind) for name, kind in columns.items())
    assert {row["repository"]: row["setting"] for row in rows(data, "settings")} == {
        kept: "graph_options.timeline_step",
        url: "graph_options.timeline_step",
        growth: "gpu_options.allow_growth",
    }
    assert {row["path"] for row in rows(data, "findings")} == {"train.py"}
    assert [row["configs"] for row in rows(data, "causes")] == [1, 1]
    page = (data / "index.html").read_text()
    assert "3 repositories" in page
    assert "blocked: no config converts" in page


def test_a_commit_that_is_known_is_not_read_again(tmp_path: Path) -> None:
    clone, data = tmp_path / "clone", tmp_path / "data"
    repository(clone, GROWTH)
    command = ("fleet", str(clone), "--dataset", str(data))
    assert "1 read now, 1 in the dataset" in tfgpu(*command).stderr
    assert "0 read now, 1 in the dataset" in tfgpu(*command).stderr
    assert "1 read now" in tfgpu(*command, "--ignore", "TFG101").stderr
    (clone / "train.py").write_text(KEPT)
    assert "1 read now" in tfgpu(*command).stderr
    assert rows(data, "repositories")[0]["clean"] is False
    # What is not committed can change, and the commit does not tell.
    assert "1 read now" in tfgpu(*command).stderr
    repository(clone, KEPT)
    assert "1 read now, 1 in the dataset" in tfgpu(*command).stderr
    assert [row["state"] for row in rows(data, "repositories")] == ["blocked"]


def test_what_cannot_be_read_is_a_row_and_the_others_are_done(clones: Path, tmp_path: Path) -> None:
    data, empty, wrong = tmp_path / "data", tmp_path / "empty", tmp_path / "wrong"
    empty.mkdir()
    git(empty, "init", "-q")
    repository(wrong, GROWTH)
    write(wrong / "tfgpu.toml", "select = 1\n")
    url = f"https://me:secret@127.0.0.1:1/{'x' * 3}.git"
    (tmp_path / "plain").mkdir()
    names = write(
        tmp_path / "list",
        f"# our repositories\n{clones}/kept  # the first\n\n{url}\n{tmp_path}/plain\n{wrong}\n",
    )
    done = tfgpu("fleet", "--from", str(names), f"{tmp_path}/nosuch", str(empty),
                 "--dataset", str(data))  # fmt: skip
    assert done.exit_code == 2
    reasons = {row["repository"]: row["reason"] for row in rows(data, "repositories")}
    assert reasons.pop(f"{clones}/kept") == ""
    assert reasons.pop(f"{tmp_path}/nosuch") == "no such folder"
    assert reasons.pop(f"{tmp_path}/plain") == "no git repository, and none below it"
    assert reasons.pop(str(empty)) == "it has no commit"
    assert "select" in reasons.pop(str(wrong))
    ((name, why),) = reasons.items()
    assert name == "https://127.0.0.1:1/xxx.git"
    assert why
    assert "secret" not in done.stderr
    assert all("secret" not in path.read_text() for path in data.rglob("*.*"))
    assert len(done.stderr.splitlines()) == 5 + 2


def test_a_repository_is_read_once_whatever_it_is_called(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
    data, folder = tmp_path / "data", tmp_path / "clones"
    for name in ("qu'o\"te", "new\nline", "\u00fc", os.fsdecode(b"\xff")):
        repository(folder / name, GROWTH)
    (folder / "link").symlink_to(folder / "\u00fc")
    (folder / "\u00fc" / "itself").symlink_to(".")
    command = ("fleet", str(folder), f"{folder}/../clones/\u00fc", "--dataset", str(data))
    done = tfgpu(*command, "--parquet")
    assert done.exit_code == 0, done.stderr
    assert {row["repository"].rpartition("/")[2] for row in rows(data, "repositories")} in (
        {"qu'o\"te", "new\nline", "\u00fc", "\\udcff"},
        {"qu'o\"te", "new\nline", "link", "\\udcff"},
    )
    assert "1 read now, 4 in the dataset" in tfgpu(*command).stderr


def test_a_bare_repository_is_named_with_what_to_do(tmp_path: Path) -> None:
    repository(tmp_path / "clone", GROWTH)
    folder = tmp_path / "mirrors"
    git(tmp_path, "clone", "-q", "--bare", "clone", str(folder / "a.git"))
    url = f"file://{folder}/a.git"
    done = tfgpu("fleet", str(folder), f"{url}.git", "--dataset", str(tmp_path / "data"))
    assert done.exit_code == 2
    assert f"{folder}/a.git: a bare repository: name it as {url}\n" in done.stderr
    assert f"{url}.git: fatal: " in done.stderr
    assert "1 read now" in tfgpu("fleet", url, "--dataset", str(tmp_path / "data")).stderr


def test_another_repository_is_never_taken_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = repository(tmp_path / "first", GROWTH)
    outer = repository(tmp_path / "outer", KEPT)
    assert first != outer
    (tmp_path / "outer" / "inner" / ".git").mkdir(parents=True)
    (row,) = rows_of(str(tmp_path / "outer" / "inner"))
    assert (row["commit"], row["reason"]) == ("", "its .git is no repository")
    # As in a hook of git.
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "outer" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "outer"))
    for name in (str(tmp_path / "first"), f"file://{tmp_path}/first"):
        (row,) = rows_of(name)
        assert (row["commit"], row["state"], row["clean"]) == (first, "ready", True)


def rows_of(name: str) -> list[dict[str, object]]:
    (source,) = sources([name])
    return (examine(source, Settings()).tables or {})["repositories"]


def test_what_git_is_told_not_to_see_is_not_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(tmp_path / "part", GROWTH)
    clone = tmp_path / "clone"
    repository(clone, GROWTH)
    git(clone, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "part"))
    git(clone, "config", "-f", ".gitmodules", "submodule.part.ignore", "all")
    repository(clone, GROWTH + "\n")
    assert rows_of(str(clone))[0]["clean"] is True
    write(clone / "part" / "train.py", KEPT)
    assert rows_of(str(clone))[0]["clean"] is False
    git(clone / "part", "checkout", "-q", ".")
    assert rows_of(str(clone))[0]["clean"] is True
    write(clone / "more.py", KEPT)
    git(clone, "config", "status.showUntrackedFiles", "no")
    assert rows_of(str(clone))[0]["clean"] is False
    git(clone, "config", "status.showUntrackedFiles", "all")
    write(tmp_path / "excluded", "more.py\n")
    settings = write(tmp_path / "settings", f"[core]\nexcludesFile = {tmp_path}/excluded\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    assert rows_of(str(clone))[0]["clean"] is False


def test_a_worker_of_another_version_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(tmp_path / "clone", GROWTH)
    monkeypatch.setattr("tfgpu.fleet.work.__version__", "0.0.9")
    data = tmp_path / "data"
    assert tfgpu("fleet", str(tmp_path / "clone"), "--dataset", str(data)).exit_code == 2
    (row,) = rows(data, "repositories")
    assert row["reason"] == f"its worker has tfgpu 0.0.9, and this is {__version__}"
    assert (row["state"], rows(data, "settings")) == ("failed", [])


def test_a_disk_that_is_full_is_one_line_and_the_next_run_goes_on(tmp_path: Path) -> None:
    repository(tmp_path / "clone", GROWTH)
    words = ("fleet", str(tmp_path / "clone"), "--dataset", str(tmp_path / "data"))
    done = subprocess.run(
        # Python would keep byte code that is cut off at the limit.
        command(*words), env=environment(PYTHONDONTWRITEBYTECODE="1"), check=False,
        capture_output=True, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("Error: ")
    assert line.endswith(".jsonl: File too large")
    assert not list((tmp_path / "data" / "parts").iterdir())
    assert "1 read now, 1 in the dataset" in tfgpu(*words).stderr


def test_two_runs_share_a_dataset_and_a_killed_one_is_taken_up(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for number in range(6):
        repository(tmp_path / "clones" / f"r{number}", GROWTH)
    words = ("fleet", str(tmp_path / "clones"), "--dataset", str(data), "--quiet")
    running = [subprocess.Popen(command(*words), env=environment()) for _ in range(3)]
    while not list((data / "parts").glob("*.jsonl")) and running[0].poll() is None:
        time.sleep(0.01)
    running[0].kill()
    assert [process.wait(timeout=120) for process in running[1:]] == [0, 0]
    running[0].wait()
    expected = [f"{tmp_path}/clones/r{number}" for number in range(6)]
    assert sorted(row["repository"] for row in rows(data, "settings")) == expected
    assert "0 read now, 6 in the dataset" in tfgpu(*words[:-1]).stderr


def test_a_repository_has_its_time(tmp_path: Path) -> None:
    with waiting_server() as (url, _):
        begun = time.monotonic()
        (row,) = (examine(Source(url, url, is_url=True), Settings(seconds=0.3)).tables or {})[
            "repositories"
        ]
        assert time.monotonic() - begun < 30
    assert (row["state"], row["reason"]) == ("failed", "took longer than 0.3 s")


def test_no_file_of_a_repository_is_run(tmp_path: Path) -> None:
    for name in ("ast.py", "click.py", "sitecustomize.py", "tfgpu.py"):
        write(tmp_path / "clone" / name, f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    repository(tmp_path / "clone", GROWTH)
    (source,) = sources([str(tmp_path / "clone")])
    (row,) = (examine(source, Settings()).tables or {})["repositories"]
    assert row["state"] == "ready"
    assert not (tmp_path / "ran").exists()


def test_parts_of_another_version_are_left_out_and_said(clones: Path, tmp_path: Path) -> None:
    data, before = tmp_path / "data", tmp_path / "before"
    first = ("fleet", f"{clones}/kept", "--dataset", str(before))
    assert tfgpu(*first).exit_code == 0
    shutil.copytree(before, data)
    (part,) = (data / "parts").iterdir()
    part.write_text(part.read_text().replace('"format": 1', '"format": 0'))
    (data / "parts" / "other.jsonl").write_text("{")
    again = tfgpu("fleet", f"{clones}/kept", "--dataset", str(data), "--against", str(before))
    # The one is made anew, the other is of no repository that was named.
    assert again.exit_code == 2
    assert "1 read now, 1 in the dataset" in again.stderr
    told = "of another version, or damaged, and left out: audit its repository again, or remove it"
    assert again.stderr.count(told) == 1
    assert f"{data / 'parts' / 'other.jsonl'}: {told}\n" in again.stderr
    assert "No repository changed its state" in (data / "index.html").read_text()
    for none in (tmp_path / "nosuch", clones):
        missing = tfgpu("fleet", str(clones), "--dataset", str(data), "--against", str(none))
        assert (missing.exit_code, missing.stderr.count("\n")) == (2, 1)
        assert f"--against: {none} is no dataset that this version reads" in missing.stderr


@pytest.mark.parametrize(
    ("column", "wrong"),
    [("configs", "null"), ("configs", '"1"'), ("state", "7"), ("state", '"fine"'), ("clean", "1")],
)
def test_a_row_with_another_value_is_left_out(tmp_path: Path, column: str, wrong: str) -> None:
    repository(tmp_path / "clone", GROWTH)
    command = ("fleet", str(tmp_path / "clone"), "--dataset", str(tmp_path / "data"))
    assert tfgpu(*command).exit_code == 0
    (part,) = (tmp_path / "data" / "parts").iterdir()
    value = json.dumps(rows(tmp_path / "data", "repositories")[0][column])
    part.write_text(part.read_text().replace(f'"{column}": {value}', f'"{column}": {wrong}', 1))
    tables = tfgpu("fleet", "--dataset", str(tmp_path / "data"))
    assert tables.exit_code == 2
    assert f"{part}: of another version, or damaged, and left out" in tables.stderr
    assert rows(tmp_path / "data", "repositories") == []
    mended = tfgpu(*command)
    assert mended.exit_code == 0
    assert "1 read now, 1 in the dataset" in mended.stderr
    assert "left out" not in mended.stderr


def test_names_in_lists_are_those_of_files_whatever_their_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = os.fsdecode(b"\xff")
    repository(tmp_path / name, GROWTH)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list").write_bytes(b"\xef\xbb\xbf./\xff\r\na\0b\n")
    done = tfgpu("fleet", "--from", "list", "", ".", "--dataset", "data")
    found = {row["repository"]: row["reason"] for row in rows(tmp_path / "data", "repositories")}
    assert found == {"": "no such folder", "a\0b": "no such folder", "\\udcff": ""}
    assert done.exit_code == 2


def test_the_trend_names_what_changed_its_state(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    for data, text in (("before", KEPT), ("after", CLEAN)):
        repository(clone, text)
        command = ("fleet", str(clone), "--dataset", str(tmp_path / data))
        more = ("--against", str(tmp_path / "before")) if data == "after" else ()
        assert tfgpu(*command, *more).exit_code == 0
    page = (tmp_path / "after" / "index.html").read_text()
    assert "Repositories that changed their state" in page


def test_what_is_no_dataset_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "mine" / "file", "")
    done = tfgpu("fleet", str(tmp_path), "--dataset", str(tmp_path / "mine"))
    assert (done.exit_code, done.stderr.count("no dataset, and not empty")) == (2, 1)
    done = tfgpu("fleet", "--dataset", str(tmp_path / "new"))
    assert (done.exit_code, done.stderr.count("no repositories are named")) == (2, 1)


def test_a_reader_that_has_enough_of_what_is_said(tmp_path: Path) -> None:
    words = ("fleet", str(tmp_path / "nowhere"), "--dataset", str(tmp_path / "data"))
    with subprocess.Popen(command(*words), stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stderr is not None
        process.stderr.close()
    assert process.returncode == 128 + 13
