"""Programs that the pipeline gets wrong today: each test fails until that is put right."""

from __future__ import annotations

import pytest

from tests.tools import book, check_not_converted, check_transformed, comments, migrated, source

BETWEEN = {
    "two-calls-deep": """
        def inner():
            return tf.Session()


        def outer():
            return inner()


        def run():
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
            outer()
            return tf.Session(config=config)
        """,
    "two-calls-deep-with-a-config": """
        def inner():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=False))


        def outer():
            return inner()


        def run():
            config = tf.ConfigProto(allow_soft_placement=True)
            outer()
            return tf.Session(config=config)
        """,
    "constructor": """
        class Warm:
            def __init__(self):
                self.sess = tf.Session()


        def run():
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
            Warm()
            return tf.Session(config=config)
        """,
    "method-of-another-object": """
        class Warm:
            def up(self):
                return tf.Session()


        def run(warm):
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
            warm.up()
            return tf.Session(config=config)
        """,
    "continue": """
        for name in names:
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
            if name is None:
                continue
            sess = tf.Session(config=config)
        other = tf.Session()
        """,
    "break": """
        while True:
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
            if done():
                break
            sess = tf.Session(config=config)
        other = tf.Session()
        """,
    "exception": """
        try:
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
            load()
            sess = tf.Session(config=config)
        except OSError:
            sess = tf.Session()
        """,
}


@pytest.mark.parametrize("name", BETWEEN)
def test_other_session_comes_between_the_settings_and_theirs(name: str) -> None:
    lines = BETWEEN[name].replace("\n        ", "\n").lstrip("\n")
    check_not_converted(f"import tensorflow as tf\n\n{lines}")


def test_helper_that_is_called_twice_before_the_sessions() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        def base(soft):
            return tf.ConfigProto(allow_soft_placement=soft)


        loose = base(True)
        strict = base(False)
        first = tf.Session(config=loose)
        second = tf.Session(config=strict)
        """
    )


def test_helper_that_is_called_twice_and_has_branches() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        def get(on_cpu):
            if on_cpu:
                config = tf.ConfigProto(device_count={"GPU": 0})
            else:
                config = tf.ConfigProto(allow_soft_placement=True)
            return config


        first = tf.Session(config=get(True))
        second = tf.Session(config=get(False))
        """
    )


def test_target_may_come_from_unpacked_arguments() -> None:
    check_not_converted(
        """
        import tensorflow as tf

        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True), **arguments)
        """
    )


def test_comments_around_a_return_that_stays() -> None:
    before = """
        import tensorflow as tf


        def get(soft):
            config = tf.ConfigProto(allow_soft_placement=True)
            if soft:
                # enough
                return config  # now
            print(soft)
            return config


        sess = tf.Session(config=get(True))
        """
    text = migrated(before)
    assert text != source(before)
    assert comments(text) == comments(source(before))


def test_blank_lines_below_an_added_import() -> None:
    check_transformed(
        """
        import sys


        def make():
            from tensorflow import ConfigProto, Session as S

            return S(config=ConfigProto(allow_soft_placement=True))
        """,
        """
        import sys

        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def make():
            from tensorflow.compat.v1 import Session as S

            tf.config.set_soft_device_placement(True)
            return S()
        """,
    )


def test_field_that_is_like_no_other_has_no_nearest_one() -> None:
    # The common prefix alone makes no likeness.
    assert book().nearest_field("gpu_options.zzz") is None
