"""MirroredStrategy starts the runtime before the config."""
# tensorflow: 2

import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
config = tf.compat.v1.ConfigProto(gpu_options=tf.compat.v1.GPUOptions(allow_growth=True))
with tf.compat.v1.Session(graph=tf.Graph(), config=config) as sess:
    print(strategy.num_replicas_in_sync, len(sess.list_devices()))
