"""Matches the value of a setting to a case of its rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping

from tfgpu.code.values import Enum, Value, Values
from tfgpu.dataclass import replace
from tfgpu.files.pattern import expression
from tfgpu.rulebook.model import Case, Literal, SettingRule

# Stand for the list of GPUs and for TensorFlow in the variables of a template, until the composer
# has chosen their names: the rest of a variable is text of the user's and must stay as it is.
GPUS = "\0gpus"
TF = "\0tf"
_TYPES: Mapping[str, tuple[type, ...]] = {
    "bool": (bool, int),
    "int": (int,),
    "number": (int, float),
    "string": (str,),
    "enum": (Enum, int),
}
# A list of GPUs, as TensorFlow reads it: int() takes digits of other scripts, too.
_IDS = expression(r"\s*[0-9]+\s*(,\s*[0-9]+\s*)*", re.ASCII)


# `allow_growth = True,` is a tuple.
_CONTAINERS = (ast.Tuple, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def literal(value: Value, rule: SettingRule) -> Literal | None:
    """Return the known value in the terms of a rule: enum constants by name, 0 and 1 as bools.

    False is the number 0 for a field that takes numbers.
    """
    return _in_terms(value.known, rule)


def constant(value: Value, rule: SettingRule) -> Literal | None:
    """Return the one value that there ever is, in the terms of a rule."""
    return _in_terms(value.constant, rule)


def _in_terms(known: Literal | Enum | None, rule: SettingRule) -> Literal | None:
    if isinstance(known, Enum):
        return known.name if _is_own(known, rule) else None
    if rule.type == "enum" and isinstance(known, int):
        return next((name for name, number in rule.enum.items() if number == known), known)
    if rule.type == "bool" and isinstance(known, int):
        return bool(known)
    return int(known) if rule.type == "number" and isinstance(known, bool) else known


def wrong_type(value: Value, rule: SettingRule, field: str) -> str:
    """Return the type of a field where protobuf refuses its value; else nothing.

    Its number may be too large, too: 3000000000 threads, of an int32.
    """
    known = value.known
    if isinstance(known, int) and rule.type != "number":
        bits = 64 if rule.type == "bool" or field in rule.int64 else 32
        if not -(2 ** (bits - 1)) <= known < 2 ** (bits - 1):
            return f"int{bits}"
    return rule.type if _is_refused(value, rule) else ""


def _is_own(constant: Enum, rule: SettingRule) -> bool:
    """Tell whether a constant is of the message that a field belongs to.

    OFF is 2 of RewriterConfig, and -1 of OptimizerOptions.
    """
    return constant.message == rule.settings[0].rpartition(".")[0]


def _is_refused(value: Value, rule: SettingRule) -> bool:
    """Tell whether protobuf refuses a value for what it is: `allow_growth="yes"`."""
    known = value.known
    if known is None or rule.type == "any":
        is_none = isinstance(value.node, ast.Constant) and value.node.value is None
        return is_none or (rule.type != "any" and isinstance(value.node, _CONTAINERS))
    if isinstance(known, Enum):  # That of another message is a number, which protobuf takes.
        return rule.type != "enum" or (_is_own(known, rule) and known.name not in rule.enum)
    if isinstance(known, bool):
        return rule.type in ("string", "int", "enum")
    return not isinstance(known, _TYPES[rule.type])


def match(
    rule: SettingRule,
    value: Value,
    values: Values,
    statements: str | None,
    gpu_memory: int = 0,
) -> tuple[Case, dict[str, str]] | None:
    """Return the first case that holds for a value, and the variables of its templates.

    `statements` are the finished statements for virtual devices, where the setting is one;
    `gpu_memory` is as in `Options`.
    """
    known = literal(value, rule)
    variables = {"value": value.text, "field": rule.settings[0]}
    for case in rule.cases:
        if case.gpu_memory:
            if not gpu_memory:
                continue
            variables["part"] = _part(value, gpu_memory)
        if case.values is not None and not any(_same(known, item) for item in case.values):
            continue
        number = value.number
        if case.above is not None and (number is None or number <= case.above):
            continue
        if case.below is not None and (number is None or number >= case.below):
            continue
        if case.shape is not None:
            found = _shape(case.shape, value, values, statements)
            if found is None:
                continue
            variables.update(found)
        return case, variables
    return None


def has_shape(known: Literal | Enum, shapes: Iterable[str], value: Value, values: Values) -> bool:
    """Tell whether one of the values that an expression may have is of one of some shapes."""
    one = replace(value, known=known)
    return any(_shape(name, one, values, None) is not None for name in shapes)


def _part(value: Value, total: int) -> str:
    """Return the part of a total that a value is: a number where it is known, else code."""
    if value.number is not None:
        return str(int(value.number * total))
    plain = isinstance(value.node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return f"int({value.text if plain else f'({value.text})'} * {total})"


def _same(known: Literal | None, item: Literal) -> bool:
    return known == item and isinstance(known, bool) == isinstance(item, bool)


def _shape(
    name: str, value: Value, values: Values, statements: str | None
) -> dict[str, str] | None:
    if name == "literal":
        return {} if value.known is not None else None
    if name == "count.nonnegative":
        return {} if values.is_count(value.node) else None
    if name == "count.named":
        named = isinstance(value.node, ast.Name | ast.Attribute | ast.Subscript)
        return {} if named and values.quiet(value.node) else None
    if name.startswith("virtual-devices"):
        splits = statements is None or _splits(statements)
        fits = statements is not None and not (splits and name == "virtual-devices.whole")
        return {"statements": statements or ""} if fits else None
    return _GPU_LISTS[name](value, values)


def _splits(statements: str) -> bool:
    """Tell whether statements for virtual devices make several of one GPU."""
    devices = statements.count(".LogicalDeviceConfiguration(")
    return devices > statements.count(".set_logical_device_configuration(")


def device_ids(value: Value) -> list[int] | None:
    """Return the ids of a literal visible_device_list ("0, 1"), None if they cannot be told."""
    text = value.known
    if not isinstance(text, str) or not _IDS.fullmatch(text):
        return None
    return [int(part) for part in text.split(",")]


def _all(value: Value, _: Values) -> dict[str, str] | None:
    return {} if value.known == "" else None


def _none(value: Value, _: Values) -> dict[str, str] | None:
    return {} if isinstance(value.known, str) and value.known.strip() == "-1" else None


def _prefix(value: Value, values: Values) -> dict[str, str] | None:
    ids = device_ids(value)
    return None if ids is None or ids != list(range(len(ids))) else _ascending(value, values)


def _ascending(value: Value, _: Values) -> dict[str, str] | None:
    ids = device_ids(value)
    if ids is None or ids != sorted(set(ids)):
        return None
    items = [f"{GPUS}[{number}]" for number in ids]
    return {"visible": items[0] if len(items) == 1 else f"[{', '.join(items)}]"}


def _reordered(value: Value, _: Values) -> dict[str, str] | None:
    ids = device_ids(value)
    if ids is None or len(ids) != len(set(ids)):
        return None
    return {"order": ", ".join(map(str, ids))}


def _duplicate(value: Value, _: Values) -> dict[str, str] | None:
    return {} if device_ids(value) is not None else None


def _invalid(value: Value, _: Values) -> dict[str, str] | None:
    return {} if value.known is not None else None


def one_index(node: ast.expr, values: Values) -> ast.expr | None:
    """Return the number in an expression that is the text of one GPU index that is not negative."""
    found, _ = text_of_number(node, values)
    return found if found is not None and values.is_count(found) else None


def _number(value: Value, values: Values) -> dict[str, str] | None:
    """Recognise the text of one whole number: `"%d" % n`, `f"{n:d}"`, `str(int(rank))`."""
    found, in_digits = text_of_number(value.node, values)
    return {} if found is not None and (in_digits or values.is_whole(found)) else None


def text_of_number(node: ast.expr, values: Values) -> tuple[ast.expr | None, bool]:
    """Return what an expression is the text of, and whether only whole numbers have that form.

    Knows `str(n)`, `f"{n}"`, `"%d" % n` and `"{}".format(n)`.
    """
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        if values.builtin(node.func) == "str":
            return node.args[0], False
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            form = values.known(node.func.value)
            if form in ("{}", "{0}", "{:d}", "{0:d}"):
                return node.args[0], form in ("{:d}", "{0:d}")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        form = values.known(node.left)
        if form in ("%d", "%i", "%s"):
            return node.right, form != "%s"
    elif isinstance(node, ast.JoinedStr) and len(node.values) == 1:
        part = node.values[0]
        if isinstance(part, ast.FormattedValue):
            spec = part.format_spec.values if isinstance(part.format_spec, ast.JoinedStr) else []
            form = "".join(str(values.known(item)) for item in spec)
            if form in ("", "d"):
                return part.value, form == "d"
    return None, False


def _one(value: Value, values: Values) -> dict[str, str] | None:
    index = one_index(value.node, values)
    if index is None:
        return None
    return {"visible": f"{GPUS}[{ast.unparse(index)}]"}


def _counted(value: Value, values: Values) -> dict[str, str] | None:
    """Recognise what counts upwards: `",".join(map(str, range(n)))`, `str(i) for i in range(n)`."""
    node = value.node
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return None
    is_join = node.func.attr == "join" and values.known(node.func.value) == ","
    given = node.args[0] if is_join and len(node.args) == 1 and not node.keywords else None
    counts: ast.expr | None = None
    if isinstance(given, ast.Call) and values.builtin(given.func) == "map":
        if len(given.args) == 2 and values.builtin(given.args[0]) == "str":
            counts = given.args[1]
    elif isinstance(given, ast.GeneratorExp | ast.ListComp) and len(given.generators) == 1:
        loop, (number, _) = given.generators[0], text_of_number(given.elt, values)
        if isinstance(number, ast.Name) and isinstance(loop.target, ast.Name) and not loop.ifs:
            counts = loop.iter if number.id == loop.target.id else None
    is_range = isinstance(counts, ast.Call) and values.builtin(counts.func) in ("range", "xrange")
    if not (is_range and isinstance(counts, ast.Call)) or counts.keywords:
        return None
    is_plain = 1 <= len(counts.args) <= 2
    return {} if is_plain and not any(isinstance(a, ast.Starred) for a in counts.args) else None


_GPU_LISTS: Mapping[str, Callable[[Value, Values], dict[str, str] | None]] = {
    "gpu-list.all": _all,
    "gpu-list.none": _none,
    "gpu-list.prefix": _prefix,
    "gpu-list.ascending": _ascending,
    "gpu-list.reordered": _reordered,
    "gpu-list.duplicate": _duplicate,
    "gpu-list.invalid": _invalid,
    "gpu-list.one": _one,
    "gpu-list.number": _number,
    "gpu-list.counted": _counted,
}
