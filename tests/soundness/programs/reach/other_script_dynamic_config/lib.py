import tensorflow as tf
def cfg():
    c = tf.ConfigProto()
    c.gpu_options.allow_growth = True
    return c
def sess(): return tf.Session(config=cfg())
