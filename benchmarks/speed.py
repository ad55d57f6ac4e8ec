"""Time tfgpu beside public tools that read the same files.

Usage, from the repository root: ``python -m benchmarks.speed TREE... [--tf-upgrade PATH]``. Every
tool runs once per round, in turn, so that a slow moment of the machine falls on all of them alike;
the best round of each counts. A first round, which compiles byte code and rules, does not.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tfgpu.files.kinds import Kind
from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.tokens import tokens

# As users run it: with byte code.
ENVIRONMENT = {key: os.environ[key] for key in os.environ if key != "PYTHONDONTWRITEBYTECODE"}
# What the cost of one file must not grow faster than.
CONFIGS, ASSIGNMENTS = 200, 2_000
SMALL = """\
import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
"""
# The floor: read every .py file and look for the literal tokens that the rules name.
SCAN = """\
import os, sys
tokens = [token.encode() for token in sys.argv[2:]]
names = [os.path.join(folder, name) for folder, _, files in os.walk(sys.argv[1]) for name in files]
for name in names or [sys.argv[1]]:
    if name.endswith(".py"):
        with open(name, "rb") as file:
            data = file.read()
        any(token in data for token in tokens)
"""


def tfgpu(command: str, path: Path, *options: str) -> list[str]:
    """Return a command line of tfgpu that does its work each time: it has no cache."""
    return [sys.executable, "-m", "tfgpu", command, "--no-cache", *options, f"{path}"]


def commands(path: Path, scratch: Path, ruff: str, upgrade: str | None) -> dict[str, list[str]]:
    """Return the command line of each tool, by the name that the table shows.

    Args:
        path: tree or single file to read.
        scratch: empty folder for what tf_upgrade_v2 writes.
        ruff: the executable of ruff.
        upgrade: the executable of tf_upgrade_v2, or None to leave it out.
    """
    flake = [ruff, "check", "--select", "F", "--no-cache", "--exit-zero"]
    words = [word.decode() for word in tokens(Kind.PYTHON, load_rulebook())]
    table = {
        "tfgpu audit": tfgpu("audit", path),
        "tfgpu migrate": tfgpu("migrate", path),
        "tfgpu migrate --check": tfgpu("migrate", path, "--check"),
        "ruff check --select F": [*flake, f"{path}"],
        "import click": [sys.executable, "-c", "import click"],
        "literal scan": [sys.executable, "-c", SCAN, f"{path}", *words],
    }
    if upgrade:
        kind = "tree" if path.is_dir() else "file"
        table["tf_upgrade_v2"] = [upgrade, f"--in{kind}", f"{path}", f"--out{kind}"]
        table["tf_upgrade_v2"] += [f"{scratch / 'out'}", "--reportfile", f"{scratch / 'report'}"]
    return table


def measure(command: list[str], log: Path) -> tuple[float, float] | None:
    """Run a command once, in the folder of its log, where no configuration holds.

    Args:
        command: what to run; its output goes to no terminal.
        log: file that receives its standard error.

    Returns:
        Wall and CPU time in seconds, the latter with all processes that the command waited for;
        None when the command failed.
    """
    with log.open("wb") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=log.parent, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=errors
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    failed = process.returncode not in (0, 1, 2) or b"Traceback" in log.read_bytes()
    return None if failed else (wall, usage.ru_utime + usage.ru_stime)


def compare(path: Path, runs: int, ruff: str, upgrade: str | None) -> None:
    """Time every tool on one path and print the best times as a Markdown table.

    Args:
        path: tree or single file.
        runs: rounds that count, each of which runs every tool once.
        ruff: the executable of ruff.
        upgrade: the executable of tf_upgrade_v2, or None to leave it out.
    """
    times: dict[str, list[tuple[float, float] | None]] = {}
    for number in range(runs + 1):
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder)
            for name, command in commands(path, scratch, ruff, upgrade).items():
                taken = measure(command, scratch / "stderr")
                if number:
                    times.setdefault(name, []).append(taken)
    best: dict[str, tuple[float, float] | None] = {}
    for name, rounds in times.items():
        good = [pair for pair in rounds if pair]
        walls, cpus = zip(*good, strict=True) if good else ((), ())
        best[name] = (min(walls), min(cpus)) if len(good) == runs else None
    files = len(list(path.rglob("*.py"))) if path.is_dir() else 1
    print(f"\n{path.name}: {files} .py file(s), best of {runs} runs\n")
    print("| tool | wall, s | CPU, s | wall / ruff | wall / import click |\n|---|--:|--:|--:|--:|")
    for name, pair in best.items():
        cells = [f"{value:.3f}" for value in pair] if pair else ["failed", "failed"]
        for base in (best["ruff check --select F"], best["import click"]):
            cells.append(f"{pair[0] / base[0]:.2f}" if pair and base else "-")
        print(f"| {name} |", " | ".join(cells), "|", flush=True)


def many_configs(number: int) -> str:
    """Return a program with one function that builds and uses many configs."""
    lines = ["import tensorflow as tf", "", "def main():"]
    for index in range(number):
        lines += [
            f"    config_{index} = tf.ConfigProto(allow_soft_placement=True)",
            f"    config_{index}.gpu_options.allow_growth = True",
            f"    with tf.Session(config=config_{index}) as sess:",
            "        sess.run(tf.no_op())",
        ]
    return "\n".join(lines) + "\n"


def grow(runs: int) -> None:
    """Time files of one kind that get four times as large, and print the best times."""
    print("\n| one file, best of the runs | wall, s | CPU, s |\n|---|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for share in (4, 2, 1):
            configs, assignments = CONFIGS // share, ASSIGNMENTS // share
            python, shell = Path(folder, "configs.py"), Path(folder, "line.sh")
            python.write_text(many_configs(configs), encoding="utf-8")
            line = " ".join(f"export CUDA_VISIBLE_DEVICES={n % 8};" for n in range(assignments))
            shell.write_text(f"{line}\n", encoding="utf-8")
            titles = {python: f"{configs} configs in one function", shell: f"{assignments} "}
            titles[shell] += "assignments in one line of shell"
            for path, title in titles.items():
                command = tfgpu("audit", path)
                taken = [measure(command, Path(folder, "stderr")) for _ in range(runs)]
                good = [pair for pair in taken if pair]
                cells = [f"{min(values):.3f}" for values in zip(*good, strict=True)] or ["failed"]
                print(f"| {title} |", " | ".join(cells), "|", flush=True)


def main() -> None:
    """Time the tools on every tree given, and on one small file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path, nargs="+", help="folders of Python files")
    parser.add_argument("--runs", type=int, default=5, help="rounds per tree (default: 5)")
    parser.add_argument("--tf-upgrade", default=shutil.which("tf_upgrade_v2"), metavar="PATH")
    options = parser.parse_args()
    ruff = shutil.which("ruff", path=f"{Path(sys.executable).parent}") or "ruff"
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.py"
        small.write_text(SMALL, encoding="utf-8")
        for path in [*options.trees, small]:
            compare(path.resolve(), options.runs, ruff, options.tf_upgrade)
    grow(options.runs)


if __name__ == "__main__":
    main()
