"""A fraction of False is none."""
# expect: safe
import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.per_process_gpu_memory_fraction = False
with tf.Session(config=config) as session:
    print(session.run(tf.constant(1)))
