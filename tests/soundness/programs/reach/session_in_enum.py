"""Each name of an Enum is a member."""

import enum
import tensorflow as tf
class T(enum.Enum):
    A = 1
    SESS = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
print([m.name for m in T])
