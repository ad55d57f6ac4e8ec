"""The program has all GPUs grow itself, as the config does."""

# expect: safe

import tensorflow as tf

c = tf.ConfigProto()
c.gpu_options.allow_growth = True
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    try:
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
    except RuntimeError as error:
        print(error)
