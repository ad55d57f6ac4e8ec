import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 0})


def model():
    return tf.random_uniform([8])


if __name__ == "__main__":
    with tf.Session(config=config) as sess:
        sess.run(model())
