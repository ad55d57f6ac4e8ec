import tensorflow as tf


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(2,))])
    model.compile(optimizer="sgd", loss="mse", metrics=["accuracy"])
    return model
