"""What a ConfigProto is made of, as `schema.txt` says; what is not there is not checked."""

from __future__ import annotations

from pathlib import Path

from tfgpu.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FieldType:
    """The number of a field, the name of its type, and whether it can be there many times."""

    number: int
    type: str
    repeated: bool


def _read(text: str) -> dict[str, dict[str, FieldType]]:
    messages: dict[str, dict[str, FieldType]] = {}
    fields: dict[str, FieldType] = {}
    for line in text.splitlines():
        if line.startswith(" "):
            name, number, kind = line.split()
            fields[name] = FieldType(int(number), kind.lstrip("*"), kind.startswith("*"))
        elif not line.startswith("#"):
            fields = messages[line] = {}
    return messages


# The fields of each message by name.
MESSAGES = _read(Path(__file__).with_name("schema.txt").read_text("utf-8"))
ROOT = "ConfigProto"


def is_repeated(path: str) -> bool:
    """Tell whether a field, or one of the messages around it, can be in a ConfigProto many times.

    device_count is none of these: of two entries with the same key the last one counts.
    """
    message = ROOT
    for name in path.split("."):
        field = MESSAGES.get(message, {}).get(name)
        if field is None or field.type == "DeviceCountEntry":
            return False
        if field.repeated:
            return True
        message = field.type
    return False
