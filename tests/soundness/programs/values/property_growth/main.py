import tensorflow as tf
class Cfg(object):
    def __getattr__(self, k):
        print('get', k); return True
c = Cfg()
config = tf.ConfigProto(allow_soft_placement=c.soft)
config.gpu_options.allow_growth = c.growth
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
