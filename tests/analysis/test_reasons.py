"""Reasons: each has a rule with its name, whose words have a place for each of its fields."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program.test_programs import GROWTH, KEPT, results
from tests.tools import RAW, analysed
from tfgpu.code.tree import Tree
from tfgpu.flow import reasons
from tfgpu.flow.reasons import Consequence, NotConverted, Problem, cause_of, filled
from tfgpu.results import CAUSE
from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.model import CheckRule, ReasonRule

BOOK = load_rulebook()
TEXT = "config = make()\nsession = use(config)\n"
TREE = Tree(ast.parse(TEXT), TEXT)


def types(of: type[Problem] = Problem) -> Iterator[type[Problem]]:
    """Yield the types of reasons."""
    for found in of.__subclasses__():
        if found.__module__ == reasons.__name__ and found.__subclasses__():
            yield from types(found)
        elif found is not NotConverted and found is getattr(reasons, found.__name__):
            yield found


def example(of: type[Problem]) -> Problem:
    """Return a reason of a type, about the second line; it names the first one."""
    first, second = TREE.calls
    names = of._names
    cause = NotConverted(first, "allow-growth", "it is so", "do this")
    texts = {"name", "names", "path", "field", "fields", "why", "hint", "device", "count", "type"}
    values = {name: f"<{name}>" if name in texts else first for name in names[1:]}
    return of(second, **values | ({"cause": cause} if "cause" in names else {}))


@pytest.mark.parametrize("of", list(types()), ids=lambda of: str(of.__name__))
def test_words_have_a_place_for_each_field(of: type[Problem]) -> None:
    problem = example(of)
    rule = problem.rule(BOOK)
    assert isinstance(rule, ReasonRule | CheckRule)
    given = set(filled(problem, TREE, BOOK))
    places = set(re.findall(r"\$\{?(\w+)", rule.message + " " + rule.todo))
    assert (given & places if issubclass(of, Consequence) else given) == places


def test_each_rule_of_a_reason_has_a_type() -> None:
    named = {example(of).reason for of in types()}
    assert {rule.name for rule in BOOK.rules if isinstance(rule, ReasonRule)} <= named


@pytest.mark.parametrize(
    ("of", "name", "words"),
    [
        (reasons.DifferentConfigs, "place", "line 1"),
        (reasons.PassedOn, "callee", "make()"),
        (reasons.MixedOrigin, "source", "`make()`"),
        (reasons.BesideKept, "place", "line 1"),
        (reasons.ProgramKept, "rule", "TFG101 allow-growth"),
        (reasons.Varies, "field", "<field>"),
    ],
)
def test_a_field_in_words(of: type[Problem], name: str, words: str) -> None:
    assert filled(example(of), TREE, BOOK)[name] == words


@pytest.mark.parametrize("counts", ['{"GPU": 1, "CPU": 4}', '{"CPU": 4, "GPU": 1}'])
def test_one_of_several_settings_in_one_place_has_its_own_way_out(counts: str) -> None:
    fields = f"device_count={counts}, gpu_options=tf.GPUOptions(allow_growth=True)"
    result = analysed(RAW + f"sess = tf.Session(config=tf.ConfigProto({fields}))\n")
    (cause,) = [item for item in result.findings if item.part == CAUSE]
    assert cause.name == "device-count-cpu-with-growth"
    assert cause.todo.startswith("leave out the number of CPUs")


def test_each_wrong_field_and_value_is_a_cause() -> None:
    fields = [
        "gpu_options.allow_grow = True",
        "allow_soft_placment = True",
        "allow_soft_placement = 'no'",
        "log_device_placement = 'yes'",
    ]
    lines = "".join(f"config.{item}\n" for item in fields)
    text = f"config = tf.ConfigProto()\n{lines}sess = tf.Session(config=config)\n"
    causes = [item for item in analysed(RAW + text).findings if item.part == CAUSE]
    assert [(item.name, item.line) for item in causes] == [
        ("unknown-field", 4),
        ("unknown-field", 5),
        ("wrong-type", 6),
        ("wrong-type", 7),
    ]
    assert [item.message.startswith("config kept: ") for item in causes] == [True] + [False] * 3


def test_a_consequence_has_a_cause() -> None:
    problem = example(reasons.BesideKept)
    assert isinstance(problem, Consequence)
    assert cause_of(problem) is problem.cause
    assert cause_of(problem.cause) is problem.cause


def test_all_configs_of_a_program_have_one_cause(tmp_path: Path) -> None:
    main = "import growth\nimport odd\n"
    found = results(tmp_path, {"main.py": main, "growth.py": GROWTH * 2, "odd.py": KEPT})
    assert {item.kept_by for item in found["growth.py"].configs} == {"TFG938"}
    kept_for = found["growth.py"].kept_for
    assert kept_for is not None
    assert kept_for.rule == found["odd.py"].configs[0].kept_by
