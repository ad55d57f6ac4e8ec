"""An object of a library chooses the GPU in a method that optimizers have."""

import foreign_tools
import tensorflow as tf

chooser = foreign_tools.Chooser()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
chooser.apply_gradients()
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
