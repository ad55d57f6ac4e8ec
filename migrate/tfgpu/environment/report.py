"""From settings of the environment to findings: what each does, and what is wrong with it.

Also of names that are nearly those of variables that count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from string import Template

from tfgpu.dataclass import dataclass, replace
from tfgpu.environment.containers import Missing, missing_devices
from tfgpu.environment.devices import visible_devices
from tfgpu.environment.model import ConfigPiece, Item, Setting, Span, Trouble, Way
from tfgpu.files.cells import NO_CELLS, Cells
from tfgpu.files.kinds import Kind
from tfgpu.files.pattern import expression
from tfgpu.results import Finding, Launch
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import CheckRule, Meaning, Rule, VariableRule

# What people write for no GPU at all.
_NO_GPU = frozenset(["none", "no", "nodevfiles", "void", "cpu", "-1", ""])


# One string as a whole.
_QUOTED = expression(r"""^(["'])([^"']*)\1$""")
_INVISIBLE = expression("[\u00ad\u200b-\u200f\u2060\ufeff]")
# Words that a name is made of; other names of the same families are nobody's misspelling.
_NEAR = 0.88
_VISIBLE = expression(r"(?:CUDA|NVIDIA)_?VIS\w*|VISIBLE_CUDA_DEVICES?")


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be said about an item: the rule, the message, the way out."""

    rule: Rule
    span: Span
    message: str
    todo: str
    severity: str = ""
    launch: Launch | None = None


def file_findings(kind: Kind, text: str, book: Rulebook, with_code: bool = True) -> list[Finding]:
    """Return the findings on a file that is only audited, in order; of code its variables alone.

    Raises:
        SourceError: the file is not of its kind.
    """
    from tfgpu.environment.read import read_items  # noqa: PLC0415 - Python has no use for them

    items = read_items(kind, text, book.variable_names)
    if not with_code:
        items = [item for item in items if not isinstance(item, ConfigPiece)]
    lines = text.split("\n")
    found = {as_finding(told, lines) for told in tell(items, book)}
    return sorted(found, key=lambda item: (item.line, item.column, item.code, item.message))


def as_finding(told: Told, lines: list[str]) -> Finding:
    """Return a finding; `lines` are those of the file."""
    rule, span = told.rule, told.span
    return Finding(
        code=rule.code,
        name=rule.name,
        line=span.line,
        column=span.column,
        message=told.message,
        todo=told.todo,
        fix="none",
        severity=told.severity or rule.severity,
        end_line=span.end_line,
        end_column=span.end_column,
        snippet=lines[span.line - 1] if span.line <= len(lines) else "",
        launch=told.launch,
    )


def tell(items: list[Item], book: Rulebook, cells: Cells = NO_CELLS) -> Iterator[Told]:
    """Yield what is to be said about the items of one file, whose lines are those of `cells`."""
    known: list[Setting] = []
    missing = missing_devices(item for item in items if isinstance(item, Setting))
    for item in items:
        if isinstance(item, Trouble):
            yield check(book, item.rule, item.span, dict(item.details))
        elif isinstance(item, ConfigPiece):
            from tfgpu.environment.configs import about_config  # noqa: PLC0415 - few have one

            launch = Launch(item.target) if item.target else None
            yield from (replace(told, launch=launch) for told in about_config(item, book))
        elif item.name in book.variables:
            known.append(item)
            if item in missing:
                yield _not_there(item, missing[item], book)
                continue
            yield from (replace(told, launch=item.launch) for told in about(item, book))
        else:
            yield from _misspelt(item, book)
    yield from _overwritten(known, book, cells)


def _not_there(item: Setting, missing: Missing, book: Rulebook) -> Told:
    """Say that a container does not have a GPU that is to be visible."""
    details = {
        "name": item.name,
        "value": item.value or "",
        "entry": missing.entry,
        "request": _shown(missing.request),
        "count": "1 GPU" if missing.count == 1 else f"{missing.count} GPUs",
        "effect": in_words(missing.shown),
    }
    return check(book, "not-in-container", item.span, details)


def check(book: Rulebook, name: str, span: Span, details: dict[str, str]) -> Told:
    """Return what a check rule says."""
    rule = book.find(name)
    assert isinstance(rule, CheckRule), name
    message = Template(rule.message).safe_substitute(details)
    return Told(rule, span, message, Template(rule.todo).safe_substitute(details))


def _misspelt(item: Setting, book: Rulebook) -> Iterator[Told]:
    is_seen = item.way not in (Way.ASSIGNED, Way.FILE, Way.BUILD) or item.name.isupper()
    real = nearest(item.name, book.variable_names, book.real_variables) if is_seen else None
    if real is not None:
        details = {"name": _in_quotes(ascii(item.name)[1:-1]), "real": real}
        yield check(book, "misspelt-variable", item.span, details)


def about(item: Setting, book: Rulebook) -> Iterator[Told]:
    """Yield what one setting does, and what is wrong with its value."""
    rule = book.variables[item.name]
    details = {"name": item.name, "value": _in_quotes(item.value or "")}
    if item.way is Way.ASSIGNED:
        yield check(book, "not-exported", item.span, details)
        # Exported it would be as wrong.
        wrong = _about_value(item, rule, book)
        yield from (told for told in wrong if isinstance(told.rule, CheckRule))
    elif item.way is Way.REMOVED:
        message = f"{item.name} is removed from the environment: it has no value from here on"
        yield Told(rule, item.span, message, "")
    else:
        yield from _about_value(item, rule, book)


def is_understood(item: Setting, book: Rulebook) -> bool:
    """Tell whether the reader of a variable understands its value, as far as that is known."""
    return not any(isinstance(told.rule, CheckRule) for told in about(item, book))


def _about_value(item: Setting, rule: VariableRule, book: Rulebook) -> Iterator[Told]:
    """Yield what the value of a variable does, once a program sees it."""
    if rule.reads == "devices" and item.value is not None:
        yield from _devices(item, rule, book)
        return
    if item.value is None:
        message = f"{_shown(item)}: its value is known only when it runs"
        if item.default is not None:
            message = f"{_shown(item)}: {item.default or 'empty'} unless something else is given"
        yield Told(rule, item.span, message, rule.todo)
        return
    meaning = meaning_of(rule, item.value)
    details = {"name": item.name, "value": _in_quotes(item.value)}
    why = Template(meaning.says).safe_substitute(details)
    if meaning.wrong:
        yield check(book, "value-not-understood", item.span, {**details, "why": why})
    else:
        yield Told(rule, item.span, f"{_shown(item)}: {why}", rule.todo)


def _in_quotes(text: str) -> str:
    """Return a text as messages write it: in quotes where a space at its end counts."""
    return f'"{text}"' if text != text.strip() else text


def _shown(item: Setting) -> str:
    """Return a setting as messages write it: with its value, or its description."""
    value = item.value if item.value is not None else _QUOTED.sub(r"\2", item.text)
    value = value if len(value) < 60 else f"{value[:57]}..."
    sign = " " if " -" in item.name else "="
    name = re.sub("^(slurm|docker|serving|spark|ECS|cloud|singularity|Kubernetes) ", "", item.name)
    way = f" ({item.way.value})" if item.way in _SAID else ""
    return f"{name}{sign}{value}".rstrip() + way


_SAID = frozenset([Way.COMMAND, Way.BUILD, Way.DEFAULT, Way.CHILD])


def meaning_of(rule: VariableRule, value: str) -> Meaning:
    """Return what a value means; the last meaning of a number is for values that are no number."""
    if rule.reads == "number" and _is_number(value):
        return Meaning(None, "read when the devices are made", wrong=False)
    for meaning in rule.meanings:
        if meaning.values is None or value in meaning.values:
            return meaning
    raise AssertionError("the last meaning has no values")  # pragma: no cover


def _is_number(value: str) -> bool:
    return value.strip().lstrip("+-").isdigit()


def _devices(item: Setting, rule: VariableRule, book: Rulebook) -> Iterator[Told]:
    value = item.value or ""
    found = visible_devices(value)
    details = {"name": item.name, "value": value, "effect": in_words(found.ids)}
    if found.twice is not None:
        yield check(book, "device-twice", item.span, {**details, "id": found.twice})
        return
    is_cut = found.ended_by is not None and value.strip().lower() not in _NO_GPU
    if is_cut and not (found.ended_by or "").strip() and found.ids and value.rstrip().endswith(","):
        is_cut = False
    if is_cut or found.odd:
        entry = found.ended_by if is_cut and found.ended_by is not None else found.odd[0]
        details["entry"] = entry.strip()
        if found.odd:
            details["effect"] = f"at most {details['effect']}"
        yield check(book, "device-list-cut", item.span, details)
        return
    yield Told(rule, item.span, f"{_shown(item)}: {in_words(found.ids)}", rule.todo)


def in_words(ids: tuple[str, ...]) -> str:
    """Say which GPUs a program sees."""
    if not ids:
        return "no GPU is visible"
    pairs = [f"TensorFlow's GPU:{index} is CUDA's GPU {name}" for index, name in enumerate(ids)]
    if len(ids) > 4:
        return f"{len(ids)} GPUs are visible, {pairs[0]}"
    return ", ".join([pairs[0], *(pair.removeprefix("TensorFlow's ") for pair in pairs[1:])])


def _overwritten(settings: list[Setting], book: Rulebook, cells: Cells) -> Iterator[Told]:
    """Find values that are replaced before anything could use them."""
    last: dict[tuple[str, str, Way | None], Setting] = {}
    for item in settings:
        if item.way in (Way.REQUEST, Way.REMOVED) or item.block == "make":
            continue
        # What one command or container gets replaces nothing of the shell that starts it.
        own = item.way if item.way in (Way.COMMAND, Way.CONTAINER) else None
        key = (item.name, item.block, own)
        earlier = last.get(key)
        last[key] = item
        if (
            earlier is not None
            and earlier.step == item.step
            and None not in (earlier.value, item.value)
            and earlier.value != item.value
            and (item.way is not Way.COMMAND or item.block == "unit")
        ):
            details = {
                "name": item.name,
                "value": item.value or '""',
                "earlier": earlier.value or '""',
                "line": cells.words(earlier.span.line),
            }
            yield check(book, "overwritten-variable", item.span, details)


def nearest(name: str, names: Collection[str], real: Collection[str]) -> str | None:
    """Return the variable that a name looks like, None where it is one, or is like none.

    `names` are the variables that count, `real` others that exist.
    """
    if name in names or name in real:
        return None
    plain = _INVISIBLE.sub("", name)
    if plain in names:
        return plain
    if "_" not in plain or len(plain) < 8:
        return None
    upper = plain.upper()
    if upper in names:
        return upper
    if plain != upper or upper in real:
        return None
    if len(plain) < 12:
        # One letter makes another word of a short name.
        return None
    import difflib  # noqa: PLC0415 - few files have names that are not known

    found = difflib.get_close_matches(plain, [item for item in names if "_" in item], 1, _NEAR)
    if found and _differs_by_letters(plain, found[0]):
        return found[0]
    if _VISIBLE.fullmatch(plain):
        family = "NVIDIA" if plain.startswith("NVIDIA") else "CUDA"
        return f"{family}_VISIBLE_DEVICES"
    return None


def _differs_by_letters(one: str, other: str) -> bool:
    """Tell whether two names differ by letters, and not by a number or a word of their own."""
    digits = re.sub(r"\D", "", one), re.sub(r"\D", "", other)
    families = one.partition("_")[0], other.partition("_")[0]
    import difflib  # noqa: PLC0415 - as above

    first = difflib.SequenceMatcher(None, *families).ratio()
    return digits[0] == digits[1] and first >= 0.75 and abs(one.count("_") - other.count("_")) <= 1
