import tensorflow as tf
def start():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=.5))
    return tf.Session(config=config)
