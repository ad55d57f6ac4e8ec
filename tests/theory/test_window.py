"""What can come between settings, their session, and what puts defaults back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.theory.conftest import Run
from tfgpu.rulebook.book import load_rulebook

Runner = Callable[..., Run]
TWO = ["GPU:0", "GPU:1"]

# Calls of TensorFlow 1.15 that make its eager context in a graph, by their names.
IN_VERSION_1 = {
    "tf.CriticalSection": "tf.CriticalSection()",
    "tf.config.experimental.list_logical_devices": "tf.config.experimental.list_logical_devices()",
    "tf.config.experimental_list_devices": "tf.config.experimental_list_devices()",
    "tf.contrib.distribute.MirroredStrategy": "distribute.MirroredStrategy()",
    "tf.contrib.eager.async_clear_error": "tf.contrib.eager.async_clear_error()",
    "tf.contrib.eager.async_wait": "tf.contrib.eager.async_wait()",
    "tf.contrib.eager.function": "tf.contrib.eager.function(lambda: tf.constant(1))()",
    "tf.contrib.eager.list_devices": "tf.contrib.eager.list_devices()",
    "tf.contrib.eager.num_gpus": "tf.contrib.eager.num_gpus()",
    "tf.distribute.MirroredStrategy": "tf.distribute.MirroredStrategy()",
    "tf.distribute.experimental.CentralStorageStrategy": (
        "tf.distribute.experimental.CentralStorageStrategy()"
    ),
    "tf.distribute.experimental.MultiWorkerMirroredStrategy": (
        "tf.distribute.experimental.MultiWorkerMirroredStrategy()"
    ),
    "tf.distribute.experimental.ParameterServerStrategy": (
        "tf.distribute.experimental.ParameterServerStrategy()"
    ),
    "tf.function": "tf.function(lambda: tf.constant(1))()",
}
# Names of TensorFlow 2 for the same, and of modules inside of TensorFlow.
OTHER_NAMES = (
    "tf.config.list_logical_devices", "tf.distribute.MultiWorkerMirroredStrategy",
)  # fmt: skip

MONITORED = """
class Hook(tf.train.SessionRunHook):
    def __init__(self):
        self.failed = False

    def after_run(self, context, values):
        if not self.failed:
            self.failed = True
            raise tf.errors.AbortedError(None, None, "once")


def monitored(number, **arguments):
    tf.train.get_or_create_global_step()
    with tf.device("/gpu:%d" % number):
        drawn = tf.random.uniform([8])
    return tf.train.MonitoredTrainingSession(**arguments), drawn
"""


def test_plain_session_before_the_settings_changes_nothing(old: Runner, new: Runner) -> None:
    before = old(
        """
touch(tf.Session())
a = config(allow_growth=True, per_process_gpu_memory_fraction=0.25)
touch(tf.Session(config=a))
"""
    )
    after = new(
        """
touch(tf.Session())
for gpu in gpus():
    logical(gpu, 1024)
touch(tf.Session())
"""
    )
    assert before.grows == after.grows == {0: False, 1: False}
    assert before.error == after.error == ""


def test_gpu_that_is_shown_later_takes_the_settings_of_then(old: Runner, new: Runner) -> None:
    before = old(
        """
touch(tf.Session(config=config(device_count={"GPU": 1})))
touch(tf.Session(config=config(allow_growth=True)))
"""
    )
    after = new(
        """
vis(gpus()[:1])
touch(tf.Session())
vis(gpus())
grow(True)
touch(tf.Session())
"""
    )
    assert before.grows == after.grows == {0: False, 1: True}


def test_growth_for_hidden_gpus_reaches_a_later_session(old: Runner, new: Runner) -> None:
    before = old(
        'a = config(device_count={"GPU": 0}, allow_growth=True)\ntf.Session(config=a)\n'
        "touch(tf.Session())"
    )
    program = "vis([])\ngrow(True)\ntf.Session()\nvis(gpus())\n{}\ntouch(tf.Session())"
    assert before.grows == new(program.format("grow(False)")).grows == {0: False, 1: False}
    assert new(program.format("")).grows == {0: True, 1: True}


def test_limit_before_growth_raises(old: Runner, new: Runner) -> None:
    before = old(
        """
touch(tf.Session(config=config(per_process_gpu_memory_fraction=0.25)))
touch(tf.Session(config=config(allow_growth=True)))
"""
    )
    assert before.error == ""
    assert before.took[0] == 1024
    program = """
for gpu in gpus():
    logical(gpu, 2048)
touch(tf.Session())
note("grow", tried(lambda: grow(True)))
"""
    assert new(program).facts == {"grow": "ValueError"}


def test_growth_before_a_limit_is_silent(old: Runner, new: Runner) -> None:
    before = old(
        """
touch(tf.Session(config=config(allow_growth=True)))
touch(tf.Session(config=config(per_process_gpu_memory_fraction=0.25)))
"""
    )
    after = new(
        """
grow(True)
touch(tf.Session())
for gpu in gpus():
    logical(gpu, 2048)
touch(tf.Session())
"""
    )
    assert before.grows == after.grows == {0: True, 1: True}
    assert before.error == after.error == ""


def test_two_sessions_in_one_statement(old: Runner, new: Runner) -> None:
    before = old(
        'with tf.Session(config=config(device_count={"GPU": 1})) as a, tf.Session() as b:\n'
        '    note("b", sorted(shown(b)))'
    )
    after = new(
        """
vis(gpus()[:1])
with tf.Session() as a, tf.Session() as b:
    vis(gpus())
    note("b", sorted(shown(b)))
"""
    )
    assert before.facts == {"b": TWO}
    assert after.facts == {"b": ["GPU:0"]}


def test_argument_that_makes_the_eager_context(old: Runner, new: Runner) -> None:
    built = "def build():\n    eager_context()\n    return tf.get_default_graph()\n"
    before = old(built + 'tf.Session(config=config(device_count={"GPU": 1}), graph=build())')
    after = new(
        built
        + 'vis(gpus()[:1])\ntf.Session(graph=build())\nnote("back", tried(lambda: vis(gpus())))'
    )
    assert before.error == ""
    assert after.facts == {"back": "RuntimeError"}


def test_function_that_runs_twice_around_the_eager_context(old: Runner, new: Runner) -> None:
    before = old(
        """
for _ in range(2):
    note("shown", sorted(shown(tf.Session(config=config(device_count={"GPU": 1})))))
    eager_context()
"""
    )
    assert before.facts == {"shown": ["GPU:0"]}
    program = """
def make():
    vis(gpus()[:1])
    tf.Session()
    {}
make()
eager_context()
note("again", tried(make))
"""
    assert new(program.format("vis(gpus())")).facts == {"again": "RuntimeError"}
    assert new(program.format("")).facts == {"again": "ran"}


def test_session_that_fails_leaves_its_settings(old: Runner, new: Runner) -> None:
    before = old(
        """
tf.Session()
tried(lambda: tf.Session(config=config(visible_device_list="1")))
note("plain", tried(tf.Session))
"""
    )
    program = """
tf.Session()
def make():
    vis(gpus()[1])
    try:
        tf.Session()
    finally:
        {}
note("make", tried(make))
note("plain", tried(tf.Session))
"""
    after = new(program.format("vis(gpus())"))
    assert before.facts["plain"] == after.facts["plain"] == "ran"
    assert after.facts["make"] != "ran"
    assert new(program.format("pass")).facts["plain"] != "ran"


def test_creators_make_their_session_later(old: Runner, new: Runner) -> None:
    before = old(
        """
tf.train.get_or_create_global_step()
creator = tf.train.ChiefSessionCreator(config=config(allow_soft_placement=True))
with tf.device("/gpu:7"):
    drawn = tf.random.uniform([8])
note("soft", tried(lambda: tf.train.MonitoredSession(creator).run(drawn)) == "ran")
"""
    )
    program = """
tf.train.get_or_create_global_step()
tf.config.set_soft_device_placement(True)
creator = tf.train.ChiefSessionCreator()
{}
with tf.device("/gpu:7"):
    drawn = tf.random.uniform([8])
note("soft", tried(lambda: tf.train.MonitoredSession(creator).run(drawn)) == "ran")
"""
    assert before.facts == {"soft": True}
    assert new(program.format("tf.config.set_soft_device_placement(None)")).facts == {"soft": False}
    assert new(program.format("")).facts == {"soft": True}


def test_managed_session_is_made_on_enter(old: Runner, new: Runner) -> None:
    before = old(
        """
made = tf.train.Supervisor(logdir=None).managed_session(
    config=config(device_count={"GPU": 1}))
with made as session:
    note("shown", sorted(shown(session)))
"""
    )
    program = """
supervisor = tf.train.Supervisor(logdir=None)
vis(gpus()[:1])
made = supervisor.managed_session()
{}
with made as session:
    note("shown", sorted(shown(session)))
"""
    assert before.facts == {"shown": ["GPU:0"]}
    assert new(program.format("vis(gpus())")).facts == {"shown": TWO}
    assert new(program.format("")).facts == {"shown": ["GPU:0"]}


def test_monitored_session_is_made_again(old: Runner, new: Runner) -> None:
    before = old(
        MONITORED
        + """
session, drawn = monitored(7, config=config(allow_soft_placement=True), hooks=[Hook()])
note("soft", tried(lambda: session.run(drawn)))
"""
    )
    program = (
        MONITORED
        + """
tf.config.set_soft_device_placement(True)
session, drawn = monitored(7, hooks=[Hook()])
{}
note("soft", tried(lambda: session.run(drawn)))
"""
    )
    assert before.facts == new(program.format("")).facts == {"soft": "ran"}
    put_back = "tf.config.set_soft_device_placement(None)"
    assert new(program.format(put_back)).facts == {"soft": "InvalidArgumentError"}


def test_singular_monitored_session_is_made_once(old: Runner) -> None:
    program = MONITORED.replace("MonitoredTrainingSession", "SingularMonitoredSession")
    run = old(
        program
        + """
session, drawn = monitored(0, hooks=[Hook()])
note("run", tried(lambda: session.run(drawn)))
"""
    )
    assert run.facts == {"run": "AbortedError"}


def test_monitored_session_makes_the_eager_context(new: Runner, tf1: Runner) -> None:
    program = MONITORED + 'monitored(0, {})\nnote("eager", has_eager_context())'
    assert tf1(program.format("")).facts == {"eager": False}
    assert new(program.format("")).facts == {"eager": True}
    scaffold = "scaffold=tf.train.Scaffold(saver=tf.train.Saver([tf.train.create_global_step()]))"
    assert new(program.format(scaffold)).facts == {"eager": False}


def test_monitored_session_takes_settings_in_front_of_it(new: Runner, tf1: Runner) -> None:
    text = MONITORED + "{}session, drawn = monitored(0, {})\nsession.run(drawn)"
    growth = "config=config(allow_growth=True)"
    assert tf1(text.format("", growth)).grows == {0: True}
    assert new(text.format("", growth)).grows == {0: False}
    assert new(text.format("grow(True)\n", "")).grows == {0: True}


def test_config_behind_the_eager_context(new: Runner, tf1: Runner) -> None:
    growth = "eager_context()\ntouch(tf.Session(config=config(allow_growth=True)), 0)"
    assert tf1(growth).grows == {0: True}
    assert new(growth).grows == {0: False}
    listed = 'eager_context()\ntf.Session(config=config(visible_device_list="1"))'
    assert tf1(listed).error == ""
    assert new(listed).error == "AlreadyExistsError"


@pytest.mark.parametrize("name", IN_VERSION_1)
def test_what_makes_the_eager_context_of_version_1(tf1: Runner, name: str) -> None:
    contrib = "from tensorflow.contrib import distribute\n" if "contrib" in name else ""
    session = "touch(tf.Session(config=config(allow_growth=True)), 0)"
    run = tf1(f"{contrib}{IN_VERSION_1[name]}\n{session}")
    assert run.grows[0] is False


def test_every_name_that_makes_the_eager_context_of_version_1_is_measured() -> None:
    known = load_rulebook().starts_runtime.version1
    public = {name for name in known if not name.startswith("tf.python.")}
    assert public - set(OTHER_NAMES) == IN_VERSION_1.keys() - {"tf.function"}


def test_soft_placement_hides_a_refusal_that_is_caught(old: Runner, new: Runner) -> None:
    probe = """
found = []
for number in range(4):
    graph = tf.Graph()
    with graph.as_default(), tf.device("/gpu:%d" % number):
        drawn = tf.random.uniform([8])
    try:
        tf.Session(graph=graph).run(drawn)
        found.append(True)
    except tf.errors.InvalidArgumentError:
        found.append(False)
note("found", found)
"""
    before = old("tf.Session(config=config(allow_soft_placement=True))" + probe)
    program = "tf.config.set_soft_device_placement(True)\ntf.Session()\n{}" + probe
    assert before.facts == {"found": [True, True, False, False]}
    put_back = "tf.config.set_soft_device_placement(None)"
    assert new(program.format(put_back)).facts == before.facts
    assert new(program.format("")).facts == {"found": [True] * 4}


def test_interactive_session_ignores_tf_config(old: Runner, new: Runner) -> None:
    before = old("touch(tf.InteractiveSession(), 0)")
    after = new(
        "vis(gpus()[:1])\ns = tf.InteractiveSession()\ntouch(s, 0)\nnote('all', sorted(shown(s)))"
    )
    assert before.grows == after.grows == {0: True}
    assert after.facts == {"all": TWO}


def test_interactive_session_first_makes_all_grow(old: Runner) -> None:
    run = old("touch(tf.InteractiveSession(), 0)\ntouch(tf.Session(), 1)")
    assert run.grows == {0: True, 1: True}


def test_environment_behind_a_session_without_gpus(new: Runner, tf1: Runner) -> None:
    rest = 'os.environ["CUDA_VISIBLE_DEVICES"] = "1"\ntouch(tf.Session(), 0)'
    before = 'tf.Session(config=config(device_count={"GPU": 0}))\n' + rest
    after = "vis([])\ntf.Session()\nvis(gpus())\n" + rest
    assert tf1(before).took.keys() == new(after).took.keys() == {0}
    assert new(before).took.keys() == {1}


STARTS = {
    "tf.data.Dataset.range(3).batch(2).shuffle(2).repeat(2)": False,
    "tf.data.make_one_shot_iterator(tf.data.Dataset.range(3))": False,
    "tf.data.Dataset.from_tensor_slices([1, 2])": False,
    "tf.test.is_gpu_available()": False,
    "tf.test.gpu_device_name()": False,
    "tf.Session().run(tf.constant(1))": False,
    "tf.train.Supervisor(logdir=None)": False,
    "tf.cond(tf.constant(True), lambda: 1, lambda: 2)": False,
    "tf.py_func(lambda: 1, [], tf.int64)": False,
    "gpus()": False,
    "tf.data.Dataset.range(3).map(lambda x: x + 1)": True,
    "tf.data.Dataset.range(3).filter(lambda x: x > 1)": True,
    "tf.data.Dataset.from_generator(lambda: iter([1]), tf.int64)": True,
    "tf.data.TextLineDataset('a')": True,
    "tf.data.TFRecordDataset('a')": True,
    "tf.function(lambda: tf.constant(1))()": True,
    "tf.wrap_function(lambda: tf.constant(1), [])": True,
    "tf.config.list_logical_devices()": True,
    "tf.train.Saver([tf.Variable(1)], sharded=True)": True,
    "tf.Session().run(tf.py_func(lambda: 1, [], tf.int64))": True,
}


@pytest.mark.parametrize("call", STARTS)
def test_what_makes_the_eager_context(new: Runner, call: str) -> None:
    run = new(f'{call}\nnote("eager", has_eager_context())')
    assert run.facts == {"eager": STARTS[call]}


def test_eager_context_of_tensorflow_1(tf1: Runner) -> None:
    run = tf1(
        """
eager_context()
tf.train.Saver([tf.Variable(1)], sharded=True)
tf.Session().run(tf.py_func(lambda: 1, [], tf.int64))
note("eager", has_eager_context())
"""
    )
    assert run.facts == {"eager": False}


def test_fork_between_settings_and_session(old: Runner, new: Runner) -> None:
    child = """
if os.fork() == 0:
    status = tried(lambda: touch(make(), 0))
    os._exit(0 if status == "ran" else 3)
note("child", os.wait()[1] >> 8)
"""
    before = old("def make():\n    return tf.Session(config=config(allow_growth=True))\n" + child)
    after = new("grow(True)\nmake = tf.Session\n" + child)
    later = new("def make():\n    grow(True)\n    return tf.Session()\n" + child)
    assert before.facts == later.facts == {"child": 0}
    assert after.facts != {"child": 0}


def test_plain_session_where_a_card_is_ignored(new: Runner) -> None:
    # 40 multiprocessors and 80: TensorFlow ignores the T4, as it does small display cards.
    run = new(
        """
note("gpus", len(gpus()))
note("config", sorted(shown(tf.Session(config=config()))))
note("plain", sorted(shown(tf.Session())))
""",
        "T4,V100-16",
        TF_MIN_GPU_MULTIPROCESSOR_COUNT="60",
    )
    assert run.facts == {"gpus": 1, "config": ["GPU:0"], "plain": []}
