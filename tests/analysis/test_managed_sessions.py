"""Sessions that other objects make: monitored ones, those of creators, supervisors and slim."""

from __future__ import annotations

import pytest

from tests.tools import RAW, analysed, check_body, check_body_kept, check_noop, check_transformed

SETTER = "tf.config.set_soft_device_placement(True)\n"
CONFIG = "tf.ConfigProto(allow_soft_placement=True)"
SLIM = "import tensorflow as tf\nimport tf_slim as slim\n\n"
SLIM_V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nimport tf_slim as slim\n\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("train.MonitoredTrainingSession(config={})", "train.MonitoredTrainingSession()"),
        (
            "train.MonitoredTrainingSession('', True, None, None, None, None, 9, 9, 9, {}, 5)",
            "train.MonitoredTrainingSession('', True, None, None, None, None, 9, 9, 9, None, 5)",
        ),
        (
            "train.MonitoredTrainingSession(master='', config={}, hooks=[])",
            "train.MonitoredTrainingSession(master='', hooks=[])",
        ),
        ("train.SingularMonitoredSession(config={})", "train.SingularMonitoredSession()"),
        (
            "train.SingularMonitoredSession([], None, '', {})",
            "train.SingularMonitoredSession([], None, '')",
        ),
        (
            "train.MonitoredSession(tf.train.ChiefSessionCreator(config={}))",
            "train.MonitoredSession(tf.train.ChiefSessionCreator())",
        ),
        (
            "train.MonitoredSession(session_creator=tf.train.WorkerSessionCreator(s, '', {}))",
            "train.MonitoredSession(session_creator=tf.train.WorkerSessionCreator(s, ''))",
        ),
        (
            "train.Supervisor().prepare_or_wait_for_session('', {}, True)",
            "train.Supervisor().prepare_or_wait_for_session('', None, True)",
        ),
        (
            "train.Supervisor(graph=g).managed_session(config={})",
            "train.Supervisor(graph=g).managed_session()",
        ),
        (
            "train.SessionManager().recover_session('', config={})",
            "train.SessionManager().recover_session('')",
        ),
        (
            "train.SessionManager().wait_for_session('', {}, max_wait_secs=9)",
            "train.SessionManager().wait_for_session('', max_wait_secs=9)",
        ),
    ],
)
def test_call_loses_its_config(before: str, after: str) -> None:
    check_body(f"sess = tf.{before.format(CONFIG)}\n", f"{SETTER}sess = tf.{after}\n")


def test_object_on_self() -> None:
    check_body(
        f"""
        class Trainer:
            def __init__(self):
                self.sv: object = tf.train.Supervisor()

            def run(self):
                with self.sv.managed_session(config={CONFIG}) as sess:
                    sess.run(self.step)
        """,
        """
        class Trainer:
            def __init__(self):
                self.sv: object = tf.train.Supervisor()

            def run(self):
                tf.config.set_soft_device_placement(True)
                with self.sv.managed_session() as sess:
                    sess.run(self.step)
        """,
    )


def test_object_made_on_either_branch() -> None:
    check_body(
        f"""
        if chief:
            sv = tf.train.Supervisor(logdir=folder)
        else:
            sv = tf.train.Supervisor()
        sess = sv.prepare_or_wait_for_session(config={CONFIG})
        """,
        """
        if chief:
            sv = tf.train.Supervisor(logdir=folder)
        else:
            sv = tf.train.Supervisor()
        tf.config.set_soft_device_placement(True)
        sess = sv.prepare_or_wait_for_session()
        """,
    )


def test_creator_on_either_branch() -> None:
    check_body(
        f"""
        config = {CONFIG}
        if chief:
            creator = tf.train.ChiefSessionCreator(scaffold, config=config)
        else:
            creator = tf.train.WorkerSessionCreator(scaffold, config=config)
        with tf.train.MonitoredSession(session_creator=creator) as sess:
            sess.run(step)
        """,
        """
        tf.config.set_soft_device_placement(True)
        if chief:
            creator = tf.train.ChiefSessionCreator(scaffold)
        else:
            creator = tf.train.WorkerSessionCreator(scaffold)
        with tf.train.MonitoredSession(session_creator=creator) as sess:
            sess.run(step)
        """,
    )


@pytest.mark.parametrize("call", ["learning.train(a, b", "evaluation.evaluation_loop('', b"])
def test_slim(call: str) -> None:
    graph = "x = tf.placeholder(tf.float32)\n"
    check_transformed(
        f"{SLIM}{graph}slim.{call}, session_config={CONFIG})\n",
        f"{SLIM_V1}{graph}{SETTER}slim.{call})\n",
    )


def test_findings_name_the_version_that_removed_the_call() -> None:
    text = f"tf.contrib.slim.learning.train(a, b, session_config={CONFIG})\n"
    messages = [finding.message for finding in analysed(RAW + text).findings]
    assert any("TensorFlow 2.0 removed tf.contrib.slim: the package tf_slim" in m for m in messages)
    text = f"tf.estimator.RunConfig(session_config={CONFIG})\n"
    messages = [finding.message for finding in analysed(RAW + text).findings]
    assert any("TensorFlow 2.16 removed tf.estimator" in message for message in messages)


def test_supervisor_outside_its_graph_keeps_its_config() -> None:
    # With TensorFlow 2 behaviour on, Session(graph=g) outside the graph turns soft placement on.
    # What tf.config had to set instead would hold for the eager code behind it, too.
    check_noop(
        """
        import tensorflow as tf

        with tf.Graph().as_default():
            sv = tf.compat.v1.train.Supervisor()
        config = tf.compat.v1.ConfigProto(log_device_placement=True)
        sess = sv.prepare_or_wait_for_session(config=config)
        """
    )


KEPT = {
    "master": (
        "remote-target",
        f"sess = tf.train.MonitoredTrainingSession(target, config={CONFIG})\n",
    ),
    "master-of-a-creator": (
        "remote-target",
        f"s = tf.train.MonitoredSession(tf.train.ChiefSessionCreator(None, FLAGS.m, {CONFIG}))\n",
    ),
    "master-of-a-supervisor": (
        "remote-target",
        f"s = tf.train.Supervisor().managed_session(server.target, config={CONFIG})\n",
    ),
    "unknown-object": (
        "unknown-object",
        f"sess = make().managed_session(config={CONFIG})\n",
    ),
    "object-of-two-kinds": (
        "unknown-object",
        f"""
        sv = tf.train.Supervisor()
        sv = wrap(sv)
        sess = sv.managed_session(config={CONFIG})
        """,
    ),
    "object-that-another-sets": (
        "unknown-object",
        f"""
        class Trainer:
            def __init__(self):
                self.sv = tf.train.Supervisor()

            def run(self):
                return self.sv.managed_session(config={CONFIG})


        Trainer().sv = other
        """,
    ),
    "object-in-a-loop": (
        "unknown-object",
        f"""
        class Trainer:
            def run(self):
                for self.sv in supervisors:
                    self.sv.managed_session(config={CONFIG})
        """,
    ),
    "creator-returned": (
        "session-elsewhere",
        f"""
        def creator():
            return tf.train.ChiefSessionCreator(config={CONFIG})
        """,
    ),
    "creator-for-two-sessions": (
        "session-elsewhere",
        f"""
        creator = tf.train.ChiefSessionCreator(config={CONFIG})
        first = tf.train.MonitoredSession(creator)
        second = tf.train.MonitoredSession(creator)
        """,
    ),
    "creator-of-another-function": (
        "session-elsewhere",
        f"""
        creator = tf.train.ChiefSessionCreator(config={CONFIG})


        def run():
            return tf.train.MonitoredSession(creator)
        """,
    ),
    "creator-replaced": (
        "session-elsewhere",
        f"""
        creator = tf.train.ChiefSessionCreator(config={CONFIG})
        creator = tf.train.WorkerSessionCreator()
        sess = tf.train.MonitoredSession(creator)
        """,
    ),
    "creator-or-another": (
        "session-elsewhere",
        f"""
        if chief:
            creator = tf.train.ChiefSessionCreator(config={CONFIG})
        else:
            creator = Own()
        sess = tf.train.MonitoredSession(creator)
        """,
    ),
    "creator-for-another-argument": (
        "session-elsewhere",
        f"sess = tf.train.MonitoredSession(hooks=tf.train.ChiefSessionCreator(config={CONFIG}))\n",
    ),
    "creator-with-an-alias": (
        "session-elsewhere",
        f"""
        self.creator = creator = tf.train.ChiefSessionCreator(config={CONFIG})
        sess = tf.train.MonitoredSession(creator)
        """,
    ),
    "creator-of-someone-else": (
        "foreign-config",
        f"""
        first = tf.train.MonitoredTrainingSession(config={CONFIG})
        second = tf.train.MonitoredSession(make_creator())
        """,
    ),
    "session-behind-a-creator": (
        "session-without-config",
        """
        config = tf.ConfigProto(device_count={"GPU": 1})
        creator = tf.train.ChiefSessionCreator(config=config)
        first = tf.Session()
        second = tf.train.MonitoredSession(creator)
        third = tf.Session()
        """,
    ),
    "query-between-creator-and-its-session": (
        "probe-first",
        """
        from tensorflow.python.client import device_lib
        creator = tf.train.ChiefSessionCreator(config=tf.ConfigProto(device_count={"GPU": 1}))
        device_lib.list_local_devices()
        sess = tf.train.MonitoredSession(creator)
        """,
    ),
    "session-of-a-supervisor-without-a-config": (
        "session-without-config",
        """
        def first():
            supervisor = tf.train.Supervisor()
            with supervisor.managed_session() as sess:
                sess.run(step)


        def second():
            return tf.Session(config=tf.ConfigProto(device_count={"GPU": 1}))
        """,
    ),
    "monitored-session-without-a-config": (
        "session-without-config",
        """
        def first():
            return tf.train.MonitoredSession()


        def second():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    ),
    "creator-without-a-config": (
        "session-without-config",
        """
        def first():
            return tf.train.MonitoredSession(tf.train.ChiefSessionCreator())


        def second():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    ),
    "monitored-session-that-makes-the-eager-context": (
        "runtime-first",
        """
        def first():
            return tf.train.MonitoredSession()


        def second():
            return tf.Session(config=tf.ConfigProto(device_count={"GPU": 1}))
        """,
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_config_that_stays(name: str) -> None:
    reason, before = KEPT[name]
    check_body_kept(before, reason)


def test_settings_stand_in_front_of_what_makes_the_session_of_a_creator() -> None:
    check_body(
        """
        config = tf.ConfigProto(device_count={"GPU": 1})
        creator = tf.train.ChiefSessionCreator(config=config)
        first = tf.Session()
        second = tf.train.MonitoredSession(creator)
        """,
        """
        creator = tf.train.ChiefSessionCreator()
        first = tf.Session()
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.set_visible_devices(gpus[:1], "GPU")
        second = tf.train.MonitoredSession(creator)
        """,
    )


def test_calls_that_are_only_reported() -> None:
    text = (
        "import tflearn\nfrom keras.utils import multi_gpu_model\ntflearn.init_graph(num_cores=2)\n"
    )
    (finding,) = analysed(text).findings
    assert (finding.name, finding.line, finding.fix) == ("tflearn-init-graph", 3, "none")
    assert "set_inter_op_parallelism_threads" in finding.todo
