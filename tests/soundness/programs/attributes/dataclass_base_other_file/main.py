from lib import B
import tensorflow as tf
y = tf.constant(1)
class A(B):
    def setup(self):
        self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    def go(self):
        self.setup()
        with tf.Session(config=self.config) as s: print(s.run(y))
o = A()
o.go()
print(o, o == A())
