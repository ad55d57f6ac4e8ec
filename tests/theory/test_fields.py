"""What each field applies to, and the code that does the same in front of and behind a session."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.theory.conftest import EAGER, Run

Runner = Callable[..., Run]
TWO = ["GPU:0", "GPU:1"]

ONE_AND_GROWTH = """
a = tf.Session(config=config(device_count={"GPU": 1}, allow_growth=True))
touch(a)
b = tf.Session()
touch(b)
note("shown", sorted(shown(b)))
"""


def test_growth_is_set_in_front(old: Runner, new: Runner) -> None:
    before = old("a = tf.Session(config=config(allow_growth=True))\ntouch(a)\ntouch(tf.Session())")
    after = new("grow(True)\na = tf.Session()\ntouch(a)\ntouch(tf.Session())")
    assert before.grows == after.grows == {0: True, 1: True}


def test_growth_beside_hidden_gpus_is_put_back_on_all(old: Runner, new: Runner) -> None:
    before = old(ONE_AND_GROWTH)
    after = new(
        """
vis(gpus()[:1])
grow(True)
touch(tf.Session())
vis(gpus())
grow(False)
b = tf.Session()
touch(b)
note("shown", sorted(shown(b)))
"""
    )
    assert before.grows == after.grows == {0: True, 1: False}
    assert before.facts == after.facts == {"shown": TWO}


@pytest.mark.parametrize(
    ("set_for", "put_back", "ends"),
    [
        ("gpus()[:1]", "", "ValueError"),
        ("gpus()", "grow(False, gpus()[:1])", "ValueError"),
        ("gpus()", "", "grows"),
    ],
)
def test_growth_beside_hidden_gpus_put_back_otherwise_is_wrong(
    new: Runner, set_for: str, put_back: str, ends: str
) -> None:
    after = new(
        f"""
vis(gpus()[:1])
grow(True, {set_for})
touch(tf.Session())
vis(gpus())
{put_back}
note("ends", tried(lambda: touch(tf.Session())))
"""
    )
    if ends == "grows":
        assert after.grows == {0: True, 1: True}
    else:
        assert after.facts == {"ends": ends}


def test_fraction_is_set_in_front_on_visible_gpus_only(old: Runner, new: Runner) -> None:
    before = old(
        """
a = tf.Session(config=config(device_count={"GPU": 1}, per_process_gpu_memory_fraction=0.25))
note("first", shown(a))
note("limited", shown(tf.Session())["GPU:1"] == 512)
"""
    )
    program = """
vis(gpus()[:1])
for gpu in {}:
    logical(gpu, 1024 if gpu == gpus()[0] else 512)
a = tf.Session()
note("first", shown(a))
vis(gpus())
note("limited", shown(tf.Session())["GPU:1"] == 512)
"""
    after = new(program.format("gpus()[:1]"))
    assert before.facts == after.facts == {"first": {"GPU:0": 1024}, "limited": False}
    assert new(program.format("gpus()")).facts["limited"]


def test_fraction_of_the_first_session_holds(old: Runner, new: Runner) -> None:
    before = old(
        """
note("a", shown(tf.Session(config=config(per_process_gpu_memory_fraction=0.25))))
note("b", shown(tf.Session(config=config(per_process_gpu_memory_fraction=0.5))))
note("c", shown(tf.Session()))
"""
    )
    after = new(
        """
for gpu, total in zip(gpus(), (4096, 2048)):
    logical(gpu, total // 4)
note("a", shown(tf.Session()))
for gpu, total in zip(gpus(), (4096, 2048)):
    logical(gpu, total // 2)
note("b", shown(tf.Session()))
note("c", shown(tf.Session()))
"""
    )
    limits = {"GPU:0": 1024, "GPU:1": 512}
    assert before.facts == after.facts == {"a": limits, "b": limits, "c": limits}


def test_virtual_devices_are_set_in_front(old: Runner, new: Runner) -> None:
    before = old('note("a", shown(tf.Session(config=config(virtual=[[2048, 1024], [512]]))))')
    after = new(
        'logical(gpus()[0], 2048, 1024)\nlogical(gpus()[1], 512)\nnote("a", shown(tf.Session()))'
    )
    assert before.facts == after.facts == {"a": {"GPU:0": 2048, "GPU:1": 1024, "GPU:2": 512}}


def test_how_many_virtual_devices_is_a_matter_of_each_session(old: Runner, new: Runner) -> None:
    before = old(
        """
tf.Session(config=config(virtual=[[2048, 1024]]))
note("plain", shown(tf.Session()))
""",
        "4GiB",
    )
    program = 'logical(gpus()[0], 2048, 1024)\ntf.Session()\n{}\nnote("plain", shown(tf.Session()))'
    after = new(program.format("logical(gpus()[0], 2048)"), "4GiB")
    assert before.facts == after.facts == {"plain": {"GPU:0": 2048}}
    assert new(program.format(""), "4GiB").facts == {"plain": {"GPU:0": 2048, "GPU:1": 1024}}


LIST = """
a = tf.Session(config=config(visible_device_list="{}"))
note("first", sorted(shown(a)))
touch(a)
note("plain", tried(tf.Session))
"""


def test_list_from_0_is_put_back_where_compat_v1_ran(new: Runner) -> None:
    before = new(LIST.format("0") + 'note("then", sorted(shown(tf.Session())))')
    after = new(
        """
vis(gpus()[0])
a = tf.Session()
note("first", sorted(shown(a)))
touch(a)
vis(gpus())
note("plain", tried(tf.Session))
note("then", sorted(shown(tf.Session())))
"""
    )
    assert before.facts == after.facts == {"first": ["GPU:0"], "plain": "ran", "then": TWO}


def test_list_of_no_gpus_is_put_back(new: Runner) -> None:
    before = new(
        LIST.format("-1").replace("touch(a)", "b = tf.Session()\nnote('b', sorted(shown(b)))")
    )
    after = new(
        """
vis([])
a = tf.Session()
note("first", sorted(shown(a)))
vis(gpus())
b = tf.Session()
note("b", sorted(shown(b)))
note("plain", tried(tf.Session))
"""
    )
    assert before.facts == after.facts == {"first": [], "b": TWO, "plain": "ran"}


def test_list_from_0_before_more_gpus_raises_in_tensorflow_1(tf1: Runner) -> None:
    assert tf1(LIST.format("0")).facts == {"first": ["GPU:0"], "plain": "InvalidArgumentError"}


def test_list_not_from_0_fixes_the_cards(old: Runner, new: Runner) -> None:
    before = old(LIST.format("1"))
    after = new('vis(gpus()[1])\na = tf.Session()\nnote("first", sorted(shown(a)))\ntouch(a)')
    assert before.facts["first"] == after.facts["first"] == ["GPU:0"]
    assert before.took.keys() == after.took.keys() == {1}
    # No session with other cards ran behind it, so nothing has to be put back for one.
    assert before.facts["plain"] != "ran"


def test_list_not_from_0_must_not_be_put_back(new: Runner) -> None:
    program = 'vis(gpus()[1])\ntf.Session()\n{}\nnote("map", tried(eager_context))'
    assert new(program.format("")).facts == {"map": "ran"}
    assert new(program.format("vis(gpus())")).facts == {"map": "AlreadyExistsError"}


def test_list_not_from_0_and_tf_data(tf1: Runner) -> None:
    program = (
        'tf.Session(config=config(visible_device_list="1"))\nnote("map", tried(eager_context))'
    )
    assert tf1(program).facts == {"map": "ran"}


def test_order_of_a_list_has_no_form(old: Runner, new: Runner) -> None:
    before = old('touch(tf.Session(config=config(visible_device_list="1,0")), 0)')
    after = new("vis([gpus()[1], gpus()[0]])\ntouch(tf.Session(), 0)")
    assert before.took.keys() == {1}
    assert after.took.keys() == {0}


def test_device_count_of_gpus_is_put_back(old: Runner, new: Runner) -> None:
    before = old(
        """
for number in (0, 1):
    note(str(number), sorted(shown(tf.Session(config=config(device_count={"GPU": number})))))
note("plain", sorted(shown(tf.Session())))
"""
    )
    after = new(
        """
for number in (0, 1):
    vis(gpus()[:number])
    note(str(number), sorted(shown(tf.Session())))
    vis(gpus())
note("plain", sorted(shown(tf.Session())))
"""
    )
    assert before.facts == after.facts == {"0": [], "1": ["GPU:0"], "plain": TWO}


CPUS = 'note("{}", sum(device.device_type == "CPU" for device in {}.list_devices()))\n'


def test_device_count_of_cpus_is_put_back(old: Runner, new: Runner) -> None:
    before = old(
        'a = tf.Session(config=config(device_count={"CPU": 4}))\n'
        + CPUS.format("a", "a")
        + CPUS.format("plain", "tf.Session()")
    )
    after = new(
        "logical(cpu(), None, None, None, None)\na = tf.Session()\n"
        + CPUS.format("a", "a")
        + "logical(cpu(), None)\n"
        + CPUS.format("plain", "tf.Session()")
    )
    assert before.facts == after.facts == {"a": 4, "plain": 1}


@pytest.mark.parametrize(
    "settings",
    [
        "logical(cpu(), None, None)\ngrow(True)",
        "grow(True)\nlogical(cpu(), None, None)",
        "logical(cpu(), None, None)\nlogical(cpu(), None)\ngrow(True)",
        "logical(cpu(), None)\ngrow(True)",
    ],
)
def test_device_count_of_cpus_drops_growth(old: Runner, new: Runner, settings: str) -> None:
    before = old('touch(tf.Session(config=config(device_count={"CPU": 4}, allow_growth=True)), 0)')
    program = settings + "\ntouch(tf.Session(), 0)"
    assert before.grows == {0: True}
    assert new(program).grows == {0: False}
    assert new(program, TF_FORCE_GPU_ALLOW_GROWTH="true").grows == {0: True}


def test_device_count_of_cpus_and_fraction(old: Runner, new: Runner) -> None:
    before = old(
        'a = config(device_count={"CPU": 4}, per_process_gpu_memory_fraction=0.25)\n'
        'note("a", shown(tf.Session(config=a))["GPU:0"])'
    )
    after = new(
        "logical(cpu(), None, None, None, None)\nlogical(gpus()[0], 1024)\n"
        'note("a", shown(tf.Session())["GPU:0"])'
    )
    assert before.facts == after.facts == {"a": 1024}


POOL = "tf_Compute"


def test_inter_op_threads_belong_to_the_process(new: Runner) -> None:
    run = "def run(session):\n    session.run(tf.constant(1.0))\n"
    before = new(
        run
        + "run(tf.Session(config=config(inter_op_parallelism_threads=5)))\n"
        + "run(tf.Session(config=config(inter_op_parallelism_threads=9)))"
    )
    after = new(
        run
        + "tf.config.threading.set_inter_op_parallelism_threads(5)\nrun(tf.Session())\n"
        + "tf.config.threading.set_inter_op_parallelism_threads(9)\nrun(tf.Session())"
    )
    assert before.leg.threads[POOL] == after.leg.threads[POOL] == 5


THREAD = """
def in_this_thread(session):
    with session.graph.as_default():
        asked = tf.py_func(lambda: threading.get_ident() == main, [], tf.bool, stateful=True)
    return bool(session.run(asked))
main = threading.get_ident()
note("a", in_this_thread(a))
note("b", in_this_thread(b))
"""


def test_inter_op_below_0_is_a_matter_of_each_session(old: Runner, new: Runner) -> None:
    before = old(
        "a = tf.Session(config=config(inter_op_parallelism_threads=-1))\nb = tf.Session()" + THREAD
    )
    program = """
tf.config.threading.set_inter_op_parallelism_threads(-1)
a = tf.Session()
{}
b = tf.Session()
"""
    put_back = "tf.config.threading.set_inter_op_parallelism_threads(0)"
    after = new(program.format(put_back) + THREAD)
    assert before.facts == after.facts == {"a": True, "b": False}
    assert new(program.format("") + THREAD).facts == {"a": True, "b": True}


def test_threads_reach_a_later_eager_context(new: Runner) -> None:
    program = """
tf.config.threading.set_inter_op_parallelism_threads(5)
tf.Session().run(tf.constant(1.0))
{}
eager_context()
"""
    put_back = "tf.config.threading.set_inter_op_parallelism_threads(0)"
    leaks, exact = new(program.format("")), new(program.format(put_back))
    assert leaks.leg.threads[POOL] > exact.leg.threads[POOL]


def test_soft_placement_is_put_back_with_none(old: Runner, new: Runner) -> None:
    before = old(
        "a = tf.Session(config=config(allow_soft_placement=True))\nb = tf.Session()\n"
        'note("a", soft(a))\nnote("b", soft(b))'
    )
    program = """
start = given(tf.Session())
tf.config.set_soft_device_placement(True)
a = tf.Session()
tf.config.set_soft_device_placement({})
b = tf.Session()
note("a", soft(a))
note("b", soft(b))
"""
    for value in ("None", "False"):
        after = new(program.format(value))
        assert before.facts == after.facts == {"a": True, "b": False}


def test_soft_placement_in_an_eager_program(new: Runner) -> None:
    program = """
graph = tf.Graph()
{}
with graph.as_default():
    note("inside", soft(tf.Session()))
note("outside", soft(tf.Session(graph=graph)))
"""
    facts = {
        value: new(
            program.format(f"tf.config.set_soft_device_placement({value})"), header=EAGER
        ).facts
        for value in ("None", "False")
    }
    assert new(program.format(""), header=EAGER).facts == {"inside": False, "outside": True}
    assert facts == {
        "None": {"inside": False, "outside": True},
        "False": {"inside": False, "outside": False},
    }


SOFT = "tf.config.set_soft_device_placement({})"
LOG = "tf.debugging.set_log_device_placement({})"
SWITCH = "tf.config.optimizer.set_experimental_options({{'{}': {}}})"
CHANGED = """
start = given(tf.Session())
{}
first = tf.Session()
note("changed", given(first) != start)
{}
end = given(tf.Session())
note("exact", end == start)
note("off", "global_jit_level: OFF" in end)
"""


@pytest.mark.parametrize(
    ("set_it", "put_back", "exact"),
    [
        (SOFT.format(True), SOFT.format(None), True),
        (LOG.format(True), LOG.format(False), True),
        (SWITCH.format("constant_folding", False), SWITCH.format("constant_folding", None), True),
        (SWITCH.format("constant_folding", False), SWITCH.format("constant_folding", True), False),
        (SWITCH.format("min_graph_nodes", -1), SWITCH.format("min_graph_nodes", None), True),
        (
            SWITCH.format("disable_meta_optimizer", True),
            SWITCH.format("disable_meta_optimizer", None),
            True,
        ),
    ],
)
def test_config_is_as_before(old: Runner, set_it: str, put_back: str, exact: bool) -> None:
    run = old(CHANGED.format(set_it, put_back))
    assert run.facts == {"changed": True, "exact": exact, "off": False}


@pytest.mark.parametrize("value", [False, None])
def test_xla_is_put_back_to_off(new: Runner, value: bool | None) -> None:
    jit = "tf.config.optimizer.set_jit({})"
    run = new(CHANGED.format(jit.format(True), jit.format(value)))
    assert run.facts == {"changed": True, "exact": False, "off": True}


def test_mlir_bridge_cannot_be_put_back(new: Runner) -> None:
    run = new(
        """
start = given(tf.Session())
tf.config.experimental.enable_mlir_bridge()
tf.Session()
tf.config.experimental.disable_mlir_bridge()
note("exact", given(tf.Session()) == start)
"""
    )
    assert run.facts == {"exact": False}


def test_environment_counts_for_gpus_that_are_made_later(old: Runner) -> None:
    run = old(
        """
touch(tf.Session(config=config(device_count={"GPU": 1})))
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
touch(tf.Session())
"""
    )
    assert run.grows == {0: False, 1: True}
