import tensorflow as tf
class App(object):
    def do_a(self, config, n):
        with tf.Session(config=config) as s: print(s.run(tf.placeholder_with_default(n, [])))
    def main(self, name):
        c = tf.ConfigProto()
        c.gpu_options.allow_growth = True
        self.do_a(c, 1)
        getattr(self, 'do_' + name)(None, 2)
App().main('a')
