"""A loop around the session that may have no turn."""
import tensorflow as tf

for grows, steps in ((True, []), (False, [1])):
    config = None
    if grows:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    for _ in steps:
        with tf.Session(config=config) as sess:
            print(sess.run(tf.constant(1.0)))
