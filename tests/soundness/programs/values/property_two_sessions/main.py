import tensorflow as tf
class Pool(object):
    def __init__(self):
        self.left = [0.6, 0.3]
    @property
    def share(self):
        return self.left.pop()
class Net(object):
    def __init__(self, pool):
        self.graph = tf.Graph()
        config = tf.ConfigProto()
        config.gpu_options.per_process_gpu_memory_fraction = pool.share
        self.sess = tf.Session(graph=self.graph, config=config)
pool = Pool()
nets = [Net(pool), Net(pool)]
print(len(nets), pool.left)
