"""A loop goes on in front of the session, and has no config the next time."""
import tensorflow as tf

for grows, go in ((True, False), (False, True)):
    config = None
    if grows:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    if not go:
        continue
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))
