import tensorflow as tf
import conf
def mk():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = conf.growth
    return tf.Session(config=config)
s = mk()
print(s.run(tf.constant(1.)))
