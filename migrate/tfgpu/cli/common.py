"""Options and output that `audit` and `migrate` share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import click

from tfgpu.config.find import Configurations
from tfgpu.dataclass import replace
from tfgpu.files.kinds import REWRITTEN, Kind
from tfgpu.options import Options
from tfgpu.process import Job, Result, process
from tfgpu.report.output import replaced
from tfgpu.report.printable import printable
from tfgpu.report.summary import Summary
from tfgpu.report.text import failure_line, summary_lines
from tfgpu.report.writer import Write
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.table import RuleError
from tfgpu.rulebook.version import version
from tfgpu.run import run


class Refusal(click.ClickException):
    """What was asked for cannot be done, for a reason that lies in files and not in options."""

    exit_code = 2


def _version(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    try:
        return None if value is None else version(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is no version such as 2.4", ctx, param) from None


paths_argument = click.argument("paths", nargs=-1)
jobs_option = click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, metavar="N",
    help="Processes to use, if there are many files.  [default: one per core]",
)  # fmt: skip
_OPTIONS: list[Callable[[Callable[..., None]], Callable[..., None]]] = [
    paths_argument,
    click.option(
        "--select", multiple=True, metavar="RULE",
        help="Only these rules: a code, the start of one, or a name; repeatable.",
    ),
    click.option(
        "--ignore", multiple=True, metavar="RULE", help="All rules but these; repeatable."
    ),
    click.option(
        "--min-tf", callback=_version, metavar="VERSION",
        help="The lowest TensorFlow version that the migrated code must run on.  [default: 2.4]",
    ),
    jobs_option,
    click.option(
        "--per-file", is_flag=True,
        help="Decide on each file by itself, whatever other files of its program keep.",
    ),
    click.option(
        "--stdin-filename", metavar="NAME",
        help="With -: the name that standard input would have as a file.",
    ),
]  # fmt: skip


def common_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the paths and the options that every command over files has."""
    for decorate in reversed(_OPTIONS):
        command = decorate(command)
    return command


def make_job(
    options: Options,
    min_tf: tuple[int, int] | None,
    rewrite: bool,
    per_file: bool,
    kinds: frozenset[Kind] = REWRITTEN,
) -> Job:
    """Return what is to be done, with the configurations for what the command line leaves open."""
    fixed = {"select": bool(options.select), "ignore": bool(options.ignore)}
    if min_tf is not None:
        options = replace(options, min_tf=min_tf)
        fixed["min-tf"] = True
    keys = frozenset(key for key, is_fixed in fixed.items() if is_fixed)
    return Job(options, rewrite, per_file, kinds, config=Configurations(options, keys))


def results(
    paths: tuple[str, ...], job: Job, jobs: int, stdin_filename: str | None = None
) -> Iterator[Result]:
    """Yield the results for paths (the current folder by default), `-` for standard input.

    Raises:
        click.ClickException: a selected or ignored rule does not exist, or a configuration is
            wrong.
    """
    try:
        yield from _results(paths, job, jobs, stdin_filename)
    except RuleError as error:
        raise Refusal(printable(str(error))) from None


def _results(
    paths: tuple[str, ...], job: Job, jobs: int, stdin_filename: str | None
) -> Iterator[Result]:
    config = job.config
    assert config is not None
    for path in (".", *(path for path in paths if path != "-")):
        config.of_target(path)
    check_rules((*job.options.select, *job.options.ignore), job.whole_book())
    if stdin_filename is not None and paths != ("-",):
        raise click.UsageError("--stdin-filename names what - stands for")
    if job.per_file:
        say(
            "warning: --per-file decides on each file by itself; where files of one program end up "
            "with tf.config and with Session(config=...), the session ignores tf.config",
            err=True,
        )
    if paths == ("-",):
        if sys.stdin is None:
            raise click.UsageError("- stands for standard input, which is closed")
        name = stdin_filename or "<stdin>"
        data = sys.stdin.buffer.read()
        if stdin_filename is not None and config.leaves_out(name):
            _say_left_out(name)
            yield Result(name, old=data)
        else:
            yield process({name: data}, job, job.book([name]))[0]
        return
    if "-" in paths:
        raise click.UsageError("- stands for standard input and takes no other paths")
    wanted = []
    for path in paths or (".",):
        if config.leaves_out(path):
            _say_left_out(path)
        else:
            wanted.append(path)
    yield from run(wanted, job, jobs)


def _say_left_out(path: str) -> None:
    say(f"left out, as its configuration says under exclude: {printable(path)}", err=True)


def check_rules(patterns: Iterable[str], book: Rulebook) -> None:
    """Refuse code prefixes and names that no rule has.

    Raises:
        click.UsageError: there is one.
    """
    for pattern in patterns:
        found = (rule.name == pattern or rule.code.startswith(pattern) for rule in book.rules)
        if not pattern or not any(found):
            raise click.UsageError(f"no rule has the code or name {pattern!r}; see `tfgpu rules`")


output_option = click.option(
    "-o", "--output", default="-", metavar="FILE",
    help="Write to a file, which is replaced when all is done; - is standard output.",
)  # fmt: skip


@contextmanager
def written(output: str) -> Iterator[Write]:
    """Give what writes to a file, or for `-` to standard output, in colours on a terminal.

    Raises:
        click.UsageError: the file cannot be written.
    """
    if output == "-":
        yield lambda text: click.echo(text, nl=False, color=_color())
        return
    try:
        with replaced(output) as file:

            def write(text: str) -> None:
                file.write(click.unstyle(text))

            yield write
    except OSError as error:
        raise click.UsageError(f"{printable(output)}: {error.strerror or error}") from error


@contextmanager
def watched(found: Iterator[Result]) -> Iterator[Iterator[Result]]:
    """Show on a terminal how many files were read, while a long run goes on."""
    if not sys.stderr.isatty():
        yield found
        return
    from rich.console import Console  # noqa: PLC0415 - costs 0.1 s, for terminals only
    from rich.progress import Progress, TextColumn  # noqa: PLC0415

    console = Console(stderr=True)
    column = TextColumn("{task.completed} files read")
    with Progress(column, console=console, transient=True) as progress:
        task = progress.add_task("files", total=None)

        def count() -> Iterator[Result]:
            for result in found:
                progress.advance(task)
                yield result

        yield count()


def say(line: str, err: bool = False) -> None:
    """Print a line; in colours on a terminal, unless NO_COLOR is set."""
    click.echo(line, err=err, color=_color())


def _color() -> bool | None:
    return False if os.environ.get("NO_COLOR") else None


def say_failure(result: Result) -> None:
    """Print on standard error why a file failed, if it did."""
    if result.reason is not None:
        say(failure_line(result), err=True)


def say_summary(summary: Summary, book: Rulebook) -> None:
    """Print the summary on standard error."""
    for line in summary_lines(summary, book):
        say(line, err=True)
