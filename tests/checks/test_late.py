"""Settings behind something that starts the GPUs: reported only where the order is certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checks.tools import GPUS, found, hazards, of_files
from tests.tools import RAW

LATE = {
    "the same block": """
        total = tf.zeros([2])
        tf.config.experimental.set_memory_growth(gpus[0], True)
        tf.config.experimental.set_memory_growth(gpus[1], True)
        """,
    "a block that may not run": """
        total = tf.zeros([2])
        if total:
            tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a loop over the GPUs": """
        for gpu in gpus:
            print(tf.config.experimental.get_memory_info("GPU:0"))
        if gpus:
            tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a function that is called first": """
        def build():
            return tf.zeros([2])


        def main():
            build()
            tf.config.set_visible_devices([], "GPU")


        main()
        """,
    "a function that calls such a function": """
        def build():
            return tf.zeros([2])


        def both():
            return build(), build()


        print(both())
        tf.config.set_visible_devices([], "GPU")
        """,
    "a method": """
        class Trainer:
            def __init__(self):
                tf.config.threading.set_inter_op_parallelism_threads(2)

            def run(self):
                strategy = tf.distribute.MirroredStrategy()
                self.limit()

            def limit(self):
                tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a test of the same statement": """
        if tf.config.list_logical_devices("GPU"):
            tf.config.set_visible_devices([], "GPU")
        """,
    "a module before its functions": """
        WEIGHTS = tf.ones([2])


        def setup():
            tf.config.set_visible_devices([], "GPU")
        """,
    "a comprehension": """
        shapes = [tf.ones([2]) for gpu in gpus]
        all(tf.config.experimental.set_memory_growth(gpu, True) for gpu in gpus)
        """,
    "an except in front": """
        try:
            total = tf.zeros([2])
        except ValueError:
            total = None
        tf.config.set_visible_devices([], "GPU")
        """,
    "an except that hides the error": """
        try:
            strategy = tf.distribute.MirroredStrategy()
            tf.config.set_logical_device_configuration(
                gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=1024)]
            )
        except RuntimeError as error:
            print(error)
        """,
}
IN_TIME = {
    "the other order": """
        tf.config.set_visible_devices(gpus[1], "GPU")
        total = tf.zeros([2])
        """,
    "another branch": """
        import sys

        if len(sys.argv) > 1:
            total = tf.zeros([2])
        else:
            tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a branch that may not run": """
        import sys

        if len(sys.argv) > 1:
            total = tf.zeros([2])
        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a branch on a call": """
        if available():
            total = tf.zeros([2])
        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "one side of an expression": """
        import sys

        total = tf.zeros([2]) if sys.argv else None
        other = sys.argv and tf.zeros([2])
        assert sys.argv, tf.zeros([2])
        some = (tf.zeros([2]) for item in sys.argv)
        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a function that is not called": """
        def build():
            return tf.zeros([2])


        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a function that is called in front, too": """
        def setup():
            tf.config.set_visible_devices(gpus[1], "GPU")


        setup()
        total = tf.zeros([2])
        setup()
        """,
    "a function that others may call": """
        def setup():
            tf.config.set_visible_devices(gpus[1], "GPU")


        def main(run):
            total = tf.zeros([2])
            setup()
            run(setup)
        """,
    "a generator": """
        def build():
            yield tf.zeros([2])


        build()
        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a graph": """
        with tf.Graph().as_default():
            total = tf.zeros([2])
        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a function of a graph": """
        @tf.function
        def build():
            return tf.zeros([2])


        build()
        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a lambda": """
        build = lambda: tf.zeros([2])
        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "a test of the error": """
        def test_late(self):
            total = tf.zeros([2])
            with self.assertRaises(RuntimeError):
                tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "arguments that cannot be seen": """
        total = tf.zeros([2])
        tf.config.set_visible_devices(*arguments)
        tf.config.set_visible_devices(**arguments)
        """,
    "eager execution turned off": """
        tf.compat.v1.disable_eager_execution()
        total = tf.zeros([2])
        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
    "all GPUs again": """
        total = tf.zeros([2])
        tf.config.set_visible_devices(gpus, "GPU")
        """,
    "a session without GPUs": """
        tf.compat.v1.disable_eager_execution()
        tf.config.set_visible_devices([], "GPU")
        tf.compat.v1.Session().close()
        tf.config.set_visible_devices(gpus, "GPU")
        tf.config.experimental.set_memory_growth(gpus[0], True)
        """,
    "the same again": """
        tf.config.set_visible_devices(gpus[1], "GPU")
        total = tf.zeros([2])
        tf.config.set_visible_devices(gpus[1], "GPU")
        """,
}


@pytest.mark.parametrize("name", LATE)
def test_late_settings_are_reported(name: str) -> None:
    assert any(item.startswith("late-setting") for item in hazards(LATE[name]))


@pytest.mark.parametrize("name", IN_TIME)
def test_what_may_be_in_time_is_not(name: str) -> None:
    assert hazards(IN_TIME[name]) == []


def test_raw_tensorflow_1_code_builds_graphs() -> None:
    assert (
        hazards("""
        x = tf.placeholder(tf.float32)
        total = tf.zeros([2])
        tf.config.set_visible_devices(gpus[1], "GPU")
        """)
        == []
    )


def test_logical_devices_start_the_gpus_in_graph_mode_too() -> None:
    assert hazards("""
        tf.compat.v1.disable_v2_behavior()
        print(tf.config.list_logical_devices("GPU"))
        tf.config.set_visible_devices(gpus[1], "GPU")
        """) == ["late-setting:6"]


MODELS = {
    "model = keras.Sequential([layers.Dense(1, input_shape=(2,))])": True,
    "model = keras.Sequential([keras.Input((2,)), layers.Dense(1)])": True,
    "model = keras.Sequential(layers=[layers.InputLayer((2,)), layers.Dense(1)])": True,
    "model = keras.Sequential()\nmodel.add(layers.Dense(1, input_shape=(2,)))": True,
    "out = layers.Dense(1)(keras.Input((2,)))": True,
    "model = keras.applications.ResNet50(weights=None)": True,
    "model = keras.Sequential([layers.Dense(1)])": False,
    "model = keras.Sequential([layers.Flatten(input_shape=(2, 2))])": False,
    "out = layers.Flatten()(keras.Input((2, 2)))": False,
    "model = keras.Sequential()\nmodel.add(layers.Dense(1))": False,
    "model = thing()\nmodel.add(layers.Dense(1, input_shape=(2,)))": False,
    "x = keras.applications.resnet50.preprocess_input(x)": False,
    "tf.compat.v1.disable_v2_behavior()\nout = layers.Dense(1)(keras.Input((2,)))": False,
    "os.environ['KERAS_BACKEND'] = 'jax'\nout = layers.Dense(1)(keras.Input((2,)))": False,
}


@pytest.mark.parametrize("text", MODELS)
def test_models_that_build_their_variables_at_once(text: str) -> None:
    imports = "import os\nfrom tensorflow import keras\nfrom tensorflow.keras import layers\n"
    setting = "tf.config.experimental.set_memory_growth(gpus[0], True)\n"
    late = [item for item in found(f"{imports}{text}\n{setting}") if item.name == "late-setting"]
    assert bool(late) == MODELS[text]


def test_a_layer_that_is_called_is_named_without_its_arguments() -> None:
    (late, *_) = found("""
        out = tf.keras.layers.Dense(1, activation="relu")(tf.keras.Input((2,)))
        tf.config.set_visible_devices(gpus[1], "GPU")
        """)
    assert late.message.startswith("set_visible_devices comes after tf.keras.layers.Dense (line 4)")


def test_the_message_names_the_call_and_its_line() -> None:
    (finding,) = found("""
        total = tf.zeros([2])
        tf.config.set_visible_devices(gpus[1], "GPU")
        """)
    assert finding.message.startswith("set_visible_devices comes after tf.zeros (line 4)")
    assert finding.severity == "error"


def test_the_message_tells_from_where_a_function_is_called_that_stands_above() -> None:
    """A config is late with its session, whatever stands above its settings."""
    query = "from tensorflow.python.client import device_lib"
    (finding,) = found(f"""
        {query}


        def count():
            return len(device_lib.list_local_devices())


        config = tf.compat.v1.ConfigProto()
        config.gpu_options.allow_growth = True
        print(count())
        sess = tf.compat.v1.Session(config=config)
        """)
    assert finding.message.startswith(
        "the session that applies allow_growth (line 14) comes after "
        "device_lib.list_local_devices (line 8, reached from line 13), which"
    )
    assert finding.todo.startswith("move that session in front of line 13, or ")
    (setting,) = found("""
        def build():
            return tf.zeros([2])


        def setup():
            tf.config.set_visible_devices(gpus[1], "GPU")


        print(build())
        setup()
        """)
    assert "tf.zeros (line 5, reached from line 12)" in setting.message
    assert setting.todo.startswith("move it in front of line 12 and")


SILENT = {
    "sess = tf.compat.v1.Session()": ["ignored-setting:5"],
    "print(tf.test.gpu_device_name())": ["ignored-setting:5"],
    "print(gpus)": [],
}


@pytest.mark.parametrize("call", SILENT)
def test_settings_behind_what_makes_the_devices_are_ignored(call: str) -> None:
    text = f'{call}\ntf.config.set_visible_devices(gpus[1], "GPU")\n'
    assert hazards(text) == SILENT[call]
    assert hazards(f'{call}\ntf.config.set_visible_devices(gpus[:1], "GPU")\n') == []


CONFIGS = {
    ("allow_soft_placement = True", "gpu_options.allow_growth = True"): ["ignored-setting:8"],
    ("allow_soft_placement = True", "gpu_options.visible_device_list = '1'"): ["ignored-setting:8"],
    ("allow_soft_placement = True", "gpu_options.visible_device_list = '0'"): [],
    ("allow_soft_placement = True", "device_count['CPU'] = 2"): [],
    ("device_count['GPU'] = 1", "gpu_options.allow_growth = True"): [],
}


@pytest.mark.parametrize("fields", CONFIGS)
def test_configs_behind_sessions_with_others(fields: tuple[str, str]) -> None:
    first, second = fields
    text = f"""
        first = tf.compat.v1.ConfigProto()
        first.{first}
        a = tf.compat.v1.Session(config=first)
        second = tf.compat.v1.ConfigProto()
        second.{second}
        b = tf.compat.v1.Session(config=second)
        """
    assert hazards(text) == CONFIGS[fields]


def test_settings_of_gpus_that_a_session_did_not_show() -> None:
    hidden = 'tf.config.set_visible_devices(gpus[:1], "GPU")\nsess = tf.compat.v1.Session()\n'
    all_of_them = 'tf.config.set_visible_devices(gpus, "GPU")\n'
    grow = "tf.config.experimental.set_memory_growth(gpus[1], True)\n"
    assert hazards(hidden + all_of_them + grow) == []
    assert hazards(hidden + grow) == ["ignored-setting:6"]


MODEL = """
    import tensorflow as tf


    def weights(shape=tf.constant([2])):
        return tf.zeros(shape)
    """
MAIN = """
    import tensorflow as tf
    from model import weights

    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    """


def test_a_module_that_starts_the_gpus_is_imported_first(tmp_path: Path) -> None:
    found = of_files(tmp_path, model=MODEL, main=MAIN)
    (finding,) = found["main"]
    assert finding.name == "late-setting"
    assert finding.message.startswith("set_memory_growth comes after tf.constant (")
    assert "model.py:4, imported in line 2)" in finding.message


def test_it_may_be_imported_by_another_one(tmp_path: Path) -> None:
    found = of_files(
        tmp_path,
        package____init__="",
        package__deep=MODEL,
        model="from package.deep import weights\nimport missing\n",
        main=MAIN,
    )
    assert [item.name for item in found["main"]] == ["late-setting"]


def test_a_setting_has_one_finding_of_that_kind(tmp_path: Path) -> None:
    late = MAIN.replace("for gpu", "total = tf.zeros([2])\n    for gpu")
    found = of_files(tmp_path, model=MODEL, other=MODEL, main=f"{late}\n    import other\n")
    assert [item.name for item in found["main"]] == ["late-setting"]


NOT_BEFORE = {
    "a module that only defines": {"model": MODEL.replace("=tf.constant([2])", "")},
    "a program that turns eager execution off": {
        "model": MODEL,
        "start": "import main\nimport tensorflow as tf\n\ntf.compat.v1.disable_v2_behavior()\n",
    },
    "a module without TensorFlow": {"model": "weights = constant = 1\n"},
    "modules in a circle": {"model": "import main\nfrom main import weights\n"},
    "no Python 3": {"model": "import tensorflow\nprint tf.constant(1)\n"},
    "a module that is only run": {
        "model": 'import tensorflow as tf\n\nif __name__ == "__main__":\n    tf.zeros([2])\n'
    },
}


@pytest.mark.parametrize("name", NOT_BEFORE)
def test_nothing_is_reported_without_certainty(name: str, tmp_path: Path) -> None:
    found = of_files(tmp_path, main=MAIN, **NOT_BEFORE[name])
    assert found["main"] == []


def test_an_import_behind_the_settings_is_in_time(tmp_path: Path) -> None:
    lines = MAIN.splitlines()
    later = "\n".join([*lines[:2], *lines[3:], "    from model import weights", ""])
    other = later.replace("set_memory_growth(gpu, True)", "set_visible_devices([], 'GPU')")
    found = of_files(tmp_path, model=MODEL, main=later, other=other)
    assert found["main"] == found["other"] == []


def test_functions_of_another_file_are_followed(tmp_path: Path) -> None:
    setup = RAW + "def setup():\n    tf.config.set_visible_devices([], 'GPU')\n"
    main = RAW + "from gpu import setup as s\n\ntotal = tf.zeros([2])\ns()\n" + GPUS
    assert of_files(tmp_path, gpu=setup, main=main)["gpu"] == []
