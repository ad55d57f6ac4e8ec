"""A ConfigProto as flat text: field path to value, as `gpu_options.allow_growth: True`."""

from __future__ import annotations

from typing import Any


def flat(message: Any, prefix: str = "") -> dict[str, str]:
    """Return the fields that are set, those of messages inside it by their path.

    Entries of a map are `field.KEY`, of a repeated message `field[0].part`.
    """
    found: dict[str, str] = {}
    for descriptor, value in message.ListFields():
        path = prefix + descriptor.name
        if hasattr(value, "items"):
            for key in sorted(value):
                found[f"{path}.{key}"] = str(value[key])
        elif hasattr(value, "ListFields"):
            found.update(flat(value, path + "."))
        elif descriptor.message_type is not None:
            for index, item in enumerate(value):
                found.update(flat(item, f"{path}[{index}]."))
        elif descriptor.enum_type is not None and isinstance(value, int):
            names = descriptor.enum_type.values_by_number
            found[path] = names[value].name if value in names else str(value)
        elif isinstance(value, (str, int, float, bool)):
            found[path] = str(value)
        else:
            found[path] = str(list(value))
    return found
