import tensorflow as tf
class Net(object):
    def make(self, config): return tf.Session(config=config)
    def main(self):
        c = tf.ConfigProto()
        c.gpu_options.allow_growth = True
        return self.make(c).run(tf.placeholder_with_default(1, []))
