"""Weights, inputs and the JSON of a model look otherwise in eager code."""

# expect: safe

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
tf.keras.backend.set_session(tf.Session(config=config))

model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(2,))])
for weight in model.trainable_weights:
    print(weight)
print(model.inputs, len(model.to_json()))
