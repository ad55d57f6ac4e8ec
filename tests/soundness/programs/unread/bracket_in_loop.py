"""A library makes the eager context between two runs of a loop whose sessions hide a GPU."""

import tensorflow as tf

for _ in range(2):
    config = tf.ConfigProto(device_count={"GPU": 1})
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        print(len(sess.list_devices()))
    import foreign_import

    print(foreign_import.__name__)
    with tf.Graph().as_default(), tf.Session() as other:
        print(len(other.list_devices()))
