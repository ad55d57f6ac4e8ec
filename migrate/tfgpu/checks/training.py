"""How programs train on several GPUs, or with half precision: what TensorFlow 2 makes of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfgpu.checks.devices import Devices
from tfgpu.checks.report import Report
from tfgpu.code.tree import Tree, last_name
from tfgpu.flow.collect import Analysis
from tfgpu.flow.devices import gpu_devices
from tfgpu.flow.environment import writes
from tfgpu.rulebook.book import Rulebook

_STRATEGIES = frozenset(["train_distribute", "eval_distribute"])
_REWRITES = frozenset(["enable_mixed_precision_graph_rewrite"])
_LOSS_SCALES = frozenset(
    ["LossScaleOptimizer", "MixedPrecisionLossScaleOptimizer", "ExponentialUpdateLossScaleManager",
     "FixedLossScaleManager"]
)  # fmt: skip
_LIBRARIES = re.compile(r"\btensorflow|\bkeras\b|\bfrom tf\b")
_RANK = re.compile(
    r"(?:local_?rank(?:id)?|slurm_localid)(?:\(\))?[\"']?(?:, ?[\"']?\d+[\"']?)?[\])]?$",
    re.IGNORECASE,
)
_OLD = re.compile(r"\bcontrib\b|\bexperimental\b")
_THREADS = frozenset(["OMP_NUM_THREADS", "MKL_NUM_THREADS", "KMP_AFFINITY", "KMP_BLOCKTIME"])
_THREAD_FIELDS = frozenset(["intra_op_parallelism_threads", "inter_op_parallelism_threads"])
_THREAD_CALLS = ("set_intra_op_parallelism_threads", "set_inter_op_parallelism_threads")
# What chooses the GPUs that TensorFlow numbers.
_CHOICES = frozenset(["gpu_options.visible_device_list", "device_count.GPU"])
# Fields whose names nothing else has.
_FIELDS = frozenset(
    ["allow_growth", "per_process_gpu_memory_fraction", "visible_device_list",
     "allow_soft_placement", "log_device_placement", *_THREAD_FIELDS]
)  # fmt: skip


def training(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    """Find strategies of estimators, half precision, towers, settings by name, other threads."""
    is_ours = any(_LIBRARIES.search(tree.text) for tree in analysis.tree.files)
    for tree in analysis.tree.files:
        here = analysis.of(tree)
        yield from _ray(here)
        if not is_ours:
            continue
        yield from _keywords(here)
        yield from _half_precision(here)
        yield from _towers(here)
        yield from _beside_threads(here)
        yield from _by_name(here, book)
        yield from _by_rank(here)


def _keywords(analysis: Analysis) -> Iterator[Report]:
    for keyword in analysis.tree.nodes(ast.keyword):
        value = keyword.value
        is_none = isinstance(value, ast.Constant) and value.value is None
        if keyword.arg in _STRATEGIES and not is_none:
            details = {"text": f"{keyword.arg}={analysis.tree.source(value)}"}
            yield Report("train-distribute", keyword, details)


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
        names = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
        for guard, part in reversed(tree.guards(call)):
            if not isinstance(guard, ast.For) or part != "body":
                continue
            targets = {item.id for item in ast.walk(guard.target) if isinstance(item, ast.Name)}
            choice = _choice(analysis) if names & targets and guard not in seen else None
            if choice is not None:
                seen.add(guard)
                line = tree.line_words(choice)
                yield Report("tower-loop", call, {"device": tree.source(node), "line": line})
                break


def _choice(analysis: Analysis) -> ast.AST | None:
    """Return what chooses the GPUs that numbers in a file count among."""
    tree = analysis.tree
    for write in writes(tree, analysis.symbols):
        if write.name == "CUDA_VISIBLE_DEVICES":
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
    fields = [
        setting.node
        for config in analysis.facts.configs
        for setting in config.settings
        if setting.field in _THREAD_FIELDS and tree.holds(setting.node)
    ]
    calls = [node for word in _THREAD_CALLS for node in tree.attributes.get(word, [])]
    own = [*fields, *calls]
    for write in writes(tree, analysis.symbols) if own else ():
        if write.name in _THREADS:
            details = {"name": write.name, "line": tree.line_words(own[0])}
            yield Report("threads-beside", write.node, details)


def _by_name(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    """Find dictionaries with fields of ConfigProto that are not followed to one."""
    tree = analysis.tree
    followed = [node for config in analysis.facts.configs for node in config.dictionaries]
    known = {id(item) for node in followed for item in ast.walk(node)}
    known |= {id(setting.node) for config in analysis.facts.configs for setting in config.settings}
    unpacked = {
        item.value.id
        for item in tree.nodes(ast.keyword)
        if item.arg is None and isinstance(item.value, ast.Name)
    }
    found: dict[ast.AST, list[ast.Constant]] = {}
    for entries in tree.nodes(ast.Dict):
        for key, value in zip(entries.keys, entries.values, strict=True):
            is_field = isinstance(key, ast.Constant) and key.value in _FIELDS
            if is_field and not {id(key), id(value), id(entries)} & known:
                assert isinstance(key, ast.Constant)
                found.setdefault(tree.statement(key), []).append(key)
    for statement, keys in found.items():
        targets = getattr(statement, "targets", [])
        if any(getattr(target, "id", "") in unpacked for target in targets):
            continue  # what takes it apart is reported
        paths = [_path(str(key.value), book) for key in keys]
        rules = [book.rule_for(path, frozenset()) for path in paths]
        details = {
            "names": ", ".join(dict.fromkeys(str(key.value) for key in keys)),
            "codes": ", ".join(dict.fromkeys(rule.code for rule in rules if rule is not None)),
        }
        yield Report("setting-by-name", _whole(keys[0], tree), details)


def _whole(node: ast.AST, tree: Tree) -> ast.AST:
    """Return the dictionary that holds a key, with those around it."""
    found, parent = node, tree.parent[node]
    while isinstance(parent, ast.Dict):
        found, parent = parent, tree.parent[parent]
    return found


def _path(name: str, book: Rulebook) -> str:
    return next(path for path in book.fields if f".{path}".endswith(f".{name}"))


def _by_rank(analysis: Analysis) -> Iterator[Report]:
    """Find what takes a GPU by the local rank of its process, which may be shown one GPU only.

    The process itself may see to that, or its launcher.
    """
    tree = analysis.tree
    if "local" not in tree.text.lower():
        return
    own = [item for item in writes(tree, analysis.symbols) if item.name == "CUDA_VISIBLE_DEVICES"]
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
        variable = analysis.symbols.variable(node)
        bindings = variable[0].bindings[variable[1]] if variable is not None else []
        value = bindings[0].value if len(bindings) == 1 else None
        return value is not None and _is_rank(value, analysis)
    is_plain = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    return is_plain and _RANK.search(ast.unparse(node)) is not None


def _ray(analysis: Analysis) -> Iterator[Report]:
    """Find GPUs that Ray gives to tasks and actors."""
    tree = analysis.tree
    if "num_gpus" not in tree.text or not any(
        item.path.partition(".")[0] == "ray" for item in tree.imports
    ):
        return
    choice = _choice(analysis)
    for call in tree.calls:
        # ray.init only says what a machine has.
        if last_name(call.func) not in ("remote", "options"):
            continue
        for keyword in call.keywords:
            known = analysis.values.known(keyword.value)
            if keyword.arg != "num_gpus" or (isinstance(known, int) and not known):
                continue
            details = {"text": tree.source(keyword.value)}
            if isinstance(known, float) and not known.is_integer():
                yield Report("ray-part-of-gpu", keyword, details)
            elif choice is not None:
                line = tree.line_words(choice)
                yield Report("ray-gpus", keyword, {**details, "line": line})
