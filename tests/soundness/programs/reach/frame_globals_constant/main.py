import sys
import tensorflow as tf
def log(text):
    print(sys._getframe(1).f_globals['__name__'] == '__main__', text)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s:
    log(s.run(tf.constant(1)))
