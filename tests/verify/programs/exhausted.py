"""Three tensors of 6.4 GB on a GPU of 16 GiB."""

import tensorflow as tf

held = []
try:
    for _ in range(3):
        held.append(tf.zeros([1600, 1000, 1000]))
    raise SystemExit("three tensors of 6.4 GB fit in 16 GiB")
except tf.errors.ResourceExhaustedError as error:
    assert len(held) == 2 and "OOM when allocating tensor" in str(error), error
del held
assert tf.zeros([1600, 1000, 1000]).device.endswith("GPU:0")
print("ok")
