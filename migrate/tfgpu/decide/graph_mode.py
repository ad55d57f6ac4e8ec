"""Whether a migrated program builds graphs only, or runs eagerly too."""

from __future__ import annotations

from tfgpu.code.index import Import
from tfgpu.flow.collect import Analysis

_RAW = "tensorflow"
GRAPH_MODE = ("tf.disable_v2_behavior", "tf.disable_eager_execution")


def raw_imports(analysis: Analysis) -> list[Import]:
    """Return the imports of names that only ever refer to the raw `tensorflow` module."""
    return [
        item
        for item in analysis.tree.imports
        if item.alias.name == _RAW
        and all(
            binding.path is None or getattr(binding.node, "name", "") == _RAW
            for binding in analysis.tree.bound(item)
        )
    ]


def is_graph_mode(analysis: Analysis) -> bool:
    """Tell whether a file is raw TF1 code, or turns TensorFlow 2 behaviour off by itself."""
    symbols = analysis.symbols
    if any(symbols.name(call.func) in GRAPH_MODE for call in analysis.tree.calls):
        return True
    return bool(raw_imports(analysis)) and not _uses_compat(analysis)


def _uses_compat(analysis: Analysis) -> bool:
    return any(
        path.startswith("tensorflow.compat.")
        for config in analysis.facts.configs
        for call in config.built
        for path in analysis.symbols.paths(call.func)
    )
