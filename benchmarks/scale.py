"""Time start-up, and an audit of a hundred thousand files, beside others that read the same files.

Usage, from the repository root: ``python -m benchmarks.scale [--files 100000]``.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.speed import ENVIRONMENT, SCAN, SMALL
from tfgpu.files.kinds import Kind
from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.tokens import tokens

FILE = '''\
import os
import sys


def function_{n}(value, other=None):
    """Return something."""
    if value is None:
        return other
    return [item * {n} for item in value]


class Thing{n}:
    name = "thing"

    def run(self):
        print(self.name, os.getcwd(), sys.argv)
'''


def generate(top: Path, files: int, configs: int) -> None:
    """Write a tree of modules.

    Args:
        top: empty folder.
        files: how many files there will be.
        configs: how many of them have a config, evenly spread.
    """
    chance = random.Random(1)
    for number in range(files):
        folder = top / f"p{number // 1000:03}" / f"q{number // 100 % 10}"
        if number % 100 == 0:
            folder.mkdir(parents=True)
        text = FILE.format(n=number) * chance.randint(1, 6)
        if configs and number % (files // configs) == 0:
            text += SMALL
        (folder / f"m{number % 100:03}.py").write_text(text)


def measure(command: list[str]) -> tuple[float, float, float]:
    """Run a command once; return wall and CPU time in seconds, and the peak memory in MB.

    Args:
        command: what to run.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in {0, 1}, command
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def table(title: str, commands: dict[str, list[str]], runs: int) -> None:
    """Run commands in turn, and print medians and ratios to the first as a Markdown table.

    Args:
        title: what stands above the table.
        commands: by the names that the table shows.
        runs: how often each is run.
    """
    taken: dict[str, list[tuple[float, float, float]]] = {}
    for _ in range(runs):
        for name, command in commands.items():
            taken.setdefault(name, []).append(measure(command))
    medians = {
        name: [*map(statistics.median, zip(*runs, strict=True))] for name, runs in taken.items()
    }
    base = next(iter(medians.values()))
    print(f"\n{title}, median of {runs} runs\n")
    print("| tool | wall, s | CPU, s | memory, MB | wall / audit | CPU / audit |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, (wall, cpu, memory) in medians.items():
        ratios = f"{wall / base[0]:.2f} | {cpu / base[1]:.2f}"
        print(f"| {name} | {wall:.3f} | {cpu:.3f} | {memory:.0f} | {ratios} |", flush=True)


def main() -> None:
    """Time start-up and large trees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--configs", type=int, default=100, help="in the second tree")
    parser.add_argument("--runs", type=int, default=3, help="rounds per tree (default: 3)")
    options = parser.parse_args()
    ruff = shutil.which("ruff", path=f"{Path(sys.executable).parent}") or "ruff"
    words = [word.decode() for word in tokens(Kind.PYTHON, load_rulebook())]
    with tempfile.TemporaryDirectory() as folder:

        def commands(path: Path) -> dict[str, list[str]]:
            return {
                "tfgpu audit": [sys.executable, "-m", "tfgpu", "audit", str(path)],
                "literal scan": [sys.executable, "-c", SCAN, str(path), *words],
                "ruff check --select F": [
                    *(ruff, "check", "--select", "F", "--no-cache", "--exit-zero", str(path))
                ],
            }

        small = Path(folder) / "small.py"
        small.write_text(SMALL)
        start = {"python -c 'import click'": [sys.executable, "-c", "import click"]}
        table("One small file", {**commands(small), **start}, 20)
        for name, configs in (("none", 0), (f"{options.configs}", options.configs)):
            tree = Path(folder) / name
            generate(tree, options.files, configs)
            title = f"{options.files} files, {name} of them with a config"
            table(title, commands(tree), options.runs)


if __name__ == "__main__":
    main()
