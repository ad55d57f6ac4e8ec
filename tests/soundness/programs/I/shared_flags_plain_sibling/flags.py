import tensorflow as tf
flags = tf.app.flags
flags.DEFINE_boolean('growth', True, '')
FLAGS = flags.FLAGS
def ph(): return tf.placeholder_with_default(1, [])
