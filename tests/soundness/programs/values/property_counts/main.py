import tensorflow as tf
class Machine(object):
    n = 0
    @property
    def threads(self):
        Machine.n += 1
        return Machine.n
m = Machine()
config = tf.ConfigProto()
config.intra_op_parallelism_threads = m.threads
config.gpu_options.allow_growth = m.threads > 1
with tf.Session(config=config) as s:
    print(s.run(tf.constant(1)), Machine.n)
