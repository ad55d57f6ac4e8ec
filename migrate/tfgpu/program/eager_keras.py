"""Whether code of Keras for TensorFlow 1 does the same when it runs eagerly.

Only what is known to is listed: plain layers, losses and metrics by their names. In graphs, own
losses, layers and metrics get symbolic tensors, metrics have other names, and optimizers and
models other methods (tried with tf_keras 2.21 in graphs and eagerly). Whatever else a program uses
may rest on that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name

_LAYERS = (
    r"Input|InputLayer|Dense|Activation|Dropout|Flatten|Reshape|Permute|RepeatVector|Embedding|"
    r"(?:Separable|Depthwise)?Conv(?:olution)?[123]D(?:Transpose)?|Cropping[123]D|UpSampling[123]D|"
    r"ZeroPadding[123]D|(?:Global)?(?:Max|Average)Pool(?:ing)?[123]D|BatchNormalization|Masking|"
    r"Gaussian(?:Noise|Dropout)|SpatialDropout[123]D|LeakyReLU|PReLU|ELU|ThresholdedReLU|Softmax|"
    r"ReLU|[Aa]dd|[Ss]ubtract|[Mm]ultiply|[Aa]verage|[Mm]aximum|[Mm]inimum|[Cc]oncatenate|[Dd]ot"
)
_PARTS = (
    "activations|applications|backend|callbacks|constraints|datasets|initializers|layers|losses|"
    "metrics|models|optimizers|preprocessing|regularizers|utils"
)
# Compiled when first asked, like the next ones: few programs need them.
_KERAS = (
    rf"keras(?:\.(?:__version__|Model|Sequential|Input|(?:{_PARTS})"
    rf"|layers\.(?:[a-z_]\w*\.)*(?:[a-z_]+|{_LAYERS})"
    r"|models\.(?:Model|Sequential)"
    r"|optimizers\.(?:\w+\.)?(?:SGD|Adam|RMSprop|Adagrad|Adadelta|Adamax|Nadam)"
    r"|backend\.(?:tensorflow_backend(?:\.[sg]et_session)?|[sg]et_session|clear_session|"
    r"image_data_format|set_image_data_format|floatx|epsilon|backend)"
    r"|callbacks\.(?:ModelCheckpoint|EarlyStopping|LearningRateScheduler|ReduceLROnPlateau|"
    r"History|TerminateOnNaN)"
    r"|utils\.(?:(?:np_utils\.)?to_categorical|np_utils|get_file|normalize|Sequence)"
    r"|(?:activations|applications|constraints|datasets|initializers|losses|preprocessing|"
    r"regularizers)\..*))?"
)
_TENSORFLOW = (
    r"tf(?:\.(?:Session|InteractiveSession|ConfigProto|GPUOptions|GraphOptions|OptimizerOptions|"
    r"__version__|VERSION|get_logger|compat|test|python|"
    r"(?:config|logging|version|compat\.v1\.logging|python\.client)(?:\..*)?|compat\.as_\w+|"
    r"test\.(?:is_gpu_available|gpu_device_name|is_built_with_cuda)))?"
)
# What models, layers, optimizers, tensors and shapes have in graphs only, or show otherwise there.
_OF_GRAPHS = (
    "value", "op", "graph", "eval", "consumers", "optimizer", "total_loss", "targets",
    "sample_weights", "sample_weight_mode", "loss_functions", "metrics_names", "get_losses_for",
    "get_updates_for", "get_updates", "get_gradients", "value_index", "output", "outputs",
    "train_on_batch", "test_on_batch", "predict_on_batch", "input", "inputs", "kernel", "bias",
    "weights", "trainable_weights", "non_trainable_weights", "variables", "trainable_variables",
    "non_trainable_variables", "get_config", "to_json", "to_yaml",
)  # fmt: skip
_OPTIMIZER_KEYWORDS = frozenset(
    ["lr", "learning_rate", "momentum", "nesterov", "beta_1", "beta_2", "rho", "amsgrad"]
)
# What a history has by the same names in eager code.
_LOSSES = ("loss", "val_loss")
# Modules that are handed on: what is taken of them is not seen.
_PASSED = ("keras", *(f"keras.{part}" for part in _PARTS.split("|")))
# Models take data, and weights, by these; in eager code no lists of numbers, and other weights.
_TAKING_DATA = ("fit", "fit_generator", "evaluate", "evaluate_generator", "predict")
_WEIGHTS = ("class_weight", "sample_weight", None)
_COMPILE_ARGUMENTS = ("optimizer", "loss", "metrics", "loss_weights")
# Metrics have other names in graphs: `acc` for `accuracy`, the whole name for `mse`.
_METRIC = (
    r"(?<![a-z])(?:val_)?(?:acc(?![a-z])|mean_(?:squared|absolute)|cosine_prox|kullback|logcosh)"
)
_METRIC_IN_TEXT = rb"[\"'{]" + _METRIC.encode()


def may_need_graphs(
    tree: Tree, symbols: Symbols, mentions: Iterable[tuple[ast.AST, str]]
) -> Iterator[ast.AST]:
    """Yield what in a file may do something else eagerly than in graphs.

    `mentions` are its expressions and imports of TensorFlow and Keras, with their names.
    """
    for node, name in mentions:
        around = tree.parent.get(node)
        if (
            not _is_known_name(name)
            or (name.startswith("keras.optimizers.") and _is_unusual(around, node))
            or (name in _PASSED and not isinstance(node, ast.alias))
            or (isinstance(around, ast.ClassDef) and name != "keras.utils.Sequence")
        ):
            yield node
    for statement, module in tree.star_imports.items():
        if module.partition(".")[0] in ("tensorflow", "keras", "tf_keras"):
            yield statement
    for attribute in _OF_GRAPHS:
        yield from tree.attributes.get(attribute, ())
    histories = tree.attributes.get("history", ())
    yield from (node for node in histories if not _asks_for_loss(tree.parent[node]))
    for name in _TAKING_DATA:
        yield from (call for call in _called(name, tree, symbols) if _takes_other_data(call))
    yield from filter(_saves_elsewhere, _called("save", tree, symbols))
    compiled = _called("compile", tree, symbols)
    yield from (call for call in compiled if not _is_plain(call, symbols))
    yield from (call for call in compiled if _may_share_optimizer(call, compiled, tree))
    inside = {item for call in compiled for item in ast.walk(call)}
    for constant in tree.nodes(ast.Constant):
        text = constant.value
        if constant not in inside and isinstance(text, str) and re.search(_METRIC, text):
            yield constant


def _called(name: str, tree: Tree, symbols: Symbols) -> list[ast.Call]:
    """Return the calls of a method by its name, of what is no library."""
    return [
        call
        for node in tree.attributes.get(name, ())
        if isinstance(call := tree.parent[node], ast.Call) and call.func is node
        if not symbols.paths(node)
    ]


def _asks_for_loss(around: ast.AST) -> bool:
    """Tell whether a history is asked for what has the same name in eager code."""
    if isinstance(around, ast.Attribute):
        return around.attr == "history"
    key = around.slice if isinstance(around, ast.Subscript) else None
    return isinstance(key, ast.Constant) and key.value in _LOSSES


def _saves_elsewhere(call: ast.Call) -> bool:
    """Tell whether a model may be saved in a folder in eager code, and in a file in graphs."""
    path = call.args[0] if call.args else None
    name = path.value if isinstance(path, ast.Constant) else None
    return not (isinstance(name, str) and name.endswith((".h5", ".hdf5", ".keras")))


def _takes_other_data(call: ast.Call) -> bool:
    """Tell whether eager code may refuse data, or show progress that graphs do not show."""
    named = {item.arg for item in call.keywords}
    given = (*call.args, *(item.value for item in call.keywords))
    numbers = (
        (isinstance(item, ast.List) and any(isinstance(one, ast.Constant) for one in item.elts))
        or isinstance(item, ast.ListComp)
        or (isinstance(item, ast.Call) and last_name(item.func) in ("list", "range"))
        for item in given
    )
    assert isinstance(call.func, ast.Attribute)
    is_shown = call.func.attr == "predict" and "verbose" not in named
    return is_shown or any(numbers) or not named.isdisjoint(_WEIGHTS)


def _may_share_optimizer(call: ast.Call, compiled: list[ast.Call], tree: Tree) -> bool:
    """Tell whether two models may be compiled with one optimizer, which only graphs allow."""
    given = [*call.args[:1], *(item.value for item in call.keywords if item.arg == "optimizer")]
    if all(isinstance(item, ast.Constant | ast.Call) for item in given):
        return False
    here = tree.function(call)
    made_here = all(
        isinstance(item, ast.Name)
        and all(tree.function(binding.node) is here for binding in tree.bindings(item))
        for item in given
    )
    repeated = any(isinstance(item, ast.For | ast.While) for item in tree.within(call))
    return len(compiled) > 1 or repeated or not made_here


def names_metrics(data: bytes) -> bool:
    """Tell whether a file without TensorFlow may hold the name of a metric of graphs."""
    return bool(re.search(_METRIC_IN_TEXT, data))


def _is_known_name(name: str) -> bool:
    """Tell whether a name is one of those listed, or of no library for TensorFlow and Keras."""
    root = name.partition(".")[0]
    if root in ("keras", "tf"):
        return bool(re.fullmatch(_KERAS if root == "keras" else _TENSORFLOW, name))
    return "keras" not in root and root not in ("tensorflow", "tflearn")


def _is_unusual(call: ast.AST | None, node: ast.AST) -> bool:
    """Tell whether an optimizer is made with arguments that the one of eager code may not take."""
    if not (isinstance(call, ast.Call) and call.func is node):
        return not isinstance(node, ast.alias)
    return len(call.args) > 1 or not _OPTIMIZER_KEYWORDS.issuperset(
        item.arg or "" for item in call.keywords
    )


def _is_plain(call: ast.Call, symbols: Symbols) -> bool:
    """Tell whether a model is compiled with losses and metrics by their names only."""
    given = dict(zip(_COMPILE_ARGUMENTS, call.args, strict=False))
    if len(call.args) > len(_COMPILE_ARGUMENTS):
        return False
    for item in call.keywords:
        if item.arg not in _COMPILE_ARGUMENTS:
            return False
        given[item.arg] = item.value
    loss, metrics = given.get("loss"), given.get("metrics")
    if isinstance(metrics, ast.Dict):
        return False  # A name in it has no whole name in eager code: `mse`.
    return loss is not None and _is_known(loss, symbols) and _is_known(metrics, symbols)


def _is_known(node: ast.expr | None, symbols: Symbols) -> bool:
    """Tell whether an expression has names of losses or metrics, or losses of Keras, only."""
    if isinstance(node, ast.List | ast.Tuple):
        return all(_is_known(item, symbols) for item in node.elts)
    if isinstance(node, ast.Dict):
        return all(_is_known(item, symbols) for item in node.values)
    if node is None or isinstance(node, ast.Constant):
        return True
    return (symbols.name(node) or "").startswith("keras.losses.")
