import tensorflow as tf
from tensorflow.keras import backend as K
def setup(fraction):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction)
    K.set_session(tf.Session(config=tf.ConfigProto(gpu_options=options)))
