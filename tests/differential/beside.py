"""What a random program does beside its sessions: environment, forks, questions, pipelines."""

from __future__ import annotations

from tests.differential.files import Lines, Module
from tests.differential.ways import Ways


class Beside(Ways):
    """Writes steps that make no session of the program's own."""

    def _environment(self, module: Module) -> Lines:
        """Return a write to the environment."""
        module.need("import os")
        name, value = self._pick(
            {
                ("CUDA_VISIBLE_DEVICES", "1"): 4,
                ("CUDA_VISIBLE_DEVICES", "0"): 2,
                ("CUDA_VISIBLE_DEVICES", "1,0"): 1,
                ("CUDA_VISIBLE_DEVICES", "-1"): 1,
                ("TF_FORCE_GPU_ALLOW_GROWTH", "true"): 2,
                ("TF_FORCE_GPU_ALLOW_GROWTH", "false"): 1,
            }
        )
        way = self._chance.randrange(7)
        if way == 0:
            return [f"os.environ.update({{{name!r}: {value!r}}})"]
        if way == 1:
            cut = self._chance.randrange(2, len(name) - 2)
            return [f"name = {name[:cut]!r} + {name[cut:]!r}", f"os.environ[name] = {value!r}"]
        if way == 2:
            return [f"os.environ.setdefault({name!r}, {value!r})"]
        if way == 3:
            home, function = self._home(module), self._new("select")
            home.need("import os")
            home.define(f"def {function}(value):", f"    os.environ[{name!r}] = str(value)")
            return [f"{self._reference(module, home, function)}({value!r})"]
        if way == 4:
            module.need("import sys")
            return [f"os.environ[{name!r}] = sys.argv[1] if len(sys.argv) > 1 else {value!r}"]
        return [f"os.environ[{name!r}] = {value!r}"]

    def _fork(self, module: Module) -> Lines:
        """Return a child that makes a session of its own."""

        def body(home: Module) -> Lines:
            session = home.v1("Session")
            home.need("import signal")
            return [
                "signal.alarm(5)",
                f"with {session}(graph={home.v1('Graph')}()) as sess:",
                "    print([(one.name, one.memory_limit_bytes) for one in sess.list_devices()],",
                "          flush=True)",
            ]

        child = self._function(module, body, "child")
        if self._maybe(0.7):
            module.need("import multiprocessing")
            process = f"multiprocessing.get_context('fork').Process(target={child})"
            return [
                f"process = {process}",
                "process.start()",
                "process.join()",
                "print('child', process.exitcode)",
            ]
        module.need("import os")
        return [
            "child_id = os.fork()",
            "if child_id == 0:",
            "    try:",
            f"        {child}()",
            "        os._exit(0)",
            "    finally:",
            "        os._exit(1)",
            "print('child', os.waitpid(child_id, 0)[1])",
        ]

    def _question(self, module: Module) -> Lines:
        """Return a question about devices."""
        tf = module.tf or "tf"
        way = self._pick({"available": 4, "physical": 4, "name": 2, "local": 1, "logical": 1})
        if way == "available":
            return [f"print({tf}.test.is_gpu_available())"]
        if way == "physical":
            return [f"print(len({tf}.config.list_physical_devices('GPU')))"]
        if way == "name":
            return [f"print({tf}.test.gpu_device_name())"]
        if way == "local":
            module.need("from tensorflow.python.client import device_lib")
            return ["print([one.name for one in device_lib.list_local_devices()])"]
        return [f"print(len({tf}.config.list_logical_devices('GPU')))"]

    def _dataset(self, module: Module) -> Lines:
        """Return an input pipeline."""
        tf = module.tf or "tf"
        way = self._pick({"range": 4, "map": 2, "generator": 1, "function": 1})
        data = f"{tf}.data.Dataset.range(3)"
        if way == "function":
            return [f"double = {tf}.function(lambda value: value * 2)", "print(callable(double))"]
        if way == "map":
            data += ".map(lambda value: value + 1)"
        elif way == "generator":
            data = f"{tf}.data.Dataset.from_generator(lambda: iter([1, 2]), {tf}.int64)"
        return [f"dataset = {data}.batch(2)", "print(dataset is not None)"]

    def _mode(self, module: Module) -> Lines:
        """Return something that shows whether the program is eager."""
        tf = module.tf or "tf"
        home = self._home(module)
        if home is module or self._maybe(0.5):
            return [f"print({tf}.executing_eagerly())"]
        name = self._new("mode")
        home.define(f"def {name}():", f"    return {home.tf or 'tf'}.executing_eagerly()")
        return [f"print({self._reference(module, home, name)}())"]

    def _eager(self, module: Module) -> Lines:
        """Return something that runs at once in TensorFlow 2."""
        del module
        return self._pick(
            {
                "print((tf.constant(1.0) + 1).numpy())": 4,
                "weights = tf.Variable([1.0])": 2,
                "print(tf.function(lambda: tf.constant(2.0))().numpy())": 2,
                "print([x.numpy() for x in tf.data.Dataset.range(2).map(lambda x: x + 1)])": 1,
            }
        ).splitlines()
