"""Names, quotes, long lines and versions of TensorFlow in new code."""

from __future__ import annotations

import ast

import pytest

from tests.tools import UNSAFE, V1, book, check_body, check_transformed, migrated, source
from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.engine import analyse
from tfgpu.flow.collect import collect
from tfgpu.neighbours import Around
from tfgpu.options import Options
from tfgpu.rewrite.style import fresh, indentation, quote


def tree(text: str) -> Tree:
    """Return a parsed program."""
    return Tree(ast.parse(text), text)


# Names.


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("x = 1", "a"),
        ("a = 1", "b"),
        ("a = b = 1", "a_2"),
        ("a = b = a_2 = 1", "a_3"),
        ("print(a)", "b"),
        ("def a(): pass", "b"),
        ("def f(a): pass", "b"),
        ("import a", "b"),
        ("import x as a", "b"),
        ("class a: pass", "b"),
        ("x.a = 1", "a"),
        ("'a'", "a"),
        ("globals()['a']", "b"),
        ("globals()[f'a{x}']", "b"),
        ("print('%(a)s' % vars())", "b"),
        ("eval('a + 1')", "b"),
        ("import sys; getattr(sys.modules['m'], 'a', 3)", "b"),
        ("import sys; getattr(sys, 'a', 3)", "a"),
    ],
)
def test_fresh_name(text: str, name: str) -> None:
    assert fresh(collect(tree(text), book()), ("a", "b")) == name


def test_names_that_the_file_uses() -> None:
    check_body(
        """
        gpus, gpu = 2, 1
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "1"
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        """
        gpus, gpu = 2, 1
        physical_gpus = tf.config.list_physical_devices("GPU")
        if physical_gpus:
            tf.config.set_visible_devices(physical_gpus[1], "GPU")
        for physical_gpu in physical_gpus:
            tf.config.experimental.set_memory_growth(physical_gpu, True)
        sess = tf.Session()
        """,
    )


def test_names_that_the_values_use() -> None:
    check_body(
        """
        def make(gpus, gpu, index):
            config = tf.ConfigProto(allow_soft_placement=gpu)
            config.gpu_options.visible_device_list = str(len(gpus))
            config.gpu_options.allow_growth = index > 0
            return tf.Session(config=config)
        """,
        """
        def make(gpus, gpu, index):
            tf.config.set_soft_device_placement(gpu)
            physical_gpus = tf.config.list_physical_devices("GPU")
            if physical_gpus:
                tf.config.set_visible_devices(physical_gpus[len(gpus)], "GPU")
            for physical_gpu in physical_gpus:
                tf.config.experimental.set_memory_growth(physical_gpu, index > 0)
            return tf.Session()
        """,
    )


def test_names_of_a_limit() -> None:
    text = migrated(
        """
        import tensorflow as tf

        index = limit = 1
        options = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """
    )
    assert text.endswith(
        """
index = limit = 1
for gpu_index, gpu in enumerate(tf.config.list_physical_devices("GPU")):
    memory_limit = _gpu_memory_limit_mib(0.3, gpu_index)
    tf.config.set_logical_device_configuration(
        gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=memory_limit)]
    )
sess = tf.Session()
"""
    )


def test_values_keep_words_that_templates_use() -> None:
    check_body(
        """
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=x.gpus or tf_value(tf.a.b)))
        """,
        """
        tf.config.set_soft_device_placement(x.gpus or tf_value(tf.a.b))
        sess = tf.Session()
        """,
    )


# Quotes.


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("x = 'a'", "'"),
        ('x = "a"', '"'),
        ("x = 1", '"'),
        ("x = 'a', \"b\"", '"'),
        ("x = 'a', 'b', \"c\"", "'"),
        ('"""Doc."""\nx = \'a\'', "'"),
        ("x = f'a', r'b'", "'"),
    ],
)
def test_quote_of_a_file(text: str, result: str) -> None:
    assert quote(text) == result


def test_single_quotes_in_code_and_helpers() -> None:
    text = migrated(
        "import tensorflow as tf\n\nprint('a', 'b')\n"
        "options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)\n"
        "sess = tf.Session(config=tf.ConfigProto(gpu_options=options))\n"
    )
    assert "if os.environ.get('TF_FORCE_GPU_ALLOW_GROWTH') != 'false':\n" in text
    assert "    os.environ['TF_FORCE_GPU_ALLOW_GROWTH'] = 'true'\n" in text
    assert "tf.config.list_physical_devices('GPU')" in text
    assert '"""Return a fraction of the total memory of one physical GPU in MiB."""\n' in text


# Options of Grappler, one dictionary.

REWRITES = "config.graph_options.rewrite_options"


def test_short_options() -> None:
    check_body(
        f"""
        config = tf.ConfigProto()
        {REWRITES}.disable_meta_optimizer = True
        sess = tf.Session(config=config)
        """,
        """
        tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
        sess = tf.Session()
        """,
    )


def test_options_on_a_line_of_their_own() -> None:
    check_body(
        f"""
        config = tf.ConfigProto()
        {REWRITES}.disable_meta_optimizer = FLAGS.no_meta
        sess = tf.Session(config=config)
        """,
        """
        tf.config.optimizer.set_experimental_options(
            {"disable_meta_optimizer": FLAGS.no_meta}
        )
        sess = tf.Session()
        """,
    )


def test_options_on_many_lines() -> None:
    check_body(
        f"""
        config = tf.ConfigProto()
        off = tf.RewriterConfig.OFF
        {REWRITES}.layout_optimizer = off
        {REWRITES}.constant_folding = 2
        {REWRITES}.arithmetic_optimization = tf.RewriterConfig.ON
        {REWRITES}.remapping = tf.RewriterConfig.DEFAULT
        {REWRITES}.min_graph_nodes = -1
        sess = tf.Session(config=config)
        """,
        """
        off = tf.RewriterConfig.OFF
        tf.config.optimizer.set_experimental_options(
            {
                "layout_optimizer": False,
                "constant_folding": False,
                "arithmetic_optimization": True,
                "min_graph_nodes": -1,
            }
        )
        sess = tf.Session()
        """,
    )


# Versions.

GROWTH = """
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "1"
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """


@pytest.mark.parametrize("min_tf", [(1, 15), (2, 0)])
def test_names_before_they_were_stable(min_tf: tuple[int, int]) -> None:
    check_body(
        GROWTH,
        """
        gpus = tf.config.experimental.list_physical_devices("GPU")
        if gpus:
            tf.config.experimental.set_visible_devices(gpus[1], "GPU")
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
        Options(min_tf),
    )


@pytest.mark.parametrize("min_tf", [(2, 1), (2, 21)])
def test_stable_names(min_tf: tuple[int, int]) -> None:
    check_body(
        GROWTH,
        """
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_visible_devices(gpus[1], "GPU")
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
        Options(min_tf),
    )


def test_limit_before_names_were_stable() -> None:
    text = migrated(
        V1 + "options = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)\n"
        "sess = tf.Session(config=tf.ConfigProto(gpu_options=options))\n",
        Options((2, 0)),
    )
    assert (
        "    tf.config.experimental.set_virtual_device_configuration(\n"
        "        gpu, [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=limit)]\n"
        "    )\n"
    ) in text


def test_helper_before_names_were_stable() -> None:
    text = migrated(
        V1 + "options = tf.GPUOptions(visible_device_list=FLAGS.gpus)\n"
        "sess = tf.Session(config=tf.ConfigProto(gpu_options=options))\n",
        Options((2, 0), unsafe_fixes=True),
    )
    assert '    gpus = tf.config.experimental.list_physical_devices("GPU")\n' in text
    assert "tf.config.list" not in text


def test_query_before_names_were_stable() -> None:
    check_transformed(
        "import tensorflow as tf\nprint(tf.test.is_gpu_available())\n",
        "import tensorflow as tf\n"
        'print(bool(tf.config.experimental.list_physical_devices("GPU")))\n',
        Options((1, 15), unsafe_fixes=True),
    )


@pytest.mark.parametrize("name", ["tensorflow", "T"])
def test_name_of_the_module_in_helpers(name: str) -> None:
    text = migrated(
        f"import tensorflow as {name}\n"
        f"options = {name}.GPUOptions(visible_device_list=FLAGS.gpus)\n"
        f"sess = {name}.Session(config={name}.ConfigProto(gpu_options=options))\n",
        UNSAFE,
    )
    assert f'    gpus = {name}.config.list_physical_devices("GPU")\n' in text
    assert "tf." not in text


def test_module_that_only_the_helper_needs() -> None:
    before = source(
        """
        from tensorflow import ConfigProto, GPUOptions, Session

        options = GPUOptions(visible_device_list=FLAGS.gpus)
        sess = Session(config=ConfigProto(gpu_options=options))
        """
    )
    around = Around(graph_mode={"": When.ALWAYS})
    text = analyse(before, book(), UNSAFE, around).new_text() or ""
    assert text.startswith("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n")
    assert '    gpus = tf.config.list_physical_devices("GPU")\n' in text
    assert text.endswith(
        'tf.config.set_visible_devices(_visible_gpus(FLAGS.gpus), "GPU")\nsess = Session()\n'
    )


# Indentation.


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("x = 1\n", "    "),
        ("if x: y\n", "    "),
        ("if x:\n  y\n", "  "),
        ("if x:\n\ty\n", "\t"),
        ("if x: y\nif x:\n   y\n", "   "),
        ("class A:\n        def f(self):\n                pass\n", "        "),
        ("def f(\n        x):\n  pass\n", "  "),
    ],
)
def test_indentation_unit(text: str, unit: str) -> None:
    parsed = tree(text)
    assert indentation(parsed.module, parsed) == unit
