import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
def train():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1) + 1))
