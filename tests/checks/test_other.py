"""Sessions beside tf.config, kernels, removed and misspelt names, PyTorch."""

from __future__ import annotations

import pytest

from tests.checks.tools import found, hazards
from tests.tools import RAW, UNSAFE, check_noop, check_transformed
from tfgpu.options import Options

BESIDE = {
    """
    tf.config.set_visible_devices([], "GPU")
    sess = tf.compat.v1.Session(config=make_config())
    """: ["session-beside:5"],
    """
    tf.config.set_visible_devices([], "GPU")
    config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
    sess = tf.compat.v1.Session(config=config)
    """: ["session-beside:6"],
    """
    tf.config.set_soft_device_placement(True)
    sess = tf.compat.v1.Session(config=make_config())
    """: [],
    """
    if tf.__version__ < "2":
        sess = tf.compat.v1.Session(config=make_config())
    else:
        tf.config.set_visible_devices([], "GPU")
    """: [],
    # The setters of tf.config return None: the session has no config of its own.
    """
    config = tf.config.set_visible_devices([], "GPU")
    sess = tf.compat.v1.Session(config=config)
    """: [],
    """
    tf.config.set_visible_devices([], "GPU")
    sess = tf.compat.v1.Session(config=tf.config.set_soft_device_placement(True))
    """: [],
    """
    config = None
    if make_config:
        config = make_config()
    tf.config.set_visible_devices([], "GPU")
    sess = tf.compat.v1.Session(config=config)
    """: ["session-beside:8"],
}


@pytest.mark.parametrize("text", BESIDE)
def test_sessions_with_a_config_beside_tf_config(text: str) -> None:
    assert hazards(text) == BESIDE[text]


OFF = "tf.config.set_soft_device_placement(False)\n"
KERNELS = {
    OFF + 'with tf.device("/GPU:0"):\n    table = tf.Variable("a")\n': True,
    OFF + 'with open("x") as x, tf.device("gpu:1"):\n    tf.print("a")\n': True,
    OFF + 'with tf.device("/cpu:0"):\n    tf.print("a")\n': False,
    OFF + 'with tf.device(device):\n    tf.print("a")\n': False,
    OFF + 'with tf.device("/gpu:0"):\n    call = lambda: tf.print("a")\n': False,
    OFF + 'with tf.device("/gpu:0"):\n    step = tf.Variable(0, dtype=tf.int64)\n': False,
    OFF + 'with tf.device("/gpu:0"):\n    step = tf.Variable(True)\n': False,
    OFF + 'with tf.device("/gpu:0"):\n    step = tf.Variable()\n': False,
    OFF + 'with open("x"):\n    tf.print("a")\n': False,
    OFF + 'tf.print("a")\n': False,
    'with tf.device("/gpu:0"):\n    tf.print("a")\n' + OFF: False,
    OFF.replace("False", "soft") + 'with tf.device("/gpu:0"):\n    tf.print("a")\n': False,
}


@pytest.mark.parametrize("text", KERNELS)
def test_operations_without_a_kernel(text: str) -> None:
    names = [item.partition(":")[0] for item in hazards(text)]
    assert names == (["no-gpu-kernel"] if KERNELS[text] else [])


REMOVED = {
    "from tensorflow.keras.layers.experimental import preprocessing": True,
    "from tensorflow.compat.v1 import layers": True,
    "print(tf.layers.dense, tf.layers.conv2d)": True,
    "print(tf.compat.v1.nn.rnn_cell.LSTMCell(2))": True,
    "from keras.layers.experimental import preprocessing": False,
    "import keras\n\nprint(keras.backend.learning_phase())": False,
    "print(net.layers, tf.keras.layers.Dense(2))": False,
    "config = tf.estimator.RunConfig(session_config=make())": False,
    "try:\n    import tensorflow.estimator as e\nexcept ImportError:\n    e = None": False,
}


@pytest.mark.parametrize("text", REMOVED)
def test_removed_names_are_told_once(text: str) -> None:
    names = [item.partition(":")[0] for item in hazards(f"{text}\n")]
    assert names == (["removed-name"] if REMOVED[text] else [])


SPELLINGS = {
    "tf.config.experimental.list_physical_device('GPU')": "tf.config.list_physical_devices",
    "tf.config.set_memory_grow(gpu, True)": "tf.config.experimental.set_memory_growth",
    "tf.config.set_intra_op_parallelism_threads(2)": (
        "tf.config.threading.set_intra_op_parallelism_threads"
    ),
}


@pytest.mark.parametrize("text", SPELLINGS)
def test_misspelt_names_have_the_real_one(text: str) -> None:
    (finding,) = found(f"{text}\n")
    assert finding.name == "unknown-name"
    assert finding.message.endswith(SPELLINGS[text])
    assert finding.todo.startswith(f"write {SPELLINGS[text]}, or run")
    assert finding.fix == "unsafe"


def test_misspelt_names_are_corrected_by_unsafe_fixes_only() -> None:
    before = RAW + "tf.config.set_visible_device([], 'GPU')\n"
    old = Options((2, 0), unsafe_fixes=True)
    right = "tf.config.experimental.set_visible_devices([], 'GPU')\n"
    check_noop(before)
    check_noop(before, Options(unsafe_fixes=True, ignore=("unknown-name",)))
    check_noop(before.replace(")\n", ")  # tfgpu: ignore[unknown-name]\n"), UNSAFE)
    check_transformed(before, before.replace("device(", "devices("), UNSAFE)
    check_transformed(before, RAW + right, old)


REAL = [
    "tf.config.gpu.set_per_process_memory_growth",
    "from tensorflow.config import something_new",
    "tf.config.experimental.mine = 1",
    "from tensorflow.config import experimental",
    "try:\n    from tensorflow.config import list_devices\nexcept ImportError:\n    pass",
    "try:\n    tf.config.set_memory_growth(gpu, True)\n"
    "except Exception:\n    tf.config.experimental.set_memory_growth(gpu, True)",
    "try:\n    tf.config.list_physical_device()\n"
    "except Exception:\n    tf.config.experimental.list_physical_devices()",
    "if hasattr(tf.config, 'set_memory_growth'):\n    tf.config.set_memory_growth(gpu, True)",
]


@pytest.mark.parametrize("text", REAL)
def test_other_names_are_left_alone(text: str) -> None:
    assert hazards(f"{text}\n") == []


TYPES = {
    "tf.config.list_physical_devices('gpu')": "GPU",
    "tf.config.list_logical_devices(device_type='Cpu')": "CPU",
    "tf.config.experimental.list_physical_devices('GPUs')": "GPU",
    "tf.config.set_visible_devices([], 'gpu')": "GPU",
    "tf.config.get_visible_devices('GPU:0')": "GPU",
    "tf.config.list_physical_devices('GPU')": None,
    "tf.config.list_physical_devices('XPU')": None,
    "tf.config.list_physical_devices(kind)": None,
    "tf.config.LogicalDevice('gpu', 'gpu')": None,
    "tf.config.set_visible_devices([], 'CPU')": None,
}


@pytest.mark.parametrize("text", TYPES)
def test_device_types_are_compared_letter_by_letter(text: str) -> None:
    told = [item for item in found(f"{text}\n") if item.name == "wrong-device-type"]
    assert [item.todo for item in told] == [f'write "{near}"' for near in [TYPES[text]] if near]


def test_an_argument_has_the_nearest_one_where_there_is_one() -> None:
    (near,) = found("tf.config.LogicalDeviceConfiguration(memory_limits=5)\n")
    (far,) = found("tf.config.list_physical_devices(gpu=5)\n")
    assert near.message.endswith("memory_limits; did you mean memory_limit?")
    assert far.message.endswith("has no argument gpu")
    assert hazards("tf.config.list_physical_devices(**options)\n") == []


def test_hidden_characters_are_spelled_out() -> None:
    (finding,) = found('with tf.device("/gpu:0\u200b"):\n    print(1)\n')
    assert "U+200B" in finding.message
    assert '"/gpu:0"' in finding.message
    assert hazards('with tf.device(name), tf.device("/gpu:0"):\n    print(1)\n') == []


ALONE = "import os\n\nimport torch\n"
TORCH = f"{ALONE}import tensorflow as tf\n"
LATE_TORCH = {
    'torch.cuda.init()\nos.environ["CUDA_VISIBLE_DEVICES"] = "1"\n': True,
    'os.environ["CUDA_VISIBLE_DEVICES"] = "1"\ntorch.cuda.init()\n': False,
    'os.environ["CUDA_VISIBLE_DEVICES"] = "1"\n': False,
    'torch.cuda.init()\nos.environ["CUDA_VISIBLE_DEVICES"] = "1"\nos.system("x")\n': False,
    'torch.cuda.init()\nimport ray\nos.environ["CUDA_VISIBLE_DEVICES"] = "1"\n': False,
    'torch.cuda.is_available()\nos.environ["CUDA_VISIBLE_DEVICES"] = "1"\n'
    'print("PYTORCH_NVML_BASED_CUDA_CHECK")\n': False,
}


@pytest.mark.parametrize("text", LATE_TORCH)
def test_cuda_reads_its_variable_once(text: str) -> None:
    names = [item.partition(":")[0] for item in hazards(text, ALONE)]
    assert names == (["torch-late-visible-devices"] if LATE_TORCH[text] else [])


def test_torch_devices_are_told() -> None:
    text = 'x = x.to("cuda:0")\ny = y.cuda(1)\nz = z.cuda(number)\nw = f"cuda:1{x}"\nv = "cuda"\n'
    assert hazards(text, TORCH) == ["torch-fixed-device:5", "torch-fixed-device:6"]
    assert hazards(text, RAW) == []
    assert hazards(text, ALONE) == []
