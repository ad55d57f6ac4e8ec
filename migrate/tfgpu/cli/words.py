"""Words on the command line: lists with commas, choices and rules, completed and corrected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tfgpu.files.kinds import Kind, kind_of, kind_of_script
from tfgpu.place import printable
from tfgpu.rulebook.book import Rulebook, load_rulebook
from tfgpu.rulebook.table import nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # a class with parameters from click 8.2 on only


class Choice(_Choice):
    """One of some words; the error names the nearest one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word that was chosen."""
        try:
            return str(super().convert(value, param, ctx))
        except click.BadParameter as error:
            said = error.message.rstrip(".")
            raise click.BadParameter(f"{said}{hint(str(value), self.choices)}") from None


def hint(word: str, words: Iterable[str]) -> str:
    """Return "; did you mean ...?" for a word that is like one of some, else an empty text."""
    found = nearest(word, words) or nearest(word.lower(), words)
    return f"; did you mean {found}?" if found else ""


# Documents of people, in formats that reports have too.
_DOCUMENTS = frozenset({".htm", ".html", ".jsonl", ".markdown", ".md", ".sarif", ".xml"})
_FIRST_LINE = 4096  # as much of it as is read


class OutputFile(click.Path):
    """A file to write, checked before anything is run: what may be somebody's is not replaced."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of the file; `-` is standard output."""
        if str(value) == "-":
            return super().convert(value, param, ctx)
        path = Path(value)
        folder = path.absolute().parent
        if not str(value):
            self.fail("the name is empty", param, ctx)
        if not folder.is_dir():
            self.fail(f"{printable(str(path))}: No such file or directory", param, ctx)
        found = super().convert(value, param, ctx)
        if path.is_file() and not _may_be_replaced(path):
            self.fail(f"{printable(str(path))} is no report; it is not overwritten", param, ctx)
        return found


class Folder(click.Path):
    """A folder, which has a name: an empty one would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the folder."""
        if not str(value):
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


def _may_be_replaced(path: Path) -> bool:
    """Tell whether a file is a report of an earlier run, or neither a source nor a document.

    A document is told by what it says; plain text and CSV do not say whose they are.
    """
    path = path.resolve()  # what a link leads to is what is written
    kind = kind_of(path.name)
    if kind is Kind.JSON or path.suffix.lower() in _DOCUMENTS:
        from tfgpu.report.earlier import is_earlier_report  # noqa: PLC0415 - it imports json

        return is_earlier_report(path)
    if kind is not None:
        return False
    with path.open("rb") as file:
        return kind_of_script(file.readline(_FIRST_LINE)) is None


def split(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    """Split the values of an option that takes lists with commas, and can be repeated."""
    del ctx, param
    return tuple(part.strip() for value in values for part in value.split(","))


def complete_rules(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the names and codes of rules that begin with a text, after the last comma of it."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - few need it

    del ctx, param
    before, comma, begun = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{word}", help=rule.summary)
        for rule in load_rulebook().rules
        for word in (rule.name, rule.code)
        if (word.startswith(begun) if begun else word == rule.name)
    ]


def check_rules(patterns: Iterable[str], book: Rulebook) -> None:
    """Refuse code prefixes and names that no rule has.

    Raises:
        click.UsageError: there is one.
    """
    for pattern in patterns:
        if not book.knows(pattern):
            found = book.nearest_rule(pattern)
            like = f"; did you mean {found}?" if found else "; see `tfgpu rules`"
            raise click.UsageError(f"no rule has the code or name {pattern!r}{like}")
