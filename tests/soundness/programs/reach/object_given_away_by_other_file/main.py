import tensorflow as tf

import registry
from data import Reader


def main():
    dataset = Reader(["a", "b", "c"])
    registry.keep(dataset)
    registry.run()
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


if __name__ == "__main__":
    main()
