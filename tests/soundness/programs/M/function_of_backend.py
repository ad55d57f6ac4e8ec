"""K.function over placeholders behind set_session."""

import tensorflow as tf
from tensorflow.keras import backend as K

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
K.set_session(tf.Session(config=config))
x = K.placeholder((2,))
double = K.function([x], [x * 2])
print(len(double([[1.0, 2.0]])))
