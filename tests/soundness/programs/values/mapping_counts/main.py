import tensorflow as tf
class Shares(dict):
    n = 0
    def __getitem__(self, key):
        Shares.n += 1
        return dict.__getitem__(self, key)
conf = Shares(growth=True, fraction=0.4)
config = tf.ConfigProto(allow_soft_placement=conf['growth'])
config.gpu_options.per_process_gpu_memory_fraction = conf['fraction']
with tf.Session(config=config) as s:
    print(s.run(tf.constant(1)), Shares.n)
