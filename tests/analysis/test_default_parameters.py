"""Parameters that a function fills where it gets no config."""

from __future__ import annotations

import pytest

from tests.tools import RAW, check_body, check_body_kept, check_not_converted, source


def test_parameter_that_no_call_gives() -> None:
    check_body(
        """
        def make_session(config=None, graph=None):
            if config is None:
                config = tf.ConfigProto()
                config.gpu_options.allow_growth = True
            return tf.Session(config=config, graph=graph)


        make_session(graph=g)
        """,
        """
        def make_session(graph=None):
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
            return tf.Session(graph=graph)


        make_session(graph=g)
        """,
    )


@pytest.mark.parametrize(
    ("test", "call"),
    [
        ("config is None", "run()"),
        ("not config", "run()"),
        ("config is None", "run(None)"),
        ("not config", "run(config=None)"),
    ],
)
def test_tests_and_calls(test: str, call: str) -> None:
    check_body(
        f"""
        def run(config=None):
            if {test}: config = tf.ConfigProto(allow_soft_placement=True)
            config.log_device_placement = True
            tf.Session(config=config)


        {call}
        """,
        """
        def run():
            tf.config.set_soft_device_placement(True)
            tf.debugging.set_log_device_placement(True)
            tf.Session()


        run()
        """,
    )


def test_comments_and_other_code_under_the_test() -> None:
    check_body(
        '''
        def run(*, config: tf.ConfigProto = None):
            first()
            # The default.
            if config is None:  # nothing given
                # Build it.
                config = tf.ConfigProto(allow_soft_placement=True)
                print("""
        text""")
                if loud:
                    config.log_device_placement = True
                # Done.
            tf.Session(config=config)


        run()
        ''',
        '''
        def run():
            first()
            # The default.
            # nothing given
            # Build it.
            tf.config.set_soft_device_placement(True)
            print("""
        text""")
            if loud:
                tf.debugging.set_log_device_placement(True)
            # Done.
            tf.Session()


        run()
        ''',
    )


def test_test_under_which_nothing_is_left() -> None:
    check_body(
        """
        def run(config=None):
            # Why.
            if config is None:
                config = tf.ConfigProto()
            tf.Session(config=config)


        run()
        """,
        """
        def run():
            # Why.
            tf.Session()


        run()
        """,
    )


def test_method() -> None:
    check_body(
        """
        class A:
            def make(self, config=None):
                if config is None:
                    config = tf.ConfigProto(allow_soft_placement=True)
                self.sess = tf.Session(config=config)

            def go(self):
                self.make()
        """,
        """
        class A:
            def make(self):
                tf.config.set_soft_device_placement(True)
                self.sess = tf.Session()

            def go(self):
                self.make()
        """,
    )


BODY = """
        def run(config=None):
            if config is None:
                config = tf.ConfigProto(allow_soft_placement=True)
            return tf.Session(config=config)
        """


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        ("", "no call of `run` is known"),
        ("run(load())", "`load()` is passed in line 9"),
        ("run()\nrun(config=config)", "`config` is passed in line 10"),
        ("run(**options)", "the arguments in line 9 are not known"),
        ("start(run)", "`run` is not only called, but used in line 9"),
    ],
)
def test_calls_that_may_give_one(calls: str, why: str) -> None:
    result = check_body_kept(f"{source(BODY)}\n\n{calls}\n", "parameter")
    assert result.findings[0].message == (
        f"config kept: the config built in line 5 is stored in the parameter `config`, and {why}"
    )


@pytest.mark.parametrize(
    ("head", "test"),
    [
        ("def run(config):", "config is None:"),
        ("def run(config=1):", "config is None:"),
        ("def run(config=None):", "config is not None:"),
        ("def run(config=None):", "other is None:"),
        ("def run(config=None):", "config is other:"),
        ("def run(config=None):", "config is None is None:"),
        ("def run(config=None):", "config is None and a:"),
        ("def run(config=None):", "a:\n        pass\n    elif config is None:"),
        ("def run(config=None):\n    config = config", "config is None:"),
        ("def run(a=1, /, config=None):", "config is None:"),
        ("def run(*config):", "not config:"),
        ("@traced\ndef run(config=None):", "config is None:"),
    ],
)
def test_functions_that_fill_in_other_ways(head: str, test: str) -> None:
    body = f"    if {test}\n        config = tf.ConfigProto()\n    tf.Session(config=config)\n"
    check_body_kept(f"{head}\n{body}\n\nrun()\n", "parameter")


def test_test_that_may_be_passed_over() -> None:
    check_body_kept(
        """
        def run(config=None):
            if a:
                if config is None:
                    config = tf.ConfigProto()
            tf.Session(config=config)


        run()
        """,
        "parameter",
    )


def test_test_with_another_side() -> None:
    check_body_kept(
        """
        def run(config=None):
            if config is None:
                config = tf.ConfigProto()
            else:
                print(1)
            tf.Session(config=config)


        run()
        """,
        "parameter",
    )


def test_coroutine_and_lambda() -> None:
    check_body_kept(
        """
        async def run(config=None):
            if config is None:
                config = tf.ConfigProto()
            tf.Session(config=config)


        run()
        """,
        "parameter",
    )


@pytest.mark.parametrize("use", ["print(config)", "a = config is None", "b = not config"])
def test_parameter_that_is_read_otherwise(use: str) -> None:
    check_body_kept(
        f"""
        def run(config=None):
            if config is None:
                config = tf.ConfigProto()
            {use}
            tf.Session(config=config)


        run()
        """,
        "passed-on" if "print" in use else "config-read",
    )


def test_other_parameter_that_takes_a_config() -> None:
    check_body_kept(
        """
        def run(first, config=None):
            if config is None:
                config = tf.ConfigProto(allow_soft_placement=True)
            tf.Session(config=first)
            tf.Session(config=config)


        run(tf.ConfigProto(allow_soft_placement=True))
        """,
        "parameter",
    )


def test_function_that_all_exports() -> None:
    check_body_kept(f"__all__ = ['run']\n{source(BODY)}\n\nrun()\n", "used-elsewhere")


STORED = """
class Trainer:
    def __init__(self, config=None):
        {store}
        if {test}:
            self.config = tf.ConfigProto()
            self.config.log_device_placement = True
        self.sess = tf.Session(config={given})


{calls}
"""


@pytest.mark.parametrize(
    ("store", "test", "call"),
    [
        ("self.config = config", "self.config is None", ""),
        ("self.config = config", "config is None", "None"),
        ("self.config = config", "not self.config", "config=None"),
        ("self.config = config\n        self.steps = 3", "self.config is None", ""),
    ],
)
def test_attribute_that_is_filled_where_its_parameter_is_none(
    store: str, test: str, call: str
) -> None:
    given = {"store": store, "test": test, "given": "self.config"}
    beside = "".join(f"        {line}\n" for line in store.split("\n        ")[1:])
    check_body(
        STORED.format(calls=f"Trainer({call})", **given),
        "class Trainer:\n    def __init__(self):\n"
        f"{beside}"
        "        tf.debugging.set_log_device_placement(True)\n"
        "        self.sess = tf.Session()\n\n\nTrainer()\n",
    )


@pytest.mark.parametrize(
    ("store", "test", "given", "calls"),
    [
        ("self.config = config", "config is None", "config", "Trainer()"),
        ("self.config = config", "self.config is not None", "self.config", "Trainer()"),
        ("self.config = config", "self.config is None", "self.config", "Trainer(load())"),
        ("self.config = config", "self.config is None", "self.config", "print(Trainer().config)"),
        ("self.config = config\n        start()", "config is None", "self.config", "Trainer()"),
        (
            "self.config = config\n        self.config = other",
            "not config",
            "self.config",
            "Trainer()",
        ),
        ("self.old = config", "self.config is None", "self.config", "Trainer()"),
        ("self.config = config", "self.other is None", "self.config", "Trainer()"),
    ],
)
def test_attribute_that_may_be_filled_otherwise(
    store: str, test: str, given: str, calls: str
) -> None:
    text = STORED.format(store=store, test=test, given=given, calls=calls)
    check_not_converted(RAW + source(text))
