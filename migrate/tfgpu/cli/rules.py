"""`tfgpu rules` and `tfgpu rule`: the rulebook, for reading and for testing."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tfgpu.cli.common import Refusal, format_option, say
from tfgpu.cli.words import complete_rules
from tfgpu.config.find import Configurations
from tfgpu.options import Options
from tfgpu.place import printable
from tfgpu.report.rules import fix_of, rule_page, rules_json
from tfgpu.rulebook.book import Rulebook, load_rulebook
from tfgpu.rulebook.table import RuleError

_SHOWN = 9  # codes that an error lists


def _book() -> Rulebook:
    """Return the rules for the current folder, with the house rules of its configuration."""
    try:
        found = Configurations(Options()).of_folder(Path.cwd())
        return load_rulebook(extra=() if found is None else found.rules)
    except RuleError as error:
        raise Refusal(printable(str(error))) from None


@click.command()
@format_option(["text", "json"], "text", "The format of the list.")
def rules(kind: str) -> None:
    """List all rules: code, name, severity, fix, equivalence, summary.

    House rules of the configuration of the current folder are included.
    """
    found = _book().rules
    if kind == "json":
        say(rules_json(found))
        return
    for rule in found:
        say(
            f"{rule.code}  {rule.name:36}  {rule.severity:7}  {fix_of(rule):6}  "
            f"{rule.equivalence:11}  {rule.summary}"
        )


@click.command()
@click.argument("name", required=False, shell_complete=complete_rules)
@click.option(
    "--test", "file", type=click.Path(exists=True), metavar="FILE",
    help="Run the examples of the house rules in a file or folder.",
)  # fmt: skip
def rule(name: str | None, file: str | None) -> None:
    """Show one rule, by code or name, with its reasons and examples.

    Exit status with --test: 0 all examples pass, 1 one fails, 2 a rule is invalid.
    """
    if (name is None) == (file is None):
        raise click.UsageError("name one rule, or a file with --test")
    if file is not None:
        _test(file)
        return
    assert name is not None
    book = _book()
    found = book.find(name)
    if found is None:
        begun = [one.code for one in book.rules if name and one.code.startswith(name)]
        raise click.UsageError(f"no rule {name!r}{_meant(begun, book.nearest_rule(name))}")
    say(rule_page(found))


def _meant(begun: list[str], near: str | None) -> str:
    """Say which rules may be meant: those whose codes begin so, or the nearest one."""
    if begun:
        more = f", {len(begun) - _SHOWN} more" if len(begun) > _SHOWN else ""
        return f": it begins {', '.join(begun[:_SHOWN])}{more}"
    return f"; did you mean {near}?" if near else "; see `tfgpu rules`"


def _test(file: str) -> None:
    from tfgpu.examples import example_problems  # noqa: PLC0415 - only this runs examples

    places = (str(Path(file).resolve()),)
    try:
        book = load_rulebook(extra=places)
    except RuleError as error:
        raise Refusal(printable(str(error))) from None
    tested = [rule for rule in book.rules if Path(rule.path).is_absolute()]
    failed = 0
    for item in tested:
        for problem in example_problems(item, places):
            failed += 1
            say(printable(problem, keep="\n"))
    count = sum(len(item.examples) for item in tested)
    say(f"{len(tested)} rule(s), {count} example(s), {failed} problem(s)", err=True)
    sys.exit(int(failed > 0))
