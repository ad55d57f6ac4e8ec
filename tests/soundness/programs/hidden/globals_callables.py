"""All functions of a file are listed, the one that a migration adds among them."""

import tensorflow as tf
y = tf.constant(1)
def test_a(): print('a')
def test_b():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.3))
    with tf.Session(config=config) as s: print(s.run(y))
test_b()
for n, f in list(globals().items()):
    if callable(f): print(n)
