"""What `__all__` of a module may name: lists of texts that are understood, else anything."""

from __future__ import annotations

import ast

import pytest

from tfgpu.code.exports import changes_exports, exports_of
from tfgpu.code.index import Index


def index(text: str) -> Index:
    """Return the index of a file."""
    return Index(ast.parse(text))


@pytest.mark.parametrize(
    ("text", "possible", "certain"),
    [
        ("x = 1\n", "", ""),
        ("__all__ = ['a', 'b']\n", "ab", "ab"),
        ("__all__: list = ('a', *['b'])\n", "ab", "ab"),
        ("__all__ = ['a'] + list(('b',))\n", "ab", "ab"),
        ("__all__ = 'a b'.split()\n", "ab", "ab"),
        ("__all__ = ['a']\n__all__ += ['b']\n", "ab", "ab"),
        ("__all__ = ['a']\n__all__.append('b')\n__all__.insert(0, 'c')\n", "abc", "abc"),
        ("__all__ = ['a']\n__all__.extend(['b'])\nprint(len(__all__))\n", "ab", "ab"),
        ("__all__ = ['a']\n__all__ = ['b']\n", "ab", "b"),
        ("__all__ = ['a']\nif x:\n    __all__ += ['b']\n", "ab", ""),
        ("def f():\n    global __all__\n    __all__ = ['a']\n", "a", ""),
    ],
)
def test_exports_that_are_known(text: str, possible: str, certain: str) -> None:
    found = exports_of(index(text))
    assert found.possible == frozenset(possible)
    assert found.certain == frozenset(certain)


@pytest.mark.parametrize(
    "text",
    [
        "__all__ = [x for x in 'ab']\n",
        "__all__ = ['a', name]\n",
        "__all__ = names\n",
        "__all__ = names = ['a']\n",
        "__all__, x = ['a'], 1\n",
        "__all__ = 'a, b'.split(', ')\n",
        "__all__ = ['a']\n__all__ += other.__all__\n",
        "__all__ = ['a']\n__all__ *= 2\n",
        "__all__ = ['a']\n__all__.append(f.__name__)\n",
        "__all__ = ['a']\n__all__.remove('a')\n",
        "__all__ = ['a']\n__all__[0] = 'b'\n",
        "__all__ = ['a']\n__all__[1:] = ['b']\n",
        "__all__ = ['a']\nnames = __all__\nnames.append('b')\n",
        "__all__ = ['a']\nmap(__all__.append, ['b'])\n",
        "__all__ = ['a']\nexport(__all__)\n",
        "__all__ = ['a']\ndel __all__\n",
        "__all__ = ['a']\ndef export(name):\n    return __all__.append(name)\n",
        "from other import __all__\n",
        "print(__all__ := ['a'])\n",
        "for __all__ in [['a']]:\n    pass\n",
    ],
)
def test_exports_that_may_be_any(text: str) -> None:
    assert exports_of(index(text)).may_have("zzz")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lib.__all__ = ['a']\n", True),
        ("lib.__all__ += ['a']\n", True),
        ("lib.__all__.append('a')\n", True),
        ("names = lib.__all__\n", True),
        ("from lib import __all__ as names\nnames.append('a')\n", True),
        ("setattr(lib, '__all__', ['a'])\n", True),
        ("globals()['__all__'] = ['a']\n", True),
        ("vars(lib).update(__all__=['a'])\n", True),
        ("getattr(lib, '__all__').append('a')\n", True),
        ("print(len(lib.__all__), sorted(getattr(lib, '__all__', ())))\n", False),
        ("for name in lib.__all__:\n    print(name)\n", False),
        ("__all__ = lib.__all__ + [*other.__all__]\n", False),
        ("from lib import __all__ as names\n__all__ = ['a']\n__all__ += names\n", False),
        ("__all__ = ['a']\n__all__.append('b')\n", False),
        ("'''__all__'''\n", False),
    ],
)
def test_files_that_may_change_exports(text: str, expected: bool) -> None:
    assert changes_exports(index(text)) is expected
