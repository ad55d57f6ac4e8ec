"""In an eager program, a session outside its graph's `with` has soft placement on."""
# tensorflow: 2

import tensorflow as tf

graph = tf.Graph()
config = tf.compat.v1.ConfigProto(allow_soft_placement=False, log_device_placement=False)
config.gpu_options.allow_growth = True
with tf.compat.v1.Session(graph=graph, config=config) as sess:
    print(len(sess.list_devices()))
with tf.compat.v1.Session(graph=graph) as sess:
    print(len(sess.list_devices()))
