import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Dense
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
m = Sequential([Dense(1, input_shape=(2,))])
f = K.function([m.input], K.gradients(m.output, m.input))
print(f([np.ones((1, 2))])[0].shape)
