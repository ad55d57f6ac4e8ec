"""Where a config takes effect: calls that lose their config, and calls that keep it."""

from __future__ import annotations

import pytest

from tests.tools import (
    RAW,
    UNSAFE,
    analysed,
    check_body,
    check_body_kept,
    check_kept,
    check_noop,
    names,
)

SETTER = "tf.config.set_soft_device_placement(True)\n"
CONFIG = "config=tf.ConfigProto(allow_soft_placement=True)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tf.Session({})\n", "tf.Session()\n"),
        ("sess = tf.Session({})\n", "sess = tf.Session()\n"),
        ("sess: tf.Session = tf.Session({})\n", "sess: tf.Session = tf.Session()\n"),
        ("a = b = tf.Session({})\n", "a = b = tf.Session()\n"),
        ("self.sess = tf.Session({})\n", "self.sess = tf.Session()\n"),
        ("a, b = tf.Session({}), 1\n", "a, b = tf.Session(), 1\n"),
        ("with tf.Session({}):\n    pass\n", "with tf.Session():\n    pass\n"),
        ("with tf.Session({}) as s:\n    pass\n", "with tf.Session() as s:\n    pass\n"),
        ("with a, tf.Session({}) as s:\n    pass\n", "with a, tf.Session() as s:\n    pass\n"),
        ("use(tf.Session({}), 1)\n", "use(tf.Session(), 1)\n"),
        ("use(session=tf.Session({}))\n", "use(session=tf.Session())\n"),
        ("tf.Session({}).run(step)\n", "tf.Session().run(step)\n"),
        ("print(tf.Session({}).run(step))\n", "print(tf.Session().run(step))\n"),
        ("if tf.Session({}).run(x):\n    pass\n", "if tf.Session().run(x):\n    pass\n"),
        ("for x in tf.Session({}).run(y): use(x)\n", "for x in tf.Session().run(y): use(x)\n"),
        ("sess = tf.Session(graph=g, {})\n", "sess = tf.Session(graph=g)\n"),
        ("sess = tf.Session({}, graph=g)\n", "sess = tf.Session(graph=g)\n"),
        ("sess = tf.Session('', {})\n", "sess = tf.Session('')\n"),
        ("sess = tf.Session(target='', {})\n", "sess = tf.Session(target='')\n"),
        ("sess = tf.Session(target=None, {})\n", "sess = tf.Session(target=None)\n"),
        ("sess = tf.Session('', g, {})\n", "sess = tf.Session('', g)\n"),
        ("d = {{'s': tf.Session({})}}\n", "d = {'s': tf.Session()}\n"),
        ("del d[tf.Session({})]\n", "del d[tf.Session()]\n"),
        ("raise Error(tf.Session({}))\n", "raise Error(tf.Session())\n"),
    ],
)
def test_session_wherever_it_stands(before: str, after: str) -> None:
    check_body(before.format(CONFIG), SETTER + after)


@pytest.mark.parametrize("graph", ["None", "g", "tf.Graph()"])
def test_config_as_third_argument(graph: str) -> None:
    check_body(
        f"sess = tf.Session('', {graph}, tf.ConfigProto(allow_soft_placement=True))\n",
        f"{SETTER}sess = tf.Session('', {graph})\n",
    )


def test_one_config_for_two_sessions() -> None:
    check_body(
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        first = tf.Session(config=config)
        second = tf.Session(config=config)
        """,
        """
        tf.config.set_soft_device_placement(True)
        first = tf.Session()
        second = tf.Session()
        """,
    )


def test_config_in_a_multi_line_header() -> None:
    check_body(
        """
        with tf.Session(
                graph=graph,
                config=tf.ConfigProto(
                    allow_soft_placement=True)) as sess:
            sess.run(step)
        """,
        """
        tf.config.set_soft_device_placement(True)
        with tf.Session(
                graph=graph) as sess:
            sess.run(step)
        """,
    )


def test_interactive_session_loses_growth() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.InteractiveSession(graph=graph, config=config)
        """,
        """
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.InteractiveSession(graph=graph)
        """,
    )


def test_interactive_session_becomes_a_session_that_is_entered() -> None:
    check_body(
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        sess = tf.InteractiveSession('', graph, config)
        """,
        """
        tf.config.set_soft_device_placement(True)
        sess = tf.Session('', graph).__enter__()
        """,
        UNSAFE,
    )


def test_plain_interactive_session_takes_nothing() -> None:
    check_body(
        """
        first = tf.InteractiveSession()
        second = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        first = tf.InteractiveSession()
        tf.config.set_soft_device_placement(True)
        second = tf.Session()
        """,
    )


KEPT = {
    "interactive-empty": (
        "needs-unsafe",
        "sess = tf.InteractiveSession(config=tf.ConfigProto())\n",
    ),
    "interactive-more": (
        "needs-unsafe",
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
        sess = tf.InteractiveSession(config=config)
        """,
    ),
    "interactive-growth-from-a-flag": (
        "needs-unsafe",
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = FLAGS.grow
        sess = tf.InteractiveSession(config=config)
        """,
    ),
    "interactive-and-another": (
        "needs-unsafe",
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.InteractiveSession(config=config)
        other = tf.Session(config=config)
        """,
    ),
    "interactive-from-a-helper": (
        "needs-unsafe",
        """
        def get_config():
            return tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


        sess = tf.InteractiveSession(config=get_config())
        """,
    ),
    "interactive-in-a-with": (
        "interactive-session-config",
        """
        with tf.InteractiveSession(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
            pass
        """,
    ),
    "interactive-by-its-name": (
        "interactive-session-config",
        """
        from tensorflow import InteractiveSession
        sess = InteractiveSession(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    ),
    "interactive-and-another-graph": (
        "interactive-session-config",
        """
        sess = tf.InteractiveSession(config=tf.ConfigProto(allow_soft_placement=True))
        tf.reset_default_graph()
        """,
    ),
    "interactive-or-none": (
        "interactive-session-config",
        """
        config = None
        if soft:
            config = tf.ConfigProto(allow_soft_placement=True)
        sess = tf.InteractiveSession(config=config)
        """,
    ),
    "estimator": (
        "estimator-config",
        "run_config = tf.estimator.RunConfig(session_config=tf.ConfigProto())\n",
    ),
    "estimator-replaced": (
        "estimator-config",
        "run_config = tf.estimator.RunConfig().replace(session_config=tf.ConfigProto())\n",
    ),
    "estimator-in-contrib": (
        "estimator-config",
        "run_config = tf.contrib.learn.RunConfig(session_config=tf.ConfigProto())\n",
    ),
    "server": (
        "server-config",
        "server = tf.train.Server(cluster, config=tf.ConfigProto())\n",
    ),
    "test-session": (
        "test-session-config",
        """
        class Test(tf.test.TestCase):
            def test(self):
                with self.test_session(config=tf.ConfigProto()) as sess:
                    pass
        """,
    ),
    "eager": (
        "eager-config",
        "tf.compat.v1.enable_eager_execution(tf.ConfigProto(allow_soft_placement=True))\n",
    ),
    "eager-by-a-parameter": (
        "eager-config",
        """
        def setup(config):
            tf.enable_eager_execution(config=config)


        setup(tf.ConfigProto(allow_soft_placement=True))
        """,
    ),
    "eager-or-a-session-by-a-parameter": (
        "eager-config",
        """
        def setup(config):
            if FLAGS.eager:
                tf.enable_eager_execution(config)
            else:
                tf.Session(config=config)


        setup(tf.ConfigProto(allow_soft_placement=True))
        """,
    ),
    "eager-with-other-options": (
        "eager-config",
        "tf.enable_eager_execution(tf.ConfigProto(allow_soft_placement=True), policy)\n",
    ),
    "eager-before-a-write": (
        "late-environment",
        """
        import os
        config = tf.ConfigProto(device_count={"GPU": 1})
        tf.enable_eager_execution(config)
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"
        """,
    ),
    "eager-before-a-fork": (
        "fork",
        """
        import os
        config = tf.ConfigProto(device_count={"GPU": 1})
        tf.enable_eager_execution(config)
        os.fork()
        """,
    ),
    "device-list": (
        "device-list-config",
        """
        from tensorflow.python.client import device_lib
        device_lib.list_local_devices(tf.ConfigProto())
        """,
    ),
    "strategy": ("distribution-config", "strategy.configure(session_config=tf.ConfigProto())\n"),
    "hook-named-as-of-a-strategy": (
        "passed-on",
        """
        class Base(object):
            def __init__(self):
                self.configure(tf.ConfigProto())

            def configure(self, config):
                pass

        class Other(Base):
            def configure(self, config):
                print(config)
        """,
    ),
    "remote-target": (
        "remote-target",
        "sess = tf.Session(server.target, config=tf.ConfigProto())\n",
    ),
    "remote-target-keyword": (
        "remote-target",
        "sess = tf.Session(target=FLAGS.master, config=tf.ConfigProto())\n",
    ),
    "remote-target-literal": (
        "remote-target",
        "sess = tf.Session('grpc://host:2222', config=tf.ConfigProto())\n",
    ),
    "starred-arguments": (
        "remote-target",
        "sess = tf.Session(*arguments, config=tf.ConfigProto())\n",
    ),
    "starred-arguments-behind-the-target": (
        "kwargs",
        "sess = tf.Session('', *arguments, config=tf.ConfigProto())\n",
    ),
    "session-without-keyword": (
        "refused",
        "sess = tf.Session(tf.ConfigProto(allow_soft_placement=True))\n",
    ),
    "options-as-config": (
        "refused",
        "sess = tf.Session(config=tf.GPUOptions(allow_growth=True))\n",
    ),
    "unpacked-config": (
        "stored",
        "sess = tf.Session(**{'config': tf.ConfigProto(allow_soft_placement=True)})\n",
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_config_that_a_call_keeps(name: str) -> None:
    reason, before = KEPT[name]
    check_body_kept(before, reason)


@pytest.mark.parametrize(
    "line",
    [
        "print(config)",
        "print('config:', str(config))",
        "print(f'{config}')",
        "print('%s %s' % (1, config))",
        "logging.info('%s', config)",
        "logging.getLogger('train').debug(config)",
        "logger.warning('%r', config)",
        "tf.logging.info(config)",
    ],
)
def test_config_that_is_shown_is_built_still(line: str) -> None:
    before = f"""
        import logging
        logger = logging.getLogger()
        config = tf.ConfigProto(allow_soft_placement=soft)
        {line}
        sess = tf.Session(config=config)
        """
    check_body_kept(before, "needs-unsafe")
    after = f"""
        import logging
        logger = logging.getLogger()
        tf.config.set_soft_device_placement(soft)
        config = tf.ConfigProto(allow_soft_placement=soft)
        {line}
        sess = tf.Session()
        """
    check_body(before, after, UNSAFE)


@pytest.mark.parametrize(
    "lines",
    [
        "text = str(config)",
        "logger.log(1, config)",
        "log.info(config)",
        "print(config, file=out(config))",
        "shown = print(config)",
        "print(config.gpu_options.allow_growth)",
        "print(config)\nconfig.allow_soft_placement = ask()",
    ],
)
def test_config_that_may_be_more_than_shown(lines: str) -> None:
    text = (
        "import tensorflow as tf\n\nconfig = tf.ConfigProto()\n"
        f"config.gpu_options.allow_growth = True\n{lines}\nsess = tf.Session(config=config)\n"
    )
    check_noop(text, UNSAFE)


def test_method_without_a_config_is_no_session() -> None:
    # Many objects have a method `session`; only with a config it is a test's.
    check_body(
        """
        driver.session()
        sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
        """,
        """
        driver.session()
        tf.config.set_visible_devices([], "GPU")
        sess = tf.Session()
        """,
    )


def test_config_that_is_not_known_is_no_config_of_the_file() -> None:
    check_noop("import tensorflow as tf\n\nsess = tf.Session(config=load())\n")
    assert names(analysed(RAW + "sess = tf.Session(config=load())\n")) == []


def test_config_for_a_method_of_an_imported_module_is_passed_on() -> None:
    check_kept(
        """
        import tensorflow as tf
        from project import supervisor

        supervisor.managed_session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        "passed-on",
    )
