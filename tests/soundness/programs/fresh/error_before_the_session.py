"""What stands between a config and its session fails; the plain session of the handler has all."""

import tensorflow as tf

text = "many"
try:
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25))
    steps = int(text)
    session = tf.Session(config=config)
except ValueError:
    session = tf.Session()
print(len(session.list_devices()))
