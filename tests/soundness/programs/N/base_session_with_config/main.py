import tensorflow as tf
from tensorflow.python.client import session as client
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
one = client.BaseSession('', tf.get_default_graph(), config)
print(len(one.list_devices()))
