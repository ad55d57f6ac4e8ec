"""`tfgpu migrate`: the edits of what `audit` reports."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from tfgpu.cli.common import (
    Common,
    Refusal,
    common_options,
    results,
    say,
    say_failure,
    watched,
)
from tfgpu.cli.common import written as written_to
from tfgpu.cli.program import ProgramCommand, program_arguments, run_options, run_settings
from tfgpu.dataclass import replace
from tfgpu.files.pyfile import SourceError
from tfgpu.options import Options
from tfgpu.process import Result, save
from tfgpu.report.fold import fold
from tfgpu.report.folded import group_lines
from tfgpu.report.migration import migration_report
from tfgpu.report.next import after_migrate
from tfgpu.report.printable import printable
from tfgpu.report.summary import Summary
from tfgpu.report.text import diff


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
    return sizes.pop()


@click.command(cls=ProgramCommand)
@common_options
@click.option("--write", is_flag=True, help="Write the files instead of showing a diff.")
@click.option("--force", is_flag=True, help="With --write: also where git has no way back.")
@click.option("--check", is_flag=True, help="Say nothing; exit with 1 if a file would change.")
@click.option("--unsafe-fixes", is_flag=True, help="Also make changes whose meaning can differ.")
@click.option(
    "--gpu-memory", callback=_total, metavar="SIZE",
    help="With --unsafe-fixes: what each GPU has in all (16GiB, or a card: T4), so that a memory "
    "fraction becomes a number.",
)  # fmt: skip
@click.option(
    "--keep-imports",
    is_flag=True,
    help="Leave `import tensorflow as tf` alone, for those who run tf_upgrade_v2 too.",
)
@click.option(
    "--imports",
    is_flag=True,
    help="Switch imports to tensorflow.compat.v1 where nothing is converted, too.",
)
@click.option(
    "--bridge",
    is_flag=True,
    help="Write settings that TensorFlow 1.15 and 2 both have, and leave imports alone.",
)
@click.option(
    "--fix-python2",
    is_flag=True,
    help="Write files of Python 2 that change in the syntax of Python 3.",
)
@click.option(
    "--verify",
    "verified",
    is_flag=True,
    help="Run each changed file before and after, and keep only what is shown to be the same.",
)
@click.option(
    "--report", type=click.Path(dir_okay=False), metavar="FILE",
    help="Write what is done, what blocks the rest, and what to do by hand, as Markdown.",
)  # fmt: skip
@click.option(
    "--program", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="SCRIPT",
    help="With --verify: the program to run, which uses all the changed files.",
)  # fmt: skip
@run_options
@click.pass_context
def migrate(
    ctx: click.Context,
    /,
    common: Common,
    write: bool,
    force: bool,
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

    Exits with 0, with 2 where a file failed, and with --check with 1 where one would change (3 with
    both).
    With --verify, files are run, on GPUs real or simulated, and what stands after -- goes to
    them; then 1 tells of a mismatch and 3 of runs that prove nothing.
    """
    to_stdout = common.paths == ("-",)
    wrong = {
        "--write and --check exclude each other": write and check,
        "--verify runs files: without --check and standard input": verified
        and (check or to_stdout),
        "--program is for --verify": program and not verified,
        "--keep-imports, --imports and --bridge exclude each other": keep_imports + imports + bridge
        > 1,
        "--report is for files, and without --check": report and (check or to_stdout),
        "--gpu-memory is for --unsafe-fixes: on GPUs of another size the number is another part": (
            gpu_memory and not unsafe_fixes
        ),
        "--force is for --write": force and not write,
    }
    for message, is_wrong in wrong.items():
        if is_wrong:
            raise click.UsageError(message)
    options = Options(
        unsafe_fixes=unsafe_fixes,
        assume=verified,
        keep_imports=keep_imports,
        imports=imports,
        bridge=bridge,
        fix_python2=fix_python2,
        gpu_memory=gpu_memory,
    )
    summary = Summary()
    changes = 0
    left: list[Result] = []
    proof = None
    if verified:
        from tfgpu.cli.verified import Proof  # noqa: PLC0415 - only this runs programs

        def again(refuted: frozenset[tuple[str, str, str]]) -> Iterable[Result]:
            """Migrate once more, without what rests on assumptions that do not hold."""
            return results(common, common.job(replace(options, refuted=refuted), rewrite=True))

        proof = Proof(program, run_settings(program_arguments(ctx), **chosen), again)
    else:
        # `--` ended the options.
        common = replace(common, paths=common.paths + program_arguments(ctx))
    job = common.job(options, rewrite=not check)
    with watched(common) as watch:
        found = results(common, job, watch)
        if write and not force and not to_stdout:
            found = _guarded(found)
        for result in proof.keep_proven(found) if proof else found:
            if write:
                _write(result, to_stdout)
            elif not check and result.new_text is not None:
                for line in diff(result):
                    say(line)
            summary.add(result)
            changes += result.changes and result.reason is None
            say_failure(result)
            left.append(result)
    if not check:
        if not common.quiet:
            _show_left(left)
        own = [
            *(["--verify"] if verified else []),
            *(["--program", str(program)] if program else []),
            *_own_words(options),
        ]
        after = list(after_migrate(summary, common.words(), own, changes, write))
        written = f"{changes} file(s) {'written' if write else 'would change'}"
        if report:
            with written_to(report) as put:
                put(migration_report(left, common.paths, summary, job.whole_book(), write, after))
        common.say_summary(summary, job.whole_book(), (written, *after))
    status = summary.exit_code(check and changes > 0)
    sys.exit(proof.exit_code if proof and not status else status)


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


def _write(result: Result, to_stdout: bool) -> None:
    """Write a file if it changes; to standard output, whether it changes or not."""
    if to_stdout:
        if result.reason is None:
            sys.stdout.buffer.write(result.old if result.new is None else result.new)
    elif result.new is not None:
        try:
            save(result)
        except SourceError as error:
            result.reason, result.line = str(error), error.line


def _own_words(options: Options) -> Iterator[str]:
    """Yield the options of `migrate` that decide what the files become."""
    flags = {
        "--unsafe-fixes": options.unsafe_fixes,
        "--keep-imports": options.keep_imports,
        "--imports": options.imports,
        "--bridge": options.bridge,
        "--fix-python2": options.fix_python2,
    }
    yield from (name for name, is_given in flags.items() if is_given)
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
