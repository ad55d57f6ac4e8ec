import tensorflow as tf

import scaling

print(tf.executing_eagerly())
scaling.show_losses()
