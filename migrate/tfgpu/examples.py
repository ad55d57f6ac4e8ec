"""The examples of a rule, run: before becomes after, after stays, and the rule says so."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.results import Result
from tfgpu.rulebook.model import Example, Rule, SinkRule
from tfgpu.rulebook.table import version
from tfgpu.run import run


def example_problems(rule: Rule, rules: tuple[str, ...]) -> Iterator[str]:
    """Yield what the examples of a rule say otherwise than they come out; `rules` are house rules.

    Nothing is yielded for a rule whose examples all hold.
    """
    for key, name in _unknown_parameters(rule):
        words = "is a parameter of none of [calls], and no example gives it by name"
        yield f"{rule.path}: {key}: {name!r} {words}"
    for number, example in enumerate(rule.examples):
        for problem in _problems(rule, example, rules):
            yield f"{rule.path}: example[{number}]: {problem}"


def _unknown_parameters(rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield the parameters that a sink names and nothing shows: one that is misspelt finds nothing.

    Those that calls take by name only are not in the lists of positional ones.
    """
    if not isinstance(rule, SinkRule):
        return
    known = {name for parameters in rule.calls.values() for name in parameters}
    code = "\n".join(example.before for example in rule.examples)
    for key in ("argument", "target"):
        name = getattr(rule, key)
        if name and name not in known and not re.search(rf"\b{re.escape(name)}\s*=", code):
            yield key, name


def _problems(rule: Rule, example: Example, rules: tuple[str, ...]) -> Iterator[str]:
    try:
        min_tf = version(example.min_tf)
    except ValueError:
        yield f"min_tf: {example.min_tf!r} is no version of TensorFlow 2, such as 2.4"
        return
    options = Options(
        min_tf,
        example.unsafe,
        keep_imports=example.keep_imports,
        imports=example.imports,
        ignore=example.ignore,
        gpu_memory=example.gpu_memory,
        rules=rules,
    )
    before = _result(example.before, example, options)
    if before.reason is not None:
        yield f"before: {before.reason}"
        return
    made = before.new_text or example.before
    if made != example.after:
        yield f"before becomes something else than after:\n{_diff(example.after, made)}"
    if (rule.code in {finding.code for finding in before.findings}) != example.reported:
        yield (
            f"{rule.code} says nothing about before"
            if example.reported
            else f"{rule.code} is reported, and reported = false"
        )
    after = _result(example.after, example, options)
    if after.reason is not None:
        yield f"after: {after.reason}"
    elif after.new_text is not None:
        yield f"after does not stay as it is:\n{_diff(example.after, after.new_text)}"


def _result(text: str, example: Example, options: Options) -> Result:
    """Return what comes of a text, with the file that the example has beside it."""
    with TemporaryDirectory(prefix="tfgpu-") as folder:
        this, other = Path(folder, example.path), Path(folder, "other.py")
        this.parent.mkdir(parents=True, exist_ok=True)
        for path, content in ((this, text), (other, example.imported_by)):
            path.write_bytes(content.encode())
        named = [str(this)] if example.alone else [str(this), str(other)]
        return next(run(named, Job(options, rewrite=True), jobs=1))


def _diff(expected: str, made: str) -> str:
    lines = difflib.unified_diff(
        expected.splitlines(), made.splitlines(), "expected", "made", lineterm=""
    )
    return "\n".join(lines)
