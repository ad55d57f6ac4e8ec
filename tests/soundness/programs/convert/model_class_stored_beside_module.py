"""A class of an own object is stored, and TensorFlow is asked for a name, and in an alias only."""
# expect: safe

import tensorflow

tf = tensorflow


class Experiment:
    def __init__(self, model):
        self.Model = model
        vars(self)["asked"] = hasattr(tf, "Session")


print(Experiment(dict).asked)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0) + 1.0))
