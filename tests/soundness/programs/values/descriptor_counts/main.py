import tensorflow as tf
class Counted(object):
    def __init__(self):
        self.n = 0
    def __get__(self, instance, owner):
        self.n += 1
        return 0.1 * self.n
class Options(object):
    fraction = Counted()
o = Options()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = o.fraction
with tf.Session(config=config) as s:
    print(s.run(tf.constant(1)), '%.1f' % o.fraction)
