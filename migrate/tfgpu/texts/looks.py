"""Tells text that may hold a ConfigProto from other text, before anything is read of it."""

from __future__ import annotations

import re

from tfgpu.files.pattern import expression
from tfgpu.flow.strings import HOLE

# What only a ConfigProto has, followed by what makes it text and not Python or prose.
_MESSAGE = r"\b(?:gpu_options|graph_options|device_count|session_config)\s*:?\s*[{<]"
LOOKS_LIKE = expression(
    rf"{_MESSAGE}|\b(?:allow_soft_placement|log_device_placement"
    rf"|(?:intra|inter)_op_parallelism_threads)\s*:\s*(?:[tT]rue|[fF]alse|TRUE|FALSE|-?\d|[$%{{_{HOLE}])"
)
# What JSON of a ConfigProto has.
IS_JSON = expression(
    r"\"(?:gpu_?[oO]ptions|graph_?[oO]ptions|device_?[cC]ount|allow_?[sS]oft_?[pP]lacement"
    r"|log_?[dD]evice_?[pP]lacement|(?:intra|inter)_?[oO]p_?[pP]arallelism_?[tT]hreads)\"\s*:"
)
# What is no prose, and no YAML.
IS_MESSAGE = expression(_MESSAGE)
# Starts a line of a file that is a message, if a broken one.
STARTS_CONFIG = expression(
    r"^[ \t]*(?:gpu_options|graph_options|allow_soft_placement|log_device_placement"
    r"|(?:intra|inter)_op_parallelism_threads|use_per_session_threads"
    r"|session_inter_op_thread_pool|pluggable_device_options)\b",
    re.MULTILINE,
)
