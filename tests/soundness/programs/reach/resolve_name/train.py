import tensorflow as tf
def run():
    config = tf.ConfigProto(device_count={"GPU": 0})
    with tf.Session(config=config) as sess: print(len(sess.list_devices()))
