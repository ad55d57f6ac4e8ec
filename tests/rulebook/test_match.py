"""Values against the cases of a rule."""

from __future__ import annotations

import ast

import pytest

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.code.values import Value, Values
from tfgpu.flow.match import (
    GPUS,
    device_ids,
    literal,
    match,
    one_index,
    wrong_type,
)
from tfgpu.rulebook.model import Case, Emit, PutBack, SettingRule

FIELD = "graph_options.rewrite_options.field"
EMIT = Emit(statements="f($value)")


def rule(*cases: Case, type: str = "any", enum: dict[str, int] | None = None) -> SettingRule:
    """Return a rule with cases, for a field of a type."""
    settings = (FIELD,)
    return SettingRule(
        "TFG101", "a", "memory", "", "", "", "exact", "warning", (), "a.toml", settings, (),
        "process", type, ("long",), enum or {}, PutBack(), None, False, False, None,
        False, (), (), cases, (),
    )  # fmt: skip


def evaluated(expression: str) -> tuple[Value, Values]:
    """Return the value of an expression and what evaluates it."""
    text = f"import tensorflow as tf\nimport horovod as hvd\n{expression}\n"
    tree = Tree(ast.parse(text), text)
    values = Values(tree, Symbols(tree))
    last = tree.module.body[-1]
    assert isinstance(last, ast.Expr)
    return values.value(last.value), values


def shape_of(expression: str, shape: str) -> dict[str, str] | None:
    """Return the variables that a shape gives a value, None where it is of another one."""
    value, values = evaluated(expression)
    found = match(rule(Case(shape=shape, emit=EMIT)), value, values, None)
    if found is None:
        return None
    return {name: text for name, text in found[1].items() if name not in ("value", "field")}


@pytest.mark.parametrize(
    ("expression", "number"),
    [("1", 0), ("True", 1), ("1.0", 0), ("'a'", 2), ("2", 4), ("5", 3), ("-5", 3), ("x", 4)],
)
def test_first_case_that_holds(expression: str, number: int) -> None:
    cases = (
        Case(values=(1,), drop="one"),
        Case(values=(True,), drop="true"),
        Case(values=("a", "b"), drop="text"),
        Case(above=4, drop="above"),
        Case(emit=EMIT),
    )
    value, values = evaluated(expression)
    if expression == "-5":
        cases = (*cases[:3], Case(below=-4, drop="below"), cases[4])
    found = match(rule(*cases), value, values, None)
    assert found is not None
    assert found[0] is cases[number]
    assert found[1] == {"value": expression, "field": FIELD}


@pytest.mark.parametrize("expression", ["4", "-4", "4.0", "True", "x", "'9'"])
def test_bounds_are_not_met(expression: str) -> None:
    value, values = evaluated(expression)
    cases = (Case(above=4, drop="above"), Case(below=-4, drop="below"))
    assert match(rule(*cases), value, values, None) is None


@pytest.mark.parametrize(
    ("type", "expression", "known"),
    [
        ("bool", "1", True),
        ("bool", "0", False),
        ("int", "1", 1),
        ("enum", "1", "ON"),
        ("enum", "7", 7),
        ("enum", "tf.RewriterConfig.OFF", "OFF"),
        ("any", "'a'", "a"),
        ("any", "x", None),
    ],
)
def test_literal_in_the_terms_of_a_rule(type: str, expression: str, known: object) -> None:
    value, _ = evaluated(expression)
    found = literal(value, rule(type=type, enum={"ON": 1, "OFF": 2}))
    assert found == known
    assert isinstance(found, bool) == isinstance(known, bool)


def test_number_of_64_bits() -> None:
    value, _ = evaluated("2147483648")
    assert wrong_type(value, rule(type="int"), "field") == "int32"
    assert wrong_type(value, rule(type="int"), "long") == ""


@pytest.mark.parametrize(
    ("type", "expression", "wrong"),
    [
        ("bool", "True", False),
        ("bool", "1", False),
        ("bool", "'x'", True),
        ("bool", "1.0", True),
        ("bool", "None", True),
        ("bool", "x", False),
        ("int", "True", True),
        ("int", "1.5", True),
        ("int", "'1'", True),
        ("int", "2147483648", True),
        ("int", "-2147483648", False),
        ("bool", "2147483648", False),
        ("bool", "9223372036854775808", True),
        ("number", "9223372036854775808", False),
        ("number", "0.5", False),
        ("number", "1", False),
        ("number", "'0.5'", True),
        ("string", "'0'", False),
        ("string", "0", True),
        ("string", "True", True),
        ("enum", "1", False),
        ("enum", "tf.RewriterConfig.ON", False),
        ("enum", "tf.RewriterConfig.ONN", True),
        ("enum", "tf.OptimizerOptions.OFF", False),
        ("enum", "'ON'", True),
        ("int", "tf.RewriterConfig.ON", True),
        ("any", "'x'", False),
        ("any", "None", True),
        ("any", "x", False),
    ],
)
def test_wrong_type(type: str, expression: str, wrong: bool) -> None:
    value, _ = evaluated(expression)
    assert bool(wrong_type(value, rule(type=type, enum={"ON": 1}), "field")) is wrong


@pytest.mark.parametrize(
    ("expression", "ids"),
    [
        ("'0'", [0]),
        ("'0,1'", [0, 1]),
        ("' 1 , 0 '", [1, 0]),
        ("'10,2,2'", [10, 2, 2]),
        ("''", None),
        ("'0,'", None),
        ("'-1'", None),
        ("'a'", None),
        ("0", None),
        ("x", None),
    ],
)
def test_device_ids(expression: str, ids: list[int] | None) -> None:
    value, _ = evaluated(expression)
    assert device_ids(value) == ids


LISTS = {
    "''": "gpu-list.all",
    "'  '": "gpu-list.invalid",
    "'-1'": "gpu-list.none",
    "' -1 '": "gpu-list.none",
    "'0'": "gpu-list.prefix",
    "'0, 1'": "gpu-list.prefix",
    "'1'": "gpu-list.ascending",
    "'0,2'": "gpu-list.ascending",
    "'1,0'": "gpu-list.reordered",
    "'0,0'": "gpu-list.duplicate",
    "'0,'": "gpu-list.invalid",
    "'GPU:0'": "gpu-list.invalid",
    "str(hvd.local_rank())": "gpu-list.one",
    "f'{hvd.rank()}'": "gpu-list.one",
    "str(3)": "gpu-list.one",
    "'%d' % x": "gpu-list.number",
    "'{:d}'.format(x)": "gpu-list.number",
    "f'{x:d}'": "gpu-list.number",
    "','.join(map(str, range(x)))": "gpu-list.counted",
    "','.join(str(i) for i in range(x))": "gpu-list.counted",
    "','.join(['%d' % i for i in range(1, x)])": "gpu-list.counted",
}
ORDER = [
    "all", "none", "prefix", "ascending", "one", "reordered", "duplicate", "invalid", "number",
    "counted",
]  # fmt: skip


@pytest.mark.parametrize("expression", LISTS)
def test_gpu_list(expression: str) -> None:
    shapes = (f"gpu-list.{name}" for name in ORDER)
    assert (
        next(shape for shape in shapes if shape_of(expression, shape) is not None)
        == (LISTS[expression])
    )


@pytest.mark.parametrize(
    "expression",
    [
        "x",
        "str(x)",
        "f'{x}'",
        "'%d,%d' % (1, 2)",
        "f()",
        "f'{x:s}'",
        "'{}'.format(x)",
        "'%s' % x",
        "','.join(map(str, x))",
        "','.join(map(f, range(x)))",
        "';'.join(map(str, range(x)))",
        "','.join(map(str, range(x, 0, -1)))",
        "','.join(map(str, range(*x)))",
        "','.join(str(x) for i in range(x))",
        "','.join(str(i) for i in range(x) if i != 1)",
        "','.join(str(i) for i in x)",
        "','.join(str(i) for i in range(x) for j in range(x))",
    ],
)
def test_no_gpu_list_that_is_known(expression: str) -> None:
    assert all(shape_of(expression, f"gpu-list.{name}") is None for name in ORDER)


def test_variables_of_gpu_lists() -> None:
    assert shape_of("'2'", "gpu-list.ascending") == {"visible": f"{GPUS}[2]"}
    assert shape_of("'0,2'", "gpu-list.ascending") == {"visible": f"[{GPUS}[0], {GPUS}[2]]"}
    assert shape_of("'1, 0'", "gpu-list.reordered") == {"order": "1, 0"}
    assert shape_of("str(hvd.rank())", "gpu-list.one") == {"visible": f"{GPUS}[hvd.rank()]"}
    assert shape_of("''", "gpu-list.all") == {}


@pytest.mark.parametrize(
    "expression",
    [
        "str(3)",
        "f'{3}'",
        "'%d' % 3",
        "'%s' % 3",
        "'%i' % 3",
        "'{}'.format(3)",
        "'{0}'.format(3)",
        "'{:d}'.format(3)",
    ],
)
def test_text_of_one_index(expression: str) -> None:
    value, values = evaluated(expression)
    index = one_index(value.node, values)
    assert index is not None
    assert ast.unparse(index) == "3"


@pytest.mark.parametrize(
    "expression",
    [
        "3",
        "str()",
        "str(3, 4)",
        "str(object=3)",
        "repr(3)",
        "str(-1)",
        "str(x)",
        "'%d,' % 3",
        "'%x' % 3",
        "x % 3",
        "'{},'.format(3)",
        "'{}'.join(3)",
        "f'{3:02d}'",
        "f'{3}{4}'",
        "f'GPU'",
        "f'{3},'",
        "1 + 3",
    ],
)
def test_no_text_of_one_index(expression: str) -> None:
    value, values = evaluated(expression)
    assert one_index(value.node, values) is None


@pytest.mark.parametrize(
    ("shape", "yes", "no"),
    [("literal", "1", "x"), ("count.nonnegative", "len(x)", "x"), ("literal", "True", "f()")],
)
def test_other_shapes(shape: str, yes: str, no: str) -> None:
    assert shape_of(yes, shape) == {}
    assert shape_of(no, shape) is None


def test_virtual_devices_are_finished_elsewhere() -> None:
    value, values = evaluated("x")
    case = Case(shape="virtual-devices", emit=EMIT)
    assert match(rule(case), value, values, None) is None
    found = match(rule(case), value, values, "done")
    assert found is not None
    assert found[1]["statements"] == "done"


def test_virtual_devices_that_split_no_gpu() -> None:
    value, values = evaluated("x")
    case = Case(shape="virtual-devices.whole", emit=EMIT)
    device = "tf.config.LogicalDeviceConfiguration(memory_limit=1)"
    one = f"tf.config.set_logical_device_configuration(gpus[0], [{device}])"
    assert match(rule(case), value, values, f"{one}\n{one}") is not None
    assert match(rule(case), value, values, one.replace(device, f"{device}, {device}")) is None
    assert match(rule(case), value, values, None) is None
