"""What a file is, told by its name: the kinds of files that configure GPUs."""

from __future__ import annotations

import os
from collections.abc import Collection
from enum import Enum
from functools import lru_cache

from tfgpu.files.pattern import expression


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

_CSH = expression(rb"#![^\n]*[/ ]t?csh(?:[ \t\r\n]|$)")
# The first lines of scripts; shell has those of jobs of schedulers, too.
_FIRST_LINES = {
    Kind.PYTHON: expression(rb"#![^\n]*[/ ]python[\d.]*(?:[ \t\r\n]|$)"),
    Kind.SHELL: expression(rb"#![^\n]*[/ ](?:ba|z|k|da)?sh(?:[ \t\r\n]|$)"),
    Kind.CSH: _CSH,
}
SCRIPTS = frozenset(_FIRST_LINES)
# The ends of names, and whole names, of each kind.
_SUFFIXES = {
    Kind.PYTHON: ".py",
    Kind.NOTEBOOK: ".ipynb",
    Kind.SHELL: ".sh .bash .zsh .ksh .slurm .sbatch .pbs .lsf .bsub .sge .qsub",
    Kind.DOCKERFILE: ".dockerfile",
    Kind.MAKEFILE: ".mk",
    Kind.DOTENV: ".env",
    Kind.UNIT: ".service",
    Kind.INI: ".ini .cfg .conf",
    Kind.TOML: ".toml",
    Kind.CSH: ".csh .tcsh",
    Kind.FISH: ".fish",
    Kind.BATCH: ".bat .cmd",
    Kind.POWERSHELL: ".ps1 .psm1",
    Kind.YAML: ".yml .yaml",
    Kind.JSON: ".json",
    Kind.CONFIG: ".pbtxt .textproto .textpb .txtpb .prototxt",
    Kind.GIN: ".gin",
    Kind.R: ".r",
    Kind.JAVA: ".java",
    Kind.CPP: ".cc .cpp .cxx .c .cu .hh .h .hpp",
    Kind.GO: ".go",
    Kind.C_SHARP: ".cs",
    Kind.SCALA: ".scala",
    Kind.KOTLIN: ".kt .kts",
}
_NAMES = {
    Kind.YAML: "MLproject",
    Kind.DOCKERFILE: "Dockerfile Containerfile",
    Kind.MAKEFILE: "Makefile makefile GNUmakefile",
    # Its recipes are commands of Windows.
    Kind.BATCH: "Makefile.win",
    Kind.DOTENV: ".env .Renviron",
    Kind.SHELL: ".bashrc .bash_profile .profile .bash_aliases .zshrc .zshenv .envrc",
    Kind.CSH: ".cshrc .tcshrc .login",
    Kind.JSON: "launch.json devcontainer.json",
    Kind.CONFIG: (
        "session.config session.conf session_config session_config.txt "
        "session_config.config session_config.conf platform.config platform.conf "
        "platform_config.txt platform_config.config platform_config.conf "
        "tensorflow_session.config tf_session.config tf_config.txt"
    ),
}
_BY_SUFFIX = {suffix: kind for kind, text in _SUFFIXES.items() for suffix in text.split()}
_BY_NAME = {name: kind for kind, text in _NAMES.items() for name in text.split()}
_STARTS = {"Dockerfile.": Kind.DOCKERFILE, "Makefile.": Kind.MAKEFILE, ".env.": Kind.DOTENV}


@lru_cache(maxsize=4096)
def kind_of(name: str) -> Kind | None:
    """Return the kind of a file by its name alone, None where it can hold nothing of interest."""
    # Every file of a tree comes through here, some of them more than once.
    _, base = os.path.split(name)
    found = _BY_NAME.get(base)
    if found is None:
        found = next((kind for start, kind in _STARTS.items() if base.startswith(start)), None)
    return found or _BY_SUFFIX.get(os.path.splitext(base)[1].lower())  # noqa: PTH122


def kind_of_file(name: str, data: bytes) -> Kind:
    """Return the kind of a file that is read: by its name, else by its first line, else Python."""
    kind = kind_of(name)
    if kind is Kind.SHELL and _CSH.match(data):
        return Kind.CSH
    return kind or kind_of_script(data) or Kind.PYTHON


def kind_of_script(data: bytes) -> Kind | None:
    """Return what the first line of a file says that it is: scripts on a path have no suffix."""
    return next((kind for kind, line in _FIRST_LINES.items() if line.match(data)), None)


def is_wanted(name: str, kinds: Collection[Kind]) -> bool:
    """Tell whether a file is of one of these kinds by its name."""
    return kind_of(name) in kinds
