import tensorflow as tf
def main():
    lr = 0.1
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
    print('config: %(config)s lr %(lr)s' % locals())
main()
