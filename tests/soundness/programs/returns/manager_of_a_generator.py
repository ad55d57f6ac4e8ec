"""A generator as a manager ends an error in front of a return."""
import sys, os
import contextlib
import tensorflow as tf
@contextlib.contextmanager
def quiet():
    try:
        yield
    except IndexError:
        pass
def get():
    base = tf.ConfigProto(allow_soft_placement=True)
    with quiet():
        sys.argv[3]
        return base
config = get()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
