"""GPUs that clouds are asked for: accelerators of Google Cloud, resources of Amazon ECS."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yaml import Node

    from tfgpu.environment.command import Word

ACCELERATORS = "cloud accelerators"
ECS = "ECS resourceRequirements"
GENERIC = "docker generic_resources"
# Flags of `gcloud`, each with what it says of accelerators; `count=` stands in its value.
_FLAGS = re.compile(
    r"--(?:(?:master|worker|parameter-server)-)?accelerator(?:-count)?|--worker-pool-spec|--gpu"
)
_COUNT = re.compile(r"(?:^|,)(?:accelerator-)?count=(\w+)")
_TYPES = ("acceleratorType", "accelerator_type", "type")
_COUNTS = ("acceleratorCount", "accelerator_count", "count")
# Keys of mappings with a type and a count.
_PAIRS = re.compile(r"(?i)(?:guest_?)?accelerators?(?:_?config)?(?:\[\])?")


def flag_value(flag: str, value: Word) -> str | None:
    """Return the accelerators that a flag of gcloud asks for; nothing for another flag."""
    if not _FLAGS.fullmatch(flag):
        return None
    text = value.value or ""
    found = _COUNT.search(text)
    if found is not None:
        return found[1]
    is_count = flag.endswith("-count") and text.isdigit()
    return text if is_count else ("1" if "type=" in text else None)


def requests(entries: Mapping[str, Node], parent: str) -> Iterator[tuple[str, str, str]]:
    """Yield what a mapping asks a cloud for: the request, and the keys of its type and number."""
    lower = {name.lower(): name for name in entries}
    inside = parent.removesuffix("[]").lower()
    kind = lower.get("type", lower.get("kind", ""))
    if inside == "resourcerequirements" and "value" in lower:
        if _is(entries[kind], "gpu") if kind else False:
            yield ECS, kind, lower["value"]
    elif inside == "discrete_resource_spec" and "value" in lower:
        if "gpu" in str(getattr(entries.get(kind), "value", "")).lower():
            yield GENERIC, kind, lower["value"]
    else:
        is_pair = _PAIRS.fullmatch(parent) is not None
        for type_, count in zip(_TYPES, _COUNTS, strict=True):
            if type_ in entries and count in entries and (is_pair or type_ != "type"):
                yield ACCELERATORS, type_, count


def _is(node: Node, word: str) -> bool:
    return str(getattr(node, "value", "")).lower() == word
