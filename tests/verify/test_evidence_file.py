"""Evidence: the statement of a verdict, and what checking it says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.tools import tfgpu
from tests.verify.loaded import command
from tests.verify.test_command import GROWING, contents, simulated, verify, write
from tfgpu.options import Options
from tfgpu.verify.assumptions import HELD, Assumption, Checked
from tfgpu.verify.evidence import statement, text_of, versions
from tfgpu.verify.evidence_check import SCHEMA, NoEvidence, differing_parts, read_evidence
from tfgpu.verify.evidence_runs import other_set_ups
from tfgpu.verify.gpus import choose
from tfgpu.verify.isolation.mechanism import MECHANISMS
from tfgpu.verify.observation import (
    Device,
    GpuMemory,
    Observation,
    Operation,
    Placement,
    Session,
)
from tfgpu.verify.programs import migration, taken_back
from tfgpu.verify.scenarios import asked_ranks, given_ranks, scenarios
from tfgpu.verify.verdict import (
    ASPECTS,
    Aspect,
    Comparison,
    Entry,
    Outcome,
    Verdict,
    bound_of,
)
from tfgpu.verify.verification import Settings

__all__ = ["simulated"]

HELPER = """
import tensorflow as tf

def settings():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config
"""
MAIN = """
import tensorflow as tf
from helper import settings

session = tf.Session(config=settings())
"""
LEGS = ("before", "after")
SET_UPS = scenarios(choose("sim:1"), [[]])
HELD_HERE = Checked(Assumption("0", "no-session-before", "train.py:3", "no session before"), HELD)


def leg(process: int, seconds: float, peak: int) -> Observation:
    """Return a run; its arguments are what no two runs have in common."""
    return Observation(
        program="train.py",
        tensorflow="2.21.0",
        python="3.12.3",
        stands_in=False,
        ended="end",
        process=process,
        seconds=seconds,
        sessions=[Session("session 1", "train.py:5", "", {}, [Device("GPU:0", 2**34, "00")])],
        placements=[Placement("session 1", False, [Operation("a", "MatMul", "GPU:0")])],
        memory=[GpuMemory(0, "00", 2**34, 2**34, [("alloc", peak)], [peak], peak)],
        assumptions=[HELD_HERE],
        stdout=f"it took {seconds} seconds",
        written=[(f"/tmp/run{process}/log", False)],
    )


def verdict(process: int = 1, outcome: Outcome = Outcome.MATCH) -> Verdict:
    by_chance = Outcome.MATCH if process % 2 else Outcome.IGNORED
    entries = {
        "memory": Entry("allocations", by_chance, f"{process}", "", f"by chance, {process}"),
        "configuration": Entry("gpu_options.allow_growth", outcome, "True", "", "growth"),
    }
    aspects = [
        Aspect(one, [entries.get(one, Entry("x", Outcome.MATCH, "", ""))]) for one in ASPECTS
    ]
    legs = leg(process, process / 7, process << 20), leg(process + 1, process / 3, process << 21)
    own = Comparison(SET_UPS[0], *legs, aspects)
    return Verdict("1 GPU", True, *legs, aspects, (), "namespaces", bound_of(5), [own])


def evidence(folder: Path, found: Verdict) -> dict[str, Any]:
    """Return the statement about the migration of train.py in a folder, the working directory."""
    pair = migration(folder / "train.py", Options())
    settings = Settings(choose("sim:1"), "python", "python", quick=len(found.scenarios) == 1)
    return statement(versions(*pair, "migration"), found, settings)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, train=MAIN, helper=HELPER)
    return tmp_path


@pytest.fixture
def written(program: Path) -> Path:
    """Return the evidence of a match about the program."""
    path = program / "evidence.json"
    path.write_text(text_of(evidence(program, verdict())), "utf-8")
    return path


def check(*arguments: str) -> tuple[int, str]:
    done = tfgpu("evidence", "check", "evidence.json", *arguments)
    return done.exit_code, done.stdout + done.stderr


def test_what_differs_from_run_to_run_is_not_in_it(program: Path) -> None:
    texts = {text_of(evidence(program, verdict(process))) for process in (1, 2, 3001)}
    assert len(texts) == 1


def test_it_is_an_in_toto_statement_about_the_files_of_both_versions(program: Path) -> None:
    found = evidence(program, verdict())
    assert found["_type"] == "https://in-toto.io/Statement/v1"
    digests = {row["name"]: row["digest"]["sha256"] for row in found["subject"]}
    assert set(digests) == {
        f"{version}/{name}.py" for version in ("before", "after") for name in ("train", "helper")
    }
    sums = subprocess.run(
        ["sha256sum", "train.py", "helper.py"],
        cwd=program,
        capture_output=True,
        text=True,
        check=True,
    )
    for line in sums.stdout.splitlines():
        value, name = line.split()
        assert digests[f"before/{name}"] == value != digests[f"after/{name}"]
    assert found["predicate"]["assumptions"][0]["status"] == "held"


def with_set_ups(*outcomes: Outcome) -> Verdict:
    """Return a verdict over set-ups: the own one, and others that nobody asked for."""
    own = verdict()
    legs = own.before, own.after
    others = [
        Comparison(scenario, *legs, verdict(1, one).aspects)
        for scenario, one in zip(SET_UPS[1:], outcomes, strict=True)
    ]
    return replace(own, scenarios=[*own.scenarios, *others])


def test_ranks_of_the_environment_are_in_it(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asks = HELPER + 'import os\nos.environ["SLURM_LOCALID"]\n'
    write(program, train=MAIN, helper=asks)
    monkeypatch.setenv("SLURM_LOCALID", "2")
    monkeypatch.setenv("SLURM_PROCID", "6")  # which it does not ask for
    options = evidence(program, verdict())["predicate"]["options"]
    assert options["ranks"] == {"SLURM_LOCALID": "2"}


def test_a_bridge_is_run_again_as_one(program: Path) -> None:
    before, after = migration(program / "train.py", Options(bridge=True))
    assert after.bridge
    settings = Settings(choose("sim:1"), "python", "python")
    found = statement(versions(before, after, "migration"), verdict(), settings)
    again = taken_back(program / "train.py", {}, found["predicate"]["program"]["bridge"])
    assert [one.bridge for one in again] == [False, True]


def test_each_set_up_is_in_it(program: Path) -> None:
    found = evidence(program, with_set_ups(Outcome.MATCH, Outcome.INCONCLUSIVE))
    told = [(one["name"], one["outcome"], one["counts"]) for one in found["predicate"]["set_ups"]]
    assert told == [
        ("sim:1x16GiB", "match", True),
        ("sim:12GiB,8GiB", "match", True),
        ("no GPU", "inconclusive", False),
    ]
    (program / "evidence.json").write_text(text_of(found), "utf-8")
    assert "match in 2 of 2 set-ups" in check()[1]


@pytest.mark.parametrize("outcome", [Outcome.MATCH, Outcome.MISMATCH, Outcome.INCONCLUSIVE])
def test_the_schema_describes_it(program: Path, outcome: Outcome) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    found = evidence(program, verdict(outcome=outcome))
    jsonschema.validate(found, schema)
    for wrong in ({**found, "subject": []}, {**found, "time": "12:00"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


@pytest.mark.parametrize(
    ("outcome", "status"), [(Outcome.MATCH, 0), (Outcome.MISMATCH, 1), (Outcome.INCONCLUSIVE, 3)]
)
def test_a_check_ends_as_the_verdict_did(program: Path, outcome: Outcome, status: int) -> None:
    found = text_of(evidence(program, verdict(outcome=outcome)))
    (program / "evidence.json").write_text(found, "utf-8")
    code, said = check()
    assert code == status, said
    assert f"{outcome.value} in 1 of 1 set-ups" in said


@pytest.mark.usefixtures("written")
def test_both_versions_are_known(program: Path) -> None:
    assert "as they are before" in check()[1]
    assert tfgpu("migrate", "--write", "--force", ".").exit_code in (0, 1)
    code, said = check()
    assert code == 0, said
    assert "as they are after" in said


@pytest.mark.usefixtures("written")
def test_files_that_changed_are_named(program: Path) -> None:
    (program / "helper.py").write_text(HELPER + "# later\n")
    assert check() == (3, check()[1])
    assert "helper.py: changed" in check()[1]
    (program / "helper.py").unlink()
    assert "helper.py: missing" in check()[1]
    (program / "helper.py").write_text(HELPER)
    (program / "tensorflow.py").write_text("Session = print\n")
    assert "tensorflow.py: new" in check()[1]
    assert check()[0] == 3


def test_a_script_that_is_started_is_one_of_the_files(program: Path) -> None:
    (program / "train.py").write_text(f"import os\nos.system('python worker.py')\n{MAIN}")
    (program / "worker.py").write_text("print(1)\n")
    (program / "evidence.json").write_text(text_of(evidence(program, verdict())), "utf-8")
    assert check()[0] == 0
    (program / "worker.py").write_text("print(2)\n")
    assert check()[0] == 3
    assert "worker.py: changed" in check()[1]


@pytest.mark.usefixtures("written")
def test_half_a_migration_is_neither_version(program: Path) -> None:
    before = (program / "train.py").read_text()
    tfgpu("migrate", "--write", "--force", ".")
    (program / "train.py").write_text(before)
    code, said = check()
    assert code == 3
    assert "helper.py: as after" in said
    assert "train.py: as before" in said


def change(found: dict[str, Any], **parts: Any) -> Mapping[str, Any]:
    return {**found, "predicate": {**found["predicate"], **parts}}


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"outcome": "mismatch"}, "its set-ups come to another one"),
        ({"outcome": "fine"}, "predicate.outcome"),
        ({"signed": True}, "signed"),
    ],
)
def test_what_is_no_evidence(program: Path, parts: dict[str, Any], said: str) -> None:
    found = change(evidence(program, verdict()), **parts)
    (program / "evidence.json").write_text(text_of(found))
    with pytest.raises(NoEvidence, match=said):
        read_evidence(program / "evidence.json")
    assert check()[0] == 2


@pytest.mark.parametrize("text", ["match", "[" * 100_000, "9" * 5000])
def test_a_text_that_is_no_json_is_no_evidence(program: Path, text: str) -> None:
    (program / "evidence.json").write_text(text)
    code, said = check()
    assert code == 2
    assert "Traceback" not in said


CONTRADICTIONS: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "an aspect differs": (
        lambda set_ups: set_ups[0]["aspects"][0].update(outcome="mismatch"),
        "its outcome is not that of its differences",
    ),
    "differences of a match": (
        lambda set_ups: set_ups[0]["aspects"][3].update(differing=3),
        "its outcome is not that of its differences",
    ),
    "nothing was compared": (
        lambda set_ups: set_ups[0]["aspects"][4].update(compared=0),
        "its outcome is not that of its differences",
    ),
    "an aspect twice": (
        lambda set_ups: set_ups[0]["aspects"].__setitem__(3, set_ups[0]["aspects"][0]),
        "they are not devices, configuration, placement, memory, result",
    ),
    "a leg in trouble": (
        lambda set_ups: set_ups[1]["after"].update(trouble=["killed"]),
        "its aspects and runs come to another one",
    ),
    "a match that is not counted": (
        lambda set_ups: set_ups[1].update(counts=False),
        "its outcome is part of the verdict",
    ),
    "the own set-up is not counted": (
        lambda set_ups: set_ups[0].update(counts=False),
        "its outcome is part of the verdict",
    ),
    "other arguments": (
        lambda set_ups: set_ups[0].update(arguments=["--quick"]),
        "they are not those of options.arguments",
    ),
    "no operation on GPUs": (
        lambda set_ups: [set_ups[0][leg].update(operations_on_gpus=0) for leg in LEGS],
        "its runs are no match: there are GPUs, and no operation ran on one",
    ),
    "no operation on GPUs of which nothing is told": (
        lambda set_ups: [
            (set_ups[0][leg].update(operations_on_gpus=0), set_ups[0][leg].pop("gpus"))
            for leg in LEGS
        ],
        "its runs are no match: there are GPUs, and no operation ran on one",
    ),
    "no session": (
        lambda set_ups: [set_ups[0][leg].update(sessions=0) for leg in LEGS],
        "its runs are no match",
    ),
    "both out of time": (
        lambda set_ups: [set_ups[0][leg].update(ended="timeout") for leg in LEGS],
        "its runs are no match: neither side got to its end",
    ),
    "one ends with an error": (
        lambda set_ups: set_ups[0]["after"].update(ended="exception"),
        "its runs are no match: the two sides end differently",
    ),
    "a statement that did not run": (
        lambda set_ups: set_ups[0]["after"]["changed_statements"].update(
            all=1, ran=0, did_not_run=["train.py:5"]
        ),
        "its runs are no match: what was changed did not all run: after: train.py:5",
    ),
    "statements of which nothing is told": (
        lambda set_ups: set_ups[0]["after"]["changed_statements"].update(all=7),
        "the numbers are not those of one run",
    ),
    "a set-up that is missing": (
        lambda set_ups: set_ups.pop(),
        "they are not those that come of the options",
    ),
    "other GPUs": (
        lambda set_ups: set_ups[1].update(gpus="2 x Simulated GPU, 16384 MiB (estimated)"),
        "they are not those that come of the options",
    ),
    "real GPUs": (
        lambda set_ups: set_ups[0].update(simulated=False),
        "they are not on the GPUs of options.gpus",
    ),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_evidence_that_contradicts_itself_is_none(program: Path, name: str) -> None:
    found = evidence(program, with_set_ups(Outcome.MATCH, Outcome.MATCH))
    (program / "evidence.json").write_text(text_of(found), "utf-8")
    assert check()[0] == 0
    act, said = CONTRADICTIONS[name]
    act(found["predicate"]["set_ups"])
    (program / "evidence.json").write_text(text_of(found), "utf-8")
    assert check()[0] == 2
    assert said in check()[1]


OTHERS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "all set-ups": (
        lambda found: found["predicate"]["options"].update(quick=False),
        "they are not those that come of the options",
    ),
    "other GPUs": (
        lambda found: found["predicate"]["options"].update(gpus="sim:2"),
        "they are not those that come of the options",
    ),
    "no GPUs": (
        lambda found: found["predicate"]["options"].update(gpus="sim:many"),
        "options.gpus",
    ),
    "all runs of a step": (
        lambda found: found["predicate"]["options"].update(steps=0),
        "another bound is named",
    ),
    "no isolation": (lambda found: found["predicate"].update(isolation="none"), "isolation"),
    "another isolation": (
        lambda found: found["predicate"].update(isolation="landlock"),
        "the notes tell of another one",
    ),
    "an assumption that failed": (
        lambda found: found["predicate"]["assumptions"][0].update(status="failed"),
        "without it there is no match",
    ),
    "no version after": (
        lambda found: found.update(
            subject=[one for one in found["subject"] if one["name"].startswith("before/")]
        ),
        "after/train.py is not in it",
    ),
    "a file twice": (
        lambda found: found["subject"].append(found["subject"][0]),
        "a file is in it twice",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_no_part_can_be_changed_alone(program: Path, name: str) -> None:
    found = evidence(program, replace(verdict(), notes=[MECHANISMS[0].words]))
    (program / "evidence.json").write_text(text_of(found), "utf-8")
    assert check()[0] == 0, check()
    act, said = OTHERS[name]
    act(found)
    (program / "evidence.json").write_text(text_of(found), "utf-8")
    assert check()[0] == 2
    assert said in check()[1]


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        (["--quick"], {}),
        ([], {}),
        (["--gpus", "sim:T4(used=4GiB)"], {}),
        (["--gpus", "sim:0"], {}),
        (["--args", "a", "--args", "b"], {}),
        ([], {"SLURM_PROCID": "1"}),
    ],
)
@pytest.mark.parametrize("text", ["", "SLURM_PROCID", "HOROVOD_RANK"])
@pytest.mark.parametrize("horovod", [True, False])
def test_set_ups_come_of_their_options(
    options: list[str], environment: dict[str, str], text: str, horovod: bool
) -> None:
    gpus = options[1] if "--gpus" in options else "sim:2"
    arguments = [["a"], ["b"]] if "--args" in options else [[]]
    ranks, quick = asked_ranks(f"'{text}'"), "--quick" in options
    given = given_ranks(ranks, environment)
    found = scenarios(choose(gpus), arguments, ranks, environment, quick, horovod=horovod)
    run = {
        **{"tensorflow": "", "python": "", "stands_in": False, "ended": "end", "sessions": 1},
        **{"operations_on_gpus": 1, "trouble": []},
        "changed_statements": {"all": 0, "ran": 0, "did_not_run": []},
    }
    rows = [
        {
            **{"name": one.name, "gpus": one.machine.description, "simulated": True},
            **{"arguments": list(one.argv), "variables": dict(one.variables)},
            **{"before": run, "after": run},
        }
        for one in found
    ]
    told = {"gpus": gpus, "arguments": arguments, "ranks": given, "quick": quick}
    assert other_set_ups({"options": told, "set_ups": rows}) == ""
    assert other_set_ups({"options": told, "set_ups": [*rows, rows[0]]})


def test_a_check_says_that_one_set_up_was_asked_for(program: Path) -> None:
    found = evidence(program, verdict())
    (program / "evidence.json").write_text(text_of(found), "utf-8")
    assert "without numbers and other set-ups (--quick)" in check()[1]


def test_what_differs_is_named(program: Path) -> None:
    one = evidence(program, verdict())
    assert differing_parts(one, one) == []
    other = evidence(program, verdict(outcome=Outcome.MISMATCH))
    assert "predicate.outcome" in differing_parts(one, other)
    (program / "helper.py").write_text(HELPER + "# later\n")
    now = evidence(program, replace(verdict(), isolation="landlock"))
    assert differing_parts(one, now) == [
        "after/helper.py",
        "before/helper.py",
        "predicate.isolation",
    ]


@pytest.mark.usefixtures("simulated")
def test_a_verification_is_run_again_behind_its_migration(tmp_path: Path) -> None:
    """The version before is in the history of git alone then."""
    write(tmp_path, train=GROWING)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "train.py"], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    done = verify(tmp_path, "train.py", "--quick", "--evidence", "evidence.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert tfgpu("migrate", "--write", "--force", str(tmp_path / "train.py")).exit_code in (0, 1)
    files = contents(tmp_path)
    again = command(tmp_path, "evidence", "check", "evidence.json", "--rerun")
    said = again.stdout
    assert again.returncode == 0, said + again.stderr
    assert "as they are after" in said
    assert said.endswith("run again: the same\n")
    assert contents(tmp_path) == files
