"""A monitored session that takes its config from a creator makes the GPUs before that."""
# tensorflow: 2

import tensorflow as tf

tf = tf.compat.v1
tf.disable_v2_behavior()


def train():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        creator = tf.train.ChiefSessionCreator(config=config)
        with tf.train.MonitoredSession(session_creator=creator) as sess:
            print(sess.run(step))


train()
