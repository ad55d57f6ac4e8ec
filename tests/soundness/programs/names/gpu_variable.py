"""Names that settings may use belong to the program: gpu, gpus, index, limit, device."""

import tensorflow as tf

gpu, gpus, index, limit, device = "a", "b", "c", "d", "e"
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
print(gpu, gpus, index, limit, device)
