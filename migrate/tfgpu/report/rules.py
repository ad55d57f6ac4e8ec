"""Pages and tables of rules: for `tfgpu rule`, `tfgpu rules` and `docs/rules`."""

from __future__ import annotations

import json
from collections.abc import Iterable

from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import (
    CallRule,
    Case,
    CheckRule,
    NamesRule,
    PutBack,
    QueryRule,
    Rule,
    SettingRule,
    SinkRule,
    VariableRule,
)


def rules_json(rules: Iterable[Rule]) -> str:
    """Return rules as a JSON list: what `tfgpu rules` shows of them, their reasons and settings."""
    found = [
        {
            "code": rule.code,
            "name": rule.name,
            "group": rule.group,
            "summary": rule.summary,
            "severity": rule.severity,
            "fix": fix_of(rule),
            "equivalence": rule.equivalence,
            "settings": list(rule.settings) if isinstance(rule, SettingRule) else [],
            "why": rule.why.strip(),
        }
        for rule in rules
    ]
    return json.dumps(found, indent=2)


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
        lines += ["", *_effects(rule)]
    if isinstance(rule, SinkRule):
        lines += ["Calls: " + ", ".join(f"`{name}`" for name in rule.calls), ""]
        lines += _sessions(rule)
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
        size = f" --gpu-memory {example.gpu_memory}MiB" if example.gpu_memory else ""
        flags = f" (with `--unsafe-fixes{size}`)" if example.unsafe else ""
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


_APPLIED = {
    "session": "each session had its own",
    "gpu": "for each GPU, the first session that shows it decides",
    "process": "the first session decides for the process",
}
_MADE = {
    "now": "in the call",
    "on enter": "when its result is entered by `with`",
    "later": "when another call takes its result",
    "again": "once more after an error",
}


def _effects(rule: SettingRule) -> list[str]:
    """Return what a program can notice of a setting besides its value."""
    made = [case for case in rule.cases if case.emit is not None]
    if not made:
        return []
    lines = [f"- In TensorFlow 1: {_APPLIED[rule.scope]}."]
    lines += [
        f"- In TensorFlow 1, for {_condition(case)}: {_APPLIED[case.scope]}."
        for case in made
        if case.scope is not None
    ]
    lines += [f"- The default {_put_back(rule.put_back)}."]
    lines += [
        f"- The default behind {_condition(case)} {_put_back(case.put_back)}."
        for case in made
        if case.put_back is not None
    ]
    if rule.raises_after_eager:
        lines.append("- A changed value raises RuntimeError after the eager context is made.")
    if rule.eager_has_its_own:
        lines.append("- The eager context takes it for something of its own.")
    if rule.harmless is not None:
        values = " and ".join(f"`{value!r}`" for value in rule.harmless.values)
        unless = ", ".join(f"`{name}`" for name in rule.harmless.unless_caught)
        but = f", unless the program catches {unless}" if unless else ""
        lines.append(f"- Other sessions can take {values} on{but}.")
    for conflict in rule.conflicts:
        fields = ", ".join(f"`{name}`" for name in conflict.fields)
        where = "behind it" if conflict.order == "after" else "anywhere in the program"
        lines.append(f"- Beside {fields} {where}: {conflict.effect}.")
    lines += [
        f"- No form for TensorFlow 1.15, for {_condition(case)}: {case.no_bridge}."
        for case in made
        if case.no_bridge is not None
    ]
    return [*lines, ""]


def _put_back(put_back: PutBack) -> str:
    if put_back.emit is None:
        needed = put_back.no_code == "impossible"
        return "cannot be put back" if needed else "need not be put back"
    emit = put_back.emit
    if emit.visible:
        how = f"`tf.config.set_visible_devices({emit.visible}, 'GPU')`"
    elif emit.options:
        how = "`None` in `tf.config.optimizer.set_experimental_options`"
    elif emit.each_gpu:
        how = f"`{emit.each_gpu}` on every GPU"
    else:
        how = f"`{' '.join(emit.statements.split())}`"
    return f"is put back by {how}"


def _sessions(rule: SinkRule) -> list[str]:
    """Return when the calls of a rule make their sessions."""
    lines = [
        f"- `{call}` makes its session {_when(words)}."
        for call, words in rule.makes.items()
        if words
    ]
    lines += [
        f"- `{name}` makes TensorFlow 2's eager context first, unless its scaffold has a saver."
        for name in sorted(rule.makes_eager_context)
    ]
    return [*lines, ""] if lines else []


def _when(words: frozenset[str]) -> str:
    return " and ".join(said for word, said in _MADE.items() if word in words)


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
    if case.gpu_memory:
        parts.append("`--gpu-memory` is given")
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
