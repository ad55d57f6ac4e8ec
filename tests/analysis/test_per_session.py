"""Settings that differ between sessions of the same code: the default is put back first."""

from __future__ import annotations

import pytest

from tests.tools import check_body, check_body_kept, check_not_converted, check_transformed, source


def test_soft_placement_under_a_condition_in_a_loop() -> None:
    check_body(
        """
        for soft in (True, False):
            config = tf.ConfigProto()
            if soft:
                config.allow_soft_placement = True
            with tf.Session(config=config) as sess:
                sess.run(step)
        """,
        """
        for soft in (True, False):
            tf.config.set_soft_device_placement(False)
            if soft:
                tf.config.set_soft_device_placement(True)
            with tf.Session() as sess:
                sess.run(step)
        """,
    )


def test_condition_in_a_function_that_is_called_twice() -> None:
    check_body(
        """
        def make(on_cpu):
            config = tf.ConfigProto()
            if on_cpu:
                config.device_count["GPU"] = 0
            return tf.Session(config=config)


        first = make(True)
        second = make(False)
        """,
        """
        def make(on_cpu):
            gpus = tf.config.list_physical_devices("GPU")
            tf.config.set_visible_devices(gpus, "GPU")
            if on_cpu:
                tf.config.set_visible_devices([], "GPU")
            return tf.Session()


        first = make(True)
        second = make(False)
        """,
    )


def test_default_shares_the_list_of_gpus_with_what_is_always_set() -> None:
    check_body(
        """
        class Network:
            def __init__(self, pinned):
                # Everything by default.
                config = tf.ConfigProto(allow_soft_placement=True)
                config.gpu_options.allow_growth = True
                if pinned:
                    config.gpu_options.visible_device_list = "1"
                self.sess = tf.Session(config=config)
        """,
        """
        class Network:
            def __init__(self, pinned):
                # Everything by default.
                gpus = tf.config.list_physical_devices("GPU")
                tf.config.set_visible_devices(gpus, "GPU")
                for gpu in gpus:
                    tf.config.experimental.set_memory_growth(gpu, True)
                tf.config.set_soft_device_placement(True)
                if pinned:
                    gpus = tf.config.list_physical_devices("GPU")
                    if gpus:
                        tf.config.set_visible_devices(gpus[1], "GPU")
                self.sess = tf.Session()
        """,
    )


def test_helper_that_sets_a_field_sometimes() -> None:
    check_body(
        """
        def get_config(verbose):
            config = tf.ConfigProto()
            if verbose:
                config.log_device_placement = True
            return config


        def make(verbose):
            return tf.Session(config=get_config(verbose))
        """,
        """
        def get_config(verbose):
            tf.debugging.set_log_device_placement(False)
            if verbose:
                tf.debugging.set_log_device_placement(True)


        def make(verbose):
            get_config(verbose)
            return tf.Session()
        """,
    )


def test_function_that_takes_the_config_in_a_loop() -> None:
    check_body(
        """
        def make(config):
            return tf.Session(config=config)


        for soft in (True, False):
            config = tf.ConfigProto()
            if soft:
                config.allow_soft_placement = True
            make(config)
        """,
        """
        def make():
            return tf.Session()


        for soft in (True, False):
            tf.config.set_soft_device_placement(False)
            if soft:
                tf.config.set_soft_device_placement(True)
            make()
        """,
    )


def test_session_that_is_made_once_needs_no_default() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if verbose:
            config.log_device_placement = True
        sess = tf.Session(config=config)
        """,
        """
        if verbose:
            tf.debugging.set_log_device_placement(True)
        sess = tf.Session()
        """,
    )


# Every branch sets the field.


def test_both_branches_set_it() -> None:
    check_body(
        """
        def make(threads):
            if not threads:
                config = tf.ConfigProto(allow_soft_placement=True)
            else:
                config = tf.ConfigProto(
                    intra_op_parallelism_threads=4, allow_soft_placement=True
                )
            return tf.Session(config=config)
        """,
        """
        def make(threads):
            if not threads:
                tf.config.set_soft_device_placement(True)
            else:
                tf.config.threading.set_intra_op_parallelism_threads(4)
                tf.config.set_soft_device_placement(True)
            return tf.Session()
        """,
    )


def test_all_branches_of_a_chain_set_it() -> None:
    check_body(
        """
        def make(a, b):
            config = tf.ConfigProto()
            if a:
                config.allow_soft_placement = True
            elif b:
                config.allow_soft_placement = False
            else:
                config.allow_soft_placement = True
            return tf.Session(config=config)
        """,
        """
        def make(a, b):
            if a:
                tf.config.set_soft_device_placement(True)
            elif b:
                tf.config.set_soft_device_placement(False)
            else:
                tf.config.set_soft_device_placement(True)
            return tf.Session()
        """,
    )


def test_one_of_two_branches_builds_a_config_without_the_field() -> None:
    check_body(
        """
        def make(soft):
            if soft:
                config = tf.ConfigProto(allow_soft_placement=True)
            else:
                config = tf.ConfigProto()
            return tf.Session(config=config)
        """,
        """
        def make(soft):
            if soft:
                tf.config.set_soft_device_placement(True)
            else:
                tf.config.set_soft_device_placement(False)
            return tf.Session()
        """,
    )


def test_both_sides_of_a_conditional_expression_set_it() -> None:
    check_body(
        """
        def make(log):
            config = (
                tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)
                if log
                else tf.ConfigProto(allow_soft_placement=True, log_device_placement=log)
            )
            return tf.Session(config=config)
        """,
        """
        def make(log):
            if log:
                tf.config.set_soft_device_placement(True)
                tf.debugging.set_log_device_placement(True)
            else:
                tf.config.set_soft_device_placement(True)
                tf.debugging.set_log_device_placement(log)
            return tf.Session()
        """,
    )


def test_chain_without_an_else_gets_the_default() -> None:
    check_body(
        """
        def make(a, b):
            config = tf.ConfigProto()
            if a:
                config.allow_soft_placement = True
            elif b:
                config.allow_soft_placement = False
            return tf.Session(config=config)
        """,
        """
        def make(a, b):
            tf.config.set_soft_device_placement(False)
            if a:
                tf.config.set_soft_device_placement(True)
            elif b:
                tf.config.set_soft_device_placement(False)
            return tf.Session()
        """,
    )


def test_setting_in_a_loop_that_may_not_run() -> None:
    check_body(
        """
        def make(names):
            config = tf.ConfigProto()
            for name in names:
                config.log_device_placement = name
            return tf.Session(config=config)
        """,
        """
        def make(names):
            tf.debugging.set_log_device_placement(False)
            for name in names:
                tf.debugging.set_log_device_placement(name)
            return tf.Session()
        """,
    )


# What stays.


@pytest.mark.parametrize(
    "before",
    [
        # Two objects can be made before their sessions are.
        """
        class Trainer:
            def __init__(self, soft):
                self.config = tf.ConfigProto()
                if soft:
                    self.config.allow_soft_placement = True

            def run(self):
                return tf.Session(config=self.config)
        """,
        # The default would be put back where no session is made.
        """
        def make(soft):
            config = tf.ConfigProto()
            if missing:
                return None
            if soft:
                config.allow_soft_placement = True
            return tf.Session(config=config)
        """,
        # Nothing puts the default of the MLIR bridge back.
        """
        def make(fast):
            config = tf.ConfigProto()
            if fast:
                config.experimental.enable_mlir_bridge = True
            return tf.Session(config=config)
        """,
        # None has no place for a default.
        """
        def make(soft):
            config = tf.ConfigProto(allow_soft_placement=True) if soft else None
            return tf.Session(config=config)
        """,
        """
        def make(soft):
            config = tf.ConfigProto(allow_soft_placement=True) if soft else tf.ConfigProto()
            return tf.Session(config=config)
        """,
        # These start the runtime: the devices cannot change for the second session.
        """
        def make(on_cpu):
            config = tf.ConfigProto()
            if on_cpu:
                config.device_count["GPU"] = 0
            return tf.Session(config=config)


        def train(names):
            with make(True) as sess:
                sess.run(tf.data.TFRecordDataset(names).map(parse))
        """,
        """
        def make(on_cpu):
            config = tf.ConfigProto()
            if on_cpu:
                config.device_count["GPU"] = 0
            return tf.Session(config=config)


        strategy = tf.distribute.MirroredStrategy()
        """,
    ],
)
def test_kept(before: str) -> None:
    check_not_converted("        import tensorflow as tf\n" + before.lstrip("\n"))


def test_default_beside_eager_code_would_reach_that_too() -> None:
    check_not_converted(
        """
        import tensorflow.compat.v1 as tf


        def make(soft):
            config = tf.ConfigProto()
            if soft:
                config.allow_soft_placement = True
            return tf.Session(config=config)
        """
    )


def test_default_in_a_file_that_turns_eager_execution_off() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf

        tf.disable_eager_execution()


        def make(soft):
            config = tf.ConfigProto()
            if soft:
                config.allow_soft_placement = True
            return tf.Session(config=config)
        """,
        """
        import tensorflow.compat.v1 as tf

        tf.disable_eager_execution()


        def make(soft):
            tf.config.set_soft_device_placement(False)
            if soft:
                tf.config.set_soft_device_placement(True)
            return tf.Session()
        """,
    )


def test_variable_that_is_set_before_the_session_but_after_the_default() -> None:
    # The default asks CUDA for its GPUs, which fixes CUDA_VISIBLE_DEVICES.
    check_body_kept(
        """
        import os


        def make(pinned):
            config = tf.ConfigProto()
            os.environ["CUDA_VISIBLE_DEVICES"] = "1"
            if pinned:
                config.gpu_options.visible_device_list = "0"
            return tf.Session(config=config)
        """,
        "late-environment",
    )


def test_session_of_another_function_has_no_cover() -> None:
    check_body_kept(
        """
        def make(on_cpu):
            config = tf.ConfigProto()
            if on_cpu:
                config.device_count["GPU"] = 0
            return tf.Session(config=config)


        def other():
            return tf.Session()
        """,
        "session-without-config",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            """
            config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)
            trainer = tf.Session(config=config)
            config = tf.ConfigProto(allow_soft_placement=True)
            tester = tf.Session(config=config)
            """,
            """
            tf.config.set_soft_device_placement(True)
            tf.debugging.set_log_device_placement(True)
            trainer = tf.Session()
            tf.debugging.set_log_device_placement(False)
            tf.config.set_soft_device_placement(True)
            tester = tf.Session()
            """,
        ),
        (
            """
            def main():
                config = tf.ConfigProto(allow_soft_placement=FLAGS.soft)
                with tf.Session(config=config) as sess:
                    sess.run(train)
                config = None
                config = tf.ConfigProto(allow_soft_placement=FLAGS.soft)
                with tf.Session(config=config) as sess:
                    sess.run(test)
            """,
            """
            def main():
                tf.config.set_soft_device_placement(FLAGS.soft)
                with tf.Session() as sess:
                    sess.run(train)
                tf.config.set_soft_device_placement(FLAGS.soft)
                with tf.Session() as sess:
                    sess.run(test)
            """,
        ),
        (
            """
            if train:
                config = tf.ConfigProto(allow_soft_placement=True)
                sess = tf.Session(config=config)
            else:
                config = tf.ConfigProto(log_device_placement=True)
                sess = tf.Session(config=config)
            """,
            """
            if train:
                tf.config.set_soft_device_placement(True)
                sess = tf.Session()
            else:
                tf.debugging.set_log_device_placement(True)
                sess = tf.Session()
            """,
        ),
        (
            """
            options = tf.GPUOptions(allow_growth=True)
            options = tf.ConfigProto(gpu_options=options)
            sess = tf.Session(config=options)
            """,
            """
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
            sess = tf.Session()
            """,
        ),
    ],
)
def test_a_variable_holds_one_config_after_the_other(before: str, after: str) -> None:
    check_body(before, after)


@pytest.mark.parametrize(
    "before",
    [
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        for path in paths:
            sess = tf.Session(config=config)
            config = tf.ConfigProto(log_device_placement=True)
        """,
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        try:
            config = tf.ConfigProto(log_device_placement=True)
            prepare()
        except ValueError:
            sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        while tf.Session(config=config).run(more):
            config = tf.ConfigProto(log_device_placement=True)
        """,
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        later = lambda: tf.Session(config=config)
        config = tf.ConfigProto(log_device_placement=True)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        for path in paths:
            if path:
                config = tf.ConfigProto(log_device_placement=True)
            else:
                sess = tf.Session(config=config)
        """,
    ],
)
def test_a_variable_may_hold_another_config(before: str) -> None:
    check_not_converted(f"import tensorflow as tf\n{source(before)}")
