import sys

def setup():
    import tensorflow as tf
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config)

sess = setup()
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
print(sess.run(x * 2, {x: 3.0}))
