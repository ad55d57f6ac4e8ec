"""Notebooks in programs: they import modules, and nothing imports them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.files.notebooks import notebook, sources
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.results import Result
from tfgpu.run import run

HELPER = (
    "import tensorflow as tf\n\n\ndef get_config():\n"
    "    return tf.ConfigProto(allow_soft_placement=True)\n"
)
KEPT = (
    "import tensorflow as tf\n\n"
    "sess = tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1))\n"
)


def results(folder: Path, files: dict[str, str]) -> dict[str, Result]:
    """Write files, migrate them as one run, and return what came of each."""
    for name, text in files.items():
        (folder / name).write_text(text)
    found = run([str(folder)], Job(Options(), rewrite=True), jobs=1)
    return {Path(result.path).name: result for result in found}


def test_a_notebook_takes_its_config_from_a_module(tmp_path: Path) -> None:
    cells = (
        "import tensorflow as tf\nimport helper",
        "sess = tf.Session(config=helper.get_config())",
    )
    found = results(tmp_path, {"helper.py": HELPER, "use.ipynb": notebook(*cells)})
    assert found["helper.py"].new_text is not None
    new = found["use.ipynb"].new
    assert new is not None
    assert sources(new.decode())[1] == "helper.get_config()\nsess = tf.Session()"


def test_a_notebook_is_part_of_the_program_that_it_imports(tmp_path: Path) -> None:
    text = notebook(
        "import tensorflow as tf\nimport kept",
        "tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))",
    )
    found = results(tmp_path, {"kept.py": KEPT, "use.ipynb": text})
    kept_for = found["use.ipynb"].kept_for
    assert kept_for is not None
    assert kept_for.place == f"{tmp_path / 'kept.py'}:3"
    assert found["use.ipynb"].new_text is None


def test_the_place_in_a_notebook_names_the_cell(tmp_path: Path) -> None:
    module = (
        "import tensorflow as tf\n\n\ndef f():\n"
        "    tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))\n"
    )
    text = notebook("import module", *KEPT.split("\n\n"))
    found = results(tmp_path, {"module.py": module, "use.ipynb": text})
    kept_for = found["module.py"].kept_for
    assert kept_for is not None
    assert kept_for.place == f"{tmp_path / 'use.ipynb'}:cell 4:1"


def test_a_notebook_does_not_hide_the_module_of_its_name(tmp_path: Path) -> None:
    files = {
        "helper.py": HELPER,
        "helper.ipynb": notebook("print(1)"),
        "use.py": "import tensorflow as tf\nimport helper\n\n"
        "sess = tf.Session(config=helper.get_config())\n",
    }
    found = results(tmp_path, files)
    assert found["use.py"].new_text is not None


def test_a_notebook_that_cannot_be_read_imports_nothing(tmp_path: Path) -> None:
    found = results(
        tmp_path, {"helper.py": HELPER, "use.ipynb": '["import helper"]', "x.ipynb": "{"}
    )
    assert found["helper.py"].reason is None
    assert found["x.ipynb"].reason is None


def test_a_config_that_a_cell_shows_stays(tmp_path: Path) -> None:
    build = "import tensorflow as tf\nconfig = tf.ConfigProto(allow_soft_placement=True)\n"
    make = "sess = tf.Session(config=config)"
    for shown in ("config", "config.gpu_options"):
        found = results(tmp_path, {"use.ipynb": notebook(build + shown, make)})
        assert found["use.ipynb"].new is None
    found = results(tmp_path, {"use.ipynb": notebook(build, make)})
    assert found["use.ipynb"].new is not None


def test_a_config_that_a_cell_names_and_shows_stays(tmp_path: Path) -> None:
    build = "import tensorflow as tf\n(config := tf.ConfigProto(allow_soft_placement=True))\n"
    found = results(tmp_path, {"use.ipynb": notebook(build, "sess = tf.Session(config=config)")})
    assert found["use.ipynb"].new is None


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        # `;` stays behind an expression that changes, and behind one that does not.
        (["tf.Session(config=config).run(x);"], ["tf.Session().run(x);"]),
        (["tf.Session(config=config); # quiet"], ["tf.Session();# quiet"]),
        (["s = tf.Session(config=config)\ns.run(x);"], ["s = tf.Session()\ns.run(x);"]),
        # What would be last does not show.
        (["s = tf.Session(config=config)\ns\ndel config"], ["s = tf.Session()\ns;"]),
        (["x; c = config", "tf.Session(config=c)"], ["x;", "tf.Session()"]),
        # What was shown is, and nothing stands behind statements that show nothing.
        (["tf.Session(config=config)"], ["tf.Session()"]),
        (["s = tf.Session(config=config)\nx"], ["s = tf.Session()\nx"]),
        (["s = tf.Session(config=config);"], ["s = tf.Session()"]),
        (["%time x\nc = config", "tf.Session(config=c)"], ["%time x\nNone", "tf.Session()"]),
        (["%%time\nc = config", "tf.Session(config=c)"], ["%%time\nNone", "tf.Session()"]),
        (["!ls\nc = config", "tf.Session(config=c)"], ["!ls", "tf.Session()"]),
    ],
)  # fmt: skip
def test_a_cell_shows_no_more_than_it_did(
    tmp_path: Path, cells: list[str], expected: list[str]
) -> None:
    build = (
        "import tensorflow as tf\nx = 1\nconfig = tf.ConfigProto(inter_op_parallelism_threads=2)"
    )
    found = results(tmp_path, {"use.ipynb": notebook(build, *cells)})["use.ipynb"]
    assert found.new is not None
    first, *others = sources(found.new.decode())
    assert first.endswith("\ntf.config.threading.set_inter_op_parallelism_threads(2)")
    assert others == expected


BUILD = "config = tf.ConfigProto(allow_soft_placement=True)"
MAKE = "sess = tf.Session(config=config)"
PLAIN = "other = tf.Session()"
ON, OFF = (f"tf.config.set_soft_device_placement({value})" for value in (True, None))
BRACKET = f"{ON}\nsess = tf.Session()\n{OFF}"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        # Each cell may be run again by itself, the one of the session or one before it.
        ([BUILD, MAKE], ["", f"{ON}\nsess = tf.Session()"]),
        ([BUILD, MAKE, PLAIN], ["", BRACKET, PLAIN]),
        ([f"{BUILD}\n{MAKE}", PLAIN], [BRACKET, PLAIN]),
        ([PLAIN, f"{BUILD}\n{MAKE}"], [PLAIN, BRACKET]),
        (
            [
                BUILD,
                MAKE,
                "two = tf.ConfigProto(allow_soft_placement=False)\ntf.Session(config=two)",
            ],
            ["", BRACKET.removesuffix(f"\n{OFF}"), f"{ON}\ntf.Session()".replace("True", "False")],
        ),
        # What belongs to the GPUs may stay where the config is built.
        (
            ["config = tf.ConfigProto(inter_op_parallelism_threads=2)", MAKE],
            ["tf.config.threading.set_inter_op_parallelism_threads(2)", "sess = tf.Session()"],
        ),
    ],
)
def test_a_cell_may_be_run_again(tmp_path: Path, cells: list[str], expected: list[str]) -> None:
    text = notebook("import tensorflow as tf", *cells)
    found = results(tmp_path, {"use.ipynb": text})["use.ipynb"]
    assert found.new is not None
    assert sources(found.new.decode())[1:] == expected


def test_a_session_of_a_cell_that_is_run_again_keeps_the_config(tmp_path: Path) -> None:
    text = notebook("import tensorflow as tf", PLAIN, f"{BUILD}\n{MAKE}", MAKE)
    found = results(tmp_path, {"use.ipynb": text})["use.ipynb"]
    assert [config.kept_by for config in found.configs] == ["TFG914"]


WRITTEN = "import tensorflow as tf\n\nother = tf.Session()\n"


@pytest.mark.parametrize(
    "magic", ["%%writefile made.py", "%%file made.py", "%%writefile -a ./made.py"]
)
def test_a_module_that_a_cell_writes_may_do_anything(tmp_path: Path, magic: str) -> None:
    cells = ("import tensorflow as tf", f"{BUILD}\n{MAKE}", f"{magic}\n{WRITTEN}")
    found = results(tmp_path, {"use.ipynb": notebook(*cells, "import made")})["use.ipynb"]
    assert [config.kept_by for config in found.configs] == ["TFG949"]
    found = results(tmp_path, {"use.ipynb": notebook(*cells, "!python made.py")})["use.ipynb"]
    assert [config.kept_by for config in found.configs] == [None]


@pytest.mark.parametrize("use", ["import made", "from made import other", "__import__('made')"])
def test_a_module_that_is_not_there_before_a_script_writes_it(tmp_path: Path, use: str) -> None:
    write = f"with open('made.py', 'w') as file:\n    file.write({WRITTEN!r})\n"
    script = f"import tensorflow as tf\n\n{write}{BUILD}\n{MAKE}\n"
    found = results(tmp_path, {"use.py": f"{script}{use}\n"})["use.py"]
    assert [config.kept_by for config in found.configs] == ["TFG949"]
    assert [it.kept_by for it in results(tmp_path, {"use.py": script})["use.py"].configs] == [None]
