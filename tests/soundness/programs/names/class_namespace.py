"""Settings in the body of a class leave no attribute behind."""

import tensorflow as tf


class Model:
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    sess = tf.Session(config=config)


Model.sess.run(tf.random_uniform([8]))
print(sorted(name for name in vars(Model) if not name.startswith("_") and name != "config"))
