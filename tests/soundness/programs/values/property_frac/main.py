import tensorflow as tf
class Cfg(object):
    n = 0
    @property
    def frac(self):
        Cfg.n += 1; return 0.1 * Cfg.n
    def __getattr__(self, k):
        print('get', k); return True
c = Cfg()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = c.frac
config.gpu_options.allow_growth = c.growth
with tf.Session(config=config) as s: print(s.run(tf.constant(1)), Cfg.n)
