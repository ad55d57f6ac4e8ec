"""The program stores another str among the builtins."""

import tensorflow as tf, builtins
s0 = str
builtins.str = lambda x: "1"
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(0)
builtins.str = s0
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.)))
