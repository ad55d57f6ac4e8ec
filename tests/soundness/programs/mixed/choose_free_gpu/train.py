import tensorflow as tf
from gpu_utils import pick

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True


def main():
    print(pick())
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


if __name__ == "__main__":
    main()
