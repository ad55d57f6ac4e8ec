import tensorflow as tf
import model
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s:
    print(s.run(model.net()))
