from conf import gpu, config
import tensorflow as tf
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
print(gpu.X)
