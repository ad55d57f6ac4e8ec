"""Code that is not plain Python may run any function: nothing converts safely around it."""

from __future__ import annotations

import pytest

from tests.tools import analysed
from tfgpu.rulebook.book import load_rulebook

# `Other` and `other` make TensorFlow 2's eager context, and are named nowhere.
PROGRAM = """\
import tensorflow as tf
{above}


class Base(object):
    pass


class Other(Base):
    def __init__(self):
        tf.data.Dataset.range(3).map(abs)


def other():
    tf.data.Dataset.range(3).map(abs)


{hidden}
growth = input() == "grow"
config = tf.ConfigProto()
config.gpu_options.allow_growth = growth


def main():
    with tf.Session(config=config) as sess:
        sess.run(tf.constant(1))


main()
"""

HIDDEN = [
    ("", "globals()['oth' + 'er']()"),
    ("", "[value() for name, value in sorted(vars().items()) if name == 'other']"),
    ("", "eval(text)()"),
    ("from builtins import eval as run", "run(text)"),
    ("from six.moves import builtins", "builtins.eval(text)"),
    ("import six", "six.exec_(text)"),
    ("", "exec(text)"),
    ("import code", "code.InteractiveInterpreter().runsource(text)"),
    ("import runpy", "runpy.run_path(path)"),
    ("import __main__", "getattr(__main__, 'other')()"),
    ("import sys", "sys.modules[__name__].__dict__['other']()"),
    ("import sys", "getattr(sys.modules[__name__], name)()"),
    ("import sys", "sys._getframe().f_globals[name]()"),
    ("import inspect", "inspect.currentframe().f_globals[name]()"),
    ("import inspect", "[f() for _, f in inspect.getmembers(m, inspect.isfunction)]"),
    ("import gc", "[f() for f in gc.get_objects() if f_of(f)]"),
    ("import gc", "gc.callbacks.append(run)"),
    ("import sys", "sys.settrace(run)"),
    ("import threading", "threading.setprofile(run)"),
    ("import pickle", "pickle.loads(data)"),
    ("from pickle import load", "load(file)"),
    ("import numpy as np", "np.load(path, None, True)"),
    ("import numpy as np", "np.load(path, allow_pickle=True)"),
    ("import numpy as np", "np.load(path, **options)"),
    ("import numpy as np", "run(np.load)"),
    ("import pandas as pd", "pd.read_pickle(path)"),
    ("import yaml", "yaml.load(text)"),
    ("import yaml", "yaml.load(text, Loader=yaml.Loader)"),
    ("import yaml", "yaml.load(text, loader)"),
    ("import logging.config", "logging.config.fileConfig(path)"),
    ("import operator", "operator.methodcaller(name)(thing)"),
    ("import operator", "operator.attrgetter(name)(thing)()"),
    ("import importlib.util", "importlib.util.find_spec(name)"),
    ("import pkgutil", "pkgutil.get_loader(name)"),
    ("import typing", "typing.get_type_hints(other)"),
    ("import ctypes", "ctypes.pythonapi.PyRun_SimpleString(text)"),
    ("import atexit", "atexit._run_exitfuncs()"),
    ("import json", "json.codecs.builtins.eval(text)"),
    ("import timeit", "timeit.timeit(text)"),
    ("import cProfile", "cProfile.run(text)"),
    ("import doctest", "doctest.testmod()"),
    ("import unittest", "unittest.TextTestRunner().run(suite)"),
    ("from unittest import mock", "mock.patch(name).start()"),
    ("from tensorflow.python.eager import context", "context.ensure_initialized()"),
    ("from tensorflow.python.framework import config as c", "c.get_visible_devices()"),
    ("from tensorflow.python.framework import ops", "ops.enable_eager_execution()"),
    ("from inspect import *", "signature(other)"),
    ("", "Base.__subclasses__()[0]()"),
    ("", "Base.__dict__[name]()"),
    ("", "getattr(thing, 'oth' + rest)()"),
    ("", "setattr(thing, f'oth{rest}', run)"),
    ("", "getattr(thing, '__ini' + rest)()"),
    ("", "getattr(thing, f'{name}_function')()"),
    ("import tensorflow as tf", "setattr(tf, 'some_' + rest, run)"),
    ("import inspect", "run(inspect.currentframe())"),
    ("import sys", "reload(module)"),
    ("", "type(thing)()"),
    ("", "thing.__class__()"),
    ("", "type('Made', (Base,), {})()"),
    ("", "class Meta(Base, metaclass=maker):\n    pass"),
    ("", "class Made(Base):\n    __metaclass__ = maker"),
    ("", "class Parent:\n    def __init_subclass__(cls):\n        cls()"),
    ("", "class Parent:\n    def __new__(cls):\n        return cls.first()"),
    ("", "class Parent:\n    def __getattr__(self, name):\n        return found(name)"),
    ("", "class Parent:\n    def __getattr__(self, name):\n        return lambda: name"),
    ("", "class Parent:\n    def __getattr__(self, name):\n        return getattr(tf, name)"),
    (
        "",
        "class Parent:\n    def __setattr__(self, name, value):\n"
        "        object.__setattr__(tf, name, value)",
    ),
    ("", "class Parent:\n    def __init__(self):\n        self.__dict__ = tf.__dict__"),
    ("", "class Field:\n    def __set_name__(self, owner, name):\n        owner()"),
    ("", "class Field:\n    def __class_getitem__(cls, item):\n        return item"),
    ("", "def __getattr__(name):\n    return 1"),
    ("", "other.__globals__[name]()"),
    ("", "other.__closure__[0].cell_contents()"),
    ("", "__builtins__.eval(text)"),
    ("", "__loader__.exec_module(module)"),
    ("import sys", "sys.stdout = writer"),
    ("import sys", "sys.excepthook = hook"),
    ("import os", "os.path.join = run"),
    ("import os", "del os.environ"),
    ("import os", "setattr(os, 'linesep', run)"),
]

PLAIN = [
    ("from past.utils import old_div", "print(old_div(7, 2))"),
    ("from past.builtins import xrange", "print(len(xrange(3)))"),
    ("import argparse\nimport os\nimport sys", "print(os.path.join('a', 'b'), len(sys.argv))"),
    ("import datetime", "print(datetime.datetime.now())"),
    ("from six.moves import range", "print([n for n in range(3)])"),
    ("import six", "print(six.iteritems({}))"),
    ("import numpy as np", "print(np.random.rand(3), np.linalg.norm([1, 2]))"),
    ("import collections", "print(collections.Counter('abc').most_common(1))"),
    ("import time", "print(time.time())"),
    ("import glob", "print(sorted(glob.glob('*.py')))"),
    ("import os", "os.environ['TF_CPP_MIN_LOG_LEVEL'] = '2'"),
    ("import logging", "logging.getLogger(__name__).info('begin')"),
    ("import copy", "print(copy.deepcopy([1]))"),
    ("from math import *", "print(sqrt(2))"),
    ("import json", "print(json.dumps({'a': 1}))"),
    ("try:\n    import yaml\nexcept ImportError:\n    yaml = None", "if yaml:\n    print(1)"),
    ("try:\n    import yaml\nexcept ImportError:\n    yaml = None", "print(yaml is None)"),
    ("from tensorflow.python.framework import graph_util", "print(graph_util)"),
    ("from tensorflow.python.ops import math_ops", "print(math_ops.add(1, 2))"),
    ("", "print(hasattr(tf, 'Session'), type(1).__name__, isinstance(1, int))"),
    ("", "class Plain(Base):\n    def __len__(self):\n        return 1"),
    (
        "",
        "class Options(object):\n    def __init__(self, **given):\n"
        "        for key in given:\n            setattr(self, key, 1)",
    ),
    (
        "import json",
        "class Options(object):\n    def __init__(self, path):\n"
        "        self.__dict__.update(json.load(open(path)))",
    ),
    (
        "import threading",
        "class Own(threading.Thread):\n    def __init__(self):\n"
        "        threading.Thread.__init__(self)\nOwn()",
    ),
    (
        "import numpy as np",
        "print(np.load('a.npy').astype('float32'), np.load('b', mmap_mode='r'))",
    ),
    ("import yaml", "print(yaml.load(open('a'), Loader=yaml.SafeLoader)['a'].lower())"),
    ("import inspect", "print(inspect.getfile(inspect.currentframe()))"),
    ("import sys", "reload(sys)\nsys.setdefaultencoding('utf8')"),
    ("import copy", "print(copy.deepcopy({'a': 'b'})['a'].upper())"),
    ("", "for name in dir(1):\n    print(name.upper())"),
    (
        "",
        "def lazy(function):\n    name = '_cache_' + function.__name__\n    @property\n"
        "    def get(self):\n        if not hasattr(self, name):\n"
        "            setattr(self, name, function(self))\n        return getattr(self, name)\n"
        "    return get\nclass Net(object):\n    @lazy\n    def out(self):\n"
        "        return tf.constant(1)\nNet().out",
    ),
    (
        "",
        "class Net(object):\n    @staticmethod\n    def width(x):\n        return x.get_shape()\n"
        "    def build(self):\n        return self.width(tf.placeholder(tf.float32, [3]))\n"
        "Net().build()",
    ),
    (
        "",
        "class Items(dict):\n    __getattr__ = dict.__getitem__\n"
        "    __setattr__ = dict.__setitem__",
    ),
    (
        "",
        "class Items(dict):\n    def __getattr__(self, name):\n        try:\n"
        "            return self[name]\n        except KeyError:\n"
        "            raise AttributeError(name)\n"
        "    def __setattr__(self, name, value):\n        self[name] = value",
    ),
    (
        "",
        "class Items(dict):\n    def __init__(self, *given, **named):\n"
        "        super().__init__(*given, **named)\n        self.__dict__ = self",
    ),
    (
        "",
        "class Items(dict):\n    def __setattr__(self, name, value):\n"
        "        super().__setattr__(name, value)\n        super().__setitem__(name, value)",
    ),
    (
        "",
        "class Only(object):\n    made = None\n    def __new__(cls, *given):\n"
        "        if cls.made is None:\n            cls.made = super(Only, cls).__new__(cls)\n"
        "        return cls.made",
    ),
    ("import abc", "class Abstract(metaclass=abc.ABCMeta):\n    pass"),
    ("", "try:\n    print(1)\nexcept (ValueError, KeyError):\n    pass"),
]


def _kept_by(above: str, hidden: str) -> str | None:
    (config,) = analysed(PROGRAM.format(above=above, hidden=hidden)).configs
    return config.kept_by


@pytest.mark.parametrize(("above", "hidden"), HIDDEN)
def test_what_is_not_plain_keeps_the_config(above: str, hidden: str) -> None:
    assert _kept_by(above, hidden) is not None


@pytest.mark.parametrize(("above", "hidden"), PLAIN)
def test_plain_code_keeps_nothing(above: str, hidden: str) -> None:
    assert _kept_by(above, hidden) is None


def test_names_that_are_plain() -> None:
    plain = load_rulebook().plain
    for name in ("os.path.join", "os.environ", "datetime.datetime.now", "numpy.random.rand"):
        assert plain.has(name), name
    for name in ("os", "numpy", "numpy.load", "glob.os.environ", "json._default_decoder", "sys.x"):
        assert not plain.has(name), name
    assert plain.is_whole("math")
    assert not plain.is_whole("numpy")
