import tensorflow as tf
def make_config():
    return tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
