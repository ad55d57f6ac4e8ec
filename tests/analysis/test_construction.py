"""How configs are built, and how they travel to their sessions inside one file."""

from __future__ import annotations

import pytest

from tests.tools import (
    RAW,
    UNSAFE,
    analysed,
    check_body,
    check_body_kept,
    check_not_converted,
    check_transformed,
    migrated,
)

GROWTH = """
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
sess = tf.Session()
"""
BUILDS_GROWTH = {
    "attributes": """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
    "keywords": """
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        sess = tf.Session(config=config)
        """,
    "inline": """
        sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
        """,
    "options-first": """
        gpu_options = tf.GPUOptions(allow_growth=True)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=gpu_options))
        """,
    "options-filled": """
        gpu_options = tf.GPUOptions()
        gpu_options.allow_growth = True
        config = tf.ConfigProto(gpu_options=gpu_options)
        sess = tf.Session(config=config)
        """,
    "copy-from": """
        config = tf.ConfigProto()
        config.gpu_options.CopyFrom(tf.GPUOptions(allow_growth=True))
        sess = tf.Session(config=config)
        """,
    "merge-from": """
        gpu_options = tf.GPUOptions(allow_growth=True)
        config = tf.ConfigProto()
        config.gpu_options.MergeFrom(gpu_options)
        sess = tf.Session(config=config)
        """,
    "alias-of-part": """
        config = tf.ConfigProto()
        options = config.gpu_options
        options.allow_growth = True
        sess = tf.Session(config=config)
        """,
    "alias-of-whole": """
        config = tf.ConfigProto()
        same = config
        same.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
    "dict-literal": """
        config = tf.ConfigProto(gpu_options={"allow_growth": True})
        sess = tf.Session(config=config)
        """,
    "annotated": """
        config: tf.ConfigProto = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
    "no-options": """
        config = tf.ConfigProto(gpu_options=None)
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
    "none-first": """
        config = None
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        sess = tf.Session(config=config)
        """,
    "parentheses": """
        config = (tf.ConfigProto)()
        (config.gpu_options).allow_growth = True
        sess = tf.Session(config=(config))
        """,
}


@pytest.mark.parametrize("name", BUILDS_GROWTH)
def test_growth_built(name: str) -> None:
    check_body(BUILDS_GROWTH[name], GROWTH)


def test_parts_three_levels_deep() -> None:
    check_body(
        """
        config = tf.ConfigProto(
            graph_options=tf.GraphOptions(
                optimizer_options=tf.OptimizerOptions(global_jit_level=tf.OptimizerOptions.ON_1)
            ),
            log_device_placement=True,
        )
        sess = tf.Session(config=config)
        """,
        """
        tf.config.optimizer.set_jit(True)
        tf.debugging.set_log_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_keywords_and_attributes_together() -> None:
    check_body(
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.visible_device_list = "0"
        config.gpu_options.allow_growth = True
        config.inter_op_parallelism_threads = 2
        sess = tf.Session(config=config)
        """,
        """
        tf.config.set_soft_device_placement(True)
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_visible_devices(gpus[0], "GPU")
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
        tf.config.threading.set_inter_op_parallelism_threads(2)
        sess = tf.Session()
        """,
    )


def test_nested_dict_literals() -> None:
    check_body(
        """
        config = tf.ConfigProto(graph_options={"optimizer_options": {"global_jit_level": 1}})
        sess = tf.Session(config=config)
        """,
        """
        tf.config.optimizer.set_jit(True)
        sess = tf.Session()
        """,
    )


def test_empty_config_goes() -> None:
    check_body("sess = tf.Session(config=tf.ConfigProto())\n", "sess = tf.Session()\n")


@pytest.mark.parametrize(
    "count",
    [
        'tf.ConfigProto(device_count={"CPU": 1, "GPU": 0})',
        "tf.ConfigProto(device_count=dict(GPU=0))",
        'tf.ConfigProto(device_count={"GPU": 0})',
    ],
)
def test_device_count(count: str) -> None:
    check_body(
        f"sess = tf.Session(config={count})\n",
        'tf.config.set_visible_devices([], "GPU")\nsess = tf.Session()\n',
    )


@pytest.mark.parametrize(
    "line", ['config.device_count["GPU"] = 0', 'config.device_count.update({"GPU": 0})']
)
def test_device_count_filled_later(line: str) -> None:
    check_body(
        f"config = tf.ConfigProto()\n{line}\nsess = tf.Session(config=config)\n",
        'tf.config.set_visible_devices([], "GPU")\nsess = tf.Session()\n',
    )


@pytest.mark.parametrize(
    "value",
    ["counts", "{kind: 1}", "dict(GPU=0, **more)", '{"GPU": 0, **more}', "dict(pairs)", "{}"],
)
def test_device_count_that_is_not_literal(value: str) -> None:
    # Which devices it counts is not known: nothing in TensorFlow 2 stands for it.
    check_body_kept(
        f"sess = tf.Session(config=tf.ConfigProto(device_count={value}))\n", "device-count-keys"
    )


# Branches.


def test_settings_in_if_and_else() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if FLAGS.grow:
            config.gpu_options.allow_growth = True
        else:
            config.log_device_placement = True
        sess = tf.Session(config=config)
        """,
        """
        if FLAGS.grow:
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
        else:
            tf.debugging.set_log_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_whole_config_in_both_branches() -> None:
    check_body(
        """
        if FLAGS.soft:
            config = tf.ConfigProto(allow_soft_placement=True)
        else:
            config = tf.ConfigProto(log_device_placement=True)
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        """
        if FLAGS.soft:
            tf.config.set_soft_device_placement(True)
        else:
            tf.debugging.set_log_device_placement(True)
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
    )


def test_options_in_both_branches() -> None:
    check_body(
        """
        if FLAGS.grow:
            options = tf.GPUOptions(allow_growth=True)
        else:
            options = tf.GPUOptions(visible_device_list="0")
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        if FLAGS.grow:
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
        else:
            gpus = tf.config.list_physical_devices("GPU")
            if gpus:
                tf.config.set_visible_devices(gpus[0], "GPU")
        sess = tf.Session()
        """,
    )


def test_config_or_none() -> None:
    check_body(
        """
        config = None
        if FLAGS.grow:
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        """
        if FLAGS.grow:
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
    )


def test_conditional_expression_of_configs() -> None:
    check_body(
        """
        config = tf.ConfigProto(allow_soft_placement=True) if soft else tf.ConfigProto(
            log_device_placement=True)
        sess = tf.Session(config=config)
        """,
        """
        if soft:
            tf.config.set_soft_device_placement(True)
        else:
            tf.debugging.set_log_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_conditional_expression_with_none() -> None:
    check_body(
        "sess = tf.Session(config=None if strict else tf.ConfigProto(allow_soft_placement=True))\n",
        "if not strict:\n    tf.config.set_soft_device_placement(True)\nsess = tf.Session()\n",
    )


@pytest.mark.parametrize(
    ("test", "opposite"),
    [
        ("strict", "not strict"),
        ("FLAGS.strict", "not FLAGS.strict"),
        ("not strict", "strict"),
        ("not (a and b)", "a and b"),
        ("a or b", "not (a or b)"),
        ("a == b", "not (a == b)"),
    ],
)
def test_opposite_of_a_condition(test: str, opposite: str) -> None:
    config = "tf.ConfigProto(allow_soft_placement=True)"
    check_body(
        f"sess = tf.Session(config=None if {test} else {config})\n",
        f"if {opposite}:\n    tf.config.set_soft_device_placement(True)\nsess = tf.Session()\n",
    )


@pytest.mark.parametrize(
    ("test", "asked"),
    [
        ("part", False),
        ("part > 0", False),
        ("part is not None and part > 0.0", False),
        ("ready and part", False),
        ("part is not None", True),
        ("part or ready", True),
        ("part >= 0", True),
        ("other", True),
    ],
)
def test_a_fraction_that_was_just_asked_for(test: str, asked: bool) -> None:
    start = "import tensorflow as tf\nfrom flags import part, ready, other\n"
    before = f"""\
{start}config = tf.ConfigProto()
if {test}:
    config.gpu_options.per_process_gpu_memory_fraction = part
sess = tf.Session(config=config)
"""
    after = migrated(before, UNSAFE)
    assert ("if part:\n        for index" in after) == asked
    assert f"if {test}:\n    {'if part:' if asked else 'for index'}" in after


@pytest.mark.parametrize(
    "block", ["if part:\n    part = least(part)\n", "if part:\n    pass\nelse:\n", "while part:\n"]
)
def test_a_fraction_that_may_be_another_than_was_asked_for(block: str) -> None:
    before = f"""\
import tensorflow as tf
from flags import least, part
config = tf.ConfigProto()
{block}    config.gpu_options.per_process_gpu_memory_fraction = part
    sess = tf.Session(config=config)
"""
    assert "    if part:\n        for index" in migrated(before, UNSAFE)


def test_conditional_expressions_inside_each_other() -> None:
    check_body(
        """
        config = (tf.ConfigProto(allow_soft_placement=True) if b else None) if a else None
        sess = tf.Session(config=config)
        """,
        """
        if a:
            if b:
                tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_conditional_expression_of_options() -> None:
    check_body(
        """
        options = tf.GPUOptions(allow_growth=True) if grow else None
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options, allow_soft_placement=True))
        """,
        """
        if grow:
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_config_that_differs_from_the_one_it_replaces() -> None:
    check_body_kept(
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        if FLAGS.log:
            config = tf.ConfigProto(log_device_placement=True)
        sess = tf.Session(config=config)
        """,
        "different-configs",
    )


# Loops, `with`, `try`.


def test_config_built_in_the_loop_of_its_session() -> None:
    check_body(
        """
        for soft in (True, False):
            config = tf.ConfigProto(allow_soft_placement=soft)
            with tf.Session(config=config) as sess:
                sess.run(step)
        """,
        """
        for soft in (True, False):
            tf.config.set_soft_device_placement(soft)
            with tf.Session() as sess:
                sess.run(step)
        """,
    )


def test_config_of_all_rounds_of_a_loop() -> None:
    check_body(
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        while todo():
            with tf.Session(config=config) as sess:
                sess.run(step)
        """,
        """
        tf.config.set_soft_device_placement(True)
        while todo():
            with tf.Session() as sess:
                sess.run(step)
        """,
    )


def test_with_blocks() -> None:
    check_body(
        """
        with tf.Graph().as_default(), tf.device("/cpu:0"):
            config = tf.ConfigProto(allow_soft_placement=True)
            with tf.Session(config=config) as sess:
                sess.run(step)
        """,
        """
        with tf.Graph().as_default(), tf.device("/cpu:0"):
            tf.config.set_soft_device_placement(True)
            with tf.Session() as sess:
                sess.run(step)
        """,
    )


def test_try_block_that_becomes_empty() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        try:
            config.gpu_options.allow_growth = False
        except AttributeError:
            pass
        sess = tf.Session(config=config)
        """,
        """
        try:
            pass
        except AttributeError:
            pass
        sess = tf.Session()
        """,
    )


def test_try_except_else_finally() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        try:
            prepare()
        except ValueError:
            config.gpu_options.visible_device_list = ""
        else:
            config.log_device_placement = True
        finally:
            config.allow_soft_placement = True
        sess = tf.Session(config=config)
        """,
        """
        try:
            prepare()
        except ValueError:
            pass
        else:
            tf.debugging.set_log_device_placement(True)
        finally:
            tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_for_and_while_else() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        for item in items:
            use(item)
        else:
            config.gpu_options.allow_growth = False
        while more():
            use(None)
        else:
            config.log_device_placement = True
        sess = tf.Session(config=config)
        """,
        """
        for item in items:
            use(item)
        while more():
            use(None)
        else:
            tf.debugging.set_log_device_placement(True)
        sess = tf.Session()
        """,
    )


# Functions and methods.


def test_function_with_its_own_session() -> None:
    check_body(
        """
        def run(soft):
            config = tf.ConfigProto(allow_soft_placement=soft)
            with tf.Session(config=config) as sess:
                return sess.run(step)
        """,
        """
        def run(soft):
            tf.config.set_soft_device_placement(soft)
            with tf.Session() as sess:
                return sess.run(step)
        """,
    )


def test_function_that_returns_a_session() -> None:
    check_body(
        """
        def make():
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            return tf.Session(config=config)


        sess = make()
        """,
        """
        def make():
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
            return tf.Session()


        sess = make()
        """,
    )


def test_function_that_returns_a_config() -> None:
    check_body(
        '''
        def get_config(threads):
            """Build the config."""
            config = tf.ConfigProto(intra_op_parallelism_threads=threads)
            return config


        with tf.Session(config=get_config(2)) as sess:
            sess.run(step)
        ''',
        '''
        def get_config(threads):
            """Build the config."""
            tf.config.threading.set_intra_op_parallelism_threads(threads)


        get_config(2)
        with tf.Session() as sess:
            sess.run(step)
        ''',
    )


def test_function_that_returns_options() -> None:
    check_body(
        """
        def get_options():
            return tf.GPUOptions(allow_growth=True)


        config = tf.ConfigProto(gpu_options=get_options(), allow_soft_placement=True)
        sess = tf.Session(config=config)
        """,
        """
        def get_options():
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)


        get_options()
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_function_that_returns_nothing_under_a_condition() -> None:
    check_body(
        """
        def get_config(grow):
            if not grow:
                return None
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            return config


        sess = tf.Session(config=get_config(True))
        """,
        """
        def get_config(grow):
            if not grow:
                return None
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)


        get_config(True)
        sess = tf.Session()
        """,
    )


def test_function_whose_config_needs_no_code_passes() -> None:
    check_body(
        """
        def get_config():
            return tf.ConfigProto()


        sess = tf.Session(config=get_config())
        """,
        """
        def get_config():
            pass


        get_config()
        sess = tf.Session()
        """,
    )


def test_helper_called_under_a_condition() -> None:
    check_body(
        """
        def get_config():
            return tf.ConfigProto(allow_soft_placement=True)


        sess = tf.Session(config=get_config() if soft else None)
        """,
        """
        def get_config():
            tf.config.set_soft_device_placement(True)


        if soft:
            get_config()
        sess = tf.Session()
        """,
    )


def test_nested_function_uses_the_config_of_the_outer_one() -> None:
    check_body(
        """
        def main():
            config = tf.ConfigProto(allow_soft_placement=True)

            def run():
                with tf.Session(config=config) as sess:
                    return sess.run(step)

            return run()
        """,
        """
        def main():
            tf.config.set_soft_device_placement(True)

            def run():
                with tf.Session() as sess:
                    return sess.run(step)

            return run()
        """,
    )


def test_coroutine() -> None:
    check_body(
        """
        async def main():
            config = tf.ConfigProto(allow_soft_placement=True)
            async with lock:
                sess = tf.Session(config=config)
            async for item in items:
                sess.run(item)
        """,
        """
        async def main():
            tf.config.set_soft_device_placement(True)
            async with lock:
                sess = tf.Session()
            async for item in items:
                sess.run(item)
        """,
    )


def test_generator_that_yields_a_session() -> None:
    check_body(
        """
        def sessions():
            config = tf.ConfigProto(allow_soft_placement=True)
            yield tf.Session(config=config)
        """,
        """
        def sessions():
            tf.config.set_soft_device_placement(True)
            yield tf.Session()
        """,
    )


@pytest.mark.parametrize(
    "first", ["self.config: tf.ConfigProto", "self.config: Optional[tf.ConfigProto] = None"]
)
def test_attribute_of_self_with_a_type(first: str) -> None:
    check_body(
        f"""
        class Trainer:
            def __init__(self):
                {first}
                self.config: tf.ConfigProto = tf.ConfigProto(allow_soft_placement=True)
                self.session = tf.Session(config=self.config)
        """,
        """
        class Trainer:
            def __init__(self):
                tf.config.set_soft_device_placement(True)
                self.session = tf.Session()
        """,
    )


def test_attribute_of_self() -> None:
    check_body(
        """
        class Trainer:
            config = None

            def __init__(self):
                self.config = None
                self.config = tf.ConfigProto()
                self.config.gpu_options.allow_growth = True

            def run(self):
                with tf.Session(graph=self.graph, config=self.config) as sess:
                    sess.run(self.step)
        """,
        """
        class Trainer:
            config = None

            def __init__(self):
                for gpu in tf.config.list_physical_devices("GPU"):
                    tf.config.experimental.set_memory_growth(gpu, True)

            def run(self):
                with tf.Session(graph=self.graph) as sess:
                    sess.run(self.step)
        """,
    )


def test_method_that_returns_a_config() -> None:
    check_body(
        """
        class Trainer:
            def _config(self):
                return tf.ConfigProto(allow_soft_placement=True)

            def run(self):
                self.sess = tf.Session(config=self._config())
        """,
        """
        class Trainer:
            def _config(self):
                tf.config.set_soft_device_placement(True)

            def run(self):
                self._config()
                self.sess = tf.Session()
        """,
    )


def test_class_attribute_of_cls() -> None:
    check_body(
        """
        class Trainer:
            @classmethod
            def make(cls):
                cls.config = tf.ConfigProto(allow_soft_placement=True)
                return tf.Session(config=cls.config)
        """,
        """
        class Trainer:
            @classmethod
            def make(cls):
                tf.config.set_soft_device_placement(True)
                return tf.Session()
        """,
    )


def test_session_in_a_class_body() -> None:
    check_body(
        """
        class Trainer:
            sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        tf.config.set_soft_device_placement(True)

        class Trainer:
            sess = tf.Session()
        """,
    )


# Globals.


def test_global_variable() -> None:
    check_body(
        """
        step = None
        _config = None


        def init():
            global _config
            _config = tf.ConfigProto(allow_soft_placement=True)


        def run():
            with tf.Session(config=_config) as sess:
                sess.run(step)
        """,
        """
        step = None


        def init():
            tf.config.set_soft_device_placement(True)


        def run():
            with tf.Session() as sess:
                sess.run(step)
        """,
    )


def test_global_statement_keeps_its_other_names() -> None:
    check_body(
        """
        def init():
            global config, other, last
            config = tf.ConfigProto(allow_soft_placement=True)
            other = last = 1


        init()
        sess = tf.Session(config=config)
        print(other, last)
        """,
        """
        def init():
            global other, last
            tf.config.set_soft_device_placement(True)
            other = last = 1


        init()
        sess = tf.Session()
        print(other, last)
        """,
    )


def test_global_statement_loses_its_last_name() -> None:
    check_body(
        """
        def init():
            global other, config
            config = tf.ConfigProto(allow_soft_placement=True)
            other = 1


        init()
        sess = tf.Session(config=config)
        """,
        """
        def init():
            global other
            tf.config.set_soft_device_placement(True)
            other = 1


        init()
        sess = tf.Session()
        """,
    )


def test_other_variable_of_the_same_name() -> None:
    check_body(
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        sess = tf.Session(config=config)
        names = [config for config in range(3)]


        def read(config):
            return config.name
        """,
        """
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        names = [config for config in range(3)]


        def read(config):
            return config.name
        """,
    )


def test_wrong_message_is_no_setting() -> None:
    check_not_converted(
        """
        import tensorflow as tf

        options = tf.GPUOptions(allow_growth=True)
        sess = tf.Session(config=tf.ConfigProto(graph_options=options))
        """
    )


def test_layout_of_the_rest_is_untouched() -> None:
    check_transformed(
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        x = { 'a':1 ,
              'b' : 2}
        config=tf.ConfigProto( allow_soft_placement = True )
        sess=tf.Session( config = config )
        y = (x ,)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        x = { 'a':1 ,
              'b' : 2}
        tf.config.set_soft_device_placement(True)
        sess=tf.Session()
        y = (x ,)
        """,
    )


def test_place_of_a_config_is_where_the_whole_is_built() -> None:
    (config,) = analysed(
        RAW + "options = tf.GPUOptions(allow_growth=True)\nx = 1\n"
        "config = tf.ConfigProto(gpu_options=options)\nsess = tf.Session(config=config)\n"
    ).configs
    assert config.line == 5


def test_fields_that_are_set_at_once() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.log_device_placement = config.allow_soft_placement = True
        sess = tf.Session(config=config)
        """,
        """
        tf.debugging.set_log_device_placement(True)
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


@pytest.mark.parametrize("other", ["x", "o.x", "other.allow_soft_placement", "items[0]"])
def test_field_that_is_set_with_something_else(other: str) -> None:
    check_body_kept(
        f"""
        config = tf.ConfigProto()
        {other} = config.allow_soft_placement = True
        sess = tf.Session(config=config)
        """,
        "config-read",
    )


def test_fields_that_are_set_to_what_runs_code() -> None:
    check_body_kept(
        """
        config = tf.ConfigProto()
        config.log_device_placement = config.allow_soft_placement = ask()
        sess = tf.Session(config=config)
        """,
        "config-read",
    )


@pytest.mark.parametrize("type_", ["object", "tf.ConfigProto", "'tf.ConfigProto'"])
def test_type_of_a_variable_is_no_value(type_: str) -> None:
    check_body(
        f"""
        config: {type_}
        config = tf.ConfigProto(allow_soft_placement=True)
        sess = tf.Session(config=config)
        """,
        """
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_type_of_a_field_may_be_a_parameter() -> None:
    check_body_kept(
        """
        class Trainer:
            config: tf.ConfigProto

            def run(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)
                return tf.Session(config=self.config)

        Trainer().run()
        """,
        "mixed-origin",
    )


def test_field_that_is_only_named() -> None:
    check_body_kept(
        """
        config = tf.ConfigProto()
        config.log_device_placement
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        "config-read",
    )


@pytest.mark.parametrize(
    "between",
    ["steps = 3", "print('no growth')", "if sys.argv[2:]:\n    print(sys.argv)"],
)
def test_an_empty_config_that_is_replaced_on_some_ways(between: str) -> None:
    check_body(
        f"""
import sys

config = tf.ConfigProto()
{between}
if sys.argv[1:]:
    config = tf.ConfigProto()
    config.allow_soft_placement = True
sess = tf.Session(config=config)
""",
        f"""
import sys

{between}
if sys.argv[1:]:
    tf.config.set_soft_device_placement(True)
sess = tf.Session()
""",
    )


@pytest.mark.parametrize(
    "between",
    [
        "config.log_device_placement = True",
        "first = tf.Session(config=config)",
        "open_session = lambda: tf.Session(config=config)",
        "other = config",
    ],
)
def test_a_config_that_is_used_before_it_is_replaced(between: str) -> None:
    check_not_converted(
        RAW
        + f"""
import sys

config = tf.ConfigProto()
{between}
if sys.argv[1:]:
    config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
"""
    )
