"""What TensorFlow Serving is started with: flags that set fields of a ConfigProto, or name one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from tfgpu.environment.configs import flag_piece
from tfgpu.environment.model import ConfigPiece, Setting, Span, Trouble, Way
from tfgpu.files.pattern import expression
from tfgpu.results import Launch

if TYPE_CHECKING:
    from tfgpu.environment.command import Word

PROGRAM = expression(
    r"(?:.*[/=])?(?:tensorflow_model_server(?:[-_]universal)?|tf_serving_entrypoint\.sh)"
)
IMAGE = expression(r".*serving", re.IGNORECASE)
# Stands in front of flags that a container gives to the program of its image.
IMAGE_OF_FLAGS = "image-of-serving"
# Flags that nothing else has: they tell Serving where its program is a variable, or in the image.
_TELLS = expression(
    r"--(?:model_base_path|model_config_file\w*|rest_api_\w+|tensorflow_session_\w+"
    r"|tensorflow_int\w_op_parallelism|tensorflow_int\w+_op_parallelism|batching_parameters_file"
    r"|platform_config_file|monitoring_config_file)\b"
)
_INTRA, _INTER = "intra_op_parallelism_threads", "inter_op_parallelism_threads"
_FIELDS = {
    "--per_process_gpu_memory_fraction": ("gpu_options.per_process_gpu_memory_fraction",),
    "--tensorflow_session_parallelism": (_INTRA, _INTER),
    "--tensorflow_intra_op_parallelism": (_INTRA,),
    "--tensorflow_inter_op_parallelism": (_INTER,),
}
# What `%f` and `%d` read: blanks in front of a number, and none behind it.
_FRACTION = expression(
    r"(?i)\s*[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|0x[\da-f]+(?:\.[\da-f]*)?|inf(?:inity)?|nan)"
)
_WHOLE = expression(r"\s*[-+]?\d+")
_FRACTIONS = frozenset(["--per_process_gpu_memory_fraction"])
_FILES = frozenset(
    ["--tensorflow_session_config_file", "--platform_config_file", "--batching_parameters_file"]
)


# As near as a misspelling is: `--tensorflow_intra_op_parallelism` is none of `..._inter_...`.
_NEAR = 0.95


def serving_items(
    name: Word, words: Sequence[Word], span: Callable[[Word, Word], Span], block: str
) -> Iterator[ConfigPiece | Setting | Trouble]:
    """Yield what the flags of a command say, if it starts TensorFlow Serving.

    `name` is its program, or image.
    """
    if not _is_serving(name, words):
        return
    for word in words:
        flag, equals, written = word.text.strip("\"'").partition("=")
        place = span(word, word)
        if flag not in _FIELDS and flag not in _FILES:
            import difflib  # noqa: PLC0415 - few files have flags that are not known

            near = difflib.get_close_matches(flag, [*_FIELDS, *_FILES], 1, _NEAR)
            if near and flag.startswith("-"):
                yield _ignored(f"{flag} is no flag of it", f"write {near[0]}=", flag, place)
            continue
        if not equals:
            why = "it reads --flag=value only, and no value that stands behind a blank"
            yield _ignored(why, f"write {flag}=, and the value behind it", flag, place)
            continue
        value = None if word.value is None else word.value.partition("=")[2]
        if flag in _FILES:
            launch = Launch(value if value is not None else written)
            full = f"serving {flag}"
            text = written if value is None else value
            yield Setting(full, value, text, place, Way.REQUEST, block=block, launch=launch)
        elif value is not None and not _is_number(value, flag):
            kind = "number" if flag in _FRACTIONS else "whole number"
            why, todo = f"it takes a {kind}, and ends with its usage", f"and a {kind} behind it"
            details = (("text", word.text), ("why", why), ("todo", f"write {flag}=, {todo}"))
            yield Trouble("serving-flag-ignored", place, details)
        else:
            for path in _FIELDS[flag]:
                yield flag_piece(word.text, path, value, place)


def _ignored(why: str, todo: str, flag: str, place: Span) -> Trouble:
    why = f"{why}: it prints its first `unknown argument`, and goes on without the setting"
    details = (("text", flag), ("why", why), ("todo", todo))
    return Trouble("serving-flag-ignored", place, details)


def _is_number(value: str, flag: str) -> bool:
    """Tell whether C's sscanf reads all of a value as the number that a flag takes."""
    return (_FRACTION if flag in _FRACTIONS else _WHOLE).fullmatch(value) is not None


def _is_serving(name: Word, words: Sequence[Word]) -> bool:
    if PROGRAM.fullmatch(name.value or name.text) or IMAGE.match(name.text):
        return True
    return any(_TELLS.match(word.text.strip("\"'")) for word in words)
