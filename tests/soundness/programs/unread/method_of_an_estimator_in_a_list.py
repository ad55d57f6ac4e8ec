"""A method of an estimator is in a list: what calls it makes a session between config and session."""

import tensorflow as tf


def model_fn(features, labels, mode):
    loss = tf.reduce_mean(features)
    step = tf.train.get_or_create_global_step()
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.assign_add(step, 1))


class Later:
    def __init__(self, call):
        self.call = call


estimator = tf.estimator.Estimator(model_fn)
waiting = {"train": Later(estimator.train)}
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
for later in waiting.values():
    later.call(lambda: tf.data.Dataset.from_tensors([1.0]), steps=1)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
