"""What a file is, told by its name: the kinds of files that configure GPUs."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from enum import Enum
from functools import lru_cache


class Kind(Enum):
    """A kind of file. `migrate` rewrites Python and notebooks; the others are only audited."""

    PYTHON = "python"
    NOTEBOOK = "notebook"
    SHELL = "shell"
    DOCKERFILE = "dockerfile"
    MAKEFILE = "makefile"
    DOTENV = "dotenv"
    UNIT = "systemd unit"
    INI = "INI"
    TOML = "TOML"
    CSH = "csh"
    FISH = "fish"
    BATCH = "batch file"
    POWERSHELL = "PowerShell"
    YAML = "yaml"
    JSON = "json"
    CONFIG = "text of a ConfigProto"
    GIN = "gin"
    R = "R"
    JAVA = "Java"
    CPP = "C++"
    GO = "Go"
    C_SHARP = "C#"
    SCALA = "Scala"
    KOTLIN = "Kotlin"


REWRITTEN = frozenset({Kind.PYTHON, Kind.NOTEBOOK})
EVERY = frozenset(Kind)
# Code of other languages, which may build a ConfigProto.
LANGUAGES = frozenset({Kind.R, Kind.JAVA, Kind.CPP, Kind.GO, Kind.C_SHARP, Kind.SCALA, Kind.KOTLIN})

# The first line of a shell script, or of a job script of a scheduler.
_SHELL = re.compile(rb"#![^\n]*[/ ](?:ba|z|k|da)?sh(?:[ \t\r\n]|$)")
_CSH = re.compile(rb"#![^\n]*[/ ]t?csh(?:[ \t\r\n]|$)")
_PYTHON = re.compile(rb"#![^\n]*[/ ]python[\d.]*(?:[ \t\r\n]|$)")
_SUFFIXES = {
    ".py": Kind.PYTHON,
    ".ipynb": Kind.NOTEBOOK,
    ".sh": Kind.SHELL,
    ".bash": Kind.SHELL,
    ".zsh": Kind.SHELL,
    ".ksh": Kind.SHELL,
    ".slurm": Kind.SHELL,
    ".sbatch": Kind.SHELL,
    ".pbs": Kind.SHELL,
    ".dockerfile": Kind.DOCKERFILE,
    ".mk": Kind.MAKEFILE,
    ".env": Kind.DOTENV,
    ".service": Kind.UNIT,
    ".ini": Kind.INI,
    ".cfg": Kind.INI,
    ".conf": Kind.INI,
    ".toml": Kind.TOML,
    ".csh": Kind.CSH,
    ".tcsh": Kind.CSH,
    ".fish": Kind.FISH,
    ".bat": Kind.BATCH,
    ".cmd": Kind.BATCH,
    ".ps1": Kind.POWERSHELL,
    ".psm1": Kind.POWERSHELL,
    ".yml": Kind.YAML,
    ".yaml": Kind.YAML,
    ".json": Kind.JSON,
    ".pbtxt": Kind.CONFIG,
    ".textproto": Kind.CONFIG,
    ".textpb": Kind.CONFIG,
    ".txtpb": Kind.CONFIG,
    ".prototxt": Kind.CONFIG,
    ".gin": Kind.GIN,
    ".r": Kind.R,
    ".java": Kind.JAVA,
    ".cc": Kind.CPP,
    ".cpp": Kind.CPP,
    ".cxx": Kind.CPP,
    ".c": Kind.CPP,
    ".cu": Kind.CPP,
    ".hh": Kind.CPP,
    ".h": Kind.CPP,
    ".hpp": Kind.CPP,
    ".go": Kind.GO,
    ".cs": Kind.C_SHARP,
    ".scala": Kind.SCALA,
    ".kt": Kind.KOTLIN,
    ".kts": Kind.KOTLIN,
}
_NAMES = {
    "Dockerfile": Kind.DOCKERFILE,
    "Containerfile": Kind.DOCKERFILE,
    "Makefile": Kind.MAKEFILE,
    # Its recipes are commands of Windows.
    "Makefile.win": Kind.BATCH,
    "makefile": Kind.MAKEFILE,
    "GNUmakefile": Kind.MAKEFILE,
    ".env": Kind.DOTENV,
    ".bashrc": Kind.SHELL,
    ".bash_profile": Kind.SHELL,
    ".profile": Kind.SHELL,
    ".bash_aliases": Kind.SHELL,
    ".zshrc": Kind.SHELL,
    ".zshenv": Kind.SHELL,
    ".envrc": Kind.SHELL,
    ".Renviron": Kind.DOTENV,
    ".cshrc": Kind.CSH,
    ".tcshrc": Kind.CSH,
    ".login": Kind.CSH,
    "launch.json": Kind.JSON,
    "devcontainer.json": Kind.JSON,
    "session.config": Kind.CONFIG,
    "session.conf": Kind.CONFIG,
    "session_config": Kind.CONFIG,
    "session_config.txt": Kind.CONFIG,
    "session_config.config": Kind.CONFIG,
    "session_config.conf": Kind.CONFIG,
    "platform.config": Kind.CONFIG,
    "platform.conf": Kind.CONFIG,
    "platform_config.txt": Kind.CONFIG,
    "platform_config.config": Kind.CONFIG,
    "platform_config.conf": Kind.CONFIG,
    "tensorflow_session.config": Kind.CONFIG,
    "tf_session.config": Kind.CONFIG,
    "tf_config.txt": Kind.CONFIG,
}
_STARTS = {"Dockerfile.": Kind.DOCKERFILE, "Makefile.": Kind.MAKEFILE, ".env.": Kind.DOTENV}


@lru_cache(maxsize=4096)
def kind_of(name: str) -> Kind | None:
    """Return the kind of a file by its name alone, None where it can hold nothing of interest."""
    # Every file of a tree comes through here, some of them more than once.
    _, base = os.path.split(name)
    found = _NAMES.get(base)
    if found is None:
        found = next((kind for start, kind in _STARTS.items() if base.startswith(start)), None)
    return found or _SUFFIXES.get(os.path.splitext(base)[1].lower())  # noqa: PTH122


def kind_of_file(name: str, data: bytes) -> Kind:
    """Return the kind of a file that is read: by its name, else by its first line, else Python."""
    kind = kind_of(name)
    if kind in (None, Kind.SHELL) and _CSH.match(data):
        return Kind.CSH
    if kind is None and _SHELL.match(data):
        return Kind.SHELL
    return kind or Kind.PYTHON


def is_python_script(data: bytes) -> bool:
    """Tell whether a file starts as a Python script does: those on a path have no suffix."""
    return _PYTHON.match(data) is not None


def is_wanted(name: str, kinds: Collection[Kind]) -> bool:
    """Tell whether a file is of one of these kinds by its name."""
    return kind_of(name) in kinds
