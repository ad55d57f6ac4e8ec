"""Calls in the headers of compound statements, whose blocks stay as they are."""

from __future__ import annotations

import ast

import pytest

from tests.tools import check_body, check_transformed, migrated
from tfgpu.code.tree import Tree
from tfgpu.rewrite.apply import apply
from tfgpu.rewrite.calls import LocateError
from tfgpu.rewrite.changes import Plan

HEAD = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n\n"
CONFIG = "config=tf.ConfigProto(allow_soft_placement=True)"
SET = "tf.config.set_soft_device_placement(True)\n"


@pytest.mark.parametrize(
    "program",
    [
        "with tf.Session({}) as sess: use(call(), sess)\n",
        "if tf.Session({}).run(x):\n    use(call())\nelse:\n    use(other())\n",
        "if tf.Session({}).run(x):\n    use(call())\nelif other():\n    use(1)\n",
        "for x in tf.Session({}).run(y):\n    use(call())\nelse:\n    use(other())\n",
        "match tf.Session({}).run(x):\n    case 1 if call():\n        use(other())\n",
    ],
)
def test_session_in_a_header(program: str) -> None:
    check_transformed(HEAD + program.format(CONFIG), HEAD + SET + program.format(""))


@pytest.mark.parametrize(
    "program",
    [
        "x = (\n    (tf.Session({}))\n)\n",
        "use('äöü', \"\U0001f600\", tf.Session({}), 'ß')\n",
        "use(tf.Session({}).run(x).run(y))\n",
        "x = [tf.Session({}), 'tf.Session()']\n",
        "x = y[tf.Session({}) :]\n",
        "print(f'{{tf.Session({})}}')\n",
    ],
)
def test_session_between_other_expressions(program: str) -> None:
    new = migrated(HEAD + program.format(CONFIG))
    assert new.replace("\n    ", "\n") == HEAD + SET + program.format("").replace("\n    ", "\n")


@pytest.mark.parametrize(
    "call",
    [
        "print(f'{{{}}}')\n",
        "print('ß' f'ä{{a.b}} {{{}}}')\n",
        'print(f"""\n{{a.b}}\n  {{{}}}""")\n',
        "print(f'{{a:{{{}}}}}')\n",
    ],
)
def test_name_in_a_text_with_expressions(call: str) -> None:
    head = "import tensorflow as tf\n\n"
    old = head + call.format("tf.config.experimental.list_physical_devices()")
    assert migrated(old) == head + call.format("tf.config.list_physical_devices()")


def test_two_views_that_differ_are_an_error() -> None:
    tree = Tree(ast.parse("f(g())"), "f( g())")
    plan = Plan(replaced=dict.fromkeys(tree.calls, "x"))
    with pytest.raises(LocateError):
        apply(plan, tree)


def test_import_below_a_branch_of_the_module() -> None:
    limit = "options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)\n"
    text = migrated(
        "if debug:\n    trace = 1\nimport tensorflow.compat.v1 as tf\n"
        f"tf.disable_v2_behavior()\n{limit}"
        "sess = tf.Session(config=tf.ConfigProto(gpu_options=options))\n"
    )
    assert text.startswith(
        "if debug:\n    trace = 1\nimport ctypes\nimport os\n\nimport tensorflow"
    )


def test_type_of_a_result_that_is_none_any_more() -> None:
    check_body(
        """
        def get_config(threads: int) -> tf.ConfigProto:
            return tf.ConfigProto(intra_op_parallelism_threads=threads)


        sess = tf.Session(config=get_config(2))
        """,
        """
        def get_config(threads: int):
            tf.config.threading.set_intra_op_parallelism_threads(threads)


        get_config(2)
        sess = tf.Session()
        """,
    )


def test_type_of_a_function_that_makes_the_session() -> None:
    check_body(
        """
        def make(threads) -> tf.Session:
            return tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=threads))


        sess = make(2)
        """,
        """
        def make(threads) -> tf.Session:
            tf.config.threading.set_intra_op_parallelism_threads(threads)
            return tf.Session()


        sess = make(2)
        """,
    )
