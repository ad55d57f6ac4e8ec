"""Pages and tables of rules, in Markdown: for `tfgpu rule`, `docs/rules` and the README."""

from __future__ import annotations

from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import (
    CallRule,
    Case,
    CheckRule,
    NamesRule,
    QueryRule,
    Rule,
    SettingRule,
    SinkRule,
    VariableRule,
)


def rule_page(rule: Rule) -> str:
    """Return the page of one rule."""
    lines = [f"# {rule.code} {rule.name}", "", f"{rule.summary}.", ""]
    lines += [f"Equivalence: **{rule.equivalence}**, severity: **{rule.severity}**", ""]
    if isinstance(rule, SettingRule):
        lines += ["Settings: " + ", ".join(f"`{name}`" for name in rule.settings), ""]
        if rule.beside:
            lines += ["Beside one of: " + ", ".join(f"`{name}`" for name in rule.beside), ""]
        lines += ["| value | what becomes of it |", "|---|---|"]
        lines += [f"| {_condition(case)} | {_action(case)} |" for case in rule.cases]
        lines.append("")
    if isinstance(rule, SinkRule):
        lines += ["Calls: " + ", ".join(f"`{name}`" for name in rule.calls), ""]
        if rule.reason:
            lines += [f"{rule.reason[0].upper()}{rule.reason[1:]}. By hand: {rule.todo}.", ""]
    if isinstance(rule, CallRule):
        lines += ["Calls: " + ", ".join(f"`{name}`" for name in rule.symbols), ""]
        lines += [f"By hand: {rule.todo}.", ""]
    if isinstance(rule, VariableRule):
        lines += ["Variables: " + ", ".join(f"`{name}`" for name in rule.variables), ""]
        lines += ["| value | what it does |", "|---|---|"] if rule.meanings else []
        for meaning in rule.meanings:
            values = ", ".join(f"`{value}`" if value else "empty" for value in meaning.values or ())
            wrong = " (TFE050)" if meaning.wrong else ""
            lines.append(f"| {values or 'any other'} | {meaning.says}{wrong} |")
        lines += [""] if rule.meanings else []
    lines += [rule.why.strip(), "", f"Source: {rule.source}.", ""]
    for example in rule.examples:
        flags = " (with `--unsafe-fixes`)" if example.unsafe else ""
        name = "" if example.path == "example.py" else f": `{example.path}`"
        fence = "```python" if example.path.endswith(".py") else "```"
        silent = "" if example.reported else " that is left in peace"
        lines += [f"## Example{silent}{name}{flags}", "", fence, example.before.rstrip(), "```", ""]
        if isinstance(rule, VariableRule) or (
            not example.reported and example.after == example.before
        ):
            continue
        if example.after == example.before:
            lines += ["stays as it is.", ""]
        else:
            lines += ["becomes", "", "```python", example.after.rstrip(), "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def _condition(case: Case) -> str:
    parts = []
    if case.values is not None:
        parts.append(", ".join(f"`{value!r}`" for value in case.values))
    if case.below is not None:
        parts.append(f"below {case.below:g}")
    if case.above is not None:
        parts.append(f"above {case.above:g}")
    if case.shape is not None:
        parts.append(case.shape)
    return " and ".join(parts) or "any other"


def _action(case: Case) -> str:
    if case.drop is not None:
        return f"goes: {case.drop}"
    if case.keep is not None:
        return f"kept: {case.keep}"
    return "converts" if case.unsafe is None else f"converts with `--unsafe-fixes`: {case.unsafe}"


def fix_of(rule: Rule) -> str:
    """Return the best that `tfgpu migrate` does about a rule: "safe", "unsafe" or "none"."""
    if isinstance(rule, CheckRule):
        return rule.fix
    if isinstance(rule, SettingRule):
        made = [case for case in rule.cases if case.keep is None]
        if not made:
            return "none"
        return "unsafe" if all(case.unsafe is not None for case in made) else "safe"
    if isinstance(rule, QueryRule):
        return "unsafe" if rule.forms else "none"
    if isinstance(rule, SinkRule):
        return "none" if rule.converts == "never" else "safe"
    if isinstance(rule, CallRule):
        return "none" if rule.setting is None else "safe"
    return "safe" if isinstance(rule, NamesRule) else "none"


def rule_table(book: Rulebook, folder: str) -> str:
    """Return a table of all rules with links to their pages in a folder."""
    rows = ["| rule | equivalence | what becomes of it |", "|---|---|---|"]
    rows += [
        f"| [{rule.code} {rule.name}]({folder}{rule.code}.md) | {rule.equivalence} "
        f"| {rule.summary} |"
        for rule in book.rules
    ]
    return "\n".join(rows) + "\n"
