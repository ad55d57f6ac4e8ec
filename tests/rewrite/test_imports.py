"""What happens to the imports of a migrated file."""

from __future__ import annotations

import pytest

from tests.tools import UNSAFE, check_noop, check_transformed, migrated
from tfgpu.options import Options

KEEP = Options(keep_imports=True)
SOFT = "tf.config.set_soft_device_placement(True)\nsess = tf.Session()\n"
SESSION = "sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))\n"
FRACTION = (
    "options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)\n"
    "sess = tf.Session(config=tf.ConfigProto(gpu_options=options))\n"
)
HEADS = {
    "among-others": (
        "import os, sys, tensorflow as tf, numpy as np\n",
        "import os, sys, tensorflow.compat.v1 as tf, numpy as np\ntf.disable_v2_behavior()\n",
    ),
    "two-lines": (
        "import numpy as np\nimport tensorflow as tf  # TF1\nimport yaml\n",
        "import numpy as np\nimport tensorflow.compat.v1 as tf  # TF1\n"
        "tf.disable_v2_behavior()\nimport yaml\n",
    ),
    "docstring-and-future": (
        '"""Doc."""\nfrom __future__ import print_function\n\nimport tensorflow as tf\n',
        '"""Doc."""\nfrom __future__ import print_function\n\n'
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n",
    ),
    "semicolon": (
        "import tensorflow as tf; import numpy as np\n",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nimport numpy as np\n",
    ),
    "one-line-if": (
        "if True: import tensorflow as tf\n",
        "if True:\n    import tensorflow.compat.v1 as tf\n    tf.disable_v2_behavior()\n",
    ),
    "one-line-try": (
        "try: import tensorflow as tf\nexcept ImportError: pass\n",
        "try:\n    import tensorflow.compat.v1 as tf\n    tf.disable_v2_behavior()\n"
        "except ImportError: pass\n",
    ),
    "other-names-of-tensorflow": (
        "import tensorflow as tf\nfrom tensorflow import keras\n"
        "from tensorflow.layers import dense\nimport tensorflow.nn as nn\nnn.dropout(1, 0.5)\n",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "from tensorflow import keras\nfrom tensorflow.compat.v1.layers import dense\n"
        "import tensorflow.compat.v1.nn as nn\nnn.dropout(1, 0.5)\n",
    ),
    "twice": (
        "import tensorflow as tf\nimport tensorflow as tf\n",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "import tensorflow.compat.v1 as tf\n",
    ),
    "two-names": (
        "import tensorflow as tf\nimport tensorflow as T\n",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "import tensorflow.compat.v1 as T\n",
    ),
    "behaviour-is-off": (
        "import tensorflow as tf\ntf.disable_v2_behavior()\n",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n",
    ),
    "behaviour-is-off-in-compat": (
        "import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\n",
        "import tensorflow.compat.v1 as tf\ntf.compat.v1.disable_v2_behavior()\n",
    ),
    "compat-beside-raw-names": (
        "import tensorflow as tf\nx = tf.compat.v1.placeholder(tf.float32)\n",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "x = tf.compat.v1.placeholder(tf.float32)\n",
    ),
}


@pytest.mark.parametrize("name", HEADS)
def test_import_is_switched(name: str) -> None:
    before, after = HEADS[name]
    check_transformed(before + SESSION, after + SOFT)


@pytest.mark.parametrize("name", HEADS)
def test_import_is_left_on_request(name: str) -> None:
    before, _ = HEADS[name]
    check_transformed(before + SESSION, before + SOFT, KEEP)


def test_module_under_its_own_name_among_others() -> None:
    check_transformed(
        """
        import tensorflow, numpy as np
        sess = tensorflow.Session(config=tensorflow.ConfigProto(allow_soft_placement=True))
        """,
        """
        import tensorflow.compat.v1 as tensorflow, numpy as np
        tensorflow.disable_v2_behavior()
        tensorflow.config.set_soft_device_placement(True)
        sess = tensorflow.Session()
        """,
    )


def test_names_from_tensorflow() -> None:
    check_transformed(
        """
        from tensorflow import (ConfigProto,
                                Session)  # both
        from tensorflow import constant
        sess = Session(config=ConfigProto(allow_soft_placement=True))
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        from tensorflow.compat.v1 import (Session)  # both
        from tensorflow import constant
        tf.config.set_soft_device_placement(True)
        sess = Session()
        """,
    )


def test_module_imported_in_two_functions() -> None:
    text = """
        def first():
            import tensorflow{0} as tf{1}
            return tf.constant(1)


        def second():
            import tensorflow{0} as tf{1}
            return {2}
        """
    check_transformed(
        text.format("", "", "tf.Session(config=tf.ConfigProto())"),
        text.format(".compat.v1", "\n            tf.disable_v2_behavior()", "tf.Session()"),
    )


def test_module_imported_at_the_top_and_in_a_function() -> None:
    check_transformed(
        """
        import tensorflow as tf


        def make():
            import tensorflow as tf
            return tf.Session(config=tf.ConfigProto())
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()


        def make():
            import tensorflow.compat.v1 as tf
            return tf.Session()
        """,
    )


def test_import_of_names_of_both_versions_goes_to_compat() -> None:
    check_transformed(
        """
        import tensorflow as tf
        from tensorflow import constant, placeholder
        x = placeholder(constant(1))
        sess = tf.Session(config=tf.ConfigProto())
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        from tensorflow.compat.v1 import constant, placeholder
        x = placeholder(constant(1))
        sess = tf.Session()
        """,
    )


def test_nothing_of_tensorflow_1_is_left() -> None:
    check_transformed(
        """
        import tensorflow as tf
        import keras

        keras.backend.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        print(tf.__version__)
        """,
        """
        import tensorflow as tf

        tf.config.set_soft_device_placement(True)
        print(tf.__version__)
        """,
    )


def test_a_session_for_keras_stays_where_graphs_are_built() -> None:
    check_transformed(
        """
        import tensorflow as tf
        import keras

        keras.backend.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        x = tf.placeholder(tf.float32)
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        tf.config.set_soft_device_placement(True)
        tf.keras.backend.set_session(tf.Session())
        x = tf.placeholder(tf.float32)
        """,
    )


def test_code_of_tensorflow_2_is_not_switched() -> None:
    check_noop(
        """
        import tensorflow as tf

        x = tf.constant(1)
        """
    )


def test_config_that_the_user_can_still_move_keeps_the_import() -> None:
    # Only a config that TensorFlow 2 has nothing for lets the file come to run there.
    check_noop(
        """
        import tensorflow as tf

        print(tf.ConfigProto(operation_timeout_in_ms=1))
        """
    )


def test_config_that_stays_and_imports_that_stay() -> None:
    before = """
        import tensorflow as tf

        sess = tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1))
        """
    check_transformed(before, before, KEEP)


# Modules of Python that the migrated code needs.

LIMIT = {
    "none": ("", "import ctypes\nimport os\n\n"),
    "one": ("import sys\n", "import ctypes\nimport os\nimport sys\n"),
    "before": ("import abc\n", "import abc\nimport ctypes\nimport os\n"),
    "both-sides": (
        "import abc\nimport sys\n",
        "import abc\nimport ctypes\nimport os\nimport sys\n",
    ),
    "there": ("import ctypes\nimport os\n", "import ctypes\nimport os\n"),
    "one-there": ("import os\n", "import ctypes\nimport os\n"),
    "from": ("from ctypes import c_int\n", "import ctypes\nfrom ctypes import c_int\nimport os\n"),
    "submodule": ("import os.path\n", "import ctypes\nimport os.path\n"),
    "third-party": (
        "import numpy as np\n",
        "import ctypes\nimport os\n\nimport numpy as np\n",
    ),
    "relative": (
        "from . import project\n",
        "import ctypes\nimport os\n\nfrom . import project\n",
    ),
    "commented": (
        "# system\nimport sys\n",
        "# system\nimport ctypes\nimport os\nimport sys\n",
    ),
    "docstring": ('"""Doc."""\nimport sys\n', '"""Doc."""\nimport ctypes\nimport os\nimport sys\n'),
    "concatenated-docstring": (
        '"Doc." "More."\n',
        '"Doc." "More."\nimport ctypes\nimport os\n\n',
    ),
    "future": (
        "from __future__ import division\nimport sys\n",
        "from __future__ import division\nimport ctypes\nimport os\nimport sys\n",
    ),
}


@pytest.mark.parametrize("name", LIMIT)
def test_modules_that_new_code_needs(name: str) -> None:
    before, after = LIMIT[name]
    text = migrated(before + "import tensorflow as tf\n" + FRACTION, UNSAFE)
    head = after + "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
    assert text.startswith(head + "\n\ndef _gpu_memory_limit_mib(fraction, index):\n")


def test_helper_stands_behind_all_imports() -> None:
    text = migrated(
        "import tensorflow as tf\ntry:\n    import yaml\nexcept ImportError:\n    yaml = None\n"
        "if yaml:\n    import abc\n\nNAME = 1\n\n\ndef run():\n"
        "    o = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)\n"
        "    return tf.Session(config=tf.ConfigProto(gpu_options=o))\n"
    )
    assert "    import abc\n\n\ndef _gpu_memory_limit_mib(" in text
    assert "2**20\n\n\nNAME = 1\n" in text


def test_helper_stands_before_its_first_use() -> None:
    text = migrated("import tensorflow as tf\n" + FRACTION + "import sys\n")
    lines = text.splitlines()
    assert lines.index("def _gpu_memory_limit_mib(fraction, index):") < lines.index("import sys")


def test_helper_is_written_once() -> None:
    text = migrated(
        """
        import tensorflow as tf


        def first():
            o = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)
            sess = tf.Session(config=tf.ConfigProto(gpu_options=o))
            return sess


        def second():
            o = tf.GPUOptions(per_process_gpu_memory_fraction=0.4)
            sess = tf.Session(config=tf.ConfigProto(gpu_options=o))
            return sess
        """
    )
    assert text.count("def _gpu_memory_limit_mib(") == 1
    assert text.count("_gpu_memory_limit_mib(") == 3


def test_helper_imports_tensorflow_itself_where_only_functions_do() -> None:
    text = migrated(
        """
        def run(gpus):
            import tensorflow as tf

            options = tf.GPUOptions(visible_device_list=gpus)
            with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
                return sess.run(tf.constant(1))
        """,
        UNSAFE,
    )
    helper = text[text.index("def _visible_gpus(") : text.index("def run(")]
    assert "\n    import tensorflow as tf\n\n    gpus = tf.config.list_physical_devices" in helper
    namespace: dict[str, object] = {}
    exec(compile(helper, "helper", "exec"), namespace)
    assert "tf" not in namespace


def test_program_of_names_that_no_tensorflow_2_has_gets_the_bridge() -> None:
    check_transformed(
        """
        import tensorflow as tf

        cell = tf.contrib.rnn.LSTMCell(8)
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        """
        import tensorflow as tf

        cell = tf.contrib.rnn.LSTMCell(8)
        tf.config.set_soft_device_placement(True)
        for gpu in tf.config.experimental.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
    )


def test_bridge_on_request() -> None:
    check_transformed(
        """
        import tensorflow as tf

        sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
        """,
        """
        import tensorflow as tf

        tf.config.experimental.set_visible_devices([], "GPU")
        sess = tf.Session()
        """,
        Options(bridge=True),
    )


def test_comments_of_names_that_go_stand_above_the_import() -> None:
    check_transformed(
        """
        from tensorflow import (
            Session,  # the session
            ConfigProto,  # the config
            # for the graph
            constant,
        )

        with Session(config=ConfigProto(allow_soft_placement=True)) as sess:
            sess.run(constant(1))
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        # the config
        # for the graph
        from tensorflow.compat.v1 import (
            Session,  # the session
            constant,
        )

        tf.config.set_soft_device_placement(True)
        with Session() as sess:
            sess.run(constant(1))
        """,
    )


def test_the_last_name_of_an_import_goes() -> None:
    check_transformed(
        """
        from tensorflow import (
            Session,
            ConfigProto,  # the config
        )

        sess = Session(config=ConfigProto(allow_soft_placement=True))
        """,
        """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        # the config
        from tensorflow.compat.v1 import (
            Session,
        )

        tf.config.set_soft_device_placement(True)
        sess = Session()
        """,
    )


@pytest.mark.parametrize(
    ("first", "write"),
    [
        ("import os", 'os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"'),
        ("import os", 'os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")'),
        ("from os import environ", 'environ["TF_CPP_MIN_LOG_LEVEL"] = "3"'),
        ("import os, sys", 'sys.path.insert(0, "..")\nos.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"'),
        (
            "import os\nimport warnings",
            'warnings.filterwarnings("ignore")\nos.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"',
        ),
    ],
)
def test_import_that_is_added_stands_behind_the_environment(first: str, write: str) -> None:
    check_transformed(
        f"{first}\n{write}\nfrom tensorflow.compat.v1 import placeholder\n"
        'x = placeholder("float32")\nimport tensorflow as tf\n' + SESSION,
        f"{first}\n{write}\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "from tensorflow.compat.v1 import placeholder\n"
        'x = placeholder("float32")\nimport tensorflow.compat.v1 as tf\n' + SOFT,
    )


@pytest.mark.parametrize(
    "first",
    [
        "import os\n\n\ndef prepare():\n    os.environ['TF2_BEHAVIOR'] = '0'\n\n\nprepare()\n",
        "import os\n\nfor name in ('TF_ENABLE_ONEDNN_OPTS',):\n    os.environ[name] = '0'\n",
        "import prepare\n",
        "import sys\nimport numpy as np\nprint(np.pi)\nsys.stdout.flush()\n",
    ],
    ids=["function", "loop", "module", "prints"],
)
@pytest.mark.parametrize(
    ("module", "added"),
    [
        ("tensorflow.compat.v1", "import tensorflow as tf\n"),
        ("tensorflow", "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"),
    ],
)
def test_import_that_is_added_stands_at_the_first_one_of_tensorflow(
    first: str, module: str, added: str
) -> None:
    turns_off = ", disable_v2_behavior" if module != "tensorflow" else ""
    calls = "disable_v2_behavior()\n" if turns_off else ""
    check_transformed(
        f"{first}from {module} import ConfigProto, Session{turns_off}\n{calls}"
        "sess = Session(config=ConfigProto(allow_soft_placement=True))\n",
        f"{first}{added}from tensorflow.compat.v1 import Session{turns_off}\n{calls}"
        "tf.config.set_soft_device_placement(True)\nsess = Session()\n",
    )


def test_code_of_a_function_imports_tensorflow_where_its_file_does_so_in_functions() -> None:
    check_transformed(
        """
        import os


        def load():
            global tf
            os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
            import tensorflow as tf


        def session():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        import os


        def load():
            global tf
            os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
            import tensorflow.compat.v1 as tf
            tf.disable_v2_behavior()


        def session():
            import tensorflow as tf2
            tf2.config.set_soft_device_placement(True)
            return tf.Session()
        """,
    )


def test_names_that_functions_import_turn_the_behaviour_off_there() -> None:
    check_transformed(
        """
        import os


        def session():
            from tensorflow import ConfigProto, Session
            return Session(config=ConfigProto(allow_soft_placement=True))


        def value():
            from tensorflow import placeholder; return placeholder("float32")


        os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
        session()
        """,
        """
        import os


        def session():
            from tensorflow.compat.v1 import Session
            from tensorflow.compat.v1 import disable_v2_behavior
            disable_v2_behavior()
            import tensorflow as tf
            tf.config.set_soft_device_placement(True)
            return Session()


        def value():
            from tensorflow.compat.v1 import placeholder
            from tensorflow.compat.v1 import disable_v2_behavior
            disable_v2_behavior()
            return placeholder("float32")


        os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
        session()
        """,
    )


def test_settings_use_the_import_that_turns_the_behaviour_off_by_its_name() -> None:
    check_transformed(
        """
        from tensorflow import ConfigProto, Session

        sess = Session(config=ConfigProto(allow_soft_placement=True))
        tf = sess
        """,
        """
        import tensorflow.compat.v1 as tf1
        tf1.disable_v2_behavior()
        from tensorflow.compat.v1 import Session

        tf1.config.set_soft_device_placement(True)
        sess = Session()
        tf = sess
        """,
    )


def test_import_that_is_added_stands_above_keras() -> None:
    check_transformed(
        "import prepare\nimport keras.backend as K\nx = K.placeholder(1)\n"
        "from tensorflow import ConfigProto, Session\n"
        "sess = Session(config=ConfigProto(allow_soft_placement=True))\n",
        "import prepare\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "import keras.backend as K\nx = K.placeholder(1)\n"
        "from tensorflow.compat.v1 import Session\n"
        "tf.config.set_soft_device_placement(True)\nsess = Session()\n",
    )
