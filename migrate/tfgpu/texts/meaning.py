"""What the fields of a ConfigProto mean that is no Python code, by the rules that Python has.

The fields are written as the Python code that would set them, and that is decided on as all code
is: so a text, a flag and a program can never say different things of one field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isfinite
from string import Template

from tfgpu.code.parse import parse
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass, replace
from tfgpu.decide.decision import Draft, Outcome
from tfgpu.decide.effects import Effects
from tfgpu.decide.obstacles import config_problems
from tfgpu.flow.collect import collect
from tfgpu.flow.match import GPUS, TF
from tfgpu.flow.reasons import UnknownField, WrongType, filled
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Emit, ReasonRule, Rule
from tfgpu.texts.prototext import RUN_TIME, Field, Scalar, Word
from tfgpu.texts.schema import is_repeated

_HEAD = "import tensorflow as tf\nconfig = tf.ConfigProto()\n"
# Stands for the one that a statement sets.
_NO_FIELD = Field("", None, (0, 0), (0, 0))
_BY_HAND = "tf.config has nothing for it"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a field means today: its rule, the words for it, and the code for TensorFlow 2.

    `todo` says what to do where there is no such code; `is_wrong` that TensorFlow refuses it, and
    `is_idle` that nothing has to take its place.
    """

    field: Field
    rule: Rule
    says: str
    code: str = ""
    todo: str = ""
    is_wrong: bool = False
    is_idle: bool = False


def meanings(fields: Sequence[Field], book: Rulebook) -> list[Meaning]:
    """Return what the fields of one ConfigProto mean, in order.

    The values of a repeated field all count, and mean the same. Of another one that is set many
    times the last one counts, and those before it mean what the first of them does.
    """
    last = {(field.path, field.key): index for index, field in enumerate(fields)}
    lines: list[str] = []
    numbers: dict[tuple[object, ...], int] = {}
    of_field = []
    for index, field in enumerate(fields):
        is_last = index == last[field.path, field.key]
        which = field if field.parts else is_last or is_repeated(field.path)
        name = (field.path, field.key, which)
        if name not in numbers:
            numbers[name] = len(lines)
            lines.append(_line(field, book))
        of_field.append(numbers[name])
    found = _of_lines(tuple(lines), book)
    return [
        replace(found[number], field=field)
        for field, number in zip(fields, of_field, strict=True)
        if number in found
    ]


@lru_cache(maxsize=256)
def _of_lines(lines: tuple[str, ...], book: Rulebook) -> dict[int, Meaning]:
    """Return what statements that set fields mean, by their number."""
    text = _HEAD + "".join(f"{line}\n" for line in lines) + "tf.Session(config=config)\n"
    analysis = collect(Tree(parse(text), text).for_analysis(), book)
    head = _HEAD.count("\n") + 1
    effects = Effects(analysis, book)
    draft = Draft(analysis.facts.configs[0])
    present = frozenset(setting.field for setting in draft.config.settings)
    found: dict[int, Meaning] = {}
    for problem in config_problems(draft, present, analysis, book, effects, gpu_memory=0):
        if isinstance(problem, UnknownField | WrongType):
            rule = problem.rule(book)
            assert isinstance(rule, ReasonRule)
            says = Template(rule.message).substitute(filled(problem, analysis.tree, book))
            number = analysis.tree.position(problem.node)[0] - head
            found[number] = Meaning(_NO_FIELD, rule, says, todo=rule.todo, is_wrong=True)
    for outcome in draft.outcomes:
        number = analysis.tree.position(outcome.setting.node)[0] - head
        found[number] = _meaning(_NO_FIELD, outcome)
    return found


def _meaning(field: Field, outcome: Outcome) -> Meaning:
    rule, case = outcome.rule, outcome.case
    name = outcome.setting.field
    if case is None:
        return Meaning(field, rule, f"{name} is set again below", is_idle=True)
    if case.keep is not None:
        return Meaning(field, rule, case.keep, todo=case.todo or _BY_HAND)
    if case.drop is not None:
        return Meaning(field, rule, f"{name} needs no code: {case.drop}", is_idle=True)
    assert case.emit is not None
    return Meaning(field, rule, rule.summary, code=_code(case.emit, outcome.variables, rule.code))


def _line(field: Field, book: Rulebook) -> str:
    """Return the statement that sets a field of `config`."""
    if field.parts:
        names = dict.fromkeys(name for name, _ in field.parts)
        values = {
            name: [_number(value) for other, value in field.parts if other == name]
            for name in names
        }
        given = ", ".join(f"{name}={value!r}" for name, value in values.items())
        return f"config.{field.path}.add({given})"
    if field.key is not None:
        return f"config.{field.path}[{field.key!r}] = {_source(field, book)}"
    return f"config.{_spelled(field.path)} = {_source(field, book)}"


def _spelled(path: str) -> str:
    """Return a path as attributes; the name of an extension is none."""
    return ".".join(part if part.isidentifier() else "extension" for part in path.split("."))


def _number(value: Scalar | Word) -> Scalar:
    if isinstance(value, Word):
        return value.name
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value


def _source(field: Field, book: Rulebook) -> str:
    """Return the value of a field as Python; the name of an enum by the number that it stands for.

    A name that is none of its enum becomes a text, which has the wrong type. What only the run
    fills in becomes a variable.
    """
    text = field.value.name if isinstance(field.value, Word) else field.value
    if isinstance(text, str) and RUN_TIME in text:
        return "value"
    if isinstance(field.value, float) and not isfinite(field.value):
        return f"float('{field.value}')"
    if not isinstance(field.value, Word):
        return repr(field.value)
    rule = book.rule_for(field.path, frozenset())
    number = None if rule is None else rule.enum.get(field.value.name)
    return repr(field.value.name) if number is None else str(number)


def _code(emit: Emit, variables: Mapping[str, str], rule: str) -> str:
    """Return the code for one field, on one line as far as it goes."""

    def filled_in(text: str) -> str:
        made = Template(text).safe_substitute(variables).replace(GPUS, "gpus").replace(TF, "tf")
        lines = (line.strip() for line in made.strip().split("\n"))
        return " ".join(lines).replace("( ", "(").replace(" )", ")") if made else ""

    parts = [filled_in(emit.environment), filled_in(emit.statements)]
    if emit.numbers_gpus:
        parts.append('gpus = tf.config.list_physical_devices("GPU")')
    if emit.visible:
        parts.append(f'tf.config.set_visible_devices({filled_in(emit.visible)}, "GPU")')
    elif emit.visible_count:
        first = f"gpus[:{filled_in(emit.visible_count)}]"
        parts.append(f'tf.config.set_visible_devices({first}, "GPU")')
    parts.append(filled_in(emit.indexed))
    if emit.each_gpu:
        body = "; ".join(filled_in(line) for line in _statements(emit.each_gpu))
        gpus = 'tf.config.list_physical_devices("GPU")'
        uses_index = "index" in emit.each_gpu
        loop = f"for index, gpu in enumerate({gpus})" if uses_index else f"for gpu in {gpus}"
        parts.append(f"{loop}: {body}")
    if emit.options:
        options = ", ".join(
            f'"{filled_in(name)}": {filled_in(value)}' for name, value in emit.options.items()
        )
        parts.append(f"tf.config.optimizer.set_experimental_options({{{options}}})")
    code = "; ".join(part for part in parts if part)
    return f"{code} (tfgpu rule {rule} has {emit.helpers[0]})" if emit.helpers else code


def _statements(text: str) -> list[str]:
    """Return the statements of a template, each with the lines that belong to it."""
    found: list[str] = []
    for line in text.strip().split("\n"):
        if found and line[:1] in (" ", ")"):
            found[-1] += f"\n{line}"
        else:
            found.append(line)
    return found
