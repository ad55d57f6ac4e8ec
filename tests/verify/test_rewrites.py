"""Rewrites that write, save or train otherwise are no match; right ones are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verify.rewrites import FILES, RIGHT, SESSION, WRONG, WRONG_FORMS, Rewrite
from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.compare.configuration import compare_constants
from tfgpu.verify.compare.files import compare_files
from tfgpu.verify.files import name_of
from tfgpu.verify.gpus import Machine
from tfgpu.verify.legs import Program
from tfgpu.verify.observation import Observation, Operation, Placement
from tfgpu.verify.on_gpus import Observed
from tfgpu.verify.scenarios import Scenario
from tfgpu.verify.together import settled, without_chance
from tfgpu.verify.verdict import Aspect, Comparison, Entry, Outcome, Verdict

Judge = Callable[[Rewrite], Verdict]


@pytest.fixture(scope="module")
def judged(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """Runs both programs of a rewrite, each text once, and compares them."""
    known: dict[str, Observation] = {}

    def leg(text: str) -> Observation:
        if text not in known:
            folder = tmp_path_factory.mktemp("program")
            for name, content in {**FILES, "main.py": text}.items():
                (folder / name).write_text(content, "utf-8")
            path = folder / "main.py"
            known[text] = server.leg(text, "sim:2x1GiB", False, path=path, keras_2=False)
        assert known[text].ended == "end", known[text].failure
        return known[text]

    def run(rewrite: Rewrite) -> Verdict:
        before, after = leg(rewrite.before), leg(rewrite.after)
        return Verdict("", True, before, after, compare(before, after, simulated=True))

    return run


def differs(verdict: Verdict) -> set[str]:
    """Return the subjects that are not alike."""
    worse = (Outcome.MISMATCH, Outcome.INCONCLUSIVE)
    return {one.subject for each in verdict.aspects for one in each.entries if one.outcome in worse}


@pytest.mark.parametrize("rewrite", WRONG, ids=lambda one: one.name)
def test_another_file_or_moment_of_saving_is_a_mismatch(judged: Judge, rewrite: Rewrite) -> None:
    found = judged(rewrite)
    assert found.outcome is Outcome.MISMATCH, describe(found)
    assert "files" in differs(found), describe(found)


@pytest.mark.parametrize("rewrite", WRONG_FORMS, ids=lambda one: one.name)
def test_wrong_rewrites_do_not_match(judged: Judge, rewrite: Rewrite) -> None:
    found = judged(rewrite)
    assert found.outcome in (Outcome.MISMATCH, Outcome.INCONCLUSIVE), describe(found)
    assert differs(found) & {"files", "runs", "runs of a step"}, describe(found)


@pytest.mark.parametrize("rewrite", RIGHT, ids=lambda one: one.name)
def test_right_rewrites_match(judged: Judge, rewrite: Rewrite) -> None:
    found = judged(rewrite)
    assert found.outcome is Outcome.MATCH, describe(found)


def test_a_checkpoint_tells_what_it_holds_and_when_it_was_saved(judged: Judge) -> None:
    saved = judged(Rewrite("the same", SESSION, SESSION)).before.saves
    assert [(one.name, one.behind and one.behind[0]) for one in saved] == [
        ("out/model", 20),
        ("out/weights.npy", 20),
    ]
    assert list(saved[0].variables) == ["float32[4,8]", "float32[8,1]"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("out/model-5.index", "out/model-5.index"),
        ("logs/events.out.tfevents.1700000000.host.12.0.v2", "logs/events.out.tfevents"),
        ("run_2024-05-06_12:30:00/a", "run_#/a"),
        ("1700000000/a", "#/a"),
        ("0f8fad5b-d9cb-469f-a165-70867728950e/a", "#/a"),
        ("tmpab12cd_3/a", "tmp#/a"),
        ("pid-4321.log", "pid-#.log"),
        ("program.log", "<script>.log"),
        ("__pycache__/a.pyc", ""),
    ],
)
def test_names_of_files(path: str, name: str) -> None:
    root = Path("/project")
    program = Program("program", root / "program.py", root, root, "python")
    assert name_of(str(root / path), program, process=4321) == name


def leg(*files: str, ended: str = "end", migrated: bool = False) -> Observation:
    empty = Observation("train.py", "2.21.0", "3.11", False, ended, migrated=migrated)
    return replace(empty, files=files)


def test_a_program_that_was_stopped_may_not_have_come_to_its_files() -> None:
    found = list(compare_files(leg("out/model"), leg(ended="steps")))
    assert [one.outcome for one in found] == [Outcome.INCONCLUSIVE]
    assert "--steps 0" in found[0].reason


def test_other_files_of_a_migration_that_tfgpu_made_prove_nothing() -> None:
    found = list(compare_files(leg("a"), leg("b", migrated=True)))
    assert [one.outcome for one in found] == [Outcome.INCONCLUSIVE]


@pytest.mark.parametrize(("again", "outcome"), [("a", Outcome.MISMATCH), ("c", None)])
def test_names_that_differ_from_run_to_run(again: str, outcome: Outcome | None) -> None:
    scenario: object = None
    observed = [Observed(scenario, leg("a"), leg("b"))]  # type: ignore[arg-type]
    (found,), note = settled(observed, lambda: leg(again))
    entries = list(compare_files(found.before, found.after))
    assert [one.outcome for one in entries] == ([outcome] if outcome else [])
    assert bool(note) == (outcome is None)


@pytest.mark.parametrize(
    ("again", "subject", "aspect", "outcome"),
    [
        (2 << 20, "peak of use", "memory", Outcome.INCONCLUSIVE),
        (1 << 20, "peak of use", "memory", Outcome.MISMATCH),
        (2 << 20, "mode", "memory", Outcome.MISMATCH),
        (2 << 20, "peak of use", "configuration", Outcome.MISMATCH),
    ],
)
def test_what_differs_from_run_to_run_proves_nothing(
    again: int, subject: str, aspect: str, outcome: Outcome
) -> None:
    def used(size: int) -> Observation:
        return replace(leg(), allocator={"GPU:0": {"peak": size, "results": size}})

    entry = Entry(subject, Outcome.MISMATCH, "1", "2", graph="GPU:0")
    own = Scenario("own", Machine((), ()), asked=True)
    compared = Comparison(own, used(1 << 20), used(3 << 20), [Aspect(aspect, [entry])])
    (found,) = without_chance([compared], lambda _: used(again), simulated=True)
    assert found.aspects[0].entries[0].outcome is outcome


@pytest.mark.parametrize(
    ("graph", "outcome"),
    [("eager code", Outcome.INCONCLUSIVE), ("session 1", Outcome.MISMATCH)],
)
def test_chance_decides_on_other_operations_each_time(graph: str, outcome: Outcome) -> None:
    def placed(*devices: str) -> Observation:
        operations = [Operation("Relu", "Relu", device) for device in devices]
        return replace(leg(), placements=[Placement("eager code", True, operations)])

    own = Scenario("own", Machine((), ()), asked=True)
    entries = [
        Entry("MatMul", Outcome.MISMATCH, "GPU:0", "GPU:1", graph=graph),
        Entry("Relu", Outcome.MATCH, "GPU:0", "GPU:0", graph=graph),
    ]
    one, other = placed("GPU:0"), placed("GPU:1")
    compared = Comparison(own, one, one, [Aspect("placement", entries)])
    (found,) = without_chance([compared], lambda _: other, simulated=True)
    assert [entry.outcome for entry in found.aspects[0].entries] == [outcome, Outcome.MATCH]


@pytest.mark.parametrize(("sizes", "runs"), [([2, 3, 4], 3), ([1], 1)])
def test_program_that_varies_in_something_else_is_run_again(sizes: list[int], runs: int) -> None:
    def used(size: int) -> Observation:
        return replace(leg(), allocator={"GPU:0": {"peak": size << 20, "results": size << 20}})

    own = Scenario("own", Machine((), ()), asked=True)
    entry = Entry("MatMul", Outcome.MISMATCH, "GPU:0", "GPU:1", graph="eager code")
    compared = Comparison(own, used(1), used(5), [Aspect("placement", [entry])])
    left = [*sizes, 9]
    (found,) = without_chance([compared], lambda _: used(left.pop(0)), simulated=True)
    assert len(left) == len(sizes) + 1 - runs
    assert found.aspects[0].entries == [entry]


@pytest.mark.parametrize(
    ("before", "again", "after", "outcome"),
    [
        (["0.1", "0.5"], ["0.1", "0.6"], ["0.1", "0.7"], None),  # the second one is random
        (["0.1", "0.5"], ["0.1", "0.6"], ["0.2", "0.7"], Outcome.INCONCLUSIVE),
        (["0.1", "0.5"], ["0.1", "0.5"], ["0.1", "0.7"], Outcome.INCONCLUSIVE),
        (["0.1"], ["0.1"], ["0.1", "0.7"], Outcome.IGNORED),
        (["0.1", "0.5"], ["0.1", "0.5"], ["0.2"], Outcome.INCONCLUSIVE),
    ],
)
def test_numbers_in_graphs(
    before: list[str], again: list[str], after: list[str], outcome: Outcome | None
) -> None:
    scenario: object = None
    old, other, new = (
        replace(leg(), constants={"graph 1": numbers}) for numbers in (before, again, after)
    )
    observed = [Observed(scenario, old, new)]  # type: ignore[arg-type]
    (found,), notes = settled(observed, lambda: other)
    entries = list(compare_constants(found.before, found.after))
    assert [one.outcome for one in entries] == ([outcome] if outcome else [])
    assert bool(notes) == (again != before)
