"""Several sessions in one file: settings of the process reach all of them."""

from __future__ import annotations

import pytest

from tests.tools import (
    UNSAFE,
    analysed,
    check_body,
    check_body_kept,
    check_kept,
    check_transformed,
    migrated,
)


def test_branches_of_which_one_session_has_no_config() -> None:
    check_body(
        """
        if on_cpu:
            sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
        else:
            sess = tf.Session()
        """,
        """
        if on_cpu:
            tf.config.set_visible_devices([], "GPU")
            sess = tf.Session()
        else:
            sess = tf.Session()
        """,
    )


def test_branches_with_configs_that_differ() -> None:
    check_body(
        """
        if a:
            sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        elif b:
            sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=False))
        else:
            sess = tf.Session()
        """,
        """
        if a:
            tf.config.set_soft_device_placement(True)
            sess = tf.Session()
        elif b:
            tf.config.set_soft_device_placement(False)
            sess = tf.Session()
        else:
            sess = tf.Session()
        """,
    )


def test_two_branches_may_both_run_without_else() -> None:
    check_transformed(
        """
        import tensorflow as tf

        if a:
            first = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        if b:
            second = tf.Session(config=tf.ConfigProto(log_device_placement=True))
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        if a:
            tf.config.set_soft_device_placement(True)
            first = tf.Session()
        if b:
            tf.config.set_soft_device_placement(False)
            tf.debugging.set_log_device_placement(True)
            second = tf.Session()
        """,
    )


def test_handler_runs_after_the_body_of_its_try() -> None:
    check_body(
        """
        try:
            sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 1}))
        except RuntimeError:
            sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        try:
            gpus = tf.config.list_physical_devices("GPU")
            tf.config.set_visible_devices(gpus[:1], "GPU")
            sess = tf.Session()
        except RuntimeError:
            gpus = tf.config.list_physical_devices("GPU")
            tf.config.set_visible_devices(gpus, "GPU")
            tf.config.set_soft_device_placement(True)
            sess = tf.Session()
        """,
    )


def test_configs_of_the_same_content() -> None:
    check_body(
        """
        def train():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        def evaluate():
            config = tf.ConfigProto()
            config.allow_soft_placement = 1
            config.log_device_placement = False
            return tf.Session(config=config)
        """,
        """
        def train():
            tf.config.set_soft_device_placement(True)
            return tf.Session()


        def evaluate():
            tf.config.set_soft_device_placement(1)
            return tf.Session()
        """,
    )


def test_first_session_decides_on_what_holds_for_the_process() -> None:
    # Each function sets its own numbers right before its session, as TensorFlow 1 read them.
    check_body(
        """
        def train():
            return tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=4))


        def evaluate():
            return tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=1))


        def export():
            return tf.Session()
        """,
        """
        def train():
            tf.config.threading.set_intra_op_parallelism_threads(4)
            return tf.Session()


        def evaluate():
            tf.config.threading.set_intra_op_parallelism_threads(1)
            return tf.Session()


        def export():
            return tf.Session()
        """,
    )


def test_growth_that_grows_in_another_session_too() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        with tf.Session(config=config) as sess:
            sess.run(step)
        with tf.Session() as sess:
            sess.run(step)
        """,
        """
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        with tf.Session() as sess:
            sess.run(step)
        with tf.Session() as sess:
            sess.run(step)
        """,
    )


# Behind the session of a config the defaults are put back that a session without one must find.

GPUS = 'gpus = tf.config.list_physical_devices("GPU")'
SHOW = f'{GPUS}\ntf.config.set_visible_devices(gpus, "GPU")'
# A setting of a config, its statement, and what puts its default back.
PUT_BACK = {
    "soft": (
        "allow_soft_placement=True",
        "tf.config.set_soft_device_placement(True)",
        "tf.config.set_soft_device_placement(None)",
    ),
    "log": (
        "log_device_placement=True",
        "tf.debugging.set_log_device_placement(True)",
        "tf.debugging.set_log_device_placement(False)",
    ),
    "no-gpu": ('device_count={"GPU": 0}', 'tf.config.set_visible_devices([], "GPU")', SHOW),
    "one-gpu": (
        'device_count={"GPU": 1}',
        f'{GPUS}\ntf.config.set_visible_devices(gpus[:1], "GPU")',
        SHOW,
    ),
}


@pytest.mark.parametrize("name", PUT_BACK)
def test_default_is_put_back_behind_a_session(name: str) -> None:
    field, setter, back = PUT_BACK[name]
    check_body(
        f"first = tf.Session(config=tf.ConfigProto({field}))\nsecond = tf.Session()\n",
        f"{setter}\nfirst = tf.Session()\n{back}\nsecond = tf.Session()\n",
    )


@pytest.mark.parametrize("name", PUT_BACK)
def test_default_is_put_back_first_in_the_block_of_a_session(name: str) -> None:
    field, setter, back = PUT_BACK[name]
    inside = back.replace("\n", "\n    ")
    check_body(
        f"with tf.Session(config=tf.ConfigProto({field})) as sess:\n    sess.run(step)\n"
        "with tf.Session() as other:\n    other.run(step)\n",
        f"{setter}\nwith tf.Session() as sess:\n    {inside}\n    sess.run(step)\n"
        "with tf.Session() as other:\n    other.run(step)\n",
    )


@pytest.mark.parametrize("name", PUT_BACK)
def test_nothing_is_put_back_where_no_session_can_follow(name: str) -> None:
    field, setter, _ = PUT_BACK[name]
    check_body(
        f"first = tf.Session()\nsecond = tf.Session(config=tf.ConfigProto({field}))\n",
        f"first = tf.Session()\n{setter}\nsecond = tf.Session()\n",
    )


@pytest.mark.parametrize("field", ["allow_growth=True", "per_process_gpu_memory_fraction=0.5"])
def test_what_counts_for_gpus_is_not_put_back(field: str) -> None:
    text = migrated(
        "import tensorflow as tf\n\n"
        f"first = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions({field})))\n"
        "second = tf.Session()\n"
    )
    assert text.endswith("first = tf.Session()\nsecond = tf.Session()\n")


def test_visible_devices_are_not_put_back_behind_the_eager_context() -> None:
    check_body_kept(
        """
        first = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
        data = tf.data.Dataset.range(8).map(lambda x: x + 1)
        second = tf.Session()
        """,
        "session-without-config",
    )


@pytest.mark.parametrize(
    "made",
    [
        "tf.train.MonitoredTrainingSession(config={})",
        "tf.train.MonitoredSession(tf.train.ChiefSessionCreator(config={}))",
    ],
)
@pytest.mark.parametrize("name", PUT_BACK)
def test_nothing_is_put_back_where_a_session_is_made_again(made: str, name: str) -> None:
    field, setter, _ = PUT_BACK[name]
    session = made.format(f"tf.ConfigProto({field})")
    check_body_kept(f"first = {session}\nsecond = tf.Session()\n", "session-without-config")
    check_body(f"first = {session}\n", f"{setter}\nfirst = {made.replace('config={}', '')}\n")


@pytest.mark.parametrize("name", ["soft", "log"])
def test_default_is_put_back_behind_a_monitored_session_that_is_made_once(name: str) -> None:
    field, setter, back = PUT_BACK[name]
    made = "tf.train.SingularMonitoredSession"
    check_body(
        f"first = {made}(config=tf.ConfigProto({field}))\nsecond = tf.Session()\n",
        f"{setter}\nfirst = {made}()\n{back}\nsecond = tf.Session()\n",
    )


@pytest.mark.parametrize("name", ["no-gpu", "one-gpu"])
def test_visible_devices_are_not_put_back_behind_a_monitored_session(name: str) -> None:
    # It makes the eager context, behind which visible devices do not change any more.
    config = f"tf.ConfigProto({PUT_BACK[name][0]})"
    check_body_kept(
        f"first = tf.train.SingularMonitoredSession(config={config})\nsecond = tf.Session()\n",
        "session-without-config",
    )


@pytest.mark.parametrize(
    "line",
    [
        "sessions = [tf.Session(config=config)]",
        "use(tf.Session(config=config))",
        "sess = wrap(tf.Session(config=config))",
        "with tf.Session(config=config) as sess, tf.Session() as inner:\n    pass",
    ],
)
def test_nothing_is_put_back_behind_a_statement_that_does_more(line: str) -> None:
    check_body_kept(
        f'config = tf.ConfigProto(device_count={{"GPU": 0}})\n{line}\nother = tf.Session()\n',
        "session-without-config",
    )


def test_one_of_two_configs_needs_unsafe_fixes() -> None:
    check_body_kept(
        """
        a = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="1,0"))
        first = tf.Session(config=a)
        second = tf.Session(config=tf.ConfigProto())
        """,
        "different-configs",
    )


@pytest.mark.parametrize(
    ("between", "reason"),
    [
        (
            'os.environ["CUDA_VISIBLE_DEVICES"] = "1"',
            "late-environment",
        ),
        ("with tf.Session() as sess:\n        pass", "session-without-config"),
    ],
)
def test_nothing_is_assumed_that_the_text_shows_to_fail(between: str, reason: str) -> None:
    check_body_kept(
        f"""
import os

class Trainer:
    def __init__(self, config):
        self.sess = tf.Session(config=config)

try:
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    {between}
    trainer = Trainer(config)
except KeyboardInterrupt:
    pass
""",
        reason,
        UNSAFE,
    )


def test_each_kind_of_assumption_is_said() -> None:
    result = analysed(
        """
        import library
        import tensorflow as tf

        class Trainer:
            def __init__(self, config):
                self.sess = tf.Session(config=config)

        try:
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            library.prepare()
            trainer = Trainer(config)
        except KeyboardInterrupt:
            pass
        """,
        UNSAFE,
    )
    said = [finding.message for finding in result.findings if "assumption" in finding.message]
    for words in ("no session is made", "no variable that CUDA reads", "no process is forked"):
        assert sum(words in message for message in said) == 1


# Queries.


def test_query_after_the_session() -> None:
    check_body(
        """
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        print(tf.test.is_gpu_available(), tf.test.gpu_device_name())
        """,
        """
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        print(tf.test.is_gpu_available(), tf.test.gpu_device_name())
        """,
    )


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("tf.test.is_gpu_available()", 'bool(tf.config.list_physical_devices("GPU"))'),
        (
            "tf.test.gpu_device_name()",
            '("/device:GPU:0" if tf.config.list_physical_devices("GPU") else "")',
        ),
    ],
)
def test_query_before_the_session(query: str, answer: str) -> None:
    before = f"""
        if {query}:
            print("GPU")
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """
    # The query makes the GPUs in any case; what the config says has no effect on them.
    check_body(
        before,
        f"""
        if {query}:
            print("GPU")
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )
    check_body(
        before,
        f"""
        if {answer}:
            print("GPU")
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
        UNSAFE,
    )


def test_query_in_the_condition_of_a_setting() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if tf.test.is_gpu_available():
            config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        """
        if bool(tf.config.list_physical_devices("GPU")):
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
        UNSAFE,
    )


def test_query_on_the_line_of_the_config() -> None:
    check_body(
        "x = tf.test.is_gpu_available(); c = tf.ConfigProto(); s = tf.Session(config=c)\n",
        'x = bool(tf.config.list_physical_devices("GPU"))\ns = tf.Session()\n',
        UNSAFE,
    )


def test_query_without_any_config() -> None:
    check_transformed(
        """
        from tensorflow.test import is_gpu_available

        print(is_gpu_available())
        """,
        """
        import tensorflow as tf

        print(bool(tf.config.list_physical_devices("GPU")))
        """,
        UNSAFE,
    )


def test_query_with_arguments_stays() -> None:
    before = """
        import tensorflow as tf

        print(tf.test.is_gpu_available(False, (7, 0)), tf.test.is_gpu_available(ask()))
        """
    check_transformed(before, before, UNSAFE)


def test_query_beside_a_config_that_is_kept_stays() -> None:
    check_body_kept(
        """
        print(tf.test.is_gpu_available())
        use(tf.ConfigProto(allow_soft_placement=True))
        """,
        "passed-on",
        UNSAFE,
    )


def test_list_of_devices_before_what_counts_behind_it_too() -> None:
    check_transformed(
        """
        import tensorflow as tf
        from tensorflow.python.client import device_lib

        print([device.name for device in device_lib.list_local_devices()])
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        print([device.name for device in tf.config.list_logical_devices()])
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
        UNSAFE,
    )


def test_query_for_keras() -> None:
    check_transformed(
        """
        import tensorflow as tf
        from keras import backend as K

        if tf.test.is_gpu_available():
            K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        """,
        """
        import tensorflow as tf

        if bool(tf.config.list_physical_devices("GPU")):
            tf.config.set_soft_device_placement(True)
        """,
        UNSAFE,
    )


# Soft placement is off in a session of TensorFlow 1. Where it would be on now, turning it off would
# turn it off in the eager code behind the session, too.

COMPAT = "import tensorflow.compat.v1 as tf\n\n"


@pytest.mark.parametrize("session", ["tf.Session(graph=g{})", "tf.Session('', g{})"])
def test_session_on_a_graph_beside_eager_code(session: str) -> None:
    config = ", config=tf.ConfigProto(log_device_placement=True)"
    check_kept(f"{COMPAT}sess = {session.format(config)}\n", "eager-code")


def test_unused_session_on_a_graph_that_is_unpacked() -> None:
    check_kept(
        f"""
        {COMPAT}options = {{"graph": tf.Graph()}}
        sess = tf.Session(config=tf.ConfigProto(log_device_placement=True), **options)
        """.replace("\n\noptions", "\n\n        options"),
        "eager-code",
    )


def test_session_on_a_graph_of_the_raw_module() -> None:
    check_kept(
        """
        import tensorflow as tf

        v1 = tf.compat.v1
        sess = v1.Session(graph=g, config=v1.ConfigProto())
        """,
        "eager-code",
    )


def test_soft_placement_that_is_always_set_comes_alone() -> None:
    check_transformed(
        COMPAT + "sess = tf.Session(graph=g, config=tf.ConfigProto(allow_soft_placement=True))\n",
        COMPAT + "tf.config.set_soft_device_placement(True)\nsess = tf.Session(graph=g)\n",
    )


def test_soft_placement_that_is_set_under_a_condition() -> None:
    check_kept(
        f"""
        {COMPAT}config = tf.ConfigProto()
        if soft:
            config.allow_soft_placement = True
        sess = tf.Session(graph=g, config=config)
        """.replace("\n\nconfig", "\n\n        config"),
        "eager-code",
    )


@pytest.mark.parametrize(
    ("head", "session"),
    [
        ("", "sess = tf.Session({})"),
        ("g = tf.Graph()\n", "with g.as_default():\n    sess = tf.Session(graph=g{})"),
        (
            "",
            "with tf.Graph().as_default() as g, tf.device('/gpu:0'):\n    s = tf.Session('', g{})",
        ),
        ("tf.disable_v2_behavior()\n", "sess = tf.Session(graph=g{})"),
        ("tf.disable_eager_execution()\n", "sess = tf.Session(graph=g{})"),
    ],
)
def test_session_where_soft_placement_is_off_anyway(head: str, session: str) -> None:
    config = "config=tf.ConfigProto()"
    if "g{}" in session:
        config = f", {config}"
    check_transformed(
        f"{COMPAT}{head}{session.format(config)}\n", f"{COMPAT}{head}{session.format('')}\n"
    )


@pytest.mark.parametrize(
    "lines",
    [
        "with tf.Session(config=config) as sess:\n    sess.run(x)",
        "sess = tf.Session(config=config)\nwith sess.graph.as_default():\n    sess.run(tf.ones(1))",
        "old = tf.Session()\nwith old.as_default():\n    tf.Session(config=config).run(x)",
        "tf.InteractiveSession(config=config)\nwith tf.get_default_graph().as_default():\n    g()",
        "with graphs[0].as_default():\n    tf.Session(config=config).run(x)",
    ],
)
def test_session_of_eager_code_that_may_run_something(lines: str) -> None:
    check_kept(f"{COMPAT}config = tf.ConfigProto()\n{lines}\n", "eager-code")


def test_session_that_only_tensorflow_1_has() -> None:
    head = "import tensorflow as tf\nprint(tf.VERSION if hasattr(tf, 'VERSION') else '-')\n"
    make = "with tf.Session({}) as sess:\n    sess.run(x)\n"
    check_transformed(f"{head}{make.format('config=tf.ConfigProto()')}", f"{head}{make.format('')}")


@pytest.mark.parametrize("lines", ["sess = {}", "{}", "sess = {}\nsess.close()"])
def test_session_of_eager_code_that_runs_nothing(lines: str) -> None:
    check_transformed(
        f"{COMPAT}{lines.format('tf.Session(config=tf.ConfigProto())')}\n",
        f"{COMPAT}{lines.format('tf.Session()')}\n",
    )


def test_raw_code_turns_eager_execution_off() -> None:
    check_body(
        "sess = tf.Session(graph=g, config=tf.ConfigProto(log_device_placement=True))\n",
        "tf.debugging.set_log_device_placement(True)\nsess = tf.Session(graph=g)\n",
    )


# Environment variables of CUDA, and other processes.

GROWS = """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """
GREW = """
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """


@pytest.mark.parametrize(
    "line",
    [
        'os.environ["CUDA_VISIBLE_DEVICES"] = "1"',
        'os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1")',
        'os.environ.update({"CUDA_DEVICE_ORDER": "PCI_BUS_ID"})',
        'os.putenv("CUDA_VISIBLE_DEVICES", "1")',
    ],
)
def test_variable_that_is_set_first(line: str) -> None:
    check_body(
        f"        import os\n        {line}{GROWS}", f"        import os\n        {line}{GREW}"
    )


@pytest.mark.parametrize(
    "line",
    [
        'os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"',
        'os.environ.update(OMP_NUM_THREADS="1")',
        'os.environ.setdefault("A", "1")',
        'print(os.environ["CUDA_VISIBLE_DEVICES"])',
        'env = dict(os.environ, CUDA_VISIBLE_DEVICES="1")',
        "os.environ[name] = value",
    ],
)
def test_other_variable_afterwards(line: str) -> None:
    check_body(f"        import os{GROWS}{line}\n", f"        import os{GREW}{line}\n")


def test_variable_that_the_caller_sets_first() -> None:
    check_body(
        """
        import os


        def run():
            return tf.Session(config=tf.ConfigProto(device_count={"GPU": 1}))


        def main():
            os.environ["CUDA_VISIBLE_DEVICES"] = "1"
            run()
        """,
        """
        import os


        def run():
            gpus = tf.config.list_physical_devices("GPU")
            tf.config.set_visible_devices(gpus[:1], "GPU")
            return tf.Session()


        def main():
            os.environ["CUDA_VISIBLE_DEVICES"] = "1"
            run()
        """,
    )


def test_variable_that_the_module_sets_before_it_calls_anything() -> None:
    check_body(
        """
        import os


        def run():
            return tf.Session(config=tf.ConfigProto(device_count={"GPU": 1}))


        os.environ["CUDA_VISIBLE_DEVICES"] = "1"
        run()
        """,
        """
        import os


        def run():
            gpus = tf.config.list_physical_devices("GPU")
            tf.config.set_visible_devices(gpus[:1], "GPU")
            return tf.Session()


        os.environ["CUDA_VISIBLE_DEVICES"] = "1"
        run()
        """,
    )


def test_variable_for_settings_that_ask_for_no_gpus() -> None:
    check_body(
        """
        import os
        config = tf.ConfigProto(allow_soft_placement=True)
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"
        sess = tf.Session(config=config)
        """,
        """
        import os
        tf.config.set_soft_device_placement(True)
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"
        sess = tf.Session()
        """,
    )


def test_processes_in_a_file_whose_sessions_are_made_on_the_spot() -> None:
    check_body(f"        import multiprocessing{GROWS}", f"        import multiprocessing{GREW}")


def test_processes_and_settings_without_gpus() -> None:
    check_body(
        """
        import multiprocessing
        config = tf.ConfigProto(intra_op_parallelism_threads=1)


        def work():
            tf.Session(config=config)
        """,
        """
        import multiprocessing
        tf.config.threading.set_intra_op_parallelism_threads(1)


        def work():
            tf.Session()
        """,
    )


@pytest.mark.parametrize(
    ("start", "write", "kept_by"),
    [
        ("from math import *", 'env["CUDA_VISIBLE_DEVICES"] = "1"', "TFG926"),
        ("from numpy import env", 'env["CUDA_VISIBLE_DEVICES"] = "1"', "TFG926"),
        ("from numpy import env", 'del env["CUDA_VISIBLE_DEVICES"]', "TFG926"),
        ("import numpy", 'numpy.env["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"', "TFG926"),
        ("from numpy import env", 'env["BATCH"] = "1"', None),
        ("env = {}", 'env["CUDA_VISIBLE_DEVICES"] = "1"', None),
    ],
)
def test_a_variable_of_cuda_stored_in_what_is_not_read(
    start: str, write: str, kept_by: str | None
) -> None:
    result = analysed(
        f"{start}\nimport tensorflow as tf\n"
        "config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True\n"
        f"{write}\n"
        "tf.Session(config=config)\ntf.Session(config=config)\n"
    )
    (config,) = result.configs
    assert config.kept_by == kept_by
