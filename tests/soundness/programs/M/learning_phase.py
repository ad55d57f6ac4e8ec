"""K.get_session().run behind set_session, in a function."""

import tensorflow as tf
from keras import backend as K


def setup():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.per_process_gpu_memory_fraction = 0.4
    K.set_session(tf.Session(config=config))


setup()
x = tf.constant(1.0) + 2.0
print(K.get_session().run(x).shape)
