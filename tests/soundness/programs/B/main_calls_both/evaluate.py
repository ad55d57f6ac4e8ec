import tensorflow as tf


def main():
    with tf.Session() as sess:
        print([device.device_type for device in sess.list_devices()])
        sess.run(tf.random_uniform([8]))
