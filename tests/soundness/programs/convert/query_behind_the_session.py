"""A query that always comes behind the session finds the GPUs that it made."""
# expect: safe

import tensorflow as tf
from tensorflow.python.client import device_lib

config = tf.ConfigProto()
config.gpu_options.visible_device_list = "0"
config.gpu_options.per_process_gpu_memory_fraction = 0.5
with tf.Session(config=config) as session:
    print(session.run(tf.ones([2])).shape)
print([(one.name, one.memory_limit) for one in device_lib.list_local_devices()])
print(tf.test.is_gpu_available(), tf.test.gpu_device_name())
