import tensorflow as tf
for n in (0, 1, 2):
    config = tf.ConfigProto(device_count={'GPU': n})
    with tf.Session(config=config) as s:
        print(len(s.list_devices()))
