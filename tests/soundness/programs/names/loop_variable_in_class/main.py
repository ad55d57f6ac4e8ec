import os
import tensorflow as tf
from base import Base
class A(Base):
    os.environ['CUDA_VISIBLE_DEVICES'] = '0,1'
    sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
a = A()
with a.device(): x = tf.random_normal([2])
print(a.sess.run(x).shape)
