"""Virtual devices stand in front of a value from a call."""

import tensorflow as tf
def f():
    print('f')
    return [1]
def g():
    print('g')
    return 3
config = tf.ConfigProto()
config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1024])
config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[2048])
config.inter_op_parallelism_threads = g()
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0)))
