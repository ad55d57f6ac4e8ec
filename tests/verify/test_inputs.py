"""What the program after does not read any more, and what reads a value that was changed."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from tfgpu.verify.changed import changed_statements
from tfgpu.verify.compare.result import compare_result
from tfgpu.verify.inputs import hidden_defaults, is_given, lost_inputs, untaken_options
from tfgpu.verify.looked_up import read_by_name
from tfgpu.verify.observation import Observation
from tfgpu.verify.uses import uses_of_values

_PATH = Path("program.py")
_OPTION = "parser.add_argument('-g', '--grow-now', default=True)\n"
_FLAG = "tf.flags.DEFINE_bool('grow', True, '')\n"


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        (_OPTION + "set(args.grow_now)", _OPTION + "set(True)", ["--grow_now"]),
        (_OPTION + "set(args.grow_now)", _OPTION + "put(getattr(args, 'grow_now'))", []),
        (_OPTION + "set(args.grow_now)", _OPTION + "put(vars(args)['grow_now'])", []),
        (_OPTION + "set(args.grow_now)", _OPTION + "set(True)\nprint(args.grow_now)", []),
        (_OPTION + "set(args.grow_now)", _OPTION + "set(args.grow_now)\nmore()", []),
        (_OPTION + "set(args.other)", _OPTION + "set(True)", []),
        ("p.add_argument('-g', dest='a')\nset(x.a)", "set(1)", ["--a", "-g"]),
        (_FLAG + "set(FLAGS.grow)", _FLAG + "set(True)", ["--grow"]),
        ("set(os.environ['GROW'])", "set(True)", ["GROW"]),
        ("set(os.environ.get('GROW', 1))", "set(os.getenv('GROW') or 1)", []),
        ("set(os.getenv('GROW'))", "os.environ['GROW'] = '1'", ["GROW"]),
        ("set(os.environb.get(b'GROW'))", "set(True)", ["GROW"]),
        ("set(os.environb[b'GROW'])", "set(os.environ['GROW'])", []),
        ("set(os.getenvb(b'GROW'))", "set(True)", ["GROW"]),
        ("set('GROW' in os.environ)", "set(True)", ["GROW"]),
        ("set(os.environ.pop('GROW', '1'))", "set('1')", ["GROW"]),
        ("set(os.path.expandvars('$GROW'))", "set('1')", ["GROW"]),
        ("set(os.environ.get(name))", "set('1')", ["os.environ"]),
        ("set(dict(os.environ)['GROW'])", "set('1')", ["os.environ"]),
        ("set({**environ}['GROW'])", "set('1')", ["os.environ"]),
        ("os.environ.update(GROW='1')", "set('1')", []),
        ("set(sys.stdin.readline())", "set('1')", ["standard input"]),
        ("set(next(stdin))", "set('1')", ["standard input"]),
        ("set(input('GPU: '))", "set(sys.stdin.readline())", []),
        ("set('--no' in sys.argv)", "set(True)", ["sys.argv"]),
        ("set(sys.argv[1])", "set(parser.parse_args().grow)", []),
        ("p.add_argument('--mem')", "p.add_argument('--limit', dest='mem')", ["--mem"]),
        ("p.add_argument('--mem')", "p.add_argument('--memory', dest='mem')", []),
        ("p.add_argument('-m', '--mem')", "p.add_argument('--mem')", ["-m"]),
        ("p.add_argument('--mem')", "tf.flags.DEFINE_integer('mem', 1, '')", []),
        (_FLAG, _FLAG.replace("grow", "growth"), ["--grow"]),
    ],
)
def test_inputs_that_are_lost(before: str, after: str, lost: list[str]) -> None:
    module, other = ast.parse(before), ast.parse(after)
    changed = changed_statements(_PATH, before, module, after)
    assert lost_inputs(changed, {_PATH: module}, {_PATH: other}) == lost


@pytest.mark.parametrize(
    ("name", "arguments", "given"),
    [
        ("--grow_now", ["--grow-now"], True),
        ("--grow", ["--nogrow"], True),
        ("--grow", ["--grow=False"], True),
        ("--grow", ["grow", "--growth"], False),
        ("sys.argv", ["x"], True),
        ("sys.argv", [], False),
        ("GROW", ["x"], False),
    ],
)
def test_options_that_are_given(name: str, arguments: list[str], given: bool) -> None:
    assert is_given(name, arguments) is given


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a = '/gpu:1'\nif b:\n    f(a)\nc(a)", [1, 3, 4]),
        ("a = '/gpu:1'\ndef f():\n    return a", [1, 3]),
        ("a = '/gpu:1'\ndef f(a):\n    return a", [1]),
        ("a = f()\nif b:\n    g(a)", [1]),
        ("a.b = 1\nif c:\n    f(a)", [1]),
        ("a = 1\nb = a\nc(b)", [1, 2, 3]),
        ("a, b = 0, 1\nif c:\n    f(b)", [1, 3]),
        ("class A: a = 1\nif c:\n    f(A.a)", [1, 1, 3]),
        ("class A: a: int = 1\nif c:\n    f(A().a)", [1, 1, 3]),
        ("def f(self): self.a = 1\ndef g(self):\n    return self.a", [1, 1, 3]),
        ("self.a.b = 1\nif c:\n    f(self.a)", [1]),
        ("p.set_defaults(a=1)\nif c:\n    f(args.a)", [1, 3]),
        ("a = 1\nif b > a:\n    c\nelse:\n    d", [1, 2, 3, 5]),
        ("a = 1\nfor b in range(a):\n    c\n    d", [1, 2, 3]),
        ("add_argument('--b', default=1)\nif args.b:\n    c", [1, 2, 3]),
        ("a = 1\ndef f(b, c):\n    if b:\n        d\n    c\nf(a, 2)", [1, 3, 4, 6]),
        ("a = 1\ndef f(b, c):\n    b\n    c\nf(2, c=a)", [1, 4, 5]),
        ("a = 1\ndef f(b):\n    g(b)\ndef g(c):\n    c\nf(a)", [1, 3, 5, 6]),
        ("a = 1\nclass A:\n    def f(self, b):\n        b\nA().f(a)", [1, 4, 5]),
        ("a = 1\nclass A:\n    @staticmethod\n    def f(b, c):\n        b\nA.f(a)", [1, 5, 6]),
        (
            "a = 1\nclass A:\n    def __init__(self, b):\n        self.c = b\n"
            "    def f(self):\n        self.c\nA(a)",
            [1, 4, 6, 7],
        ),
        ("a = 1\ndef f(b):\n    b\nf(2)\ng(a)", [1, 5]),
        ("a = '/gpu:1'\nf(a if b else c)", [1, 2, 2]),
        ("a = '/gpu:1'\nf(b or (c, a), d and e)", [1, 2, 2]),
        ("a = '/gpu:1'\nf(lambda: a)\nf([a for b in c])", [1, 2, 2, 3, 3]),
        ("a = '/gpu:1'\nf(a, b if c else d)", [1, 2]),
        ("class A(B): pass\nif c:\n    A()", [1, 1, 3]),
        ("a = '/gpu:1'\n@f(a)\ndef g():\n    b\n    c", [1, 3, 4]),
    ],
)
def test_what_reads_a_changed_value(text: str, lines: list[int]) -> None:
    module = ast.parse(text)
    first = text.splitlines()[0]
    changed = changed_statements(_PATH, text, module, text.replace(first, "a"))
    found = uses_of_values(changed, {_PATH: module}, {_PATH: ast.parse("a")})
    assert sorted(one.line for one in found) == lines


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = f()\ngetattr(b, c)", ["a"]),
        ("a = f()\nglobals()[c]", ["a"]),
        ("a = f()\nb.__dict__[c]", ["a"]),
        ("a = f()\ngetattr(b, 'c')", []),
        ("a = f()\ngetattr(b, c)\ngetattr(b, 'a')", []),
        ("a = f()\ngetattr(b, c)\nb.a", []),
        ("_a = f()\ngetattr(b, c)", []),
        ("setattr(b, 'a', f())\ngetattr(b, c)", ["a"]),
        ("class A(Enum): a = f()\nA[c]", ["a"]),
        ("class A: a = f()\nA.c", []),
        ("def f(): a = b\ngetattr(b, c)", []),
        ("def f(): self.a = b\ngetattr(b, c)", ["a"]),
    ],
)
def test_what_is_read_by_a_name_of_the_run_if_at_all(text: str, names: list[str]) -> None:
    module = ast.parse(text)
    changed = changed_statements(_PATH, text, module, text.replace(text.splitlines()[0], ""))
    found = read_by_name(changed, {_PATH: module})
    assert [one.guards[0].partition(" ")[0] for one in found] == names


@pytest.mark.parametrize(
    ("lists", "lines"), [([[]], []), ([["-g", "--grow-now"]], [1]), ([["--grow-now"], []], [])]
)
def test_changed_defaults_that_all_arguments_hide(lists: list[list[str]], lines: list[int]) -> None:
    module = ast.parse(_OPTION)
    changed = changed_statements(_PATH, _OPTION, module, _OPTION.replace("True", "False"))
    found = hidden_defaults(changed, {_PATH: module}, lists)
    assert [one.line for one in found] == lines


def test_option_of_which_the_help_is_changed_is_no_value() -> None:
    text, other = (
        "add_argument('--a', help='x')\nif c:\n    f(args.a)",
        "add_argument('--a', help='y')",
    )
    module = ast.parse(text)
    changed = changed_statements(_PATH, text, module, other)
    assert uses_of_values(changed, {_PATH: module}, {_PATH: ast.parse(other)}) == changed


@pytest.mark.parametrize(
    ("before", "after", "arguments", "lines"),
    [
        ("p.add_argument('--a', choices=[1])", "p.add_argument('--a', choices=[2])", [], [1]),
        ("p.add_argument('--a', choices=[1])", "p.add_argument('--a', choices=[2])", ["--a"], []),
        ("p.add_argument('-g', dest='a')", "p.add_argument('-g', dest='a', type=int)", ["-g"], []),
        ("p.add_argument('--a', const=1)", "p.add_argument('--a', const=2)", ["--b"], [1]),
        ("p.add_argument('--a', default=1)", "p.add_argument('--a', default=2)", [], []),
        ("p.add_argument('--a', help='x')", "p.add_argument('--a', help='y')", [], []),
        ("p.add_argument('a', type=int)", "p.add_argument('a', type=float)", [], []),
        ("p.add_argument(type=int, dest='a')", "p.add_argument(type=str, dest='a')", [], []),
        ("p.add_argument('--a')", "p.add_argument('--b')", [], []),
        ("DEFINE_integer('a', 1, '')", "DEFINE_float('a', 1, '')", [], [1]),
        ("DEFINE_enum('a', 'b', ['b'], '')", "DEFINE_enum('a', 'b', ['b', 'c'], '')", [], [1]),
        ("DEFINE_enum('a', 'b', ['b'], '')", "DEFINE_enum('a', 'b', ['b'], 'x')", [], []),
    ],
)
def test_changed_options_that_no_arguments_give(
    before: str, after: str, arguments: list[str], lines: list[int]
) -> None:
    module = ast.parse(before)
    changed = changed_statements(_PATH, before, module, after)
    found = untaken_options(changed, {_PATH: module}, {_PATH: ast.parse(after)}, [arguments])
    assert [one.line for one in found] == lines


@pytest.mark.parametrize(
    ("unread", "words"),
    [
        (["--grow"], "does not read --grow any more, and no list of arguments gives it: --args"),
        (["sys.argv"], "does not read sys.argv any more, and no list of arguments gives it"),
        (["GROW"], "does not read GROW any more, and what each other value of it would do before"),
    ],
)
def test_what_is_said_of_them(unread: list[str], words: str) -> None:
    leg = Observation("train.py", "2.21.0", "3.12.3", stands_in=False, ended="end")
    found = compare_result(leg, replace(leg, unread=unread), simulated=True)
    (entry,) = (one for one in found if one.subject == "inputs")
    assert words in entry.reason
