"""Tables of TOML files that are read key by key: what is wrong is told with file and key."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from tfgpu.files.pattern import expression

# A key of a hundred parts.
_DEEP_KEY = expression(
    r"""(?m)(?:^[ \t]*(?:\[{1,2}[ \t]*)?|[{,][ \t]*)"""
    r"""(?:(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){100}"""
)


class RuleError(Exception):
    """A rule file, or a configuration, is wrong: `path`, `key`, what was found and expected."""

    def __init__(self, path: str, key: str, found: object, expected: str) -> None:
        super().__init__(f"{path}: {key}: found {found!r}, expected {expected}")
        self.path = path
        self.key = key


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a TOML text says.

    Raises:
        ValueError: the text is no TOML, or nested too deep.
    """
    # Only here: many runs read no TOML.
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415
    else:  # pragma: no cover - the same parser under its name on PyPI
        import tomli as tomllib  # noqa: PLC0415
    if _DEEP_KEY.search(text):  # the parser takes memory for each part of each beginning
        raise ValueError("nested too deep")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def nearest(word: str, words: Iterable[str]) -> str | None:
    """Return the word of some that is most like another, None where none is."""
    from difflib import get_close_matches  # noqa: PLC0415 - for what is misspelt

    return next(iter(get_close_matches(word, list(words), 1)), None)


class Table:
    """A TOML table that is read key by key; what was not read when it is closed is an error."""

    def __init__(self, data: Mapping[str, Any], path: str, prefix: str = "") -> None:
        self._data = dict(data)
        self._known: list[str] = []
        self._path = path
        self._prefix = prefix

    def error(self, key: str, found: object, expected: str) -> RuleError:
        """Return the error about a key of this table."""
        return RuleError(self._path, self._prefix + key, found, expected)

    def take(self, key: str, kind: type | tuple[type, ...], expected: str, default: Any) -> Any:
        """Return a value and check its type; `...` as the default is for keys that must be there.

        Raises:
            RuleError: it is of another type, or is not there.
        """
        self._known.append(key)
        if key not in self._data:
            if default is ...:
                raise self.error(key, None, expected)
            return default
        value = self._data.pop(key)
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise self.error(key, value, expected)
        return value

    def text(self, key: str, default: Any = ...) -> Any:
        """Return a string without line feeds around it."""
        value = self.take(key, str, "a string", default)
        return value.strip("\n") if isinstance(value, str) else value

    def code(self, key: str, default: Any = ...) -> Any:
        """Return lines of code that end with a line feed."""
        value = self.take(key, str, "a string of Python code", default)
        return value.strip("\n") + "\n" if isinstance(value, str) else value

    def number(self, key: str, default: Any = None) -> float | None:
        """Return a number, None where there is none."""
        value: float | None = self.take(key, (int, float), "a number", default)
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """Return whether a key is there and true."""
        return bool(self.take(key, bool, "true or false", default))

    def has(self, key: str) -> bool:
        """Tell whether a key is there."""
        return key in self._data

    def is_table(self, key: str) -> bool:
        """Tell whether a key is there and holds a table."""
        return isinstance(self._data.get(key), dict)

    def texts(self, key: str, default: Any = ...) -> tuple[str, ...]:
        """Return a list of strings."""
        values = self.take(key, list, "a list of strings", default)
        if not all(isinstance(value, str) for value in values):
            raise self.error(key, values, "a list of strings")
        return tuple(values)

    def choice(self, key: str, choices: Iterable[str], default: Any = ...) -> Any:
        """Return one of some strings."""
        value = self.take(key, str, "one of " + ", ".join(choices), default)
        if value is not default and value not in choices:
            raise self.error(key, value, "one of " + ", ".join(choices))
        return value

    def tables(self, key: str) -> list[Table]:
        """Return a list of tables."""
        rows = self.take(key, list, "a list of tables", [])
        if not all(isinstance(row, dict) for row in rows):
            raise self.error(key, rows, "a list of tables")
        return [
            Table(row, self._path, f"{self._prefix}{key}[{number}].")
            for number, row in enumerate(rows)
        ]

    def table(self, key: str) -> Table | None:
        """Return a table, None where there is none."""
        row = self.take(key, dict, "a table", None)
        return None if row is None else Table(row, self._path, f"{self._prefix}{key}.")

    def mapping(self, key: str, kind: type, expected: str) -> dict[str, Any]:
        """Return a table whose values are all of one type."""
        row: dict[str, Any] = self.take(key, dict, expected, {})
        for name, value in row.items():
            if not isinstance(value, kind):
                raise self.error(f"{key}.{name}", value, expected)
        return row

    def close(self) -> None:
        """Check that every key was read.

        Raises:
            RuleError: one was not.
        """
        for key, value in self._data.items():
            near = nearest(key, self._known)
            hint = f"; did you mean {near}?" if near else ""
            raise self.error(key, value, f"no such key{hint}")


def version(text: str) -> tuple[int, int]:
    """Return "2.4" as (2, 4).

    Raises:
        ValueError: the text is no version of TensorFlow 2, with a dot between two numbers.
    """
    major, minor = map(int, text.split("."))
    if major < 2:
        raise ValueError(text)
    return major, minor
