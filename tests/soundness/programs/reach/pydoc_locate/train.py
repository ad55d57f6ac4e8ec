import tensorflow as tf
def run():
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as s: print(len(s.list_devices()))
