import tensorflow as tf


def go():
    c = tf.ConfigProto()
    c.gpu_options.allow_growth = True
    with tf.Session(config=c) as s:
        print(len(s.list_devices()))
