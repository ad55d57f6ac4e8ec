"""Loads `rules/**/*.toml` and rejects what is wrong with file, key, what was found and expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from inspect import get_annotations
from pathlib import Path
from typing import Any, TypeVar, cast

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
from tfgpu.rulebook.table import RuleError, Table, parse_toml, version

EQUIVALENCES = ("exact", "approximate", "environment", "none", "unknown")
TYPES = ("bool", "int", "number", "string", "enum", "any")
GIVES = ("answer", "devices", "names")
FORMS = ("value", "names", "count", "any")
FIXES = ("safe", "unsafe", "none")
CONVERTS = ("always", "never", "growth-only", "eager", "gone")


T = TypeVar("T")

# The words that a key can have, by its name.
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "scope": SCOPES,
    "shape": SHAPES,
    "order": ORDERS,
    "type": TYPES,
    "converts": CONVERTS,
    "gives": GIVES,
    "fix": FIXES,
    "reads": READS,
    "read_with": READ_WITH,
}
# How a key is read, by the type of its field.
_READERS: Mapping[str, Callable[[Table, str, Any], Any]] = {
    "str": Table.text,
    "str | None": Table.text,
    "float | None": Table.number,
    "tuple[str, ...]": Table.texts,
    "bool": Table.flag,
}


def _made(kind: type[T], table: Table, **known: Any) -> T:
    """Make an object of a table: a field that is not known is the key of its name.

    A key has to be there unless its field has a default, may be None, or is a flag.
    """
    types = {name: text for base in kind.__mro__ for name, text in get_annotations(base).items()}
    values = dict(known)
    for field in fields(cast(Any, kind)):
        name, text = field.name, types[field.name]
        if name in known:
            continue
        default: Any = ... if field.default is MISSING else field.default
        if default is ... and (text == "bool" or text.endswith("| None")):
            default = False if text == "bool" else None
        if name in _CHOICES:
            values[name] = table.choice(name, _CHOICES[name], default)
        else:
            values[name] = _READERS[text](table, name, default)
    return kind(**values)


def _part(kind: type[T], table: Table, **known: Any) -> T:
    """Make an object of a table, all keys of which belong to it."""
    part = _made(kind, table, **known)
    table.close()
    return part


def _emit(table: Table) -> Emit:
    emit = _part(Emit, table, options=table.mapping("options", str, "a table of strings"))
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
    conflict = _part(Conflict, table)
    if not conflict.fields:
        raise table.error("fields", [], "at least one field")
    return conflict


def _harmless(table: Table) -> Harmless:
    values = table.take("values", list, "a list of values", ...)
    return _part(Harmless, table, values=tuple(values))


def _case(table: Table) -> Case:
    inner = table.table("emit")
    values = table.take("value", list, "a list of values", None)
    case = _part(
        Case,
        table,
        values=None if values is None else tuple(values),
        emit=None if inner is None else _emit(inner),
        within=_within(table),
        put_back=_put_back(table),
    )
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
    return _part(
        Example,
        table,
        before=before,
        after=table.code("after", before),
        imported_by=table.code("imported_by", ""),
        gpu_memory=int(table.number("gpu_memory") or 0),
    )


def _setting(table: Table, common: dict[str, Any]) -> SettingRule:
    default = table.table("tf1_default")
    harmless = table.table("harmless")
    cases = tuple(_case(row) for row in table.tables("case"))
    emits = any(case.emit is not None for case in cases)
    put_back = _put_back(table)
    raises = table.take("raises_after_eager", bool, "true or false", None)
    rule = _made(
        SettingRule,
        table,
        **common,
        beside=table.texts("beside", []),
        int64=table.texts("int64", []),
        overruled_by=table.texts("overruled_by", []),
        enum=table.mapping("enum", int, "a table of numbers"),
        put_back=put_back or PutBack(no_code="impossible"),
        tf1_default=None if default is None else _emit(default),
        raises_after_eager=bool(raises),
        harmless=None if harmless is None else _harmless(harmless),
        conflicts=tuple(_conflict(row) for row in table.tables("conflict")),
        cases=cases,
        helpers=tuple(_part(Helper, row, code=row.code("code")) for row in table.tables("helper")),
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
    return _made(
        SinkRule,
        table,
        **common,
        calls={name: tuple(parameters) for name, parameters in calls.items()},
        converts=converts,
        maker=maker,
        makes=makes,
        makes_eager_context=frozenset(eager),
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
    forms = table.mapping("forms", str, "a table of strings")
    rule = _made(QueryRule, table, **common, forms=forms)
    for shape in rule.forms:
        if shape not in FORMS:
            raise table.error(f"forms.{shape}", rule.forms[shape], "one of " + ", ".join(FORMS))
    if not set(rule.initialises) <= rule.forms.keys():
        raise table.error("initialises", rule.initialises, "some of the forms")
    return rule


def _meaning(table: Table) -> Meaning:
    values = table.texts("value", None) if table.has("value") else None
    return _part(Meaning, table, values=values)


def _variable(table: Table, common: dict[str, Any]) -> VariableRule:
    meanings = tuple(_meaning(row) for row in table.tables("meaning"))
    rule = _made(VariableRule, table, **common, meanings=meanings)
    if rule.reads != "devices" and not (rule.meanings and rule.meanings[-1].values is None):
        raise table.error("meaning", rule.meanings, "a last meaning without values")
    return rule


def _plain(kind: type[Rule]) -> Callable[[Table, dict[str, Any]], Rule]:
    return lambda table, common: _made(kind, table, **common)


_KINDS: dict[str, Callable[[Table, dict[str, Any]], Rule]] = {
    "setting": _setting,
    "sink": _sink,
    "query": _query,
    "reason": _plain(ReasonRule),
    "check": _plain(CheckRule),
    "variable": _variable,
    "names": _plain(NamesRule),
    "call": _plain(CallRule),
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
    found = tuple(_part(Removed, row) for row in table.tables("removed"))
    table.close()
    return found
