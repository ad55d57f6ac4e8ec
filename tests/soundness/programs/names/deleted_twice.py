"""The second `del` of a config raises."""
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
try:
    del config
    del config
except NameError:
    print("gone")
print(sess.run(tf.constant([1.0]) * 2))
