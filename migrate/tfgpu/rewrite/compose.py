"""Lays out what the settings of neighbouring statements become, as code that reads as one piece."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from string import Template

from tfgpu.code.values import Values
from tfgpu.dataclass import dataclass
from tfgpu.decide.decision import Outcome
from tfgpu.files.pattern import expression
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Conditions
from tfgpu.flow.match import GPUS
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Emit

_WIDTH = 80
_TF = expression(r"\btf(?:\.\w+)+")
_NAME = expression(r"\btf(?:\.\w+)+|\bgpus\b|\bgpu\b|\bindex\b|\blimit\b")
_MARKED = expression(r"\0(tf(?:\.\w+)+)")
_ONE = expression(re.escape(GPUS) + r"\[[^:]+\]")
_VARIABLE = expression(r"\$\{?(\w+)")
# What the statements for virtual devices are made of: numbers that are known.
_NUMBERS = frozenset(["statements"])
_ELEMENT = expression(re.escape(GPUS) + r"\[(?!:)")


class CannotPlanError(Exception):
    """The settings of a file cannot be laid out; `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.reason)
        self.problem = problem


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """What one setting, or one call that stays, adds to the migrated code at a statement."""

    node: ast.AST
    statement: ast.stmt
    emit: Emit
    variables: Mapping[str, str]
    value: ast.expr | None = None
    guard: str | None = None
    name: str = ""
    conditions: Conditions = ()

    @property
    def takes(self) -> frozenset[str]:
        """What the templates take of the value: its text (`value`), or what is known of it."""
        texts = " ".join((*self.emit.texts(), self.guard or ""))
        return frozenset(_VARIABLE.findall(texts)) - {"field"}


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Lines of migrated code and the statements whose comments belong to them."""

    code: str
    origins: tuple[ast.stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Spelling:
    """How a file spells the `tf`, variables and quotes of the templates."""

    tf: str
    names: Mapping[str, str]
    quote: str
    min_tf: tuple[int, int]


def from_outcome(outcome: Outcome, values: Values) -> Contribution | None:
    """Return what a decided setting contributes; None for one that needs no code.

    A value that does something is evaluated even so.
    """
    case, setting = outcome.case, outcome.setting
    if case is None or (case.emit is None and values.quiet(setting.value.node)):
        return None
    return Contribution(
        setting.node,
        setting.statement,
        case.emit or Emit(statements="$value"),
        outcome.variables,
        setting.value.node,
        case.guard,
        setting.field.rpartition(".")[2],
        setting.conditions,
    )


class Composer:
    """Composes the contributions of one file."""

    def __init__(self, analysis: Analysis, book: Rulebook) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._values = analysis.values
        self._book = book
        self._flags = {
            item.fill.asked: (item.flag, item.fill.missing)
            for item in analysis.facts.parameters
            if item.fill is not None
        }

    def compose(self, contributions: list[Contribution], spelling: Spelling) -> list[Piece]:
        """Return the code for the contributions of one run of statements, in their order.

        Contributions under a conditional expression come under an `if` with its test.
        """
        pieces: list[Piece] = []
        last: tuple[ast.expr, bool] | None = None
        for first, group in groupby(contributions, key=lambda item: item.conditions[:1]):
            members = list(group)
            if not first:
                pieces += self._plain(members, spelling)
                last = None
                continue
            test, outcome = first[0]
            inner = self.compose([_without_condition(item) for item in members], spelling)
            origins = tuple(dict.fromkeys(item.statement for item in members))
            body = _indent("\n".join(piece.code for piece in inner))
            if last is not None and last == (test, not outcome):
                before = pieces.pop()
                pieces.append(Piece(f"{before.code}\nelse:\n{body}", before.origins + origins))
            else:
                pieces.append(Piece(f"if {self._header(test, outcome)}:\n{body}", origins))
            last = first[0]
        return pieces

    def _header(self, test: ast.expr, outcome: bool) -> str:
        """Return the code for a test that has an outcome."""
        if test in self._flags:
            flag, missing = self._flags[test]
            return f"not {flag}" if outcome is missing else flag
        if not outcome and isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._tree.source(test.operand)
        text = self._tree.source(test)
        if outcome:
            return text
        return f"not {text}" if isinstance(test, ast.Name | ast.Attribute) else f"not ({text})"

    def _plain(self, contributions: list[Contribution], spelling: Spelling) -> list[Piece]:
        """Compose settings; calls that stay keep their place among them."""
        pieces: list[Piece] = []
        for stays, group in groupby(contributions, key=_is_kept_call):
            if stays:
                pieces += [self._piece(item, item.emit.statements, spelling) for item in group]
            else:
                pieces += self._settings(list(group), spelling)
        return pieces

    def _settings(self, contributions: list[Contribution], spelling: Spelling) -> list[Piece]:
        pieces, contributions = self._hoist(contributions, spelling)
        pieces += [
            self._piece(item, item.emit.environment, spelling)
            for item in contributions
            if item.emit.environment
        ]
        gpu_done = options_done = False
        gpu_items = [item for item in contributions if item.emit.asks_for_gpus]
        option_items = [item for item in contributions if item.emit.options]
        for item in contributions:
            if item.emit.statements:
                pieces.append(self._piece(item, item.emit.statements, spelling))
            if item.emit.options and not options_done:
                options_done = True
                pieces.append(self._options(option_items, spelling))
            if item.emit.asks_for_gpus and not gpu_done:
                gpu_done = True
                pieces += self._gpus(gpu_items, spelling)
        return pieces

    def _hoist(
        self, contributions: list[Contribution], spelling: Spelling
    ) -> tuple[list[Piece], list[Contribution]]:
        """Give a variable to each value that must be evaluated once, or before another one."""
        loud = [
            item
            for item in contributions
            if item.value is not None
            and item.takes != _NUMBERS
            and (not self._values.quiet(item.value) or self._may_raise(item))
        ]
        alone = len(loud) == 1 and not (
            loud[0].emit.each_gpu or loud[0].guard or "".join(loud[0].emit.texts()).count("$") > 1
        )
        if not loud or alone:
            return [], contributions
        pieces, hoisted = [], []
        for item in contributions:
            if item not in loud:
                hoisted.append(item)
                continue
            assert item.value is not None
            if not item.takes <= {"value"}:
                # The code has a part of the value, not its text.
                raise CannotPlanError(reasons.EvaluationOrder(item.node, item.value))
            name = spelling.names[item.name]
            pieces.append(Piece(f"{name} = {self._tree.source(item.value)}", (item.statement,)))
            variables = {**item.variables, "value": name}
            hoisted.append(
                Contribution(
                    item.node, item.statement, item.emit, variables, item.value, item.guard,
                    item.name, item.conditions,
                )
            )  # fmt: skip
        return pieces, hoisted

    def _may_raise(self, item: Contribution) -> bool:
        """Tell whether a value that may be evaluated never, or often, may raise when it is.

        Of attributes and names it matters only where an error of theirs may be caught.
        """
        assert item.value is not None
        kinds: tuple[type[ast.expr], ...] = (ast.Subscript, ast.Call, ast.BinOp)
        if any(isinstance(node, ast.Try) for node in self._tree.within(item.statement)):
            kinds += (ast.Attribute, ast.Name)
        often = bool(item.emit.each_gpu or item.guard)
        return often and any(isinstance(node, kinds) for node in ast.walk(item.value))

    def _piece(self, item: Contribution, template: str, spelling: Spelling) -> Piece:
        code = self._fill(template, item, spelling)
        if item.guard is not None:
            code = f"if {self._fill(item.guard, item, spelling)}:\n{_indent(code)}"
        return Piece(code, (item.statement,))

    def _options(self, items: list[Contribution], spelling: Spelling) -> Piece:
        """Merge entries for set_experimental_options into one call."""
        entries = [
            f"{spelling.quote}{self._fill(key, item, spelling)}{spelling.quote}: "
            f"{self._fill(value, item, spelling)}"
            for item in items
            for key, value in item.emit.options.items()
        ]
        call = self._spell("tf.config.optimizer.set_experimental_options", spelling)
        table = f"{{{', '.join(entries)}}}"
        if len(table) > _WIDTH:
            table = "{\n" + "".join(f"        {entry},\n" for entry in entries) + "    }"
        code = f"{call}({table})"
        if len(code) > _WIDTH:
            code = f"{call}(\n    {table}\n)"
        return Piece(code, tuple(dict.fromkeys(item.statement for item in items)))

    def _gpus(self, items: list[Contribution], spelling: Spelling) -> list[Piece]:
        """Lay out what concerns GPUs: which are visible, what is set on one, what on each."""
        visible, visible_items = self._visible(items, spelling)
        listing = self._spell("tf.config.list_physical_devices", spelling)
        listing = f"{listing}({spelling.quote}GPU{spelling.quote})"
        setter = self._spell("tf.config.set_visible_devices", spelling)
        if visible == "[]":
            # No GPU is left that anything else could be set on.
            code = f"{setter}([], {spelling.quote}GPU{spelling.quote})"
            return [Piece(code, _origins(items))]
        indexed = [item for item in items if self._fill(item.emit.indexed, item, spelling)]
        each = [item for item in items if item.emit.each_gpu]
        loops = self._loops(each, spelling)
        uses = (GPUS in visible) + len(indexed) + len(loops)
        gpus = spelling.names["gpus"]
        pieces: list[Piece] = []
        source = listing
        if uses > 1 or GPUS in visible or indexed:
            first = visible_items or indexed or each
            pieces.append(Piece(f"{gpus} = {listing}", _origins(first)))
            source = gpus
        direct: list[Piece] = []
        if visible:
            code = f"{setter}({visible}, {spelling.quote}GPU{spelling.quote})"
            direct.append(Piece(code, _origins(visible_items)))
        direct += [self._piece(item, item.emit.indexed, spelling) for item in indexed]
        if any(_ELEMENT.search(piece.code) for piece in direct):
            body = _indent("\n".join(piece.code for piece in direct))
            pieces.append(Piece(f"if {gpus}:\n{body}", _origins([*visible_items, *indexed])))
        else:
            pieces += direct
        pieces += [Piece(code.replace("\0listing", source), origins) for code, origins in loops]
        return [Piece(piece.code.replace(GPUS, gpus), piece.origins) for piece in pieces]

    def _visible(
        self, items: list[Contribution], spelling: Spelling
    ) -> tuple[str, list[Contribution]]:
        """Return the expression for the visible GPUs, cut to their count; empty if none is set."""
        chosen = [item for item in items if item.emit.visible]
        counts = [item for item in items if item.emit.visible_count]
        visible = self._fill(chosen[-1].emit.visible, chosen[-1], spelling) if chosen else ""
        for item in counts:
            count = self._fill(item.emit.visible_count, item, spelling)
            if count == "0" or visible == "[]":
                visible = "[]"
            elif not visible or visible.startswith(f"{GPUS}[:"):
                visible = f"{visible or GPUS}[:{count}]"
            elif count.isdigit():
                visible = visible if _ONE.fullmatch(visible) else f"{visible}[:{count}]"
            else:
                # No GPU: then TensorFlow 1 did not look at the list, which may name no GPU.
                is_one = _ONE.fullmatch(visible)
                found = f"[{visible}]" if is_one else f"{visible}[:{count}]"
                is_plain = isinstance(ast.parse(count, mode="eval").body, ast.Name | ast.Call)
                test = count if is_plain else f"({count})"
                visible = f"{found} if {test} != 0 else []"
        return visible, [*chosen, *counts]

    def _loops(
        self, items: list[Contribution], spelling: Spelling
    ) -> list[tuple[str, tuple[ast.stmt, ...]]]:
        """Return the loops over all GPUs: one for all that is unconditional, one for each guard."""
        found = []
        for guard, group in groupby(
            sorted(items, key=lambda item: item.guard is not None), key=lambda item: item.guard
        ):
            members = list(group)
            body = "\n".join(self._fill(item.emit.each_gpu, item, spelling) for item in members)
            gpu, index = spelling.names["gpu"], spelling.names["index"]
            if any(re.search(r"\bindex\b", item.emit.each_gpu) for item in members):
                header = f"for {index}, {gpu} in enumerate(\0listing):"
            else:
                header = f"for {gpu} in \0listing:"
            code = f"{header}\n{_indent(body)}"
            if guard is not None:
                code = f"if {self._fill(guard, members[0], spelling)}:\n{_indent(code)}"
            found.append((code, _origins(members)))
        return found

    def spell(self, code: str, spelling: Spelling) -> str:
        """Spell the TensorFlow names and quotes of finished code as a file does."""
        code = _TF.sub(lambda match: self._name(match.group(), spelling), code)
        return code.replace('"', spelling.quote) if "'" not in code and '"""' not in code else code

    def _fill(self, template: str, item: Contribution, spelling: Spelling) -> str:
        text = Template(self._spell(template, spelling)).safe_substitute(item.variables)
        return _MARKED.sub(lambda match: self._name(match.group(1), spelling), text)

    def _spell(self, template: str, spelling: Spelling) -> str:
        """Spell TensorFlow names, variables and quotes of a template as the file does."""
        text = _NAME.sub(lambda match: self._name(match.group(), spelling), template)
        return text.replace('"', spelling.quote) if "'" not in text else text

    def _name(self, name: str, spelling: Spelling) -> str:
        if name.startswith("tf."):
            return spelling.tf + self._book.spelling(name, spelling.min_tf)[2:]
        return GPUS if name == "gpus" else spelling.names[name]


def _is_kept_call(item: Contribution) -> bool:
    return item.value is not None and not item.name


def _origins(items: Iterable[Contribution]) -> tuple[ast.stmt, ...]:
    return tuple(dict.fromkeys(item.statement for item in items))


def _without_condition(item: Contribution) -> Contribution:
    return Contribution(
        item.node, item.statement, item.emit, item.variables, item.value, item.guard, item.name,
        item.conditions[1:],
    )  # fmt: skip


def _indent(code: str) -> str:
    return "\n".join(f"    {line}" if line else line for line in code.split("\n"))
