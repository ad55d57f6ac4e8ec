"""Three tensors of 1.4 GB on a GPU of 4 GiB."""

import tensorflow as tf
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.eager import context

without_waiting = config_pb2.ConfigProto()  # else it tries again for ten seconds
without_waiting.gpu_options.experimental.disallow_retry_on_allocation_failure = True
context.context()._config = without_waiting

held = []
try:
    for _ in range(3):
        held.append(tf.zeros([350, 1000, 1000]))
    raise SystemExit("three tensors of 1.4 GB fit in 4 GiB")
except tf.errors.ResourceExhaustedError as error:
    assert len(held) == 2 and "OOM when allocating tensor" in str(error), error
del held
assert tf.zeros([350, 1000, 1000]).device.endswith("GPU:0")
print("ok")
