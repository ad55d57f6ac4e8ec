"""Objects and functions that one file defines and others make or call, once or more often."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program.test_programs import results

TRAINER = """
    import tensorflow as tf


    class Trainer:
        def __init__(self, threads):
            self.config = tf.ConfigProto(intra_op_parallelism_threads=threads)

        def train(self):
            return tf.Session(config=self.config)
"""
ONCE = """
    from trainer import Trainer

    def main(args):
        trainer = Trainer(args.threads)
        trainer.train()
"""
PACKAGE = {"pkg/trainer.py": TRAINER, "main.py": ONCE.replace("from trainer", "from pkg.trainer")}


def kept(folder: Path, files: dict[str, str], per_file: bool = False) -> set[str | None]:
    found = results(folder, files, per_file=per_file)
    return {config.kept_by for result in found.values() for config in result.configs}


def test_an_object_that_another_file_makes_once(tmp_path: Path) -> None:
    assert kept(tmp_path, {"trainer.py": TRAINER, "main.py": ONCE}) == {None}


@pytest.mark.parametrize(
    "more",
    [
        "from trainer import Trainer\n\nTrainer(3)\n",
        "from trainer import Trainer as Made\n\nMade(3)\n",
        "import trainer as module\n\nmodule.Trainer(3)\n",
        "from trainer import *\n\nTrainer(3)\n",
        "from trainer import Trainer\n\nTRAINERS = [Trainer]\n",
        "from trainer import Trainer\n\n\nclass Other(Trainer):\n    pass\n",
        "try:\n    from trainer import Trainer as T\nexcept ImportError:\n    T = None\n\nT(3)\n",
    ],
)
def test_another_file_that_makes_one_too(tmp_path: Path, more: str) -> None:
    files = {"trainer.py": TRAINER, "main.py": ONCE, "more.py": f"import main\n{more}"}
    assert kept(tmp_path, files) == {"TFG932"}


def test_another_program_that_makes_one_too(tmp_path: Path) -> None:
    more = "from trainer import Trainer\n\nTrainer(3)\n"
    assert kept(tmp_path, {"trainer.py": TRAINER, "main.py": ONCE, "more.py": more}) == {None}


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("from .trainer import Trainer\n", "Trainer"),
        ("from .trainer import Trainer as Made\n", "Made"),
        ("from .trainer import *\n", "Trainer"),
    ],
)
def test_another_file_that_has_it_from_a_package(tmp_path: Path, package: str, name: str) -> None:
    more = f"import main\nfrom pkg import {name}\n\n{name}(3)\n"
    assert kept(tmp_path, PACKAGE | {"pkg/__init__.py": package}) == {None}
    files = PACKAGE | {"pkg/__init__.py": package, "more.py": more}
    assert kept(tmp_path, files) == {"TFG932"}


def test_file_by_file_other_callers_are_not_looked_at(tmp_path: Path) -> None:
    files = {"trainer.py": TRAINER + "\n\n    Trainer(3).train()\n", "main.py": ONCE}
    assert kept(tmp_path, files, per_file=True) == {None}


@pytest.mark.parametrize(("more", "reason"), [("", None), ("    trainer.set_up(3)\n", "TFG932")])
def test_a_method_that_another_file_calls(tmp_path: Path, more: str, reason: str | None) -> None:
    trainer = TRAINER.replace("def __init__(", "def set_up(")
    main = "from trainer import Trainer\n\n\ndef main(args):\n    trainer = Trainer()\n"
    main += f"    trainer.set_up(args.threads)\n{more}    trainer.train()\n"
    assert kept(tmp_path, {"trainer.py": trainer, "main.py": main}) == {reason}
