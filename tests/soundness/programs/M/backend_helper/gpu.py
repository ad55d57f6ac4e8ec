import tensorflow as tf
from keras import backend as K


def limit():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    K.set_session(tf.Session(config=config))
