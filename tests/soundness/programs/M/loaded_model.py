"""A model that is loaded in a graph may have a recurrent layer, which makes the GPUs."""

import tensorflow as tf
from tensorflow.keras.layers import GRU
from tensorflow.keras.models import Sequential, model_from_json

text = Sequential([GRU(2, input_shape=(2, 3))]).to_json()


def score(batch):
    model = model_from_json(text)
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())
        print(model(batch).shape)


score(tf.ones([1, 2, 3]))
