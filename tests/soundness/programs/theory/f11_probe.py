"""The program counts GPUs by catching the refusal of placement; a config with soft comes before."""

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    with tf.device("/gpu:5"):
        sess.run(tf.random_uniform([8]))
found = []
for number in range(4):
    with tf.Graph().as_default(), tf.device("/gpu:%d" % number):
        noise = tf.random_uniform([8])
        try:
            tf.Session().run(noise)
            found.append(True)
        except tf.errors.InvalidArgumentError:
            found.append(False)
print(found)
