"""`tfgpu migrate`: the edits of what `audit` reports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tfgpu.cli.common import (
    Common,
    Refusal,
    common_options,
    put,
    results,
    say,
    say_failure,
    watched,
)
from tfgpu.cli.common import written as written_to
from tfgpu.cli.program import (
    ProgramCommand,
    is_given,
    program_arguments,
    run_options,
    run_settings,
)
from tfgpu.cli.words import OutputFile
from tfgpu.dataclass import replace
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.place import printable
from tfgpu.report.folded import fold, group_lines
from tfgpu.report.migration import migration_report
from tfgpu.report.next import Step, after_migrate
from tfgpu.report.summary import Summary
from tfgpu.report.text import diff, shown_diff
from tfgpu.results import Result

if TYPE_CHECKING:
    from tfgpu.cli.verified import Proof


def _total(ctx: click.Context, param: click.Parameter, value: str | None) -> int:
    """Return a size, or that of a card, in MiB; 0 where none is given."""
    if value is None:
        return 0
    from tfgpu.verify.simgpu.gpus import SpecError, parse_gpus  # noqa: PLC0415 - few give one

    try:
        sizes = {int(gpu.total_mib) for gpu in parse_gpus(value)}
    except SpecError as error:
        raise click.BadParameter(str(error), ctx, param) from None
    if len(sizes) > 1:
        raise click.BadParameter("GPUs of several sizes; give one", ctx, param)
    if not sizes:
        raise click.BadParameter(f"{value!r} is no size such as 16GiB", ctx, param)
    return sizes.pop()


@click.command(cls=ProgramCommand)
@common_options
@click.option("--write", is_flag=True, help="Write the files instead of showing a diff.")
@click.option(
    "--force", is_flag=True, help="With --write: also overwrite what git could not restore.",
)  # fmt: skip
@click.option(
    "--staged", is_flag=True,
    help="With --write: write programs whose files are all staged or committed, as hooks need it.",
)  # fmt: skip
@click.option("--check", is_flag=True, help="Print no diff; exit with 1 if a file would change.")
@click.option("--unsafe-fixes", is_flag=True, help="Also make changes that can alter behaviour.")
@click.option(
    "--gpu-memory", callback=_total, metavar="SIZE",
    help="With --unsafe-fixes: the total memory of each GPU (16GiB, or a card: T4), so that a "
    "memory fraction becomes a number.",
)  # fmt: skip
@click.option("--keep-imports", is_flag=True, help="Do not change `import tensorflow as tf`.")
@click.option(
    "--imports", is_flag=True,
    help="Switch imports to tensorflow.compat.v1 also where no config is converted.",
)  # fmt: skip
@click.option(
    "--bridge", is_flag=True,
    help="Write settings that TensorFlow 1.15 and 2 both have; do not change imports.",
)  # fmt: skip
@click.option(
    "--fix-python2", is_flag=True,
    help="Rewrite changed Python 2 files in the syntax of Python 3.",
)  # fmt: skip
@click.option(
    "--verify", "verified", is_flag=True,
    help="Run each changed file before and after, and keep only changes shown to be equal.",
)  # fmt: skip
@click.option(
    "--report", type=OutputFile(dir_okay=False), metavar="FILE",
    help="Write a Markdown report: done, blocked by what, to do by hand, next commands.",
)  # fmt: skip
@click.option(
    "--program", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="SCRIPT",
    help="With --verify: the program to run; it has to use all changed files.",
)  # fmt: skip
@run_options
@click.pass_context
def migrate(
    ctx: click.Context,
    /,
    common: Common,
    write: bool,
    force: bool,
    staged: bool,
    check: bool,
    unsafe_fixes: bool,
    gpu_memory: int,
    keep_imports: bool,
    imports: bool,
    bridge: bool,
    fix_python2: bool,
    verified: bool,
    report: str | None,
    program: Path | None,
    **chosen: Any,
) -> None:
    """Rewrite GPU settings into tf.config calls; without --write, show the diff only.

    Exit status: 0, or 2 if a file failed; with --check, 1 if a file would change, 3 for both.
    With --verify, files are run on real or simulated GPUs, with the arguments after --; 1 is a
    mismatch, 3 an inconclusive verdict.
    """
    _check_options(ctx.command, ctx.params, {name for name in chosen if is_given(ctx, name)})
    to_stdout = common.paths == ("-",)
    options = Options(
        unsafe_fixes=unsafe_fixes,
        assume=verified,
        keep_imports=keep_imports,
        imports=imports,
        bridge=bridge,
        fix_python2=fix_python2,
        gpu_memory=gpu_memory,
    )
    proof = _proof(ctx, common, options, program, chosen) if verified else None
    if not verified:
        # `--` ended the options.
        common = replace(common, paths=common.paths + program_arguments(ctx))
    job = common.job(options, rewrite=True)
    summary, left = Summary(), list[Result]()
    with watched(common) as watch:
        found = results(common, job, watch)
        saves = write and not to_stdout
        for result in _settled(common, found, proof, saves, force, staged):
            if to_stdout and write:
                _put(result)
            elif not (write or check) and result.new_text is not None:
                _show(result)
            summary.add(result)
            say_failure(result)
            left.append(result)
    changes = sum(result.changes and result.reason is None for result in left)
    if not check:
        own = list(_own_words(options, program))
        after = partial(after_migrate, summary, common.words(), own, changes, write, report)
        _say_end(common, job, summary, left, after, write, report, changes)
    status = summary.exit_code(check and changes > 0)
    sys.exit(proof.exit_code if proof and not status else status)


def _proof(
    ctx: click.Context,
    common: Common,
    options: Options,
    program: Path | None,
    chosen: Mapping[str, Any],
) -> Proof:
    """Return what runs programs before and after; `chosen` are its options."""
    from tfgpu.cli.verified import Proof  # noqa: PLC0415 - only this runs programs

    def again(refuted: frozenset[tuple[str, str, str]]) -> Iterable[Result]:
        """Migrate once more, without what rests on assumptions that do not hold."""
        from tfgpu.saving import held  # noqa: PLC0415 - where files change

        return held(results(common, common.job(replace(options, refuted=refuted), rewrite=True)))

    return Proof(program, run_settings(program_arguments(ctx), **chosen), again)


def _say_end(
    common: Common,
    job: Job,
    summary: Summary,
    left: list[Result],
    after: Callable[..., Iterable[Step]],
    write: bool,
    report: str | None,
    changes: int,
) -> None:
    """Say what stays to be done, and write the report if there is to be one."""
    if not common.quiet:
        _show_left(left)
    written = f"{changes} file(s) {'written' if write else 'would change'}"
    if report:
        with written_to(report) as put:
            steps = list(after(short=False))
            put(migration_report(left, common.paths, summary, job.whole_book(), write, steps))
    common.say_summary(summary, job.whole_book(), (written, *map(str, after())))


def _check_options(command: click.Command, given: Mapping[str, Any], run: Set[str]) -> None:
    """Refuse options that do not go together; `run` are those for runs on the command line.

    Raises:
        click.UsageError: there are some.
    """
    is_apart = given["check"] or given["paths"] == ("-",)
    imports = sum(given[name] for name in ("keep_imports", "imports", "bridge"))
    wrong = {
        "--write and --check exclude each other": given["write"] and given["check"],
        "--verify runs files: it excludes --check and standard input": given["verified"]
        and is_apart,
        "--program needs --verify": given["program"] and not given["verified"],
        "--keep-imports, --imports and --bridge exclude each other": imports > 1,
        "--report excludes --check and standard input": given["report"] and is_apart,
        "--gpu-memory needs --unsafe-fixes: on other GPUs the limit is another fraction": (
            given["gpu_memory"] and not given["unsafe_fixes"]
        ),
        "--force needs --write": given["force"] and not given["write"],
        "--staged needs --write": given["staged"] and not given["write"],
        "--staged and --force exclude each other": given["staged"] and given["force"],
    }
    for option in command.params:
        if option.name in run:
            wrong[f"{option.opts[0]} needs --verify"] = not given["verified"]
    for message, is_wrong in wrong.items():
        if is_wrong:
            raise click.UsageError(message)


def _guarded(results: Iterable[Result]) -> Iterator[Result]:
    """Yield all results, or refuse where git could not give back what a file to write was.

    Raises:
        Refusal: a file has changes that are not committed.
    """
    from tfgpu.git import GitError, uncommitted  # noqa: PLC0415 - only where files are written

    found = list(results)
    try:
        changed = uncommitted(result.path for result in found if result.new is not None)
    except GitError as error:
        raise Refusal(f"{error}; --force writes without git") from None
    if changed:
        names = ", ".join(map(printable, changed))
        raise Refusal(
            f"not committed, and nothing was written: {names}; commit, or go on with --force"
        )
    yield from found


def _show(result: Result) -> None:
    """Show the diff of a file: to people in colours, to programs as the bytes of the file."""
    if sys.stdout is not None and sys.stdout.isatty():
        for line in shown_diff(result):
            say(line)
    else:
        put(b"".join(diff(result)))


def _put(result: Result) -> None:
    """Write what standard input becomes to standard output, whether it changes or not."""
    if result.reason is None:
        put(result.old if result.new is None else result.new)


def _settled(
    common: Common,
    results: Iterable[Result],
    proof: Proof | None,
    saves: bool,
    force: bool,
    staged: bool,
) -> Iterable[Result]:
    """Return all results, once those that are not to be written are left and the others are."""
    from tfgpu.saving import held  # noqa: PLC0415 - where files change

    results = held(results)
    if saves and not (force or staged):
        results = _guarded(results)
    if proof:
        results = proof.keep_proven(results)
    return _saved(common, results, staged) if saves else results


def _saved(common: Common, results: Iterable[Result], staged: bool) -> list[Result]:
    """Return all results after the files that change are written."""
    from tfgpu.saving import save  # noqa: PLC0415 - where files are written

    found = list(results)
    save(found, _unstaged(common, found) if staged else {})
    return found


def _unstaged(common: Common, results: Iterable[Result]) -> Mapping[str, str]:
    """Return the files that git could not give back; programs that it has nothing of are left.

    Raises:
        Refusal: git cannot be asked.
    """
    from tfgpu.git import GitError, unstaged  # noqa: PLC0415 - only where files are written
    from tfgpu.saving import by_programs  # noqa: PLC0415

    groups = by_programs(results)
    try:
        held = unstaged(result.path for group in groups for result in group)
    except GitError as error:
        raise Refusal(str(error)) from None
    for group in groups:
        if all(held.get(result.path) is False for result in group):
            for result in group:
                result.new_text, result.changes = None, False
                common.say(f"{printable(result.path)}: left as it was: git does not know it")
    words = {False: "git does not know it", True: "it has changes that are not staged"}
    return {path: f"{words[is_held]}; not changed: add it" for path, is_held in held.items()}


def _own_words(options: Options, program: Path | None) -> Iterator[str]:
    """Yield the options of `migrate` that decide what the files become."""
    if options.assume:
        yield "--verify"
    if program:
        yield from ("--program", str(program))
    flags = ("unsafe_fixes", "keep_imports", "imports", "bridge", "fix_python2")
    yield from (f"--{name.replace('_', '-')}" for name in flags if getattr(options, name))
    if options.gpu_memory:
        yield from ("--gpu-memory", f"{options.gpu_memory}MiB")


def _show_left(results: Iterable[Result]) -> None:
    """Show what stays to be done by hand, or is to be checked: what unsafe fixes rest on."""
    left = (
        Result(
            result.path,
            findings=[item for item in result.findings if item.fix != "safe" or not result.changes],
        )
        for result in results
    )
    for group in fold(left):
        for line in group_lines(group, source=False):
            say(line, err=True)
