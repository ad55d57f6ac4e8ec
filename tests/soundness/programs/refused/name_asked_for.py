"""The program asks whether it has a name that the fix would import."""

import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.3
config.gpu_options.allow_growth = True
s = tf.Session(config=config)
try:
    os
    print("have os")
except NameError:
    print("no os")
print(s.run(tf.constant(1.0)))
