import evaluate
import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
evaluate.main()
