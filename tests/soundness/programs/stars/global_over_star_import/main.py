import tensorflow as tf
from conf import *
def session():
    global growth
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = growth
    growth = 0
    return tf.Session(config=config)
print(session().run(tf.constant(1.0)))
