import evaluate
import tensorflow as tf

config = tf.ConfigProto(log_device_placement=True, inter_op_parallelism_threads=2)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
evaluate.main()
