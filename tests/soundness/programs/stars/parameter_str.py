"""A parameter has the name of a builtin."""

import tensorflow as tf
def mk(str=lambda x: "1"):
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(0)
    return tf.Session(config=config)
sess = mk()
print(sess.run(tf.constant(1.)))
