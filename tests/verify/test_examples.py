"""Every rule's examples run before and after, on TensorFlow's GPU runtime and simulated GPUs."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verify.server import Server, describe
from tfgpu.code.parse import parse
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.program.raw import uses_tensorflow1
from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.model import CheckRule, Example, Rule
from tfgpu.verify.verdict import Outcome, Verdict

# Examples of unsafe fixes, which say themselves what can differ, with the aspects that do.
NEW_EAGER = """
import tensorflow as tf

config = tf.compat.v1.ConfigProto()
{}
tf.compat.v1.disable_eager_execution()
tf.compat.v1.enable_eager_execution(config=config)
"""
# What no release of TensorFlow can run, and a program that does the same: the functions of the
# betas wrote these fields of the config that eager code runs with.
STANDS_FOR = {
    "TFG802-1": NEW_EAGER.format("config.gpu_options.allow_growth = True"),
    "TFG803-1": NEW_EAGER.format(
        "config.gpu_options.per_process_gpu_memory_fraction = 0.3\n"
        "config.gpu_options.allow_growth = True"
    ),
}
# What is gone from every TensorFlow that the tests run on.
GONE = {"TFG705-1", "TFG939-1"}
# Where TensorFlow 2 makes the GPUs first, only TensorFlow 1 shows what the settings meant.
NEEDS_TENSORFLOW1 = {"TFG940-2"}
USUAL = "2x16GiB"  # what an example runs on that does not say it
DIFFERENT = {
    "TFG501-3": {"configuration"},  # ON_2 becomes ON_1
    "TFG602-3": {"configuration", "placement"},  # an InteractiveSession places what it prunes
    # The work behind an eager program is a session, with eager execution off.
    "TFG610-1": {"configuration", "placement"},
    "TFG701-3": {"memory"},  # without the query the settings behind it take effect
    "TFG702-2": {"memory"},
}


def arguments_of(program: str) -> list[tuple[str, ...]]:
    """The command lines worth trying: none, and the flags that a program looks for."""
    if "sys.argv" not in program:
        return [()]
    flags = re.findall(r"""["'](--\w+)["'] in sys\.argv""", program)
    return [(), *((flag,) for flag in flags)] if flags else [(), ("1",), ("2", "x")]


def uses_names_of_tensorflow1(program: str) -> bool:
    tree = Tree(parse(program), program)
    return uses_tensorflow1(tree, Symbols(tree), load_rulebook())


def pairs() -> Iterator[object]:
    """The examples that change a program, with each of their command lines."""
    for rule in load_rulebook().rules:
        if isinstance(rule, CheckRule):
            continue  # what it corrects never did what it says
        for number, example in enumerate(rule.examples, 1):
            if not example.after or example.after == example.before:
                continue
            if f"{rule.code}-{number}" in GONE | NEEDS_TENSORFLOW1:
                continue
            for argv in arguments_of(example.before):
                name = "-".join((rule.code, str(number), *argv))
                yield pytest.param(rule, number, example, argv, id=name)


@pytest.mark.parametrize(("rule", "number", "example", "argv"), [*pairs()])
def test_both_sides_are_the_same(
    server: Server, rule: Rule, number: int, example: Example, argv: tuple[str, ...]
) -> None:
    if example.needs and not has_module(example.needs):
        pytest.skip(f"{example.needs} is not there")
    gpus = "sim:0" if example.gpus == "none" else f"sim:{example.gpus}"
    if example.gpus.isdigit() or (example.gpus == USUAL and not example.gpu_memory):
        # Cheaper than the usual card: see tests/differential/runner.py.
        gpus = f"sim:{example.gpus.partition('x')[0]}x3GiB"
    before = STANDS_FOR.get(f"{rule.code}-{number}", example.before)
    old, new = map(uses_names_of_tensorflow1, (before, example.after))
    verdict = server.verdict(
        before, example.after, gpus, argv, work=True, tensorflow1=old, bridge=new, migrated=True
    )
    differing = DIFFERENT.get(f"{rule.code}-{number}", set())
    refused = {"result"} if verdict.before.failure and verdict.after.failure else set()
    assert of_outcome(verdict, Outcome.INCONCLUSIVE) == refused, describe(verdict)
    assert of_outcome(verdict, Outcome.MISMATCH) == differing, describe(verdict)
    if rule.equivalence == "exact" and not differing:
        left_out = [
            entry.rule
            for aspect in verdict.aspects
            for entry in aspect.entries
            if aspect.name == "memory"
            and entry.outcome is Outcome.IGNORED
            # A graph and eager code hold other copies.
            and entry.subject not in ("results of operations", "peak of use")
        ]
        # Exact is exact: only a fraction beside it, which comes to whole MiB, may leave a gap.
        assert set(left_out) <= {"TFG102"}, describe(verdict)


def has_module(name: str) -> bool:
    """Tell whether a module is installed, without importing what it is in."""
    package, _, inside = name.partition(".")
    spec = importlib.util.find_spec(package)
    return spec is not None and (
        not inside
        or any((Path(folder) / inside).exists() for folder in spec.submodule_search_locations or ())
    )


def of_outcome(verdict: Verdict, outcome: Outcome) -> set[str]:
    return {aspect.name for aspect in verdict.aspects if aspect.outcome is outcome}
