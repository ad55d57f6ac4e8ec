import tensorflow as tf

def step1():
    config = tf.ConfigProto()
    sess = tf.Session(config=config)
