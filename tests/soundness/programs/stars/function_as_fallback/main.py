import tensorflow as tf
try:
    from local import *
except ImportError:
    def make():
        c = tf.ConfigProto()
        c.gpu_options.allow_growth = True
        return c
config = make()
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0)))
