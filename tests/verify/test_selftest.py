"""`tfgpu verify --self-test`: the mutants of a migration, and what becomes of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from tests.verify.server import Server, describe
from tests.verify.test_command import simulated, verify
from tests.verify.test_command import write as write_files
from tfgpu.files.pyfile import decode
from tfgpu.options import Options
from tfgpu.rulebook.book import load_rulebook
from tfgpu.verify.compare import compare
from tfgpu.verify.gpus import Machine, choose
from tfgpu.verify.observation import Device, Observation, Session
from tfgpu.verify.programs import Prepared, migration, two_files
from tfgpu.verify.selftest import Trial, exit_code, same_as, unlike
from tfgpu.verify.selftest_mutants import DROPPED, GPU, LATE, ORDER, VALUE, Mutant, mutants
from tfgpu.verify.verdict import Aspect, Entry, Outcome, Verdict

__all__ = ["simulated"]

EXAMPLES = [
    pytest.param(example.before, example.after, id=f"{rule.code} {number}")
    for rule in load_rulebook().rules
    for number, example in enumerate(rule.examples)
    if example.path.endswith(".py") and "tf.config." in example.after != example.before
]


def of_migration(folder: Path, **files: str) -> tuple[Prepared, Prepared, list[Mutant]]:
    """Return a program before and after, and its mutants; the first file is the script."""
    write_files(folder, **{name: dedent(text).lstrip() for name, text in files.items()})
    before, after = migration(folder / f"{next(iter(files))}.py", Options())
    return before, after, list(mutants(after, sessions(after)))


def sessions(after: Prepared) -> list[tuple[Path, int]]:
    """Return the lines that make a session."""
    return [
        (path, number)
        for path in (after.script, *after.changes)
        for number, line in enumerate(text(after, path).splitlines(), 1)
        if "Session(" in line
    ]


def text(version: Prepared, path: Path) -> str:
    return decode(version.changes.get(path) or path.read_bytes()).text


def changed(after: Prepared, mutant: Mutant) -> str:
    """Return the text of the only file of a mutant."""
    (data,) = mutant.changes.values()
    return data.decode()


def kinds(found: Sequence[Mutant]) -> list[tuple[str, str]]:
    return [(one.fault, one.detail) for one in found]


@pytest.mark.parametrize(("before", "after"), EXAMPLES)
def test_mutants_of_what_rules_write_are_programs(tmp_path: Path, before: str, after: str) -> None:
    write_files(tmp_path, old=before, new=after)
    migrated = two_files(tmp_path / "old.py", tmp_path / "new.py")[1]
    texts = [changed(migrated, one) for one in mutants(migrated, [])]
    for one in texts:
        ast.parse(one)
        assert one != after


def test_each_setting_of_each_kind(tmp_path: Path) -> None:
    _, _, found = of_migration(
        tmp_path,
        train="""
        import tensorflow as tf

        config = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=4)
        config.gpu_options.per_process_gpu_memory_fraction = 0.4
        session = tf.Session(config=config)
        """,
    )
    assert kinds(found) == [
        (DROPPED, ""), (VALUE, "True -> False"), (LATE, ""),
        (DROPPED, ""), (VALUE, "4 -> 2"), (LATE, ""),
        (VALUE, "0.4 -> 0.2"), (ORDER, "each with the next one's number"),
        (DROPPED, ""), (GPU, "on all but the first"), (LATE, ""),
    ]  # fmt: skip
    assert [one.unlike_gpus for one in found if one.fault == ORDER] == [True]


def test_what_the_user_wrote_is_left_alone(tmp_path: Path) -> None:
    _, after, found = of_migration(
        tmp_path,
        train="""
        import os
        import tensorflow as tf

        os.environ["CUDA_VISIBLE_DEVICES"] = "0"
        session = tf.Session(config=tf.ConfigProto(log_device_placement=True))
        """,
    )
    assert kinds(found)[:2] == [(DROPPED, ""), (VALUE, "True -> False")]
    for one in found:
        assert "set_log_device_placement" in one.code
        assert 'os.environ["CUDA_VISIBLE_DEVICES"] = "0"' in changed(after, one)


TWO_FILES = {
    "train": """
    # -*- coding: latin-1 -*-
    import tensorflow as tf
    from helper import settings

    def make():
        return tf.Session(config=settings("\xe9"))

    with make() as session:
        session.run(tf.matmul(tf.random.uniform([64, 64]), tf.ones([64, 64])))
    """,
    "helper": """
    import tensorflow as tf

    def settings(name):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        return config
    """,
}


def write_two_files(folder: Path) -> None:
    for name, body in TWO_FILES.items():
        (folder / f"{name}.py").write_bytes(dedent(body).lstrip().encode("latin-1"))


def test_a_setting_moves_to_the_session_of_another_file(tmp_path: Path) -> None:
    write_two_files(tmp_path)
    after = migration(tmp_path / "train.py", Options())[1]
    (late,) = [one for one in mutants(after, sessions(after)) if one.fault == LATE]
    assert {path.name for path in late.changes} == {"train.py", "helper.py"}
    assert "\xe9" in late.changes[tmp_path / "train.py"].decode("latin-1")
    assert "set_memory_growth" in late.changes[tmp_path / "helper.py"].decode()


@pytest.mark.usefixtures("simulated")
def test_the_command_on_a_program_of_two_files(tmp_path: Path) -> None:
    write_two_files(tmp_path)
    done = verify(tmp_path, "--self-test", "train.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(in " not in done.stdout  # there is one set-up
    found = [line for line in done.stdout.splitlines() if line.startswith("caught")]
    assert all("helper.py:" in line and "set_memory_growth" in line for line in found)
    assert [line.split()[1].rstrip(":") for line in found] == [
        "dropped",
        "another",
        "another",
        "behind",
    ]
    assert done.stdout.endswith("self-test: 4 of 4 mutants caught\n")


WORK = """
with tf.device("/gpu:0"):
    result = tf.matmul(tf.random.uniform([512, 512]), tf.ones([512, 512]))
session.run(result)
"""
MANY_SETTINGS = """
import tensorflow as tf
config = tf.ConfigProto(
    allow_soft_placement=True, log_device_placement=True, inter_op_parallelism_threads=3)
config.gpu_options.visible_device_list = "1,2"
config.gpu_options.allow_growth = True
config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
session = tf.Session(config=config)
"""
LIMITED = """
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
session = tf.Session(config=config)
"""
REORDERED = """
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.visible_device_list = "2,0"
session = tf.Session(config=config)
"""
SPLIT = """
import tensorflow as tf
options = tf.GPUOptions(
    visible_device_list="1",
    experimental=tf.GPUOptions.Experimental(
        virtual_devices=[tf.GPUOptions.Experimental.VirtualDevices(memory_limit_mb=[1024, 2048])]
    ),
)
session = tf.Session(config=tf.ConfigProto(gpu_options=options))
"""


@pytest.mark.parametrize(
    ("program", "aspects"),
    [
        pytest.param(MANY_SETTINGS, {"devices", "configuration", "memory"}, id="many"),
        pytest.param(LIMITED, {"devices", "memory"}, id="limit"),
        pytest.param(REORDERED, {"devices", "memory"}, id="order"),
        pytest.param(SPLIT, {"devices", "memory"}, id="split"),
    ],
)
def test_all_mutants_are_caught(
    server: Server, tmp_path: Path, program: str, aspects: set[str]
) -> None:
    gpus = "sim:3GiB,5GiB,4GiB"
    (tmp_path / "train.py").write_text(program + WORK)
    _, after = migration(tmp_path / "train.py", Options(unsafe_fixes=True))
    first = server.leg(program + WORK, gpus, True)

    def verdict(body: str) -> Verdict:
        leg = server.leg(body, gpus, False)
        return Verdict(gpus, True, first, leg, compare(first, leg, simulated=True))

    match = verdict(text(after, after.script))
    assert match.outcome is Outcome.MATCH, describe(match)
    differing = set()
    for one in mutants(after, sessions(after)):
        found = verdict(changed(after, one))
        assert found.outcome is Outcome.MISMATCH, f"{one}\n{describe(found)}"
        differing |= {aspect.name for aspect in found.aspects if aspect.outcome is Outcome.MISMATCH}
    assert differing >= aspects


# --- what makes no difference ---


def observed(*gpus: str, not_run: Sequence[str] = ()) -> Verdict:
    """Return a match on cards of which some are devices: "+" in front."""
    devices = [Device(f"GPU:{one}", 1, one[1:]) for one in gpus if one.startswith("+")]
    leg = Observation(
        program="train.py",
        tensorflow="2.21.0",
        python="3.12.3",
        stands_in=False,
        ended="end",
        physical=[Device(one, 1, one[1:]) for one in gpus],
        sessions=[Session("session 1", "train.py:4", "", {}, devices)],
        not_run=not_run,
    )
    return Verdict("", True, leg, leg, [Aspect("devices", [Entry("x", Outcome.MATCH, "", "")])])


DEFAULT = """
import tensorflow as tf
config = tf.ConfigProto()
config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.OFF
session = tf.Session(config=config)
"""
CHOICE = """
import tensorflow as tf
config = tf.ConfigProto(device_count={"GPU": 2})
session = tf.Session(config=config)
"""


def first_mutant(folder: Path, program: str, fault: str) -> tuple[Prepared, Mutant]:
    _, after, found = of_migration(folder, train=program)
    return after, next(one for one in found if one.fault == fault)


@pytest.mark.parametrize(
    ("program", "fault", "gpus", "reason"),
    [
        (DEFAULT, DROPPED, "sim:2", "by itself"),
        (DEFAULT, VALUE, "sim:2", ""),
        (LIMITED, ORDER, "sim:1", "there are no two GPUs"),
        (LIMITED, ORDER, "sim:2", "of the same size"),
        (LIMITED, ORDER, "sim:1GiB,2GiB", ""),
        (LIMITED, DROPPED, "sim:1", ""),
    ],
)
def test_a_mutant_makes_no_difference_only_where_that_is_known(
    tmp_path: Path, program: str, fault: str, gpus: str, reason: str
) -> None:
    after, mutant = first_mutant(tmp_path, program, fault)
    same = same_as(mutant, after, observed("+0"), [choose(gpus)])
    assert reason in same
    assert bool(same) == bool(reason)


def test_another_set_up_may_have_what_a_mutant_needs(tmp_path: Path) -> None:
    after, mutant = first_mutant(tmp_path, LIMITED, ORDER)
    machines = [choose("sim:1"), choose("sim:1GiB,2GiB")]
    assert not same_as(mutant, after, observed("+0"), machines)


def test_a_default_counts_where_the_program_sets_another_value_too(tmp_path: Path) -> None:
    tensorflow = "import tensorflow.compat.v1 as tf\n"
    jit = "tf.config.optimizer.set_jit({})\n"
    once = tensorflow + jit.format(False)
    write_files(tmp_path, old=tensorflow, once=once, twice=once + jit.format(True))
    for name, same in (("once", [True, False]), ("twice", [False] * 4)):
        after = two_files(tmp_path / "old.py", tmp_path / f"{name}.py")[1]
        assert [bool(one.same) for one in mutants(after, [])] == same


def test_a_statement_that_does_not_run_makes_no_difference(tmp_path: Path) -> None:
    after, mutant = first_mutant(tmp_path, LIMITED, DROPPED)
    found = observed("+0", not_run=[f"train.py:{mutant.line} under for gpu in ()"])
    assert same_as(mutant, after, found, [choose("sim:1")]) == "the statement does not run"
    found = observed("+0", not_run=[f"train.py:{mutant.line}0"])
    assert not same_as(mutant, after, found, [choose("sim:1")])


@pytest.mark.parametrize(
    ("fault", "gpus", "same"),
    [
        (DROPPED, ("+0", "+1"), True),
        (DROPPED, ("+0", "-1"), False),
        (GPU, ("+0", "+1"), False),
    ],
)
def test_a_choice_of_all_gpus_is_none(
    tmp_path: Path, fault: str, gpus: tuple[str, ...], same: bool
) -> None:
    _, mutant = first_mutant(tmp_path, CHOICE, fault)
    trial = Trial.of(mutant, observed(*gpus), observed(*gpus))
    assert bool(trial.same) == same
    assert not trial.is_caught


def test_the_status_is_0_only_where_all_are_caught(tmp_path: Path) -> None:
    _, mutant = first_mutant(tmp_path, LIMITED, DROPPED)
    caught = Trial(mutant, outcome=Outcome.MISMATCH)
    same, missed = Trial(mutant, same="no GPU"), Trial(mutant)
    unknown = replace(missed, outcome=Outcome.INCONCLUSIVE)
    assert exit_code([caught, same]) == 0
    assert [exit_code(one) for one in ([caught, missed], [unknown], [same], [])] == [3] * 4


def test_nobody_asked_for_gpus_of_one_size() -> None:
    assert len({gpu.total_mib for gpu in unlike(choose("sim:4")).simulated or ()}) > 1
    for same in (choose("sim:1GiB,2GiB"), Machine(None, ())):
        assert unlike(same) == same


ON_ARGUMENTS = """
import sys
import tensorflow as tf
config = tf.ConfigProto()
if "--grow" in sys.argv:
    config.gpu_options.allow_growth = True
session = tf.Session(config=config)
with tf.device("/gpu:0"):
    session.run(tf.matmul(tf.ones([64, 64]), tf.random.uniform([64, 64])))
"""


@pytest.mark.usefixtures("simulated")
def test_all_lists_of_arguments_are_tried(tmp_path: Path) -> None:
    write_files(tmp_path, train=ON_ARGUMENTS)
    lists = ("--args", "", "--args", "--grow")
    done = verify(tmp_path, "--self-test", "train.py", *lists, gpus=("--gpus", "sim:1x2GiB"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "with --grow)" in done.stdout
