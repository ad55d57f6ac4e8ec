"""Each pass of a loop shows other GPUs."""

import tensorflow as tf

for count in (0, 2):
    config = tf.ConfigProto(device_count={"GPU": count})
    if count == 0:
        config.gpu_options.allow_growth = True
    with tf.Session(config=config) as session:
        print(session.run(tf.ones([2])).shape, len(session.list_devices()))
