import tensorflow as tf
from data import Dataset

train = Dataset([1, 2]).filter(lambda row: row > 1).map(lambda row: row * 2)
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.4))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform(train.rows))
