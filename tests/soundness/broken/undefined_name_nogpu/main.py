import tensorflow as tf
def main(cfg):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = cfg['gpu']['growth']
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
main({'gpu': {}})
