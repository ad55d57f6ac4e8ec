import tensorflow as tf
from tensorflow.keras import backend as K
def limit():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    K.set_session(tf.Session(config=config))
