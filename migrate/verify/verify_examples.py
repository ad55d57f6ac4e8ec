"""Runs the examples of the rules on simulated GPUs and reports those that differ.

    python -m migrate.verify.verify_examples --python VENV/bin/python [TFG101 ...]

Both sides of each example get the same work afterwards (`workload`). `--on` runs all of them on
other GPUs than the example names, `--set` with an environment variable.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from migrate.rulebook.book import load_rulebook
from migrate.rulebook.model import Example, Rule
from migrate.verify.pairs import Difference, Server, compare, describe, parse

# What two legs can come to. "config": only fields of the ConfigProto differ that change nothing
# observed; "small": less than one MiB; "fail": both raise, so that no device was ever compared.
VERDICTS = ("equal", "small", "config", "fail", "differs")


def arguments_of(program: str) -> list[tuple[str, ...]]:
    """Return the command lines worth trying: none, and the flags that a program looks for."""
    if "sys.argv" not in program:
        return [()]
    flags = re.findall(r"""["'](--\w+)["'] in sys\.argv""", program)
    return [(), *((flag,) for flag in flags)] if flags else [(), ("1",), ("2", "x")]


def examples(folder: Path | None, wanted: list[str]) -> Iterator[tuple[Rule, int, Example]]:
    """Yield the examples that change the program."""
    for rule in load_rulebook(folder).rules:
        if wanted and not any(rule.code.startswith(code) for code in wanted):
            continue
        for number, example in enumerate(rule.examples):
            if example.after and example.after != example.before:
                yield rule, number, example


def main() -> int:
    """Run the command line; the status is the number of examples that differ (at most 99)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="interpreter with TensorFlow")
    parser.add_argument("--rules", type=Path, help="folder of rules (the built-in ones)")
    parser.add_argument("--on", help="GPUs for all examples: none, 2xT4, ...")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--paths", action="append", default=[], help="folder with stub modules")
    parser.add_argument("--verbose", action="store_true", help="tell what the equal ones did, too")
    parser.add_argument("codes", nargs="*")
    given = parser.parse_args()
    variables = dict(pair.split("=", 1) for pair in given.set)
    counts = dict.fromkeys(VERDICTS, 0)
    started = time.monotonic()
    with Server(given.python) as server:
        for rule, number, example in examples(given.rules, given.codes):
            for argv in arguments_of(example.before):
                gpus = parse(given.on or example.gpus)
                legs = [
                    server.run(text, gpus, first, argv, variables, given.paths)
                    for text, first in ((example.before, True), (example.after, False))
                ]
                found = compare(*legs)
                verdict = _verdict(found, [leg.seen["outcome"] for leg in legs])
                counts[verdict] += 1
                title = f"{rule.code} example {number + 1} [{rule.equivalence}] on {example.gpus}"
                if argv:
                    title += f" with {' '.join(argv)}"
                print(f"{verdict:8} {title}")
                for difference in found:
                    mark = " (small)" if difference.small else ""
                    print(f"    {difference.aspect}{mark}")
                    print(f"      before: {difference.before}")
                    print(f"      after:  {difference.after}")
                if verdict == "fail" and not found:
                    print(f"    alike: {legs[0].seen['outcome']}")
                if found or given.verbose:
                    for name, leg in zip(("before", "after"), legs, strict=True):
                        print(f"    {name}: {describe(leg)} {leg.seen.get('session', '')}")
                missing = legs[0].events.unmodelled | legs[1].events.unmodelled
                if missing:
                    print(f"    not modelled: {', '.join(sorted(missing))}")
                sys.stdout.flush()
    seconds = time.monotonic() - started
    print(f"{counts} in {seconds:.0f} s")
    return min(counts["differs"], 99)


def _verdict(found: list[Difference], outcomes: list[str]) -> str:
    if "ok" not in outcomes:
        return "fail"
    if not found:
        return "equal"
    if all(difference.small for difference in found):
        return "small"
    return "config" if all(d.aspect.startswith("config ") for d in found) else "differs"


if __name__ == "__main__":
    sys.exit(main())
