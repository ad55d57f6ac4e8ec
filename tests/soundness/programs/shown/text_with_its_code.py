"""An f-string shows the code that makes the session."""

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
print(f"{tf.Session(config=config).run(tf.constant(1))=}")
