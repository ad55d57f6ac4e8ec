"""Programs made to trip the pipeline: each was wrong once, and says what is right.

Where more than one result would be right (converting well, or keeping the config), the test asks
only for what every right result has.
"""

from __future__ import annotations

import pytest

from tests.tools import (
    UNSAFE,
    V1,
    book,
    check_body,
    check_not_converted,
    check_transformed,
    comments,
    migrated,
    source,
)
from tfgpu.files.pyfile import SourceError

# Control flow: `return config` ends the function.


def test_return_in_the_middle_still_ends_the_function() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def get_config(gpu):
            config = tf.ConfigProto(allow_soft_placement=True)
            if not gpu:
                return config
            config.gpu_options.allow_growth = True
            return config


        sess = tf.Session(config=get_config(True))
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def get_config(gpu):
            tf.config.set_soft_device_placement(True)
            if not gpu:
                return
            for physical_gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(physical_gpu, True)


        get_config(True)
        sess = tf.Session()
        """,
    )


def test_return_in_a_loop_still_ends_the_function() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def get_config():
            for name in names:
                if is_ready(name):
                    return tf.ConfigProto(allow_soft_placement=True)
                print(name)


        sess = tf.Session(config=get_config())
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def get_config():
            for name in names:
                if is_ready(name):
                    tf.config.set_soft_device_placement(True)
                    return
                print(name)


        get_config()
        sess = tf.Session()
        """,
    )


def test_recursive_helper_still_returns() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def get_config(depth):
            if depth:
                return get_config(depth - 1)
            print("bottom")
            return tf.ConfigProto(allow_soft_placement=True)


        sess = tf.Session(config=get_config(3))
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def get_config(depth):
            if depth:
                get_config(depth - 1)
                return
            print("bottom")
            tf.config.set_soft_device_placement(True)


        get_config(3)
        sess = tf.Session()
        """,
    )


# Order: what one session had is not what another one gets.


def test_value_that_a_session_took_before_it_was_overwritten() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto(allow_soft_placement=True)
        first = tf.Session(config=config)
        config.allow_soft_placement = False
        second = tf.Session(config=config)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        tf.config.set_soft_device_placement(True)
        first = tf.Session()
        tf.config.set_soft_device_placement(False)
        second = tf.Session()
        """,
    )


def test_number_of_threads_that_the_first_session_took() -> None:
    text = migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto(intra_op_parallelism_threads=1)
        first = tf.Session(config=config)
        config.intra_op_parallelism_threads = 2
        second = tf.Session(config=config)
        """
    )
    assert "threads=1" in text or "threads(1)" in text


@pytest.mark.parametrize(("first", "second"), [("one", "two"), ("two", "one")])
def test_configs_that_differ_are_all_built_before_the_sessions(first: str, second: str) -> None:
    # In TensorFlow 1 the first session decides; after two setters the last setter does.
    values = {"one": 1, "two": 2}
    check_transformed(
        f"""
        import tensorflow as tf

        one = tf.ConfigProto(intra_op_parallelism_threads=1)
        two = tf.ConfigProto(intra_op_parallelism_threads=2)
        first = tf.Session(config={first})
        second = tf.Session(config={second})
        """,
        f"""
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        tf.config.threading.set_intra_op_parallelism_threads({values[first]})
        first = tf.Session()
        tf.config.threading.set_intra_op_parallelism_threads({values[second]})
        second = tf.Session()
        """,
    )


def test_first_session_keeps_what_the_second_one_sets_to_itself() -> None:
    check_transformed(
        """
        import tensorflow as tf

        growing = tf.ConfigProto()
        growing.gpu_options.allow_growth = True
        first = tf.Session(config=tf.ConfigProto())
        second = tf.Session(config=growing)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        first = tf.Session()
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        second = tf.Session()
        """,
    )


def test_setting_after_the_only_session_had_no_effect() -> None:
    text = migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto()
        sess = tf.Session(config=config)
        config.allow_soft_placement = True
        """
    )
    assert "set_soft_device_placement" not in text


def test_setting_in_a_function_called_after_the_session_had_no_effect() -> None:
    text = migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto()


        def relax():
            config.allow_soft_placement = True


        sess = tf.Session(config=config)
        relax()
        """
    )
    assert "set_soft_device_placement" not in text


# Branches: a session of another branch must not take on the settings.


def test_growth_moves_into_the_branch_that_uses_it() -> None:
    check_transformed(
        """
        import tensorflow as tf

        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        if grow:
            sess = tf.Session(config=config)
        else:
            sess = tf.Session()
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        if grow:
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
            sess = tf.Session()
        else:
            sess = tf.Session()
        """,
    )


def test_no_gpu_moves_into_the_branch_that_uses_it() -> None:
    check_transformed(
        """
        import tensorflow as tf

        config = tf.ConfigProto(device_count={"GPU": 0})
        if on_cpu:
            sess = tf.Session(config=config)
        else:
            sess = tf.Session()
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        if on_cpu:
            tf.config.set_visible_devices([], "GPU")
            sess = tf.Session()
        else:
            sess = tf.Session()
        """,
    )


def test_two_configs_move_into_their_branches() -> None:
    check_transformed(
        """
        import tensorflow as tf

        loose = tf.ConfigProto(allow_soft_placement=True)
        strict = tf.ConfigProto(allow_soft_placement=False)
        if is_strict:
            sess = tf.Session(config=strict)
        else:
            sess = tf.Session(config=loose)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        if is_strict:
            tf.config.set_soft_device_placement(False)
            sess = tf.Session()
        else:
            tf.config.set_soft_device_placement(True)
            sess = tf.Session()
        """,
    )


@pytest.mark.parametrize("other", ["config if on_cpu else None", "None if on_gpu else config"])
def test_config_that_is_used_under_a_condition(other: str) -> None:
    check_not_converted(
        f"""
        import tensorflow as tf

        config = tf.ConfigProto(device_count={{"GPU": 0}})
        sess = tf.Session(config={other})
        """
    )


def test_config_that_is_passed_on_under_a_condition() -> None:
    check_not_converted(
        """
        import tensorflow as tf

        no_gpu = tf.ConfigProto(device_count={"GPU": 0})
        config = no_gpu if on_cpu else None
        sess = tf.Session(config=config)
        """
    )


@pytest.mark.parametrize("reset", ["config = None", "if on_gpu:\n    config = None"])
def test_config_that_is_given_up_again(reset: str) -> None:
    check_not_converted(
        "import tensorflow as tf\n\n"
        'config = tf.ConfigProto(device_count={"GPU": 0})\n'
        f"{reset}\n"
        "sess = tf.Session(config=config)\n"
    )


def test_config_that_is_given_up_between_sessions() -> None:
    check_not_converted(
        """
        import tensorflow as tf

        config = tf.ConfigProto(device_count={"GPU": 0})
        first = tf.Session(config=config)
        config = None
        second = tf.Session(config=config)
        """
    )


def test_growth_under_a_condition_and_interactive_session() -> None:
    # InteractiveSession() always grows; the config let it grow under the condition only.
    check_not_converted(
        """
        import tensorflow as tf

        config = tf.ConfigProto()
        if grow:
            config.gpu_options.allow_growth = True
        sess = tf.InteractiveSession(config=config)
        """
    )


# Repetition: what a session alone had stays on for the next round.


def test_default_is_put_back_where_branches_of_a_loop_follow_each_other() -> None:
    check_transformed(
        """
        import tensorflow as tf

        for soft in (True, False):
            if soft:
                sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
            else:
                sess = tf.Session()
            sess.run(step)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        for soft in (True, False):
            if soft:
                tf.config.set_soft_device_placement(True)
                sess = tf.Session()
                tf.config.set_soft_device_placement(None)
            else:
                sess = tf.Session()
            sess.run(step)
        """,
    )


def test_defaults_are_set_where_branches_of_a_loop_follow_each_other() -> None:
    check_transformed(
        """
        import tensorflow as tf

        for soft in (True, False):
            if soft:
                sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
            else:
                sess = tf.Session(config=tf.ConfigProto(log_device_placement=True))
            sess.run(step)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        for soft in (True, False):
            if soft:
                tf.debugging.set_log_device_placement(False)
                tf.config.set_soft_device_placement(True)
                sess = tf.Session()
            else:
                tf.config.set_soft_device_placement(False)
                tf.debugging.set_log_device_placement(True)
                sess = tf.Session()
            sess.run(step)
        """,
    )


def test_defaults_are_set_in_branches_of_a_function_that_is_called_twice() -> None:
    check_transformed(
        """
        import tensorflow as tf


        def make(on_cpu):
            if on_cpu:
                return tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
            else:
                return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        first = make(True)
        second = make(False)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def make(on_cpu):
            if on_cpu:
                tf.config.set_soft_device_placement(False)
                tf.config.set_visible_devices([], "GPU")
                return tf.Session()
            else:
                gpus = tf.config.list_physical_devices("GPU")
                tf.config.set_visible_devices(gpus, "GPU")
                tf.config.set_soft_device_placement(True)
                return tf.Session()


        first = make(True)
        second = make(False)
        """,
    )


def test_same_setting_with_and_without_a_condition() -> None:
    check_transformed(
        """
        import tensorflow as tf


        def train(soft):
            config = tf.ConfigProto()
            if soft:
                config.allow_soft_placement = True
            return tf.Session(config=config)


        def evaluate():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        evaluate()
        train(False)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def train(soft):
            tf.config.set_soft_device_placement(False)
            if soft:
                tf.config.set_soft_device_placement(True)
            return tf.Session()


        def evaluate():
            tf.config.set_soft_device_placement(True)
            return tf.Session()


        evaluate()
        train(False)
        """,
    )


def test_helper_called_twice_with_more_settings_on_one_of_them() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        def base():
            return tf.ConfigProto(allow_soft_placement=True)


        on_cpu = base()
        on_cpu.device_count["GPU"] = 0
        first = tf.Session(config=on_cpu)
        second = tf.Session(config=base())
        """
    )


def test_helper_called_twice_and_the_other_session_first() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        def base():
            return tf.ConfigProto(allow_soft_placement=True)


        growing = base()
        growing.gpu_options.allow_growth = True
        first = tf.Session(config=base())
        second = tf.Session(config=growing)
        """
    )


def test_two_objects_with_a_config_each() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        class Model:
            def __init__(self, soft):
                self.config = tf.ConfigProto(allow_soft_placement=soft)

            def session(self):
                return tf.Session(config=self.config)


        one, other = Model(True), Model(False)
        one.session()
        other.session()
        """
    )


# Messages are copied, and a variable holds the last one.


def test_copy_from_clears_what_was_set_before() -> None:
    text = migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "1"
        config.gpu_options.CopyFrom(tf.GPUOptions(allow_growth=True))
        sess = tf.Session(config=config)
        """
    )
    assert "set_visible_devices" not in text


@pytest.mark.parametrize(
    "build",
    [
        "config = tf.ConfigProto(gpu_options=options)",
        "config = tf.ConfigProto()\nconfig.gpu_options.CopyFrom(options)",
        "config = tf.ConfigProto()\nconfig.gpu_options.MergeFrom(options)",
    ],
)
def test_change_of_a_message_that_was_copied_already(build: str) -> None:
    text = migrated(
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n\n"
        "options = tf.GPUOptions(allow_growth=True)\n"
        f"{build}\n"
        'options.visible_device_list = "1"\n'
        "sess = tf.Session(config=config)\n"
    )
    assert "set_visible_devices" not in text


def test_variable_that_may_hold_other_options_now() -> None:
    check_not_converted(
        """
        import tensorflow as tf

        options = tf.GPUOptions(allow_growth=True)
        if wide:
            options = tf.GPUOptions(visible_device_list="0")
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """
    )


def test_method_that_a_subclass_overrides() -> None:
    check_not_converted(
        """
        import tensorflow as tf
        from project import other_config


        class Model:
            def get_config(self):
                return tf.ConfigProto(allow_soft_placement=True)

            def session(self):
                return tf.Session(config=self.get_config())


        class Special(Model):
            def get_config(self):
                return other_config()
        """
    )


def test_first_parameter_of_a_static_method_is_any_object() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        class Model:
            def get(self):
                return tf.ConfigProto(allow_soft_placement=True)

            @staticmethod
            def run(other):
                return tf.Session(config=other.get())
        """
    )


# GPUs.


def test_count_of_gpus_beside_a_list_from_a_flag() -> None:
    text = migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto(device_count={"GPU": 1})
        config.gpu_options.visible_device_list = FLAGS.gpus
        sess = tf.Session(config=config)
        """
    )
    assert "[:1]" in text or "device_count" in text


@pytest.mark.parametrize("header", ["for number in range(2):", "if split:"])
def test_virtual_devices_that_are_not_added_once_and_always(header: str) -> None:
    check_not_converted(
        "import tensorflow as tf\n\n"
        "config = tf.ConfigProto()\n"
        "devices = config.gpu_options.experimental.virtual_devices\n"
        "devices.add(memory_limit_mb=[1024])\n"
        f"{header}\n"
        "    devices.add(memory_limit_mb=[1024])\n"
        "sess = tf.Session(config=config)\n",
    )


def test_virtual_devices_added_in_a_loop() -> None:
    check_not_converted(
        """
        import tensorflow as tf

        config = tf.ConfigProto()
        for number in range(2):
            config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1024])
        sess = tf.Session(config=config)
        """
    )


def test_helper_that_nothing_calls_is_not_written() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto(device_count={"GPU": 0})
        config.gpu_options.per_process_gpu_memory_fraction = 0.3
        sess = tf.Session(config=config)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        tf.config.set_visible_devices([], "GPU")
        sess = tf.Session()
        """,
    )


# Values are evaluated once, as before.


def test_value_that_becomes_no_code_is_still_evaluated() -> None:
    assert "read_period()" in migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto(placement_period=read_period())
        sess = tf.Session(config=config)
        """
    )


def test_condition_of_a_config_without_settings_is_still_evaluated() -> None:
    assert "read()" in migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        sess = tf.Session(config=tf.ConfigProto() if read() else None)
        """
    )


def test_arguments_of_a_keras_session_are_still_evaluated() -> None:
    assert "load_graph()" in migrated(
        """
        import tensorflow as tf
        from keras import backend as K

        config = tf.ConfigProto(allow_soft_placement=True)
        K.set_session(tf.Session(graph=load_graph(), config=config))
        """
    )


def test_limits_are_evaluated_without_gpus_too() -> None:
    text = migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto()
        config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[read_limit()])
        sess = tf.Session(config=config)
        """
    )
    line = next(line for line in text.splitlines() if "read_limit()" in line)
    assert not line.startswith(" ") or "memory_limit_mb" in line


# Names.


def test_nonlocal_name_goes_with_its_variable() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def main():
            config = None

            def build():
                nonlocal config
                config = tf.ConfigProto(allow_soft_placement=True)

            build()
            return tf.Session(config=config)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def main():

            def build():
                tf.config.set_soft_device_placement(True)

            build()
            return tf.Session()
        """,
    )


def test_module_that_is_imported_too_late() -> None:
    text = migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        import os
        """
    )
    assert text.index("import os") < text.find("os.environ") or "os.environ" not in text


def test_module_name_that_a_function_uses_for_something_else() -> None:
    check_not_converted(
        """
        import os

        import tensorflow as tf


        def session(os):
            options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)
            return tf.Session(config=tf.ConfigProto(gpu_options=options))
        """
    )


# Imports.


@pytest.mark.parametrize("module", ["tensorflow.contrib", "tensorflow.python.client"])
def test_import_of_a_submodule_stays(module: str) -> None:
    check_transformed(
        f"""
        import tensorflow as tf
        import {module}

        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        f"""
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        import {module}

        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_star_import_comes_from_compat_v1() -> None:
    text = migrated(
        """
        from tensorflow import *

        sess = Session(config=ConfigProto(allow_soft_placement=True))
        """
    )
    assert "from tensorflow import *" not in text or "config=" in text
    assert "compat.v1" in text or "config=" in text


def test_second_name_of_the_module() -> None:
    check_transformed(
        """
        import tensorflow
        tf = tensorflow

        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        import tensorflow.compat.v1 as tensorflow
        tensorflow.disable_v2_behavior()
        tf = tensorflow

        tensorflow.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


# Whole statements.


def test_match_statement() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto()
        match mode:
            case "soft":
                config.allow_soft_placement = True
            case _:
                config.log_device_placement = True
        sess = tf.Session(config=config)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        match mode:
            case "soft":
                tf.config.set_soft_device_placement(True)
            case _:
                tf.debugging.set_log_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_session_in_the_head_of_a_match() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        match tf.Session(config=tf.ConfigProto(allow_soft_placement=True)).run(x):
            case Point(x=1, y=[first, *rest]) if check(first):
                pass
            case {"a": 1, **others}:
                pass
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        tf.config.set_soft_device_placement(True)
        match tf.Session().run(x):
            case Point(x=1, y=[first, *rest]) if check(first):
                pass
            case {"a": 1, **others}:
                pass
        """,
    )


@pytest.mark.parametrize("quote", ['"', "'"])
def test_query_inside_an_f_string(quote: str) -> None:
    # Python below 3.12 has no second string of the same quote inside an f-string.
    before = f"import tensorflow as tf\nprint(f{quote}{{tf.test.gpu_device_name()}}{quote})\n"
    assert migrated(before, UNSAFE)


# Comments.


@pytest.mark.parametrize(
    "before",
    [
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def build():
            # for all sessions
            global config  # one
            config = tf.ConfigProto(allow_soft_placement=True)


        build()
        sess = tf.Session(config=config)
        """,
        """
        import tensorflow as tf

        # Keras and friends
        from keras import backend as K
        import numpy as np

        K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        """,
    ],
)
def test_comments_stay(before: str) -> None:
    text = migrated(before)
    assert text != source(before)
    assert comments(text) == comments(source(before))


# Layout.


def test_import_that_served_the_config_only() -> None:
    check_transformed(
        """
        import keras
        from tensorflow import ConfigProto, Session

        config = ConfigProto(log_device_placement=True)
        keras.backend.set_session(Session(config=config))
        """,
        """
        import tensorflow as tf

        tf.debugging.set_log_device_placement(True)
        """,
    )


def test_named_expression_keeps_its_parentheses() -> None:
    check_body(
        "sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=(soft := True)))\n",
        "tf.config.set_soft_device_placement((soft := True))\nsess = tf.Session()\n",
    )


def test_comments_of_a_dropped_argument_without_new_code() -> None:
    check_body(
        """
        sess = tf.Session(
            graph=graph,
            config=tf.ConfigProto(),  # nothing set
        )
        """,
        """
        # nothing set
        sess = tf.Session(
            graph=graph,
        )
        """,
    )


def test_form_feed_in_front_of_an_untouched_statement() -> None:
    # libcst drops it: its code of the file is not the text of the file.
    text = f"{V1}sess = tf.Session(config=tf.ConfigProto())\n\x0cx = 1\n"
    with pytest.raises(SourceError):
        migrated(text)


def test_last_line_ending_of_an_old_mac_file() -> None:
    text = f"{V1}sess = tf.Session(config=tf.ConfigProto())\nx = 1\n".replace("\n", "\r")
    with pytest.raises(SourceError):
        migrated(text)


# A second round.

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


        def run(warm: Warm):
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
def test_settings_move_behind_a_session_that_came_between(name: str) -> None:
    lines = BETWEEN[name].replace("\n        ", "\n").lstrip("\n")
    text = migrated(f"import tensorflow as tf\n\n{lines}")
    soft = "allow_soft_placement=True" in lines
    setting = (
        "tf.config.set_soft_device_placement(True)"
        if soft
        else 'for gpu in tf.config.list_physical_devices("GPU"):\n'
        "    tf.config.experimental.set_memory_growth(gpu, True)"
    )
    built = next(line for line in lines.splitlines() if line.lstrip().startswith("config ="))
    used = next(line for line in lines.splitlines() if "(config=config)" in line)
    indent = " " * (len(used) - len(used.lstrip()))
    before = f"{used}\n"
    after = f"{indent}{setting}\n".replace("\n    ", f"\n{indent}    ") + before
    expected = lines.replace(f"{built}\n", "").replace(before, after.replace("config=config", ""))
    if soft:
        expected = expected.replace(
            "    return tf.Session(config=tf.ConfigProto(allow_soft_placement=False))",
            "    tf.config.set_soft_device_placement(False)\n    return tf.Session()",
        )
    assert text == V1 + expected


def test_session_comes_between_settings_and_a_session_that_another_function_makes() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        class Model:
            def __init__(self):
                self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))

            def run(self):
                return tf.Session(graph=build(), config=self.config)


        model = Model()
        tf.Session()
        model.run()
        """
    )


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


def test_import_in_a_function_stays_there() -> None:
    # Runs that do not call it import no TensorFlow.
    check_transformed(
        """
        import sys


        def make():
            from tensorflow import ConfigProto, Session as S

            return S(config=ConfigProto(allow_soft_placement=True))
        """,
        """
        import sys


        def make():
            from tensorflow.compat.v1 import Session as S
            from tensorflow.compat.v1 import disable_v2_behavior
            disable_v2_behavior()

            import tensorflow as tf
            tf.config.set_soft_device_placement(True)
            return S()
        """,
    )


def test_field_that_is_like_no_other_has_no_nearest_one() -> None:
    # The common prefix alone makes no likeness.
    assert book().nearest_field("gpu_options.zzz") is None


@pytest.mark.parametrize("condition", ["", "if quiet:\n    "])
@pytest.mark.parametrize(
    ("setting", "off"),
    [
        ("log_device_placement=True", "config.log_device_placement = False"),
        (
            "gpu_options=tf.GPUOptions(allow_growth=True)",
            "config.gpu_options.allow_growth = False",
        ),
        (
            "gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.5)",
            "config.gpu_options.per_process_gpu_memory_fraction = 0",
        ),
    ],
)
def test_setting_of_a_branch_that_is_taken_back(condition: str, setting: str, off: str) -> None:
    # What the branches set would stay on: a value that needs no code still has to undo it.
    check_not_converted(
        "import tensorflow as tf\n\nif a:\n"
        f"    config = tf.ConfigProto({setting})\n"
        "else:\n    config = tf.ConfigProto(allow_soft_placement=True)\n"
        f"{condition}{off}\nsess = tf.Session(config=config)\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        "devices.extend(load())",
        "devices.append(load())",
        "devices.extend([load(), tf.GPUOptions.Experimental.VirtualDevices(memory_limit_mb=[1])])",
    ],
)
def test_virtual_devices_that_another_function_makes(line: str) -> None:
    text = migrated(
        "import tensorflow as tf\n\nconfig = tf.ConfigProto()\n"
        f"devices = config.gpu_options.experimental.virtual_devices\n{line}\n"
        "sess = tf.Session(config=config)\n"
    )
    assert line in text
    assert "config=config" in text


def test_virtual_devices_without_a_limit_need_no_code() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto()
        config.gpu_options.experimental.virtual_devices.add()
        sess = tf.Session(config=config)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        sess = tf.Session()
        """,
    )


def test_count_of_gpus_beside_a_list_under_a_condition() -> None:
    # TensorFlow 1 counts within the list: GPU 1, and GPU 0 without the list.
    check_not_converted(
        """
        import tensorflow as tf

        options = tf.GPUOptions(visible_device_list="1,2") if a else None
        config = tf.ConfigProto(gpu_options=options, device_count={"GPU": 1})
        sess = tf.Session(config=config)
        """
    )


def test_module_is_imported_before_the_function_that_needs_it_is_called() -> None:
    text = migrated(
        """
        def make():
            import tensorflow as tf

            options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)
            return tf.Session(config=tf.ConfigProto(gpu_options=options))


        make()
        import abc
        """
    )
    assert "os.environ" in text
    assert text.index("import os\n") < text.index("\nmake()")


@pytest.mark.parametrize("line", ["# otherwise\nelse:", "else:  # otherwise"])
def test_comments_of_an_else_that_goes(line: str) -> None:
    text = migrated(
        "import tensorflow as tf\n\nconfig = tf.ConfigProto()\n"
        f"if a:\n    config.allow_soft_placement = True\n{line}\n"
        "    config.log_device_placement = False\n"
        "sess = tf.Session(config=config)\n"
    )
    assert "config=" not in text
    assert comments(text) == ["# otherwise"]


# Found by programs that were run before and after.


@pytest.mark.parametrize("second", ["tf.Session(config=tf.ConfigProto())", "tf.Session()"])
def test_session_that_saw_more_gpus_than_the_one_before(second: str) -> None:
    # A session with the list "0" may stand beside one with all GPUs; tf.config hides the others.
    check_not_converted(
        f"""
        import tensorflow as tf

        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "0"
        first = tf.Session(config=config)
        second = {second}
        """
    )


@pytest.mark.parametrize("second", ["tf.Session(config=tf.ConfigProto())", "tf.Session()"])
def test_session_that_shows_gpus_which_growth_was_hidden_from(second: str) -> None:
    # tf.config sets growth for all GPUs, or refuses to: the second session made GPU 1 without it.
    check_not_converted(
        f"""
        import tensorflow as tf

        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "0"
        config.gpu_options.allow_growth = True
        first = tf.Session(config=config)
        second = {second}
        """
    )


def test_count_that_is_overwritten_in_every_branch() -> None:
    text = migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        config = tf.ConfigProto() if a else tf.ConfigProto()
        config.device_count["GPU"] = 1
        config.device_count["GPU"] = 2
        sess = tf.Session(config=config)
        """
    )
    assert "[:1]" not in text


def test_second_config_is_changed_after_its_first_session() -> None:
    check_not_converted(
        """
        import tensorflow as tf

        if wide:
            config = tf.ConfigProto(allow_soft_placement=True)
        config = config or tf.ConfigProto()
        first = tf.Session(config=config)
        config.allow_soft_placement = True
        second = tf.Session(config=config)
        """
    )


def test_values_are_evaluated_after_the_helper_is_called() -> None:
    text = migrated(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def get_config():
            print("building")
            return tf.ConfigProto(intra_op_parallelism_threads=2)


        config = get_config()
        config.log_device_placement = first()
        config.allow_soft_placement = second()
        sess = tf.Session(config=config)
        """
    )
    assert text.rindex("get_config()") < text.index("first()") < text.index("second()")


def test_config_of_a_helper_that_is_given_up_again() -> None:
    check_not_converted(
        "import tensorflow as tf\n\n\n"
        "def get():\n    return tf.ConfigProto(device_count={'GPU': 0})\n\n\n"
        "config = get()\nconfig = None\nsess = tf.Session(config=config)\n"
    )


@pytest.mark.parametrize(
    ("first", "off"),
    [
        ("gpu_options=tf.GPUOptions(allow_growth=True)", "gpu_options.allow_growth = False"),
        ("intra_op_parallelism_threads=2", "intra_op_parallelism_threads = 0"),
        ("log_device_placement=FLAGS.log", "log_device_placement = False"),
    ],
)
def test_setting_of_a_conditional_expression_that_is_taken_back(first: str, off: str) -> None:
    check_not_converted(
        "import tensorflow as tf\n\n"
        f"config = tf.ConfigProto({first}) if a else tf.ConfigProto(allow_soft_placement=True)\n"
        f"config.{off}\nsess = tf.Session(config=config)\n"
    )


def test_growth_that_is_taken_back_and_an_interactive_session() -> None:
    # InteractiveSession() always grows; the config did not let it.
    check_not_converted(
        """
        import tensorflow as tf

        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        config.gpu_options.allow_growth = False
        sess = tf.InteractiveSession(config=config)
        """
    )


def test_session_that_the_helper_makes_before_it_returns_its_config() -> None:
    check_not_converted(
        """
        import tensorflow as tf


        def warm():
            return tf.Session(config=tf.ConfigProto())


        def get_config():
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
            warm()
            return config


        sess = tf.Session(config=get_config())
        """
    )
