"""Keras sessions: one that is only handed to Keras disappears, all others are handed on."""

from __future__ import annotations

import pytest

from tests.tools import (
    RAW,
    UNSAFE,
    analysed,
    check_kept,
    check_noop,
    check_transformed,
    migrated,
    names,
)

AFTER = """
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
"""
SPELLINGS = [
    ("from keras import backend as K", "K.set_session"),
    ("import keras.backend as K", "K.set_session"),
    ("import keras", "keras.backend.set_session"),
    ("import keras", "keras.backend.tensorflow_backend.set_session"),
    ("from keras import backend as K", "K.tensorflow_backend.set_session"),
    ("import keras.backend.tensorflow_backend as KTF", "KTF.set_session"),
    ("from keras.backend import tensorflow_backend as KTF", "KTF.set_session"),
    ("from keras.backend import set_session", "set_session"),
    ("from keras.backend.tensorflow_backend import set_session", "set_session"),
    ("from keras.backend.tensorflow_backend import set_session as use", "use"),
    ("from tensorflow import keras", "keras.backend.set_session"),
    ("from tensorflow.keras import backend as K", "K.set_session"),
    ("from tensorflow.keras.backend import set_session", "set_session"),
    ("from tensorflow.python.keras import backend as K", "K.set_session"),
    ("from tensorflow.contrib.keras import backend as K", "K.set_session"),
]


@pytest.mark.parametrize(("line", "function"), SPELLINGS)
def test_inline_session(line: str, function: str) -> None:
    check_transformed(
        f"""
        import tensorflow as tf
        {line}

        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        {function}(tf.Session(config=config))
        """,
        AFTER,
    )


def test_a_session_of_compat_stays() -> None:
    check_transformed(
        """
        import tensorflow as tf

        config = tf.compat.v1.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.compat.v1.Session(config=config)
        tf.compat.v1.keras.backend.set_session(sess)
        """,
        AFTER + "sess = tf.compat.v1.Session()\ntf.compat.v1.keras.backend.set_session(sess)\n",
    )


@pytest.mark.parametrize("function", ["tf.keras.backend", "tf.compat.v1.keras.backend"])
def test_backend_of_tensorflow(function: str) -> None:
    check_transformed(
        f"""
        import tensorflow as tf

        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        {function}.set_session(tf.Session(config=config))
        """,
        AFTER,
    )


@pytest.mark.parametrize(
    "use",
    [
        "K.set_session(tf.Session(config=config))",
        "K.set_session(session=tf.Session(config=config))",
        "sess = tf.Session(config=config)\nK.set_session(sess)",
        "sess: tf.Session = tf.Session(config=config)\nK.set_session(session=sess)",
        "sess = tf.Session(graph=tf.Graph(), config=config)\nK.set_session(sess)",
    ],
)
def test_session_in_a_variable(use: str) -> None:
    check_transformed(
        "import tensorflow as tf\nfrom keras import backend as K\n\n"
        "config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True\n"
        f"{use}\n",
        AFTER,
    )


def test_imports_that_are_still_used_stay() -> None:
    check_transformed(
        """
        import keras
        import tensorflow as tf
        from keras import backend as K
        from keras.backend import clear_session, set_session

        clear_session()
        print(K.floatx())
        set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        model = keras.models.Sequential()
        """,
        """
        import keras
        import tensorflow as tf
        from keras import backend as K
        from keras.backend import clear_session

        clear_session()
        print(K.floatx())
        tf.config.set_soft_device_placement(True)
        model = keras.models.Sequential()
        """,
    )


def test_imports_of_names_that_all_names_stay() -> None:
    check_transformed(
        """
        import tensorflow as tf
        from keras import backend as K

        __all__ = ["K"]
        K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        """,
        """
        import tensorflow as tf
        from keras import backend as K

        __all__ = ["K"]
        tf.config.set_soft_device_placement(True)
        """,
    )


def test_import_that_is_alone_in_its_block_stays() -> None:
    check_transformed(
        """
        import tensorflow as tf
        try:
            from keras import backend as K
        except ImportError:
            from tensorflow.keras import backend as K

        K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        """,
        """
        import tensorflow as tf
        try:
            from keras import backend as K
        except ImportError:
            from tensorflow.keras import backend as K

        tf.config.set_soft_device_placement(True)
        """,
    )


def test_import_of_another_library_stays() -> None:
    check_transformed(
        """
        import numpy as np
        import tensorflow as tf
        from keras import backend as K
        from project import anything

        K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        """,
        """
        import numpy as np
        import tensorflow as tf
        from project import anything

        tf.config.set_soft_device_placement(True)
        """,
    )


def test_unused_imports_of_the_user_stay() -> None:
    check_transformed(
        """
        import keras
        import tensorflow as tf
        from keras import backend as K, models

        K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        """,
        """
        import keras
        import tensorflow as tf
        from keras import models

        tf.config.set_soft_device_placement(True)
        """,
    )


def test_settings_behind_data() -> None:
    check_transformed(
        """
        import tensorflow as tf
        from keras import backend as K
        from keras.callbacks import EarlyStopping
        from keras.datasets import mnist
        from keras.utils import to_categorical

        (images, labels), _ = mnist.load_data()
        labels = to_categorical(labels, 10)
        stops = EarlyStopping()
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        K.set_session(tf.Session(config=config))
        """,
        """
        import tensorflow as tf
        from keras.callbacks import EarlyStopping
        from keras.datasets import mnist
        from keras.utils import to_categorical

        (images, labels), _ = mnist.load_data()
        labels = to_categorical(labels, 10)
        stops = EarlyStopping()
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        """,
    )


def test_under_a_condition() -> None:
    check_transformed(
        """
        from keras import backend as K
        if K.backend() == "tensorflow":
            import tensorflow as tf
            from keras.backend.tensorflow_backend import set_session
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            set_session(tf.Session(config=config))
        """,
        """
        from keras import backend as K
        if K.backend() == "tensorflow":
            import tensorflow as tf
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)
        """,
    )


def test_session_made_on_every_path_and_used_on_one() -> None:
    check_transformed(
        """
        import tensorflow as tf
        from keras import backend as K

        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        if use_keras:
            K.set_session(sess)
        K.clear_session()
        """,
        """
        import tensorflow as tf
        from keras import backend as K

        tf.config.set_soft_device_placement(True)
        if use_keras:
            pass
        K.clear_session()
        """,
    )


def test_function_that_makes_the_session() -> None:
    check_transformed(
        """
        import keras
        import tensorflow as tf


        def get_session(grow=True):
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = grow
            return tf.Session(config=config)


        keras.backend.set_session(get_session(False))
        model = keras.models.Sequential()
        """,
        """
        import keras
        import tensorflow as tf


        def get_session(grow=True):
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, grow)


        get_session(False)
        model = keras.models.Sequential()
        """,
    )


def test_function_that_only_sets_a_session_without_settings() -> None:
    check_transformed(
        """
        import tensorflow as tf
        from keras import backend as K


        def reset():
            K.set_session(tf.Session(config=tf.ConfigProto()))


        reset()
        print(tf.__version__)
        """,
        """
        import tensorflow as tf


        def reset():
            pass


        reset()
        print(tf.__version__)
        """,
    )


def test_file_of_which_nothing_is_left() -> None:
    text = migrated(
        """
        import tensorflow as tf
        from keras import backend as K

        K.set_session(tf.Session(config=tf.ConfigProto()))
        """
    )
    assert text.strip() == ""


HANDED_ON = {
    "session-is-run": """
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        K.set_session(sess)
        sess.run(step)
        """,
    "session-is-returned": """
        def make():
            sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
            K.set_session(sess)
            return sess
        """,
    "session-of-a-with": """
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
            K.set_session(sess)
        """,
    "session-is-asked-for": """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        K.set_session(tf.Session(config=config))
        K.get_session().run(step)
        """,
    "session-bound-twice": """
        sess = None
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        K.set_session(sess)
        """,
    "result-is-used": """
        done = K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        """,
    "session-from-a-parameter": """
        def use(sess):
            K.set_session(sess)


        use(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        """,
    "session-from-elsewhere": """
        K.set_session(load())
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "no-session": """
        K.set_session()
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    "function-called-twice": """
        def make():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        K.set_session(make())
        other = make()
        """,
    "function-with-two-returns": """
        def make():
            if strict:
                return tf.Session(config=tf.ConfigProto())
            return tf.Session(config=tf.ConfigProto())


        K.set_session(make())
        """,
    "decorated-function": """
        @cached
        def make():
            return tf.Session(config=tf.ConfigProto())


        K.set_session(make())
        """,
    "function-that-does-not-end-with-return": """
        def make():
            if True:
                return tf.Session(config=tf.ConfigProto())


        K.set_session(make())
        """,
    "function-whose-session-is-in-a-variable": """
        def make():
            return tf.Session(config=tf.ConfigProto())


        sess = make()
        K.set_session(sess)
        """,
}


@pytest.mark.parametrize("name", HANDED_ON)
def test_session_that_cannot_disappear(name: str) -> None:
    lines = HANDED_ON[name].replace("\n        ", "\n").lstrip("\n")
    text = migrated(f"import tensorflow as tf\nfrom keras import backend as K\n\n{lines}")
    assert "ConfigProto" not in text
    assert text.count("set_session(") == lines.count("set_session(")
    assert text.count("tf.Session()") == lines.count("tf.Session(")


def test_session_of_keras_itself_would_take_on_settings() -> None:
    check_kept(
        """
        import tensorflow as tf
        from keras import backend as K

        K.set_session(tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})))
        K.clear_session()
        K.get_session().run(step)
        """,
        "session-without-config",
    )


TAKEN = "sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))\nK.set_session(sess)\n"


def test_session_by_an_import_that_version_2_lacks() -> None:
    head = "import tensorflow as tf\nfrom keras import backend as K\n\n"
    text = migrated(f"{head}{TAKEN}sess.run(step)\n")
    assert "ConfigProto" not in text
    assert "compat.v1" not in text


@pytest.mark.parametrize(
    ("line", "switched"),
    [
        ("from tensorflow.keras import backend as K", "from tensorflow.compat.v1.keras import"),
        ("import tensorflow.keras.backend as K", "import tensorflow.compat.v1.keras.backend as K"),
        (
            "from tensorflow import keras\nK = keras.backend",
            "from tensorflow.compat.v1 import keras",
        ),
    ],
)
def test_session_by_an_import_that_is_switched(line: str, switched: str) -> None:
    text = migrated(f"import tensorflow as tf\n{line}\n\n{TAKEN}sess.run(step)\n")
    assert "ConfigProto" not in text
    assert switched in text


FIXES = {
    "config.gpu_options.allow_growth = True": "safe",
    'config.gpu_options.visible_device_list = ",".join(ids)': "unsafe",
    "config.operation_timeout_in_ms = 5": "none",
}


@pytest.mark.parametrize("setting", FIXES)
def test_the_session_has_the_fix_of_its_config(setting: str) -> None:
    result = analysed(
        f"""
        import tensorflow as tf
        from keras import backend as K
        config = tf.ConfigProto()
        {setting}
        if "tensorflow" == K.backend():
            K.set_session(tf.Session(config=config))
        """,
        UNSAFE,
    )
    (found,) = [item for item in result.findings if item.name == "keras-set-session"]
    assert found.fix == FIXES[setting]


def test_without_any_config_nothing_happens() -> None:
    before = "from keras import backend as K\n\nK.set_session(tf.Session())\n"
    check_noop(RAW + before)
    assert names(analysed(RAW + before)) == ["keras-set-session"]


def test_session_in_a_lambda() -> None:
    check_kept(
        """
        import tensorflow as tf
        from keras import backend as K

        reset = lambda: K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        """,
        "no-place",
    )


def test_session_of_an_unknown_origin() -> None:
    text = migrated(
        """
        import tensorflow as tf
        from keras import backend as K

        K.set_session(session)
        other = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """
    )
    assert "K.set_session(session)\n" in text
    assert "other = tf.Session()\n" in text


NAMED_GRAPH = "K.set_session(tf.Session(graph=tf.get_default_graph(), config=config))"


@pytest.mark.parametrize("given", ["K.set_session(tf.Session(config=config))", NAMED_GRAPH])
def test_settings_come_in_front_of_a_model_that_runs_eagerly(given: str) -> None:
    check_transformed(
        f"""
        import tensorflow as tf
        from tensorflow.keras import backend as K

        model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
        {given}
        """,
        """
        import tensorflow as tf

        tf.config.set_soft_device_placement(True)
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
        """,
    )


def test_a_session_stays_where_settings_would_come_too_late_for_eager_code() -> None:
    text = migrated(
        """
        import tensorflow as tf
        from tensorflow.keras import backend as K


        class Trainer:
            def __init__(self):
                self.model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])

            def start(self):
                config = tf.ConfigProto()
                config.gpu_options.allow_growth = True
                K.set_session(tf.Session(config=config))


        Trainer().start()
        """
    )
    assert "set_memory_growth(gpu, True)" in text
    assert "K.set_session(tf.Session())\n" in text


def test_session_that_keras_makes_itself_is_called_that() -> None:
    result = check_kept(
        """
        import tensorflow.compat.v1 as tf
        from tensorflow.compat.v1.keras import backend as K

        tf.disable_v2_behavior()
        K.set_session(tf.Session(config=tf.ConfigProto(log_device_placement=True)))
        getattr(K, "clear_" + "session")()
        print(K.get_value(K.variable(1.0)))
        """,
        "session-without-config",
    )
    (said,) = (item.message for item in result.findings if item.name == "session-without-config")
    assert "the session that Keras may make here has no config" in said


@pytest.mark.parametrize(
    ("behind", "stays"),
    [("", False), ("model.predict(x)\n", True), ("K.get_session().run(y)\n", True)],
)
def test_session_that_stays_needs_keras_2(behind: str, stays: bool) -> None:
    text = f"""\
import tensorflow as tf
from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential

K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
model = Sequential([Dense(1, input_shape=(3,))])
{behind}"""
    found = [item for item in analysed(text).findings if item.name == "keras-set-session"]
    assert [item.names for item in found] == [("tf.keras.backend.set_session",) if stays else ()]
    assert ["TF_USE_LEGACY_KERAS=1" in item.todo for item in found] == [stays]
    again = analysed(migrated(text)).findings
    assert [item.names for item in again if item.names] == [item.names for item in found if stays]
