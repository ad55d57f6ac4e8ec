import tensorflow as tf
from utils import make_config


def main():
    with tf.Session(config=make_config()) as sess:
        print(sess.run(tf.constant(1.0)))


if __name__ == '__main__':
    main()
