"""A use behind a `del` finds no config."""
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
del config
try:
    other = tf.Session(config=config)
except NameError:
    print("gone")
print(sess.run(tf.constant([1.0]) * 2))
