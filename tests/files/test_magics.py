"""Lines of IPython's in notebook cells."""

from __future__ import annotations

import ast

import pytest

from tests.files.notebooks import notebook, read, sources
from tfgpu.files.pyfile import SourceError

MAGICS = [
    "%matplotlib inline",
    "%%time\na = 1",
    "# first\n\n%%capture out\na = 1",
    "%%bash\necho 'it is\n\nif [ -f x ]; then",
    "%%bash",
    "%%writefile a.py\nprint 'x",
    "!pip install -q \\\n  tensorflow",
    "!ls | grep '",
    "if a:\n    %cd x\nelse:\n\t!ls",
    "files = !ls",
    "first, rest['a'] = %sql select 1",
    "t = %timeit -o a",
    "a?",
    "a.b??",
    "?a",
    "%pinfo a",
    "a = 1 # !ls?",
    "%time",
    "!ls\r",
    "try:\n    import x\nexcept ImportError:\n    !pip install x\n",
]


@pytest.mark.parametrize("cell", MAGICS)
def test_magics_parse_and_are_put_back(cell: str) -> None:
    text = notebook("a = 1", cell, "b = 2")
    module = read(text)
    ast.parse(module.text)
    assert module.text.count("\n") == f"a = 1\n\n{cell}\n\nb = 2".count("\n")
    new = module.shown(module.text.replace("b = 2", "b = 3"))
    assert sources(new) == ["a = 1", cell, "b = 3"]


@pytest.mark.parametrize("cell", MAGICS)
def test_a_line_beside_magics_changes_alone(cell: str) -> None:
    module = read(notebook("a = 1", f"x = 1\n{cell}"))
    if "%%" in cell:
        with pytest.raises(SyntaxError):
            ast.parse(f"x = 1\n{cell}")
    new = module.shown(module.text.replace("x = 1\n", "y = 2\n"))
    assert sources(new) == ["a = 1", f"y = 2\n{cell}"]


@pytest.mark.parametrize(
    "code",
    [
        "x = '''\n%cd\n!ls\n'''",
        "x = (a\n% b)",
        "x = a \\\n% b",
        "x = 'a?'\n",
        'print("a = %s" % b)',
        "a != 1",
        "a[1] = b % 2",
        "a = lambda: 1 % 2",
        "x = f'{a}' # ?",
    ],
)
def test_python_is_not_hidden(code: str) -> None:
    module = read(notebook(code))
    assert module.text == code
    assert module.magics == []


@pytest.mark.parametrize("name", ["time", "timeit", "capture", "prun", "memit"])
def test_cells_that_hold_python_are_read(name: str) -> None:
    module = read(notebook(f"%%{name}\nvalue = 1"))
    assert "\nvalue = 1" in module.text


@pytest.mark.parametrize("name", ["bash", "python3", "writefile a.py", "cython", "script x"])
def test_cells_that_run_elsewhere_are_not(name: str) -> None:
    module = read(notebook(f"%%{name}\nvalue = 1"))
    assert "value" not in module.text


@pytest.mark.parametrize(
    ("magic", "names"),
    [
        ("%time a.run(c, 'd', x.b)", ["a", "c"]),
        ("%timeit -n 1 c", ["c"]),
        ("!ls {a} $b c", ["a", "b"]),
        ("%env X={a}", ["a"]),
        ("%time a.run() if b else c", ["a", "b", "c"]),
        ("%cd a", []),
        ("%time unknown()", []),
        ("files = !ls {c}", ["c"]),
    ],
)
def test_names_that_a_magic_uses_count_as_used(magic: str, names: list[str]) -> None:
    tree = ast.parse(read(notebook("a = b = c = 1 if 2 else 3", magic)).text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    used = [arg.id for call in calls for arg in call.args if isinstance(arg, ast.Name)]
    assert used == names


@pytest.mark.parametrize(
    "magic", ["%time result = run()", "result = !ls", "result = %sql x", "%timeit result = 1"]
)
def test_names_that_a_magic_binds_are_bound(magic: str) -> None:
    statement = ast.parse(read(notebook(magic)).text).body[0]
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.value, ast.Call)
    assert ast.unparse(statement.targets[0]) == "result"


def test_magics_are_listed_with_their_place() -> None:
    module = read(notebook("a = 1\n%env X=1\n", "%%bash\nls", "b = !ls \\\n -l"))
    found = [(magic.cell, magic.line, magic.text) for magic in module.magics]
    assert found == [(2, 2, "%env X=1\n"), (3, 1, "%%bash\nls"), (4, 1, "b = !ls \\\n -l")]


def test_lines_of_magics_are_seen_as_they_are() -> None:
    module = read(notebook("a = 1", "a\n!ls {a} \\\r\n  -l\nb = 2"))
    lines = module.text.split("\n")
    first = next(number for number, line in enumerate(lines, 1) if "IPython" in line)
    assert module.seen(first - 1, 1) is None
    assert module.seen(first, 5) == ("!ls {a} \\", 1)
    assert module.seen(first + 1, 5) == ("  -l", 1)


def test_a_magic_moves_with_its_indentation() -> None:
    module = read(notebook("if True:\n    !ls"))
    masked = module.text.split("\n")[1]
    assert sources(module.shown(masked.lstrip())) == ["!ls"]


@pytest.mark.parametrize("change", ["", "x = 1", "{0}  # more", "{0}\n{0}"])
def test_a_magic_that_is_gone_or_changed_is_refused(change: str) -> None:
    module = read(notebook("a = 1", "!ls"))
    masked = module.text.split("\n")[-1]
    with pytest.raises(SourceError, match="would change an IPython command") as caught:
        module.shown(module.text.replace(masked, change.format(masked)))
    assert caught.value.cell == 3


@pytest.mark.parametrize(
    ("magic", "python"),
    [
        ("%load_ext own.gpu", "from own.gpu import load_ipython_extension; IPython("),
        ("%aimport os, -re, gpu", "import os, gpu; "),
        ("%timeit -n1 import gpu", "import gpu; "),
        ("%time %run gpu.py", "execfile("),
        ("%time import gpu; gpu.go()", "execfile("),
        ("%load_ext $name", "execfile("),
    ],
)
def test_magics_that_import_or_run_files(magic: str, python: str) -> None:
    assert read(notebook(magic)).text.startswith(python)


@pytest.mark.filterwarnings("error")
def test_python_does_not_warn_of_the_code_of_a_magic() -> None:
    assert read(notebook("%time 1if 1else 2")).text
