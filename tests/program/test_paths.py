"""The same decisions whatever the files are called on the command line."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.run import run

CLONE = {
    # The package has the name of the clone, as most have.
    "nets/__init__.py": "",
    "nets/small.py": "import tensorflow as tf\n\n\ndef net(x):\n    return tf.square(x)\n",
    "train.py": """
        import importlib
        import sys

        import tensorflow as tf

        net = importlib.import_module("nets." + sys.argv[1]).net

        with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as sess:
            print(sess.run(net(3.0)))
        """,
    "other.py": """
        import tensorflow as tf

        with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
            print(sess.run(tf.constant(1)))
        """,
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"))


def decisions(path: str) -> dict[str, list[str | None]]:
    """Return what keeps the configs of each file, by the end of its path."""
    return {
        "/".join(Path(result.path).absolute().parts[-2:]): [
            config.kept_by for config in result.configs
        ]
        for result in run([path], Job(Options(unsafe_fixes=True), rewrite=False), jobs=1)
    }


@pytest.mark.parametrize("above", ["nets", "test/nets"])
def test_the_folder_that_is_named_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, above: str
) -> None:
    clone = tmp_path / above
    write(clone, CLONE)
    (clone / "pyproject.toml").touch()
    monkeypatch.chdir(clone)
    inside = decisions(".")
    assert inside["nets/train.py"] == [None]
    monkeypatch.chdir(clone.parent)
    assert decisions(clone.name) == inside
    monkeypatch.chdir("/")
    assert decisions(str(clone)) == inside


def test_a_folder_counts_beside_a_package_of_its_name(tmp_path: Path) -> None:
    """Which of two folders an import means, only the run knows: both may be imported."""
    write(
        tmp_path,
        {
            "lib/nets/__init__.py": "",
            "nets/small.py": CLONE["other.py"],
            "train.py": CLONE["train.py"],
        },
    )
    assert decisions(str(tmp_path))["nets/small.py"] != [None]
