"""Which files an import may mean, where several have the name."""

from __future__ import annotations

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
