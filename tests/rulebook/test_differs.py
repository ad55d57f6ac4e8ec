"""Names that tf and tf.compat.v1 both have: calls that rules/names/differs.txt takes to be one."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.program.grades import Grade, Grades
from tfgpu.rulebook.book import load_rulebook

SCRIPT = Path(__file__).with_name("graphs.py")
_ASSERTS = ["(x, y, summarize=1, message='m', name='n')"]
_SIGNS = ["(x, summarize=1, message='m', name='n')"]
_RANKS = ["(x, 2, message='m', name='n')"]
_REDUCES = ["(x)", "(x, 0, True, 'n')", "(input_tensor=x, axis=[0, 1], keepdims=False, name='n')"]
_ALL = [text.replace("x", "yes") for text in _REDUCES if "axis" not in text]
_SOFTMAX = ["(x)", "(x, 0, 'n')"]
_NORM = ["(x)", "(x, 2, 1, True, 'n')"]
_ARG = ["(x)", "(x, 1, name='n', output_type=tf.int32)"]
_FILTER = "filters=tf.ones({})"
# By name, calls that give every parameter of its row.
CALLS = {
    "argmax": _ARG, "argmin": _ARG, "math.argmax": _ARG, "math.argmin": _ARG,
    "assert_equal": _ASSERTS, "assert_greater": _ASSERTS, "assert_less": _ASSERTS,
    "assert_rank": _RANKS,
    "boolean_mask": ["(x, [True, False])", "(x, [True, False, True], name='n', axis=1)"],
    "constant": ["([1.0, 2.0])", "(3, tf.float32, name='n')"],
    "convert_to_tensor": ["([1.0])", "([1], tf.int64, name='n', dtype_hint=tf.int32)"],
    "debugging.assert_all_finite": ["(x=x, message='m', name='n')"],
    "debugging.assert_equal": _ASSERTS, "debugging.assert_greater": _ASSERTS,
    "debugging.assert_greater_equal": _ASSERTS, "debugging.assert_less": _ASSERTS,
    "debugging.assert_less_equal": _ASSERTS, "debugging.assert_none_equal": _ASSERTS,
    "debugging.assert_near": ["(x, y, 0.1, 0.1, summarize=1, message='m', name='n')"],
    "debugging.assert_negative": _SIGNS, "debugging.assert_non_negative": _SIGNS,
    "debugging.assert_non_positive": _SIGNS, "debugging.assert_positive": _SIGNS,
    "debugging.assert_rank": _RANKS, "debugging.assert_rank_at_least": _RANKS,
    "debugging.assert_rank_in": ["(x, [1, 2], message='m', name='n')"],
    "device": ["('/cpu:0')", "('/gpu:%d' % 0)"],
    "expand_dims": ["(x, 0)", "(x, axis=-1, name='n')", "(x, 1, 'n')"],
    "foldl": ["(lambda a, b: a + b, x, None, 2, True, False, 'n')"],
    "foldr": ["(lambda a, b: a + b, x, None, 2, True, False, 'n')"],
    "gather": ["(x, n)", "(x, n, True, name='n', axis=1, batch_dims=0)"],
    "gather_nd": ["(x, [[0]])", "(x, [[0], [1]], name='n', batch_dims=1, bad_indices_policy='')"],
    "io.decode_csv": ["(text, [[0.0]], ',', True, name='n', na_value='-', select_cols=[0])"],
    "io.decode_raw": ["(text, tf.uint8)", "(text, tf.int32, False, name='n')"],
    "io.serialize_many_sparse": ["(sparse, name='n', out_type=tf.string)"],
    "io.serialize_sparse": ["(sparse, name='n', out_type=tf.string)"],
    "linalg.norm": _NORM, "norm": _NORM,
    "map_fn": ["(lambda v: v, x)", "(lambda v: v, x, tf.float32, 2, True, False, True, 'n', None)"],
    "math.bincount": ["(n)", "(n, [1.0, 2.0], 2, 5, tf.float32)"],
    "math.confusion_matrix": ["([1], [1])", "([1], [1], 3, dtype=tf.int64, name='n', weights=[2])"],
    "math.count_nonzero": ["(input=x, axis=0, keepdims=True, dtype=tf.int32, name='n')"],
    "math.in_top_k": ["(predictions=x, targets=n, k=1, name='n')"],
    "math.log_softmax": _SOFTMAX, "math.softmax": _SOFTMAX,
    "nn.log_softmax": _SOFTMAX, "nn.softmax": _SOFTMAX,
    "name_scope": ["('n')", "(f'a{1}')", "('a' + 'b')"],
    "nn.batch_norm_with_global_normalization": [
        "(input=image, mean=tf.zeros([4]), variance=tf.ones([4]), beta=tf.zeros([4]), "
        "gamma=tf.ones([4]), "
        "variance_epsilon=0.1, scale_after_normalization=True, name='n')"
    ],
    "nn.conv1d": [
        f"(input=line, {_FILTER.format([2, 4, 4])}, stride=1, padding='SAME', data_format='NWC', "
        "name='n', dilations=1)",
        f"(input=line, {_FILTER.format([2, 4, 4])}, stride=1, padding='SAME')",
    ],
    "nn.conv2d": [
        f"(image, {_FILTER.format([2, 2, 4, 4])}, strides=[1, 1, 1, 1], padding='SAME')",
        f"(image, {_FILTER.format([2, 2, 4, 4])}, strides=1, padding='SAME', data_format='NCHW', "
        "dilations=[1, 1, 1, 1], name='n')",
    ],
    "nn.conv2d_transpose": [
        f"(input=image, {_FILTER.format([2, 2, 4, 4])}, output_shape=[1, 8, 8, 4], strides=1, "
        "padding='SAME', data_format='NHWC', name='n', dilations=[1, 1, 1, 1])"
    ],
    "nn.conv3d": [
        f"(volume, {_FILTER.format([2, 2, 2, 4, 4])}, strides=[1] * 5, padding='SAME', "
        "data_format='NDHWC', dilations=[1] * 5, name='n')"
    ],
    "nn.crelu": ["(x)", "(x, name='n', axis=0)"],
    "nn.depth_to_space": ["(image, 2)", "(image, 2, name='n', data_format='NHWC')"],
    "nn.depthwise_conv2d": [
        "(image, tf.ones([2, 2, 4, 1]), [1, 1, 1, 1], 'SAME')",
        "(image, tf.ones([2, 2, 4, 1]), [1, 1, 1, 1], 'SAME', name='n', data_format='NHWC', "
        "dilations=[1, 1])",
    ],
    "nn.max_pool_with_argmax": [
        "(image, [1, 2, 2, 1], [1, 1, 1, 1], 'SAME', 'NHWC', name='n', output_dtype=tf.int32, "
        "include_batch_in_index=True)"
    ],
    "nn.moments": ["(x, [0])", "(x, [0], None, name='n', keepdims=True)"],
    "nn.pool": [
        "(image, [2, 2], 'MAX', strides=[1, 1], padding='SAME', name='n', data_format='NHWC', "
        "dilations=[1, 1])"
    ],
    "nn.separable_conv2d": [
        "(image, tf.ones([2, 2, 4, 1]), tf.ones([1, 1, 4, 4]), [1, 1, 1, 1], 'SAME', name='n', "
        "data_format='NHWC', dilations=[1, 1])"
    ],
    "nn.sigmoid_cross_entropy_with_logits": ["(x, y, 'n')", "(labels=x, logits=y)"],
    "nn.space_to_depth": ["(image, 2)", "(image, 2, name='n', data_format='NHWC')"],
    "nn.sparse_softmax_cross_entropy_with_logits": ["(n, x, 'n')", "(labels=n, logits=x)"],
    "nn.sufficient_statistics": ["(x, [0])", "(x, [0], 1.0, name='n', keepdims=True)"],
    "nn.weighted_cross_entropy_with_logits": ["(x, y, 2.0, 'n')"],
    "nn.weighted_moments": ["(x, [0], y, name='n', keepdims=True)"],
    "pad": [
        "(x, [[1, 1], [1, 1]])",
        "(x, [[1, 1], [1, 1]], 'REFLECT', name='n', constant_values=1)",
    ],
    "reverse_sequence": ["(x, n, 1, 0, 'n')"],
    "scan": ["(lambda a, b: a + b, x, None, 2, True, False, True, True, 'n')"],
    "shape": ["(x)", "(x, name='n', out_type=tf.int64)"],
    "size": ["(x)", "(x, name='n', out_type=tf.int64)"],
    "squeeze": ["(tf.ones([1, 2]))", "(tf.ones([1, 2]), [0], 'n')"],
    "strings.length": ["(text)", "(text, name='n', unit='UTF8_CHAR')"],
    "transpose": ["(x)", "(x, [1, 0], name='n', conjugate=True)"],
    "tuple": ["([x, y])", "([x, y], name='n', control_inputs=[tf.no_op()])"],
    "where": ["(yes)"],
    "while_loop": [
        "(lambda i, j: i < 3, lambda i, j: (i + 1, j), [0, 1])",
        "(lambda i, j: i < 3, lambda i, j: (i + 1, j), (one, one), None, 2, True, False, name='n', "
        "maximum_iterations=2)",
    ],
    **{
        f"{folder}reduce_{name}": _REDUCES
        for name in ("max", "mean", "min", "prod", "sum", "logsumexp")
        for folder in ("", "math.")
    },
    **{f"{folder}reduce_{name}": _ALL for name in ("all", "any") for folder in ("", "math.")},
}  # fmt: skip
# Rows that no call can satisfy, for a parameter that each needs has another name in the other.
NEVER = {"nn.dilation2d", "nn.erosion2d", "ones_like", "zeros_like"}
# What is returned, or which values are taken, differs: one is not the other.
OTHERS = [
    "while_loop(lambda i: i < 3, lambda i: i + 1, [0])",
    "device(lambda op: '/cpu:0')",
    "name_scope(None)",
    "gradients(x * 2, x)",
    "debugging.assert_integer(n)",
    "debugging.assert_scalar(one)",
    "debugging.assert_type(x, tf.float32)",
    "scalar_mul(2.0, x)",
    "nn.max_pool(input=image, ksize=2, strides=1, padding='SAME')",
]


def made(calls: list[str]) -> dict[str, str]:
    """Return what becomes of calls in graphs of tf, and of tf.compat.v1."""
    ran = subprocess.run(
        [sys.executable, str(SCRIPT)],
        input="\n".join(calls),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return dict(zip(calls, ran.stdout.splitlines(), strict=True))


def grade(call: str) -> Grade:
    """Return the grade of the function of a call."""
    text = f"import tensorflow as tf\ntf.{call}\n"
    tree = Tree(ast.parse(text), text, "train.py")
    statement = tree.module.body[1]
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    node = statement.value.func
    symbols = Symbols(tree)
    return Grades(load_rulebook()).of(node, f"tensorflow.{call.partition('(')[0]}", tree, symbols)


def test_calls_of_a_row_make_the_same_graph() -> None:
    rows = {name: same for name, same in load_rulebook().differs.items() if same}
    assert rows.keys() - NEVER == CALLS.keys()
    lines = [name + text for name, texts in CALLS.items() for text in texts]
    assert {line: grade(line) for line in lines} == dict.fromkeys(lines, Grade.SAME)
    assert made(lines) == dict.fromkeys(lines, "same")
    for name, texts in CALLS.items():
        parsed = (ast.parse(name + text, mode="eval").body for text in texts)
        calls = [call for call in parsed if isinstance(call, ast.Call)]
        given = {word.arg for call in calls for word in call.keywords}
        most = max(len(call.args) for call in calls)
        left = [
            word
            for place, word in enumerate(rows[name])
            if word.rstrip("=") not in given and (word.endswith("=") or place >= most)
        ]
        assert not left, name


def test_other_calls_differ() -> None:
    assert {line: grade(line) for line in OTHERS} == dict.fromkeys(OTHERS, Grade.DIFFERS)
    ran = made(OTHERS)
    assert [line for line in OTHERS if ran[line] == "same"] == []
