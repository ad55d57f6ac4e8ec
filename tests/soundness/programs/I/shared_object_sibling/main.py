import tensorflow as tf
import evaluate
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)), evaluate.trainer is not None)
