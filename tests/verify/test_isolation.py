"""What a leg writes is its own, and what it starts ends with it, in every way that there is."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

import tfgpu
from tests.verify.hostile_files import hostile_legs, is_running, run
from tfgpu.verify.gpus import Machine
from tfgpu.verify.isolation.mechanism import (
    MECHANISMS,
    Mechanism,
    NotIsolated,
    Place,
    choose,
    launch_command,
    told,
)
from tfgpu.verify.isolation.untouched import Snapshot, Touched
from tfgpu.verify.isolation.view import below, is_above, is_kept, parse_mounts
from tfgpu.verify.isolation.workspace import workspace
from tfgpu.verify.programs import Prepared
from tfgpu.verify.verification import Settings, verify

ROOT = Path(__file__).parents[2]


@pytest.fixture
def work() -> Iterator[Path]:
    with workspace() as folder:
        yield folder


@pytest.fixture(params=MECHANISMS, ids=lambda one: one.kind + ("+pid" if one.processes else ""))
def mechanism(request: pytest.FixtureRequest, work: Path) -> Mechanism:
    """Each way to keep a leg apart, where it works here."""
    found: Mechanism = request.param
    try:
        return choose(work, [found])
    except NotIsolated as error:
        pytest.skip(str(error))


@contextlib.contextmanager
def launched(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Start a launcher that is ended however the test ends: its leg sleeps for long."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as launcher:
        try:
            yield launcher
        finally:
            launcher.kill()


def becomes(running: bool, marker: str) -> bool:
    """Wait until a `sleep` runs, or runs no more; tell whether it came to that."""
    end = time.monotonic() + 20
    while is_running("sleep", marker) != running and time.monotonic() < end:
        time.sleep(0.05)
    return is_running("sleep", marker) == running


def test_nothing_of_the_users_is_touched(tmp_path: Path, work: Path, mechanism: Mechanism) -> None:
    hostile_legs(mechanism, work, tmp_path)


def test_the_legs_do_not_see_each_other(tmp_path: Path, work: Path, mechanism: Mechanism) -> None:
    look = f"ls {work}; cat {work}/before/secret; ls {tmp_path}; echo x > {tmp_path}/mine"
    (Path(work) / "secret").write_text("of the verification")
    first = run(mechanism, work, "before", Path("/"), "sh", "-c", f"echo > {work}/before/secret")
    assert first.returncode == 0, first.stderr
    second = run(mechanism, work, "after", Path("/"), "sh", "-c", look)
    third = run(mechanism, work, "third", Path("/"), "sh", "-c", look)
    assert "mine" not in second.stdout + third.stdout
    if not mechanism.copies:
        assert second.stdout.split() == ["after"]
        assert third.stdout.split() == ["third"]


def test_nothing_outlives_a_leg(tmp_path: Path, work: Path, mechanism: Mechanism) -> None:
    marker = f"60{os.getpid()}"
    text = f"(setsid setsid sleep {marker} &) ; (trap '' TERM; sleep {marker} &) ; exit 3"
    done = run(mechanism, work, "before", Path("/"), "sh", "-c", text)
    assert done.returncode == 0, done.stderr
    assert os.waitstatus_to_exitcode(told(Place(work, "before"))["status"]) == 3
    assert not is_running("sleep", marker)


def test_what_works_behind_a_leg_goes_on(work: Path, mechanism: Mechanism) -> None:
    busy = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; echo done"
    text = f"(setsid sh -c '{busy}' & ); exit 3"
    done = run(mechanism, work, "before", Path("/"), "sh", "-c", text)
    assert done.stdout == "done\n"
    assert os.waitstatus_to_exitcode(told(Place(work, "before"))["status"]) == 3


def test_nothing_outlives_its_launcher(tmp_path: Path, work: Path, mechanism: Mechanism) -> None:
    if not mechanism.processes:
        pytest.skip("without process ids of their own, only an orderly end takes all along")
    marker = f"70{os.getpid()}"
    place = Place(work, "before")
    place.make()
    text = f"setsid setsid sleep {marker} & echo ready; sleep {marker}"
    command = launch_command(mechanism, place, Path("/"), ["sh", "-c", text])
    with launched(command) as launcher:
        assert launcher.stdout and launcher.stdout.readline() == b"ready\n"
        assert becomes(True, marker)  # it says so before it is `sleep`
        launcher.kill()
    assert becomes(False, marker)


def test_a_leg_that_is_stopped_tells_what_it_wrote(
    tmp_path: Path, work: Path, mechanism: Mechanism
) -> None:
    place = Place(work, "before")
    place.make()
    text = f"echo x > {place.folder}/own; echo x > {tmp_path}/mine; echo ready; sleep 600"
    command = launch_command(mechanism, place, Path("/"), ["sh", "-c", text])
    with launched(command) as launcher:
        assert launcher.stdout and launcher.stdout.readline() == b"ready\n"
        launcher.terminate()
        launcher.wait(60)
    found = told(place)
    assert found["status"] is None
    if not mechanism.copies:
        assert [f"{tmp_path}/mine", False] in found["written"]


@pytest.mark.parametrize("signal", [9, 11, 14, 15])
def test_how_a_leg_ended_is_told(work: Path, mechanism: Mechanism, signal: int) -> None:
    done = run(mechanism, work, "before", Path("/"), "sh", "-c", f"kill -{signal} $$")
    assert done.returncode == 0, done.stderr
    assert os.waitstatus_to_exitcode(told(Place(work, "before"))["status"]) == -signal


def test_changed_files_are_seen_by_one_leg_only(tmp_path: Path, work: Path) -> None:
    mechanism = _namespaces(work)
    for name in ("changed.py", "removed.py", "same.py"):
        (tmp_path / name).write_text("old")
    place = Place(work, "after")
    place.make()
    (place.folder / "new").write_text("new")
    changes = [
        (str(tmp_path / "changed.py"), str(place.folder / "new")),
        (str(tmp_path / "removed.py"), None),
        (str(tmp_path / "made" / "new.py"), str(place.folder / "new")),
    ]
    command = ["sh", "-c", "cat changed.py made/new.py same.py; ls"]
    done = subprocess.run(
        launch_command(mechanism, place, tmp_path, command, changes),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["newnewoldchanged.py", "made", "same.py"], done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "changed.py",
        "removed.py",
        "same.py",
    ]


def test_a_folder_with_a_mount_in_it(tmp_path: Path, work: Path) -> None:
    """Entries beside a mount are seen, too; files there can be read only."""
    mechanism = _namespaces(work)
    outer = tmp_path / "outer"
    (outer / "mounted").mkdir(parents=True)
    (outer / "folder").mkdir()
    (outer / "file").write_text("file")
    (outer / "link").symlink_to("file")
    if (
        os.geteuid()
        or subprocess.run(
            ["mount", "-t", "tmpfs", "tmpfs", str(outer / "mounted")],
            check=False,
            capture_output=True,
        ).returncode
    ):
        pytest.skip("mounting is for root")
    try:
        (outer / "mounted" / "inside").write_text("inside")
        text = (
            "cat file link mounted/inside; echo x > new; echo x > folder/new; echo x > mounted/new;"
            "echo x >> file; ls . folder mounted; mkdir made; echo x > made/new; rm link"
        )
        done = run(mechanism, work, "before", outer, "sh", "-c", text)
        assert done.stdout.startswith("filefileinside"), done.stderr
        assert done.stdout.split().count("new") == 3
        assert "Read-only" in done.stderr
        written = {
            (str(Path(path).relative_to(outer)), removed)
            for path, removed in told(Place(work, "before"))["written"]
        }
        assert written == {
            ("new", False),
            ("folder/new", False),
            ("mounted/new", False),
            ("made/new", False),
            ("link", True),
        }
        assert not list(outer.rglob("new"))
    finally:
        subprocess.run(["umount", str(outer / "mounted")], check=True)


def test_files_between_devices_and_on_top_are_told_and_gone(work: Path) -> None:
    """Programs keep data in shared memory, and nothing else is left out of a leg's own view."""
    mechanism = _namespaces(work)
    name = f"tfgpu-test-{os.getpid()}"
    paths = [f"{folder}/{name}" for folder in ("/dev/shm", "/dev", "", "/run", "/var/tmp")]
    text = "; ".join(f"echo x > {path}" for path in paths) + "; echo x > /dev/null; ls /dev/null"
    done = run(mechanism, work, "before", Path("/"), "sh", "-c", text)
    assert done.stdout == "/dev/null\n", done.stderr
    refused = [path for path in paths if f"{path}: " in done.stderr]  # an ordinary user's
    written = told(Place(work, "before"))["written"]
    assert sorted(written) == sorted([path, False] for path in paths if path not in refused)
    assert f"/dev/shm/{name}" not in refused
    assert not any(Path(path).exists() for path in paths)


@pytest.mark.parametrize("number", range(len(MECHANISMS)))
def test_an_ordinary_user(number: int) -> None:
    """The same as an ordinary user, in a process of an interpreter that everybody may run."""
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if os.geteuid() or not python or not shutil.which("setpriv"):
        pytest.skip("to become another user takes root, setpriv and an interpreter for all")
    check = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 10))"]
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]
    if subprocess.run([*user, *check], check=False).returncode:
        pytest.skip(f"{python} is too old")
    script = Path(__file__).with_name("hostile_files.py")
    read = [python, "-c", "import sys; open(sys.argv[1]).close()", str(script)]
    if subprocess.run([*user, *read], check=False, capture_output=True).returncode:
        pytest.skip("an ordinary user cannot read this folder")
    done = subprocess.run(
        [*user, python, "-B", str(script), str(ROOT / "migrate"), str(number)],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr


def test_where_nothing_works_it_says_what_it_would_copy(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print()\n")
    (tmp_path / "weights.bin").write_bytes(b"w" * 1234)
    prepared = Prepared("train.py", tmp_path / "train.py", tmp_path, tmp_path, False, False)
    settings = Settings(Machine(None, ()), sys.executable, sys.executable, mechanisms=())
    with pytest.raises(NotIsolated, match=r"2 files, 1,242 bytes, among them weights\.bin \(1,234"):
        verify(lambda: (prepared, prepared), settings)


# --- the pieces ---


def test_mounts_are_read() -> None:
    text = dedent(
        r"""
        22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw
        23 22 0:5 / /proc rw,nosuid - proc proc rw
        24 22 0:6 / /mnt/with\040space ro,nodev master:2 - ext4 /dev/sdb ro
        25 22 0:7 / /mnt/with\040space rw,noexec - tmpfs tmpfs rw
        """
    ).strip()
    mounts = parse_mounts(text)
    assert list(mounts) == ["/", "/proc", "/mnt/with space"]
    assert (mounts["/mnt/with space"].kind, mounts["/mnt/with space"].read_only) == ("tmpfs", False)
    assert below("/", mounts) == ["/proc", "/mnt/with space"]
    assert below("/mnt", mounts) == ["/mnt/with space"]
    assert below("/mn", mounts) == below("/proc", mounts) == []
    assert is_above("/", "/tmp/x") and is_above("/tmp", "/tmp") and not is_above("/tm", "/tmp")
    assert is_kept("/dev/pts") and not is_kept("/dev/shm") and not is_kept("/device")


@pytest.mark.parametrize("what", ["bytes", "removed", "new", "replaced", "mode"])
def test_a_change_is_named(tmp_path: Path, what: str) -> None:
    path = tmp_path / "folder" / "file.txt"
    path.parent.mkdir()
    path.write_text("text")
    snapshot = Snapshot([tmp_path])
    snapshot.check([])
    if what == "bytes":
        time.sleep(0.02)
        path.write_text("TEXT")
    elif what == "removed":
        path.unlink()
    elif what == "new":
        path = path.with_name("new.txt")
        path.write_text("text")
    elif what == "replaced":
        other = tmp_path / "other"
        other.write_text("text")
        other.replace(path)
    else:
        path.chmod(0o777)
    with pytest.raises(Touched, match=str(path)):
        snapshot.check([])


def test_what_another_process_writes_is_no_change(tmp_path: Path) -> None:
    log, read = tmp_path / "log.txt", tmp_path / "read.txt"
    for path in (log, read):
        path.write_text("text")
    snapshot = Snapshot([tmp_path])
    with log.open("a") as old, (tmp_path / "new.txt").open("w") as new, read.open() as only_read:
        for file in (old, new):
            file.write("more")
            file.flush()
        snapshot.check([])
        with pytest.raises(Touched, match=r"log\.txt"):
            snapshot.check([(str(log), False)])  # the legs write it, too
        read.write_text("more text")
        with pytest.raises(Touched, match=r"read\.txt"):
            snapshot.check([])
        assert only_read.fileno()
    with pytest.raises(Touched, match=r"log\.txt, .*new\.txt"):
        snapshot.check([])


def test_a_change_elsewhere_is_named(tmp_path: Path) -> None:
    path, gone, same = (tmp_path / name for name in ("file.txt", "gone.txt", "same.txt"))
    same.write_text("text")
    time.sleep(0.1)
    snapshot = Snapshot([])
    time.sleep(0.1)
    snapshot.check([(str(same), False), (str(path), False)])
    with pytest.raises(Touched, match="gone"):
        snapshot.check([(str(gone), True)])
    path.write_text("text")
    with pytest.raises(Touched, match=r"file\.txt"):
        snapshot.check([(str(path), False)])


def _namespaces(work: Path) -> Mechanism:
    try:
        return choose(work, MECHANISMS[:2])
    except NotIsolated as error:
        pytest.skip(str(error))


def test_byte_code_of_tfgpu_itself_is_no_change() -> None:
    own = Path(tfgpu.__file__).parent / "verify"
    snapshot = Snapshot([own])
    new = own / "__pycache__" / "of_this_test.pyc"
    new.parent.mkdir(exist_ok=True)
    new.write_bytes(b"")
    try:
        snapshot.check([])
    finally:
        new.unlink()
