"""More programs made to trip the pipeline: helpers of helpers, names in `with`, guarded imports."""

from __future__ import annotations

from tests.tools import check_not_converted, check_transformed, migrated


def test_name_of_a_with_block_holds_a_config_too() -> None:
    check_not_converted(
        """
        import tensorflow as tf

        with make() as config:
            config = tf.ConfigProto()
            sess = tf.Session(config=config)
        """
    )


def test_name_that_all_exports() -> None:
    # `from module import *` would fail with AttributeError.
    check_not_converted(
        """
        import tensorflow as tf

        __all__ = ["config", "sess"]
        config = tf.ConfigProto(allow_soft_placement=True)
        sess = tf.Session(config=config)
        """
    )


def test_imports_in_both_branches_turn_the_new_behaviour_off() -> None:
    check_transformed(
        """
        import sys

        if sys.platform == "linux":
            import tensorflow as tf
        else:
            import tensorflow as tf
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        import sys

        if sys.platform == "linux":
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()
        else:
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_import_that_may_not_run_does_not_stand_for_the_one_of_a_function() -> None:
    text = migrated(
        """
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            import tensorflow as tf


        def make():
            import tensorflow as tf

            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """
    )
    assert "tf.disable_v2_behavior()" in text[text.index("def make") :]


def test_helper_that_adds_to_the_config_of_another_helper() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        def base():
            return tf.ConfigProto(allow_soft_placement=True)


        def on_cpu():
            config = base()
            config.device_count["GPU"] = 0
            return config


        first = tf.Session(config=on_cpu())
        second = tf.Session(config=base())
        """
    )


def test_helper_that_makes_a_session_and_is_called_twice() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        def get():
            config = tf.ConfigProto(allow_soft_placement=False)
            print(tf.Session(config=config))
            config.log_device_placement = True
            return config


        first = tf.Session(config=get())
        second = tf.Session(config=get())
        """
    )


def test_other_config_acts_inside_the_helper_after_its_own_settings() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        def warm():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        def get_config():
            config = tf.ConfigProto(allow_soft_placement=False)
            warm()
            return config


        sess = tf.Session(config=get_config())
        """
    )
