"""Reasons to keep a config: every one in more than one shape."""

from __future__ import annotations

import pytest

from tests.tools import (
    RAW,
    analysed,
    book,
    check_body_kept,
    check_kept,
    check_noop,
    migrated,
    names,
    source,
)
from tfgpu.options import Options

KEPT = {
    "environment-read": [
        """
        import os
        import tensorflow as tf

        options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.4)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        print(dict(os.environ))
        """,
        """
        from os import environ as env
        import tensorflow as tf

        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        config.gpu_options.per_process_gpu_memory_fraction = 0.4
        sess = tf.Session(config=config)
        print(env.get("TF_FORCE_GPU_ALLOW_GROWTH"))
        """,
        """
        import os
        import sys
        import tensorflow as tf

        options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.4)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        print(os.getenv(sys.argv[1]))
        """,
        """
        import asyncio
        import tensorflow as tf

        options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.4)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        asyncio.run(asyncio.create_subprocess_exec("python", "evaluate.py"))
        """,
        """
        import asyncio
        import tensorflow as tf

        options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.4)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        loop = asyncio.get_event_loop()
        loop.run_until_complete(loop.subprocess_shell(asyncio.SubprocessProtocol, "./evaluate"))
        """,
        """
        import os
        import tensorflow as tf

        options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.4)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        os.posix_spawn("/usr/bin/evaluate", ["evaluate"], {})
        """,
        """
        import pty
        import tensorflow as tf

        options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.4)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        pty.spawn(["python", "evaluate.py"])
        """,
    ],
    "imported-by-string": [
        """
        import importlib

        raw = importlib.import_module("tensorflow")
        sess = raw.Session(config=raw.ConfigProto(allow_soft_placement=True))
        """,
        """
        from tensorflow.python.util.lazy_loader import LazyLoader

        raw = LazyLoader("raw", globals(), "tensorflow")
        sess = raw.Session(config=raw.ConfigProto(allow_soft_placement=True))
        """,
        """
        def load():
            return __import__("tensorflow")


        raw = load()
        sess = raw.Session(config=raw.ConfigProto(allow_soft_placement=True))
        """,
        """
        import pytest

        raw = pytest.importorskip("tensorflow")
        sess = raw.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    ],
    "written-out": [
        """
        import pickle
        config = tf.ConfigProto(allow_soft_placement=True)
        sess = tf.Session(config=config)
        pickle.dump(config, file)
        """,
        """
        try:
            import cPickle as pickle
        except ImportError:
            import pickle
        config = tf.ConfigProto(allow_soft_placement=True)
        text = pickle.dumps(config)
        """,
        """
        from google.protobuf import text_format
        file.write(text_format.MessageToString(tf.ConfigProto(allow_soft_placement=True)))
        """,
    ],
    "read-in": [
        """
        from google.protobuf import text_format
        config = tf.ConfigProto(allow_soft_placement=True)
        text_format.Merge(file.read(), config)
        sess = tf.Session(config=config)
        """,
        """
        from google.protobuf import json_format
        config = json_format.Parse(file.read(), tf.ConfigProto())
        sess = tf.Session(config=config)
        """,
    ],
    "passed-on": [
        """
        runner.train(tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        run(session_config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        print(tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        use(*[1], config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        config = tf.ConfigProto()
        setattr(config, name, True)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        other.CopyFrom(config)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto(gpu_options=tf.GraphOptions())
        sess = tf.Session(config=config)
        """,
        """
        tf.Session(graph=tf.ConfigProto())
        """,
    ],
    "parameter": [
        """
        def run(config):
            print(config)
            return tf.Session(config=config)


        run(tf.ConfigProto(allow_soft_placement=True))
        run(None)
        """,
        """
        def run(config=None):
            if grow:
                config = tf.ConfigProto()
            return tf.Session(config=config)
        """,
        """
        class A:
            def run(self, config):
                return lambda: tf.Session(config=config)

            def go(self):
                self.run(tf.ConfigProto(allow_soft_placement=True))
                self.run(None)
        """,
    ],
    "mixed-origin": [
        """
        config = load()
        if not ready:
            config = tf.ConfigProto()
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        sess = tf.Session(config=config)
        del config, sess
        """,
        """
        for config in configs:
            config = tf.ConfigProto()
            sess = tf.Session(config=config)
        """,
        """
        def config():
            pass


        config = tf.ConfigProto()
        sess = tf.Session(config=config)
        """,
        """
        class config:
            pass


        config = tf.ConfigProto()
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto(gpu_options=dict(allow_growth=True))
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto(gpu_options=load())
        sess = tf.Session(config=config)
        """,
        """
        class A:
            def run(self):
                self.config = load()
                self.config = tf.ConfigProto()
                tf.Session(config=self.config)
        """,
        """
        class A:
            def run(self):
                self.config = tf.ConfigProto()
                tf.Session(config=self.config)
                del self.config
        """,
        """
        class A:
            def run(self):
                self.config: object = load()
                self.config = tf.ConfigProto()
                tf.Session(config=self.config)
        """,
        """
        config = tf.ConfigProto()
        config.gpu_options.CopyFrom(load())
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto() if a else load()
        sess = tf.Session(config=config)
        """,
        """
        def get():
            if a:
                return load()
            return tf.ConfigProto()


        sess = tf.Session(config=get())
        """,
        """
        options = tf.GPUOptions()
        if wide:
            options = tf.ConfigProto(gpu_options=options)
        sess = tf.Session(config=options)
        """,
    ],
    "config-read": [
        """
        config = tf.ConfigProto()
        if config is None:
            pass
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        print(config.allow_soft_placement)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        if config.gpu_options.allow_growth:
            pass
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.intra_op_parallelism_threads += 1
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.ClearField(name)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        print(config.Clear())
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.ParseFromString(data)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        data = config.SerializeToString()
        """,
        """
        config = tf.ConfigProto()
        config.device_count.clear()
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.device_count[kind] = 1
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        print(config.device_count['GPU'])
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.device_count['GPU'] += 1
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.gpu_options.MergeFromString(data)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.allow_soft_placement = a = True
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.allow_soft_placement.real.imag
        config.DiscardUnknownFields()
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        x = config.gpu_options.CopyFrom(y)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.session_inter_op_thread_pool.remove(x)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        v = config.gpu_options.experimental.virtual_devices.add()
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.gpu_options.add(1)
        sess = tf.Session(config=config)
        """,
    ],
    "stored": [
        """
        configs = [tf.ConfigProto(allow_soft_placement=True)]
        sess = tf.Session(config=configs[0])
        """,
        """
        table['c'] = tf.ConfigProto()
        """,
        """
        args.config = tf.ConfigProto()
        sess = tf.Session(config=args.config)
        """,
        """
        a = table[0] = tf.ConfigProto()
        sess = tf.Session(config=a)
        """,
        """
        config, n = tf.ConfigProto(), 1
        sess = tf.Session(config=config)
        """,
        """
        @register
        class A:
            config = tf.ConfigProto()
            sess = tf.Session(config=config)
        """,
        """
        if (config := tf.ConfigProto()):
            sess = tf.Session(config=config)
        """,
        """
        def get():
            return tf.ConfigProto(), 1
        """,
        """
        def get():
            yield tf.ConfigProto()
        """,
        """
        get = lambda: tf.ConfigProto()
        sess = tf.Session(config=get())
        """,
        """
        def run(config=tf.ConfigProto()):
            return tf.Session(config=config)
        """,
        """
        async def main():
            sess = tf.Session(config=await tf.ConfigProto())
        """,
        """
        config = tf.ConfigProto()
        text = f'{config}'
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        sess = tf.Session(config=config)
        use(*config)
        """,
    ],
    "kwargs": [
        """
        sess = tf.Session(config=tf.ConfigProto(**options))
        """,
        """
        sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(**options)))
        """,
        """
        sess = tf.Session(config=tf.ConfigProto(gpu_options={'allow_growth': True, **more}))
        """,
        """
        sess = tf.Session(config=tf.ConfigProto(gpu_options={name: True}))
        """,
    ],
    "uncalled": [
        """
        def get():
            return tf.ConfigProto()
        """,
        """
        class Trainer:
            def get(self):
                config = tf.ConfigProto(allow_soft_placement=True)
                return config
        """,
    ],
    "hidden-call": [
        f"""
        def get():
            return tf.ConfigProto()


        {line}
        sess = tf.Session(config=get())
        """
        for line in ("exec(text)", "vars()[name]()", "other.__subclasses__()", "print.__self__")
    ],
    "returned-away": [
        """
        @cached
        def get():
            return tf.ConfigProto()


        sess = tf.Session(config=get())
        """,
        """
        def get():
            return tf.ConfigProto()


        make = get
        sess = tf.Session(config=get())
        """,
        """
        def get():
            return tf.ConfigProto()


        use(get)
        sess = tf.Session(config=get())
        """,
        """
        async def get():
            return tf.ConfigProto()
        """,
        """
        class A:
            @cached
            def config(self):
                return tf.ConfigProto()

            def run(self):
                tf.Session(config=self.config)
        """,
        """
        def get():
            yield 1
            return tf.ConfigProto()


        sess = tf.Session(config=get())
        """,
        """
        if a:
            def get():
                return tf.ConfigProto()
        else:
            def get():
                return None
        sess = tf.Session(config=get())
        """,
    ],
    "shared-attribute": [
        """
        class A:
            def run(self):
                self.config = tf.ConfigProto()
                tf.Session(config=self.config)


        print(make().config)
        """,
        """
        class A:
            def run(self):
                self.config = tf.ConfigProto()
                tf.Session(config=self.config)


        class B(A, Mixin):
            def go(self):
                print(self.config)
        """,
        """
        class A:
            def get(self):
                return tf.ConfigProto()


        sess = tf.Session(config=find().get())
        """,
        """
        class A:
            def run(this):
                this.config = tf.ConfigProto()
                tf.Session(config=this.config)

            def go(self, other):
                print(other.config)
        """,
    ],
    "unused-config": [
        """
        config = tf.ConfigProto(allow_soft_placement=True)
        """,
        """
        options = tf.GPUOptions(allow_growth=True)
        sess = tf.Session()
        """,
        """
        tf.ConfigProto()
        sess = tf.Session()
        """,
        """
        def build():
            config = tf.ConfigProto()
            config.allow_soft_placement = True
        """,
    ],
    "unknown-field": [
        """
        config = tf.ConfigProto(alow_soft_placement=True)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.gpu_options.per_process_memory_fraction = 0.4
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.zzz = 1
        sess = tf.Session(config=config)
        """,
        """
        sess = tf.Session(config=tf.ConfigProto(gpu_options={'growth': True}))
        """,
    ],
    "refused": [
        """
        config = tf.ConfigProto()
        config.gpu_options = tf.GPUOptions(allow_growth=True)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto(None, allow_soft_placement=True)
        sess = tf.Session(config=config)
        """,
    ],
    "wrong-type": [
        """
        config = tf.ConfigProto(device_count={"GPU": True})
        sess = tf.Session(config=config)
        """,
        """
        sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads='2'))
        """,
        """
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement='yes'))
        """,
        """
        config = tf.ConfigProto()
        config.allow_soft_placement = None
        sess = tf.Session(config=config)
        """,
        """
        options = tf.GPUOptions(visible_device_list=0)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        options = tf.GPUOptions(visible_device_list=True)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        options = tf.GPUOptions(per_process_gpu_memory_fraction='0.5')
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        config = tf.ConfigProto()
        config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_9
        sess = tf.Session(config=config)
        """,
        """
        sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2.0))
        """,
    ],
    "no-place": [
        """
        make = lambda: tf.Session(config=tf.ConfigProto())
        """,
        """
        config = tf.ConfigProto()
        make = lambda: tf.Session(config=config)
        """,
        """
        found = [tf.Session(config=tf.ConfigProto()) for _ in range(2)]
        """,
        """
        found = {tf.Session(config=tf.ConfigProto()) for _ in range(2)}
        """,
        """
        found = {n: tf.Session(config=tf.ConfigProto()) for n in range(2)}
        """,
        """
        found = list(tf.Session(config=tf.ConfigProto()) for _ in range(2))
        """,
        """
        sess = other or tf.Session(config=tf.ConfigProto())
        """,
        """
        while tf.Session(config=tf.ConfigProto()).run(x):
            pass
        """,
        """
        if a:
            pass
        elif tf.Session(config=tf.ConfigProto()).run(x):
            pass
        """,
        """
        assert tf.Session(config=tf.ConfigProto()).run(x)
        """,
        """
        def run(sess=tf.Session(config=tf.ConfigProto())):
            pass
        """,
        """
        @use(tf.Session(config=tf.ConfigProto()))
        def run():
            pass
        """,
        """
        @use(tf.Session(config=tf.ConfigProto()))
        async def run():
            pass
        """,
        """
        class A(base(tf.Session(config=tf.ConfigProto()))):
            pass
        """,
        """
        with graph() as g, tf.Session(config=tf.ConfigProto(log_device_placement=g)) as sess:
            pass
        """,
        """
        async def main():
            async with a as b, tf.Session(config=tf.ConfigProto(log_device_placement=b)):
                pass
        """,
        """
        def get():
            return tf.ConfigProto()


        while tf.Session(config=get()).run(x):
            pass
        """,
    ],
    "set-twice": [
        """
        options = tf.GPUOptions(per_process_gpu_memory_fraction=0.4)
        if wide:
            options.per_process_gpu_memory_fraction = 0.8
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        if strict:
            config.gpu_options.allow_growth = False
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = '0'
        if more:
            config.gpu_options.visible_device_list = '0,1'
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto(device_count={'GPU': 1})
        if strict:
            config.device_count['GPU'] = 0
        sess = tf.Session(config=config)
        """,
    ],
    "different-configs": [
        """
        class Model:
            def __init__(self):
                self.cpu = tf.ConfigProto(device_count={'GPU': 0})
                self.soft = tf.ConfigProto(allow_soft_placement=True)

            def run(self):
                return tf.Session(config=self.cpu), tf.Session(config=self.soft)
        """,
        """
        def train():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        def evaluate():
            options = tf.GPUOptions(allow_growth=True)
            return tf.Session(config=tf.ConfigProto(device_count={'GPU': 1}, gpu_options=options))
        """,
        """
        def train():
            return tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=-1))


        train()
        data = tf.data.Dataset.range(8).map(str)
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        config = tf.ConfigProto(intra_op_parallelism_threads=2)
        if wide:
            config = tf.ConfigProto()
        sess = tf.Session(config=config)
        """,
        """
        options = tf.GPUOptions(allow_growth=True)
        first = tf.Session(config=tf.ConfigProto(gpu_options=options))
        second = tf.Session(config=tf.ConfigProto(gpu_options=options, allow_soft_placement=True))
        """,
        """
        base = tf.ConfigProto(allow_soft_placement=True)
        config = tf.ConfigProto(log_device_placement=True)
        config.MergeFrom(base)
        first = tf.Session(config=base)
        sess = tf.Session(config=config)
        """,
        """
        def get(gpu):
            if not gpu:
                return tf.ConfigProto(device_count={'GPU': 0})
            return tf.ConfigProto()


        for gpu in (True, False):
            with tf.Session(config=get(gpu)) as sess:
                sess.run(tf.constant(1))
        """,
    ],
    "session-without-config": [
        """
        first = tf.Session(config=tf.ConfigProto(device_count={'GPU': 0}))
        data = tf.data.Dataset.range(8).map(str)
        second = tf.Session()
        """,
        """
        def run():
            return tf.Session(graph=build(), config=config)


        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        other = tf.Session()
        """,
        """
        use(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
        other = tf.Session()
        """,
        """
        def warm():
            return tf.Session()


        def run(first, config):
            return tf.Session(config=config)


        run(warm(), tf.ConfigProto(intra_op_parallelism_threads=2))
        """,
        """
        def get():
            return tf.ConfigProto(intra_op_parallelism_threads=2)


        def make(fresh):
            config = get()
            if fresh:
                return tf.Session()
            return tf.Session(config=config)
        """,
        """
        class A:
            def __init__(self):
                self.config = tf.ConfigProto()
                self.config.gpu_options.allow_growth = True

            def run(self):
                return tf.Session(graph=build(), config=self.config)

            def other(self):
                return tf.Session()
        """,
        """
        config = tf.ConfigProto()
        config.graph_options.optimizer_options.global_jit_level = 1
        first = tf.train.MonitoredTrainingSession(config=config)
        second = tf.Session(config=None)
        """,
        """
        config = tf.ConfigProto()
        if a:
            config.gpu_options.allow_growth = True
        if b:
            sess = tf.Session(config=config)
        other = tf.Session()
        """,
    ],
    "foreign-config": [
        """
        first = tf.Session(config=load())
        second = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        supervisor = make()
        supervisor.managed_session(master, config=self.config)
        second = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        def run(config):
            return tf.Session('', None, config)


        second = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    ],
    "probe-first": [
        """
        def ok():
            return tf.test.is_gpu_available(cuda_only=True)


        config = tf.ConfigProto(device_count={'GPU': 1})
        print(ok())
        sess = tf.Session(config=config)
        """,
        """
        from tensorflow.python.client import device_lib
        for _ in range(2):
            sess = tf.Session(config=tf.ConfigProto(device_count={'GPU': 1}))
            device_lib.list_local_devices()
        """,
        """
        from tensorflow.python.client import device_lib
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.5))
        print(device_lib.list_local_devices())
        sess = tf.Session(config=config)
        """,
    ],
    "needs-unsafe": [
        """
        options = tf.GPUOptions(visible_device_list='1,0')
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = '2,0'
        sess = tf.Session(config=config)
        """,
        """
        def run(config):
            return tf.Session(config=config)


        run(tf.ConfigProto(gpu_options={'visible_device_list': '1,0'}))
        """,
    ],
    "apart": [
        """
        config = tf.ConfigProto(device_count={'GPU': 1})
        print(1)
        config.gpu_options.visible_device_list = '0,1'
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        if few:
            config.device_count['GPU'] = 1
        config.gpu_options.visible_device_list = '0,1'
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = '0'
        print(1)
        config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1, 2])
        sess = tf.Session(config=config)
        """,
    ],
    "name-taken": [
        """
        os = 'linux'
        options = tf.GPUOptions(allow_growth=True, per_process_gpu_memory_fraction=0.3)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        import ctypes as _ctypes
        options = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        def _gpu_memory_limit_mib():
            pass


        options = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        def f(ctypes):
            options = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)
            return tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
    ],
    "unread-code": [
        """
        def make(model):
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            model.build()
            first = tf.Session(config=config)
            second = tf.Session(config=config)
        """,
        """
        import setgpu

        config = tf.ConfigProto(allow_soft_placement=True)
        setgpu.choose()
        first = tf.Session(config=config)
        second = tf.Session(config=config)
        """,
    ],
    "unread-first": [
        """
        def make(model):
            model.build()
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            sess = tf.Session(config=config)
        """,
        """
        from toolbox import Base


        class Model(Base):
            pass


        sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2))
        """,
    ],
    "late-environment": [
        """
        import os
        config = tf.ConfigProto()
        if grow:
            config.gpu_options.allow_growth = True
        os.environ['CUDA_VISIBLE_DEVICES'] = '1'
        sess = tf.Session(config=config)
        """,
        """
        import os
        config = tf.ConfigProto()
        if grow:
            config.gpu_options.allow_growth = True
        os.environ.setdefault('CUDA_DEVICE_ORDER', 'PCI_BUS_ID')
        sess = tf.Session(config=config)
        """,
        """
        import os
        def make(choose):
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=grow))
            sess = tf.Session(graph=choose(), config=config)


        make(lambda: os.environ.update(CUDA_VISIBLE_DEVICES='1'))
        """,
        """
        import os


        class Model:
            def __init__(self):
                self.config = tf.ConfigProto()
                self.config.gpu_options.allow_growth = True

            def choose(self):
                os.environ['CUDA_VISIBLE_DEVICES'] = '1'

            def run(self):
                return tf.Session(graph=build(), config=self.config)
        """,
        """
        import os


        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True


        def run():
            return tf.Session(graph=build(), config=config)


        os.environ['CUDA_VISIBLE_DEVICES'] = '1'
        run()
        """,
        """
        import os


        def get():
            return tf.ConfigProto(device_count={'GPU': 1})


        def main():
            config = get()
            os.environ['CUDA_VISIBLE_DEVICES'] = '1'
            sess = tf.Session(config=config)
        """,
    ],
    "caught-error": [
        """
        import sys


        def hook(kind, error, trace):
            sys.exit(7 if issubclass(kind, tf.errors.OpError) else 8)


        sys.excepthook = hook
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list='1'))
        sess = tf.Session(config=config)
        """,
        """
        try:
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list='1'))
            sess = tf.Session(config=config)
        except tf.errors.InvalidArgumentError:
            sess = None
        """,
        """
        def make():
            options = tf.GPUOptions(visible_device_list='0,1')
            return tf.Session(config=tf.ConfigProto(gpu_options=options))


        try:
            make()
        except Exception:
            print('no GPU')
        """,
    ],
    "own-settings": [
        """
        tf.config.set_soft_device_placement(True)
        sess = tf.Session(config=tf.ConfigProto(log_device_placement=True))
        """,
        """
        def run():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        for gpu in tf.config.list_physical_devices('GPU'):
            tf.config.experimental.set_memory_growth(gpu, True)
        run()
        """,
    ],
    "eager-code": [
        """
        with tf.Graph().as_default():
            config = tf.compat.v1.ConfigProto(device_count={'GPU': 1})
            sess = tf.compat.v1.Session(config=config)
        """,
        """
        def run():
            options = tf.compat.v1.GPUOptions(visible_device_list='0')
            with tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(gpu_options=options)):
                pass


        run()
        print(tf.reduce_sum([1.0]))
        """,
    ],
    "fork": [
        """
        import multiprocessing
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True


        def work():
            tf.Session(graph=build(), config=config)


        multiprocessing.Process(target=work).start()
        """,
        """
        from concurrent.futures import ProcessPoolExecutor
        config = tf.ConfigProto(device_count={'GPU': 1})


        def work():
            tf.Session(graph=build(), config=config)


        ProcessPoolExecutor().submit(work)
        """,
    ],
    "evaluation-order": [
        """
        use(connect(), tf.Session(config=tf.ConfigProto(allow_soft_placement=read())))
        """,
        """
        with lock(), tf.Session(config=tf.ConfigProto(allow_soft_placement=read())) as sess:
            pass
        """,
    ],
    "beside-kept": [
        """
        first = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        second = use(tf.ConfigProto())
        """,
        """
        def get():
            return tf.ConfigProto()


        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
    ],
    "not-handed-on": [
        """
        def get(strict):
            config = tf.ConfigProto(allow_soft_placement=True)
            if strict:
                return config


        sess = tf.Session(config=get(True))
        """,
        """
        def get(names):
            for name in names:
                config = tf.ConfigProto(allow_soft_placement=True)
                if name:
                    return config


        sess = tf.Session(config=get(names))
        """,
        """
        CONFIG = tf.ConfigProto(allow_soft_placement=True)


        def get(strict):
            while strict:
                return CONFIG


        sess = tf.Session(config=get(True))
        """,
        """
        def get(text):
            config = tf.ConfigProto(allow_soft_placement=True)
            check(int(text))
            return config


        config = None
        try:
            config = get(text)
        except ValueError:
            pass
        sess = tf.Session(config=config)
        """,
    ],
    "given-up": [
        """
        options = tf.GPUOptions(allow_growth=True)
        config = tf.ConfigProto()
        if on_gpu:
            config.gpu_options.CopyFrom(options)
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()
        sess = tf.Session(config=config or other)
        """,
        """
        options = tf.GPUOptions(allow_growth=True)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options) if flag else None)
        """,
        """
        config = tf.ConfigProto(device_count={"GPU": 0})
        if on_gpu:
            config = None
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto(device_count={"GPU": 0})
        sess = tf.Session(config=config if on_cpu else None)
        """,
        """
        def get():
            try:
                config = tf.ConfigProto(allow_soft_placement=True)
                return config
            except ValueError:
                return None


        sess = tf.Session(config=get())
        """,
        """
        def get(strict):
            config = tf.ConfigProto(allow_soft_placement=True)
            if strict:
                return
            return config


        sess = tf.Session(config=get(True))
        """,
        """
        class Trainer:
            def run(self):
                self.config = tf.ConfigProto(allow_soft_placement=True)
                self.config = None
                return tf.Session(config=self.config)
        """,
    ],
    "set-late": [
        """
        config = tf.ConfigProto()
        sess = tf.Session(config=config)
        config.allow_soft_placement = True
        """,
        """
        options = tf.GPUOptions(allow_growth=True)
        config = tf.ConfigProto(gpu_options=options)
        options.visible_device_list = "1"
        sess = tf.Session(config=config)
        """,
        """
        config = tf.ConfigProto()


        def relax():
            config.allow_soft_placement = True


        relax()
        sess = tf.Session(config=config)
        """,
        """
        class Trainer:
            def __init__(self):
                self.config = tf.ConfigProto()

            def relax(self):
                self.config.allow_soft_placement = True

            def run(self):
                return tf.Session(config=self.config)
        """,
    ],
    "replaced-name": [
        """
        from unittest import mock


        def make():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        def test_make():
            with mock.patch.object(tf, "Session") as session:
                make()
            session.assert_called_once()
        """,
        """
        from unittest import mock


        def make():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        @mock.patch("tensorflow.ConfigProto")
        def test_make(proto):
            make()
            proto.assert_called_once_with(allow_soft_placement=True)
        """,
        """
        def make():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        def test_make(monkeypatch):
            monkeypatch.setattr(tf, "Session", dict)
            assert make() != {}
        """,
        """
        made = []
        tf.Session = lambda config=None: made.append(config)
        tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        def make():
            return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))


        setattr(tf, "Session", print)
        make()
        """,
    ],
    "shared-helper": [
        """
        def base():
            return tf.ConfigProto(allow_soft_placement=True)


        on_cpu = base()
        on_cpu.device_count["GPU"] = 0
        first = tf.Session(config=on_cpu)
        second = tf.Session(config=base())
        """,
        """
        def options():
            return tf.GPUOptions(allow_growth=True)


        def first():
            return tf.Session(config=tf.ConfigProto(gpu_options=options()))


        def second():
            config = tf.ConfigProto(gpu_options=options(), allow_soft_placement=True)
            return tf.Session(config=config)
        """,
    ],
    "varies": [
        """
        def make(on_cpu):
            config = tf.ConfigProto()
            if on_cpu:
                config.experimental.enable_mlir_bridge = True
            return tf.Session(config=config)
        """,
        """
        for soft in (True, False):
            config = tf.ConfigProto(allow_soft_placement=True) if soft else None
            sess = tf.Session(config=config)
        """,
        """
        class Model:
            def __init__(self, threads):
                self.config = tf.ConfigProto(intra_op_parallelism_threads=threads)

            def run(self):
                return tf.Session(config=self.config)
        """,
    ],
}


@pytest.mark.parametrize(
    ("reason", "before"),
    [
        pytest.param(reason, before, id=f"{reason}-{number}")
        for reason, programs in KEPT.items()
        for number, before in enumerate(programs)
    ],
)
def test_reason(reason: str, before: str) -> None:
    check_body_kept(before, reason)


def test_every_reason_has_its_shapes() -> None:
    # These are reached through options and other files only, and have tests of their own.
    elsewhere = {"not-selected", "used-elsewhere", "import-effect", "remote-target"}
    elsewhere |= {"unreadable-module", "not-named"}
    elsewhere |= {"unresolved-name", "program-kept", "contrib"}
    elsewhere |= {
        "unfollowed-setting",
        "unknown-object",
        "session-elsewhere",
        "runtime-first",
        "dynamic-import",
    }
    reasons = {rule.name for rule in book().rules if rule.path.startswith("hazards/")}
    assert reasons - elsewhere == set(KEPT)
    assert all(len(programs) > 1 for programs in KEPT.values())


# Settings that TensorFlow 2 has nothing for: the config stays, and the file with it.


@pytest.mark.parametrize(
    ("setting", "rule"),
    [
        ("operation_timeout_in_ms=1000", "operation-timeout"),
        ("use_per_session_threads=True", "per-session-threads"),
        ("gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=1.5)", "memory-fraction"),
        ("gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=-1)", "memory-fraction"),
        ("gpu_options=tf.GPUOptions(visible_device_list='0,0')", "visible-device-list"),
        ("gpu_options=tf.GPUOptions(visible_device_list='a')", "visible-device-list"),
        ("gpu_options=tf.GPUOptions(visible_device_list='0,')", "visible-device-list"),
        ("device_count={'CPU': 0}", "device-count-cpu"),
        ("device_count={'GPU': int(number)}", "device-count-gpu"),
    ],
)
def test_setting_without_equivalent(setting: str, rule: str) -> None:
    result = check_body_kept(f"sess = tf.Session(config=tf.ConfigProto({setting}))\n", rule)
    assert [config.final for config in result.configs] == [True]


def test_beside_a_config_that_stays_others_stay_too() -> None:
    lines = (
        "first = tf.Session(config=tf.ConfigProto(device_count={'GPU': 1}))\n"
        "second = tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1000))\n"
    )
    check_noop(RAW + lines)
    kept = [config.kept_by for config in analysed(RAW + lines).configs]
    assert kept == ["TFG916", "TFG405"]


def test_stays_for_two_reasons_and_one_is_the_users() -> None:
    check_body_kept(
        """
        first = use(tf.ConfigProto(allow_soft_placement=True))
        second = tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1000))
        """,
        "passed-on",
    )


# Options and other files.


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("del config, sess", "nothing once it is deleted"),
        ("from numpy import *", "what `import *` may bring"),
        ("for config in range(3): pass", "the items of a loop"),
        ("import os as config", "what is imported"),
    ],
)
def test_what_else_a_variable_holds(statement: str, words: str) -> None:
    config = "config = tf.ConfigProto(allow_soft_placement=True)"
    end = "sess = tf.Session(config=config)"
    result = check_kept(f"import tensorflow as tf\n{config}\n{end}\n{statement}\n", "mixed-origin")
    said = [item.message for item in result.findings]
    assert any(text.endswith(f"the same variable also holds {words}") for text in said)


@pytest.mark.parametrize(
    ("options", "converts"),
    [
        (Options(ignore=("log-device-placement",)), False),
        (Options(ignore=("TFG3",)), False),
        (Options(select=("allow-soft-placement",)), False),
        (Options(select=("TFG301", "log-device-placement")), True),
        (Options(select=("TFG3",)), True),
        (Options(ignore=("TFG4",)), True),
    ],
)
def test_selection_of_rules(options: Options, converts: bool) -> None:
    before = """
        import tensorflow as tf

        config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)
        sess = tf.Session(config=config)
        """
    assert (migrated(before, options) != source(before)) is converts
    kept = [config.kept_by for config in analysed(before, options).configs]
    assert kept == [None if converts else "TFG925"]


def test_drop_rule_that_is_not_selected_keeps_too() -> None:
    check_kept(
        """
        import tensorflow as tf

        sess = tf.Session(config=tf.ConfigProto(log_device_placement=False))
        """,
        "not-selected",
        Options(ignore=("log-device-placement",)),
    )


def test_findings_in_the_order_of_the_source() -> None:
    result = analysed(
        """
        import tensorflow as tf

        config = tf.ConfigProto(log_device_placement=True)
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        print(tf.test.is_gpu_available())
        """
    )
    assert names(result) == [
        "log-device-placement",
        "allow-growth",
        "session-config",
        "is-gpu-available",
    ]
    assert [(item.line, item.column) for item in result.findings] == [
        (3, 25), (4, 1), (5, 8), (6, 7)
    ]  # fmt: skip


def test_nothing_changes_and_nothing_is_said_about_tensorflow_2() -> None:
    before = """
        import tensorflow as tf

        tf.config.set_soft_device_placement(True)
        """
    check_noop(before)
    assert names(analysed(before)) == []
