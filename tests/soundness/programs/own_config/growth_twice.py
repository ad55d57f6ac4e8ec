"""Config and program say the same of growth."""

# expect: safe

import tensorflow as tf
for g in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(g, True)
c = tf.ConfigProto(); c.gpu_options.allow_growth = True
s = tf.Session(config=c)
