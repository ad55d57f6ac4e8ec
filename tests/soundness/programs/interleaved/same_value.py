"""Two configs that say the same take turns."""
# expect: safe

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
other = tf.ConfigProto(allow_soft_placement=True)
for graph in (tf.Graph(), tf.Graph()):
    with tf.Session(config=config, graph=graph) as sess:
        print(1)
    with tf.Session(config=other, graph=graph) as sess:
        print(2)
