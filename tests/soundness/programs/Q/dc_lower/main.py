import tensorflow as tf
c = tf.ConfigProto(device_count={'gpu': 0})
with tf.Session(config=c) as s:
    print([d.name for d in s.list_devices()])
