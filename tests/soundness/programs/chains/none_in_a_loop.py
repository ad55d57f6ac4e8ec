"""Each round of a loop begins with None for the config and for the loss."""
# expect: safe

import tensorflow as tf

for number in range(2):
    config = loss = None
    if number == 0:
        config = tf.ConfigProto(allow_soft_placement=True)
        with tf.Session(config=config) as sess:
            loss = sess.run(tf.constant(1.0))
    print(loss)
