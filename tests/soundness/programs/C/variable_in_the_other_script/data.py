import tensorflow as tf

def make():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    return config

def step3():
    with tf.Session(config=make()) as sess:
        print(sess.run(tf.constant(1)))

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True

def other():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))
