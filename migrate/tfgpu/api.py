"""tfgpu as a library: `audit`, `migrate`, `migrate_text` and `verify`.

What is here stays as it is until the next major version; all else of the package can change.
Nothing is printed. Configuration files hold as they do for the commands; arguments go first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tfgpu.config.find import Configurations, decided
from tfgpu.dataclass import dataclass
from tfgpu.files.kinds import EVERY, REWRITTEN
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.results import Finding, Result
from tfgpu.rulebook.table import RuleError
from tfgpu.run import run
from tfgpu.saving import held, save

if TYPE_CHECKING:
    from tfgpu.verify.verdict import Verdict

__all__ = ["File", "Finding", "audit", "migrate", "migrate_text", "verify"]


@dataclass(frozen=True, slots=True)
class File:
    """What there is to say about one file.

    `error` is why it could not be read, analysed or written, None where it could. `new` is its
    migrated text as bytes, None where it does not change or was not asked for.
    """

    path: str
    error: str | None
    findings: tuple[Finding, ...]
    new: bytes | None = None


def audit(
    paths: Iterable[str | Path],
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    min_tf: tuple[int, int] | None = None,
    jobs: int = 1,
) -> list[File]:
    """Return the files below paths with what `tfgpu audit` finds in them.

    `select` and `ignore` have codes of rules, the start of codes, or names.

    Raises:
        ValueError: a configuration file is wrong.
    """
    job = _job(Options(select=tuple(select), ignore=tuple(ignore)), min_tf)
    return [_file(result) for result in _run(paths, job, jobs)]


def migrate(
    paths: Iterable[str | Path],
    *,
    write: bool = False,
    unsafe_fixes: bool = False,
    bridge: bool = False,
    imports: bool = False,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    min_tf: tuple[int, int] | None = None,
    jobs: int = 1,
) -> list[File]:
    """Return the files below paths with their migrated text; with `write`, write those that change.

    The other options are those of `tfgpu migrate`. Whether git could give a file back is not asked.

    Raises:
        ValueError: a configuration file is wrong.
    """
    options = Options(
        unsafe_fixes=unsafe_fixes,
        bridge=bridge,
        imports=imports,
        select=tuple(select),
        ignore=tuple(ignore),
    )
    job = _job(options, min_tf, rewrite=True)
    found = held(_run(paths, job, jobs))
    if write:
        save(found, {})
    return [_file(result) for result in found]


def migrate_text(
    text: str,
    path: str = "<text>",
    *,
    unsafe_fixes: bool = False,
    bridge: bool = False,
    min_tf: tuple[int, int] | None = None,
) -> File:
    """Return what `tfgpu migrate` makes of a text that is a program of its own."""
    job = _job(Options(unsafe_fixes=unsafe_fixes, bridge=bridge), min_tf, rewrite=True, alone=True)
    return _file(process({path: text.encode()}, job, job.book([path]))[0])


def verify(
    before: str | Path,
    after: str | Path | None = None,
    *,
    arguments: Sequence[str] = (),
    gpus: str = "auto",
    python: str = sys.executable,
    before_python: str | None = None,
    steps: int = 5,
    timeout: float = 300,
    quick: bool = False,
) -> Verdict:
    """Run a program before and after on the same GPUs and compare them, as `tfgpu verify` does.

    Without `after` it is the migration of `before`. This runs both programs.

    Raises:
        Exception: one of `tfgpu.verify.verification.CANNOT_RUN`: nothing can be run here.
    """
    from tfgpu.verify.gpus import choose  # noqa: PLC0415 - few callers run programs
    from tfgpu.verify.programs import migration, two_files  # noqa: PLC0415
    from tfgpu.verify.verification import Settings  # noqa: PLC0415
    from tfgpu.verify.verification import verify as run_both  # noqa: PLC0415

    settings = Settings(
        choose(gpus), python, before_python or python, steps, timeout, arguments, quick=quick
    )
    if after is None:
        return run_both(lambda: migration(Path(before), Options()), settings)
    return run_both(lambda: two_files(Path(before), Path(after)), settings)


def _run(paths: Iterable[str | Path], job: Job, jobs: int) -> Iterator[Result]:
    try:
        yield from run(list(map(str, paths)), job, jobs)
    except RuleError as error:
        raise ValueError(str(error)) from error


def _job(
    options: Options,
    min_tf: tuple[int, int] | None,
    rewrite: bool = False,
    alone: bool = False,
) -> Job:
    options, keys = decided(options, min_tf)
    config = None if alone else Configurations(options, keys)
    return Job(options, rewrite, kinds=REWRITTEN if rewrite else EVERY, config=config)


def _file(result: Result) -> File:
    new = result.new if result.reason is None else None
    return File(result.path, result.reason, tuple(result.findings), new)
