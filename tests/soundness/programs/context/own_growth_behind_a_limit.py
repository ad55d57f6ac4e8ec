"""The program has GPUs grow itself, behind a session whose config has growth and a limit."""

import tensorflow as tf

c = tf.ConfigProto()
c.gpu_options.allow_growth = True
c.gpu_options.per_process_gpu_memory_fraction = 0.4
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
with tf.Session() as s:
    print(len(s.list_devices()))
