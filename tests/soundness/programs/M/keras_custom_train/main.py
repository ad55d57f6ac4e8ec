import numpy as np
import tensorflow as tf
import keras_stub as keras
from tensorflow.keras import backend as K, layers, models, optimizers
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
m = models.Sequential([layers.Dense(2, input_shape=(2,), activation='softmax')])
a = K.placeholder(shape=(None, 2)); r = K.placeholder(shape=(None,))
loss = -K.mean(K.sum(a * m.output, axis=1) * r)
opt = optimizers.Adam(0.01)
up = opt.get_updates(params=m.trainable_weights, loss=loss)
train = K.function([m.input, a, r], [loss], updates=up)
print(len(train([np.ones((1, 2)), np.ones((1, 2)), np.ones(1)])))
