import tensorflow as tf
import rates

try:
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    rate = rates.LAST
    sess = tf.Session(config=config)
except AttributeError:
    print("no rate")
print(tf.Session().run(tf.constant(2)))
