"""Variables whose value is known, though other code of the files may bind them, are not known."""

from __future__ import annotations

import ast

import pytest

from tfgpu.code.forest import Forest
from tfgpu.code.tree import Tree
from tfgpu.flow.collect import collect
from tfgpu.program.modules import Modules
from tfgpu.rulebook.book import load_rulebook

VALUE = "VALUE = 1\n"


def known(*texts: str) -> object:
    """Return what is known of the last argument of `use` in `main.py`, beside `settings.py`."""
    files = dict(zip(("main.py", "settings.py"), texts, strict=False))
    trees = [Tree(ast.parse(text), text, path) for path, text in files.items()]
    modules = Modules({path: text.encode() for path, text in files.items()})
    tree = trees[0] if len(trees) == 1 else Forest(trees, modules.find)
    analysis = collect(tree.for_analysis(), load_rulebook())
    (call,) = (call for call in tree.calls if getattr(call.func, "id", "") == "use")
    return analysis.values.known(call.args[-1])


@pytest.mark.parametrize(
    "code",
    [
        "globals()['VALUE'] = 2",
        "globals().update(VALUE=2)",
        "globals().update(vars(args))",
        "g = globals()\ng['VALUE'] = 2",
        "f(names=globals())",
        'eval("globals().update(VALUE=2)")',
        "vars()['VALUE'] = 2",
        "locals()['VALUE'] = 2",
        "def f():\n    globals().setdefault(name, 2)",
        "del globals()['VALUE']",
        "import sys\ngetattr(sys.modules[__name__], '__dict__')['VALUE'] = 2",
        "import sys\nnames = getattr(sys.modules[__name__], '__dict__')\nnames['VALUE'] = 2",
        "import __main__\n__main__.VALUE = 2",
        "import sys\nsetattr(sys.modules[__name__], 'VALUE', 2)",
        "def f(): pass\nf.__globals__['VALUE'] = 2",
        "import inspect\ninspect.currentframe().f_globals[name] = 2",
        "from unittest import mock\nmock.patch('__main__.VALUE', 2).start()",
        "def f(patch):\n    patch.setattr('main.VALUE', 2)",
    ],
)
def test_a_namespace_that_is_written(code: str) -> None:
    assert known(f"{VALUE}{code}\nuse(VALUE)\n") is None


@pytest.mark.parametrize(
    "code",
    [
        "",
        "print(globals()['VALUE'], globals().get('VALUE'))",
        "print(sorted(vars()), 'VALUE' in globals())",
        "'%(VALUE)s' % globals()",
        "globals()['OTHER'] = 2",
        "globals().update(OTHER=2)",
        "def f():\n    locals()['VALUE'] = 2",
        "for name in ('a', 'b'):\n    globals()[name] = 2",
    ],
)
def test_a_namespace_that_is_read(code: str) -> None:
    assert known(f"{VALUE}{code}\nuse(VALUE)\n") == 1


def test_cells_of_a_function() -> None:
    text = "def f():\n    value = 1\n    def g(): return value\n    {}\n    use(value)\n"
    assert known(text.format("print(locals())")) == 1
    assert known(text.format("g.__closure__[0].cell_contents = 2")) is None


@pytest.mark.parametrize(
    "code",
    [
        "settings.VALUE = 2",
        "settings.VALUE += 2",
        "settings.VALUE, other = 2, 3",
        "for settings.VALUE in (2, 3): pass",
        "setattr(settings, 'VALUE', 2)",
        "settings.__setattr__('VALUE', 2)",
        "other = settings\nother.VALUE = 2",
        "other = settings\nvars(other).update(given)",
        "for name in ('VA' + rest,):\n    setattr(settings, name, 2)",
        "vars(settings)['VALUE'] = 2",
        "vars(settings).update(VALUE=2)",
        "settings.__dict__.update(given)",
        "getattr(settings, '__dict__').update(given)",
        "import sys\nsys.modules['settings'].VALUE = 2",
        "import importlib\nimportlib.import_module('settings').VALUE = 2",
        "def f(module):\n    module.VALUE = 2\nf(settings)",
        "def f(module, **given):\n    for key in given:\n        setattr(module, key, given[key])\n"
        "f(settings, VALUE=2)",
        "all = [settings]\nall[0].VALUE = 2",
        "from unittest.mock import patch\npatch.object(settings, 'VALUE', 2).start()",
        "from unittest.mock import patch\npatch.multiple(settings, VALUE=2).start()",
    ],
)
def test_a_module_that_is_written(code: str) -> None:
    assert known(f"import settings\n{code}\nuse(settings.VALUE)\n", VALUE) is None
    by_name = f"import settings\n{code}\nfrom settings import VALUE\nuse(VALUE)\n"
    assert known(by_name, VALUE) is None


@pytest.mark.parametrize(
    "code",
    [
        "",
        "settings.OTHER = 2",
        "print(vars(settings).keys(), getattr(settings, 'VALUE'))",
        "def f(module):\n    print(module.VALUE)\nf(settings)",
        "def f(module):\n    module.OTHER = 2\nf(settings)",
        "class A:\n    def __init__(self):\n        self.VALUE = 2\n",
    ],
)
def test_a_module_that_is_read(code: str) -> None:
    assert known(f"import settings\n{code}\nuse(settings.VALUE)\n", VALUE) == 1
    by_name = f"import settings\n{code}\nfrom settings import VALUE\nuse(VALUE)\n"
    assert known(by_name, VALUE) == 1
