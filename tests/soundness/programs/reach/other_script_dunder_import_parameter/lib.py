import tensorflow as tf
def run(config, n):
    with tf.Session(config=config) as s: return s.run(tf.placeholder_with_default(n, []))
