"""What schedulers and clouds are asked for: `#SBATCH`, `#PBS`, `#BSUB`, `#$`, accelerators."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from tfgpu.environment.model import LIKE_NAME, Setting, Way
from tfgpu.environment.piece import Piece
from tfgpu.files.pattern import expression

if TYPE_CHECKING:
    from yaml import Node

    from tfgpu.environment.command import Word

_DIRECTIVE = expression(r"#(SBATCH|PBS|BSUB|\$)[ \t]+(.*)")
_SLURM = expression(
    r"(--gpus(?:-per-(?:node|task|socket))?|--gres|--export|-G)(?:=|\s+|(?<=-G))(.+)"
)
# `-l nodes=1:ppn=4:gpus=2`, `-l select=1:ngpus=2`, `-l gpu=1`.
_RESOURCES = expression(r"(?:^|[:,])n?gpus?=\w+")
_NAMES = {"PBS": "PBS -l", "$": "Grid Engine -l"}
ACCELERATORS = "cloud accelerators"
ECS = "ECS resourceRequirements"
GENERIC = "docker generic_resources"
# Flags of `gcloud`, each with what it says of accelerators; `count=` stands in its value.
_FLAGS = expression(
    r"--(?:(?:master|worker|parameter-server)-)?accelerator(?:-count)?|--worker-pool-spec|--gpu"
)
_COUNT = expression(r"(?:^|,)(?:accelerator-)?count=(\w+)")
_TYPES = ("acceleratorType", "accelerator_type", "type")
_COUNTS = ("acceleratorCount", "accelerator_count", "count")
# Keys of mappings with a type and a count.
_PAIRS = expression(r"(?i)(?:guest_?)?accelerators?(?:_?config)?(?:\[\])?")


def command_option(name: str, option: str, value: str) -> tuple[str, str] | None:
    """Return what an option of qsub or bsub asks for, and of what; nothing for another one."""
    if name == "bsub":
        return ("LSF -gpu", value) if option == "-gpu" else None
    # Of PBS, or of Grid Engine.
    is_gpu = option == "-l" and _RESOURCES.search(value) is not None
    return ("qsub -l", value) if is_gpu else None


def directive_items(text: str, piece: Piece) -> Iterator[Setting]:
    """Yield what one comment at the start of a line asks for."""
    found = _DIRECTIVE.match(text)
    if found is None:
        return
    scheduler, rest = found[1], found[2]
    try:
        words = shlex.split(rest, comments=True)
    except ValueError:
        return
    span = piece.span((0, 0), (0, len(text)))

    def made(name: str, value: str, way: Way = Way.REQUEST) -> Setting:
        return Setting(name, value, value, span, way, block=piece.block)

    for index, word in enumerate(words):
        behind = words[index + 1] if index + 1 < len(words) else ""
        if scheduler == "SBATCH":
            option = _SLURM.fullmatch(word) or _SLURM.fullmatch(f"{word} {behind}")
            if option is None:
                continue
            name = "--gpus" if option[1] == "-G" else option[1]
            if name == "--export":
                for item in option[2].split(","):
                    variable = re.fullmatch(f"({LIKE_NAME.pattern})=(.*)", item)
                    if variable is not None:
                        yield made(variable[1], variable[2], Way.EXPORTED)
            elif name != "--gres" or "gpu" in option[2]:
                yield made(f"slurm {name}", option[2])
        elif scheduler == "BSUB" and word == "-gpu":
            yield made("LSF -gpu", behind)
        elif scheduler in _NAMES and word == "-l" and _RESOURCES.search(behind) is not None:
            yield made(_NAMES[scheduler], behind)


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
    told = str(getattr(entries.get(kind), "value", "")).lower() if kind else ""
    if inside == "resourcerequirements" and "value" in lower:
        if told == "gpu":
            yield ECS, kind, lower["value"]
    elif inside == "discrete_resource_spec" and "value" in lower:
        if "gpu" in told:
            yield GENERIC, kind, lower["value"]
    else:
        is_pair = _PAIRS.fullmatch(parent) is not None
        for type_, count in zip(_TYPES, _COUNTS, strict=True):
            if type_ in entries and count in entries and (is_pair or type_ != "type"):
                yield ACCELERATORS, type_, count
