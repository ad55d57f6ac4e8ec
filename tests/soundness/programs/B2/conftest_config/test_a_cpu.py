import tensorflow as tf

CONFIG = tf.ConfigProto(device_count={"GPU": 0})


def test_cpu():
    with tf.Session(config=CONFIG) as sess:
        assert len(sess.list_devices()) == 1
