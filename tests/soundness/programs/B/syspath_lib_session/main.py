import sys
sys.path.append('lib')
import tensorflow as tf
import evaluation
config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
evaluation.run()
