"""Kill `tfgpu migrate --write` again and again, at random moments, and count what it leaves.

Usage, from the repository root: ``python -m benchmarks.kill [--kills 200] [--seed 0]``.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from pathlib import Path

from tests.killing import kill, lay_out

FILES = 30
# A run over that many files takes about so long, once it has begun to write.
LONGEST = 0.6


def main() -> None:
    """Kill runs and print how they left their files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    found = Counter[str]()
    for number in range(options.kills):
        with tempfile.TemporaryDirectory() as folder:
            lay_out(Path(folder), FILES)
            after = chance.uniform(0, LONGEST)
            left = kill(Path(folder), after, jobs=1 + number % 2, group=number % 3 == 0)
            found["runs"] += 1
            found["runs that were in the middle"] += 0 < left.new < FILES
            found["old files"] += left.old
            found["new files"] += left.new
            found["other files, and files that are neither"] += len(left.others)
            for other in left.others:
                print(other, flush=True)
    print("| | |\n|---|--:|")
    for name, count in found.items():
        print(f"| {name} | {count} |")


if __name__ == "__main__":
    main()
