"""A sweep with Keras: clear_session and a new session with a config for every trial."""

import tensorflow as tf
from keras import backend as K

shapes = []
for units in (2, 3):
    K.clear_session()
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.per_process_gpu_memory_fraction = 0.1 * units
    K.set_session(tf.Session(config=config))
    shapes.append(K.get_session().run(tf.random_uniform([units])).shape)
print(shapes)
