import tensorflow as tf

SMALL = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.1))
MAKERS = {"small": lambda: tf.Session(config=SMALL), "plain": tf.Session}
