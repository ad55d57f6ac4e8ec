"""Whether a program takes arguments: where it does not, no list of them reaches more of it."""

from __future__ import annotations

import re
from collections.abc import Iterable

# What reads them, in whatever library; a word in another meaning does no harm.
_READS = re.compile(
    r"\b(argv|orig_argv|argparse|optparse|getopt|parse_args|docopt|click|typer|fire|hydra|sacred|gin"
    r"|absl|flags|FLAGS|DEFINE_\w+|app\.run|stdin|input|raw_input|cli|jsonargparse|simple_parsing"
    r"|tyro|plac|configargparse|environ|getenv)\b"
)


def takes_arguments(texts: Iterable[str]) -> bool:
    """Tell whether a program of some files may take arguments, or be told something otherwise."""
    return any(map(_READS.search, texts))
