"""Mutate many files, the rules' examples and real code, and check what holds for every file.

Usage, from the repository root: ``python -m benchmarks.fuzz [TREE...] [--files 10000] [--seed 0]``.
What does not hold is written to the folder ``--keep``, with the file that shows it.
"""

from __future__ import annotations

import argparse
import random
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from tests.fuzzing import check, corpus, mutated, options, sources

MOST = 30_000


@cache
def _sources(trees: tuple[Path, ...]) -> tuple[list[bytes], list[bytes]]:
    return sources(), corpus(trees, MOST)


def one(trees: tuple[Path, ...], seed: int, number: int, keep: Path) -> tuple[str, str]:
    """Check one mutated file.

    Args:
        trees: folders with real code; the first file of two comes from there.
        seed: of the whole run.
        number: of this file.
        keep: folder for what does not hold.

    Returns:
        Where the file came from, and what became of it: failed, kept, changed or broken.
    """
    chance = random.Random(f"{seed} {number}")
    examples, real = _sources(trees)
    origin = "real code" if real and chance.random() < 0.5 else "examples"
    known = real if origin == "real code" else examples
    data = mutated(chance.choice(known), chance.choice(examples), chance)
    chosen = options(chance)
    try:
        return origin, check(data, chosen)
    except Exception:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{seed}-{number}.py").write_bytes(data)
        (keep / f"{seed}-{number}.txt").write_text(f"{chosen}\n{traceback.format_exc()}")
        return origin, "broken"


def main() -> None:
    """Check the files and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path, nargs="*", help="folders of real code")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=Path("broken"))
    options = parser.parse_args()
    trees = tuple(options.trees)
    start = time.perf_counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        futures = [
            pool.submit(one, trees, options.seed, number, options.keep)
            for number in range(options.files)
        ]
        found = Counter(future.result() for future in futures)
    print(f"{options.files} files, {time.perf_counter() - start:.0f} s\n")
    print("| files from | changed | kept | failed | broken |\n|---|--:|--:|--:|--:|")
    for origin in sorted({origin for origin, _ in found}):
        cells = [found[origin, kind] for kind in ("changed", "kept", "failed", "broken")]
        print(f"| {origin} |", " | ".join(map(str, cells)), "|")


if __name__ == "__main__":
    main()
