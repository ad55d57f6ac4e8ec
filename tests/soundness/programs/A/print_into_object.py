"""`print` calls the method `write` of what it prints into."""

import tensorflow as tf


class Log(object):
    def write(self, text):
        tf.data.Dataset.range(3).map(lambda x: x + 1)

    def flush(self):
        pass


log = Log()
print("begin", file=log, end="")
grow = len([1]) > 0
config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = grow
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape)
log.write("end")
