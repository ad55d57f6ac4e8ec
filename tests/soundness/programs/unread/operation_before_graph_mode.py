"""An operation that a dictionary holds runs eagerly, before the program turns graph mode on."""
# tensorflow: 2

import tensorflow as tf

OPERATIONS = {"relu": tf.nn.relu}


def compute(name):
    operation = OPERATIONS[name]
    return operation([1.0])


print(compute("relu").shape)
tf.compat.v1.disable_eager_execution()
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
with tf.compat.v1.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
