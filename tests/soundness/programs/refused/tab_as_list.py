"""A list of GPUs that is a tab is an error, which the program catches."""

import tensorflow as tf
try:
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "\t"
    config.gpu_options.allow_growth = True
    s = tf.Session(config=config)
except Exception as e:
    print(type(e).__name__); raise SystemExit(1)
print(s.run(tf.constant(1.0)))
