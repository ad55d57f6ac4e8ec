"""A function makes the model, and another one behind it gives Keras its session."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers, models


def build():
    first = layers.Input((3,))
    return models.Model(first, layers.Dense(1)(first))


def use_part_of_the_gpu(fraction):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction)
    K.set_session(tf.Session(config=tf.ConfigProto(gpu_options=options)))


model = build()
use_part_of_the_gpu(0.5)
print(model.predict(np.ones((8, 3), "float32"), verbose=0).shape)
