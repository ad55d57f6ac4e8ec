"""`tfgpu rules` and `tfgpu rule`: the rulebook, for reading."""

from __future__ import annotations

import click

from migrate.cli.common import say
from migrate.report.rules import rule_page
from migrate.rulebook.book import load_rulebook


@click.command()
def rules() -> None:
    """List all rules: code, name, how equal the two versions are, and what becomes of it."""
    for rule in load_rulebook().rules:
        say(f"{rule.code}  {rule.name:36}  {rule.equivalence:11}  {rule.summary}")


@click.command()
@click.argument("name")
def rule(name: str) -> None:
    """Show one rule, by its code or its name, with its reasons and examples."""
    book = load_rulebook()
    found = book.find(name)
    if found is None:
        hint = book.nearest_rule(name)
        raise click.UsageError(f"no rule {name!r}" + (f"; did you mean {hint}?" if hint else ""))
    say(rule_page(found))
