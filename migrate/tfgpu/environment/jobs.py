"""What the comments of a job script ask the scheduler for: `#SBATCH`, `#PBS`, `#BSUB`, `#$`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from tfgpu.environment.model import LIKE_NAME, Setting, Way
from tfgpu.environment.piece import Piece

_DIRECTIVE = re.compile(r"#(SBATCH|PBS|BSUB|\$)[ \t]+(.*)")
_SLURM = re.compile(
    r"(--gpus(?:-per-(?:node|task|socket))?|--gres|--export|-G)(?:=|\s+|(?<=-G))(.+)"
)
# `-l nodes=1:ppn=4:gpus=2`, `-l select=1:ngpus=2`, `-l gpu=1`.
_RESOURCES = re.compile(r"(?:^|[:,])n?gpus?=(\w+)")
_NAMES = {"PBS": "PBS -l", "$": "Grid Engine -l"}


def command_option(name: str, option: str, value: str) -> tuple[str, str] | None:
    """Return what an option of qsub or bsub asks for, and how many; nothing for another one."""
    if name == "bsub":
        return ("LSF -gpu", value) if option == "-gpu" else None
    resource = _RESOURCES.search(value) if option == "-l" else None
    return None if resource is None else (_NAMES["PBS"], resource[1])


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
        elif scheduler in _NAMES and word == "-l":
            resource = _RESOURCES.search(behind)
            if resource is not None:
                yield made(_NAMES[scheduler], resource[1])
