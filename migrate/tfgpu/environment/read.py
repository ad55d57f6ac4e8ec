"""From the text of a file that is only audited to its settings of the environment."""

from __future__ import annotations

from tfgpu.environment.dockerfile import read_dockerfile
from tfgpu.environment.ini import read_dotenv, read_ini, read_toml, read_unit
from tfgpu.environment.model import ConfigPiece, Item
from tfgpu.environment.piece import whole
from tfgpu.environment.scripts import (
    read_batch,
    read_csh,
    read_fish,
    read_makefile,
    read_powershell,
)
from tfgpu.environment.setters import setter_items
from tfgpu.environment.shell import read_shell
from tfgpu.environment.structure import read_json, read_yaml
from tfgpu.files.kinds import LANGUAGES, Kind


def _shell(text: str, names: frozenset[str]) -> list[Item]:
    return read_shell(whole(text), names)


def _config(text: str, names: frozenset[str]) -> list[Item]:
    return [ConfigPiece(whole(text), sure=True)]


_READERS = {
    Kind.SHELL: _shell,
    Kind.DOCKERFILE: read_dockerfile,
    Kind.MAKEFILE: read_makefile,
    Kind.DOTENV: read_dotenv,
    Kind.UNIT: read_unit,
    Kind.INI: read_ini,
    Kind.TOML: read_toml,
    Kind.CSH: read_csh,
    Kind.FISH: read_fish,
    Kind.BATCH: read_batch,
    Kind.POWERSHELL: read_powershell,
    Kind.YAML: read_yaml,
    Kind.JSON: read_json,
    Kind.CONFIG: _config,
}


def read_items(kind: Kind, text: str, names: frozenset[str]) -> list[Item]:
    """Return what a file sets and asks for. `names` are the variables that count.

    Raises:
        SourceError: the file is not of its kind.
    """
    if kind in LANGUAGES or kind is Kind.GIN:
        found: list[Item] = list(setter_items(text, kind, names)) if kind in LANGUAGES else []
        return [*found, ConfigPiece(whole(text), language=kind.value)]
    return list(_READERS[kind](text, names))
