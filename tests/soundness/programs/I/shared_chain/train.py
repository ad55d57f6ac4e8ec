import tensorflow as tf
import a
config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s:
    print(s.run(a.net()))
