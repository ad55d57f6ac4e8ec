import tensorflow as tf
def make(config): return tf.Session(config=config)
def main():
    c = tf.ConfigProto()
    c.gpu_options.allow_growth = True
    return make(c).run(tf.placeholder_with_default(1, []))
