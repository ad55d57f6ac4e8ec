"""Options of argparse, and flags, that are certainly whole numbers; and values of attributes."""

from __future__ import annotations

import ast

import pytest

from tfgpu.code.tree import Tree
from tfgpu.flow.collect import Analysis, collect
from tfgpu.rulebook.book import load_rulebook

PARSER = """\
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=0)
args = parser.parse_args()
{}
use(args.gpu)
"""
FLAGS = """\
import tensorflow as tf
tf.app.flags.DEFINE_integer("gpu", 0, "")
FLAGS = tf.app.flags.FLAGS
{}
use(FLAGS.gpu)
"""


def used(text: str) -> tuple[Analysis, ast.expr]:
    """Return the analysis of a file, and the argument of `use` in it."""
    tree = Tree(ast.parse(text), text, "main.py")
    analysis = collect(tree.for_analysis(), load_rulebook())
    (call,) = (call for call in tree.calls if getattr(call.func, "id", "") == "use")
    return analysis, call.args[0]


def is_whole(text: str) -> bool:
    analysis, argument = used(text)
    return analysis.values.is_whole(argument)


@pytest.mark.parametrize(
    "text",
    [
        PARSER.format("print(vars(args))"),
        PARSER.format("for name in vars(args):\n    print(getattr(args, name))"),
        PARSER.replace('"--gpu"', '"-g", "--gpu"').format(""),
        PARSER.replace('"--gpu"', '"--device", dest="gpu"').format(""),
        PARSER.replace("default=0", "required=True").format(""),
        PARSER.replace('"--gpu", type=int, default=0', '"gpu", type=int').format(""),
        PARSER.replace("args = ", "def parse():\n    return ").format("args = parse()"),
        FLAGS.format("print(FLAGS)"),
        "import tensorflow as tf\nflags = tf.app.flags\nflags.DEFINE_integer('gpu', 0, '')\n"
        "FLAGS = flags.FLAGS\nuse(FLAGS.gpu)\n",
        "from absl import flags\nflags.DEFINE_integer('gpu', 0, '')\nuse(flags.FLAGS.gpu)\n",
        "import os\ndef rank():\n    return int(os.environ['RANK'])\nuse(rank())\n",
        "def rank():\n    if known:\n        return int(load())\n    return 0\nuse(rank())\n",
    ],
)
def test_whole(text: str) -> None:
    assert is_whole(text)


@pytest.mark.parametrize(
    "text",
    [
        PARSER.replace(", default=0", "").format(""),
        PARSER.replace("default=0", "default=None").format(""),
        PARSER.replace("default=0", "default='0,1'").format(""),
        PARSER.replace("type=int", "type=str").format(""),
        PARSER.replace("type=int, ", "").format(""),
        PARSER.replace("default=0", "default=0, nargs='+'").format(""),
        PARSER.replace("default=0", "default=0, action='append'").format(""),
        PARSER.replace("default=0", "default=0, **more").format(""),
        PARSER.replace("import argparse", "import argparse\nint = str").format(""),
        PARSER.format("args.gpu = '1,0'"),
        PARSER.format("setattr(args, 'gpu', '1,0')"),
        PARSER.format("for name in names:\n    setattr(args, name, '1,0')"),
        PARSER.format("vars(args)['gpu'] = '1,0'"),
        PARSER.format("vars(args).update(gpu='1,0')"),
        PARSER.format("args.__dict__['gpu'] = '1,0'"),
        PARSER.format("known = vars(args)\nknown['gpu'] = '1,0'"),
        PARSER.format("args = load()"),
        PARSER.format("parser.add_argument(name, dest='gpu')"),
        PARSER.format("parser.add_argument(name)"),
        PARSER.format("option.type = str"),
        PARSER.format("option.default = '1,0'"),
        PARSER.format("for option in parser._actions:\n    change(option)"),
        PARSER.replace("parser.add", "parser.register('type', int, str)\nparser.add").format(""),
        PARSER.format("globals()['args'] = load()"),
        FLAGS.format("FLAGS['gpu'].value = '1,0'"),
        "def rank():\n    return 0\nrank.__code__ = other.__code__\nuse(rank())\n",
        "def rank():\n    return 0\nglobals().update(rank=load)\nuse(rank())\n",
        PARSER.replace("args = p", "parser.set_defaults(gpu='1,0')\nargs = p").format(""),
        PARSER.replace("parse_args()", "parse_args(namespace=known)").format(""),
        PARSER.replace("parse_args()", "parse_known_args()").format(""),
        "def main(args):\n    use(args.gpu)\n",
        FLAGS.format("FLAGS.gpu = '1,0'"),
        FLAGS.replace("integer", "string").format(""),
        FLAGS.replace(", 0,", ", None,").format(""),
        FLAGS.format("tf.app.flags.DEFINE_string(name, '', '')"),
        "def rank():\n    if x:\n        return 0\nuse(rank())\n",
        "def rank():\n    return value\nuse(rank())\n",
        "@cached\ndef rank():\n    return 0\nuse(rank())\n",
        "def rank():\n    yield 0\n    return 0\nuse(rank())\n",
    ],
)
def test_not_whole(text: str) -> None:
    assert not is_whole(text)


CLASS = """\
class Model(object):
    {}
    def __init__(self, share=0.5):
        self.share = share
{}
model = Model()
use({})
"""


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (CLASS.format("SHARE = 0.4", "", "Model.SHARE"), {0.4}),
        (CLASS.format("SHARE = 0.4", "", "model.SHARE"), {0.4}),
        (CLASS.format("SHARE = 0.4", "def f(x):\n    x.SHARE = 0.3", "model.SHARE"), {0.3, 0.4}),
        (CLASS.format("", "", "model.share"), {0.5}),
        (CLASS.format("", "Model(share=0.2)", "model.share"), {0.2, 0.5}),
        (CLASS.format("share = 0.1", "", "model.share"), {0.1, 0.5}),
        (CLASS.format("", "def f(x):\n    x.share = Model().share", "model.share"), {0.5}),
    ],
)
def test_values_of_attributes(text: str, values: set[float]) -> None:
    analysis, argument = used(text)
    assert set(analysis.possible.values(argument) or ()) == values


@pytest.mark.parametrize(
    "text",
    [
        CLASS.format("SHARE = 0.4", "Model.SHARE = load()", "Model.SHARE"),
        CLASS.format("SHARE = 0.4", "Model.SHARE += 1", "Model.SHARE"),
        CLASS.format("SHARE = 0.4", "setattr(Model, name, 2)", "Model.SHARE"),
        CLASS.format("SHARE = 0.4", "vars(Model)[name] = 2", "Model.SHARE"),
        CLASS.format("SHARE = 0.4", "for Model.SHARE in shares:\n    pass", "Model.SHARE"),
        CLASS.format("SHARE = 0.4", "", "other.SHARE"),
        CLASS.format("", "def f(x):\n    x.share = other.share", "model.share"),
        CLASS.format("SHARE = 0.4", "", "load().SHARE"),
        CLASS.format("SHARE = load()", "", "Model.SHARE"),
        CLASS.format("SHARE = property(load)", "", "model.SHARE"),
        CLASS.format("@property\n    def SHARE(self):\n        return load()", "", "model.SHARE"),
        CLASS.format("def __getattr__(self, name):\n        return 2", "", "model.share"),
        CLASS.format("def __setattr__(self, name, value):\n        pass", "", "model.share"),
        CLASS.format("", "Model(load())", "model.share"),
        CLASS.format("", "make(Model)", "model.share"),
        CLASS.replace("object", "Base").format("SHARE = 0.4", "", "Model.SHARE"),
        CLASS.replace("(object)", "(metaclass=Meta)").format("SHARE = 0.4", "", "Model.SHARE"),
        "@dataclass\n" + CLASS.format("SHARE: float = 0.4", "", "Model.SHARE"),
    ],
)
def test_values_of_attributes_that_are_not_known(text: str) -> None:
    analysis, argument = used(text)
    assert analysis.possible.values(argument) is None
