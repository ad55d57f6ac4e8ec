"""Count how many settings audit and inventory find, beside a plain search for their names.

Usage, from the repository root: ``python -m benchmarks.found TREE... [--missed]``. In Python a
site is a keyword, an attribute, a key of a dictionary or a call with one of the names, by `ast`
alone and without following anything; in other files it is a line that no comment sign starts. A
site is found where a finding or a row of the inventory covers its line.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import re
import subprocess
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

FIELDS = frozenset(
    ["allow_growth", "per_process_gpu_memory_fraction", "visible_device_list",
     "allow_soft_placement", "log_device_placement", "intra_op_parallelism_threads",
     "inter_op_parallelism_threads", "force_gpu_compatible", "global_jit_level"]
)  # fmt: skip
STRATEGIES = frozenset(["train_distribute", "eval_distribute"])
CALLS = frozenset(
    ["enable_mixed_precision_graph_rewrite", "ExponentialUpdateLossScaleManager",
     "FixedLossScaleManager"]
)  # fmt: skip
# What fields are keywords of; those of other calls are arguments of a program's own functions.
MESSAGES = frozenset(["ConfigProto", "GPUOptions", "OptimizerOptions", "dict", "_replace"])
VARIABLES = re.compile(
    r"(?:CUDA|NVIDIA)_VISIBLE_DEVICES|CUDA_DEVICE_ORDER|NVIDIA_TF32_OVERRIDE|(?:TF_)?XLA_FLAGS"
    r"|TF_(?:CONFIG|FORCE_GPU_ALLOW_GROWTH|GPU_(?:ALLOCATOR|THREAD_MODE|THREAD_COUNT)"
    r"|DETERMINISTIC_OPS|CUDNN_(?:DETERMINISTIC|USE_AUTOTUNE)|NUM_INT(?:RA|ER)OP_THREADS)"
)
SETS = frozenset(["setdefault", "putenv", "setenv", "pop", "unsetenv", "delenv"])
TEXT = re.compile(
    rf"\b(?:{'|'.join(sorted(FIELDS))})\s*:\s*\S|--(?:per_process_gpu_memory_fraction"
    r"|tensorflow_(?:session|int)\w+)\b|(?:horovodrun|mpirun|mpiexec)\b.*-n?p? \S+.*python"
    rf"|resource\.gpu\.amount|(?<![\w$\{{])(?:{VARIABLES.pattern})\"?\s*[=:]"
    r"|docker run\b.*--gpus|nvidia-docker run|nvidia\.com/gpu\"?:|--gres[= ]gpu|runtime: nvidia"
)
_KINDS = {
    "shell and launchers": [".sh", ".bash", ".slurm"],
    "ConfigProto as text": [".pbtxt", ".textproto", ".config", ".gin"],
    "YAML and Dockerfiles": [".yaml", ".yml", "Dockerfile"],
    "other languages": [".java", ".cc", ".cpp", ".h", ".go", ".R", ".r", ".scala", ".kt", ".cs"],
}
SUFFIXES = {suffix: kind for kind, suffixes in _KINDS.items() for suffix in suffixes}


def python_sites(text: str) -> Iterator[tuple[str, int]]:
    """Yield the group and line of each site in a Python file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in CALLS:
                yield "half precision", node.lineno
            if name == "device" and _names_gpu(node) and "torch" not in ast.unparse(node.func):
                yield "tf.device", node.lineno
            for keyword in node.keywords:
                is_none = isinstance(keyword.value, ast.Constant) and keyword.value.value is None
                if keyword.arg in FIELDS:
                    group = "fields" if name in MESSAGES else "arguments of own functions"
                    yield group, keyword.lineno
                elif keyword.arg in STRATEGIES and not is_none:
                    yield "strategies", keyword.lineno
        elif isinstance(node, ast.Attribute) and node.attr in FIELDS:
            if isinstance(node.ctx, ast.Store) and getattr(node.value, "id", "") != "self":
                yield "fields", node.lineno
        elif isinstance(node, ast.Dict):
            for key in node.keys:
                if isinstance(key, ast.Constant) and key.value in FIELDS:
                    yield "dictionaries", key.lineno
        yield from (("variables", line) for line in _variables(node))


def _variables(node: ast.AST) -> Iterator[int]:
    """Yield where a node sets a variable of the environment, or removes one."""
    keys: list[ast.expr | None] = []
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        keys = [node.slice]
    elif isinstance(node, ast.Dict):
        keys = list(node.keys)
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in SETS:
        keys = [*node.args[:1]]
    for key in keys:
        if isinstance(key, ast.Constant) and VARIABLES.fullmatch(str(key.value)):
            yield key.lineno


def _names_gpu(call: ast.Call) -> bool:
    texts = (item.value for item in ast.walk(call) if isinstance(item, ast.Constant))
    return any(isinstance(text, str) and "gpu" in text.lower() for text in texts)


def text_sites(text: str, group: str) -> Iterator[tuple[str, int]]:
    """Yield the group and line of each site in another file."""
    for number, line in enumerate(text.split("\n"), 1):
        if TEXT.search(line) and not line.lstrip().startswith(("#", "//")):
            yield group, number


def sites(root: Path) -> Iterator[tuple[str, int, str]]:
    """Yield path, line and group of every site below a folder."""
    for path in sorted(root.rglob("*")):
        is_docker = path.name.startswith("Dockerfile")
        group = SUFFIXES.get("Dockerfile" if is_docker else path.suffix, "")
        if not path.is_file() or not (group or path.suffix == ".py"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        try:
            found = list(text_sites(text, group) if group else python_sites(text))
        except (SyntaxError, ValueError, RecursionError):
            continue
        yield from ((str(path), line, group) for group, line in found)


def covered(trees: list[str]) -> set[tuple[str, int]]:
    """Return the lines that a finding or a row of the inventory is about, by their files."""
    run = [sys.executable, "-m", "tfgpu"]
    audit = subprocess.run(
        [*run, "audit", "-q", "-v", "--output-format", "json", *trees],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = {
        (item["path"], line)
        for item in json.loads(audit.stdout)["findings"]
        for line in range(item["line"], max(item["end_line"], item["line"]) + 1)
    }
    rows = subprocess.run(
        [*run, "inventory", *trees], capture_output=True, text=True, check=False
    ).stdout
    for row in csv.DictReader(rows.splitlines()):
        lines.add((row["path"], int(row["line"])))
    return lines


def main() -> None:
    """Print how many sites there are, and how many of them are found, by group."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs="+")
    parser.add_argument("--missed", action="store_true", help="name the sites that are not found")
    options = parser.parse_args()
    trees = [tree.rstrip("/") for tree in options.trees]
    known = covered(trees)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for tree in trees:
        for path, line, group in sorted(set(sites(Path(tree)))):
            is_found = (path, line) in known
            counts[group][0] += 1
            counts[group][1] += is_found
            if options.missed and not is_found:
                print(f"{path}:{line}: {group}")
    for group, (total, found) in sorted(counts.items()):
        print(f"{group:28} {found:5} of {total:5}  {100 * found / total:5.1f} %")


if __name__ == "__main__":
    main()
