import tensorflow as tf
from log import Logged
options = Logged({'growth': True, 'soft': False})
config = tf.ConfigProto(allow_soft_placement=options.soft)
config.gpu_options.allow_growth = options.growth
with tf.Session(config=config) as s:
    print(s.run(tf.constant(1)))
