"""`tfgpu.dataclass` makes what `dataclasses` makes."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import tfgpu.dataclass as own

Decorate = Callable[[type], Any]


class Base:
    first: int
    second: str = "two"


class Derived(Base):
    third: list[int] = dataclasses.field(default_factory=list)

    def doubled(self) -> int:
        return self.first * 2


@own.dataclass(frozen=True, slots=True)
class Frozen:
    first: int
    second: tuple[int, ...] = ()


@own.dataclass(slots=True)
class Open:
    first: int
    second: list[int] = own.field(default_factory=list)


def _both(**options: bool) -> list[Any]:
    """Return `Derived` from `Base`, both made by `dataclasses` and by tfgpu."""
    found = []
    for module in (dataclasses, own):
        make = module.dataclass(slots=True, **options)
        base = make(type("Base", (), dict(vars(Base))))
        found.append(make(type("Derived", (base,), dict(vars(Derived)))))
    return found


@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("eq", [False, True])
def test_objects_are_those_of_dataclasses(frozen: bool, eq: bool) -> None:
    theirs, ours = _both(frozen=frozen, eq=eq)
    for args, named in (((1,), {}), ((1, "x"), {"third": [3]}), ((), {"first": 4})):
        expected, found = theirs(*args, **named), ours(*args, **named)
        assert repr(found) == repr(expected)
        assert dataclasses.asdict(found) == dataclasses.asdict(expected)
        assert found.doubled() == expected.doubled()
        assert (found == ours(*args, **named)) is eq
        assert found != ours(99)
        assert not hasattr(found, "__dict__")
        assert repr(own.replace(found, first=7)) == repr(dataclasses.replace(expected, first=7))
        assert repr(copy.deepcopy(found)) == repr(expected)
    assert ours(1).third is not ours(1).third
    assert ours.__match_args__ == theirs.__match_args__
    assert [field.name for field in dataclasses.fields(ours)] == ["first", "second", "third"]
    assert dataclasses.is_dataclass(ours)
    assert (ours.__hash__ is None) is (theirs.__hash__ is None)


@pytest.mark.parametrize("args", [(), (1, "x", [], 4)])
def test_wrong_arguments_are_refused(args: tuple[Any, ...]) -> None:
    for cls in _both():
        with pytest.raises(TypeError):
            cls(*args)


def test_frozen_objects_are_keys_and_do_not_change() -> None:
    item = Frozen(1, (2,))
    assert {item: "x"}[Frozen(1, (2,))] == "x"
    with pytest.raises(dataclasses.FrozenInstanceError, match="first"):
        item.first = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="first"):
        del item.first
    with pytest.raises(AttributeError):
        object.__setattr__(item, "other", 1)


@pytest.mark.parametrize("item", [Frozen(1, (2,)), Open(1, [2])])
def test_objects_go_to_other_processes(item: Any) -> None:
    assert pickle.loads(pickle.dumps(item)) == item


class Single(own.Record):
    """A record to try."""

    one: int


class Pair(Single):
    """One that has a field more."""

    two: str = "x"


def test_record() -> None:
    made = Pair(1)
    assert dict(made.items()) == {"one": 1, "two": "x"}
    assert made != Pair(1)
    assert made == made  # noqa: PLR0124
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.one = 2  # type: ignore[misc]


def test_objects_before_and_behind_the_compilation_of_their_class() -> None:
    @own.dataclass(frozen=True, slots=True)
    class Item:
        name: str
        parts: list[int] = own.field(default_factory=list)
        kind: str = "kind"

    made = [Item(f"{number}", kind="other") for number in range(40)]
    assert [item.name for item in made] == [f"{number}" for number in range(40)]
    assert {item.kind for item in made} == {"other"}
    assert len({id(item.parts) for item in made}) == 40
    assert made[0] == Item("0", [], "other")


WRONG: list[tuple[tuple[str, ...], dict[str, str]]] = [
    ((), {}),
    (("once", "more"), {}),
    (("once",), {"name": "again"}),
    (("once",), {"nothing": "x"}),
]


@pytest.mark.parametrize(("given", "named"), WRONG)
def test_wrong_arguments_of_a_first_object(given: tuple[str, ...], named: dict[str, str]) -> None:
    @own.dataclass(slots=True)
    class Item:
        name: str

    with pytest.raises(TypeError):
        Item(*given, **named)
