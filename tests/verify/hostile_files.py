"""A program that does to files all that a program can do, and what there must be afterwards.

As a script it runs by itself: `python hostile_files.py FOLDER_OF_TFGPU NUMBER_OF_MECHANISM`, for an
interpreter that has no more than Python.
"""

from __future__ import annotations

import hashlib
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfgpu.verify.isolation.mechanism import Mechanism

SKIPPED = 77

# Everything that a program can do to files, in a project and beside it. Each is tried by itself,
# since a way to keep it apart may refuse some.
HOSTILE = """
import mmap, os, shutil, subprocess, sys, tempfile
project, beside = sys.argv[1:3]
os.chdir(project)
def attempt(do):
    try:
        do()
    except OSError as error:
        print("refused", error, file=sys.stderr)
def cut(path):
    with open(path, "r+b") as file:
        file.truncate(192)
def append(path):
    with open(path, "a") as file:
        file.write("more")
def overwrite(path):
    with open(path, "wb") as file:
        file.write(b"other")
def mapped(path):
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[:4] = b"nope"
def new(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    overwrite(path)
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            subprocess.Popen(
                ["sh", "-c", f"sleep 1; echo late > {beside}/late; echo late >> {project}/log.txt"],
                start_new_session=True,
            ).wait()
        os._exit(0)
for do in (
    lambda: cut("weights.bin"),
    lambda: mapped("weights2.bin"),
    lambda: append("log.txt"),
    lambda: overwrite("link.txt"),
    lambda: overwrite("linked_folder/inside.txt"),
    lambda: new("linked_folder/new.txt"),
    lambda: [os.unlink(entry.path) for entry in os.scandir("many")],
    lambda: new("many/one_more"),
    lambda: shutil.rmtree("tree"),
    lambda: os.rename("small.txt", "renamed.txt"),
    lambda: os.replace("new.tmp" if not overwrite("new.tmp") else "", "replaced.txt"),
    lambda: os.link("hard.txt", "harder.txt"),
    lambda: append("harder.txt"),
    lambda: os.symlink("/nowhere", "dangling"),
    lambda: append(beside + "/absolute.txt"),
    lambda: cut(beside + "/weights.bin"),
    lambda: os.rename(beside + "/small.txt", beside + "/renamed.txt"),
    lambda: shutil.rmtree(beside + "/tree"),
    lambda: new(beside + "/cifar10_train/checkpoint"),
    lambda: append(os.path.expanduser("~/.tfgpu_was_here")),
    lambda: append(os.path.join(tempfile.gettempdir(), "tfgpu_was_here")),
    lambda: append("/var/tmp/tfgpu_was_here"),
    lambda: append("/dev/shm/tfgpu_was_here"),
    lambda: os.truncate(project + "/weights3.bin", 0),
    lambda: shutil.copyfile("small.txt", "log2.txt"),
    daemon,
):
    attempt(do)
overwrite(os.devnull)
print(sorted(os.listdir(beside)))
"""
LITTER = ("~/.tfgpu_was_here", "/var/tmp/tfgpu_was_here", "/dev/shm/tfgpu_was_here")


def lay_out(folder: Path) -> tuple[Path, Path]:
    """Make a project, and a folder beside it, with all that can be destroyed."""
    project, beside = folder / "project", folder / "beside"
    for place in (project, beside):
        (place / "tree" / "deep").mkdir(parents=True)
        (place / "tree" / "deep" / "leaf.txt").write_text("leaf")
        (place / "small.txt").write_text("small")
        (place / "weights.bin").write_bytes(b"w" * 3 * 2**20)
    for name in ("weights2.bin", "weights3.bin"):
        (project / name).write_bytes(b"w" * 3 * 2**20)
    for name in ("log.txt", "log2.txt", "hard.txt", "replaced.txt"):
        (project / name).write_text(name)
    (project / "many").mkdir()
    for number in range(2101):
        (project / "many" / str(number)).write_text(str(number))
    (beside / "absolute.txt").write_text("absolute")
    (beside / "target").mkdir()
    (beside / "target" / "inside.txt").write_text("inside")
    (beside / "target.txt").write_text("target")
    (project / "link.txt").symlink_to(beside / "target.txt")
    (project / "linked_folder").symlink_to(beside / "target")
    (project / "program.py").write_text(HOSTILE)
    return project, beside


def contents(folder: Path) -> dict[str, tuple[str, int, int, int]]:
    """Return every file below a folder with all that can change about it."""
    found = {}
    for path in sorted(folder.rglob("*")):
        state = path.lstat()
        data = (
            hashlib.sha256(path.read_bytes()).hexdigest()
            if stat.S_ISREG(state.st_mode)
            else str(path.readlink())
            if path.is_symlink()
            else ""
        )
        found[str(path)] = (data, state.st_mtime_ns, state.st_ino, state.st_mode)
    return found


def run(
    mechanism: Mechanism, work: Path, name: str, cwd: Path, *command: str
) -> subprocess.CompletedProcess[str]:
    """Run a command apart."""
    from tfgpu.verify.isolation.mechanism import Place, launch_command  # noqa: PLC0415

    place = Place(work, name)
    place.make()
    return subprocess.run(
        launch_command(mechanism, place, cwd, command),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def hostile_legs(mechanism: Mechanism, work: Path, folder: Path) -> None:
    """Run the program twice in a new folder, and see to it that nothing changed."""
    from tfgpu.verify.isolation.mechanism import Place, told  # noqa: PLC0415
    from tfgpu.verify.isolation.untouched import Snapshot  # noqa: PLC0415

    project, beside = lay_out(folder)
    before = contents(folder)
    snapshot = Snapshot([project])
    command = (sys.executable, "program.py", str(project), str(beside))
    first = run(mechanism, work, "before", project, *command)
    second = run(mechanism, work, "after", project, *command)
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert told(Place(work, "before"))["status"] == 0, first.stderr
    assert first.stdout == second.stdout
    if not mechanism.copies:  # all was done, in each leg anew
        assert "cifar10_train" in first.stdout
        written = told(Place(work, "before"))["written"]
        assert [str(project / "weights.bin"), False] in written
        assert [str(project / "small.txt"), True] in written
    time.sleep(1.5)  # the daemon would write now
    assert contents(folder) == before
    for path in LITTER:
        assert not Path(path).expanduser().exists()
    for name in ("before", "after"):
        snapshot.check([(path, gone) for path, gone in told(Place(work, name))["written"]])


def is_running(*command: str) -> bool:
    """Tell whether a command runs, as `sleep` with a number that nobody else uses."""
    wanted = [word.encode() for word in command]
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if words[: len(wanted)] == wanted and state != "Z":
                return True
    return False


def main(number: int) -> None:
    """Do the same as whoever runs this."""
    from tfgpu.verify.isolation.mechanism import MECHANISMS, NotIsolated, choose  # noqa: PLC0415
    from tfgpu.verify.isolation.workspace import workspace  # noqa: PLC0415

    with workspace() as work, tempfile.TemporaryDirectory() as folder:
        try:
            mechanism = choose(work, MECHANISMS[number : number + 1])
        except NotIsolated as error:
            print(error)
            sys.exit(SKIPPED)
        hostile_legs(mechanism, work, Path(folder))


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    main(int(sys.argv[2]))
