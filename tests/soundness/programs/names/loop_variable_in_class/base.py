import tensorflow as tf
class Base:
    gpu = 1
    def device(self): return tf.device('/gpu:%d' % self.gpu)
