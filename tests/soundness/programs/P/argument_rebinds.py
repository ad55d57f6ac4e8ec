"""The graph argument of the session changes the variable that the config took."""

import tensorflow as tf

soft = False


def flip():
    global soft
    soft = not soft
    return tf.get_default_graph()


with tf.Session(graph=flip(), config=tf.ConfigProto(allow_soft_placement=soft)) as sess:
    sess.run(tf.random_uniform([8]))
print(soft)
