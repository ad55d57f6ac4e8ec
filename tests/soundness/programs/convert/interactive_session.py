"""InteractiveSession(config=c) is Session() and __enter__(), but for pruned graphs."""
# expect: unsafe

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
sess = tf.InteractiveSession(config=config)
print(tf.random_uniform([8]).eval().shape)
