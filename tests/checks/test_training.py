"""Strategies of Estimators, half precision, towers, settings by name, GPUs by rank and from Ray."""

from __future__ import annotations

import pytest

from tests.tools import book
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process

TF = "import tensorflow as tf\n"
HIDES = "import os; os.environ['CUDA_VISIBLE_DEVICES'] = '1'\n"


def found(text: str, inventory: bool = False) -> list[tuple[str, int]]:
    """Return code and line of what the rules for training say; or the rows of devices."""
    job = Job(Options(select=("TFS",)), rewrite=False, kinds=EVERY, inventory=inventory)
    (result,) = process({"a.py": text.encode()}, job, book())
    assert result.reason is None
    if inventory:
        return [(row.value, row.line) for row in result.inventory if row.kind == "device"]
    return [(item.code, item.line) for item in result.findings]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("config = tf.estimator.RunConfig(train_distribute=strategy)", "TFS101"),
        ("config = config.replace(eval_distribute=tf.distribute.MirroredStrategy())", "TFS101"),
        ("o = tf.compat.v1.mixed_precision.enable_mixed_precision_graph_rewrite(o)", "TFS102"),
        ("o = tf.train.experimental.enable_mixed_precision_graph_rewrite(o)", "TFS102"),
        ("o = tf.contrib.mixed_precision.LossScaleOptimizer(o, m)", "TFS103"),
        ("o = contrib.mixed_precision().LossScaleOptimizer(o, m)", "TFS103"),
        ("o = tf.keras.mixed_precision.experimental.LossScaleOptimizer(o, 'dynamic')", "TFS103"),
        ("make({'allow_growth': True})", "TFS106"),
        ("make(config={'gpu': {'visible_device_list': '0'}})", "TFS106"),
        ("D = {'allow_growth': True, 'log_device_placement': False}", "TFS106"),
        ("make(dict(allow_growth=True))", "TFS106"),
        ("def f(**words):\n    g(words)\nf(allow_growth=True)", "TFS106"),
        ("config = tf.ConfigProto.FromString(data)", "TFS004"),
        ("make({'gpuOptions': {'allowGrowth': True}})", "TFS106"),
        ("json.loads('{\"allow_growth\": true}')", "TFS106"),
        ("d = dict({'allow_soft_placement': True})\nf(**d)", "TFS106"),
        ("config = tf.estimator.RunConfig(**{'train_distribute': strategy})", "TFS101"),
        ("config = tf.contrib.learn.RunConfig(num_cores=4)", "TFS107"),
        ("from tensorflow.contrib.learn import RunConfig as R\nR(gpu_memory_fraction=f)", "TFS107"),
        (
            "from tensorflow.contrib.learn.python.learn.estimators import run_config\n"
            "run_config.RunConfig(log_device_placement=True)",
            "TFS107",
        ),
    ],
)
def test_what_is_found(text: str, code: str) -> None:
    assert [item for item, _ in found(f"{TF}{text}\n")] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "config = tf.estimator.RunConfig(train_distribute=None)",
        "config = tf.contrib.learn.RunConfig(save_checkpoints_secs=60)",
        "from own.contrib.learn import RunConfig\nRunConfig(gpu_memory_fraction=0.5)",
        "o = tf.keras.mixed_precision.LossScaleOptimizer(o)",
        "for i in range(n):\n  with tf.device('/cpu:0'):\n    f(i)",
        "for i in range(n):\n  with tf.device('/gpu:0'):\n    f(i)",
        "with tf.device('/gpu:%d' % hvd.local_rank()):\n  f()",
        "sess = tf.Session(config=tf.ConfigProto(**{'allow_soft_placement': True}))",
        "text = 'allow_growth'",
        "def f(allow_growth):\n    g()\nf(allow_growth=True)",
        "class ConfigProto:\n  def __init__(self, **k):\n    pass\nConfigProto(allow_growth=True)",
        "event = tf.Event.FromString(data)",
        "sess = tf.Session(config=tf.ConfigProto(gpu_options={'allow_growth': True}))",
        "sess = tf.Session(config=tf.ConfigProto(**dict(allow_soft_placement=True)))",
    ],
)
def test_what_is_left_in_peace(text: str) -> None:
    assert found(f"{TF}{text}\n") == []


@pytest.mark.parametrize("text", ["f(train_distribute=3)", "make({'allow_growth': True})"])
def test_what_has_nothing_of_tensorflow(text: str) -> None:
    assert found(f"import torch\n{text}\n") == []


@pytest.mark.parametrize("head", ["import torch\n", TF])
@pytest.mark.parametrize(
    ("body", "is_read"), [("pass", False), ("g(k)", True), ("g(locals())", True)]
)
def test_the_inventory_has_what_the_audit_has(head: str, body: str, is_read: bool) -> None:
    own = f"class ConfigProto:\n  def __init__(self, **k):\n    {body}\n"
    text = f"{head}{own}ConfigProto(allow_growth=True)\n"
    is_found = is_read and head == TF
    assert [code for code, _ in found(text)] == (["TFS106"] if is_found else [])
    job = Job(Options(), rewrite=False, inventory=True)
    (result,) = process({"a.py": text.encode()}, job, book())
    assert [row.setting for row in result.inventory] == (
        ["gpu_options.allow_growth"] if is_found else []
    )


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(n):\n  with tf.device('/gpu:%d' % i):\n    f()",
        "for i in range(n):\n  with tf.device(f'/device:GPU:{i}'):\n    f()",
        "for i, x in enumerate(xs):\n  with tf.device('/gpu:' + str(i)):\n    f()",
        "for d in ['/gpu:0', '/gpu:1']:\n  with tf.device(d):\n    f()",
        "DS = ['/gpu:0', '/gpu:1']\nfor i, d in enumerate(DS):\n  with tf.device(d):\n    f()",
        "for i in range(n):\n  d = '/gpu:%d' % i\n  with tf.device(d):\n    f()",
        "for i in range(n):\n  d = tf.DeviceSpec(device_type='GPU', device_index=i)\n"
        "  with tf.device(d):\n    f()",
        "[tf.device('/gpu:%d' % i) for i in range(n)]",
        "i = 0\nwhile i < n:\n  with tf.device('/gpu:%d' % i):\n    f()\n  i += 1",
        "for i in ids:\n  if i:\n    with tf.device(place('/gpu:{}'.format(i))):\n      f()",
    ],
)
@pytest.mark.parametrize(
    ("choice", "count"),
    [
        ("import os; os.environ['CUDA_VISIBLE_DEVICES'] = '0,1'", 1),
        ("s = tf.Session(config=tf.ConfigProto(device_count={'GPU': 2}))", 1),
        ("tf.config.set_visible_devices(gpus[:2], 'GPU')", 1),
        ("pass", 0),
    ],
)
def test_towers_beside_a_choice_of_gpus(loop: str, choice: str, count: int) -> None:
    assert [code for code, _ in found(f"{TF}{choice}\n{loop}\n")] == ["TFS104"] * count


@pytest.mark.parametrize(
    ("rank", "index", "count"),
    [
        ("hvd.local_rank()", "hvd.local_rank()", 1),
        ("local_rank", "local_rank", 1),
        ("hvd.local_rank()", "0", 0),
        ("hvd.rank()", "hvd.local_rank()", 0),
    ],
)
def test_one_gpu_by_rank(rank: str, index: str, count: int) -> None:
    text = (
        f"import os\n{TF}os.environ['CUDA_VISIBLE_DEVICES'] = str({rank})\n"
        "gpus = tf.config.list_physical_devices('GPU')\n"
        f"tf.config.set_visible_devices(gpus[{index}], 'GPU')\n"
    )
    assert found(text) == [("TFS201", 5)] * count


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("@ray.remote(num_gpus=1)\ndef f(): pass", []),
        (f"{HIDES}@ray.remote(num_gpus=1)\ndef f(): pass", ["TFS202"]),
        ("@ray.remote(num_gpus=0.5)\ndef f(): pass", ["TFS203"]),
        (f"{HIDES}W.options(num_gpus=n).remote()", ["TFS202"]),
        ("@ray.remote(num_gpus=0)\ndef f(): pass", []),
        ("ray.init(num_gpus=4)", []),
    ],
)
def test_gpus_of_ray(text: str, codes: list[str]) -> None:
    assert [code for code, _ in found(f"import ray\n{text}\n")] == codes


GROWS = "tf.config.experimental.set_memory_growth(gpu, True)"
PART = "@ray.remote(num_gpus=0.5)"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"{PART}\ndef f(gpu): {GROWS}", 0),
        (f"{PART}\ndef f(gpu): {GROWS.replace('True', 'False')}", 1),
        (f"def grow(gpu): {GROWS}\n{PART}\ndef f(gpu): grow(gpu)", 0),
        (f"def grow(gpu): {GROWS}\n{PART}\ndef f(gpu): pass", 1),
        (f"{PART}\nclass A:\n  def __init__(self): tf.GPUOptions(allow_growth=True)", 0),
        (f"class B:\n  def f(self, gpu): {GROWS}\n{PART}\nclass A(B): pass", 0),
        (f"def f(c): c.gpu_options.allow_growth = True\n{PART[1:]}(f).remote(c)", 0),
        (f"def f(c): c.gpu_options.allow_growth = False\n{PART[1:]}(f).remote(c)", 1),
        (f"@ray.remote\ndef f(gpu): {GROWS}\nf.options(num_gpus=0.5).remote(0)", 0),
        ("@ray.remote\ndef f(gpu): pass\nf.options(num_gpus=0.5).remote(0)", 1),
        (f"os.environ['TF_FORCE_GPU_ALLOW_GROWTH'] = 'true'\n{PART}\ndef f(): pass", 0),
    ],
)
def test_workers_of_ray_that_limit_their_memory(text: str, count: int) -> None:
    head = "import os, ray\nimport tensorflow as tf\n"
    codes = [code for code, _ in found(f"{head}{text}\n")]
    assert codes.count("TFS203") == count


def test_each_line_of_a_dictionary_has_its_finding() -> None:
    text = (
        f"{TF}D = {{\n  'a': 1,\n  'allow_growth': True,\n"
        "  'gpu': {\n    'visible_device_list': ''}}\n"
    )
    assert found(text) == [("TFS106", 4), ("TFS106", 6)]


@pytest.mark.parametrize(
    ("device", "count"),
    [
        ("lambda op: '/gpu:0'", 1),
        ("tf.DeviceSpec(device_type='GPU', device_index=0)", 1),
        ("tf.train.replica_device_setter(worker_device='/job:worker/gpu:0')", 1),
        ("named", 1),
        ("place", 1),
        ("setter", 1),
        ("'/gpu:0' if x else '/cpu:0'", 1),
        ("DEVICES[i]", 1),
        ("A.device", 1),
        ("gpu_name", 0),
        ("'/cpu:0'", 0),
        ("choose({'gpu_mode': 1})", 1),
        ("chosen", 0),
        ("of_cpu", 0),
    ],
)
def test_devices_by_other_names(device: str, count: int) -> None:
    text = (
        f"{TF}named = '/device:GPU:' + str(0)\n"
        "setter = tf.train.replica_device_setter(worker_device='/gpu:0')\n"
        "DEVICES = ['/gpu:0', '/gpu:1']\nchosen = choose({'gpu_mode': 1})\n"
        "def place(op):\n  return '/cpu:0' if op.type == 'Variable' else '/gpu:0'\n"
        "def of_cpu(op):\n  return '/cpu:0'\n"
        "class A:\n  device = '/gpu:0'\n"
        f"with tf.device({device}):\n  f()\n"
    )
    assert len(found(text, inventory=True)) == count


def test_devices_of_graphs_are_rows_and_those_of_others_are_not() -> None:
    text = f"{TF}import torch\ng = tf.Graph()\nwith g.device('/gpu:1'):\n  f()\n"
    text += "x.to(torch.device('gpu'))\n"
    assert found(text, inventory=True) == [("'/gpu:1'", 4)]


def test_devices_are_rows_of_the_inventory() -> None:
    text = f"{TF}with tf.device('/gpu:1'):\n  f()\nwith tf.device('/cpu:0'):\n  f()\n"
    assert found(text, inventory=True) == [("'/gpu:1'", 2)]
