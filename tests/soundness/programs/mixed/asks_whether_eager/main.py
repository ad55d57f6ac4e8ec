import tensorflow as tf

import helpers


def main():
    helpers.train()
    print(tf.executing_eagerly())


main()
