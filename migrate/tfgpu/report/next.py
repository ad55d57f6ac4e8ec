"""What to type next, for the summary of a run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tfgpu.place import printable
from tfgpu.report.summary import Summary, count

# Options and paths that a command shows; a shell's pattern can give a thousand.
_MOST_WORDS = 8
# Stands in commands for an entry script, which a report can name.
SCRIPT = "SCRIPT"


class Step(NamedTuple):
    """What there is to say, and commands, each with what it does."""

    said: str
    commands: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """Return a line for the summary."""
        listed = ", ".join(map(" ".join, self.commands))
        between = "; " if ": " in self.said else ": "
        return f"{self.said}{between}{listed}" if listed else self.said


def after_audit(summary: Summary, words: Sequence[str]) -> Iterator[Step]:
    """Yield what to do after an audit, `words` being its options and paths."""
    where = _quoted(words)
    left = [*_assumed(summary, words, where), *_left(summary, where)]
    if summary.configs_convertible:
        show = (f"tfgpu migrate{where}", "shows the change")
        yield Step("Next", (show, (f"tfgpu migrate --write{where}", "makes it")))
    elif not (left or summary.findings or summary.files_failed):
        yield Step("Nothing to do")
    yield from left


def after_migrate(
    summary: Summary,
    words: Sequence[str],
    own: Sequence[str],
    changes: int,
    written: bool,
    report: str | None = None,
    short: bool = True,
) -> Iterator[Step]:
    """Yield what to do after a migration, which would change files or has done so.

    `words` are the options that `audit` has, too, and the paths; `own` are the other options;
    `report` is the file that the report of this migration is written to; `short` leaves out what is
    beyond a few paths.
    """
    where = _quoted(words, short)
    is_file = "-" not in words  # standard input could not be run, nor read once more
    if changes and written and is_file:
        verify = f"tfgpu verify {SCRIPT} --from-ref HEAD"
        yield Step("Next", ((verify, "runs it before and after, and compares"),))
    elif changes and is_file:
        write = f"tfgpu migrate --write{_quoted(own, short)}{where}"
        yield Step("Next", ((write, "makes the change"),))
    yield from _assumed(summary, words, where)
    yield from _left(summary, where, report, "--imports" not in own)


def _assumed(summary: Summary, words: Sequence[str], where: str) -> Iterator[Step]:
    if summary.configs_assumable:
        fixes = " --unsafe-fixes" if summary.configs_unsafe else ""
        check = (f"tfgpu migrate --verify{fixes} --program {SCRIPT}{where}", "checks them in a run")
        trust = (f"tfgpu migrate --unsafe-fixes{where}", "trusts them")
        # Standard input is no file that could be run.
        yield Step(
            f"{count(summary.configs_assumable, 'config')} more would convert on assumptions",
            (trust,) if "-" in words else (check, trust),
        )


def _left(
    summary: Summary, where: str, report: str | None = None, imports_stay: bool = True
) -> Iterator[Step]:
    losing = summary.configs_losing
    if losing:
        yield Step(
            f"{count(losing, 'config')} not converted: TensorFlow 2 makes the GPUs before "
            f"{'its session' if losing == 1 else 'their sessions'}, without what it says of "
            "memory, visible GPUs and threads (TFG807)"
        )
    failing = summary.configs_failing
    if failing:
        yield Step(
            f"{count(failing, 'config')} not converted: TensorFlow refuses what the program does "
            f"with {'it' if failing == 1 else 'them'}, in every version"
        )
    left = summary.configs_kept - summary.configs_assumable - losing - failing
    if left:
        imports = (f"tfgpu migrate --imports{where}", "switches the imports by itself")
        verb = "works" if left == 1 else "work"
        # A program is not switched as long as it has names that no TensorFlow 2 has.
        switches = imports_stay and not summary.configs_convertible and not summary.stops
        yield Step(
            f"{count(left, 'config')} not converted: {verb} on TensorFlow 2 as "
            "tf.compat.v1.ConfigProto",
            (imports,) if switches else (),
        )
    if summary.stops:
        said = (
            f"{count(summary.stops, 'use')} of names that TensorFlow 2 does not have: the program "
            "does not start there, whatever its GPU settings are"
        )
        if report:
            yield Step(f"{said}; {printable(report)} has an answer each")
        else:
            yield Step(said, ((f"tfgpu migrate --report FILE{where}", "has an answer each"),))


def _quoted(words: Sequence[str], short: bool = True) -> str:
    """Return words as they are typed; in short, of many the first ones."""
    cut = short and len(words) > _MOST_WORDS
    shown = (*words[: _MOST_WORDS - 1], "...") if cut else words
    return printable("".join(f" {shlex.quote(word)}" for word in shown))
