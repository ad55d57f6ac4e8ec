"""The same with soft placement off, as TensorFlow 1 has it where nothing is said."""

import tensorflow as tf
from keras import backend as K

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
K.set_session(tf.Session(config=config))
x = K.placeholder((2,))
heat = K.function([x], K.gradients(K.sum(x), [x]))
print(heat([[1.0, 2.0]])[0].shape)
