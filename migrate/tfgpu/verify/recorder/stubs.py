"""Stand-ins for modules that are not there: importing, reading, calling, subclassing them works.

What a stand-in gives is no number and no text of the program's: as a number it is 1, as a text its
name, so that a setting made of it is not what TensorFlow has by itself. Where that happens is
noted. TensorFlow gets a tensor of a shape that is not known.
"""

from __future__ import annotations

import dis
import importlib
import importlib.machinery
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any

_noted: list[Callable[[], None]] = []


class Stub:
    """Anything that a module that is not there could have."""

    def __init__(self, name: str) -> None:
        self.__dict__["_tfgpu_name"] = name

    # --- what it is ---

    def __getattr__(self, name: str) -> Any:
        if _is_protocol(name):
            raise AttributeError(name)
        made = Stub(f"{self._tfgpu_name}.{name}")
        self.__dict__[name] = made
        return made

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Give another stand-in, or as a decorator the function or class itself."""
        if len(args) == 1 and not options and isinstance(args[0], (FunctionType, type)):
            return args[0]
        return Stub(f"{self._tfgpu_name}()")

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return (type(self._tfgpu_name, (StubClass,), {}),)

    def __instancecheck__(self, instance: Any) -> bool:
        return False

    def __subclasscheck__(self, kind: Any) -> bool:
        return False

    def __repr__(self) -> str:
        _note()
        return str(self._tfgpu_name)

    # --- what it holds ---

    def __getitem__(self, key: Any) -> Any:
        return Stub(f"{self._tfgpu_name}[]")

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __contains__(self, item: Any) -> bool:
        return False

    def __len__(self) -> int:
        _note()
        return 1

    def __iter__(self) -> Iterator[Any]:
        return iter([Stub(f"{self._tfgpu_name}[]") for _ in range(_unpacked(sys._getframe(1)))])

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    # --- in numpy ---

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return Stub(f"numpy.{function.__name__}()")

    def __array_ufunc__(self, function: Any, method: str, *args: Any, **options: Any) -> Any:
        return Stub(f"numpy.{function.__name__}()")

    # --- what it is worth ---

    def __bool__(self) -> bool:
        _note()
        return True

    def __int__(self) -> int:
        _note()
        return 1

    __index__ = __int__

    def __float__(self) -> float:
        _note()
        return 1.0

    def __eq__(self, other: Any) -> Any:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __fspath__(self) -> str:
        return str(self)


def _is_protocol(name: str) -> bool:
    """Tell whether a name asks for a protocol, such as __array__: a stand-in speaks none."""
    return (name.startswith("__") and name.endswith("__")) or name == "_as_graph_element"


def _compared(self: Any, other: Any) -> bool:
    _note()
    return False


def _operator(name: str) -> Callable[..., Any]:
    def operate(self: Any, *others: Any) -> Any:
        return Stub(f"{self._tfgpu_name} {name}")

    return operate


for _name in (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"),
    *("lshift", "rshift"),
):
    setattr(Stub, f"__{_name}__", _operator(_name))
    setattr(Stub, f"__r{_name}__", _operator(_name))
for _name in ("neg", "pos", "abs", "invert", "round"):
    setattr(Stub, f"__{_name}__", _operator(_name))
for _name in ("lt", "le", "gt", "ge"):
    setattr(Stub, f"__{_name}__", _compared)


class StubClass:
    """What a class has for a base whose own one is not there."""

    def __init__(self, *args: Any, **options: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub(name)


class StubModule(ModuleType):
    """A module, and package, that is not there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return sys.modules.get(f"{self.__name__}.{name}") or Stub(f"{self.__name__}.{name}")


class _Finder:
    def __init__(self, names: Sequence[str], stream: Any) -> None:
        self._names = set(names)
        self._stream = stream

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        parts = name.split(".")
        if not any(".".join(parts[:end]) in self._names for end in range(1, len(parts) + 1)):
            return None
        loader: Any = self
        return importlib.machinery.ModuleSpec(name, loader, is_package=True)

    def create_module(self, spec: Any) -> ModuleType:
        self._stream.write("stub", module=spec.name)
        return StubModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def stand_in(names: Sequence[str], observer: Any) -> None:
    """Let stand-ins take the place of some modules."""
    if not names:
        return
    finder: Any = _Finder(names, observer.stream)
    sys.meta_path.insert(0, finder)
    note_values(observer)


def note_values(observer: Any) -> None:
    """Note where stand-ins are taken for numbers or texts."""
    places: set[str] = set()

    def note() -> None:
        place = observer.place()
        if place and place not in places:
            places.add(place)
            observer.stream.write("stub value", place=place)

    _noted.append(note)


def give_to(tensorflow: ModuleType, names: Sequence[str]) -> None:
    """Let TensorFlow take stand-ins, and have those that stand for parts of it."""
    for name in names:
        first, _, rest = name.partition(".")
        if first == "tensorflow" and rest and "." not in rest:
            setattr(tensorflow, rest, importlib.import_module(name))
    ops: Any = importlib.import_module("tensorflow.python.framework.ops")
    v1: Any = importlib.import_module("tensorflow.compat.v1")
    register = getattr(v1, "register_tensor_conversion_function", None)
    if register is not None:
        register(Stub, _as_tensor(ops, v1))


def _as_tensor(ops: Any, v1: Any) -> Callable[..., Any]:
    def convert(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        wanted = dtype or v1.float32
        if v1.executing_eagerly():
            return v1.zeros([], wanted)
        return v1.placeholder(wanted, None, name="stand_in")

    return convert


def _note() -> None:
    for note in _noted:
        note()


def _unpacked(frame: Any) -> int:
    """Return into how many names a caller unpacks what it iterates over; one item elsewhere."""
    for one in dis.get_instructions(frame.f_code):
        if one.offset == frame.f_lasti:
            if one.opname in ("UNPACK_SEQUENCE", "UNPACK_EX"):
                return int(one.arg or 1) & 0xFF
            return 1
    return 1
