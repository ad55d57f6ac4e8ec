import lib
import tensorflow as tf

print(lib.devices(), tf.executing_eagerly())
