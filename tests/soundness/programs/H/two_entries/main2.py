import lib1
import tensorflow as tf

print(tf.executing_eagerly(), lib1.noise().numpy().shape)
