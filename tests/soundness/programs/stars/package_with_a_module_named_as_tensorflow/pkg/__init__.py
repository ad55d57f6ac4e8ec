import tensorflow as tf
def run():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as s:
        print(s.run(tf.constant(1.0) + 1.0))
