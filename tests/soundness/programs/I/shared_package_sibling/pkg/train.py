import tensorflow as tf
from . import nets
def main():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as s:
        print(s.run(nets.net()))
