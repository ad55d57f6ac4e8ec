import tensorflow as tf
import rt
print(rt.sess.run(tf.placeholder_with_default(1, [])), getattr(rt, 'config', None) is not None)
