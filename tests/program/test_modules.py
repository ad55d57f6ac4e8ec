"""Which files an import may mean, where several have the name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfgpu.program.dotted_paths import dotted_paths
from tfgpu.program.modules import Modules


def meant(importer: str, name: str, files: dict[str, str]) -> list[str]:
    """Return the files, without suffix, that an import of a name may mean."""
    data = {f"/project/{path}.py": text.encode() for path, text in files.items()}
    modules = Modules(data)
    path = f"/project/{importer}.py"
    unsure = modules.unsure(path).get(name)
    found = modules.find(path, name)
    paths = unsure or ([found[0]] if found else [])
    return sorted(one.removeprefix("/project/").removesuffix(".py") for one in paths)


PUT = "import sys\nsys.path.insert(0, '../lib')\n"


@pytest.mark.parametrize(
    ("main", "found"),
    [
        # The script stands beside it, as far as can be seen.
        ("import other\n", ["tools/utils"]),
        # It is a module of a package to a script above: Python searches the folder of the script.
        ("from tools.train import run\n", ["tools/utils", "utils"]),
        ("import tools.train\n", ["tools/utils", "utils"]),
    ],
)
def test_a_module_beside_the_importer_and_beside_the_script(main: str, found: list[str]) -> None:
    files = {"tools/train": "import utils\n", "tools/utils": "x = 1\n", "utils": "x = 1\n"}
    assert meant("tools/train", "utils", {"main": main, "other": "", **files}) == found


@pytest.mark.parametrize(
    ("importer", "found"),
    [
        # PYTHONPATH=src, or a run from the project's folder with `python -m`.
        ("tools/train", ["src/utils", "utils"]),
        ("tools/deep/train", ["src/utils", "utils"]),
        # The script finds what is beside it.
        ("train", ["utils"]),
        # A module of a package may be imported by a script elsewhere.
        ("nets/train", ["nets/utils", "src/utils", "utils"]),
    ],
)
def test_a_module_that_stands_in_two_folders_above(importer: str, found: list[str]) -> None:
    files = {"utils": "x = 1\n", "src/utils": "x = 1\n", "nets/__init__": ""}
    files[importer] = "import utils\n"
    files |= {"nets/utils": "x = 1\n"} if importer == "nets/train" else {}
    files |= {"other/deep/utils": "x = 1\n"} if importer == "train" else {}
    assert meant(importer, "utils", files) == found


def test_a_module_of_another_project_beside_this_one() -> None:
    files = {
        "one/tools/train": "import utils\n",
        "one/utils": "x = 1\n",
        "two/src/utils": "x = 1\n",
    }
    assert meant("one/tools/train", "utils", files) == ["one/utils"]


def test_a_package_beside_a_module_of_its_own_name() -> None:
    files = {
        "nets/__init__": "x = 1\n",
        "nets/trainer/__init__": "",
        "main": "import nets\n",
        "nets/trainer/nets": "import nets\n",
    }
    assert meant("nets/trainer/nets", "nets", files) == ["nets/__init__"]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (PUT, ["lib/utils", "tools/utils"]),
        (PUT.replace(".insert(0, '../lib')", "[:0] = ['../lib']"), ["lib/utils", "tools/utils"]),
        # Behind the folder of the script.
        (PUT.replace("0", "1"), ["tools/utils"]),
        (PUT.replace("insert(0, ", "append("), ["tools/utils"]),
        ("", ["tools/utils"]),
    ],
)  # fmt: skip
def test_a_module_of_a_folder_beside_that_of_the_script(change: str, found: list[str]) -> None:
    files = {"tools/utils": "x = 1\n", "lib/utils": "x = 1\n"}
    files["tools/train"] = change + "import utils\n"
    assert meant("tools/train", "utils", files) == found


def test_a_folder_that_a_module_in_it_puts_first() -> None:
    put = "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\n"
    files = {"lib/paths": put, "lib/gpu": "x = 1\n", "lib/__init__": "", "gpu": "x = 1\n"}
    assert meant("main", "gpu", {"main": "import lib.paths\nimport gpu\n", **files}) == [
        "gpu", "lib/gpu",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["\fimport b\n", "x = 1\rimport b\r", "if x:\n  \f import a, \\\r b\n"]
)
def test_imports_behind_what_python_takes_for_blanks_and_line_ends(text: str) -> None:
    assert "b" in dotted_paths(text.encode())


@pytest.mark.parametrize("order", [["nets", "nets/__init__"], ["nets/__init__", "nets"]])
def test_a_package_comes_before_a_module_of_its_name_in_any_order(order: list[str]) -> None:
    files = dict.fromkeys([*order, "main"], "x = 1\n")
    assert meant("main", "nets", files) == ["nets/__init__"]


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"tensorflow": "class Session: ...\n"}, ["tensorflow"]),
        # The backend of a library means the library.
        ({"tensorflow": "import tensorflow as tf\n"}, []),
        # Modules of a package find what is beside the script.
        ({"tensorflow": "class Session: ...\n", "__init__": ""}, []),
        ({"tensorflow": "class Session: ...\n", "other": "from . import tensorflow\n"}, []),
        # A folder without `__init__.py` is no package beside an installed one.
        ({"tensorflow/utils": "class Session: ...\n"}, []),
        # One in another folder is found where a file puts that on the search path.
        ({"stubs/tensorflow/__init__": "class Session: ...\n"}, []),
        (
            {
                "stubs/tensorflow/__init__": "class Session: ...\n",
                "conftest": "import sys\nsys.path.insert(0, 'stubs')\n",
            },
            ["stubs/tensorflow/__init__"],
        ),
    ],
)
def test_a_file_that_is_named_like_a_library(files: dict[str, str], found: list[str]) -> None:
    inside = {f"run/{name}": text for name, text in files.items()}
    assert meant("run/train", "tensorflow", {"run/train": "", **inside}) == [
        f"run/{name}" for name in found
    ]


def linked(tmp_path: Path, files: list[str], links: dict[str, str]) -> Modules:
    """Return files that say `import base`, among links that are not among them."""
    for name in files:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("import base\n")
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    return Modules({str(tmp_path / name): b"import base\n" for name in files})


@pytest.mark.parametrize(
    ("links", "name"),
    [
        ({"b/conf.py": "../a/conf.py"}, "conf"),
        ({"b/other.py": "../a/conf.py"}, "other"),
        ({"b/shared": "../a"}, "shared.conf"),
        ({"shared": "a", "b/lib": "../shared"}, "lib.conf"),
    ],
)
def test_links_are_places_of_the_file_that_they_lead_to(
    tmp_path: Path, links: dict[str, str], name: str
) -> None:
    modules = linked(tmp_path, ["a/conf.py", "b/train.py"], links)
    assert modules.find(str(tmp_path / "b/train.py"), name) == (str(tmp_path / "a/conf.py"), "")


def test_a_file_with_a_link_may_find_what_is_beside_the_link(tmp_path: Path) -> None:
    files = ["a/conf.py", "a/base.py", "b/base.py", "b/train.py"]
    modules = linked(tmp_path, files, {"b/conf.py": "../a/conf.py"})
    for found in (modules, modules.part(modules.paths, [])):
        assert found.find(str(tmp_path / "a/conf.py"), "base") == (str(tmp_path / "a/base.py"), "")
        assert found.unsure(str(tmp_path / "a/conf.py")) == {
            "base": [str(tmp_path / "a/base.py"), str(tmp_path / "b/base.py")]
        }


@pytest.mark.parametrize("target", [".", "nothing", "loop", "/"])
def test_links_that_lead_to_no_file_or_around_themselves(tmp_path: Path, target: str) -> None:
    modules = linked(tmp_path, ["a/conf.py", "b/train.py"], {"b/loop": target})
    assert modules.find(str(tmp_path / "b/train.py"), "loop.train") is None
