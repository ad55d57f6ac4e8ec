"""The program itself hides GPU 1; a session has no GPU; later plain sessions have GPU 0."""

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[:1], "GPU")


def run(config=None):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        print(len(sess.list_devices()))


run()
run(tf.ConfigProto(device_count={"GPU": 0}))
run()
