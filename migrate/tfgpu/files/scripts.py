"""What the first line of a file without a suffix says that it is."""

from __future__ import annotations

from tfgpu.files.kinds import REWRITTEN, Kind, kind_of, kind_of_script

_FIRST_LINE = 200


def kind_of_unnamed(path: str) -> Kind | None:
    """Return the kind of a file that its name does not tell; None where its first line does not."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - for each file without a suffix
            return kind_of_script(file.readline(_FIRST_LINE))
    except OSError:
        return None


def is_python(path: str) -> bool:
    """Tell whether a file of a run is read as Python: by its name, or as none of another kind."""
    kind = kind_of(path)
    return kind in REWRITTEN or (kind is None and kind_of_unnamed(path) in (None, Kind.PYTHON))
