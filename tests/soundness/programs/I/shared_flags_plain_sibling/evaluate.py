import tensorflow as tf
from flags import FLAGS
with tf.Session() as s: print(s.run(tf.placeholder_with_default(1, [])), FLAGS.growth)
