"""What Python program a command starts, and whether each of its processes is shown one GPU."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tfgpu.dataclass import replace
from tfgpu.environment.model import Setting
from tfgpu.files.pattern import expression
from tfgpu.results import Launch

if TYPE_CHECKING:
    from tfgpu.environment.command import Found, Word

PYTHON = expression(r"(?:^|/)python[\d.]*$|\.py$")
_LOCAL_RANK = expression(r"[\"']?\$\{?(?:SLURM_LOCALID|\w*LOCAL_?RANK(?:ID)?)\}?[\"']?")
_ONE_EACH = expression(r"--gpu-bind[= ](?:single|per_task):1\b")
# What gives each machine one process, and what shows all of them all GPUs.
ONE_TASK = expression(
    r"(?:--ntasks-per-node|--?npernode|-ppn|--tasks-per-node)[= ]1\b|--map-by[= ]ppr:1:node"
)
IS_SHARED = expression(rf"--gpu-bind[= ]none|{ONE_TASK.pattern}")


def launched(items: Iterable[Found], words: Sequence[Word]) -> Iterator[Found]:
    """Yield what a command sets, with the program that it starts, if that is Python."""
    found = list(items)
    program = started(words)
    text = " ".join(word.text for word in words)
    settings = [item for item in found if isinstance(item, Setting)]
    is_bound = _ONE_EACH.search(text) is not None or any(map(shows_one, settings))
    launch = Launch(program, is_bound and not IS_SHARED.search(text))
    for item in found:
        if isinstance(item, Setting) and item.launch is None and program:
            yield replace(item, launch=launch)
        else:
            yield item


def started(words: Sequence[Word]) -> str:
    """Return the Python program that a command starts, as it is written there; or nothing."""
    for index, word in enumerate(words):
        text = (word.value or word.text).strip("\"'")
        if text.endswith(".py") and "=" not in text:
            # Of what only the run fills in, the end tells the file.
            return text.rpartition("$")[2].partition("/")[2] if "$" in text else text
        if text == "-m" and index and PYTHON.search(words[index - 1].text):
            module = words[index + 1].text if index + 1 < len(words) else ""
            launchers = ("torch.distributed", "horovod.run", "pytest", "unittest")
            if module and not module.startswith(launchers):
                return f"-m {module}"
    return ""


def shows_one(item: Setting) -> bool:
    """Tell whether a setting shows each process of a machine a GPU of its own."""
    if item.name == "CUDA_VISIBLE_DEVICES":
        return item.value is None and _LOCAL_RANK.fullmatch(item.text) is not None
    return item.name == "slurm --gpus-per-task" and item.value == "1"
