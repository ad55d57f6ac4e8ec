import tensorflow as tf
import lib
c = tf.ConfigProto()
c.gpu_options.allow_growth = True
print(lib.run(c, 2))
