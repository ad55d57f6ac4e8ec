"""What runs before what: small programs in which `one()` and `two()` mark two places."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from tfgpu.code.classes import Classes
from tfgpu.code.finders import Finders
from tfgpu.code.forest import Forest
from tfgpu.code.imported import Names
from tfgpu.code.order import Order
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.program.modules import Modules
from tfgpu.rulebook.book import load_rulebook


class Program:
    """The order of a program, asked by the names that are called at its places."""

    def __init__(self, files: dict[str, str]) -> None:
        trees = [Tree(ast.parse(text), text, path) for path, text in files.items()]
        tree = (
            trees[0]
            if len(trees) == 1
            else Forest(trees, Modules({path: text.encode() for path, text in files.items()}).find)
        )
        symbols = Symbols(tree)
        self._tree = tree
        names, plain = Names(tree, symbols), load_rulebook().plain
        finders = Finders(tree, symbols, Classes(tree, symbols), names, plain)
        self.order = Order(tree, symbols, finders)

    def call(self, name: str) -> ast.Call:
        (found,) = (
            call
            for call in self._tree.calls
            if isinstance(call.func, ast.Name) and call.func.id == name
        )
        return found

    def statement(self, name: str) -> ast.stmt:
        return self._tree.statement(self.call(name))

    def precedes(self, one: str, other: str) -> bool:
        return self.order.may_precede(self.call(one), self.call(other))

    def before(self, one: str, other: str) -> When:
        return self.order.before(self.call(one), self.call(other))

    def between(self, one: str, middle: str, other: str) -> When:
        return self.order.between(self.call(one), self.call(middle), self.call(other))

    def always_after(self, one: str, other: str) -> bool:
        return self.order.always_after(self.call(one), self.call(other))

    def once(self, name: str) -> bool:
        return self.order.runs_once(self.call(name))

    def chains(self, name: str) -> int | None:
        """Return how many chains lead to a place; None where they are not known."""
        found = self.order.chains(self.call(name))
        return None if found is None else len(found)


def script(text: str) -> Program:
    """Return a program of one file."""
    return Program({"main.py": dedent(text).lstrip("\n")})


def program(**files: str) -> Program:
    """Return a program of several files; `__` in a name stands for a folder."""
    paths = {f"{name.replace('__', '/')}.py": text for name, text in files.items()}
    return Program({path: dedent(text).lstrip("\n") for path, text in paths.items()})


# One file: the text, whether `one()` may run before `two()`, and whether `two()` before `one()`.
ORDERED = {
    "statements": ("one()\ntwo()\n", True, False),
    "arguments": ("print(one(), two())\n", True, False),
    "argument and its call": ("two(one())\n", True, False),
    "branches": ("if x:\n    one()\nelse:\n    two()\n", False, False),
    "test and branch": ("if one():\n    two()\n", True, False),
    "branches in a loop": (
        "while x:\n    if y:\n        one()\n    else:\n        two()\n",
        True,
        True,
    ),
    "loop": ("for x in y:\n    one()\n    two()\n", True, True),
    "iterable and body": ("for x in one():\n    two()\n", True, False),
    "body and else of a loop": ("for x in y:\n    one()\nelse:\n    two()\n", True, False),
    "test of a while loop": ("while one():\n    two()\n", True, True),
    "else of a while loop": ("while x:\n    one()\nelse:\n    two()\n", True, False),
    "try and handler": ("try:\n    one()\nexcept E:\n    two()\n", True, False),
    # Not told apart, which is no more than careful.
    "handlers": ("try:\n    x\nexcept E:\n    one()\nexcept F:\n    two()\n", True, False),
    "body and finally": ("try:\n    one()\nfinally:\n    two()\n", True, False),
    "with": ("with one() as x:\n    two()\n", True, False),
    "conditional expression": ("x = one() if y else two()\n", False, False),
    "test of a conditional expression": ("x = one() if two() else y\n", False, True),
    "target of an assignment": ("x[one()] = two()\n", False, True),
    "keyword before a list of arguments": ("f(x=one(), *two())\n", False, True),
    "values of an assignment": ("x = one(), two()\n", True, False),
    "comprehension": ("x = [one() for y in two()]\n", False, True),
    "parts of a comprehension": ("x = [(one(), two()) for y in z]\n", True, True),
    "cases": ("match x:\n    case 1:\n        one()\n    case 2:\n        two()\n", True, False),
    "a function before its call": ("def f():\n    one()\nf()\ntwo()\n", True, False),
    "a function behind another call": ("def f():\n    two()\none()\nf()\n", True, False),
    "two functions": ("def f():\n    one()\ndef g():\n    two()\nf()\ng()\n", True, False),
    "functions called the other way": (
        "def f():\n    two()\ndef g():\n    one()\ng()\nf()\n",
        True,
        False,
    ),
    "a function called twice": ("def f():\n    one()\n    two()\nf()\nf()\n", True, True),
    "a function called in a loop": (
        "def f():\n    one()\nfor x in y:\n    f()\ntwo()\n",
        True,
        False,
    ),
    "a function called on both sides": ("def f():\n    one()\nf()\ntwo()\nf()\n", True, True),
    "a function in a function": (
        "def f():\n    g()\n    two()\ndef g():\n    one()\nf()\n",
        True,
        False,
    ),
    "an inner function": (
        "def f():\n    def g():\n        two()\n    one()\n    g()\nf()\n",
        True,
        False,
    ),
    "recursion": ("def f():\n    one()\n    f()\n    two()\nf()\n", True, True),
    "a function that nothing calls, in a script": (
        "def f():\n    two()\nif __name__ == '__main__':\n    one()\n",
        False,
        False,
    ),
    "a function that nothing calls, in a module": ("def f():\n    two()\nx = one()\n", True, True),
    "a decorated function": ("@d\ndef f():\n    one()\nf()\ntwo()\n", True, True),
    "a lambda": ("f = lambda: one()\nf()\ntwo()\n", True, True),
    "a callback": ("def f():\n    one()\nrun(f)\ntwo()\n", True, True),
    "a thread": (
        "from threading import Thread\ndef f():\n    one()\nThread(target=f).start()\ntwo()\n",
        True,
        True,
    ),
    "a function in a list": ("def f():\n    one()\nx = [f]\ntwo()\n", True, True),
    "a function under another name": ("def f():\n    one()\ng = f\ng()\ntwo()\n", True, True),
    "a generator": ("def f():\n    yield one()\nx = f()\ntwo()\n", True, True),
    "a generator behind": ("one()\ndef f():\n    yield two()\nx = f()\n", True, False),
    "a generator in a function behind": (
        "one()\ndef f():\n    def g():\n        yield two()\n    return g()\nx = f()\n",
        True,
        False,
    ),
    "a generator in a loop": (
        "for x in y:\n    one()\n    def f():\n        yield two()\n    z.append(f)\n",
        True,
        True,
    ),
    "a lambda behind": ("one()\nx = lambda: two()\n", True, False),
    "a decorator and its function": ("@two()\ndef f():\n    one()\n", True, True),
    "a special method behind": (
        "one()\nclass A(B):\n    @f\n    def __call__(self):\n        two()\nA()()\n",
        True,
        False,
    ),
    "a coroutine": ("async def f():\n    one()\nx = f()\ntwo()\n", True, True),
    "tf.app.run": (
        "import tensorflow as tf\ndef main(_):\n    one()\ntf.app.run(main)\ntwo()\n",
        True,
        False,
    ),
    "tf.app.run without a name": (
        "import tensorflow as tf\ndef main(_):\n    two()\none()\ntf.app.run()\n",
        True,
        False,
    ),
    "absl.app.run": (
        "from absl import app\ndef f(_):\n    two()\none()\napp.run(f)\n",
        True,
        False,
    ),
    "a constructor": (
        "class A:\n    def __init__(self):\n        one()\nA()\ntwo()\n",
        True,
        False,
    ),
    "a constructor that a class method calls": (
        "class A:\n    def __init__(self):\n        one()\n"
        "    @classmethod\n    def f(cls):\n        return cls()\na = A()\ntwo()\na.f()\n",
        True,
        True,
    ),
    "a constructor that is called again": (
        "class A:\n    def __init__(self):\n        one()\n"
        "    def f(self):\n        self.__init__()\na = A()\ntwo()\na.f()\n",
        True,
        True,
    ),
    "an inherited constructor that is called again": (
        "class A:\n    def __init__(self):\n        one()\nclass B(A):\n"
        "    def f(self):\n        super().__init__()\na = B()\ntwo()\na.f()\n",
        True,
        True,
    ),
    "a constructor that its class method may call for another one": (
        "class A:\n    @classmethod\n    def f(cls):\n        return cls()\n"
        "class B(A):\n    def __init__(self):\n        one()\na = B()\ntwo()\na.f()\n",
        True,
        True,
    ),
    "a class that only names what it has": (
        "class A:\n    size = 2\n    def __init__(self):\n        one()\nA()\nA.size\ntwo()\n",
        True,
        False,
    ),
    "a method": ("class A:\n    def f(self):\n        one()\na = A()\na.f()\ntwo()\n", True, False),
    "methods": (
        "class A:\n    def f(self):\n        one()\n    def g(self):\n        two()\n"
        "a = A()\na.f()\na.g()\n",
        True,
        False,
    ),
    "a method of any object": (
        "class A:\n    def f(self):\n        two()\na = A()\none()\nunknown().f()\n",
        True,
        False,
    ),
    "a class body": ("class A:\n    one()\ntwo()\n", True, False),
    "a property": (
        "class A:\n    @property\n    def f(self):\n        one()\na = A()\na.f\ntwo()\n",
        True,
        True,
    ),
    "a static method": (
        "class A:\n    @staticmethod\n    def f():\n        one()\nA.f()\ntwo()\n",
        True,
        False,
    ),
    "a special method": (
        "class A:\n    def __len__(self):\n        one()\na = A()\nlen(a)\ntwo()\n",
        True,
        True,
    ),
    "a method that is not called": (
        "class A:\n    def f(self):\n        one()\na = A()\nrun(a.f)\ntwo()\n",
        True,
        True,
    ),
    "an object that is given away": (
        "class A:\n    def f(self):\n        one()\na = A()\nregister(a)\ntwo()\n",
        True,
        True,
    ),
    "a subclass of something unknown": (
        "from x import Base\nclass A(Base):\n    def f(self):\n        one()\n"
        "a = A()\na.f()\ntwo()\n",
        True,
        True,
    ),
    "a constructor of a subclass": (
        "class A:\n    def __init__(self):\n        two()\nclass B(A):\n    pass\none()\nB()\n",
        True,
        False,
    ),
    "a constructor by super": (
        "class A:\n    def __init__(self):\n        two()\nclass B(A):\n"
        "    def __init__(self):\n        super().__init__()\none()\nB()\n",
        True,
        False,
    ),
    "a decorated class": (
        "@d\nclass A:\n    def __init__(self):\n        one()\nA()\ntwo()\n",
        True,
        True,
    ),
    "a data class": (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    def f(self):\n        one()\n"
        "a = A()\na.f()\ntwo()\n",
        True,
        False,
    ),
    "a metaclass": (
        "class A(metaclass=M):\n    def __init__(self):\n        one()\nA()\ntwo()\n",
        True,
        True,
    ),
    **{
        f"an object that {how}": (
            "import lib\nclass A:\n    def f(self):\n        one()\n    def g(self):\n"
            f"        {inside}\na = A()\na.f()\n{text}\ntwo()\n",
            True,
            leaves,
        )
        for how, inside, text, leaves in [
            ("goes to a library by another name", "pass", "b = a\nlib.run(b)", True),
            ("goes to a library in a list", "pass", "lib.run([a])", True),
            ("goes to a library in a list with a name", "pass", "x = [a]\nlib.run(x)", True),
            ("is printed into", "pass", "print('x', file=a)", True),
            ("goes on through a function", "pass", "def h(o):\n    lib.run(o)\nh(a)", True),
            ("goes on by a keyword", "pass", "def h(x, o):\n    lib.run(o)\nh(1, o=a)", True),
            ("a function returns", "pass", "def h():\n    return A()\nlib.run(h())", True),
            ("gives itself to a library", "lib.run(self)", "a.g()", True),
            ("is an attribute", "pass", "lib.x = 1\nq.a = a\nlib.run(q.a)", True),
            ("is of a class", "pass", "class B:\n    x = a\nlib.run(B.x)", True),
            (
                "an operator returns",
                "pass",
                "class B:\n    def __call__(self):\n        return a",
                True,
            ),
            ("is in a loop", "pass", "for o in (a, a):\n    o.g()", True),
            (
                "has many names",
                "pass",
                "\n".join(f"a{n + 1} = {f'a{n}' if n else 'a'}" for n in range(900)),
                True,
            ),
            ("is printed", "pass", "print(a)", False),
            ("has another name", "pass", "b = a\nb.g()", False),
            ("a function uses", "pass", "def h(o):\n    o.g()\nh(a)", False),
            ("a function makes", "pass", "def h():\n    return A()\nb = h()\nb.g()", False),
            ("uses itself", "print(self)", "a.g()", False),
        ]
    },
    "getattr with a name": (
        "import m\ndef f():\n    one()\ngetattr(m, 'f')()\ntwo()\n",
        True,
        True,
    ),
    "getattr with another name": (
        "import m\ndef f():\n    one()\nf()\ngetattr(m, 'g')()\ntwo()\n",
        True,
        False,
    ),
    "getattr with a computed name in a library": (
        "import m\ndef f():\n    one()\nf()\ngetattr(m, name)()\ntwo()\n",
        True,
        False,
    ),
    "getattr with a computed name in an object": (
        "def f():\n    one()\nf()\ngetattr(m, name)()\ntwo()\n",
        True,
        True,
    ),
    "getattr with a computed name where modules are objects": (
        "import sys\ndef f():\n    one()\nf()\ngetattr(sys.modules[m], name)()\ntwo()\n",
        True,
        True,
    ),
    "getattr with a computed name in the script": (
        "import __main__\ndef f():\n    one()\nf()\ngetattr(__main__, name)()\ntwo()\n",
        True,
        True,
    ),
    "a method that getattr may find": (
        "class A:\n    def f(self):\n        one()\na = A()\na.f()\ngetattr(a, name)()\ntwo()\n",
        True,
        True,
    ),
    "a method beside a getattr of another class": (
        "class A:\n    def f(self):\n        one()\nclass B:\n    def g(self):\n"
        "        getattr(self, name)()\nA().f()\nB().g()\ntwo()\n",
        True,
        True,
    ),
    "a method that getattr of a base class may find": (
        "class A:\n    def g(self):\n        getattr(self, name)()\nclass B(A):\n"
        "    def f(self):\n        one()\nb = B()\nb.f()\nb.g()\ntwo()\n",
        True,
        True,
    ),
    "the arguments of a program as a dictionary": (
        "def f():\n    one()\nf()\nprint(vars(args))\ntwo()\n",
        True,
        False,
    ),
    "a name of a namespace": (
        "def f():\n    one()\nf()\nvars(m)[name]()\nglobals()[name]()\ntwo()\n",
        True,
        True,
    ),
    "a dictionary of a class": (
        "class A:\n    def f(self):\n        one()\na = A()\na.f()\nA.__dict__[name](a)\ntwo()\n",
        True,
        True,
    ),
    "an option by its name": (
        "def f():\n    one()\nf()\nx = getattr(args, name)\ntwo()\n",
        True,
        False,
    ),
    "globals": ("def f():\n    one()\nglobals()['f']()\ntwo()\n", True, True),
    "eval": ("def f():\n    one()\nf()\neval(text)\ntwo()\n", True, True),
    "a function that is defined twice": (
        "def f():\n    one()\ndef f():\n    two()\nf()\n",
        True,
        True,
    ),
    "a function that is replaced": (
        "def f():\n    one()\nf()\nf = other\ntwo()\n",
        True,
        True,
    ),
}


@pytest.mark.parametrize("name", ORDERED)
def test_order_in_one_file(name: str) -> None:
    text, forwards, backwards = ORDERED[name]
    found = script(text)
    assert (found.precedes("one", "two"), found.precedes("two", "one")) == (forwards, backwards)


# What else has a method of the name of one that has been called, and whether that may be it.
OTHER_OWNERS = {
    "a session": ("x = tf.Session()\n", "x.run()", False),
    "a session of a with statement": ("", "with tf.Session() as x:\n    x.run()", False),
    "a session that a supervisor makes": (
        "s = tf.train.Supervisor()\n",
        "with s.managed_session() as x:\n    x.run()",
        False,
    ),
    "a session that an object keeps": (
        "class B:\n    def __init__(self):\n        self.x = None\n"
        "    def make(self):\n        self.x = tf.Session()\n"
        "    def f(self):\n        self.x.run()\nb = B()\nb.make()\n",
        "b.f()",
        False,
    ),
    "a session, or nothing that is known": ("x = tf.Session() if y else y\n", "x.run()", True),
    "an object of a class of the file that inherits from a session": (
        "class B(tf.Session):\n    pass\nx = B()\n",
        "x.run()",
        True,
    ),
    "an object that is kept on a session": ("s = tf.Session()\ns.a = a\n", "s.a.run()", True),
    "an object that comes out of a session's attribute": (
        "s = tf.Session()\ns.get = lambda: a\n",
        "s.get().run()",
        True,
    ),
    "a function that copies": ("x = copy.copy(a)\n", "x.run()", True),
    "a session under a name that has an object, too": (
        "x = tf.Session()\nx = a\n",
        "x.run()",
        True,
    ),
    "a parameter with an annotation, which nobody checks": (
        "def f(x: tf.Session):\n    x.run()\n",
        "f(a)",
        True,
    ),
    "a parameter": ("def f(x):\n    x.run()\n", "f(a)", True),
    "what TensorFlow gives to a function": ("x = tf.py_func(lambda: a)\n", "x.run()", True),
}


@pytest.mark.parametrize("name", OTHER_OWNERS)
def test_method_of_a_name_that_others_have(name: str) -> None:
    made, called, may_be = OTHER_OWNERS[name]
    head = "import copy\nimport tensorflow as tf\nclass A:\n    def run(self):\n        one()\n"
    found = script(f"{head}a = A()\na.run()\n{made}two()\n{called}\n")
    assert (found.precedes("one", "two"), found.precedes("two", "one")) == (True, may_be)


# Whether `one()` runs at most once in a process.
ONCE = {
    "a statement": ("one()\n", True),
    "a branch": ("if x:\n    one()\n", True),
    "a loop": ("for x in y:\n    one()\n", False),
    "the iterable of a loop": ("for x in one():\n    pass\n", True),
    "the else of a loop": ("for x in y:\n    pass\nelse:\n    one()\n", True),
    "a while test": ("while one():\n    pass\n", False),
    "a comprehension": ("[one() for x in y]\n", False),
    "the first iterable of a comprehension": ("[x for x in one()]\n", True),
    "a function called once": ("def f():\n    one()\nf()\n", True),
    "a function called twice": ("def f():\n    one()\nf()\nf()\n", False),
    "a function called in branches": (
        "def f():\n    one()\nif x:\n    f()\nelse:\n    f()\n",
        False,
    ),
    "a function called in a loop": ("def f():\n    one()\nfor x in y:\n    f()\n", False),
    "a function called by one that is called twice": (
        "def f():\n    one()\ndef g():\n    f()\ng()\ng()\n",
        False,
    ),
    "a main function": (
        "def main():\n    one()\nif __name__ == '__main__':\n    main()\n",
        True,
    ),
    "recursion": ("def f():\n    one()\n    f()\nf()\n", False),
    "a callback": ("def f():\n    one()\nrun(f)\n", False),
    "a constructor": ("class A:\n    def __init__(self):\n        one()\nA()\n", True),
    "a constructor of two objects": (
        "class A:\n    def __init__(self):\n        one()\nA()\nA()\n",
        False,
    ),
    "a constructor of a class and of its subclass": (
        "class A:\n    def __init__(self):\n        one()\nclass B(A):\n    pass\nA()\nB()\n",
        False,
    ),
    "a method called once": ("class A:\n    def f(self):\n        one()\na = A()\na.f()\n", True),
    "a method of two objects": (
        "class A:\n    def f(self):\n        one()\nfor a in (A(), A()):\n    a.f()\n",
        False,
    ),
    "a function of a library module": ("def f():\n    one()\n", False),
}


@pytest.mark.parametrize("name", ONCE)
def test_runs_once(name: str) -> None:
    text, once = ONCE[name]
    assert script(text).once("one") is once


# Chains.


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("one()\n", 1),
        ("def f():\n    one()\nf()\n", 1),
        ("def f():\n    one()\nf()\nf()\n", 2),
        ("def f():\n    one()\ndef g():\n    f()\n    f()\ng()\ng()\n", 4),
        ("def f():\n    one()\nrun(f)\n", None),
        ("def f():\n    one()\nif __name__ == '__main__':\n    x()\n", 0),
        ("def f():\n    one()\n", None),
        ("def f():\n    def g():\n        one()\n    return g\nprint(1)\n", 0),
        ("def f():\n    return lambda: one()\nprint(1)\n", 0),
        ("def f():\n    class A:\n        def g(self):\n            one()\n    return A\nx()\n", 0),
        ("def f():\n    def g():\n        one()\n    return g\nf()\n", None),
        ("def f():\n    def g():\n        one()\n    return g\nrun(f)\n", None),
        ("class A:\n    def __init__(self):\n        one()\nA()\nA()\n", 2),
        ("def f():\n    one()\n" + "f()\n" * 30, None),
    ],
)
def test_chains(text: str, count: int | None) -> None:
    assert script(text).chains("one") == count


@pytest.mark.parametrize(
    "line",
    [
        "tf.disable_v2_behavior()",
        "tf.compat.v1.enable_eager_execution()",
        "tf.logging.set_verbosity(tf.logging.INFO)",
        "warnings.filterwarnings('ignore')",
        "sys.path.append('..')",
        "if sys.version_info[0] > 2:\n    xrange = range",
        "assert tf.__version__ > '1'",
        "sys.path += ['..']",
    ],
)
def test_setting_up_makes_no_script(line: str) -> None:
    # Other files may import it, and call what nothing calls here.
    assert script(f"{line}\ndef f():\n    one()\n").chains("one") is None


@pytest.mark.parametrize(
    "line", ["print(1)", "for x in y:\n    x()", "train(data)", "if x:\n    x()"]
)
def test_what_a_script_does_not_call_is_not_reached(line: str) -> None:
    found = script(f"{line}\ndef f():\n    one()\n")
    assert found.chains("one") == 0
    assert not found.order.is_reached(found.call("one"))


@pytest.mark.parametrize("name", ["main", "run", "cli", "_main"])
def test_an_installed_command_may_start_with_a_function(name: str) -> None:
    assert script(f"print(1)\ndef {name}():\n    one()\n").chains("one") != 0


# The certain answers.


def test_before_is_certain_in_one_piece_of_code_that_runs_once() -> None:
    found = script("one()\ntwo()\n")
    assert found.before("one", "two") is When.ALWAYS
    assert found.before("two", "one") is When.NEVER


@pytest.mark.parametrize(
    "text",
    [
        "if x:\n    one()\ntwo()\n",
        "for x in y:\n    one()\n    two()\n",
        "def f():\n    one()\nf()\ntwo()\n",
    ],
)
def test_before_may_be(text: str) -> None:
    assert script(text).before("one", "two") is When.MAYBE


def test_between() -> None:
    found = script("def f():\n    two()\none()\nf()\nthree()\nfour()\n")
    assert found.between("one", "two", "three") is When.MAYBE
    assert found.between("one", "four", "three") is When.NEVER
    assert found.between("three", "two", "four") is When.NEVER


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("one()\ntwo()\n", True),
        ("if x:\n    one()\ntwo()\n", True),
        ("one()\nif x:\n    two()\n", False),
        ("if x:\n    one()\n    two()\n", True),
        ("if x:\n    one()\nelse:\n    two()\n", False),
        ("if x:\n    one()\nif x:\n    two()\n", False),
        ("try:\n    one()\n    two()\nexcept ValueError:\n    pass\n", True),
        ("try:\n    one()\nexcept ValueError:\n    two()\n", False),
        ("two()\none()\n", False),
        ("for x in y:\n    two()\n    one()\n", True),
    ],
)
def test_a_run_goes_on(text: str, goes_on: bool) -> None:
    found = script(text)
    assert found.order.follows(found.call("one"), found.call("two")) is goes_on


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("def f(x):\n    one()\n    two()\n\nfor _ in map(f, x): pass\n", True),
        ("def f(x):\n    one()\n    if x:\n        two()\n\nfor _ in map(f, x): pass\n", False),
        ("def f(x):\n    two()\n    one()\n\nfor _ in map(f, x): pass\n", False),
    ],
)
def test_a_function_goes_on_whoever_runs_it(text: str, goes_on: bool) -> None:
    found = script(text)
    assert found.chains("one") is None
    assert found.order.follows(found.call("one"), found.call("two")) is goes_on


def test_a_compound_statement_begins_before_what_stands_in_it() -> None:
    found = script("with open(x):\n    one()\nif y:\n    two()\n")
    block = found.order._tree.statement(found.call("one"))
    assert found.order.may_precede(block, found.call("two"))
    assert not found.order.may_precede(found.call("two"), block)


# Several files.


def test_import_runs_a_module_where_it_stands() -> None:
    found = program(main="one()\nimport lib\nthree()\n", lib="two()\n")
    assert found.precedes("one", "two")
    assert not found.precedes("two", "one")
    assert found.precedes("two", "three")
    assert found.once("two")


def test_module_runs_once_however_often_it_is_imported() -> None:
    found = program(main="import a\nimport b\n", a="import lib\n", b="import lib\n", lib="one()\n")
    assert found.once("one")


MAIN = "if __name__ == '__main__':\n    "


@pytest.mark.parametrize(
    "files",
    [
        {"main.py": f"one()\ntwo()\n{MAIN}import main\n"},
        {"main.py": f"one()\ntwo()\n{MAIN}__import__('main')\n"},
        {"main.py": f"import lib\none()\ntwo()\n{MAIN}lib.go()\n", "lib.py": "import main\n"},
        {
            "main.py": f"import lib\none()\ntwo()\n{MAIN}lib.go()\n",
            "lib.py": "def go():\n    from main import name\n",
        },
    ],
)
def test_a_script_that_is_imported_by_its_name_runs_twice(files: dict[str, str]) -> None:
    program = Program(files)
    assert program.precedes("two", "one")
    assert not program.order.runs_once(program.call("one"))


@pytest.mark.parametrize(
    "files",
    [
        {"main.py": f"import lib\n{MAIN}one()\n    two()\n", "lib.py": "import main\n"},
        {"main.py": "import lib\n", "lib.py": "import main\none()\ntwo()\n"},
        {"main.py": f"one()\ntwo()\n{MAIN}import os\n"},
        {"main.py": "import pkg\n", "pkg/__init__.py": "one()\nfrom . import a\ntwo()\n",
         "pkg/a.py": "import pkg\n"},
    ],
)  # fmt: skip
def test_other_code_of_programs_in_a_circle_runs_once(files: dict[str, str]) -> None:
    program = Program(files)
    assert not program.precedes("two", "one")
    assert program.order.runs_once(program.call("one"))


def test_import_in_a_function_runs_when_the_function_does() -> None:
    found = program(main="def f():\n    import lib\none()\nf()\n", lib="two()\n")
    assert found.precedes("one", "two")
    assert not found.precedes("two", "one")


@pytest.mark.parametrize(
    ("statement", "call"),
    [
        ("import lib", "lib.f()"),
        ("import lib as l", "l.f()"),
        ("from lib import f", "f()"),
        ("from lib import f as g", "g()"),
        ("from lib import *", "f()"),
    ],
)
def test_functions_of_other_files(statement: str, call: str) -> None:
    found = program(main=f"{statement}\none()\n{call}\nthree()\n", lib="def f():\n    two()\n")
    assert found.precedes("one", "two")
    assert not found.precedes("two", "one")
    assert not found.precedes("three", "two")
    assert found.once("two")


@pytest.mark.parametrize(
    ("statement", "call"), [("from pkg import f", "f()"), ("import pkg", "pkg.f()")]
)
def test_functions_that_a_package_has_by_a_star(statement: str, call: str) -> None:
    found = Program(
        {
            "main.py": f"{statement}\n{call}\none()\n{call}\n",
            "pkg/__init__.py": "from .lib import *\n",
            "pkg/lib.py": "def f():\n    two()\n",
        }
    )
    assert found.precedes("one", "two")
    assert found.precedes("two", "one")
    assert found.chains("two") == 2


def test_modules_that_import_names_and_stars_of_each_other() -> None:
    found = program(main="from a import x\none()\n", a="from b import x\n", b="from a import *\n")
    assert found.once("one")


@pytest.mark.parametrize(
    "given", ["run(lib.f)", "x = lib.f", "lib.f = print", "getattr(lib, 'f')()"]
)
def test_functions_of_other_files_that_escape(given: str) -> None:
    found = program(main=f"import lib\none()\n{given}\n", lib="def f():\n    two()\n")
    assert found.chains("two") is None
    assert found.precedes("two", "one")


@pytest.mark.parametrize(
    ("found_by", "may_run"),
    [
        ("getattr(lib, name)()", True),
        ("from lib import f as g\nglobals()[name]()", True),
        ("getattr(handed, name)()", True),
        ("run(lib)\ngetattr(handed, name)()", True),
        ("lib.__dict__[name]()", True),
        ("import importlib\nm = importlib.import_module(name)\nm.g()", False),
        ("import importlib\nm = importlib.import_module(name)\ngetattr(m, name)()", True),
        ("import importlib\nm = importlib.import_module('lib')\ngetattr(m, name)()", True),
        ("import importlib\nm = importlib.import_module(name)\nm.f()", True),
        ("import sys\nsys.modules['other'] = lib\nimport other\nother.f()", True),
        ("import sys\nsys.modules['another'] = lib\nimport other\nother.f()", True),
        ("import sys\nsys.modules[name] = lib\nimport other\nother.f()", True),
        ("import pydoc\npydoc.locate('lib.f')()", True),
        ("import pydoc\npydoc.locate('lib.g')()", True),
    ],
)
def test_functions_of_other_files_that_are_found_by_strings(found_by: str, may_run: bool) -> None:
    found = program(main=f"import lib\nlib.f()\none()\n{found_by}\n", lib="def f():\n    two()\n")
    assert found.precedes("one", "two") is may_run


@pytest.mark.parametrize(
    ("name", "may_run"),
    [
        ("'lib.%s' % name", True),
        ("'other.%s' % name", False),
        ("'other.{}'.format(name)", False),
        ("f'other.{name}'", False),
        ("'other.' + name", False),
        ("name + '.other'", True),
        ("'other%s' % name", True),
        ("'%s.other' % name", True),
    ],
)
def test_modules_that_are_imported_by_a_pattern(name: str, may_run: bool) -> None:
    found = Program(
        {
            "main.py": f"import importlib\none()\nimportlib.import_module({name})\n",
            "lib/__init__.py": "",
            "lib/train.py": "two()\n",
        }
    )
    assert found.precedes("one", "two") is may_run


def test_method_that_another_file_calls() -> None:
    found = program(
        main="from lib import A\na = A()\none()\na.f()\n",
        lib="class A:\n    def f(self):\n        two()\n",
    )
    assert not found.precedes("two", "one")
    assert found.once("two")


def test_subclass_in_another_file() -> None:
    found = program(
        main="from lib import A\nclass B(A):\n    pass\nA()\nB()\n",
        lib="class A:\n    def __init__(self):\n        one()\n",
    )
    assert not found.once("one")


def test_two_scripts_are_two_processes() -> None:
    found = program(train="import lib\none()\n", test="import lib\ntwo()\n", lib="three()\n")
    assert not found.precedes("one", "two")
    assert not found.order.share_process(found.call("one"), found.call("two"))
    assert found.order.share_process(found.call("one"), found.call("three"))
    assert found.precedes("three", "one")


def test_function_that_two_scripts_call_once_each_runs_once_in_each() -> None:
    lib = "def f():\n    one()\n"
    assert program(a="import lib\nlib.f()\n", b="import lib\nlib.f()\n", lib=lib).once("one")


def test_script_that_another_one_imports() -> None:
    found = program(main="import lib\none()\n", lib="if __name__ == '__main__':\n    two()\n")
    assert found.order.entries(found.order._tree.file(found.call("two"))) == {"main.py", "lib.py"}


def test_modules_that_import_each_other() -> None:
    found = program(main="import a\nthree()\n", a="import b\none()\n", b="import a\ntwo()\n")
    assert found.precedes("two", "one")
    assert found.precedes("one", "three")
    assert not found.precedes("three", "one")
    assert found.once("one")


def test_test_modules_are_in_one_process_in_any_order() -> None:
    found = program(test_one="def test_a():\n    one()\n", test_two="def test_b():\n    two()\n")
    assert found.precedes("one", "two")
    assert found.precedes("two", "one")


def test_files_beside_each_other_that_nothing_links() -> None:
    found = program(one="one()\n", two="two()\n")
    assert not found.precedes("one", "two")


# The text, and whether whatever reaches `two()` has reached `one()` before.
PASSED = {
    "statements": ("one()\ntwo()\n", True),
    "the other way": ("two()\none()\n", False),
    "a branch": ("if x:\n    one()\ntwo()\n", False),
    "one branch": ("if x:\n    one()\n    two()\n", True),
    "a loop that may be empty": ("for x in y:\n    one()\ntwo()\n", False),
    "a body of which an error is caught": ("try:\n    one()\nexcept E:\n    x\ntwo()\n", False),
    "a function": ("def f():\n    one()\nf()\ntwo()\n", True),
    "a function that may return": (
        "def f():\n    if x:\n        return\n    one()\nf()\ntwo()\n",
        False,
    ),
    "a call in a branch": ("def f():\n    one()\nif x:\n    f()\ntwo()\n", False),
    "a function with a branch": ("def f():\n    if x:\n        one()\nf()\ntwo()\n", False),
    "both in functions": ("def f():\n    one()\ndef g():\n    two()\nf()\ng()\n", True),
    "one of two ways": ("def f():\n    two()\nif x:\n    one()\n    f()\nelse:\n    f()\n", False),
    "a function that anybody may call": ("def f():\n    two()\none()\nx(f)\n", False),
    "two methods of one call": (
        "class A:\n    def __new__(c):\n        two()\n    def __init__(s):\n        one()\nA()\n",
        False,
    ),
}


@pytest.mark.parametrize(("text", "is_passed"), PASSED.values(), ids=PASSED)
def test_what_is_always_passed(text: str, is_passed: bool) -> None:
    assert script(text).always_after("two", "one") is is_passed
