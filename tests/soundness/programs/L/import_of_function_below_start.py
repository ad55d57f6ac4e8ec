"""Settings do not move above the import of their function, behind which they stand."""

def helper():
    import tensorflow as tf
    data = tf.data.Dataset.range(3).map(lambda x: x)
    return data


def main():
    data = helper()
    import tensorflow as tf
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(3.0)))


main()
