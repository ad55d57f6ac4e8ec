"""A plain dataset (no function) before the session: it makes no eager context."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices([1, 2, 3]).shuffle(3, seed=1).repeat(2).batch(2)
value = tf.data.make_one_shot_iterator(data).get_next()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25))
with tf.Session(config=config) as sess:
    print(sess.run(value).shape)
