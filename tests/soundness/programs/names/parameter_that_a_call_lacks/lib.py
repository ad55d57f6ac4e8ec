import tensorflow as tf
def make():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config
def train(config=None):
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1) + 1))
def run(config):
    with tf.Session(config=config): pass
def main(): run(make())
