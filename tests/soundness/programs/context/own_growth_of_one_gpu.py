"""The program has one GPU grow itself, which a later session refuses."""

import tensorflow as tf

c = tf.ConfigProto()
c.gpu_options.allow_growth = True
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0], True)
try:
    with tf.Session(graph=tf.Graph()) as s:
        print(len(s.list_devices()))
except ValueError as error:
    print(error)
