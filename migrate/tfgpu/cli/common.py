"""Options and output that `audit` and `migrate` share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import click

from tfgpu.cache import cached_run, default_folder
from tfgpu.cli.words import Choice, Folder, OutputFile, check_rules, complete_rules, split
from tfgpu.config.find import Configurations, decided, named_configuration
from tfgpu.dataclass import dataclass, replace
from tfgpu.files.discover import discover
from tfgpu.files.gitignore import names_no_file
from tfgpu.files.kinds import REWRITTEN, Kind
from tfgpu.job import Job, Watch, no_watch
from tfgpu.options import Options
from tfgpu.place import place, printable
from tfgpu.report.output import replaced
from tfgpu.report.summary import Summary
from tfgpu.report.text import failure_line, summary_lines
from tfgpu.report.writer import Write
from tfgpu.results import Result
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.table import RuleError, version

Decorator = Callable[[Callable[..., None]], Callable[..., None]]


class Refusal(click.ClickException):
    """What was asked for cannot be done, for a reason that lies in files and not in options."""

    exit_code = 2


def _version(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    try:
        return None if value is None else version(value)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not a version of TensorFlow 2, such as 2.4", ctx, param
        ) from None


_PATHS = click.argument("paths", nargs=-1)
_RULES: dict[str, Any] = {"multiple": True, "callback": split, "shell_complete": complete_rules}
# What every command over files has.
_FILES: list[Decorator] = [
    _PATHS,
    click.option(
        "--exclude", multiple=True, callback=split, metavar="PATTERN",
        help="Files and folders to leave out, as in .gitignore; comma-separated or repeated.",
    ),
    click.option(
        "--config", "config_file", metavar="FILE",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Use this configuration file for all files, instead of those next to them.",
    ),
    click.option("--isolated", is_flag=True, help="Read no configuration files."),
    click.option(
        "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, metavar="N",
        help="Processes to use for many files.  [default: one per core]",
    ),
    click.option("--no-cache", is_flag=True, help="Do not use the cache."),
    click.option(
        "--cache-dir", type=Folder(file_okay=False, path_type=Path), metavar="FOLDER",
        envvar="TFGPU_CACHE_DIR", help="Folder of the cache.  [default: the user's cache folder]",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print results and errors only."),
]  # fmt: skip
select_option = click.option(
    "--select", metavar="RULES", **_RULES,
    help="Only these rules: codes, prefixes of codes, or names; comma-separated or repeated.",
)  # fmt: skip
ignore_option = click.option("--ignore", metavar="RULES", **_RULES, help="Ignore these rules.")
min_tf_option = click.option(
    "--min-tf", callback=_version, metavar="VERSION",
    help="The lowest TensorFlow version that the migrated code must run on.  [default: 2.4]",
)  # fmt: skip
_DECISIONS: list[Decorator] = [
    select_option,
    click.option("--extend-select", metavar="RULES", **_RULES,
                 help="These rules in addition to those that --select or a configuration selects."),
    ignore_option,
    min_tf_option,
    click.option(
        "--per-file", is_flag=True,
        help="Decide on each file by itself, not on whole programs.",
    ),
    click.option(
        "--stdin-filename", metavar="NAME",
        help="With -: the file name to assume for standard input.",
    ),
    click.option(
        "-v", "--verbose", is_flag=True,
        help="Show every finding, instead of one for each config and cause.",
    ),
    click.option("--show-files", is_flag=True, help="List the files that would be read, and exit."),
    click.option("--show-settings", is_flag=True,
                 help="Show the configuration of the first path, and exit."),
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Common:
    """What the options say that commands over files share."""

    paths: tuple[str, ...]
    exclude: tuple[str, ...]
    config_file: Path | None
    isolated: bool
    jobs: int
    quiet: bool
    no_cache: bool = False
    cache_dir: Path | None = None
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_tf: tuple[int, int] | None = None
    per_file: bool = False
    stdin_filename: str | None = None
    verbose: bool = False
    show_files: bool = False
    show_settings: bool = False

    def job(
        self, options: Options, rewrite: bool = False, kinds: frozenset[Kind] = REWRITTEN
    ) -> Job:
        """Return what is to be done; configurations decide what the command line leaves open.

        Raises:
            click.ClickException: the configuration that was named is wrong.
        """
        if self.isolated and self.config_file:
            raise click.UsageError("--isolated and --config exclude each other")
        if self.show_files and self.show_settings:
            raise click.UsageError("--show-files and --show-settings exclude each other")
        for pattern in filter(names_no_file, self.exclude):
            words = "a pattern is for files below this folder, without `.` and `..`"
            raise click.UsageError(f"--exclude: {printable(repr(pattern))}: {words}")
        options = replace(
            options, select=self.select, extend_select=self.extend_select, ignore=self.ignore
        )
        options, keys = decided(options, self.min_tf)
        try:
            named = None if self.config_file is None else named_configuration(self.config_file)
        except RuleError as error:
            raise Refusal(printable(str(error))) from None
        config = Configurations(options, keys, named, self.isolated, self.exclude)
        return Job(options, rewrite, self.per_file, kinds, config=config)

    def words(self) -> tuple[str, ...]:
        """Return the options that decide what is found, and the paths, for another command."""
        lists = {
            "--select": self.select,
            "--extend-select": self.extend_select,
            "--ignore": self.ignore,
            "--exclude": self.exclude,
            "--min-tf": () if self.min_tf is None else (".".join(map(str, self.min_tf)),),
            "--stdin-filename": () if self.stdin_filename is None else (self.stdin_filename,),
            "--config": () if self.config_file is None else (str(self.config_file),),
        }
        given = ((name, ",".join(values)) for name, values in lists.items() if values)
        flags = {"--isolated": self.isolated, "--per-file": self.per_file}
        set_flags = (name for name, is_set in flags.items() if is_set)
        return (*(word for pair in given for word in pair), *set_flags, *self.paths)

    def say(self, line: str) -> None:
        """Print a line about the run on standard error, unless only results are wanted."""
        if not self.quiet:
            say(line, err=True)

    def say_summary(self, summary: Summary, book: Rulebook, after: Iterable[str]) -> None:
        """Print the summary on standard error, and what to do after it."""
        for line in (*summary_lines(summary, book), *after):
            self.say(line)


def common_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the paths and the options of commands that decide; they come as one `Common`."""
    return _gathered(command, [*_FILES[:1], *_DECISIONS[:4], *_FILES[1:], *_DECISIONS[4:]])


def file_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the paths and the options that every command over files has."""
    return _gathered(command, _FILES)


def _gathered(command: Callable[..., None], options: list[Decorator]) -> Callable[..., None]:
    @wraps(command)
    def with_common(*arguments: Any, **values: Any) -> None:
        known = {name: values.pop(name) for name in Common.__slots__ if name in values}
        command(*arguments, common=Common(**known), **values)

    return with_options(with_common, options)


def with_options(command: Callable[..., None], options: list[Decorator]) -> Callable[..., None]:
    """Add options to a command; they are shown in their order."""
    for decorate in reversed(options):
        command = decorate(command)
    return command


def format_option(names: Sequence[str], default: str, about: str) -> Decorator:
    """Return the option for how something is written, as `kind`."""
    return click.option(
        "--output-format", "--format", "kind", type=Choice(names), default=default,
        show_default=True, help=about,
    )  # fmt: skip


def results(common: Common, job: Job, watch: Watch = no_watch) -> Iterator[Result]:
    """Yield the results for paths (the current folder by default), `-` for standard input.

    Raises:
        click.ClickException: a selected or ignored rule does not exist, or a configuration is
            wrong.
    """
    try:
        yield from _results(common, job, watch)
    except RuleError as error:
        raise Refusal(printable(str(error))) from None


def _results(common: Common, job: Job, watch: Watch) -> Iterator[Result]:
    config, paths = job.config, common.paths
    assert config is not None
    for path in (".", *(path for path in paths if path != "-")):
        config.of_target(path)
    options = job.options
    check_rules((*options.select, *options.extend_select, *options.ignore), job.whole_book())
    if common.stdin_filename is not None and paths != ("-",):
        raise click.UsageError("--stdin-filename needs - as the only path")
    if job.per_file:
        common.say(
            "warning: --per-file takes each file for a whole program: what it writes can break a "
            "program of several files, such as one that keeps a config, or its imports, elsewhere"
        )
    if common.show_settings:
        _show_settings(common, config)
    if paths == ("-",):
        yield _of_stdin(common, job, config)
        return
    if "-" in paths:
        raise click.UsageError("- (standard input) excludes other paths")
    wanted = []
    for path in paths or (".",):
        if config.leaves_out(path):
            common.say(_left_out(path))
        else:
            wanted.append(path)
    if common.show_files:
        _show_files(wanted, job, config)
    folder = None if common.no_cache else common.cache_dir or default_folder()

    def tell(line: str) -> None:
        say(printable(line), err=True)

    yield from cached_run(wanted, job, common.jobs, watch, folder, tell)


def _of_stdin(common: Common, job: Job, config: Configurations) -> Result:
    if sys.stdin is None:
        raise click.UsageError("- (standard input) is closed")
    name = common.stdin_filename or "<stdin>"
    data = sys.stdin.buffer.read()
    if common.stdin_filename is not None and config.leaves_out(name):
        common.say(_left_out(name))
        return Result(name, old=data)
    from tfgpu.process import process  # noqa: PLC0415 - costs 0.1 s, for files without a cache

    return process({name: data}, job, job.book([name]))[0]


def _left_out(path: str) -> str:
    return f"excluded by --exclude or the configuration: {printable(path)}"


def _show_files(paths: list[str], job: Job, config: Configurations) -> NoReturn:
    summary = Summary()
    for found in discover(paths, job.kinds, config.excludes):
        if isinstance(found, str):
            say(printable(place(found)))
        else:
            failed = Result(found.path, found.reason)
            summary.add(failed)
            say_failure(failed)
    sys.exit(summary.exit_code(False))


def _show_settings(common: Common, config: Configurations) -> NoReturn:
    paths = common.paths
    path = paths[0] if paths and paths != ("-",) else "."
    if not os.path.lexists(path):
        raise click.UsageError(f"{printable(repr(path))}: No such file or directory")
    found = config.of_target(path)
    options = config.options(str(Path(path, "file.py")) if Path(path).is_dir() else path)
    excluded = () if found is None else tuple(pattern.text for pattern in found.exclude)
    rows = {
        "configuration": "none" if found is None else found.path,
        "select": ", ".join((*options.select, *options.extend_select)) or "all rules",
        "ignore": ", ".join(options.ignore) or "no rules",
        "severity": ", ".join(f"{rule}: {word}" for rule, word in options.severity) or "default",
        "exclude": ", ".join((*excluded, *common.exclude)) or "nothing",
        "min-tf": ".".join(map(str, options.min_tf)),
        "house rules": ", ".join(options.rules) or "none",
        "baseline": str(found.baseline) if found and found.baseline else "none",
    }
    for name, text in rows.items():
        say(printable(f"{name}: {text}"))
    sys.exit()


output_option = click.option(
    "-o", "--output", default="-", metavar="FILE", type=OutputFile(dir_okay=False),
    help="Write to this file, atomically; - is standard output.",
)  # fmt: skip


@contextmanager
def written(output: str) -> Iterator[Write]:
    """Give what writes to a file, or for `-` to standard output, in colours on a terminal.

    Raises:
        click.UsageError: the file cannot be written.
    """
    if output == "-":
        yield _write
        return
    try:
        with replaced(output) as file:

            def write(text: str) -> None:
                file.write(click.unstyle(text))

            yield write
    except OSError as error:
        raise click.UsageError(f"{printable(output)}: {error.strerror or error}") from error


def watched(common: Common) -> AbstractContextManager[Watch]:
    """Give what shows on a terminal how far a long run is: files analysed, of how many."""
    return display(common.quiet, "files")


@contextmanager
def display(quiet: bool, what: str) -> Iterator[Watch]:
    """Give what shows on a terminal how many of some things are read, and analysed."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield no_watch
        return
    from rich.console import Console  # noqa: PLC0415 - costs 0.1 s, for terminals only
    from rich.progress import Progress, TextColumn  # noqa: PLC0415

    column = TextColumn("{task.description}")
    with Progress(column, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"reading {what}", total=None)
        _running.append(progress.stop)

        def watch(done: int, of: int) -> None:
            words = f"{done:,} of {of:,} {what} analysed" if of else f"{done:,} {what} read"
            progress.update(task, description=words)

        try:
            yield watch
        finally:
            _running.clear()


# What ends the display of a long run, while there is one.
_running: list[Callable[[], None]] = []


def _end_display() -> None:
    """Take away what shows how far the run is: the first line of output takes its place."""
    while _running:
        _running.pop()()


def _write(text: str) -> None:
    """Write a text to standard output as it is."""
    _end_display()
    click.echo(text, nl=False, color=_color())


def say(line: str, err: bool = False) -> None:
    """Print a line; in colours on a terminal, unless NO_COLOR is set."""
    _end_display()
    click.echo(line, err=err, color=_color())


def put(data: bytes) -> None:
    """Write bytes to standard output as they are."""
    _end_display()
    click.echo(data, nl=False)


def _color() -> bool | None:
    return False if os.environ.get("NO_COLOR") else None


def say_failure(result: Result) -> None:
    """Print on standard error why a file failed, if it did."""
    if result.reason is not None:
        say(failure_line(result), err=True)
