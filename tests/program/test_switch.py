"""The switch of imports to tensorflow.compat.v1: whole programs, or not at all."""

from __future__ import annotations

import pytest

from tests.program.switching import plan, written
from tfgpu.code.when import When
from tfgpu.options import Options
from tfgpu.program.switches import Cause, Stay, Why
from tfgpu.program.version import Version

TF = "import tensorflow as tf\n"
GRAPH = TF + "sess = tf.Session(config=tf.ConfigProto())\n"
HEAD = ["tensorflow", "disable tf 1"]
CALLS = "import net\nnet.run()\n"


# H: what programs of TensorFlow 2 import, too.

EAGER = {
    "numpy-method": TF + "import net\nprint(net.scale(tf.constant(1.0)).numpy())\n",
    "tape": TF + "import net\nwith tf.GradientTape() as tape:\n    net.scale(1)\n",
    "function": TF + "import net\n@tf.function\ndef step(x):\n    return net.scale(x)\n",
    "function-called": TF + "import net\nstep = tf.function(net.scale)\n",
    "new-name": TF + "from net import scale\ntf.random.set_seed(1)\nscale(1)\n",
    "star": TF + "from net import *\ntf.config.list_physical_devices('GPU')\nscale(1)\n",
    "compat-session": TF + "import net\ntf.compat.v1.Session()\nnet.scale(1)\n",
    "keras": TF + "import net\nmodel = tf.keras.Sequential([])\nmodel.fit(net.scale(1))\n",
    "behind-a-module": "import middle\nmiddle.go()\n",
}
MIDDLE = TF + "import net\ndef go():\n    return net.scale(tf.constant(1.0)).numpy()\n"
# What a file shared by programs for both does, and whether compat.v1 means the same to both.
SHARED = {
    "v1-only": ("def start():\n    return tf.placeholder(tf.float32)\n", True),
    "dropout": ("def start():\n    return tf.placeholder(tf.float32)\n"
                "def scale(x):\n    return tf.nn.dropout(x, 0.9)\n", False),
    "keyword": ("def start():\n    return tf.placeholder(tf.float32)\n"
                "def scale(x):\n    return tf.reduce_sum(x, keep_dims=True)\n", False),
    "same-parameters": ("def start():\n    return tf.placeholder(tf.float32)\n"
                        "def scale(x):\n    return tf.reduce_sum(x, axis=1)\n", True),
    "passed-on": ("def start():\n    return tf.placeholder(tf.float32)\n"
                  "def scale(x):\n    return build(tf, x)\n", False),
    "keras": ("def start():\n    return tf.placeholder(tf.float32)\n"
              "def scale(x):\n    return tf.keras.layers.LSTM(1)(x)\n", False),
}  # fmt: skip


@pytest.mark.parametrize("kind", SHARED)
@pytest.mark.parametrize("name", EAGER)
def test_file_of_programs_for_both_versions(name: str, kind: str) -> None:
    body, harmless = SHARED[kind]
    # A star import has its `tf` from the file, with names that compat.v1 may lack.
    harmless = harmless and name != "star"
    texts = {
        "train.py": GRAPH + "import net\nnet.start()\n",
        "serve.py": EAGER[name],
        "middle.py": MIDDLE,
        "net.py": TF + body,
    }
    found = plan(texts)
    serve = next(found.of("serve.py"))
    assert serve.version in (Version.TF2, Version.UNKNOWN)
    assert serve.graph_mode is not When.ALWAYS
    train = next(item for item in found.programs if item.program.entries == ("train.py",))
    if harmless:
        assert written(found) == {"train.py": HEAD, "net.py": ["tensorflow"]}
    else:
        assert written(found) == {}
        assert train.bridge
        assert train.obstacle is not None
        assert train.obstacle.cause is Cause.SHARED
        assert train.obstacle.name == "serve.py"


def test_script_that_is_imported_by_a_program_of_tensorflow_2() -> None:
    found = plan(
        {
            "train.py": GRAPH + "def scale(x):\n    return x\nif __name__ == '__main__':\n    1\n",
            "serve.py": TF + "import train\nprint(tf.constant(train.scale(1)).numpy())\n",
        }
    )
    assert written(found) == {}


def test_two_programs_of_tensorflow_1_share_a_file() -> None:
    texts = {
        "train.py": GRAPH + CALLS,
        "evaluate.py": GRAPH + CALLS,
        "net.py": TF + "def run():\n    return tf.nn.dropout(1, 0.9)\n",
    }
    assert written(plan(texts)) == {"train.py": HEAD, "evaluate.py": HEAD, "net.py": ["tensorflow"]}


# I: every file that would mean something else.

OTHER_MEANING = {
    "dropout": "def run(x):\n    return tf.nn.dropout(x, 0.9)\n",
    "dropout-keyword": "def run(x):\n    return tf.nn.dropout(x, keep_prob=0.9)\n",
    "dimension": "def run(x):\n    return tf.argmax(x, dimension=1)\n",
    "alias": "nn = tf.nn\ndef run(x):\n    return nn.dropout(x, 0.9)\n",
    "function-passed": "def run(x):\n    return list(map(tf.reduce_sum, x))\n",
    "variable": "def run(x):\n    return tf.Variable(x)\n",
    "where": "def run(x, y):\n    return tf.where(x, x, y)\n",
    "keep-dims": "def run(x):\n    return tf.reduce_mean(x, 1, True, None, None, True)\n",
    "resize": "def run(x):\n    return tf.image.resize(x, [2, 2])\n",
    "method-of-class": "class Net:\n    def run(self, x):\n        return tf.cond(x, abs, abs)\n",
    "module-passed": "def run(x):\n    return x.build(tf)\n",
    "default-argument": "def run(x, drop=tf.nn.dropout):\n    return drop(x, 0.9)\n",
}
SAME_MEANING = {
    "relu": "def run(x):\n    return tf.nn.relu(x)\n",
    "axis": "def run(x):\n    return tf.argmax(x, axis=1)\n",
    "sum": "def run(x):\n    return tf.reduce_sum(x, 1, keepdims=True)\n",
    "types": "def run(x):\n    return tf.cast(x, tf.float32)\n",
    "constant": "def run(x):\n    return tf.constant(x, tf.float32, name='x')\n",
    "asked-only": "def run(x):\n    return hasattr(tf, 'constant')\n",
}


@pytest.mark.parametrize("name", OTHER_MEANING)
def test_file_that_would_mean_something_else_is_switched_too(name: str) -> None:
    found = plan({"train.py": GRAPH + CALLS, "net.py": TF + OTHER_MEANING[name]}, ["train.py"])
    assert written(found) == {"train.py": HEAD, "net.py": ["tensorflow"]}


@pytest.mark.parametrize("name", SAME_MEANING)
def test_file_that_means_the_same_stays(name: str) -> None:
    found = plan({"train.py": GRAPH + CALLS, "net.py": TF + SAME_MEANING[name]}, ["train.py"])
    assert written(found) == {"train.py": HEAD}
    assert found.file("net.py") == Stay(Why.SAME_NAMES)


HANDED_ON = {
    "from": "from common import tf\ndef run(x):\n    return tf.nn.dropout(x, 0.9)\n",
    "renamed": "from common import tf as T\ndef run(x):\n    return T.nn.dropout(x, 0.9)\n",
    "module": "import common\ndef run(x):\n    return common.tf.nn.dropout(x, 0.9)\n",
    "module-renamed": "import common as c\ndef run(x):\n    return c.tf.nn.dropout(x, 0.9)\n",
    "star": "from common import *\ndef run(x):\n    return tf.nn.dropout(x, 0.9)\n",
    "chain": "from second import tf\ndef run(x):\n    return tf.nn.dropout(x, 0.9)\n",
    "star-over-import": TF + "from common import *\ndef run(x):\n    return tf.nn.relu(x)\n"
    "y = tf.nn.dropout(1, 0.9)\n",
    "star-chain": "from third import *\ndef run(x):\n    return tf.nn.dropout(x, 0.9)\n",
}


@pytest.mark.parametrize("name", HANDED_ON)
def test_tensorflow_from_a_file_of_the_program(name: str) -> None:
    texts = {
        "train.py": GRAPH + CALLS,
        "net.py": HANDED_ON[name],
        "common.py": TF,
        "second.py": "from common import tf\n",
        "third.py": "from second import *\n",
    }
    expected = {"train.py": HEAD, "common.py": ["tensorflow"]}
    if name == "star-over-import":
        expected["net.py"] = ["tensorflow"]
    assert written(plan(texts, ["train.py"])) == expected


# I2: switched without need.

NO_NEED = {
    "notebook-names": "from net import *\nx = tf.compat.v1.placeholder(tf.float32)\n",
    "compat-session": "import net\nnet.tf.compat.v1.Session()\n",
    "compat-module": "import tensorflow.compat.v1 as tf\nimport net\ntf.Session()\n",
    "compat-turned-off": "import tensorflow.compat.v1 as tf\n"
    "tf.disable_v2_behavior()\nimport net\n",
    "new-names": TF + "import net\ntf.config.list_physical_devices()\n",
    "compat-from": "from tensorflow.compat.v1 import Session\nimport net\nSession()\n",
}


@pytest.mark.parametrize("name", NO_NEED)
def test_program_of_tensorflow_2_is_not_switched(name: str) -> None:
    texts = {"main.py": NO_NEED[name], "net.py": TF + "def run(x):\n    return tf.reduce_mean(x)\n"}
    found = plan(texts)
    assert written(found) == {}
    assert found.programs[0].version is Version.TF2
    assert not found.programs[0].bridge


# J: every import of a file.

FORMS = {
    "names": (GRAPH + "from tensorflow.layers import dense\ndense(1)\n",
              ["tensorflow", "tensorflow.layers.dense", "disable tf 1"]),
    "names-only": ("from tensorflow import Session\nSession()\n",
                   ["tensorflow.Session", "disable tf 1"]),
    "submodule-renamed": (GRAPH + "import tensorflow.layers as L\nL.dense(1)\n",
                          ["tensorflow", "tensorflow.layers", "disable tf 1"]),
    "submodule": (GRAPH + "from tensorflow import layers\nlayers.dense(1)\n",
                  ["tensorflow", "tensorflow.layers", "disable tf 1"]),
    "other-meaning": (GRAPH + "from tensorflow.nn import dropout\ndropout(1, 0.9)\n",
                      ["tensorflow", "tensorflow.nn.dropout", "disable tf 1"]),
    "internal": (GRAPH + "from tensorflow.python.ops import rnn\nrnn.dynamic_rnn(1)\n", HEAD),
    "keras": (GRAPH + "from tensorflow import keras\nkeras.Sequential()\n", HEAD),
    "two-names": (TF + "import tensorflow\ntf.Session()\ntensorflow.Session()\n",
                  ["tensorflow", "tensorflow", "disable tf 1"]),
    "in-a-function": ("def run():\n    import tensorflow as tf\n    return tf.Session()\n",
                      ["tensorflow", "disable tf 2"]),
    "star": ("from tensorflow import *\nSession()\n", ["tensorflow.*", "disable tf 1"]),
    "star-of-a-part": (GRAPH + "from tensorflow.layers import *\ndense(1)\n",
                       ["tensorflow", "tensorflow.layers.*", "disable tf 1"]),
}  # fmt: skip
NO_FORMS = {
    "internal-beside": "import tensorflow\nimport tensorflow.python.x\ntensorflow.Session()\n",
    "internal-first": "import tensorflow.python.x\nimport tensorflow\ntensorflow.Session()\n",
    "part-binds-all": "import tensorflow.layers\ntensorflow.Session()\n",
    "mixed-names": "from tensorflow import Session, python\nSession()\n",
    "by-name": GRAPH + "import importlib\ntf2 = importlib.import_module('tensorflow')\n",
    "unknown-module": GRAPH + "import importlib\nnet = importlib.import_module(name)\n",
    "dunder": GRAPH + "tf2 = __import__('tensorflow')\n",
    "two-meanings": "import tensorflow as tf\nimport numpy as tf\ntf.Session()\n",
}


@pytest.mark.parametrize("name", FORMS)
def test_every_import_is_switched(name: str) -> None:
    text, expected = FORMS[name]
    assert written(plan({"train.py": text})) == {"train.py": expected}


def test_the_library_that_gives_the_same_name_is_told() -> None:
    (program,) = plan({"train.py": NO_FORMS["two-meanings"]}).programs
    assert program.obstacle is not None
    told = (program.obstacle.cause, program.obstacle.name)
    assert told == (Cause.TWO_LIBRARIES, "tf, which is numpy as well")


def test_the_keras_that_has_no_form_is_told() -> None:
    text = (
        "import tensorflow as tf\ntry:\n    from tensorflow.keras.backend import set_session\n"
        "except ImportError:\n    from keras.backend import set_session\n"
        "set_session(tf.Session())\n"
    )
    (program,) = plan({"train.py": text}).programs
    assert program.obstacle is not None
    assert (program.obstacle.line, program.obstacle.name) == (5, "keras.backend.set_session")


def test_keras_session_is_a_name_of_tensorflow_1() -> None:
    helper = TF + "def show():\n    tf.keras.backend.get_session()\n"
    found = written(plan({"train.py": GRAPH + "import net\n", "net.py": helper}))
    assert found == {"train.py": HEAD, "net.py": ["tensorflow"]}


@pytest.mark.parametrize("name", NO_FORMS)
def test_import_without_a_form_keeps_the_program(name: str) -> None:
    found = plan({"train.py": NO_FORMS[name], "net.py": TF})
    assert written(found) == {}


@pytest.mark.parametrize("name", NO_FORMS)
def test_import_without_a_form_keeps_the_files_that_it_imports(name: str) -> None:
    texts = {"train.py": GRAPH + "import net\n", "net.py": NO_FORMS[name]}
    found = plan(texts)
    assert written(found) == {}
    if name != "two-meanings":
        obstacle = found.programs[0].obstacle
        assert obstacle is not None
        assert (obstacle.cause, obstacle.path) == (Cause.IMPORT_FORM, "net.py")


@pytest.mark.parametrize(
    "name",
    ["'nets.' + name", "'nets.%s' % name", "f'nets.{name}'", "'nets.{}'.format(name)"],
)
def test_modules_that_a_beginning_names_are_switched_with_their_program(name: str) -> None:
    train = GRAPH + f"import importlib\nnet = importlib.import_module({name})\n"
    one = TF + "def net():\n    return tf.placeholder(tf.float32)\n"
    found = written(plan({"train.py": train, "nets/one.py": one}))
    assert found == {"train.py": HEAD, "nets/one.py": ["tensorflow"]}


@pytest.mark.parametrize(
    ("source", "expected"),
    [("utils.timer", HEAD), ("threading", HEAD), ("timeit", None)],
)
def test_a_timer_that_runs_a_text_is_that_of_timeit(source: str, expected: object) -> None:
    found = written(plan({"train.py": GRAPH + f"from {source} import Timer\nTimer(name)\n"}))
    assert found.get("train.py") == expected


# K: programs for both.

QUESTIONS = {
    "starts-with": "if tf.__version__.startswith('1.'):\n    c = 1\n",
    "first-character": "if tf.__version__[0] == '1':\n    c = 1\n",
    "major": "if int(tf.__version__.split('.')[0]) < 2:\n    c = 1\n",
    "loose": "from distutils.version import LooseVersion\n"
             "if LooseVersion(tf.__version__) >= LooseVersion('2.0'):\n    c = 1\n",
    "packaging": "from packaging import version\n"
                 "if version.parse(tf.__version__) < version.parse('2'):\n    c = 1\n",
    "has-config": "if hasattr(tf, 'ConfigProto'):\n    c = 1\n",
    "has-new": "if not hasattr(tf.config, 'list_physical_devices'):\n    c = 1\n",
    "unknown-name": "if not hasattr(tf, 'something_else'):\n    c = 1\n",
    "attribute-error": "try:\n    c = tf.ConfigProto()\nexcept AttributeError:\n    c = 1\n",
    "import-error": "try:\n    import tensorflow.compat.v1 as tf1\nexcept ImportError:\n"
                    "    import tensorflow as tf1\n",
    "contrib-or-not": "try:\n    from tensorflow.contrib import slim\nexcept ImportError:\n"
                      "    slim = None\n",
    "flag": "TF2 = tf.__version__ >= '2'\nif TF2:\n    c = 1\n",
    "function": "def is_new():\n    return tf.__version__.startswith('2')\n"
    "if is_new():\n    c = 1\n",
    "imported-flag": "from flags import IS_TF2\nif IS_TF2:\n    c = 1\n",
    "list": "v = [int(i) for i in tf.__version__.split('.')[:2]]\nif v[0] >= 2:\n    c = 1\n",
    "tuple": "v = tuple(map(int, tf.VERSION.split('.')[:2]))\nif v < (2, 0):\n    c = 1\n",
    "expression": "c = 1 if tf.__version__ < '2' else 2\n",
    "eager": "if tf.executing_eagerly():\n    c = 1\n",
    "assert": "assert tf.__version__.startswith('1.')\n",
    "leaves": "def run():\n    if tf.__version__ >= '2':\n        return 1\n    return 2\n",
    "and": "c = hasattr(tf, 'Session') and tf.Session()\n",
    "switches-itself": "if tf.__version__ >= '2':\n    tf = tf.compat.v1\n",
}  # fmt: skip
ANSWERED = {
    "at-least-1": "from distutils.version import LooseVersion\n"
                  "assert LooseVersion(tf.__version__) >= LooseVersion('1.4')\n",
    "older": "if tuple(map(int, tf.__version__.split('.')[:2])) < (1, 4):\n    tf.contrib.x()\n",
    "printed": "print(tf.__version__)\n",
    "not-of-tensorflow": "import sys\nif sys.version_info[0] < 3:\n    c = 1\n",
    "optional": "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n",
    "other-library": "try:\n    import horovod.tensorflow as hvd\n"
    "except ImportError:\n    hvd = None\n",
    "old-branch-returns": "def run():\n    if tf.__version__ < '1.0':\n"
    "        return tf.contrib.x()\n",
}  # fmt: skip


@pytest.mark.parametrize("where", ["train.py", "net.py"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_program_for_both_versions_stays(name: str, where: str) -> None:
    texts = {"train.py": GRAPH + "import net\n", "net.py": TF}
    texts[where] += QUESTIONS[name]
    found = plan(texts)
    assert written(found) == {}
    program = found.programs[0]
    assert program.version is Version.BOTH
    assert program.bridge
    assert program.obstacle is not None
    assert program.obstacle.path == where


@pytest.mark.parametrize("name", ANSWERED)
def test_question_with_one_answer_is_none(name: str) -> None:
    found = plan({"train.py": GRAPH + ANSWERED[name]})
    assert found.programs[0].version is Version.TF1
    assert found.programs[0].obstacle is None
    assert written(found)["train.py"][-1] == "disable tf 1"


# TensorFlow from a function of the program.

IMPORTER = "def import_tf():\n    import tensorflow as tf\n    return tf\n"


def test_a_function_that_returns_tensorflow_hands_it_on() -> None:
    main = "from common import import_tf\ntf = import_tf()\nsess = tf.Session()\n"
    found = plan({"main.py": main, "common.py": IMPORTER})
    (program,) = found.programs
    assert (program.version, program.graph_mode) == (Version.TF1, When.ALWAYS)
    assert written(found) == {"common.py": ["tensorflow", "disable tf 2"]}


@pytest.mark.parametrize(
    "line",
    ["tf = import_tf(1)", "tf = import_tf()\ntf = other", "tf = import_any()", "tf = imported()"],
)
def test_a_name_that_may_be_something_else_hands_on_nothing(line: str) -> None:
    main = f"from common import import_any, import_tf, imported\n{line}\nsess = tf.Session()\n"
    common = IMPORTER + (
        "def import_any(new=None):\n    import tensorflow as tf\n    return new or tf\n"
        "@once\ndef imported():\n    import tensorflow as tf\n    return tf\n"
    )
    assert written(plan({"main.py": main, "common.py": common})) == {}


# M: graph mode of Keras programs.

KERAS = "import keras\nfrom keras import backend as K\nimport tensorflow as tf\n"
SET = "K.set_session(tf.Session(config=tf.ConfigProto()))\n"
GRAPH_ONLY = {
    "gradients": KERAS + SET + "grads = K.gradients(loss, x)\n",
    "function": KERAS + SET + "f = K.function([x], [y])\n",
    "placeholder": KERAS + SET + "x = K.placeholder((1, 2))\n",
    "get-session": KERAS + SET + "K.get_session().run(1)\n",
    "tf-keras": "import tensorflow as tf\nfrom tensorflow.keras import backend as K\n" + SET
                + "grads = K.gradients(loss, x)\n",
    "whole-name": "import tensorflow as tf\nK = tf.keras.backend\n" + SET
                  + "def heat():\n    return tf.keras.backend.gradients(loss, x)\n",
    "tensorflow-gradients": KERAS + SET + "grads = tf.gradients(loss, [x])\n",
    "second-session": KERAS + SET + "def again(s):\n    K.set_session(s)\n",
}  # fmt: skip


@pytest.mark.parametrize("name", GRAPH_ONLY)
def test_graph_only_calls_keep_graph_mode(name: str) -> None:
    text = GRAPH_ONLY[name]
    found = plan({"cam.py": text}, removed={"cam.py": "K.set_session(tf.Session("})
    (program,) = found.programs
    assert program.graph_mode is When.ALWAYS
    if name in ("get-session", "second-session"):
        # No module that can be imported with TensorFlow 2 has these.
        assert program.obstacle is not None
        assert (program.bridge, program.obstacle.cause) == (True, Cause.IMPORT_FORM)
    else:
        assert any(line.startswith("disable tf") for line in written(found)["cam.py"])


@pytest.mark.parametrize("name", ["heat.py", "more/heat.py"])
def test_graph_only_calls_of_another_file(name: str) -> None:
    module = name.removesuffix(".py").replace("/", ".")
    texts = {
        "cam.py": KERAS + SET + f"from {module} import heat\nheat()\n",
        name: "from keras import backend as K\ndef heat():\n    return K.gradients(1, 2)\n",
        "more/__init__.py": "",
    }
    found = plan(texts, removed={"cam.py": "K.set_session(tf.Session("})
    assert written(found) == {"cam.py": ["disable tf.compat.v1 3"]}


def test_keras_program_without_graphs_is_left_to_tensorflow_2() -> None:
    text = KERAS + SET + "model = keras.Sequential()\nmodel.fit(tf.constant(1))\n"
    found = plan({"cam.py": text}, removed={"cam.py": "K.set_session("})
    assert written(found) == {}
    assert found.file("cam.py") == Stay(Why.NOT_NEEDED)
    assert not found.programs[0].bridge


# Q: nothing converted, nothing written.

ONLY = {
    "one-file": {"train.py": GRAPH},
    "two-files": {"train.py": GRAPH + CALLS, "net.py": TF + OTHER_MEANING["dropout"]},
    "contrib": {"train.py": GRAPH + "tf.contrib.slim.x()\n"},
    "notebook-of-none": {"train.py": GRAPH, "b.py": GRAPH},
    "package": {"a/__init__.py": "", "a/b.py": GRAPH, "main.py": "from a import b\n"},
    "keras": {"train.py": GRAPH_ONLY["gradients"]},
}


@pytest.mark.parametrize("name", ONLY)
def test_nothing_is_written_where_nothing_is_converted(name: str) -> None:
    found = plan(ONLY[name], ())
    assert written(found) == {}
    assert not any(program.bridge for program in found.programs)


@pytest.mark.parametrize("name", ONLY)
def test_switch_alone_on_request(name: str) -> None:
    found = plan(ONLY[name], (), Options(imports=True))
    assert bool(written(found)) is (name not in ("contrib", "keras"))


def test_other_program_is_not_switched() -> None:
    texts = {"train.py": GRAPH, "other.py": GRAPH}
    assert written(plan(texts, ["train.py"])) == {"train.py": HEAD}


def test_imports_left_alone_on_request() -> None:
    found = plan({"train.py": GRAPH}, options=Options(keep_imports=True))
    assert written(found) == {}
    assert found.file("train.py") == Stay(Why.LEFT_ALONE)
    assert not found.bridge("train.py")


# The bridge.

NO_TENSORFLOW_2 = {
    "attribute": GRAPH + "x = tf.contrib.rnn.LSTMCell(8)\n",
    "import": GRAPH + "import tensorflow.contrib.slim as slim\nslim.x()\n",
    "from": GRAPH + "from tensorflow.contrib import rnn\nrnn.LSTMCell(8)\n",
    "inner-from": GRAPH + "from tensorflow.contrib.rnn import LSTMCell\n",
    "alias": GRAPH + "c = tf.contrib\nc.rnn\n",
    "keras": GRAPH + "K = tf.contrib.keras.backend\nK.get_session()\n",
    "keras-from": GRAPH + "from tensorflow.contrib.keras import models\nmodels.Sequential()\n",
    "keras-inside": GRAPH + "from tensorflow.contrib.keras.python.keras import backend as K\n",
    "examples": GRAPH + "from tensorflow.examples.tutorials.mnist import input_data\n",
    "in-a-function": GRAPH + "def run():\n    return tf.contrib.layers.fully_connected(1, 2)\n",
}


@pytest.mark.parametrize("where", ["train.py", "net.py"])
@pytest.mark.parametrize("name", NO_TENSORFLOW_2)
def test_names_that_no_tensorflow_2_has_ask_for_the_bridge(name: str, where: str) -> None:
    texts = {"train.py": GRAPH + "import net\n", "net.py": TF}
    texts[where] += NO_TENSORFLOW_2[name].removeprefix(GRAPH)
    found = plan(texts)
    assert written(found) == {}
    assert found.bridge("train.py")
    (program,) = found.programs
    assert program.obstacle is not None
    assert (program.obstacle.cause, program.obstacle.path) == (Cause.MISSING_NAME, where)
    assert [item.path for item in program.missing] == [where]


@pytest.mark.parametrize(
    "use", ["slim = tf.contrib.slim\nslim.x()\n", "from tensorflow.contrib import slim\nslim.x()\n"]
)
def test_bridge_where_a_missing_name_is_all_that_is_left(use: str) -> None:
    # The config was the only name of TensorFlow 1 that TensorFlow 2 has.
    texts = {"train.py": TF + "config = tf.ConfigProto()\n" + use}
    found = plan(texts, removed={"train.py": "config ="})
    assert written(found) == {}
    assert found.bridge("train.py")
    (program,) = found.programs
    assert program.obstacle is not None
    assert program.obstacle.cause is Cause.MISSING_NAME


@pytest.mark.parametrize("name", NO_TENSORFLOW_2)
def test_bridge_of_missing_names_where_imports_are_kept(name: str) -> None:
    found = plan({"train.py": NO_TENSORFLOW_2[name]}, options=Options(keep_imports=True))
    assert written(found) == {}
    assert found.bridge("train.py")
    assert not plan({"train.py": GRAPH}, options=Options(keep_imports=True)).bridge("train.py")


def test_bridge_on_request() -> None:
    found = plan({"train.py": GRAPH}, options=Options(bridge=True))
    assert written(found) == {}
    assert found.bridge("train.py")


def test_program_that_runs_eagerly_on_tensorflow_1() -> None:
    found = plan({"train.py": GRAPH + "tf.enable_eager_execution()\n"})
    assert written(found) == {}
    assert found.programs[0].version is Version.TF1
    assert found.graph_mode("train.py") is When.MAYBE
    assert found.bridge("train.py")


def test_file_that_cannot_be_read_keeps_the_program() -> None:
    found = plan({"train.py": GRAPH + "import net\n", "net.py": TF + "print 1\n"}, ["train.py"])
    assert written(found) == {}
    assert found.programs[0].obstacle is not None
    assert found.programs[0].obstacle.cause is Cause.UNREADABLE


# Where graph mode is turned on.


def test_once_for_each_entry_script() -> None:
    texts = {
        "train.py": "import os\nimport tensorflow as tf\nimport net\ntf.Session()\nnet.run()\n",
        "net.py": TF + "import deep\ndef run():\n    tf.placeholder(1)\n",
        "deep.py": TF + "def run():\n    tf.placeholder(1)\n",
    }
    assert written(plan(texts)) == {
        "train.py": ["tensorflow", "disable tf 2"],
        "net.py": ["tensorflow"],
        "deep.py": ["tensorflow"],
    }


def test_before_what_an_earlier_import_builds() -> None:
    texts = {
        "train.py": "import net\nimport tensorflow as tf\ntf.Session().run(net.X)\n",
        "net.py": TF + "X = tf.placeholder(1)\n",
    }
    assert written(plan(texts)) == {"train.py": ["tensorflow"], "net.py": HEAD}


@pytest.mark.parametrize(
    ("first", "at"),
    [("import net\n", 0), ("if flag:\n    import net\n", 3), ("net = __import__('net')\n", 2)],
)
def test_behind_what_a_module_that_builds_something_writes_for_tensorflow(
    first: str, at: int
) -> None:
    texts = {
        "train.py": f"{first}import tensorflow as tf\ntf.Session()\n",
        "net.py": "import os\nos.environ['TF2_BEHAVIOR'] = '0'\n" + TF + "X = tf.placeholder(1)\n",
    }
    found = written(plan(texts))
    assert found["net.py"] == ["tensorflow", "disable tf 3"]
    assert found["train.py"] == ["tensorflow", *([f"disable tf {at}"] if at else [])]


def test_behind_what_a_function_of_another_file_writes_for_tensorflow() -> None:
    texts = {
        "train.py": "import prepare\nprepare.run()\nimport net\nimport tensorflow as tf\n"
        "tf.Session().run(net.run())\n",
        "prepare.py": "import os\ndef run():\n    os.environ['TF2_BEHAVIOR'] = '0'\n",
        "net.py": TF + "def run():\n    return tf.placeholder(1)\n",
    }
    assert written(plan(texts)) == {"train.py": ["tensorflow"], "net.py": HEAD}


def test_where_functions_and_conditions_import_names() -> None:
    text = """\
        import sys
        def session():
            from tensorflow import Session, keras
            from tensorflow import ConfigProto
            return Session(config=ConfigProto())
        def value():
            import tensorflow as tf
            return tf.placeholder(1)
        if sys.argv:
            from tensorflow import placeholder
    """
    found = written(plan({"train.py": text}))["train.py"]
    assert [item for item in found if "disable" in item] == [
        "disable  3", "disable tf 7", "disable  10",
    ]  # fmt: skip


def test_earlier_import_that_builds_nothing() -> None:
    texts = {
        "train.py": "import net\nimport tensorflow as tf\ntf.Session().run(net.run())\n",
        "net.py": TF + "F = tf.app.flags.FLAGS\ndef run():\n    return tf.placeholder(1)\n",
    }
    assert written(plan(texts))["train.py"] == ["tensorflow", "disable tf 2"]


def test_packages_of_a_script_may_run_before_it() -> None:
    texts = {
        "pack/train.py": TF + "import pack.net\ntf.Session().run(pack.net.run())\n",
        "pack/__init__.py": TF + "X = tf.placeholder(1)\n",
        "pack/net.py": TF + "def run():\n    return tf.placeholder(1)\n",
    }
    assert written(plan(texts)) == dict.fromkeys(texts, HEAD)


def test_packages_along_a_later_import_are_later() -> None:
    texts = {
        "train.py": TF + "import pack.net\ntf.Session().run(pack.net.run())\n",
        "pack/__init__.py": TF + "X = tf.placeholder(1)\n",
        "pack/net.py": TF + "def run():\n    return tf.placeholder(1)\n",
    }
    assert written(plan(texts))["train.py"] == ["tensorflow", "disable tf 1"]


def test_a_file_that_imports_its_importer_turns_the_behaviour_off_behind_its_own_import() -> None:
    texts = {
        "train.py": "import net\nimport tensorflow as tf\ntf.Session()\n",
        "net.py": "import deep\n" + TF + "X = tf.placeholder(1)\n",
        "deep.py": "import net\n" + TF + "X = tf.placeholder(1)\n",
    }
    assert written(plan(texts)) == {
        "train.py": ["tensorflow"],
        "net.py": ["tensorflow"],
        "deep.py": ["tensorflow", "disable tf 2"],
    }


def test_functions_that_import_names_before_the_file_does() -> None:
    text = """\
        def value():
            from tensorflow import placeholder
            return placeholder(1)
        x = value()
        import tensorflow as tf
        tf.Session().run(x)
    """
    found = written(plan({"train.py": text}))["train.py"]
    assert [item for item in found if "disable" in item] == ["disable  2", "disable tf 5"]


def test_functions_of_a_module_do_not_turn_the_behaviour_off_for_another() -> None:
    texts = {
        "train.py": "import util\nimport net\nimport tensorflow as tf\ntf.Session()\n",
        "util.py": "def run():\n    import tensorflow as tf\n    return tf.placeholder(1)\n",
        "net.py": TF + "X = tf.placeholder(1)\n",
    }
    assert "disable tf 1" in written(plan(texts))["net.py"]


@pytest.mark.parametrize("user", ["import util\nutil.tf", "from util import tf\ntf"])
def test_a_file_that_has_tensorflow_from_a_function_of_another(user: str) -> None:
    texts = {
        "train.py": "import util\nutil.load()\nimport user\n" + GRAPH,
        "util.py": "def load():\n    global tf\n    import tensorflow as tf\n",
        "user.py": f"{user}.placeholder(1)\n",
    }
    assert written(plan(texts))["util.py"] == ["tensorflow", "disable tf 3"]


def test_entry_script_without_tensorflow() -> None:
    texts = {
        "main.py": "from net import run\nrun()\n",
        "net.py": GRAPH + "def run():\n    return tf.placeholder(1)\n",
    }
    assert written(plan(texts)) == {"net.py": HEAD}


def test_graph_mode_that_the_program_turns_on_itself() -> None:
    texts = {
        "main.py": "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nimport net\n",
        "net.py": TF + "def run():\n    return tf.placeholder(1)\n",
    }
    assert written(plan(texts)) == {"net.py": ["tensorflow"]}


def test_test_modules_run_in_one_process() -> None:
    texts = {
        "tests/test_graph.py": GRAPH,
        "tests/test_eager.py": TF + "assert tf.constant(1).numpy() == 1\n",
        "train.py": GRAPH,
    }
    assert written(plan(texts)) == {"train.py": HEAD}


def test_functions_that_lead_to_names_of_version_1_through_others() -> None:
    helpers = (
        TF
        + "def inner():\n    return tf.placeholder(tf.float32)\ndef outer():\n    return inner()\n"
    )
    calls = "import helpers\nprint(tf.constant(1.0))\nhelpers.{}()\n"
    for name in ("inner", "outer"):
        found = plan({"train.py": TF + calls.format(name), "helpers.py": helpers})
        (train,) = found.of("train.py")
        assert train.version is Version.TF1


def test_a_script_that_others_import_turns_the_behaviour_off_for_itself() -> None:
    session = TF + "with tf.Session() as sess:\n    pass\n"
    found = plan({"main.py": GRAPH + "import evaluate\n", "evaluate.py": session})
    assert any("disable" in line for line in written(found)["evaluate.py"])
