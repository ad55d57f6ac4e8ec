import tensorflow as tf
from cfg import *
if N > 5:
    FRAC = 0.0
config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.per_process_gpu_memory_fraction = FRAC
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0)))
