"""A property raises the error that hasattr looks for."""
import sys
import tensorflow as tf
y = tf.constant(1)
class M(object):
    def setup(self):
        self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    @property
    def sess(self):
        return tf.Session(config=self.config)
m = M()
if len(sys.argv) > 1: m.setup()
print(hasattr(m, 'sess'))
