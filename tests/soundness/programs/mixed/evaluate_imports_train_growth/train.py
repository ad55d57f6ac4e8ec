import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True


def main():
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


if __name__ == "__main__":
    main()
