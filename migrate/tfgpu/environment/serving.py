"""What TensorFlow Serving is started with: flags that set fields of a ConfigProto, or name one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from tfgpu.environment.configs import flag_piece
from tfgpu.environment.model import ConfigPiece, Setting, Span, Way

if TYPE_CHECKING:
    from tfgpu.environment.commands import Word

PROGRAM = re.compile(
    r"(?:.*[/=])?(?:tensorflow_model_server(?:[-_]universal)?|tf_serving_entrypoint\.sh)"
)
IMAGE = re.compile(r".*serving", re.IGNORECASE)
# Stands in front of flags that a container gives to the program of its image.
IMAGE_OF_FLAGS = "image-of-serving"
# Flags that nothing else has: they tell Serving where its program is a variable, or in the image.
_TELLS = re.compile(
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
_FILES = frozenset(
    ["--tensorflow_session_config_file", "--platform_config_file", "--batching_parameters_file"]
)


def serving_items(
    name: Word, words: Sequence[Word], span: Callable[[Word, Word], Span], block: str
) -> Iterator[ConfigPiece | Setting]:
    """Yield what the flags of a command say, if it starts TensorFlow Serving.

    `name` is its program, or image.
    """
    if not _is_serving(name, words):
        return
    for index, word in enumerate(words):
        flag, equals, _ = word.text.strip("\"'").partition("=")
        if flag not in _FIELDS and flag not in _FILES:
            continue
        last, value = word, None
        if equals:
            value = None if word.value is None else word.value.partition("=")[2]
        elif index + 1 < len(words):
            last = words[index + 1]
            value = last.value
        place = span(word, last)
        if flag in _FILES:
            text = value if value is not None else last.text.partition("=")[2] or last.text
            yield Setting(f"serving {flag}", value, text, place, Way.REQUEST, block=block)
        for path in _FIELDS.get(flag, ()):
            shown = word.text if equals else f"{word.text} {last.text}"
            yield flag_piece(shown, path, value, place)


def _is_serving(name: Word, words: Sequence[Word]) -> bool:
    if PROGRAM.fullmatch(name.value or name.text) or IMAGE.match(name.text):
        return True
    return any(_TELLS.match(word.text.strip("\"'")) for word in words)
