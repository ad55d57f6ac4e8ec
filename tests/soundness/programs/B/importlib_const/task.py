import tensorflow as tf
def run():
    with tf.Session() as s: print(len(s.list_devices()))
