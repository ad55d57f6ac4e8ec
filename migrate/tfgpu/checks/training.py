"""How programs train on several GPUs, or with half precision: what TensorFlow 2 makes of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfgpu.checks.report import Report
from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression
from tfgpu.flow.collect import Analysis
from tfgpu.flow.devices import gpu_devices
from tfgpu.flow.named_gpus import Devices
from tfgpu.flow.unfollowed import FIELDS
from tfgpu.rulebook.book import Rulebook

_STRATEGIES = frozenset(["train_distribute", "eval_distribute"])
# Arguments of tf.contrib.learn's RunConfig, and the fields of ConfigProto that it sets from them.
_OF_RUN_CONFIG = {
    "gpu_memory_fraction": "gpu_options.per_process_gpu_memory_fraction",
    "num_cores": "inter_op_parallelism_threads and intra_op_parallelism_threads",
    "log_device_placement": "log_device_placement",
}
_REWRITES = frozenset(["enable_mixed_precision_graph_rewrite"])
_LOSS_SCALES = frozenset(
    ["LossScaleOptimizer", "MixedPrecisionLossScaleOptimizer", "ExponentialUpdateLossScaleManager",
     "FixedLossScaleManager"]
)  # fmt: skip
_LIBRARIES = expression(r"\btensorflow|\bkeras\b|\bfrom tf\b")
_RANK = expression(
    r"(?:local_?rank(?:id)?|slurm_localid)(?:\(\))?[\"']?(?:, ?[\"']?\d+[\"']?)?[\])]?$",
    re.IGNORECASE,
)
_RUN_CONFIG = expression(r"tf\.contrib\.learn\.(?:\w+\.)*RunConfig$")
_OLD = expression(r"\bcontrib\b|\bexperimental\b")
_THREADS = frozenset(["OMP_NUM_THREADS", "MKL_NUM_THREADS", "KMP_AFFINITY", "KMP_BLOCKTIME"])
_THREAD_FIELDS = frozenset(["intra_op_parallelism_threads", "inter_op_parallelism_threads"])
_THREAD_CALLS = ("set_intra_op_parallelism_threads", "set_inter_op_parallelism_threads")
# What chooses the GPUs that TensorFlow numbers.
_CHOICES = frozenset(["gpu_options.visible_device_list", "device_count.GPU"])
# The fields as JSON has them, too: `allowGrowth`.
_NAMES = {name: name for name in FIELDS}
_NAMES |= {re.sub("_(.)", lambda found: found[1].upper(), name): name for name in FIELDS}
_JSON_KEY = expression(rf"[\"']({'|'.join(sorted(_NAMES))})[\"']\s*:")


def training(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    """Find strategies of estimators, half precision, towers, settings by name, other threads."""
    if not has_library(analysis):
        return
    for tree in analysis.tree.files:
        here = analysis.of(tree)
        yield from _keywords(here)
        yield from _run_configs(here)
        yield from _half_precision(here)
        yield from _towers(here)
        yield from _beside_threads(here)
        yield from _by_name(here, book)
        yield from _by_rank(here)


def has_library(analysis: Analysis) -> bool:
    """Tell whether one of the files names TensorFlow or Keras; else its words are another's."""
    return any(_LIBRARIES.search(tree.text) for tree in analysis.tree.files)


def _keywords(analysis: Analysis) -> Iterator[Report]:
    for keyword in analysis.tree.nodes(ast.keyword):
        value = keyword.value
        is_none = isinstance(value, ast.Constant) and value.value is None
        if keyword.arg in _STRATEGIES and not is_none:
            details = {"text": f"{keyword.arg}={analysis.tree.source(value)}"}
            yield Report("train-distribute", keyword, details)

    for entries in analysis.tree.nodes(ast.Dict):
        for key, value in zip(entries.keys, entries.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in _STRATEGIES:
                details = {"text": f"{key.value}: {analysis.tree.source(value)}"}
                yield Report("train-distribute", key, details)


def _run_configs(analysis: Analysis) -> Iterator[Report]:
    """Find what RunConfig of tf.contrib.learn makes a ConfigProto of."""
    tree = analysis.tree
    if "RunConfig" not in tree.text or "contrib" not in tree.text:
        return
    for call in tree.calls:
        if not _RUN_CONFIG.match(analysis.symbols.name(call.func) or ""):
            continue
        for keyword in call.keywords:
            field = _OF_RUN_CONFIG.get(keyword.arg or "")
            if field is not None:
                text = f"{keyword.arg}={tree.source(keyword.value)}"
                details = {"text": text, "field": field}
                yield Report("contrib-run-config", keyword, details)


def _half_precision(analysis: Analysis) -> Iterator[Report]:
    tree = analysis.tree
    for word in sorted(_REWRITES | _LOSS_SCALES):
        if word not in tree.text:
            continue
        for call in tree.calls:
            if last_name(call.func) != word:
                continue
            text = tree.source(call.func)
            if word in _REWRITES:
                yield Report("mixed-precision-rewrite", call, {"text": text})
            elif _OLD.search(f"{text} {analysis.symbols.name(call.func)}"):
                yield Report("loss-scale", call, {"text": text})


def _towers(analysis: Analysis) -> Iterator[Report]:
    """Find loops that put the same operations on one GPU after the other, of GPUs chosen here."""
    tree = analysis.tree
    seen: set[ast.AST] = set()
    for call, node in gpu_devices(tree, analysis.symbols):
        names = _names(node, analysis)
        for loop, targets in _loops(call, tree):
            chosen = choice(analysis) if names & targets and loop not in seen else None
            if chosen is not None:
                seen.add(loop)
                line = tree.line_words(chosen)
                yield Report("tower-loop", call, {"device": tree.source(node), "line": line})
                break


def _names(node: ast.expr, analysis: Analysis, depth: int = 3) -> set[str]:
    """Return the names in an expression, and in what these are assigned."""
    found = set()
    for item in ast.walk(node):
        if isinstance(item, ast.Name):
            found.add(item.id)
            values = [bound.value for bound in analysis.tree.bindings(item)] if depth else []
            for value in values:
                found |= _names(value, analysis, depth - 1) if value is not None else set()
    return found


def _loops(node: ast.AST, tree: Tree) -> Iterator[tuple[ast.AST, set[str]]]:
    """Yield the loops around a node in its function, each with the names that it changes."""
    for around in tree.within(node):
        if isinstance(around, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            yield from ((around, _stored(item.target)) for item in around.generators)
    for guard, part in reversed(tree.guards(node)):
        if isinstance(guard, ast.For) and part == "body":
            yield guard, _stored(guard.target)
        elif isinstance(guard, ast.While) and part == "body":
            changed = (item for item in ast.walk(guard) if isinstance(item, ast.AugAssign))
            yield guard, {item.target.id for item in changed if isinstance(item.target, ast.Name)}


def _stored(target: ast.AST) -> set[str]:
    return {item.id for item in ast.walk(target) if isinstance(item, ast.Name)}


def choice(analysis: Analysis) -> ast.AST | None:
    """Return what chooses the GPUs that numbers in a file count among."""
    tree = analysis.tree
    from tfgpu.flow.variables import writes  # noqa: PLC0415 - few need it

    for write in writes(tree, analysis.symbols):
        if write.name == "CUDA_VISIBLE_DEVICES" and write.how != "removed":
            return write.node
    for config in analysis.facts.configs:
        for setting in config.settings:
            if setting.field in _CHOICES and tree.holds(setting.node):
                return setting.node
    return next(iter(tree.attributes.get("set_visible_devices", [])), None)


def _beside_threads(analysis: Analysis) -> Iterator[Report]:
    """Find variables of OpenMP and MKL in a file that sets TensorFlow's own threads."""
    tree = analysis.tree
    if not any(name in tree.text for name in _THREADS):
        return
    from tfgpu.flow.variables import writes  # noqa: PLC0415 - few need it

    fields = [
        setting.node
        for config in analysis.facts.configs
        for setting in config.settings
        if setting.field in _THREAD_FIELDS and tree.holds(setting.node)
    ]
    calls = [node for word in _THREAD_CALLS for node in tree.attributes.get(word, [])]
    own = [*fields, *calls]
    for write in writes(tree, analysis.symbols) if own else ():
        if write.name in _THREADS and write.how != "removed":
            details = {"name": write.name, "line": tree.line_words(own[0])}
            yield Report("threads-beside", write.node, details)


def named_settings(analysis: Analysis) -> Iterator[tuple[ast.AST, ast.expr, str]]:
    """Yield the keys that are named like fields, in dictionaries that are not followed.

    Each comes with the expression of its value and the name of the field.
    """
    tree = analysis.tree
    followed = [node for config in analysis.facts.configs for node in config.dictionaries]
    known = {id(item) for node in followed for item in ast.walk(node)}
    settings = [item.node for config in analysis.facts.configs for item in config.settings]
    parts = [item for node in settings if isinstance(node, ast.keyword) for item in ast.walk(node)]
    known |= {id(item) for item in (*settings, *parts)}
    for entries in tree.nodes(ast.Dict):
        for key, value in zip(entries.keys, entries.values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            if isinstance(name, str) and name in _NAMES:
                assert key is not None
                if not {id(key), id(value), id(entries)} & known:
                    yield key, value, _NAMES[name]
    for call in tree.calls:
        takes_all = tree.builtin(call.func) == "dict" or _takes_any(call, tree)
        for keyword in call.keywords if takes_all and id(call) not in known else ():
            if keyword.arg in _NAMES and not {id(keyword), id(keyword.value)} & known:
                yield keyword, keyword.value, _NAMES[keyword.arg]
    for text in tree.nodes(ast.Constant):
        around = tree.parent.get(text)
        if isinstance(around, ast.Call) and last_name(around.func) == "loads":
            found = _JSON_KEY.finditer(text.value) if isinstance(text.value, str) else ()
            yield from ((text, text, _NAMES[item[1]]) for item in found)


def _takes_any(call: ast.Call, tree: Tree) -> bool:
    """Tell whether a function of the file takes the keywords of a call as a dictionary.

    One that does not read the dictionary hands nothing on.
    """
    functions = tree.functions.get(getattr(call.func, "id", ""), [])
    return any(
        isinstance(item, ast.FunctionDef)
        and item.args.kwarg is not None
        and _reads(item, item.args.kwarg.arg)
        and all(arg.arg not in _NAMES for arg in (*item.args.args, *item.args.kwonlyargs))
        for item in functions
    )


def _reads(function: ast.FunctionDef, name: str) -> bool:
    """Tell whether a function names one of its parameters, or all of them as `locals()` does."""
    names = (node.id for node in ast.walk(function) if isinstance(node, ast.Name))
    return not {name, "locals", "vars"}.isdisjoint(names)


def _by_name(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    """Find dictionaries with fields of ConfigProto, once for each line that has some."""
    lines: dict[int, list[tuple[ast.AST, str]]] = {}
    for key, _, name in named_settings(analysis):
        lines.setdefault(analysis.tree.position(key)[0], []).append((key, name))
    for found in lines.values():
        rules = [book.rule_for(field_path(name, book), frozenset()) for _, name in found]
        details = {
            "names": ", ".join(dict.fromkeys(name for _, name in found)),
            "codes": ", ".join(dict.fromkeys(rule.code for rule in rules if rule is not None)),
        }
        yield Report("setting-by-name", found[0][0], details)


def field_path(name: str, book: Rulebook) -> str:
    """Return the path of the field that has a name."""
    return next(path for path in book.fields if f".{path}".endswith(f".{name}"))


def _by_rank(analysis: Analysis) -> Iterator[Report]:
    """Find what takes a GPU by the local rank of its process, which may be shown one GPU only.

    The process itself may see to that, or its launcher.
    """
    tree = analysis.tree
    if "local" not in tree.text.lower():
        return
    from tfgpu.flow.variables import writes  # noqa: PLC0415 - few need it

    found = [item for item in writes(tree, analysis.symbols) if item.how != "removed"]
    own = [item for item in found if item.name == "CUDA_VISIBLE_DEVICES"]
    if own and (len(own) > 1 or not _is_rank(own[0].value, analysis) or tree.guards(own[0].node)):
        return
    where = f"line {tree.line_words(own[0].node)}" if own else "$where"
    for node, error in _taken(analysis):
        details = {"text": tree.source(node), "error": error, "where": where}
        yield Report("one-gpu-by-rank", node, details, pending=not own)


def _taken(analysis: Analysis) -> Iterator[tuple[ast.expr, str]]:
    """Yield what takes a GPU by a local rank, and the error where there is no such GPU."""
    tree, devices = analysis.tree, Devices(analysis)
    for item in tree.nodes(ast.Subscript):
        if _is_rank(item.slice, analysis):
            named = devices.of(item.value)
            if named is not None and named.many and named.kind != "CPU":
                yield item, "raises IndexError"
    for config in analysis.facts.configs:
        for setting in config.settings:
            is_list = setting.field == "gpu_options.visible_device_list"
            if is_list and tree.holds(setting.node) and _is_rank(setting.value.node, analysis):
                yield setting.value.node, "makes the session raise InvalidArgumentError"


def _is_rank(node: ast.expr, analysis: Analysis) -> bool:
    """Tell whether an expression is the number or the text of a local rank."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("str", "int"):
        return len(node.args) == 1 and _is_rank(node.args[0], analysis)
    if isinstance(node, ast.Name) and not _RANK.search(node.id):
        bindings = analysis.symbols.bindings(node)
        value = bindings[0].value if len(bindings) == 1 else None
        return value is not None and _is_rank(value, analysis)
    is_plain = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    return is_plain and _RANK.search(ast.unparse(node)) is not None
