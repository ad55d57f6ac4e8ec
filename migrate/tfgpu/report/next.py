"""What to type next, for the summary of a run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from tfgpu.report.printable import printable
from tfgpu.report.summary import Summary, count

# Options and paths that a command shows; a shell's pattern can give a thousand.
_MOST_WORDS = 8


def after_audit(summary: Summary, words: Sequence[str]) -> Iterator[str]:
    """Yield what to do after an audit, `words` being its options and paths."""
    where = _quoted(words)
    left = [*_assumed(summary, where), *_left(summary, where)]
    if summary.configs_convertible:
        yield f"Next: tfgpu migrate{where} shows the change, tfgpu migrate --write{where} makes it"
    elif not (left or summary.findings or summary.files_failed):
        yield "Nothing to do"
    yield from left


def after_migrate(
    summary: Summary,
    words: Sequence[str],
    own: Sequence[str],
    changes: int,
    written: bool,
    report: str | None = None,
) -> Iterator[str]:
    """Yield what to do after a migration, which would change files or has done so.

    `words` are the options that `audit` has, too, and the paths; `own` are the other options;
    `report` is the file that the report of this migration is written to.
    """
    where = _quoted(words)
    if changes and written:
        yield "Next: tfgpu verify SCRIPT --from-ref HEAD runs it before and after, and compares"
    elif changes:
        yield f"Next: tfgpu migrate --write{_quoted(own)}{where} makes the change"
    yield from _assumed(summary, where)
    yield from _left(summary, where, report)


def _assumed(summary: Summary, where: str) -> Iterator[str]:
    if summary.configs_assumable:
        yield (
            f"{count(summary.configs_assumable, 'config')} more would convert on assumptions: "
            f"tfgpu migrate --verify --program SCRIPT{where} checks them in a run, --unsafe-fixes "
            "trusts them"
        )


def _left(summary: Summary, where: str, report: str | None = None) -> Iterator[str]:
    left = summary.configs_kept - summary.configs_assumable
    if left:
        imports = (
            ""
            if summary.configs_convertible
            else f"; tfgpu migrate --imports{where} switches the imports by itself"
        )
        verb = "works" if left == 1 else "work"
        yield (
            f"{count(left, 'config')} not converted: {verb} on TensorFlow 2 as "
            f"tf.compat.v1.ConfigProto{imports}"
        )
    if summary.stops:
        uses = count(summary.stops, "use")
        source = printable(report) if report else f"tfgpu migrate --report FILE{where}"
        yield (
            f"{uses} of names that TensorFlow 2 does not have: the program does not start there, "
            f"whatever its GPU settings are; {source} has an answer each"
        )


def _quoted(words: Sequence[str]) -> str:
    """Return words as they are typed; of many, the first ones."""
    shown = words if len(words) <= _MOST_WORDS else (*words[: _MOST_WORDS - 1], "...")
    return printable("".join(f" {shlex.quote(word)}" for word in shown))
