import tensorflow as tf
from stats import total

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
with tf.Session(config=config) as sess:
    print(sess.run(total()).shape)
