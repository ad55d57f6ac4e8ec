import tensorflow as tf
def run(t):
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as s:
        s.run(tf.global_variables_initializer()); return s.run(t)
