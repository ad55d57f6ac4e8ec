"""Loads `rules/**/*.toml` and rejects what is wrong with file, key, what was found and expected."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tfgpu.rulebook.model import (
    MAKES,
    ORDERS,
    PUT_BACK,
    READ_WITH,
    READS,
    SCOPES,
    SEVERITIES,
    SHAPES,
    CallRule,
    Case,
    CheckRule,
    Conflict,
    Emit,
    Example,
    Harmless,
    Helper,
    Meaning,
    NamesRule,
    PutBack,
    QueryRule,
    ReasonRule,
    Removed,
    Rename,
    Rule,
    SettingRule,
    SinkRule,
    VariableRule,
)
from tfgpu.rulebook.table import RuleError, Table, parse_toml
from tfgpu.rulebook.version import version

EQUIVALENCES = ("exact", "approximate", "environment", "none", "unknown")
TYPES = ("bool", "int", "number", "string", "enum", "any")
GIVES = ("answer", "devices", "names")
FORMS = ("value", "names", "count", "any")
FIXES = ("safe", "unsafe", "none")
CONVERTS = ("always", "never", "growth-only", "eager", "gone")


def _emit(table: Table) -> Emit:
    emit = Emit(
        statements=table.text("statements", ""),
        environment=table.text("environment", ""),
        each_gpu=table.text("each_gpu", ""),
        indexed=table.text("indexed", ""),
        visible=table.text("visible", ""),
        visible_count=table.text("visible_count", ""),
        options=table.mapping("options", str, "a table of strings"),
        helpers=table.texts("helpers", []),
    )
    table.close()
    if not any(emit.texts()):
        raise table.error("", {}, "something to emit")
    return emit


def _put_back(table: Table) -> PutBack | None:
    """Make a PutBack from the key `put_back`, a word or a table; None where it is not there."""
    if not table.has("put_back"):
        return None
    if table.is_table("put_back"):
        inner = table.table("put_back")
        assert inner is not None
        return PutBack(emit=_emit(inner))
    return PutBack(no_code=table.choice("put_back", PUT_BACK))


def _conflict(table: Table) -> Conflict:
    conflict = Conflict(table.texts("fields"), table.choice("order", ORDERS), table.text("effect"))
    table.close()
    if not conflict.fields:
        raise table.error("fields", [], "at least one field")
    return conflict


def _harmless(table: Table) -> Harmless:
    values = table.take("values", list, "a list of values", ...)
    harmless = Harmless(tuple(values), table.texts("unless_caught", []))
    table.close()
    return harmless


def _case(table: Table) -> Case:
    inner = table.table("emit")
    values = table.take("value", list, "a list of values", None)
    case = Case(
        values=None if values is None else tuple(values),
        above=table.number("above"),
        below=table.number("below"),
        shape=table.choice("shape", SHAPES, None),
        drop=table.text("drop", None),
        keep=table.text("keep", None),
        emit=None if inner is None else _emit(inner),
        unsafe=table.text("unsafe", None),
        guard=table.text("guard", None),
        within=_within(table),
        outside=table.text("outside", ""),
        todo=table.text("todo", None),
        scope=table.choice("scope", SCOPES, None),
        put_back=_put_back(table),
        no_bridge=table.text("no_bridge", None),
        gpu_memory=table.flag("gpu_memory"),
    )
    table.close()
    if case.gpu_memory and case.unsafe is None:
        raise table.error("unsafe", None, "what differs on other GPUs, beside gpu_memory")
    actions = [name for name in ("drop", "keep", "emit") if getattr(case, name) is not None]
    if len(actions) != 1:
        raise table.error("", actions, "exactly one of drop, keep and emit")
    if case.keep is not None and case.todo is None:
        raise table.error("todo", None, "what to do by hand where the config is kept")
    if bool(case.outside) != (case.within is not None):
        raise table.error("outside", case.outside, "this key beside within")
    for name in ("scope", "put_back", "no_bridge", "within"):
        if getattr(case, name) is not None and case.emit is None:
            raise table.error(name, getattr(case, name), "this key only beside emit")
    return case


def _within(table: Table) -> tuple[float, float] | None:
    """Return the key `within`, None where it is not there."""
    values = table.take("within", list, "the least and the greatest value", None)
    if values is None:
        return None
    if len(values) != 2 or not all(isinstance(value, int | float) for value in values):
        raise table.error("within", values, "the least and the greatest value")
    return values[0], values[1]


def _example(table: Table) -> Example:
    before = table.code("before")
    example = Example(
        before=before,
        after=table.code("after", before),
        gpus=table.text("gpus", "2x16GiB"),
        unsafe=table.flag("unsafe"),
        min_tf=table.text("min_tf", "2.4"),
        keep_imports=table.flag("keep_imports"),
        imports=table.flag("imports"),
        ignore=table.texts("ignore", []),
        gpu_memory=int(table.number("gpu_memory") or 0),
        imported_by=table.code("imported_by", ""),
        alone=table.flag("alone"),
        needs=table.text("needs", ""),
        path=table.text("path", "example.py"),
        reported=bool(table.take("reported", bool, "true or false", True)),
    )
    table.close()
    return example


def _helper(table: Table) -> Helper:
    helper = Helper(
        name=table.text("name"), imports=table.texts("imports", []), code=table.code("code")
    )
    table.close()
    return helper


def _setting(table: Table, common: dict[str, Any]) -> SettingRule:
    default = table.table("tf1_default")
    harmless = table.table("harmless")
    cases = tuple(_case(row) for row in table.tables("case"))
    emits = any(case.emit is not None for case in cases)
    put_back = _put_back(table)
    raises = table.take("raises_after_eager", bool, "true or false", None)
    rule = SettingRule(
        **common,
        settings=table.texts("settings"),
        beside=table.texts("beside", []),
        scope=table.choice("scope", SCOPES),
        type=table.choice("type", TYPES),
        enum=table.mapping("enum", int, "a table of numbers"),
        put_back=put_back or PutBack(no_code="impossible"),
        tf1_default=None if default is None else _emit(default),
        raises_after_eager=bool(raises),
        hides_gpus=table.flag("hides_gpus"),
        harmless=None if harmless is None else _harmless(harmless),
        eager_has_its_own=table.flag("eager_has_its_own"),
        conflicts=tuple(_conflict(row) for row in table.tables("conflict")),
        cases=cases,
        helpers=tuple(_helper(row) for row in table.tables("helper")),
    )
    if not rule.cases:
        raise table.error("case", None, "at least one case")
    last = rule.cases[-1]
    if not rule.beside and (
        last.values is not None
        or last.above is not None
        or last.below is not None
        or last.shape is not None
        or last.gpu_memory
    ):
        raise table.error("case", last, "a last case without a condition")
    if emits and raises is None:
        raise table.error("raises_after_eager", None, "true or false")
    if emits and put_back is None:
        words = ", ".join(PUT_BACK)
        raise table.error("put_back", None, f"a table of what to emit, or one of {words}")
    _check_effects(rule, table)
    return rule


def _check_effects(rule: SettingRule, table: Table) -> None:
    """Check what a rule says of its code against the code.

    Raises:
        RuleError: the code acts on devices or threads, and the rule says that it never raises; or
            it chooses GPUs, and the rule does not say that it hides GPUs.
    """
    emits = [case.emit for case in rule.cases if case.emit is not None]
    raises = any(emit.lists_gpus or ".threading." in emit.statements for emit in emits)
    if raises and not rule.raises_after_eager:
        expected = "true, as the code acts on devices or threads"
        raise table.error("raises_after_eager", False, expected)
    if any(emit.visible or emit.visible_count for emit in emits) and not rule.hides_gpus:
        raise table.error("hides_gpus", rule.hides_gpus, "true, as a case emits visible GPUs")


def _sink(table: Table, common: dict[str, Any]) -> SinkRule:
    calls = table.mapping("calls", list, "a table of lists of parameters")
    if not calls:
        raise table.error("calls", None, "at least one call")
    converts = table.choice("converts", CONVERTS)
    maker = table.text("maker", None)
    makes = _makes(table, tuple(calls))
    if converts in ("always", "growth-only") and not all(makes.values()):
        raise table.error("makes", None, "when each call makes its session")
    eager = table.texts("makes_eager_context", [])
    if not set(eager) <= {*calls, maker}:
        raise table.error("makes_eager_context", list(eager), "some of the calls, or the maker")
    if maker is None and any("later" in words for words in makes.values()):
        raise table.error("maker", None, "the call that makes the session later")
    return SinkRule(
        **common,
        calls={name: tuple(parameters) for name, parameters in calls.items()},
        argument=table.text("argument"),
        setting=table.text("setting", None),
        target=table.text("target", None),
        maker=maker,
        handed=table.text("handed", ""),
        converts=converts,
        blockers=table.texts("blockers", []),
        makes=makes,
        makes_eager_context=frozenset(eager),
        reason=table.text("reason", ""),
        todo=table.text("todo", ""),
    )


def _makes(table: Table, calls: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """Return when each call makes its session: one list for all of them, or a table by call."""
    if table.is_table("makes"):
        given = table.mapping("makes", list, "a table of lists of words")
        if given.keys() != set(calls):
            raise table.error("makes", sorted(given), "each of the calls")
    else:
        words = table.texts("makes", [])
        given = {call: list(words) for call in calls}
    for made in given.values():
        if not set(made) <= set(MAKES):
            raise table.error("makes", made, "some of " + ", ".join(MAKES))
    return {call: frozenset(made) for call, made in given.items()}


def _query(table: Table, common: dict[str, Any]) -> QueryRule:
    rule = QueryRule(
        **common,
        symbols=table.texts("symbols"),
        gives=table.choice("gives", GIVES, "answer"),
        forms=table.mapping("forms", str, "a table of strings"),
        initialises=table.texts("initialises", []),
        idle=table.texts("idle", []),
        unsafe=table.text("unsafe", ""),
        todo=table.text("todo"),
    )
    for shape in rule.forms:
        if shape not in FORMS:
            raise table.error(f"forms.{shape}", rule.forms[shape], "one of " + ", ".join(FORMS))
    if not set(rule.initialises) <= rule.forms.keys():
        raise table.error("initialises", rule.initialises, "some of the forms")
    return rule


def _reason(table: Table, common: dict[str, Any]) -> ReasonRule:
    return ReasonRule(**common, message=table.text("message"), todo=table.text("todo"))


def _check(table: Table, common: dict[str, Any]) -> CheckRule:
    return CheckRule(
        **common,
        message=table.text("message"),
        todo=table.text("todo"),
        fix=table.choice("fix", FIXES, "none"),
    )


def _meaning(table: Table) -> Meaning:
    values = table.texts("value", None) if table.has("value") else None
    meaning = Meaning(values=values, says=table.text("says"), wrong=table.flag("wrong"))
    table.close()
    return meaning


def _variable(table: Table, common: dict[str, Any]) -> VariableRule:
    rule = VariableRule(
        **common,
        variables=table.texts("variables"),
        reads=table.choice("reads", READS, "text"),
        read_with=table.choice("read_with", READ_WITH, "start"),
        meanings=tuple(_meaning(row) for row in table.tables("meaning")),
        todo=table.text("todo"),
    )
    if rule.reads != "devices" and not (rule.meanings and rule.meanings[-1].values is None):
        raise table.error("meaning", rule.meanings, "a last meaning without values")
    return rule


def _call(table: Table, common: dict[str, Any]) -> CallRule:
    return CallRule(
        **common,
        symbols=table.texts("symbols"),
        setting=table.text("setting", None),
        argument=table.text("argument", ""),
        todo=table.text("todo"),
    )


def _names(table: Table, common: dict[str, Any]) -> NamesRule:
    return NamesRule(**common, todo=table.text("todo"))


_KINDS: dict[str, Callable[[Table, dict[str, Any]], Rule]] = {
    "setting": _setting,
    "sink": _sink,
    "query": _query,
    "reason": _reason,
    "check": _check,
    "variable": _variable,
    "names": _names,
    "call": _call,
}


def parse_rule(text: str, path: str) -> Rule:
    """Make a rule from the text of one TOML file; `path` names it in errors and in the rule.

    Raises:
        RuleError: the text is no TOML, or a key is missing, unknown or of the wrong form.
    """
    try:
        data = parse_toml(text)
    except ValueError as error:
        raise RuleError(path, "the file", str(error), "TOML") from error
    table = Table(data, path)
    kind = table.choice("kind", _KINDS, "setting")
    code = table.text("code")
    if not re.fullmatch(r"[A-Z]{3}\d{3}", code):
        raise table.error("code", code, "three letters and three digits, as in TFG101")
    name = table.text("name")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise table.error("name", name, "lower-case words joined by '-'")
    common = {
        "code": code,
        "name": name,
        "group": Path(path).parent.name,
        "summary": table.text("summary"),
        "why": table.text("why"),
        "source": table.text("source"),
        "equivalence": table.choice("equivalence", EQUIVALENCES),
        "severity": table.choice("severity", SEVERITIES, "warning"),
        "examples": tuple(_example(row) for row in table.tables("example")),
        "path": path,
    }
    rule = _KINDS[kind](table, common)
    table.close()
    if not rule.examples:
        raise table.error("example", None, "at least one example")
    return rule


def parse_renames(text: str, path: str) -> tuple[Rename, ...]:
    """Make the table of version-dependent names from the text of `names/renames.toml`.

    Raises:
        RuleError: a row is not of the form name, since, before.
    """
    table = Table(parse_toml(text), path)
    renames = []
    for row in table.tables("rename"):
        since = row.text("since")
        if not re.fullmatch(r"\d+\.\d+", since):
            raise row.error("since", since, "a version such as 2.1")
        renames.append(Rename(row.text("name"), version(since), row.text("before")))
        row.close()
    table.close()
    return tuple(renames)


def parse_removed(text: str, path: str) -> tuple[Removed, ...]:
    """Make the table of what TensorFlow removed from the text of `names/removed.toml`.

    Raises:
        RuleError: a row is not of the form name, since, instead.
    """
    table = Table(parse_toml(text), path)
    found = []
    for row in table.tables("removed"):
        found.append(Removed(row.text("name"), row.text("since"), row.text("instead")))
        row.close()
    table.close()
    return tuple(found)
