"""Values of settings: kept as they are written, evaluated once, in the same order."""

from __future__ import annotations

import ast

import pytest

from tests.tools import RAW, UNSAFE, V1, check_body, check_body_kept, migrated, source
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.code.values import Enum, Value, Values

HEAD = """
import os
import multiprocessing
import tensorflow as tf
import horovod.tensorflow as hvd
from tensorflow.core.protobuf import rewriter_config_pb2
one = 1
two = one
self_named = self_named
twice = 1
twice = 2
first, second = 1, 2
annotated: int = 5
declared: int
for number in range(4):
    pass
for other in range(1, 4):
    pass
"""


def evaluated(expression: str) -> tuple[Values, ast.expr]:
    """Return the values of a program and the expression at its end."""
    text = source(HEAD) + expression + "\n"
    module = ast.parse(text)
    tree = Tree(module, text)
    last = module.body[-1]
    assert isinstance(last, ast.Expr)
    return Values(tree, Symbols(tree)), last.value


@pytest.mark.parametrize(
    ("expression", "known"),
    [
        ("1", 1),
        ("0.5", 0.5),
        ("True", True),
        ("'a' 'b'", "ab"),
        ("-1", -1),
        ("--1", 1),
        ("-0.5", -0.5),
        ("one", 1),
        ("two", 1),
        ("-two", -1),
        ("0.8 / 2", 0.4),
        ("1 - .5", 0.5),
        ("0.25 + 0.5", 0.75),
        ("0.25 * two", 0.25),
        ("1 + 1", 2),
        ("1 / 4", 0.25),
        ("annotated", 5),
        ("tf.OptimizerOptions.ON_1", Enum("ON_1", "graph_options.optimizer_options")),
        ("rewriter_config_pb2.RewriterConfig.OFF", Enum("OFF", "graph_options.rewrite_options")),
        ("tf.RewriterConfig.ON", Enum("ON", "graph_options.rewrite_options")),
    ],
)
def test_known(expression: str, known: object) -> None:
    values, node = evaluated(expression)
    assert values.known(node) == known


@pytest.mark.parametrize(
    "expression",
    [
        "None",
        "b'1'",
        "1j",
        "...",
        "-'a'",
        "not 1",
        "~1",
        "0.5 / 0",
        "1 / 0",
        "twice",
        "first",
        "declared",
        "self_named",
        "unknown",
        "number",
        "tf.float32",
        "os.path",
        "f(1)",
        "[1]",
        "f'{one}'",
        "1 if one else 2",
        "unknown.OptimizerOptions.ON_1",
    ],
)
def test_not_known(expression: str) -> None:
    values, node = evaluated(expression)
    assert values.known(node) is None


@pytest.mark.parametrize(
    ("text", "known"),
    [("1 / 4", None), ("1 / 4.0", 0.25), ("from __future__ import division\n1 / 4", 0.25)],
)
def test_quotients_of_integers_in_python_2(text: str, known: float | None) -> None:
    tree = Tree(ast.parse(text), text, python2=True)
    last = tree.module.body[-1]
    assert isinstance(last, ast.Expr)
    assert Values(tree, Symbols(tree)).known(last.value) == known


def test_names_are_followed_four_steps_far() -> None:
    text = "a = 1\nb = a\nc = b\nd = c\ne = d\n"
    tree = Tree(ast.parse(text), text)
    values = Values(tree, Symbols(tree))
    names = [statement.value for statement in tree.module.body if isinstance(statement, ast.Assign)]
    assert [values.known(node) for node in names] == [1, 1, 1, 1, 1]
    text += "f = e\n"
    tree = Tree(ast.parse(text), text)
    values = Values(tree, Symbols(tree))
    last = tree.module.body[-1]
    assert isinstance(last, ast.Assign)
    assert values.known(last.value) is None


@pytest.mark.parametrize(
    ("known", "number"), [(2, 2), (0.5, 0.5), (True, None), ("2", None), (None, None)]
)
def test_number(known: bool | int | float | str | None, number: float | None) -> None:
    assert Value(ast.Constant(known), repr(known), known).number == number


@pytest.mark.parametrize(
    "expression",
    [
        "1",
        "unknown.x[0]",
        "hvd.local_rank()",
        "str(hvd.local_rank())",
        "os.environ.get('A', len('b'))",
        "os.getenv('A')",
        "multiprocessing.cpu_count()",
        "max(1, unknown)",
        "'{}'.format(one)",
        "','.join(str(i) for i in unknown)",
        "'0,1'.split(',')",
        "lambda: 3",
        "tf.Graph()",
        "f'{one}'",
    ],
)
def test_quiet(expression: str) -> None:
    values, node = evaluated(expression)
    assert values.quiet(node)


@pytest.mark.parametrize(
    "expression",
    [
        "f()",
        "unknown.f()",
        "1 + f()",
        "hvd.local_rank(1)",
        "f().local_rank().x()",
        "(yield 1)",
        "(yield from f)",
        "(name := 1)",
        "os.system('x')",
        "max(1, f())",
        "f'{f()}'",
    ],
)
def test_not_quiet(expression: str) -> None:
    values, node = evaluated(expression)
    assert not values.quiet(node)


def test_awaited_value_is_not_quiet() -> None:
    text = "async def f():\n    await x\n"
    module = ast.parse(text)
    tree = Tree(module, text)
    function = module.body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    statement = function.body[0]
    assert isinstance(statement, ast.Expr)
    assert not Values(tree, Symbols(tree)).quiet(statement.value)


def test_own_function_of_a_quiet_name_is_not_quiet() -> None:
    text = "def str(x):\n    return x\nstr(1)\n"
    module = ast.parse(text)
    tree = Tree(module, text)
    statement = module.body[1]
    assert isinstance(statement, ast.Expr)
    values = Values(tree, Symbols(tree))
    assert not values.quiet(statement.value)
    assert not values.is_count(statement.value)


@pytest.mark.parametrize(
    "expression",
    [
        "0",
        "2",
        "True",
        "two",
        "len(unknown)",
        "hvd.size()",
        "number",
        "1 if unknown else len(x)",
        "int(unknown > 1)",
        "hvd.rank() if unknown else 0",
    ],
)
def test_count(expression: str) -> None:
    values, node = evaluated(expression)
    assert values.is_count(node)


@pytest.mark.parametrize(
    "expression",
    [
        "-1",
        "0.5",
        "'1'",
        "unknown",
        "twice",
        "other",
        "f()",
        "int(unknown)",
        "int(unknown, 2)",
        "1 if unknown else -1",
        "-1 if unknown else 1",
        "unknown.x",
        "max(unknown, 0)",
    ],
)
def test_no_count(expression: str) -> None:
    values, node = evaluated(expression)
    assert not values.is_count(node)


# Through the whole pipeline.


@pytest.mark.parametrize(
    "value",
    [
        "True",
        "FLAGS.soft",
        "args.soft",
        "self.soft",
        "not strict",
        "a or b",
        "True if x else False",
        "options['soft']",
        "is_soft()",
        "bool(int(os.environ['SOFT']))",
        "(lambda: True)()",
        "x == 'a'",
        "1",
        "all(x for x in y)",
        "-1 < 0",
    ],
)
def test_value_is_written_as_it_was(value: str) -> None:
    check_body(
        f"sess = tf.Session(config=tf.ConfigProto(allow_soft_placement={value}))\n",
        f"tf.config.set_soft_device_placement({value})\nsess = tf.Session()\n",
    )


@pytest.mark.parametrize(
    ("value", "index"),
    [
        ("str(hvd.local_rank())", "hvd.local_rank()"),
        ("'%d' % hvd.local_rank()", "hvd.local_rank()"),
        ("'{}'.format(hvd.local_rank())", "hvd.local_rank()"),
        ("f'{hvd.local_rank()}'", "hvd.local_rank()"),
        ("str(len(sys.argv))", "len(sys.argv)"),
    ],
)
def test_number_of_one_gpu(value: str, index: str) -> None:
    check_body(
        f"""
        import horovod.tensorflow as hvd
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = {value}
        sess = tf.Session(config=config)
        """,
        f"""
        import horovod.tensorflow as hvd
        gpus = tf.config.list_physical_devices('GPU')
        if gpus:
            tf.config.set_visible_devices(gpus[{index}], 'GPU')
        sess = tf.Session()
        """
        if "'" in value
        else f"""
        import horovod.tensorflow as hvd
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_visible_devices(gpus[{index}], "GPU")
        sess = tf.Session()
        """,
    )


@pytest.mark.parametrize(
    "value", ["FLAGS.gpus", "str(args.gpu)", "f'{a},{b}'", "pick()", "'%s' % x", "','.join(ids)"]
)
def test_list_of_gpus_that_is_not_known(value: str) -> None:
    body = "sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions({}={})))\n"
    before = RAW + body.format("visible_device_list", value)
    # It may be "1,0", which tf.config cannot express.
    assert migrated(before) == before
    text = migrated(before, UNSAFE)
    quote = "'" if "'" in value else '"'
    assert text.endswith(
        f"tf.config.set_visible_devices(_visible_gpus({value}), {quote}GPU{quote})\n"
        "sess = tf.Session()\n"
    )
    assert text.count("def _visible_gpus(device_list):") == 1


def test_call_is_made_once_for_all_gpus() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = read_growth()
        sess = tf.Session(config=config)
        """,
        """
        allow_growth = read_growth()
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, allow_growth)
        sess = tf.Session()
        """,
    )


def test_calls_are_made_in_their_order() -> None:
    check_body(
        """
        config = tf.ConfigProto(log_device_placement=first(), allow_soft_placement=second())
        config.intra_op_parallelism_threads = third()
        sess = tf.Session(config=config)
        """,
        """
        log_device_placement = first()
        allow_soft_placement = second()
        intra_op_parallelism_threads = third()
        tf.debugging.set_log_device_placement(log_device_placement)
        tf.config.set_soft_device_placement(allow_soft_placement)
        tf.config.threading.set_intra_op_parallelism_threads(intra_op_parallelism_threads)
        sess = tf.Session()
        """,
    )


def test_call_gets_a_name_that_is_free() -> None:
    check_body(
        """
        allow_growth = False
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=read_growth()))
        sess = tf.Session(config=config)
        """,
        """
        allow_growth = False
        allow_growth_2 = read_growth()
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, allow_growth_2)
        sess = tf.Session()
        """,
    )


def test_calls_stay_between_the_statements_that_they_stood_between() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.intra_op_parallelism_threads = first()
        second()
        config.allow_soft_placement = third()
        sess = tf.Session(config=config)
        """,
        """
        tf.config.threading.set_intra_op_parallelism_threads(first())
        second()
        tf.config.set_soft_device_placement(third())
        sess = tf.Session()
        """,
    )


def test_awaited_values() -> None:
    check_body(
        """
        async def main():
            config = tf.ConfigProto(allow_soft_placement=await soft())
            return tf.Session(config=config)
        """,
        """
        async def main():
            tf.config.set_soft_device_placement(await soft())
            return tf.Session()
        """,
    )


def test_value_of_several_lines() -> None:
    check_body(
        """
        config = tf.ConfigProto(
            intra_op_parallelism_threads=(cores +
                                          spare),
            inter_op_parallelism_threads=count(
                cores,
                spare,
            ))
        sess = tf.Session(config=config)
        """,
        """
        tf.config.threading.set_intra_op_parallelism_threads(cores + spare)
        tf.config.threading.set_inter_op_parallelism_threads(count(cores, spare))
        sess = tf.Session()
        """,
    )


def test_variable_changes_after_the_config_is_built() -> None:
    check_body(
        """
        threads = 4
        config = tf.ConfigProto(intra_op_parallelism_threads=threads)
        threads = 8
        sess = tf.Session(config=config)
        """,
        """
        threads = 4
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        threads = 8
        sess = tf.Session()
        """,
    )


def test_overwritten_value_goes_and_a_call_stays() -> None:
    check_body(
        """
        config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=read_log())
        config.allow_soft_placement = False
        config.log_device_placement = True
        sess = tf.Session(config=config)
        """,
        """
        tf.debugging.set_log_device_placement(read_log())
        tf.config.set_soft_device_placement(False)
        tf.debugging.set_log_device_placement(True)
        sess = tf.Session()
        """,
    )


ORDER = {
    "argument-before": """
        use(connect(), tf.Session(config=tf.ConfigProto(allow_soft_placement=read())))
        """,
    "with-item-before": """
        with lock(), tf.Session(config=tf.ConfigProto(allow_soft_placement=read())) as sess:
            pass
        """,
    "test-of-a-choice": """
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True) if is_soft() else None)
        """,
    "helper-behind-a-call": """
        def get_config():
            return tf.ConfigProto(allow_soft_placement=True)


        use(connect(), tf.Session(config=get_config()))
        """,
}


@pytest.mark.parametrize("name", ORDER)
def test_call_that_would_move_in_front_of_another(name: str) -> None:
    check_body_kept(ORDER[name], "evaluation-order")


def test_unicode_in_front_of_a_value() -> None:
    check_body(
        "größe = 2\n"
        "text = 'äöü'; config = tf.ConfigProto(intra_op_parallelism_threads=größe)\n"
        "sess = tf.Session(config=config)\n",
        "größe = 2\n"
        "text = 'äöü'\n"
        "tf.config.threading.set_intra_op_parallelism_threads(größe)\n"
        "sess = tf.Session()\n",
    )


def test_wide_characters_before_and_in_a_value() -> None:
    text = migrated(
        f"{RAW}x = '日本'; c = tf.ConfigProto(allow_soft_placement='日' < 'é')\n"
        "s = tf.Session(config=c)\n"
    )
    assert (
        text
        == f"{V1}x = '日本'\ntf.config.set_soft_device_placement('日' < 'é')\ns = tf.Session()\n"
    )
