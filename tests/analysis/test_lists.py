"""Which lists have only elements that are written out, and what objects those are."""

from __future__ import annotations

import ast

import pytest

from tests.tools import source
from tfgpu.code.classes import Classes
from tfgpu.code.origins import Origin, Origins
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree

LIST = "class A:\n    def go(self): ...\n\nitems = [A()]\n"
USE = "for one in items:\n    one.go()\n"


def of_last_call(text: str) -> frozenset[str]:
    """Return where the object comes from that the last call of `go` in a program is for."""
    text = source(text)
    tree = Tree(ast.parse(text), text)
    symbols = Symbols(tree)
    last = tree.attributes["go"][-1]
    found = Origins(tree, symbols, Classes(tree, symbols)).of(last.value)
    return frozenset(map(_named, found))


def _named(origin: Origin) -> str:
    return origin.name if isinstance(origin, ast.ClassDef) else origin


@pytest.mark.parametrize(
    "text",
    [
        LIST + USE,
        LIST + "items.append(A())\nitems.insert(0, A())\nitems[0] = A()\n" + USE,
        LIST + "items += [A()]\nitems.extend(A() for _ in range(3))\n" + USE,
        LIST + "items.sort()\nprint(len(items), A() in items)\n" + USE,
        LIST + "for number, one in enumerate(items):\n    one.go()\n",
        LIST + "for one, number in zip(items, range(3)):\n    one.go()\n",
        LIST + "print(*items)\nif not items:\n    pass\nitems[-1].go()\n",
        LIST + "for one in reversed(items):\n    one.go()\n",
        LIST + "[one.go() for one in list(items)]\n",
        LIST + "class B:\n    def __init__(self):\n        self.all = []\n"
        "        self.all.append(A())\n    def run(self):\n        for a in self.all: a.go()\n",
        LIST + "def run():\n    more = [A() for _ in range(2)]\n    for a in more: a.go()\n",
        LIST
        + "class B:\n    @classmethod\n    def make(cls):\n        return A()\nB.make().go()\n",
        LIST + "from contextlib import contextmanager\n@contextmanager\ndef one():\n    yield A()\n"
        "with one() as a:\n    a.go()\n",
    ],
)
def test_known(text: str) -> None:
    assert of_last_call(text) == {"A"}


@pytest.mark.parametrize(
    "text",
    [
        LIST + "other = items\n" + USE,
        LIST + "same = items = [A()]\n" + USE,
        LIST + "lib.fill(items)\n" + USE,
        LIST + "lib.fill(all=items)\n" + USE,
        LIST + "lib.fill([items])\n" + USE,
        LIST + "lib.fill(items2 := items)\n" + USE,
        LIST + "items.extend(lib.all())\n" + USE,
        LIST + "items += lib.all()\n" + USE,
        LIST + "items[0] = lib.one()\n" + USE,
        LIST + "items[0:] = lib.all()\n" + USE,
        LIST + "items[0], a = lib.all()\n" + USE,
        LIST + "items[0] += lib.one()\n" + USE,
        LIST + "add = items.append\n" + USE,
        LIST + "items.append(lib.one())\n" + USE,
        LIST + "items.append(*lib.all())\n" + USE,
        LIST + "items.__iadd__(lib.all())\n" + USE,
        LIST + "a = items in lib.one()\n" + USE,
        LIST + "a = items == lib.one()\n" + USE,
        LIST + "a = items or [1]\n" + USE,
        LIST + "items = lib.all()\n" + USE,
        LIST + "items, a = lib.all()\n" + USE,
        LIST + "globals()['items'].append(lib.one())\n" + USE,
        LIST + "def f():\n    global items\n    items = lib.all()\n" + USE,
        LIST + "def f():\n    return items\n" + USE,
        LIST + "def f(items):\n    for one in items: one.go()\n",
        LIST + "for one in items[1:]:\n    one.go()\n",
        LIST + "for one, other in lib.all():\n    one.go()\n",
        LIST + "for one in [*items, *lib.all()]:\n    one.go()\n",
        LIST + "class B:\n    def __init__(self):\n        self.all = [A()]\n"
        "        lib.fill(self.all)\n"
        "    def run(self):\n        for a in self.all: a.go()\n",
        LIST + "class B(lib.B):\n    def __init__(self):\n        self.all = [A()]\n"
        "    def run(self):\n        for a in self.all: a.go()\n",
        LIST + "class B:\n    def __init__(self):\n        self.all = [A()]\n"
        "    def run(self):\n        for a in self.all: a.go()\n"
        "def f(b):\n    b.all.append(lib.one())\nfor b in []:\n    b.all[0].go()\n",
        LIST + "class B:\n    def __init__(self):\n        self.all = [A()]\n"
        "        getattr(self, 'all').append(lib.one())\n"
        "    def run(self):\n        for a in self.all: a.go()\n",
        LIST + "from contextlib import contextmanager\n@contextmanager\ndef one():\n"
        "    yield lib.one()\nwith one() as a:\n    a.go()\n",
        LIST + "from contextlib import contextmanager\n@lib.wrap\n@contextmanager\ndef one():\n"
        "    yield A()\nwith one() as a:\n    a.go()\n",
        LIST + "class B:\n    @lib.wrap\n    def make(cls):\n        return A()\nB.make().go()\n",
        LIST + "class B:\n    @classmethod\n    def make(cls):\n        cls = lib.one\n"
        "        cls().go()\n",
    ],
)
def test_unknown(text: str) -> None:
    assert of_last_call("import lib\n" + text) != {"A"}
