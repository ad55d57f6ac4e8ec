"""A verdict as JSON: the schema that other programs read."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

import pytest

from tests.report.verdicts import MIB, differing, hostile, in_set_ups, inconclusive, leg, matching
from tfgpu.report import verdict_json as module
from tfgpu.report.verdict_json import verdict_json
from tfgpu.verify.observation import (
    Device,
    Failure,
    GpuMemory,
    Observation,
    Operation,
    Placement,
    Session,
)
from tfgpu.verify.verdict import ASPECTS, Entry, Verdict


def document(verdict: Verdict) -> Any:
    return json.loads(verdict_json(verdict))


def test_the_whole_of_it() -> None:
    found = document(differing())
    assert list(found) == [
        "version", "outcome", "exit_code", "gpus", "simulated", "isolation", "caveats", "add",
        "bound", "notes", "limits", "change", "scenarios", "shown", "aspects", "before", "after",
    ]  # fmt: skip
    assert found["version"] == 1
    assert found["outcome"] == "mismatch"
    assert found["exit_code"] == 1
    assert found["gpus"] == "4 x 16 GiB"
    assert found["simulated"] is True
    assert found["notes"] == ["Each program ran once, with the same data."]
    assert [aspect["name"] for aspect in found["aspects"]] == list(ASPECTS)
    assert {aspect["outcome"] for aspect in found["aspects"]} == {"mismatch"}
    assert found["aspects"][1]["entries"][1] == {
        "subject": "inter_op_parallelism_threads",
        "outcome": "mismatch",
        "before": "4",
        "after": "",
        "reason": "ConfigProto.inter_op_parallelism_threads",
        "rule": "TFG131",
        "source": "train.py:5",
        "graph": "",
        "form": False,
    }


def test_set_ups() -> None:
    found = document(in_set_ups())
    assert found["shown"] == "sim:12GiB,8GiB"
    assert [(one["name"], one["outcome"], one["silent"]) for one in found["scenarios"]] == [
        ("sim:2x16GiB", "match", False),
        ("sim:1x16GiB", "inconclusive", True),
        ("sim:12GiB,8GiB", "mismatch", False),
        ("no GPU", "mismatch", False),
    ]
    own, refused, _, none = found["scenarios"]
    assert own["asked"] is True
    assert own["arguments"] == []
    assert refused["after"]["failure"]["kind"] == "IndexError"
    assert [aspect["name"] for aspect in none["differences"]] == ["configuration"]
    assert none["differences"][0]["entries"][0]["subject"] == "inter_op_parallelism_threads"


def test_a_leg() -> None:
    found = document(differing())["after"]
    assert found["failure"]["kind"] == "InvalidArgumentError"
    assert found["failure"]["from_tensorflow"] is True
    assert found["placements"][0]["operations"][3] == {
        "name": "tower_1/MatMul",
        "kind": "MatMul",
        "device": "GPU:0",
        "requested": "",
        "source": "train.py:17",
    }
    assert found["memory"][0]["calls"][0] == {"call": "alloc", "size": 32 * MIB}
    assert found["memory"][0]["used"][:2] == [32 * MIB, 96 * MIB]
    assert found["sessions"][0]["config"]["inter_op_parallelism_threads"] == "4"
    assert found["threads"] == {"tf_Compute": 4}


@pytest.mark.parametrize(
    ("verdict", "outcome", "code"),
    [(matching(), "match", 0), (differing(), "mismatch", 1), (inconclusive(), "inconclusive", 3)],
)
def test_outcomes(verdict: Verdict, outcome: str, code: int) -> None:
    found = document(verdict)
    assert (found["outcome"], found["exit_code"]) == (outcome, code)


@pytest.mark.parametrize(
    "kind", [Device, Entry, Failure, GpuMemory, Observation, Operation, Placement, Session]
)
def test_the_schema_names_every_field(kind: type) -> None:
    """A field that is new in the model is new in the schema: it must be said there."""
    words = set((module.__doc__ or "").replace(",", " ").translate(_BRACKETS).split())
    assert {field.name for field in fields(kind)} <= words


_BRACKETS = str.maketrans("[]{};", "     ")


def test_any_mapping_and_sequence() -> None:
    one = replace(leg(), environment=MappingProxyType({"A": "1"}), trouble=("why",))
    found = document(replace(matching(), before=one))
    assert found["before"]["environment"] == {"A": "1"}
    assert found["before"]["trouble"] == ["why"]


def test_text_that_is_no_unicode() -> None:
    assert document(hostile("\udcff\0"))["before"]["program"] == "\udcff\0"
    verdict_json(hostile("\udcff")).encode("ascii")
