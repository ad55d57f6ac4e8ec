def import_tf():
    import tensorflow as tf

    return tf


tf = import_tf()


def make_config():
    return tf.ConfigProto(log_device_placement=True)


with tf.Session() as sess:
    with sess.graph.as_default():
        with tf.device("/device:GPU:1"):
            there = tf.constant([1.0]) + tf.ones([1])
        print(sess.run(there).shape)
