"""A context manager of the program is given the config of its session."""
# expect: safe

import contextlib

import tensorflow as tf


@contextlib.contextmanager
def session(config, name="main"):
    sess = tf.Session(config=config)
    try:
        yield sess
    finally:
        sess.close()
        print(name)


class Trainer(object):
    @classmethod
    @contextlib.contextmanager
    def started(cls, config):
        with tf.Session(config=config) as sess:
            yield sess

    @contextlib.contextmanager
    def opened(self, config):
        with tf.Session(config=config) as sess:
            yield sess


if __name__ == "__main__":
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with Trainer().opened(config) as sess:
        print(sess.run(tf.constant(1.0)))
    with Trainer.started(config) as sess:
        print(sess.run(tf.constant(4.0)))
    with session(config) as sess, tf.device("/cpu:0"):
        print(sess.run(tf.constant(2.0)))
    with contextlib.ExitStack() as stack:
        sess = stack.enter_context(session(name="stack", config=config))
        print(sess.run(tf.constant(3.0)))
