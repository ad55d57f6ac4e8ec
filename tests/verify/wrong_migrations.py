"""Small programs of TensorFlow 1, each with a right migration and with wrong ones.

`before`, `right` and the wrong ones only set up and make `session`; `work` follows on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent

# Matrices on the first GPU: enough for an allocation of some MiB.
ON_GPU_0 = """
with tf.device("/gpu:0"):
    matrix = tf.random.uniform([512, 512])
    result = tf.reduce_sum(tf.matmul(matrix, matrix))
session.run(result)
"""
ON_CPU = ON_GPU_0.replace("/gpu:0", "/cpu:0")
ON_GPU_1 = ON_GPU_0.replace("/gpu:0", "/gpu:1")
ON_GPU_6 = ON_GPU_0.replace("/gpu:0", "/gpu:6")
ON_GPU_7 = ON_GPU_0.replace("/gpu:0", "/gpu:7")
ANYWHERE = "\nsession.run(tf.matmul(tf.ones([64, 64]), tf.random.uniform([64, 64])))\n"

# Variables of this type have no kernel for the GPU.
COUNTER = """
with tf.device("/gpu:0"):
    counter = tf.Variable(0, name="counter")
session.run(tf.global_variables_initializer())
session.run(counter)
"""

CRASHES = "\nimport os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"
# 1.5 GiB: more than a quarter of a GPU, less than half.
MUCH = """
with tf.device("/gpu:0"):
    big = tf.random.uniform([384, 1024, 1024])
session.run(tf.reduce_sum(big))
"""

SESSION = "session = tf.Session()\n"
PROBE = "tf.test.is_gpu_available()\n"
GPUS = 'gpus = tf.config.list_physical_devices("GPU")\n'
CPUS = """tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 4)
"""
GROWTH = "for gpu in gpus:\n    tf.config.experimental.set_memory_growth(gpu, True)\n"
GROWTH_ON_ONE = "tf.config.experimental.set_memory_growth(gpus[0], True)\n"
GROWTH_BY_VARIABLE = "import os\nos.environ['TF_FORCE_GPU_ALLOW_GROWTH'] = 'true'\n"


def limit(gpu: int, *sizes: int) -> str:
    """Return the call that gives a GPU logical devices of some MiB."""
    parts = ", ".join(f"tf.config.LogicalDeviceConfiguration({size})" for size in sizes)
    return f"tf.config.set_logical_device_configuration(gpus[{gpu}], [{parts}])\n"


def visible(gpus: str) -> str:
    """Return the call that leaves some GPUs visible."""
    return f"tf.config.set_visible_devices({gpus}, 'GPU')\n"


# TensorFlow waits for ten seconds before it says that memory is used up, unless it is told not to.
_NO_WAIT = "gpu_options.experimental.disallow_retry_on_allocation_failure = True\n"
# The same where no config says so: all that tf.config sets is added to this one.
WITHOUT_WAITING = f"""
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.eager import context
without_waiting = config_pb2.ConfigProto()
without_waiting.{_NO_WAIT}context.context()._config = without_waiting
"""


def fraction_without_waiting(fraction: float) -> str:
    """Return the code that makes a session with a part of each GPU."""
    return f"""
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = {fraction}
config.{_NO_WAIT}session = tf.Session(config=config)
"""


HALF = limit(0, 2048) + limit(1, 2048)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong migration: `caught` has the aspects that it differs in, and what must be said there.

    `work` takes the place of the case's where it is given.
    """

    name: str
    text: str
    caught: Mapping[str, Sequence[str]]
    work: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A program of TensorFlow 1, its right migration, and wrong ones.

    Not all prove something: both sides may fail, or run nothing on a GPU.
    """

    name: str
    before: str
    right: str
    wrong: Sequence[Wrong]
    work: str = ON_GPU_0
    gpus: str = "sim:2x4GiB"
    proves: bool = True

    @property
    def before_program(self) -> str:
        """The program of TensorFlow 1."""
        return "import tensorflow as tf\n" + dedent(self.before) + self.work

    def after_program(self, wrong: Wrong | None = None) -> str:
        """A migration: the right one, or a wrong one."""
        text = dedent(wrong.text if wrong else self.right)
        work = self.work if wrong is None or wrong.work is None else wrong.work
        return "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n" + text + work


CASES = [
    Case(
        "growth",
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        session = tf.Session(config=config)
        """,
        GPUS + GROWTH + SESSION,
        [
            Wrong(
                "dropped",
                SESSION,
                {"memory": ["allow_growth: True before"], "configuration": ["allow_growth"]},
            ),
            Wrong(
                "on one GPU only",
                GPUS + GROWTH_ON_ONE + SESSION,
                {"result": ["Memory growth cannot differ"], "memory": ["did not come so far"]},
            ),
            Wrong("after the session", SESSION + GPUS + GROWTH, {"memory": ["allow_growth"]}),
            Wrong(
                "after another session",
                "first = tf.Session()\n" + GPUS + GROWTH + SESSION,
                {"memory": ["allow_growth"], "devices": ["session 2"]},
            ),
            Wrong(
                "after is_gpu_available()",
                PROBE + GPUS + GROWTH + SESSION,
                {"memory": ["allow_growth: True on both sides: set too late"]},
            ),
            Wrong(
                "dropped by a limit after it",
                GPUS + GROWTH + limit(0, 2048) + limit(1, 2048) + SESSION,
                {"memory": ["allow_growth"], "devices": ["virtual_devices"]},
            ),
            Wrong(
                "dropped by a limit on another GPU",
                GPUS + GROWTH_ON_ONE + limit(1, 2048) + SESSION,
                {"memory": ["allow_growth"]},
            ),
            Wrong(
                "far more of it",
                GPUS + GROWTH + SESSION,
                {"memory": ["allocations in order"]},
                work=ON_GPU_0.replace("512, 512", "8192, 8192"),
            ),
            Wrong(
                "switched off by a variable",
                "import os\nos.environ['TF_FORCE_GPU_ALLOW_GROWTH'] = 'false'\n"
                + GPUS
                + GROWTH
                + SESSION,
                {"memory": ["TF_FORCE_GPU_ALLOW_GROWTH"], "configuration": ["allow_growth"]},
            ),
        ],
    ),
    Case(
        "fraction",
        """
        config = tf.ConfigProto()
        config.gpu_options.per_process_gpu_memory_fraction = 0.5
        session = tf.Session(config=config)
        """,
        GPUS + HALF + SESSION,
        [
            Wrong(
                "dropped",
                SESSION,
                {
                    "devices": ["per_process_gpu_memory_fraction: 0.5 before, not set after"],
                    "memory": ["per_process_gpu_memory_fraction"],
                },
            ),
            Wrong(
                "as growth",
                GPUS + GROWTH + SESSION,
                {
                    "memory": ["allow_growth: not set before, True after"],
                    "devices": ["per_process_gpu_memory_fraction"],
                    "configuration": ["allow_growth"],
                },
            ),
            Wrong(
                "on the other GPU only",
                GPUS + limit(1, 2048) + SESSION,
                {"devices": ["GPU:0", "per_process_gpu_memory_fraction"]},
            ),
            Wrong(
                "a quarter",
                GPUS + limit(0, 1024) + limit(1, 1024) + SESSION,
                {"devices": ["1024"], "memory": ["memory_limit_mb [1024.0]"]},
            ),
            Wrong(
                "after another session",
                "first = tf.Session()\n" + GPUS + HALF + SESSION,
                {"devices": ["per_process_gpu_memory_fraction", "session 2"]},
            ),
            Wrong(
                "beside a session that keeps its config",
                GPUS + HALF + "session = tf.Session(config=tf.ConfigProto())\n",
                {"devices": ["per_process_gpu_memory_fraction: 0.5 before, not set after"]},
            ),
        ],
    ),
    Case(
        "fraction that is used up",
        fraction_without_waiting(0.5),
        WITHOUT_WAITING + GPUS + HALF + SESSION,
        [
            Wrong(
                "a quarter",
                WITHOUT_WAITING + GPUS + limit(0, 1024) + limit(1, 1024) + SESSION,
                {"result": ["ResourceExhaustedError", "per_process_gpu_memory_fraction"]},
            ),
            Wrong(
                "0",
                WITHOUT_WAITING + GPUS + limit(0, 0) + limit(1, 0) + SESSION,
                {
                    "devices": ["per_process_gpu_memory_fraction", "0 MiB"],
                    "result": ["per_process_gpu_memory_fraction"],
                    "memory": ["per_process_gpu_memory_fraction"],
                },
            ),
        ],
        work=MUCH,
    ),
    Case(
        "out of memory on both sides",
        fraction_without_waiting(0.25),
        fraction_without_waiting(0.25),
        [
            Wrong(
                "with less of it",
                fraction_without_waiting(0.125),
                {"devices": ["per_process_gpu_memory_fraction: 0.25 before, 0.125 after"]},
            ),
        ],
        work=MUCH,
        proves=False,
    ),
    Case(
        "growth and fraction",
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        config.gpu_options.per_process_gpu_memory_fraction = 0.5
        session = tf.Session(config=config)
        """,
        GROWTH_BY_VARIABLE + GPUS + HALF + SESSION,
        [
            Wrong(
                "growth, then the limit",
                GPUS + GROWTH + HALF + SESSION,
                {"memory": ["allow_growth: True before, not set after"]},
            ),
            Wrong(
                "the variable is set too late",
                GPUS + HALF + SESSION + GROWTH_BY_VARIABLE,
                {"memory": ["allow_growth"]},
            ),
            Wrong(
                "growth alone",
                GPUS + GROWTH + SESSION,
                {"devices": ["per_process_gpu_memory_fraction: 0.5 before, not set after"]},
            ),
        ],
    ),
    Case(
        "visible devices",
        """
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "1"
        session = tf.Session(config=config)
        """,
        GPUS + visible("gpus[1]") + SESSION,
        [
            Wrong(
                "dropped",
                SESSION,
                {"devices": ["visible_device_list: 1 before"], "memory": ["visible_device_list"]},
            ),
            Wrong(
                "another GPU",
                GPUS + visible("gpus[0]") + SESSION,
                {
                    "devices": ["visible_device_list: 1 before, 0 after"],
                    "memory": ["visible_device_list: 1 before, 0 after"],
                },
            ),
            Wrong(
                "no GPU",
                GPUS + visible("[]") + SESSION,
                {"devices": ["visible_device_list"], "result": ["visible_device_list"]},
            ),
            Wrong(
                "no CPU",
                GPUS + "tf.config.set_visible_devices(gpus[1])\n" + SESSION,
                {"result": ["No CPU devices"]},
            ),
            Wrong(
                "after another session",
                "first = tf.Session()\n" + GPUS + visible("gpus[1]") + SESSION,
                {"result": ["mapped to multiple devices"]},
            ),
            Wrong(
                "beside a session that keeps its config",
                GPUS + visible("gpus[1]") + "session = tf.Session(config=tf.ConfigProto())\n",
                {"devices": ["visible_device_list: 1 before, not set after"]},
            ),
        ],
    ),
    Case(
        "CUDA_VISIBLE_DEVICES",
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n" + SESSION,
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n" + GPUS + SESSION,
        [
            Wrong(
                "dropped",
                SESSION,
                {"devices": ["CUDA_VISIBLE_DEVICES: 1 before, not set after"]},
            ),
            Wrong(
                "set too late",
                GPUS + "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n" + SESSION,
                {"devices": ["CUDA_VISIBLE_DEVICES: 1 on both sides: set too late"]},
            ),
            Wrong(
                "counted twice",
                "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '1,0'\n"
                + GPUS
                + visible("gpus[1]")
                + SESSION,
                {"devices": ["CUDA_VISIBLE_DEVICES: 1 before, 1,0 after"]},
            ),
        ],
    ),
    Case(
        "reordered devices",
        """
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "1,0"
        session = tf.Session(config=config)
        """,
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '1,0'\n" + SESSION,
        [
            Wrong(
                "set_visible_devices loses the order",
                GPUS + visible("[gpus[1], gpus[0]]") + SESSION,
                {
                    "devices": ["visible_device_list: 1,0 before"],
                    "memory": ["visible_device_list: 1,0 before"],
                },
            ),
        ],
        gpus="sim:4GiB,2GiB",
    ),
    Case(
        "a fraction of one visible GPU",
        """
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "1"
        config.gpu_options.per_process_gpu_memory_fraction = 0.5
        session = tf.Session(config=config)
        """,
        GPUS + visible("gpus[1]") + limit(1, 1024) + SESSION,
        [
            Wrong(
                "the limit on an invisible GPU",
                GPUS + visible("gpus[1]") + limit(0, 1024) + SESSION,
                {"devices": ["per_process_gpu_memory_fraction"]},
            ),
            Wrong(
                "half of the other card",
                GPUS + visible("gpus[1]") + limit(1, 2048) + SESSION,
                {"devices": ["per_process_gpu_memory_fraction", "2048"]},
            ),
        ],
        gpus="sim:4GiB,2GiB",
    ),
    Case(
        "virtual devices",
        """
        config = tf.ConfigProto()
        config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1024, 512])
        config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[256])
        session = tf.Session(config=config)
        """,
        GPUS + limit(0, 1024, 512) + limit(1, 256) + SESSION,
        [
            Wrong(
                "the sizes swapped",
                GPUS + limit(0, 512, 1024) + limit(1, 256) + SESSION,
                {"devices": ["virtual_devices"], "memory": ["virtual_devices"]},
            ),
            Wrong(
                "the GPUs swapped",
                GPUS + limit(1, 1024, 512) + limit(0, 256) + SESSION,
                {"devices": ["virtual_devices"]},
            ),
            Wrong(
                "one is gone",
                GPUS + limit(0, 1024) + limit(1, 256) + SESSION,
                {"devices": ["virtual_devices", "no such device"]},
            ),
            Wrong("dropped", SESSION, {"devices": ["virtual_devices"]}),
        ],
    ),
    Case(
        "no GPU",
        'session = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))\n',
        visible("[]") + SESSION,
        [
            Wrong(
                "dropped",
                SESSION,
                {
                    "devices": ["device_count: 0 before"],
                    "placement": ["device_count: 0 before"],
                    "memory": ["device_count: 0 before"],
                },
            ),
            Wrong(
                "one stays",
                GPUS + visible("gpus[:1]") + SESSION,
                {"devices": ["device_count: 0 before"]},
            ),
            Wrong(
                "beside a session that keeps its config",
                visible("[]") + "session = tf.Session(config=tf.ConfigProto())\n",
                {"devices": ["device_count: 0 before"]},
            ),
        ],
        work=ANYWHERE,
    ),
    Case(
        "CPU devices",
        'session = tf.Session(config=tf.ConfigProto(device_count={"CPU": 4, "GPU": 1}))\n',
        GPUS + CPUS + visible("gpus[:1]") + SESSION,
        [
            Wrong(
                "dropped",
                GPUS + visible("gpus[:1]") + SESSION,
                {"devices": ["CPU:3", "device_count"]},
            ),
            Wrong("all GPUs", CPUS + SESSION, {"devices": ["GPU:1", "device_count"]}),
        ],
    ),
    Case(
        "soft placement",
        "session = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))\n",
        "tf.config.set_soft_device_placement(True)\n" + SESSION,
        [
            Wrong(
                "dropped",
                SESSION,
                {
                    "configuration": ["allow_soft_placement"],
                    "placement": ["allow_soft_placement: True before"],
                    "result": ["Cannot assign a device", "allow_soft_placement: True before"],
                },
            ),
        ],
        work=COUNTER,
    ),
    Case(
        "an operation on a missing GPU",
        "session = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))\n",
        "tf.config.set_soft_device_placement(True)\n" + SESSION,
        [
            Wrong(
                "soft placement dropped",
                SESSION,
                {
                    "result": ["/device:GPU:7", "allow_soft_placement"],
                    "placement": ["allow_soft_placement"],
                },
            ),
        ],
        work=ON_GPU_7,
    ),
    Case(
        "a refusal",
        "session = tf.Session(config=tf.ConfigProto())\n",
        "tf.config.set_soft_device_placement(False)\n" + SESSION,
        [
            Wrong(
                "soft placement added",
                "tf.config.set_soft_device_placement(True)\n" + SESSION,
                {
                    "result": ["allow_soft_placement: not set before, True after"],
                    "configuration": ["allow_soft_placement"],
                },
            ),
            Wrong(
                "about another device",
                SESSION,
                {"result": ["with another message", "GPU:6"]},
                work=ON_GPU_6,
            ),
            Wrong(
                "by another exception",
                SESSION,
                {"result": ["another exception", "FailedPreconditionError"]},
                work="\nsession.run(tf.Variable(1.0))\n",
            ),
            Wrong(
                "in the program itself",
                SESSION,
                {"result": ["another exception", "ZeroDivisionError"]},
                work="\n1 / 0\n",
            ),
        ],
        work=ON_GPU_7,
        proves=False,
    ),
    Case(
        "the rest of the configuration",
        """
        config = tf.ConfigProto(
            log_device_placement=True,
            intra_op_parallelism_threads=2,
            inter_op_parallelism_threads=3)
        rewriting = config.graph_options.rewrite_options
        rewriting.constant_folding = 2
        rewriting.layout_optimizer = 1
        config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
        session = tf.Session(config=config)
        """,
        """
        tf.debugging.set_log_device_placement(True)
        tf.config.threading.set_intra_op_parallelism_threads(2)
        tf.config.threading.set_inter_op_parallelism_threads(3)
        tf.config.optimizer.set_experimental_options(
            {"constant_folding": False, "layout_optimizer": True})
        tf.config.optimizer.set_jit(True)
        session = tf.Session()
        """,
        [
            Wrong(
                "the log, and Grappler's options by wrong names",
                """
                tf.config.threading.set_intra_op_parallelism_threads(2)
                tf.config.threading.set_inter_op_parallelism_threads(3)
                tf.config.optimizer.set_experimental_options(
                    {"constant_fold": False, "layout_optimiser": True})
                tf.config.optimizer.set_jit(True)
                session = tf.Session()
                """,
                {
                    "configuration": [
                        "log_device_placement",
                        "rewrite_options.constant_folding",
                        "rewrite_options.layout_optimizer",
                    ]
                },
            ),
            Wrong(
                "the threads swapped, and XLA by an enum",
                """
                tf.debugging.set_log_device_placement(True)
                tf.config.threading.set_intra_op_parallelism_threads(3)
                tf.config.threading.set_inter_op_parallelism_threads(2)
                tf.config.optimizer.set_experimental_options(
                    {"constant_folding": False, "layout_optimizer": True})
                tf.config.optimizer.set_jit(2)
                session = tf.Session()
                """,
                {
                    "configuration": [
                        "inter_op_parallelism_threads",
                        "intra_op_parallelism_threads",
                        "global_jit_level",
                        "threads between operations",
                    ]
                },
            ),
            Wrong(
                "threads set after a session",
                """
                first = tf.Session()
                tf.debugging.set_log_device_placement(True)
                tf.config.threading.set_intra_op_parallelism_threads(2)
                tf.config.threading.set_inter_op_parallelism_threads(3)
                tf.config.optimizer.set_experimental_options(
                    {"constant_folding": False, "layout_optimizer": True})
                tf.config.optimizer.set_jit(True)
                session = tf.Session()
                """,
                {"configuration": ["inter_op_parallelism_threads"]},
            ),
        ],
        work=ON_CPU,
        gpus="sim:1x4GiB",
        proves=False,
    ),
    Case(
        "the program itself",
        SESSION,
        SESSION,
        [
            Wrong(
                "the operations on the CPU",
                SESSION,
                {
                    "placement": ["MatMul", "asked for GPU:0 before, CPU:0 after"],
                    "memory": ["operations ran on this card before only"],
                },
                work=ON_CPU,
            ),
            Wrong(
                "the operations on another GPU",
                SESSION,
                {
                    "placement": ["MatMul", "asked for GPU:0 before, GPU:1 after"],
                    "memory": ["operations ran on this card after only"],
                },
                work=ON_GPU_1,
            ),
            Wrong(
                "an operation is gone",
                SESSION,
                {"placement": ["MatMul", "only one side ran this operation"]},
                work=ON_GPU_0.replace("tf.matmul(matrix, matrix)", "matrix"),
            ),
            Wrong(
                "another session",
                SESSION + "second = tf.Session()\n",
                {"devices": ["session 2", "only one side makes this session"]},
            ),
            Wrong(
                "no session",
                "",
                {"devices": ["session 1"], "placement": ["did not run"]},
                work="",
            ),
            Wrong(
                "it raises",
                SESSION,
                {"result": ["ValueError: by its own", "end differently"]},
                work=ON_GPU_0 + "raise ValueError('by its own')\n",
            ),
            Wrong(
                "it exits",
                SESSION,
                {"result": ["exit status 3", "end differently"]},
                work=ON_GPU_0 + "raise SystemExit(3)\n",
            ),
            Wrong(
                "it crashes",
                SESSION,
                {"result": ["killed by signal 11", "end differently"]},
                work=ON_GPU_0 + CRASHES,
            ),
            Wrong(
                "more steps",
                SESSION,
                {"result": ["steps", "one side runs more"]},
                work=ON_GPU_0 + "session.run(result)\n" * 2,
            ),
            Wrong(
                "it does not end",
                SESSION,
                {"result": ["stopped after the wanted steps", "end differently"]},
                work=ON_GPU_0 + "while True:\n    session.run(result)\n",
            ),
        ],
    ),
]
