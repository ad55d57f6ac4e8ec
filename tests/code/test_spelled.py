"""Texts that spell the name of a module: what they may import belongs to the program."""

from __future__ import annotations

import pytest

from tests.code.test_order import Program
from tfgpu.code.spelled import spelled
from tfgpu.program.entries import programs_of
from tfgpu.program.modules import Modules

REF = "class H:\n    def emit(self):\n        two()\n\ndef ref():\n    pass\n"

LOADED = [
    "dictConfig({'class': 'ref.H'})\n",
    "dictConfig({'()': 'ext://ref.H'})\n",
    'x = {"handlers": ["ref.H"]}\n',
    "EntryPoint('a', 'ref:H', 'g').load()\n",
    "load(b'ref.H')\n",
    "fileConfig(StringIO('[handlers]\\nkeys=h\\n[handler_h]\\nclass=ref.H\\n'))\n",
    "code.InteractiveInterpreter().runsource('import ref; ref.ref()')\n",
    "run('x = 1; from ref import H')\n",
    "doctest.run_docstring_examples('>>> import ref', {})\n",
    "mock.patch('ref.other', create=True).start()\n",
    "Unpickler(data).find_class('ref', 'ref')\n",
    "LazyLoader('ref', globals(), 'ref').ref()\n",
    "pkgutil.get_loader('ref').load_module()\n",
    "pythonapi.PyImport_ImportModule(b'ref').ref()\n",
    "make_parser(['ref'])\n",
    "pickle.loads(b'cref\\nref\\n(tR.')\n",
    "os.environ['PYTHONBREAKPOINT'] = 'ref.ref'\n",
]
# Words of English, names of files, of loggers and of what a module does not have.
NOT_LOADED = [
    "print('ref')\n",
    "x = {'ref': 1}\n",
    "open('ref.py')\n",
    "save('ref.ckpt')\n",
    "print('see ref.H for more')\n",
    "print('other.H')\n",
    "logging.getLogger('ref.H')\n",
    "print('import the data from ref')\n",
]


@pytest.mark.parametrize("text", LOADED)
def test_a_text_that_may_import_a_module(text: str) -> None:
    files = {"main.py": f"one()\n{text}", "ref.py": REF}
    modules = Modules({path: code.encode() for path, code in files.items()})
    assert modules.closure("main.py") == {"main.py", "ref.py"}
    assert modules.programs("ref.py") == {"main.py", "ref.py"}
    # It is an entry script as before.
    assert {program.entries for program in programs_of(modules)} == {("main.py",), ("ref.py",)}
    order = Program(files).order
    ref = next(tree for tree in order._tree.files if tree.path == "ref.py")
    assert order.entries(ref) == {"main.py", "ref.py"}


@pytest.mark.parametrize("text", NOT_LOADED)
def test_a_text_that_imports_no_module(text: str) -> None:
    files = {"main.py": f"one()\n{text}", "ref.py": REF}
    modules = Modules({path: code.encode() for path, code in files.items()})
    assert modules.closure("main.py") == {"main.py"}
    order = Program(files).order
    ref = next(tree for tree in order._tree.files if tree.path == "ref.py")
    assert order.entries(ref) == {"ref.py"}


def test_a_text_in_a_script_that_installs_a_package() -> None:
    files = {"setup.py": b"setup(packages=['pkg.sub'])\n", "pkg/__init__.py": b""}
    files["pkg/sub/__init__.py"] = b"x = 1\n"
    assert Modules(files).closure("setup.py") == {"setup.py"}


def test_a_text_with_the_name_of_a_module_in_a_package() -> None:
    files = {"main.py": b"load('pkg.sub.H')\n", "pkg/__init__.py": b"", "pkg/sub.py": b"H = 1\n"}
    assert Modules(files).closure("main.py") == files.keys()


@pytest.mark.parametrize("place", ["first", "second"])
def test_what_only_a_text_imports_may_run_at_any_time(place: str) -> None:
    before, behind = ("x = 'ref.H'\n", "") if place == "first" else ("", "x = 'ref.H'\n")
    program = Program({"main.py": f"{before}one()\n{behind}", "ref.py": "H = 1\ntwo()\n"})
    assert program.precedes("one", "two")
    assert program.precedes("two", "one")


def test_what_is_imported_too_may_run_where_the_text_stands() -> None:
    program = Program({"main.py": "x = 'ref.H'\none()\nimport ref\n", "ref.py": "H = 1\ntwo()\n"})
    assert program.precedes("two", "one")
    assert program.precedes("one", "two")


def test_a_function_that_a_text_names_may_be_called_at_any_time() -> None:
    ref = "def run():\n    two()\n"
    program = Program({"main.py": "import ref\none()\nload('ref:run')\n", "ref.py": ref})
    assert program.order.chains(program.call("two")) is None


def test_names_of_texts_are_found_in_code_of_any_form() -> None:
    assert list(spelled(b"x = 'a.b'; y = \"c.d:e\"; z = 'f'")) == ["c.d.e", "a.b"]


POINT = "from importlib.metadata import EntryPoint\nEntryPoint"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{POINT}('a', name, 'g').load()\n", True),
        (
            f"{POINT}('a', 'b:c [d]', 'g').load()\n",
            True,
        ),
        (f"{POINT}('a', 'b:c', 'g').load()\n", False),
        ("import logging.config\nlogging.config.fileConfig(path)\n", True),
        ("import pkgutil\nis_there = pkgutil.find_loader(name) is not None\n", False),
        ("import pkgutil\npkgutil.get_loader('ref')\n", False),
    ],
)
def test_a_text_that_is_not_written_there_may_import_any_module(text: str, expected: bool) -> None:
    assert bool(Program({"main.py": text}).order.dynamic) is expected
