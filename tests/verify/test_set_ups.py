"""Programs in several set-ups: what only another one shows, and how the legs are run."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from tests.verify.hostile_files import is_running
from tests.verify.server import Server, libraries_or_skip
from tests.verify.test_command import verify
from tfgpu.verify.gpus import Machine
from tfgpu.verify.isolation.mechanism import MECHANISMS, Mechanism, NotIsolated, choose
from tfgpu.verify.isolation.workspace import workspace
from tfgpu.verify.legs import Leg, Program, Surroundings
from tfgpu.verify.loaded import Loaded
from tfgpu.verify.on_gpus import Observed, Pair, Runner, run_pairs
from tfgpu.verify.scenarios import asked_ranks, scenarios
from tfgpu.verify.simgpu.gpus import parse_gpus
from tfgpu.verify.simgpu.launch import simulated_environment
from tfgpu.verify.together import comparisons
from tfgpu.verify.verification import STAND_INS

V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
RUN = """
with tf.device("/gpu:0"):
    product = tf.matmul(tf.random.uniform([64, 64]), tf.ones([64, 64]))
tf.Session({}).run(product)
"""


def config(text: str, options: str) -> str:
    return V1 + text + RUN.format(f"config=tf.ConfigProto(gpu_options=tf.GPUOptions({options}))")


def outcomes(
    server: Server,
    before: str,
    after: str,
    gpus: str,
    arguments: Sequence[Sequence[str]] = ((),),
    lines: Sequence[int] = (),
    only_asked: bool = False,
) -> dict[str, str]:
    """Return what each set-up shows; `lines` are those of `after` that should run."""
    observed = []
    machine = Machine(parse_gpus(gpus), ())
    for one in scenarios(machine, arguments, asked_ranks(before)):
        if only_asked and not one.asked:
            continue
        name = "sim:0" if one.machine.is_empty else one.machine.name
        legs = [
            server.leg(text, name, False, one.argv, one.variables, lines=changed, paths=[STAND_INS])
            for text, changed in ((before, ()), (after, lines))
        ]
        observed.append(Observed(one, *legs))
    found = comparisons(observed, simulated=True)
    return {one.scenario.name: "silent" if one.is_silent else one.outcome.value for one in found}


def test_a_limit_that_is_right_for_one_size(server: Server) -> None:
    limit = (
        "gpu = tf.config.list_physical_devices('GPU')[0]\n"
        "one = tf.config.LogicalDeviceConfiguration(memory_limit=1024)\n"
        "tf.config.set_logical_device_configuration(gpu, [one])\n"
    )
    found = outcomes(
        server,
        config("", "per_process_gpu_memory_fraction=0.5"),
        V1 + limit + RUN.format(""),
        "sim:1x2GiB",
    )
    assert found == {
        "sim:1x2GiB": "match",
        "sim:1536MiB,1GiB": "mismatch",
        "no GPU": "mismatch",  # it needs one
    }


HOROVOD = "import horovod.tensorflow as hvd\nhvd.init()\n"


@pytest.mark.parametrize(
    ("start", "local", "rank"),
    [
        (HOROVOD, "hvd.local_rank()", "hvd.rank()"),
        (
            "import os\n",
            "os.environ['OMPI_COMM_WORLD_LOCAL_RANK']",
            "os.environ['OMPI_COMM_WORLD_RANK']",
        ),
    ],
)
def test_a_rank_for_a_local_rank(server: Server, start: str, local: str, rank: str) -> None:
    def program(number: str) -> str:
        names = f"# {local} {rank}\n"  # both are asked for on both sides
        return config(start + names, f"visible_device_list=str({number})")

    same = outcomes(server, program(local), program(local), "sim:2x2GiB")
    assert same == {
        "sim:2x2GiB, rank 0 of 1": "match",
        "sim:2x2GiB, rank 1 of 2": "match",
        "sim:2x2GiB, rank 3 of 4 on two hosts": "match",
        "sim:1x2GiB": "match",
        "sim:1536MiB,1GiB,1280MiB": "match",
        "no GPU": "silent",  # its operations are on a GPU
    }
    found = outcomes(server, program(local), program(rank), "sim:2x2GiB")
    differs = {name for name, outcome in found.items() if outcome != same[name]}
    assert differs == {"sim:2x2GiB, rank 3 of 4 on two hosts"}
    assert found["sim:2x2GiB, rank 3 of 4 on two hosts"] == "mismatch"


EAGER = """
import tensorflow as tf
tf.config.set_soft_device_placement(False)
with tf.device("/cpu:0"):
    weights = tf.Variable(tf.ones([64, 64]))
with tf.device("/gpu:{}"):
    tf.matmul(tf.random.uniform([64, 64]), weights)
"""
GRAPH = """
with tf.device("/cpu:0"):
    weights = tf.Variable(tf.ones([64, 64]))
with tf.device("/gpu:{}"):
    product = tf.matmul(tf.random.uniform([64, 64]), weights)
session = tf.Session()
session.run(weights.initializer)
session.run(product)
"""


def test_another_form_that_needs_two_gpus(server: Server) -> None:
    """Without them a session refuses its graph, eager code has made its variables by then."""
    found = outcomes(server, V1 + GRAPH.format(1), EAGER.format(1), "sim:2x2GiB")
    assert found == {
        "sim:2x2GiB": "match",
        "sim:1x2GiB": "silent",
        "sim:1536MiB,1GiB,1280MiB": "match",
        "no GPU": "silent",
    }
    wrong = outcomes(server, V1 + GRAPH.format(0), EAGER.format(1), "sim:2x2GiB")
    assert wrong["sim:2x2GiB"] == wrong["sim:1x2GiB"] == "mismatch"


def test_a_program_that_needs_two_gpus(server: Server) -> None:
    before = config("", "visible_device_list='1'")
    chosen = (
        "gpus = tf.config.list_physical_devices('GPU')\n"
        "tf.config.set_visible_devices(gpus[1], 'GPU')\n"
    )
    found = outcomes(server, before, V1 + chosen + RUN.format(""), "sim:2x2GiB")
    assert found["sim:2x2GiB"] == found["sim:1536MiB,1GiB,1280MiB"] == "match"
    assert found["sim:1x2GiB"] == "silent"


def test_lines_count_where_they_ran_in_a_set_up_that_matches(server: Server) -> None:
    text = (
        "import sys\n"
        "if sys.argv[1:]:\n"
        "    tf.config.set_soft_device_placement(True)\n"
        "else:\n"
        "    tf.config.set_soft_device_placement(True)\n"
    )
    program = V1 + text + RUN.format("")
    lines = [5, 7]
    for arguments, wanted in (([()], "inconclusive"), ([(), ("x",)], "match")):
        found = outcomes(server, program, program, "sim:0", arguments, lines, only_asked=True)
        assert found["no GPU"] == wanted
    ends = V1 + text + "    sys.exit(3)\n" + RUN.format("")
    found = outcomes(server, ends, ends, "sim:0", [("x",), ()], lines, only_asked=True)
    assert found == {
        "no GPU": "inconclusive",  # the other line ran where nothing was compared
        "no GPU with no arguments": "inconclusive",
    }


GUARDED = """
import argparse
import os

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--frac", type=float)
args = parser.parse_args()
assert not os.path.exists("done"), "another run has written here"
config = tf.ConfigProto()
if args.frac:
    config.gpu_options.per_process_gpu_memory_fraction = args.frac
with tf.Session(config=config) as session:
    session.run(tf.matmul(tf.random.uniform([64, 64]), tf.ones([64, 64])))
open("done", "w").close()
"""


def test_lists_of_arguments(tmp_path: Path) -> None:
    libraries_or_skip()
    (tmp_path / "train.py").write_text(GUARDED)
    gpus = ("--gpus", "sim:1x2GiB")
    lists = ("--args", "", "--args", "--frac '0.5'")
    done = verify(tmp_path, "train.py", "--format", "json", *lists, gpus=gpus)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert [(one["name"], one["outcome"]) for one in report["scenarios"]] == [
        ("sim:1x2GiB", "match"),
        ("sim:1x2GiB with --frac 0.5", "match"),
        ("sim:1536MiB,1GiB", "match"),
        ("no GPU", "match"),
    ]
    assert [one["arguments"] for one in report["scenarios"][:2]] == [[], ["--frac", "0.5"]]
    for arguments, words in (
        (("--args", "'"), "No closing quotation"),
        (("--quick", *lists), "--quick runs one set-up"),
    ):
        wrong = verify(tmp_path, "train.py", *arguments, gpus=gpus)
        assert wrong.returncode == 2
        assert words in wrong.stderr


# --- how the legs are run ---


@pytest.mark.parametrize(("status", "ran"), [(0, ["", "1", "2"]), (3, ["", "1"])])
def test_new_processes(tmp_path: Path, status: int, ran: list[str]) -> None:
    text = f"import os, sys\nprint(os.environ['NUMBER'])\nsys.exit({status})"
    program, around = leg(tmp_path / "1", text)
    found = scenarios(Machine(parse_gpus("sim:1"), ()), [(), ("x",)])[:3]
    pairs = []
    for number, one in enumerate(found):
        variables = {**around.environment, "NUMBER": str(number or "")}
        this = (program, replace(around, environment=variables))
        pairs.append(Pair(one, (this, this)))
    with workspace() as work:
        observed = run_pairs(pairs, Runner(work, forks=False))
    # Where the own set-up fails early, those that nobody asked for are left out.
    assert [one.before.stdout.strip() for one in observed] == ran
    assert [one.after.stdout.strip() for one in observed] == ran
    assert {(one.before.ended, one.before.status) for one in observed} == {
        ("exit" if status else "end", status)
    }


def leg(
    folder: Path,
    text: str,
    timeout: float = 60,
    python: str = sys.executable,
    mechanism: Mechanism = MECHANISMS[0],
) -> Leg:
    """Return a leg that is laid out in a folder of its own."""
    folder.mkdir()
    path = folder / "program.py"
    path.write_text(dedent(text))
    libraries = libraries_or_skip()
    environment = {**simulated_environment(parse_gpus("sim:1"), libraries), "RANK": folder.name}
    with workspace() as work:
        try:
            choose(work, [mechanism])
        except NotIsolated as error:
            pytest.skip(str(error))
    program = Program("program.py", path, folder, folder, python, argv=["an argument"])
    return program, Surroundings(environment, libraries, 5, timeout, mechanism)


TELLS = """
import contextlib, os, subprocess, sys
import tensorflow as tf
print(sys.argv[1], os.environ["RANK"], os.path.exists("/tmp/tfgpu_forked"))
with contextlib.suppress(PermissionError):
    open("/tmp/tfgpu_forked", "w").close()
for number in range(3, 50):
    try:
        os.write(number, b"x")
    except OSError:
        pass
subprocess.Popen(["setsid", "sleep", "{}"], start_new_session=True)
found = tf.config.list_physical_devices("GPU")
with open("/proc/self/maps") as maps:
    drivers = sum("libtfgpu_sim" in line and " 00000000 " in line for line in maps)
sys.exit(found == [] or drivers != 1)
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loaded]:
    """A process that has TensorFlow, and forks for each leg."""
    folder = tmp_path_factory.mktemp("loaded")
    with workspace() as work, Loaded(leg(folder / "0", ""), work) as process:
        yield process


@pytest.mark.parametrize("mechanism", MECHANISMS[::2], ids=lambda one: one.kind)
def test_legs_in_forks_of_one_process(tmp_path: Path, loaded: Loaded, mechanism: Mechanism) -> None:
    seconds = f"81{os.getpid()}"
    tells = TELLS.format(seconds)
    texts = [tells, tells, "while True: pass", "import os\nos.abort()"]
    legs = [
        (leg(tmp_path / str(number), text, 1 if "while" in text else 60, mechanism=mechanism), name)
        for number, text in enumerate(texts, 1)
        for name in [f"{mechanism.kind} {number}"]
    ]
    runs = [*loaded.run(legs[:1], 2), *loaded.run(legs[1:], 2)]
    found = [(run.status, run.stdout.read_text()) for run in runs if run]
    assert found == [
        (0, "an argument 1 False\n"),
        (0, "an argument 2 False\n"),
        (None, ""),
        (-6, ""),
    ], [run.stderr.read_text()[-2000:] for run in runs if run]
    assert not is_running("sleep", seconds)
    assert not Path("/tmp/tfgpu_forked").exists()


def test_a_program_with_a_module_that_tensorflow_has_imported_is_no_fork(tmp_path: Path) -> None:
    own = leg(tmp_path / "1", "import six; print(six.OWN)")
    (tmp_path / "1" / "six.py").write_text("OWN = 'of the program'")
    found = scenarios(Machine(parse_gpus("sim:1"), ()), [()])[0]
    with workspace() as work, closing(Runner(work)) as runner:
        (observed,) = run_pairs([Pair(found, (own, own))], runner)
    assert {observed.before.stdout, observed.after.stdout} == {"of the program\n"}


def test_the_import_writes_nothing(tmp_path: Path) -> None:
    program, around = leg(tmp_path / "1", "import os; print(os.path.expanduser('~/.keras'))")
    home = tmp_path / "home"
    home.mkdir()
    around = replace(around, environment={**around.environment, "HOME": str(home)})
    with workspace() as work, Loaded((program, around), work) as process:
        (run,) = process.run([((program, around), "only")], 1)
        assert run
        assert (run.status, run.stdout.read_text()) == (0, f"{home}/.keras\n")
    assert list(home.iterdir()) == []


def test_an_interpreter_that_loads_nothing(tmp_path: Path) -> None:
    one = leg(tmp_path / "1", "", python="/bin/true")
    with workspace() as work, Loaded(one, work) as process:
        assert process.run([(one, "before-1"), (one, "after-1")], 2) == [None, None]
