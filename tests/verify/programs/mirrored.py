"""MirroredStrategy: the arguments are the number of GPUs and `nccl` or `copy`."""

import sys

import numpy as np
import tensorflow as tf

count, way = int(sys.argv[1]), sys.argv[2]
across = (
    tf.distribute.NcclAllReduce() if way == "nccl" else tf.distribute.HierarchicalCopyAllReduce()
)
devices = [f"/gpu:{i}" for i in range(count)]
strategy = tf.distribute.MirroredStrategy(devices, cross_device_ops=across)
assert strategy.num_replicas_in_sync == count
with strategy.scope():
    layers = [tf.keras.Input([8]), tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(1)]
    model = tf.keras.Sequential(layers)
    model.compile("sgd", "mse", jit_compile=False)
model.fit(np.ones([32, 8], np.float32), np.ones([32, 1]), batch_size=16, verbose=0)


@tf.function
def reduced():
    each = strategy.run(lambda: tf.ones([4]))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, each, axis=None)


assert reduced().shape == (4,)
for gpu in range(count):
    assert tf.config.experimental.get_memory_info(f"GPU:{gpu}")["peak"] > 0
print("ok")
