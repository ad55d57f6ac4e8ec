"""The program puts a function of its own in the place of Horovod's, which makes a session."""

import horovod.tensorflow as hvd
import tensorflow as tf


def local_rank():
    tf.Session().close()
    return 1


hvd.local_rank = local_rank
config = tf.ConfigProto(allow_soft_placement=True)
rank = hvd.local_rank()
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()), rank)
