"""Every spelling of TensorFlow's names is one name, and names that look like them are not."""

from __future__ import annotations

import pytest

from tests.tools import check_body, check_kept, check_noop, check_transformed, migrated
from tfgpu.code.canonical import canonical

SETTER = "set_soft_device_placement(True)"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("tensorflow", "tf"),
        ("tensorflow.Session", "tf.Session"),
        ("tensorflow.compat.v1.Session", "tf.Session"),
        ("tensorflow.compat.v2.config", "tf.config"),
        ("tensorflow.python.client.session.Session", "tf.Session"),
        ("tensorflow.core.protobuf.config_pb2.ConfigProto", "tf.ConfigProto"),
        ("tensorflow.core.protobuf.rewriter_config_pb2.RewriterConfig", "tf.RewriterConfig"),
        ("tensorflow.python.client.device_lib.x", "tf.python.client.device_lib.x"),
        ("tensorflow.keras.backend.set_session", "keras.backend.set_session"),
        ("tensorflow.compat.v1.keras.backend.set_session", "keras.backend.set_session"),
        ("tensorflow.contrib.keras.backend.set_session", "keras.backend.set_session"),
        ("tensorflow.contrib.eager.python.tfe.num_gpus", "tf.contrib.eager.num_gpus"),
        (
            "tensorflow.contrib.training.python.training.evaluation.evaluate_once",
            "tf.contrib.training.evaluate_once",
        ),
        (
            "tensorflow.contrib.learn.python.learn.learn_runner.run",
            "tf.contrib.learn.learn_runner.run",
        ),
        (
            "tensorflow.contrib.learn.python.learn.estimators.run_config.RunConfig",
            "tf.contrib.learn.RunConfig",
        ),
        ("tensorflow.python.keras.backend.set_session", "keras.backend.set_session"),
        ("keras.backend.tensorflow_backend.set_session", "keras.backend.set_session"),
        ("keras.backend.tensorflow_backend", "keras.backend"),
        ("tf_keras.backend.set_session", "keras.backend.set_session"),
        ("tensorflow_hub.Session", "tensorflow_hub.Session"),
        ("keras_contrib.backend", "keras_contrib.backend"),
        ("keras.backend.tensorflow_backends", "keras.backend.tensorflow_backends"),
        ("requests.Session", "requests.Session"),
        (".tensorflow.Session", ".tensorflow.Session"),
    ],
)
def test_canonical_name(path: str, name: str) -> None:
    assert canonical(path) == name


SPELLINGS = {
    "module": (
        "import tensorflow\n",
        "tensorflow.Session(config=tensorflow.ConfigProto(allow_soft_placement=True))",
        "import tensorflow.compat.v1 as tensorflow\ntensorflow.disable_v2_behavior()\n",
        "tensorflow.config",
        "tensorflow.Session()",
    ),
    "module-alias": (
        "import tensorflow as tf\n",
        "tf.Session(config=tf.ConfigProto(allow_soft_placement=True))",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n",
        "tf.config",
        "tf.Session()",
    ),
    "another-alias": (
        "import tensorflow as T\n",
        "T.Session(config=T.ConfigProto(allow_soft_placement=True))",
        "import tensorflow.compat.v1 as T\nT.disable_v2_behavior()\n",
        "T.config",
        "T.Session()",
    ),
    "attribute-of-compat": (
        "import tensorflow as tf\n",
        "tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(allow_soft_placement=True))",
        "import tensorflow as tf\n",
        "tf.config",
        "tf.compat.v1.Session()",
    ),
    "module-compat": (
        "import tensorflow.compat.v1 as tf\n",
        "tf.Session(config=tf.ConfigProto(allow_soft_placement=True))",
        "import tensorflow.compat.v1 as tf\n",
        "tf.config",
        "tf.Session()",
    ),
    "from-compat": (
        "from tensorflow.compat import v1 as tf1\n",
        "tf1.Session(config=tf1.ConfigProto(allow_soft_placement=True))",
        "from tensorflow.compat import v1 as tf1\n",
        "tf1.config",
        "tf1.Session()",
    ),
    "both-modules": (
        "import tensorflow as tf\nimport tensorflow.compat.v1 as tf1\n",
        "tf1.Session(config=tf1.ConfigProto(allow_soft_placement=True))",
        "import tensorflow as tf\nimport tensorflow.compat.v1 as tf1\n",
        "tf.config",
        "tf1.Session()",
    ),
    "variable-for-compat": (
        "import tensorflow as tf\ntf1 = tf.compat.v1\n",
        "tf1.Session(config=tf1.ConfigProto(allow_soft_placement=True))",
        "import tensorflow as tf\ntf1 = tf.compat.v1\n",
        "tf.config",
        "tf1.Session()",
    ),
    "variables-for-classes": (
        "import tensorflow as tf\nS = tf.Session\nC = tf.ConfigProto\n",
        "S(config=C(allow_soft_placement=True))",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "S = tf.Session\nC = tf.ConfigProto\n",
        "tf.config",
        "S()",
    ),
    "from-import": (
        "from tensorflow import ConfigProto, Session\n",
        "Session(config=ConfigProto(allow_soft_placement=True))",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "from tensorflow.compat.v1 import Session\n",
        "tf.config",
        "Session()",
    ),
    "from-import-as": (
        "import tensorflow as tf\nfrom tensorflow import ConfigProto as C\n",
        "tf.Session(config=C(allow_soft_placement=True))",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n",
        "tf.config",
        "tf.Session()",
    ),
    "config-pb2": (
        "import tensorflow as tf\nfrom tensorflow.core.protobuf import config_pb2\n",
        "tf.Session(config=config_pb2.ConfigProto(allow_soft_placement=True))",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n",
        "tf.config",
        "tf.Session()",
    ),
    "python-client": (
        "import tensorflow as tf\nfrom tensorflow.python.client import session\n",
        "session.Session(config=tf.ConfigProto(allow_soft_placement=True))",
        "import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\n"
        "from tensorflow.python.client import session\n",
        "tf.config",
        "session.Session()",
    ),
    "compat-of-compat": (
        "from tensorflow import compat\nimport tensorflow as tf\n",
        "compat.v1.Session(config=compat.v1.ConfigProto(allow_soft_placement=True))",
        "from tensorflow import compat\nimport tensorflow as tf\n",
        "tf.config",
        "compat.v1.Session()",
    ),
    "try-raw-or-none": (
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n",
        "tf.Session(config=tf.ConfigProto(allow_soft_placement=True))",
        "try:\n    import tensorflow.compat.v1 as tf\n    tf.disable_v2_behavior()\n"
        "except ImportError:\n    tf = None\n",
        "tf.config",
        "tf.Session()",
    ),
    "try-compat-or-raw": (
        "try:\n    import tensorflow.compat.v1 as tf\nexcept ImportError:\n"
        "    import tensorflow as tf\n",
        "tf.Session(config=tf.ConfigProto(allow_soft_placement=True))",
        "try:\n    import tensorflow.compat.v1 as tf\nexcept ImportError:\n"
        "    import tensorflow as tf\n",
        "tf.config",
        "tf.Session()",
    ),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_spelling(name: str) -> None:
    head, session, new_head, config, new_session = SPELLINGS[name]
    check_transformed(
        f"{head}\nsess = {session}\n",
        f"{new_head}\n{config}.{SETTER}\nsess = {new_session}\n",
    )


def test_import_in_a_function() -> None:
    check_transformed(
        """
        def session():
            import tensorflow as tf

            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        def session():
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()

            tf.config.set_soft_device_placement(True)
            return tf.Session()
        """,
    )


def test_import_in_a_class() -> None:
    check_transformed(
        """
        class Model:
            import tensorflow as tf

            sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        class Model:
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()

            tf.config.set_soft_device_placement(True)
            sess = tf.Session()
        """,
    )


def test_name_that_is_used_before_the_import_of_its_function() -> None:
    # The function's `tf` is its own, imported or not.
    check_noop(
        """
        import tensorflow as tf


        def session(tf):
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """
    )


LOOK_ALIKES = {
    "another-module": """
        import project as tf

        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "another-session": """
        from requests import Session

        sess = Session(config=1)
        """,
    "relative-module": """
        from . import tensorflow as tf

        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "relative-import-of-a-name": """
        from .tensorflow import ConfigProto, Session

        sess = Session(config=ConfigProto(allow_soft_placement=True))
        """,
    "no-import": """
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "imported-at-run-time": """
        import importlib

        tf = importlib.import_module("tensorflow")
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "attribute-of-self": """
        class Model:
            import tensorflow as tf

            def session(self):
                return self.tf.Session(config=self.tf.ConfigProto(allow_soft_placement=True))
        """,
    "class-name-is-not-seen-in-its-methods": """
        class Model:
            import tensorflow as tf

            def session(self):
                return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "local-variable": """
        import tensorflow as tf


        def session(backend):
            tf = backend()
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "loop-variable": """
        import tensorflow as tf

        for tf in backends:
            tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "with-variable": """
        import tensorflow as tf

        with backend() as tf:
            tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "except-variable": """
        import tensorflow as tf

        try:
            pass
        except ImportError as tf:
            tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "pattern-variable": """
        import tensorflow as tf

        match backend:
            case {"name": _, **tf}:
                tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "captured-variable": """
        import tensorflow as tf

        match backend:
            case [_, *tf]:
                tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "comprehension-variable": """
        import tensorflow as tf

        found = [tf.Session(config=tf.ConfigProto()) for tf in backends]
        """,
    "lambda-parameter": """
        import tensorflow as tf

        make = lambda tf: tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "own-class": """
        import tensorflow as tf


        class ConfigProto:
            pass


        config = ConfigProto(allow_soft_placement=True)
        config.allow_soft_placement = False
        """,
    "two-modules": """
        try:
            import tensorflow as tf
        except ImportError:
            import project.compat as tf

        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "assigned-from-itself": """
        tf = tf.compat.v1
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "global-that-nothing-binds": """
        def session():
            global tf
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "strings-and-comments": """
        import tensorflow as tf

        # sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        text = "tf.Session(config=tf.ConfigProto(allow_soft_placement=True))"
        """,
    "subscript": """
        import tensorflow as tf

        sess = modules["tf"].Session(config=modules["tf"].ConfigProto())
        """,
    "plain-sessions": """
        import tensorflow as tf

        with tf.Session() as sess:
            sess.run(step)
        """,
    "tensorflow-2": """
        import tensorflow as tf

        gpus = tf.config.list_physical_devices("GPU")
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
        """,
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_look_alike_is_left_alone(name: str) -> None:
    check_noop(LOOK_ALIKES[name])


def test_look_alike_beside_the_real_one() -> None:
    check_transformed(
        """
        import requests
        import tensorflow as tf

        web = requests.Session(config=1)
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        import requests
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        web = requests.Session(config=1)
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_star_import_is_understood() -> None:
    assert "config=" not in migrated(
        """
        from tensorflow import *

        sess = Session(config=ConfigProto(allow_soft_placement=True))
        """
    )


def test_star_import_of_another_module_binds_nothing_known() -> None:
    check_noop(
        """
        from project import *

        sess = Session(config=ConfigProto(allow_soft_placement=True))
        """
    )


def test_class_that_is_only_mentioned() -> None:
    check_kept(
        """
        import tensorflow as tf

        config = tf.ConfigProto(allow_soft_placement=True)
        assert isinstance(config, tf.ConfigProto)
        sess = tf.Session(config=config)
        """,
        "passed-on",
    )


def test_function_that_returns_what_it_returns() -> None:
    check_body(
        """
        def halve(low, high):
            if low < high:
                found = halve(low, high - 1)
                return found
            found = halve(low, low)
            return found


        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        def halve(low, high):
            if low < high:
                found = halve(low, high - 1)
                return found
            found = halve(low, low)
            return found


        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


CONFIG = """config = {name}.ConfigProto(allow_soft_placement=True)
sess = {name}.Session(config=config)
"""


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("import tensorflow.compat.v2 as tf\ntf.compat.v1.disable_v2_behavior()\n", "tf.compat.v1"),
        ("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n", "tf.compat.v1"),
        ("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n", "tf.compat.v1.compat.v1"),
        (
            "import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\n",
            "tf.compat.v2.compat.v1",
        ),
        (
            "import importlib\n\ntf = importlib.import_module('tensorflow.compat.v1')\n"
            "tf.disable_v2_behavior()\n",
            "tf",
        ),
    ],
)
def test_chains_of_compat_modules(head: str, name: str) -> None:
    check_transformed(
        f"{head}\n{CONFIG.format(name=name)}",
        f"{head}\ntf.config.set_soft_device_placement(True)\nsess = {name}.Session()\n",
    )


def test_star_import_of_compat() -> None:
    head = "from tensorflow.compat.v1 import *\ndisable_v2_behavior()\n\n"
    check_transformed(
        f"{head}sess = Session(config=ConfigProto(allow_soft_placement=True))\n",
        f"import tensorflow as tf\n{head}tf.config.set_soft_device_placement(True)\n"
        "sess = Session()\n",
    )
