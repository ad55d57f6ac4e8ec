"""A Keras model is built before the session of an exported graph gets its config."""
# tensorflow: 2

import tensorflow as tf

layer = tf.keras.layers.Dense(2)
layer.build((None, 3))
config = tf.compat.v1.ConfigProto(
    gpu_options=tf.compat.v1.GPUOptions(per_process_gpu_memory_fraction=0.4)
)
with tf.compat.v1.Session(graph=tf.Graph(), config=config) as sess:
    print(len(sess.list_devices()))
print(len(layer.weights))
