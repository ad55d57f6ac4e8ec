"""Eager execution is on in a function for `tf.py_function` that imports TensorFlow itself."""


def f(x):
    import tensorflow as tf

    print(tf.executing_eagerly())
    return x


def main():
    import tensorflow as tf

    c = tf.ConfigProto()
    c.gpu_options.allow_growth = True
    with tf.Session(config=c) as s:
        print(s.run(tf.py_function(f, [tf.constant(1)], tf.int32)))


main()
