import tensorflow as tf
from net import build
from runtime import run
print(run(build(tf.ones([1, 2]))).shape)
