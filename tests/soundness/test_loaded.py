"""Modules that are loaded from a file, or by a name: what holds them may be asked for a config."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness import test_windows

LIB = """\
import tensorflow as tf

cfg = tf.ConfigProto(allow_soft_placement=True)


def go():
    with tf.Session(config=cfg) as sess:
        print(sess.run(tf.constant(1)))
"""
ABOVE = """\
import argparse, imp, importlib, importlib.machinery, importlib.util, operator, os, sys, types

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib.py")
"""
SOURCE = "m = imp.load_source('lib2', path)\nm.go()\n"
FUNCTION = "def load(path):\n    return imp.load_source('lib2', path)\n\n\nm = load(path)\n"
LOADER = "loader = importlib.machinery.SourceFileLoader('lib2', path)\n"
SPEC = """\
m = importlib.util.module_from_spec(spec)
spec.loader.exec_module(m)
m.go()
"""
OF_FILE = f"spec = importlib.util.spec_from_file_location('lib2', path)\n{SPEC}"
OF_NAME = f"spec = importlib.util.find_spec('lib')\n{SPEC}"
OBJECT = "class Plugin:\n    def __init__(self):\n        self.m = imp.load_source('lib2', path)\n"
BY_NAME = "modules = {name: importlib.import_module(name) for name in ['lib']}\n"


def migrated(folder: Path, text: str) -> str:
    """Return what safe fixes make of the module that a script loads."""
    test_windows.migrated(folder, main=ABOVE + text, lib=LIB)
    return (folder / "lib.py").read_text()


@pytest.mark.parametrize(
    "text",
    [
        f"{SOURCE}print(m.cfg)\n",
        f"{SOURCE}print(getattr(m, 'cfg'))\n",
        "from imp import load_source\nm = load_source('lib2', path)\nprint(m.cfg)\n",
        f"{LOADER}m = loader.load_module()\nprint(m.cfg)\n",
        f"{LOADER}m = types.ModuleType('lib2')\nloader.exec_module(m)\nprint(m.cfg)\n",
        f"{OF_NAME}print(m.cfg)\n",
        f"{OF_FILE}print(getattr(m, 'cf' + 'g', None))\n",
        f"{OF_FILE}print(m.__dict__['cfg'])\n",
        f"{OF_FILE}print([name for name in vars(m) if name[0] != '_'])\n",
        f"{OF_FILE}print('cfg' in dir(m))\n",
        f"{OF_FILE}m.__dict__.update(cfg=None)\nm.go()\n",
        f"{FUNCTION}print(m.cfg)\n",
        f"{FUNCTION}print(hasattr(m, 'cfg'))\n",
        "modules = {'lib': imp.load_source('lib2', path)}\nprint(modules['lib'].cfg)\n",
        "for m in [imp.load_source('lib2', path)]:\n    print(hasattr(m, 'cfg'))\n",
        "def use(m):\n    print(m.cfg)\n\n\nuse(imp.load_source('lib2', path))\n",
        f"{OBJECT}\n\nprint(Plugin().m.cfg)\n",
        f"{OBJECT}\n\nprint(vars(Plugin().m)['cfg'])\n",
        f"{BY_NAME}print(modules['lib'].cfg)\n",
        f"{BY_NAME}print(getattr(modules['lib'], 'cfg'))\n",
        f"{SOURCE}print(list(map(operator.attrgetter('cfg.allow_soft_placement'), [m])))\n",
        f"{SOURCE}def has(m, names=('cfg', 'go')):\n    return [hasattr(m, n) for n in names]\n",
        "import lib\nsys.modules['plug'] = lib\nfrom plug import cfg, go\n",
        "import lib\nsys.modules.setdefault('plug', lib)\nfrom plug import cfg, go\n",
        f"{SOURCE}sys.meta_path.insert(0, Finder())\nimport plugins_lib\nprint(plugins_lib.cfg)\n",
        "m = types.ModuleType('x')\nexec(open(path).read(), m.__dict__)\nprint(m.cfg)\n",
    ],
)
def test_a_config_that_may_be_asked_of_a_loaded_module_is_kept(tmp_path: Path, text: str) -> None:
    assert "ConfigProto(" in migrated(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        SOURCE,
        OF_FILE,
        f"args = argparse.ArgumentParser().parse_args()\nprint(args.cfg)\n{SOURCE}",
        f"print(vars(argparse.ArgumentParser().parse_args()))\n{SOURCE}",
    ],
)
def test_a_config_that_nobody_asks_a_loaded_module_for_converts(tmp_path: Path, text: str) -> None:
    assert "ConfigProto(" not in migrated(tmp_path, text)
