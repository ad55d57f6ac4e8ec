"""`dataclass` and `replace` as those of `dataclasses`, for a program that has to start quickly.

`dataclasses` compiles six methods for each class when its module is imported: 0.7 ms a class, more
than all else that tfgpu does with a small file. Here the methods are closures that all classes
share, and `__init__` is compiled only for classes with many objects. Classes always have slots.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from inspect import get_annotations
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

__all__ = ["Record", "dataclass", "field", "replace"]

# How many objects of a class are made before its `__init__` is compiled, which costs as much.
_FEW_OBJECTS = 150

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace

    from typing_extensions import dataclass_transform
else:
    field = dataclasses.field

    def dataclass(*, slots: bool, frozen: bool = False, eq: bool = True) -> Callable[[type], type]:
        """Return what makes a dataclass of a class, as `dataclasses.dataclass` does."""
        assert slots
        return lambda cls: _make(cls, frozen, eq)

    def replace(item: Any, **changes: Any) -> Any:
        """Return a copy of an object with some of its fields changed."""
        for name in _defaults(type(item)):
            if name not in changes:
                changes[name] = getattr(item, name)
        return type(item)(**changes)

    def dataclass_transform(**_: bool) -> Callable[[type], type]:
        """Return what leaves a class as it is; type checkers read it."""
        return lambda cls: cls


@dataclass_transform(frozen_default=True, eq_default=False)
class Record:
    """What inherits from it is frozen, and has its fields, those of its bases first, as arguments.

    It is for tables of small types: each is one line, and equal to itself only.
    """

    _names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Add the fields of a class to those of its base."""
        cls._names = (*cls._names, *get_annotations(cls))

    def __init__(self, *args: Any, **named: Any) -> None:
        """Set the fields; one that is not given has the value of the class."""
        given = {**dict(zip(self._names, args, strict=False)), **named}
        for name in self._names:
            object.__setattr__(self, name, given[name] if name in given else getattr(self, name))

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse to change it."""
        _refuse_set(self, name, value)

    def items(self) -> Iterator[tuple[str, Any]]:
        """Yield the name and the value of each field."""
        return ((name, getattr(self, name)) for name in self._names)


def _defaults(cls: type) -> dict[str, Any]:
    """Return the fields of a class in order, with defaults; MISSING if there is none."""
    found: dict[str, Any] = cls.__dict__["__defaults__"]
    return found


def _make(cls: type, frozen: bool, eq: bool) -> type:
    body = dict(cls.__dict__)
    own = {name: body.pop(name, dataclasses.MISSING) for name in get_annotations(cls)}
    defaults = dict(own)
    for base in reversed(cls.__mro__[1:]):
        if "__defaults__" in base.__dict__:
            defaults = {**_defaults(base), **own}
    for name in ("__dict__", "__weakref__"):
        body.pop(name, None)
    names = tuple(defaults)
    inherited = {slot for base in cls.__mro__[1:] for slot in base.__dict__.get("__slots__", ())}
    body["__slots__"] = tuple(name for name in own if name not in inherited)
    body["__defaults__"] = defaults
    body["__match_args__"] = names
    body["__dataclass_fields__"] = _Fields()
    init = body["__init__"] = _first_init(defaults)
    body.setdefault("__repr__", _repr)
    if eq:
        values = _values(names)
        body.setdefault("__eq__", _equal(values))
        body["__hash__"] = _hash(values) if frozen else None
    if frozen:
        body.update(__setattr__=_refuse_set, __delattr__=_refuse_delete, __reduce__=_reduce)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    init.__dict__["owner"] = made
    return made


class _Fields:
    """The fields as `dataclasses` has them, made when somebody asks: `fields`, `asdict`."""

    def __get__(self, item: object, owner: type) -> dict[str, dataclasses.Field[Any]]:
        cls = next(base for base in owner.__mro__ if "__defaults__" in base.__dict__)
        defaults = _defaults(cls)
        given = {key: value for key, value in defaults.items() if value is not dataclasses.MISSING}
        twin = dataclasses.make_dataclass(
            cls.__name__, [(key, Any, given[key]) if key in given else key for key in defaults]
        )
        found: dict[str, dataclasses.Field[Any]] = twin.__dict__["__dataclass_fields__"]
        type.__setattr__(cls, "__dataclass_fields__", found)
        return found


def _first_init(defaults: dict[str, Any]) -> Callable[..., None]:
    """Return the `__init__` of a class until it has so many objects that a compiled one pays."""
    names = tuple(defaults)
    left = _FEW_OBJECTS

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        nonlocal left
        left -= 1
        is_plain = len(args) == len(names) and not named
        values = args if is_plain else _in_order(defaults, args, named)
        if values is None or left < 0:
            _compile_init(__init__.__dict__["owner"])(self, *args, **named)
            return
        for name, value in zip(names, values, strict=True):
            object.__setattr__(self, name, value)

    return __init__


def _in_order(
    defaults: dict[str, Any], args: tuple[Any, ...], named: dict[str, Any]
) -> list[Any] | None:
    """Return the values of all fields; None for arguments that do not fit."""
    values, used = list(args), 0
    for name, default in islice(defaults.items(), len(args), None):
        if name in named:
            values.append(named[name])
            used += 1
        elif default is dataclasses.MISSING:
            return None
        else:
            is_new = isinstance(default, dataclasses.Field)
            values.append(default.default_factory() if is_new else default)
    return values if used == len(named) and len(values) == len(defaults) else None


def _compile_init(cls: type) -> Callable[..., None]:
    """Put a compiled `__init__` into a class, and return it; a wrong call of it raises as usual."""
    names: dict[str, Any] = {}
    parameters, lines = [], []
    frozen = cls.__dict__.get("__setattr__") is _refuse_set
    for name, default in _defaults(cls).items():
        value = name
        if default is dataclasses.MISSING:
            parameters.append(name)
        elif isinstance(default, dataclasses.Field):
            names[f"_{name}_new"] = default.default_factory
            names["_missing"] = dataclasses.MISSING
            parameters.append(f"{name}=_missing")
            value = f"_{name}_new() if {name} is _missing else {name}"
        else:
            names[f"_{name}_default"] = default
            parameters.append(f"{name}=_{name}_default")
        if frozen:
            names[f"_{name}_set"] = getattr(cls, name).__set__
            lines.append(f" _{name}_set(self, {value})")
        else:
            lines.append(f" self.{name} = {value}")
    head = ", ".join(["self", *parameters])
    exec("\n".join([f"def __init__({head}):", *lines, " return"]), names)
    init: Callable[..., None] = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    type.__setattr__(cls, "__init__", init)
    return init


def _values(names: tuple[str, ...]) -> Callable[[Any], Any]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _equal(values: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def __eq__(self: Any, other: Any) -> Any:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    return lambda self: hash(values(self))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({shown})"


def _reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
    return type(self), tuple(getattr(self, name) for name in self.__match_args__)


def _refuse_set(self: Any, name: str, value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
