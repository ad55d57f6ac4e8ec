"""A program that runs on TensorFlow 2 as it is: Dataset.map made the GPUs without the config."""
# tensorflow: 2

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
numbers = tf.data.Dataset.range(8).map(lambda x: x + 1)
value = tf.data.make_one_shot_iterator(numbers).get_next()
with tf.Session(config=config) as sess:
    print(sess.run(value).shape)
