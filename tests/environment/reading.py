"""Reads files as the audit does, for the tests of what they say about GPUs."""

from __future__ import annotations

from textwrap import dedent

from tests.tools import book
from tfgpu.environment.model import Item, Setting, Trouble
from tfgpu.environment.read import read_items
from tfgpu.files.kinds import EVERY, kind_of
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process

D = "CUDA_VISIBLE_DEVICES"
G = "TF_FORCE_GPU_ALLOW_GROWTH"


def items(name: str, text: str) -> list[Item]:
    """Return what a file says, in order; its kind is that of its name."""
    kind = kind_of(name)
    assert kind is not None
    return read_items(kind, dedent(text).lstrip("\n"), book().variable_names)


def settings(name: str, text: str) -> list[tuple[int, str, str | None, str]]:
    """Return line, name, value (None: not known) and way of all settings of a file."""
    return [
        (item.span.line, item.name, item.value, item.way.name.lower())
        for item in items(name, text)
        if isinstance(item, Setting)
    ]


def values(name: str, text: str) -> list[str | None]:
    """Return the values of CUDA_VISIBLE_DEVICES in a file."""
    return [value for _, variable, value, _ in settings(name, text) if variable == D]


def troubles(name: str, text: str) -> list[tuple[int, str]]:
    """Return line and rule of what a file does wrong."""
    return [(item.span.line, item.rule) for item in items(name, text) if isinstance(item, Trouble)]


def said(name: str, text: str) -> list[tuple[int, int, str, str]]:
    """Return line, column, rule and message of all findings of the audit on a file."""
    job = Job(Options(select=("TFE",)), rewrite=False, kinds=EVERY)
    data = dedent(text).lstrip("\n").encode()
    (result,) = process({name: data}, job, book())
    assert result.reason is None
    return [(item.line, item.column, item.name, item.message) for item in result.findings]


def every(name: str, text: str) -> list[str]:
    """Return the rules of all findings of the audit on a file."""
    job = Job(Options(), rewrite=False, kinds=EVERY)
    (result,) = process({name: text.encode()}, job, book())
    assert result.reason is None
    return [item.name for item in result.findings]


def rules(name: str, text: str) -> list[tuple[int, str]]:
    """Return line and rule of all findings of the audit on a file."""
    return [(line, rule) for line, _, rule, _ in said(name, text)]
