"""Files that are not named decide on those that are, and nothing else happens to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tools import tfgpu, write
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.program import around
from tfgpu.results import Result
from tfgpu.run import run

TRAIN = """\
import tensorflow as tf


def train():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))
"""
# Makes a session whose config tf.config has nothing for.
OWN = "tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=60000))\n"
EVAL = f"import tensorflow as tf\nimport train\n\n{OWN}train.train()\n"
COMPUTED = EVAL.replace("import train\n", "import importlib\nimport sys\n").replace(
    "train.train()", "importlib.import_module(sys.argv[1]).train()"
)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """Return the folder of a project."""
    write(tmp_path / "setup.py", "")
    return tmp_path


def named(*paths: Path) -> list[Result]:
    """Return the results of a run over some paths, with new texts."""
    job = Job(Options(), rewrite=True)
    return list(run(list(map(str, paths)), job, jobs=1))


def converts(*paths: Path) -> bool:
    """Tell whether the first config of some paths is converted."""
    (config, *_) = [config for result in named(*paths) for config in result.configs]
    return config.kept_by is None


@pytest.mark.parametrize(
    ("files", "is_kept"),
    [
        ({}, False),
        ({"eval.py": EVAL}, True),
        ({"eval.py": "import sub.run\n", "sub/run.py": EVAL}, True),
        ({"test_train.py": EVAL}, True),
        ({"eval.py": "import train\nimport other\ntrain.train()\n", "other.py": "X = 1\n"}, False),
        ({"eval.py": EVAL.replace("import train\n", "").replace("train.train()", "")}, False),
        ({"run.py": COMPUTED}, True),
        ({"tools/run.py": COMPUTED}, False),
        ({"eval.py": EVAL + "print(\n"}, True),
    ],
)
def test_what_imports_a_file_decides_on_it(top: Path, files: dict[str, str], is_kept: bool) -> None:
    train = write(top / "train.py", TRAIN)
    for name, text in files.items():
        write(top / name, text)
    assert converts(train) != is_kept
    if is_kept:
        assert not converts(top)


def test_a_folder_that_is_named_is_decided_on_with_the_files_around_it(top: Path) -> None:
    write(top / "lib" / "train.py", TRAIN)
    write(top / "eval.py", EVAL.replace("import train", "from lib import train"))
    assert not converts(top / "lib")


def test_files_that_are_not_named_have_no_result(top: Path) -> None:
    train = write(top / "train.py", TRAIN)
    write(top / "eval.py", EVAL)
    assert [result.path for result in named(train)] == [str(train)]


def test_what_changes_a_file_that_is_not_named_is_not_done(top: Path) -> None:
    made = write(
        top / "made.py",
        "import tensorflow as tf\n\n\ndef make():\n"
        "    return tf.ConfigProto(allow_soft_placement=True)\n",
    )
    use = write(
        top / "use.py", "import tensorflow as tf\nimport made\n\ntf.Session(config=made.make())\n"
    )
    assert all(result.new_text for result in named(made, use))
    for path in (made, use):
        (result,) = named(path)
        assert result.new_text is None
    (result,) = named(made)
    told = [item.message for item in result.findings if item.name == "not-named"]
    assert [str(use) in message for message in told] == [True]


def test_a_program_of_which_a_part_is_named_keeps_its_imports(top: Path) -> None:
    train = write(top / "train.py", TRAIN)
    main = write(top / "main.py", "import tensorflow as tf\nimport train\n\ntrain.train()\n")
    (result,) = named(train)
    assert result.new_text is not None
    assert "import tensorflow as tf\n" in result.new_text
    assert "import tensorflow.compat.v1 as tf\n" in str(named(train, main)[0].new_text)


def test_any_folder_is_not_searched_for_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train = write(tmp_path / "train.py", TRAIN)
    write(tmp_path / "sub" / "test_run.py", EVAL)
    monkeypatch.chdir(tmp_path)
    assert not converts(train)
    monkeypatch.setattr(around, "_MOST_FILES", 1)
    assert converts(train)
    write(tmp_path / "eval.py", EVAL)
    assert not converts(train)


def test_the_cache_knows_the_files_that_decide(
    top: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    write(top / "train.py", TRAIN)
    monkeypatch.chdir(top)

    def kept() -> str:
        return tfgpu("audit", "--cache-dir", str(cache), "train.py").stdout

    alone = kept()
    assert kept() == alone
    write(top / "eval.py", EVAL)
    beside = kept()
    assert beside != alone
    assert kept() == beside
    write(top / "eval.py", EVAL.replace(OWN, ""))
    assert kept() != beside
