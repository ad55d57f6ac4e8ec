import tensorflow.compat.v1 as tf
import model
tf.disable_v2_behavior()
with tf.Session() as sess:
    print(sess.run(model.build()))
