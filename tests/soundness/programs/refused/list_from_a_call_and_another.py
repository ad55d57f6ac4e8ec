"""A list of GPUs is computed by a call, in front of another call."""

import tensorflow as tf
def f():
    print('f')
    return [1]
def g():
    print('g')
    return 3
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(len(f()))
config.inter_op_parallelism_threads = g()
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0)))
