import layers
import tensorflow as tf

sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 1}))
print(sess.run(layers.best()))
