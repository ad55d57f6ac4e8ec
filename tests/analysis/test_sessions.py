"""Sessions that no call of a known name makes."""

from __future__ import annotations

import ast

import pytest

from tests.tools import RAW, book, check_body_kept, source
from tfgpu.code.tree import Tree
from tfgpu.flow.collect import collect
from tfgpu.flow.facts import Facts

CERTAIN = {
    "subclass": "class My(tf.Session):\n    pass\n\nMy()\n",
    "subclass of one": "class A(tf.Session):\n    pass\n\nclass B(A):\n    pass\n\nB()\n",
    "subclass beside another base": "class My(Base, tf.InteractiveSession):\n    pass\n\nMy()\n",
    "subclass by another name": (
        "from tensorflow import Session as S\nclass My(S):\n    pass\n\nMy()\n"
    ),
    "test case": (
        "class T(tf.test.TestCase):\n    def test(self):\n        with self.session():\n"
        "            pass\n"
    ),
    "cached session": (
        "class T(tf.test.TestCase):\n    def test(self):\n        self.cached_session()\n"
    ),
    "test case of the files": (
        "class Base(tf.test.TestCase):\n    pass\n\nclass T(Base):\n    def test(self):\n"
        "        self.test_session()\n"
    ),
    "freezing": (
        "from tensorflow.python.tools import freeze_graph\nfreeze_graph.freeze_graph(a, b)\n"
    ),
    "estimator": "e = tf.estimator.Estimator(f)\ne.train(g)\n",
    "predictor": "tf.contrib.predictor.from_saved_model('a')\n",
}

POSSIBLE = {
    "subclass with a constructor": (
        "class My(tf.Session):\n    def __init__(self):\n        super().__init__()\n\nMy()\n"
    ),
    "choice": "(tf.Session if a else other)()\n",
    "one of two imports": (
        "try:\n    from tensorflow import Session\nexcept ImportError:\n"
        "    from other import Session\nSession()\n"
    ),
    "get_session": "from keras import backend as K\nK.get_session()\n",
    "keras model": "import keras\nmodel = keras.models.Sequential()\nmodel.fit(x, y)\n",
    "keras of tensorflow": "def train(model):\n    model.fit(x)\nm = tf.keras.Model()\ntrain(m)\n",
    "backend function": "tf.keras.backend.get_value(x)\n",
    "train_and_evaluate": "tf.estimator.train_and_evaluate(a, b, c)\n",
    "test case of another file": (
        "from base import BaseTestCase\nclass T(BaseTestCase):\n    def test(self):\n"
        "        self.session()\n"
    ),
    "evaluate of a test": (
        "class T(tf.test.TestCase):\n    def test(self):\n        self.evaluate(x)\n"
    ),
    "module as a parameter": "def run(tf):\n    tf.Session()\n",
    "module of self": "class A:\n    def go(self):\n        self.tf.Session()\n",
    "key of a namespace": "vars(tf)['Session']()\n",
    "name with star": "from utils import *\nSession()\n",
    "getattr by a variable": "getattr(tf, name)(graph=g)\n",
    "getattr with a default": "getattr(tf, 'Session', None)()\n",
}

ANYWHERE = {
    "dictionary": "makers = {'plain': tf.Session}\n",
    "list": "makers = [tf.Session]\n",
    "tuple": "makers = (tf.InteractiveSession, tf.Session)\n",
    "argument": "run(tf.Session)\n",
    "keyword": "run(maker=tf.Session)\n",
    "attribute": "self.maker = tf.Session\n",
    "class attribute": "class A:\n    maker = tf.Session\n",
    "default": "def run(maker=tf.Session):\n    maker()\n",
    "return": "def maker():\n    return tf.Session\n\nrun(maker())\n",
    "partial": "import functools\nmake = functools.partial(tf.Session, graph=g)\nmake()\n",
    "map": "list(map(tf.Session, targets))\n",
    "supervisor": "run(tf.train.Supervisor)\n",
    "monitored": "makers = [tf.train.MonitoredTrainingSession]\n",
    "yield": "def makers():\n    yield tf.Session\n",
    "alias that goes on": "S = tf.Session\nrun(S)\n",
    "import that goes on": "from tensorflow import Session as S\nrun(S)\n",
    "subclass that goes on": "class My(tf.Session):\n    pass\n\nrun(My)\n",
    "replaced": "tf.Session = Other\n",
    "eval": "eval('tf.Session()')\n",
    "exec": "exec(f'sess = tf.Session({x})')\n",
    "getattr that goes on": "run(getattr(tf, 'Session'))\n",
    "class made at run time": "My = type('My', (tf.Session,), {})\n",
    "lambda that gives it": "maker = lambda: tf.Session\n",
    "call of its constructor": "tf.Session.__call__(x)\n",
}

NOTHING = {
    "annotation": "def run(sess: tf.Session) -> tf.Session:\n    other: tf.Session = sess\n",
    "type of typing": "import typing\ndef run(sess: typing.Optional[tf.Session]):\n    pass\n",
    "isinstance": "isinstance(x, tf.Session)\nisinstance(x, (tf.Session, int))\n",
    "comparison": "type(x) is tf.Session\n",
    "except": "try:\n    pass\nexcept tf.errors.OpError:\n    pass\n",
    "base alone": "class My(tf.Session):\n    pass\n",
    "static method": "tf.Session.reset('')\n",
    "session of another library": "import requests\nrequests.Session()\n",
    "class of the file": "class Session:\n    pass\n\nSession()\n",
    "method of the file": (
        "class T(tf.test.TestCase):\n    def session(self):\n        pass\n"
        "    def test(self):\n        self.session()\n"
    ),
    "plain test case": (
        "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n"
        "        self.session()\n"
    ),
    "fit of what prepares data": (
        "import keras\nimages = keras.preprocessing.image.ImageDataGenerator()\nimages.fit(x)\n"
    ),
    "fit of another library": (
        "import keras\nfrom sklearn.svm import SVC\nclf = SVC()\nclf.fit(x)\n"
    ),
    "element type": "getattr(tf, dtype)\n",
    "operation": "getattr(tf, name)(x)\n",
    "supervisor itself": "sv = tf.train.Supervisor()\n",
    "text": "exec('x = 1')\n",
    "named only": "tf.Session\n",
}


def facts(text: str) -> Facts:
    """Return the facts of a program."""
    text = source(RAW + text)
    return collect(Tree(ast.parse(text), text), book()).facts


@pytest.mark.parametrize("text", [*CERTAIN.values(), *POSSIBLE.values()], ids=[*CERTAIN, *POSSIBLE])
def test_session_that_may_be_made(text: str) -> None:
    (found,) = facts(text).possible_sessions
    assert not found.anywhere


@pytest.mark.parametrize("name", ANYWHERE)
def test_class_that_is_not_followed(name: str) -> None:
    found = facts(ANYWHERE[name]).possible_sessions
    assert found
    assert all(item.anywhere for item in found)


@pytest.mark.parametrize("name", NOTHING)
def test_no_session(name: str) -> None:
    found = facts(NOTHING[name])
    assert found.possible_sessions == []
    assert found.plain_sinks == []


@pytest.mark.parametrize(
    "text",
    [
        "tf.Session()\n",
        "getattr(tf, 'Session')()\n",
        "S = tf.Session\nS()\n",
        "from tensorflow import Session as S\nS()\n",
        "tf.compat.v1.compat.v1.Session()\n",
        "import importlib\nt = importlib.import_module('tensorflow')\nt.Session()\n",
        "tf.Session(**{'target': ''})\n",
        "def make(**kwargs):\n    return tf.Session(**kwargs)\nmake(graph=g)\n",
    ],
)
def test_plain_session(text: str) -> None:
    found = facts(text)
    assert len(found.plain_sinks) == 1
    assert found.possible_sessions == []


@pytest.mark.parametrize(
    "text",
    [
        "tf.Session(*arguments)\n",
        "tf.Session(**arguments)\n",
        "def make(**kwargs):\n    return tf.Session(**kwargs)\nmake(config=c)\n",
        "def make(**kwargs):\n    return tf.Session(**kwargs)\nmake(**other)\n",
        "def make(**kwargs):\n    kwargs.update(more)\n    return tf.Session(**kwargs)\nmake()\n",
    ],
)
def test_session_whose_config_is_not_seen(text: str) -> None:
    found = facts(text)
    assert len(found.foreign_sinks) == 1
    assert found.plain_sinks == []


# What such a session leaves behind cannot be put back, as it makes another when that one fails.
HIDDEN = """
config = tf.ConfigProto(device_count={"GPU": 0})
with tf.train.MonitoredTrainingSession(config=config) as sess:
    sess.run(step)
"""
# Keras and estimators have sessions of their own; what these take is another question.
TAKES_SETTINGS = [
    *(CERTAIN[name] for name in CERTAIN if name != "estimator"),
    *(POSSIBLE[name] for name in ("choice", "module as a parameter", "getattr by a variable")),
    *(ANYWHERE[name] for name in ANYWHERE if name != "exec"),
]


@pytest.mark.parametrize("text", TAKES_SETTINGS)
def test_session_beside_a_config_keeps_it(text: str) -> None:
    check_body_kept(f"{HIDDEN}\n\n{text}", "session-without-config")


def test_text_that_only_a_run_knows_may_use_the_config_too() -> None:
    check_body_kept(f"{HIDDEN}\n\n{ANYWHERE['exec']}", "dynamic-import")
